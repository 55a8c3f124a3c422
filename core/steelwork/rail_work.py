"""What wheels give the steel as the rails move under them, and where it goes: kept, or damped.

A force does work on the steel where the steel moves, not where the wheel goes: of every wheel ½ (f0 + f1)' (q1 - q0)
over a step, f its force on the nodes and q their moves. With average acceleration (Newmark 1959) that is the change of
½ v' M v + ½ q' K q and h w' C w, w = (q1 - q0) / h, of what is damped: nothing is made or lost by the steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from .frame import SteelFrame


class RailWork(NamedTuple):
    """Over time, J: given (n, k) by each load up to then, stored (n,) in the steel beyond what its weight does, damped
    (n,) up to then."""

    given: Array
    stored: Array
    damped: Array

    @property
    def off(self) -> float:
        """By how much the balance is open at most (J)."""
        kept = self.stored - self.stored[0] + self.damped
        return float(np.abs(self.given.sum(axis=1) - kept).max())


@dataclass
class WorkCount:
    """Adds up the work of loads step by step; damping: a (1/s) and b (s) of C = a M + b K."""

    frame: SteelFrame
    step: float
    damping: tuple[float, float]
    parts: list[RailWork] = field(default_factory=list)
    last: tuple[Array, Array, Array] | None = None

    def with_block(self, beams: Integers, ends: Array, Q: Array, V: Array) -> None:
        """With more instants: loads (n, k, 12) on the ends of beams (n, k), moves Q and rates V (unknowns, n)."""
        s, (a, b) = self.frame.structure, self.damping
        nodes = np.array([piece.ends for piece in self.frame.pieces[: len(self.frame.stations) - 1]])
        at = s.unknowns[nodes[beams]].reshape(*beams.shape, 12)
        first = self.last is None
        if self.last is not None:
            at, ends, Q = (
                np.concatenate([one, two], axis)
                for one, two, axis in zip(self.last, (at, ends, Q), (0, 0, 1), strict=True)
            )
        step = np.diff(Q, axis=1)
        n = np.arange(step.shape[1])[:, None, None]
        given = 0.5 * np.sum(ends[:-1] * step[at[:-1], n] + ends[1:] * step[at[1:], n], axis=-1)
        moved_mass, moved_stiff = s.M @ step, s.K @ step
        damped = np.sum(step * (a * moved_mass + b * moved_stiff), axis=0) / self.step
        before = (
            self.parts[-1] if self.parts else RailWork(np.zeros((1, at.shape[1])), np.zeros(1), np.zeros(1))
        )
        new = Q if first else Q[:, 1:]
        stored = 0.5 * (np.sum(new * (s.K @ new), axis=0) + np.sum(V * (s.M @ V), axis=0))
        given, damped = before.given[-1] + np.cumsum(given, axis=0), before.damped[-1] + np.cumsum(damped)
        if first:
            given, damped = np.concatenate([before.given, given]), np.concatenate([before.damped, damped])
        self.parts.append(RailWork(given, stored, damped))
        self.last = at[-1:], ends[-1:], Q[:, -1:].copy()

    def total(self) -> RailWork:
        """All of it."""
        return RailWork(*(np.concatenate(one) for one in zip(*self.parts, strict=True)))
