"""The method of the textbook page, beside our own: the track as a table of chords that is searched.

PhysLab's roller coaster: rows of the parameter t, the length of path p as the sum of chords, x and y; to find where the
ball is the table is searched for p, place and slope are those of the chord there, and a Runge-Kutta method of fixed
step advances p and the speed. What that costs is seen in the energy: the slope jumps from chord to chord, and their sum
is shorter than the curve.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from .plane_curve import PlaneCurve
from .textbook import BallHistory

ROWS = 200  # of the table unless told otherwise
STEP = 0.02  # s
MAX_STEPS = 1_000_000
LOST = 1e15  # m and m/s


@dataclass(frozen=True)
class ChordTable:
    """Rows of a curve: t, the parameter of its formula (counted on from piece to piece); p (m), the sum of chords up to
    there; x and y (m). (n,) each."""

    t: Array
    p: Array
    x: Array
    y: Array


def chord_table(curve: PlaneCurve, rows: int = ROWS) -> ChordTable:
    """The table of a curve with rows evenly in t.

    Parameters
    ----------
    curve
        In a plane.
    rows
        How many.

    Returns
    -------
    The table.

    Raises
    ------
    InputError
        For fewer than 3 or more than 100,000 rows.
    """
    if not 3 <= rows <= 100_000:
        raise InputError(f"A table of {rows} rows is out of range; choose 3 to 100000.")
    ends = np.concatenate([[0.0], np.cumsum([piece.t1 - piece.t0 for piece in curve.pieces])])
    run = np.linspace(0.0, ends[-1], rows)
    piece_of = np.clip(np.searchsorted(ends, run, side="right") - 1, 0, len(curve.pieces) - 1)
    xy = np.empty((rows, 2))
    for k, piece in enumerate(curve.pieces):
        on = piece_of == k
        if on.any():
            xy[on] = piece.formula(piece.t0 + run[on] - ends[k])[0]
    chords = np.linalg.norm(np.diff(xy, axis=0), axis=1)
    return ChordTable(
        curve.pieces[0].t0 + run, np.concatenate([[0.0], np.cumsum(chords)]), xy[:, 0], xy[:, 1]
    )


class ChordBall:
    """A ball on the chords of a table, by the Runge-Kutta method of fourth order with a fixed step.

    s (m): along the chords; v (m/s); gravity (m/s^2), damping (N s/m) and mass (kg) as `Textbook`.
    """

    def __init__(
        self, table: ChordTable, closed: bool, *, gravity: float = 9.81, damping: float = 0.0, mass: float = 1.0,
        s: float = 0.0, v: float = 0.0, step: float = STEP,
    ) -> None:  # fmt: skip
        """step (s). Raises InputError for one outside 0.0001 to 1 s."""
        if not 1e-4 <= step <= 1.0:
            raise InputError(f"A step of {step:g} s is out of range; choose 0.0001 to 1 s.")
        self.table, self.closed = table, closed
        self.gravity, self.damping, self.mass = gravity, damping, mass
        self.s, self.v, self.time, self.h = float(s), float(v), 0.0, step
        self._p, self._x, self._y = table.p.tolist(), table.x.tolist(), table.y.tolist()
        self._rest = 0.0  # s, not yet stepped

    @property
    def length(self) -> float:
        """Sum of all chords (m)."""
        return float(self._p[-1])

    def _chord(self, s: float) -> tuple[int, float]:
        """The chord at s and how far along it (m) the ball is; the ends of an open track go on straight."""
        p = s % self._p[-1] if self.closed else s
        k = min(max(bisect_right(self._p, p) - 1, 0), len(self._p) - 2)
        return k, p - self._p[k]

    def _slope(self, s: float) -> float:
        k, _ = self._chord(s)
        return float((self._y[k + 1] - self._y[k]) / (self._p[k + 1] - self._p[k]))

    @property
    def position(self) -> tuple[float, float]:
        """Where the ball is, (x, y) m, on its chord."""
        k, along = self._chord(self.s)
        share = along / (self._p[k + 1] - self._p[k])
        return (
            self._x[k] + share * (self._x[k + 1] - self._x[k]),
            self._y[k] + share * (self._y[k + 1] - self._y[k]),
        )

    @property
    def total(self) -> float:
        """Kinetic and gravitational energy together (J)."""
        return self.mass * (0.5 * self.v**2 + self.gravity * self.position[1])

    def _one(self, h: float) -> None:
        """One step of Runge and Kutta."""
        b, g = self.damping / self.mass, self.gravity
        s, v = self.s, self.v
        a1 = -g * self._slope(s) - b * v
        v2 = v + 0.5 * h * a1
        a2 = -g * self._slope(s + 0.5 * h * v) - b * v2
        v3 = v + 0.5 * h * a2
        a3 = -g * self._slope(s + 0.5 * h * v2) - b * v3
        v4 = v + h * a3
        a4 = -g * self._slope(s + h * v3) - b * v4
        self.s = s + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4)
        self.v = v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        self.time += h

    def step(self, dt: float) -> None:
        """Go on by dt seconds, in whole steps; what is left of one waits for the next call."""
        self._rest += dt
        while self._rest >= self.h - 1e-12:
            self._one(self.h)
            self._rest -= self.h

    def run(self, duration: float) -> BallHistory:
        """Go on by `duration` seconds and return what happened, step by step, the present state first.

        Raises InputError for more steps than a machine should be given, and where they are so long that the
        ball is lost.
        """
        count = max(1, round(duration / self.h))
        if count > MAX_STEPS:
            raise InputError(
                f"{duration:g} s in steps of {self.h:g} s are {count:,} steps; choose {MAX_STEPS:,} at most."
            )
        rows = np.empty((count + 1, 5))
        for k in range(count + 1):
            rows[k] = (self.time, self.s, self.v, *self.position)
            if not abs(self.s) + abs(self.v) < LOST:
                raise InputError(
                    f"The method of chords loses the ball after {self.time:g} s: its steps of {self.h:g} s are too long"
                    " for this damping or speed. Choose a shorter step."
                )
            if k < count:
                self._one(self.h)
        kinetic = 0.5 * self.mass * rows[:, 2] ** 2
        potential = self.mass * self.gravity * rows[:, 4]
        return BallHistory(
            rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3:5], kinetic, potential, kinetic + potential
        )
