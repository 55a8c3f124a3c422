"""Ending a step where something happens in it, for steppers that can go back into the step they have taken.

As with the program's own method a step that leads over a joint stop, or over the place where the run ends, ends
there, and what follows begins anew: a kink inside a step costs every method its order.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple, Protocol

from ...base.arrays import Array
from ...jit.decorators import kernel
from ...multibody.event_kernels import TOO_FAR, Instant, first_event, has_borders
from ...multibody.force_kernels import Z_NOW, Z_RATE
from ..engine import Engine
from ..integration import MARGIN, U1, Memory, U
from .state_vector import Equations

ROUNDS = 8
SAME_TIME = 1e-11  # s, and relative


class Stepper(Protocol):
    """One accepted step at a time from (t, y). `land` goes back to a time within the last step, as often as asked;
    `restart`, which must follow it, goes on from another y at the same t."""

    t: float
    y: Array

    def step(self) -> None: ...
    def land(self, t: float) -> None: ...
    def restart(self, y: Array) -> None: ...


class _At(NamedTuple):
    """An instant and its time (s)."""

    time: float
    instant: Instant


@kernel
def _share(S, W, start, end, ends, count, h, margin):
    return first_event(S, W, start, end, ends, count, h, margin)


class Landing:
    """Finds what happens in the steps of a run and takes its stepper there.

    ends (ng,): arc length at which each guide ends the run; guides: how many must be past it, 0 never.
    """

    def __init__(self, engine: Engine, memory: Memory, ends: Array, guides: int) -> None:
        self.engine, self.memory, self.ends, self.guides = engine, memory, ends, guides
        self.on = guides > 0 or bool(has_borders(engine.system.arrays))
        self.along = engine.system.layout.paths
        self.start = self._now(memory.el, memory.z, 0, U, engine.state.time)

    def begin(self, t: float) -> None:
        """Take the present of the memory, at time t (s), for the start of the next step."""
        work = self.engine.work
        self.start = self._now(work.el, work.z, 0, U, t)

    def land(self, equations: Equations, stepper: Stepper) -> tuple[bool, bool]:
        """Take a stepper that has made a step back to where the first thing happens in it; returns whether it went back
        and whether the run ends there."""
        left, right = self.start, self._instant(equations, stepper)
        share, over, border = self._first(left, right, MARGIN)
        if share >= 1.0:
            return False, over
        t = left.time + share * (right.time - left.time)
        if (
            border == TOO_FAR
        ):  # from just behind the start the force is felt, and steps are as short as it needs
            stepper.land(t)
            self._instant(equations, stepper)
            return True, False
        for _ in range(ROUNDS):
            stepper.land(t)
            middle = self._instant(equations, stepper)
            before, early, _ = self._first(left, middle, 0.0)
            if before < 1.0 or early:
                right = middle
            else:
                left = middle
            share, ends, _ = self._first(left, right, 0.0)
            if share >= 1.0 and not ends:
                break  # it lies in the middle itself
            over = ends  # another thing may have been found before the first guess
            known, t = t, left.time + share * (right.time - left.time)
            if abs(t - known) <= SAME_TIME * max(1.0, t):
                break
        return True, over

    def _instant(self, equations: Equations, stepper: Stepper) -> _At:
        equations.rates(stepper.t, stepper.y)
        work = self.engine.work
        return self._now(work.el, work.z, 1, U1, stepper.t)

    def _now(self, el: Array, z: Array, end: int, u: int, t: float) -> _At:
        """Copies of elements, internal unknowns and, at an end of the step, of places and speeds."""
        Y = self.memory
        inner, place, speed = z[: Z_RATE + 1].copy(), Y.L[end].copy(), Y.v[u, self.along].copy()
        pose = Y.r[end].copy(), Y.p[end].copy(), Y.v[u].copy()
        return _At(t, Instant(el.copy(), inner[Z_NOW], inner[Z_RATE], place, speed, t, *pose))

    def _first(self, a: _At, b: _At, margin: float) -> tuple[float, bool, int]:
        share, over, border = _share(
            self.engine.system.arrays, self.engine.work, a.instant, b.instant, self.ends, self.guides,
            b.time - a.time, margin,
        )  # fmt: skip
        return float(share), bool(over), int(border)
