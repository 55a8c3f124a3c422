"""Two rides laid over one another, each in two accuracies: what differs by more than both are off.

An engine's error is how far its two rides are apart, the finer of which is compared; both are of second order or more,
so that the finer one is off by at most about a third of that. What is allowed grows with the largest error up to an
instant, as errors do, and never falls. The hundredth of the ride that follows counts with it, because every ride passes
a jump in its own steps; and what is smaller than a hundredth of the largest error of a quantity in the whole ride is
nothing that both could know better.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.finding import Finding
from ..base.sentence import say
from ..base.where import NOWHERE, Where
from ..outcome.second_engine import Agreement
from .engines.base import Masses

ROUNDING = 1e-6  # of the largest value of a quantity
SHARED = 0.01  # of the largest error that a quantity has in the whole ride
AHEAD = 0.01  # of the ride
SAME_MASS = 1e-9  # relative


class Quantity(NamedTuple):
    """Signals of a kind: its unit, names of their owners (k,), values (n, k, c), and what they are small against where
    they are small themselves."""

    unit: str
    names: tuple[str, ...]
    values: Array
    scale: float = 1e-3


#: Quantities by what they are called.
Laid = Mapping[str, Quantity]


class Rides(NamedTuple):
    """A ride of an engine at common instants, in both of its accuracies."""

    coarse: Laid
    fine: Laid


def compare(
    time: Array,
    ours: Rides,
    theirs: Rides,
    *,
    unjudged: frozenset[str] = frozenset(),
    forces: frozenset[str] = frozenset(),
    start: float = 0.0,
) -> tuple[Agreement, ...]:
    """How two engines agree, by quantity and owner, of what both have.

    time (n,) s; unjudged: quantities whose differences are told and are no fault, because the model leaves them open;
    forces: quantities that may jump, and that are compared from a start (s) on, which an implicit method needs to find
    its multipliers.
    """
    out: list[Agreement] = []
    for name, mine in ours.fine.items():
        if name not in theirs.fine:
            continue
        other = theirs.fine[name]
        owners = [one for one in mine.names if one in other.names]
        if not owners:
            continue
        jumps = name in forces
        first = int(np.searchsorted(time, start)) if jumps else 0
        if first >= len(time):
            continue
        a, a0, b, b0 = (
            _of(one, owners)[first:] for one in (mine, ours.coarse[name], other, theirs.coarse[name])
        )
        when = time[first:]
        off = _error(a, a0) + _error(b, b0)
        largest = np.linalg.norm(a, axis=2)
        allowed = off + SHARED * off.max() + ROUNDING * max(largest.max(), mine.scale)
        if jumps:
            allowed += _bends(a) + _bends(b)
        apart = np.linalg.norm(a - b, axis=2)
        for k, owner in enumerate(owners):
            beyond = np.flatnonzero(~(apart[:, k] <= allowed[:, k]))
            worst = int(np.argmax(apart[:, k]))
            since, then = (
                (float(when[beyond[0]]), float(apart[beyond[0], k])) if len(beyond) else (None, None)
            )
            out.append(
                Agreement(
                    quantity=name, name=owner, unit=mine.unit, difference=float(apart[worst, k]),
                    allowed=float(allowed[worst, k]), time=float(when[worst]), largest=float(largest[:, k].max()),
                    since=since, then=then, judged=name not in unjudged,
                )
            )  # fmt: skip
    return tuple(out)


def _of(quantity: Quantity, owners: list[str]) -> Array:
    index = [quantity.names.index(one) for one in owners]
    out: Array = quantity.values[:, index]
    return out


def _error(fine: Array, coarse: Array) -> Array:
    """The largest distance of two rides up to each instant and a little beyond it: (n, k)."""
    largest = np.maximum.accumulate(np.linalg.norm(fine - coarse, axis=2), axis=0)
    ahead = int(AHEAD * len(largest))
    out: Array = largest[np.minimum(np.arange(len(largest)) + ahead, len(largest) - 1)]
    return out


def _bends(values: Array) -> Array:
    """By how much signals change their course around each instant: (n, k). As large as a jump where there is one, which
    rides pass in different steps; hardly anything elsewhere."""
    out = np.zeros(values.shape[:2])
    if len(values) > 2:
        bend = np.zeros_like(out)
        bend[1:-1] = np.linalg.norm(values[2:] - 2.0 * values[1:-1] + values[:-2], axis=2)
        for shift in (-1, 0, 1):
            out = np.maximum(out, np.roll(bend, shift, axis=0))
    return out


def compare_masses(
    ours: Masses, theirs: Masses, engine: str, where: Callable[[str], Where] = lambda name: NOWHERE
) -> tuple[Finding, ...]:
    """Bodies whose mass or inertia is not the same in both engines, as each has it when it rides; where: of a body in
    the project."""
    found = []
    for name in ours.mass:
        if name not in theirs.mass:
            continue
        m, n = ours.mass[name], theirs.mass[name]
        if abs(m - n) > SAME_MASS * abs(m):
            text = say(
                f"{name}: its mass is {{here:.6g kg}} here and {{there:.6g kg}} in {engine}.", here=m, there=n
            )
            found.append(
                Finding(kind="cross-check", message=text, where=where(name), value=abs(m - n), unit="kg")
            )
        I, J = ours.inertia[name], theirs.inertia[name]
        off = np.abs(I - J)
        if off.max() > SAME_MASS * np.abs(I).max():
            a, b = np.unravel_index(int(np.argmax(off)), off.shape)
            axes = "ξηζ"
            which = (
                f"moment of inertia about {axes[a]}" if a == b else f"product of inertia {axes[a]}{axes[b]}"
            )
            text = say(
                f"{name}: its {which} is {{here:.6g kg m^2}} here and {{there:.6g kg m^2}} in {engine}.",
                here=float(I[a, b]), there=float(J[a, b]),
            )  # fmt: skip
            size = float(off.max())
            found.append(
                Finding(kind="cross-check", message=text, where=where(name), value=size, unit="kg m^2")
            )
    return tuple(found)
