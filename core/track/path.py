"""The path table: a curve with its frame as piecewise quintic functions of its own arc length.

This is what the multibody solver rides on, one table each for the centreline and the two rails.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from . import path_kernels as kernels

COLUMNS = 37


def _no_rows() -> Array:
    return np.zeros((0, COLUMNS))


@dataclass(frozen=True)
class PathValues:
    """A path at m places. L (m,) m; position, n, b (m, 3) with first (d1) and second (d2) derivatives by L."""

    L: Array
    position: Array
    position_d1: Array
    position_d2: Array
    n: Array
    n_d1: Array
    n_d2: Array
    b: Array
    b_d1: Array
    b_d2: Array


@dataclass(frozen=True)
class PathTable:
    """Nine functions of arc length L: x, y, z (m) and the unit vectors n and b of the moving frame (world).

    knots (k+1,): L from 0 to length (m); coef (k, 9, 6): ascending powers of (L - knots[i]); C2 except at a
    kink of the track. hint (m,) int64 and bin (m): hint[int(L / bin)] is the interval at the
    start of that bin, from which a short forward search finds the interval. closed: L wraps at length.
    linear: use the thesis' linear lookup in `table` (rows, 37) instead (see `as_linear`).
    Kernels: `path_kernels.path_eval(knots, coef, hint, bin, length, closed, L, out)` and
    `path_kernels.path_eval_linear(table, step, length, closed, L, out)`.
    """

    name: str
    closed: bool
    length: float
    knots: Array
    coef: Array
    hint: Integers
    bin: float
    linear: bool = False
    table: Array = field(default_factory=_no_rows)

    @property
    def step(self) -> float:
        """Spacing (m) of the rows of the linear table, 0 when there is none."""
        return float(self.table[1, 0] - self.table[0, 0]) if len(self.table) > 1 else 0.0

    def sample(self, L: ArrayLike) -> Array:
        """Values and two derivatives at L (m,): (m, 3, 9), axis 1 the order, axis 2 x y z nx ny nz bx by bz."""
        positions = np.ascontiguousarray(np.atleast_1d(np.asarray(L, dtype=float)))
        out = np.empty((len(positions), 3, 9))
        if self.linear:
            kernels.path_eval_linear_many(self.table, self.step, self.length, self.closed, positions, out)
        else:
            kernels.path_eval_many(
                self.knots, self.coef, self.hint, self.bin, self.length, self.closed, positions, out
            )
        return out

    def evaluate(self, L: ArrayLike) -> PathValues:
        """Position and frame with their derivatives by arc length at L (m,); closed paths wrap L."""
        positions = np.atleast_1d(np.asarray(L, dtype=float))
        v = self.sample(positions)
        blocks = [v[:, order, 3 * f : 3 * f + 3] for f in range(3) for order in range(3)]
        return PathValues(positions, *blocks)

    def third_derivative(self, L: ArrayLike) -> Array:
        """Third derivative of the position by arc length at L (m,): (m, 3), from the quintic pieces."""
        positions = np.ascontiguousarray(np.atleast_1d(np.asarray(L, dtype=float)))
        out = np.empty((len(positions), 3))
        kernels.path_third(
            self.knots, self.coef, self.hint, self.bin, self.length, self.closed, positions, out
        )
        return out

    def nearest(self, point: ArrayLike, guess: float | None = None) -> float:
        """Arc length (m) of the point of the path closest to `point` (3,) m.

        guess: arc length to start from (follows a moving body); None searches the whole path. In [0, length].
        """
        p = np.asarray(point, dtype=float)
        if p.shape != (3,) or not np.all(np.isfinite(p)):
            raise InputError("The place to look up on the path must be three finite numbers.")
        work = np.empty((3, 9))
        grid = (self.knots, self.coef, self.hint, self.bin, self.length, self.closed)
        starts: list[float] = []
        if guess is not None:
            starts = [float(guess)]
        else:
            distance = np.linalg.norm(self.coef[:, :3, 0] - p, axis=-1)
            beside = np.minimum(np.roll(distance, 1), np.roll(distance, -1))
            widest = float(np.diff(self.knots).max())
            dips = (distance <= beside) & (distance <= distance.min() + widest)
            starts = [*self.knots[:-1][dips].tolist(), self.length]
        found = [float(kernels.path_nearest_from(*grid, p, s, 1.0, work)) for s in starts]
        if self.closed:
            found = [float(np.mod(L, self.length)) for L in found]
        else:
            found = [float(np.clip(L, 0.0, self.length)) for L in found]
        gaps = [float(np.linalg.norm(self.sample(L)[0, 0, :3] - p)) for L in found]
        return found[int(np.argmin(gaps))]

    def as_linear(self, step: float = 0.2) -> PathTable:
        """The same path evaluated by the linear table lookup of the thesis with rows every `step` m.

        Shows what that lookup does to a ride; the smooth table is the default everywhere.
        Source: Viegas 2016, section 3.1 and figure 3.2.
        """
        return replace(self, linear=True, table=table_of_path(self, step))

    def as_smooth(self) -> PathTable:
        """The same path evaluated by its quintic pieces."""
        return replace(self, linear=False, table=_no_rows())


def table_of_path(path: PathTable, step: float) -> Array:
    """The 37-column table of the thesis: L, x y z, d1, d2, t t' t'', n n' n'', b b' b'' (derivatives by L).

    step (m): spacing of the rows; the last row sits at the length of the path. Returns (rows, 37).
    Raises InputError when step is not between 1 mm and the length.
    """
    if not 0.001 <= step <= path.length:
        raise InputError(
            say(
                "Path '{path}': the table step must be {low:g (m)} to {length:.3f m}, found {step:g m}.",
                path=path.name,
                low=1e-3,
                length=path.length,
                step=step,
            )
        )
    rows = int(np.floor(path.length / step + 1e-9)) + 1
    L = step * np.arange(rows)
    if path.length - L[-1] > 1e-6 * step:
        L = np.append(L, path.length)
    else:
        L[-1] = path.length
    inside = L.copy()
    smooth = path.as_smooth()
    v = replace(smooth, closed=False).evaluate(inside)
    third = replace(smooth, closed=False).third_derivative(inside)
    blocks = [
        v.position, v.position_d1, v.position_d2,
        v.position_d1, v.position_d2, third,
        v.n, v.n_d1, v.n_d2, v.b, v.b_d1, v.b_d2,
    ]  # fmt: skip
    return np.column_stack([L, *blocks])


def hermite_coefficients(h: Array, start: Array, end: Array) -> Array:
    """Quintic through value, first and second derivative at both ends of intervals.

    h (k,): widths; start, end (k, 3, f): value, d1, d2 of f functions. Returns (k, f, 6) ascending powers.
    """
    w = h[:, None]
    y0, d0, e0 = start[:, 0], start[:, 1], start[:, 2]
    rise = end[:, 0] - y0 - w * (d0 + 0.5 * w * e0)
    slope = w * (end[:, 1] - d0 - w * e0)
    bend = w * w * (end[:, 2] - e0)
    c3 = (10.0 * rise - 4.0 * slope + 0.5 * bend) / w**3
    c4 = (-15.0 * rise + 7.0 * slope - bend) / w**4
    c5 = (6.0 * rise - 3.0 * slope + 0.5 * bend) / w**5
    return np.stack([y0, d0, 0.5 * e0, c3, c4, c5], axis=-1)


def path_table(name: str, closed: bool, knots: Array, start: Array, end: Array) -> PathTable:
    """Path table from exact values at the ends of its intervals.

    knots (k+1,) m increasing from 0; start, end (k, 3, 9): value, d1, d2 of the nine functions at the start
    and at the end of every interval (they differ from one interval to the next only where the track jumps).
    """
    coef = np.ascontiguousarray(hermite_coefficients(np.diff(knots), start, end))
    length = float(knots[-1])
    bins = 2 * len(coef)
    bin_width = length / bins
    hint = np.searchsorted(knots, bin_width * np.arange(bins + 1), side="right") - 1
    hint = np.clip(hint, 0, len(coef) - 1).astype(np.int64)
    return PathTable(name, closed, length, knots, coef, hint, bin_width)
