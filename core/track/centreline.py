"""The centreline: polynomial pieces, exact arc length, rotation-minimising reference and the canted frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from . import centreline_kernels as kernels

CELL_LENGTH = 1.0  # m, largest stretch of one Gauss rule
CELL_TURN = 0.5  # rad, largest turn of the tangent in a cell, keeps the shortest rotation well defined
CELL_ERROR = 1e-12  # m, agreement asked of one and of two Gauss rules
SPLITS = 12  # times a cell may be halved
SLOWEST = 1e-3  # |dc/du| of a chord-length parameter; below this the curve stops and turns on the spot


@dataclass(frozen=True)
class RollLaw:
    """How the track rolls: over [s[k], s[k+1]] a polynomial of degree 7 in (s - s[k]).

    s (n+1,) m; mode (n,): 0 roll against the rotation-minimising vector, 1 cant against the horizontal;
    coef (n, 8) rad, ascending powers.
    """

    s: Array
    mode: Integers
    coef: Array


@dataclass(frozen=True)
class FrameState:
    """Curve and canted frame at n places.

    s (n,); curve (n, 5, 3): position and derivatives 1..4 by arc length; left, up (n, 3): canted frame
    (t x left = up); twist (n, 3): turn rate of that frame about t by s and its two derivatives (rad/m ..);
    reference (n, 3): rotation-minimising vector.
    """

    s: Array
    curve: Array
    left: Array
    up: Array
    twist: Array
    reference: Array

    @property
    def tangent(self) -> Array:
        tangent: Array = self.curve[:, 1]
        return tangent

    @property
    def roll(self) -> Array:
        """Angle from the rotation-minimising vector to left, in (-pi, pi]."""
        side = np.cross(self.tangent, self.reference)
        roll: Array = np.arctan2(np.sum(self.left * side, -1), np.sum(self.left * self.reference, -1))
        return roll

    @property
    def cant(self) -> Array:
        """Angle from the horizontal left vector to left, in (-pi, pi]; 0 where the tangent is vertical."""
        t = self.tangent
        flat = np.stack([-t[:, 1], t[:, 0], np.zeros(len(t))], axis=-1)
        angle = np.arctan2(np.sum(self.left * np.cross(t, flat), -1), np.sum(self.left * flat, -1))
        cant: Array = np.where(np.hypot(t[:, 0], t[:, 1]) > 1e-9, angle, 0.0)
        return cant

    @property
    def cant_rate(self) -> Array:
        """Derivative of the cant by arc length (rad/m), (n,); without bound where the track is vertical."""
        t, t1 = self.curve[:, 1], self.curve[:, 2]
        square = t[:, 0] ** 2 + t[:, 1] ** 2
        heading = np.divide(
            t[:, 0] * t1[:, 1] - t[:, 1] * t1[:, 0], square, out=np.zeros_like(square), where=square > 1e-18
        )
        rate: Array = self.twist[:, 0] - t[:, 2] * heading
        return rate


@dataclass(frozen=True)
class Centreline:
    """One curve with its roll. Built by `make_centreline`; the roll law is set afterwards by `with_roll`.

    coef (p, 6, 3): pieces, ascending powers of the chord-length parameter from the start of the piece.
    u (p+1,): parameter at the borders of the pieces. Cells are parts of pieces: cell_piece (c,), cell_x0,
    cell_x1 (c,) range on the piece, cell_s (c+1,) arc length, cell_t and cell_r (c+1, 3) tangent and
    rotation-minimising vector at the start of each cell (last row: end of the curve).
    """

    closed: bool
    u: Array
    coef: Array
    cell_piece: Integers
    cell_x0: Array
    cell_x1: Array
    cell_s: Array
    cell_t: Array
    cell_r: Array
    roll_law: RollLaw

    @property
    def length(self) -> float:
        """Arc length (m)."""
        return float(self.cell_s[-1])

    @property
    def piece_s(self) -> Array:
        """Arc length (m) at the borders of the polynomial pieces, (p+1,)."""
        first = np.flatnonzero(np.diff(self.cell_piece, prepend=-1))
        return np.append(self.cell_s[first], self.cell_s[-1])

    @property
    def holonomy(self) -> float:
        """Angle (rad) the rotation-minimising vector has turned after one lap of a closed curve, 0 when open."""
        if not self.closed:
            return 0.0
        side = np.cross(self.cell_t[0], self.cell_r[0])
        return float(np.arctan2(self.cell_r[-1] @ side, self.cell_r[-1] @ self.cell_r[0]))

    def with_roll(self, law: RollLaw) -> Centreline:
        """The same curve with another roll law."""
        return replace(self, roll_law=law)

    def wrap(self, s: ArrayLike) -> Array:
        """Arc lengths brought into [0, length]: modulo the length when closed, clipped when open."""
        s = np.atleast_1d(np.asarray(s, dtype=float))
        if self.closed:
            wrapped: Array = np.where((s < 0.0) | (s > self.length), np.mod(s, self.length), s)
            return wrapped
        clipped: Array = np.clip(s, 0.0, self.length)
        return clipped

    def state(self, s: ArrayLike, *, from_left: bool = False) -> FrameState:
        """Position, derivatives and canted frame at arc lengths s (n,) m.

        from_left: at a border of pieces take the piece that ends there (matters for the derivatives that may
        jump: third and higher at a join with a straight, all at a kink).
        """
        s = np.ascontiguousarray(self.wrap(s))
        n = len(s)
        out = kernels.Frames(np.empty((n, 5, 3)), np.empty((n, 3)), np.empty((n, 3)), np.empty((n, 3)))
        cells = kernels.Cells(
            self.coef, self.cell_piece, self.cell_x0, self.cell_x1, self.cell_s, self.cell_t, self.cell_r
        )
        law = self.roll_law
        kernels.evaluate(s, from_left, cells, kernels.Roll(law.s, law.mode, law.coef), out)
        return FrameState(s, out.curve, out.left, np.cross(out.curve[:, 1], out.left), out.twist, out.ref)

    def position(self, s: ArrayLike) -> Array:
        """World position (n, 3) m at arc lengths s (n,)."""
        return self.derivatives(s)[:, 0]

    def derivatives(self, s: ArrayLike) -> Array:
        """Position and its derivatives 1..4 by arc length, (n, 5, 3)."""
        return self.state(s).curve

    def curvature(self, s: ArrayLike) -> Array:
        """Curvature (1/m), (n,)."""
        norm: Array = np.linalg.norm(self.derivatives(s)[:, 2], axis=-1)
        return norm

    def torsion(self, s: ArrayLike) -> Array:
        """Torsion of the curve (1/m), (n,); 0 where the curve is straight."""
        d = self.derivatives(s)
        square = np.sum(d[:, 2] ** 2, axis=-1)
        triple = np.sum(np.cross(d[:, 1], d[:, 2]) * d[:, 3], axis=-1)
        torsion: Array = np.divide(triple, square, out=np.zeros_like(square), where=square > 1e-16)
        return torsion

    def cant(self, s: ArrayLike) -> Array:
        """Cant against the horizontal (rad), (n,), in (-pi, pi]; see ControlPoint for the sign."""
        return self.state(s).cant

    def cant_rate(self, s: ArrayLike) -> Array:
        """Derivative of the cant by arc length (rad/m), (n,); without bound where the track is vertical."""
        return self.state(s).cant_rate

    def roll_rate(self, s: ArrayLike) -> Array:
        """Turn rate of the canted frame about the tangent (rad/m), (n,): the derivative of `roll`."""
        rate: Array = self.state(s).twist[:, 0]
        return rate

    def roll(self, s: ArrayLike) -> Array:
        """Angle (rad) from the rotation-minimising vector to the left vector, (n,), continuous along the track."""
        grid = np.linspace(0.0, self.length, max(2, int(self.length / 0.5) + 2))
        steady = np.unwrap(self.state(grid).roll)
        state = self.state(s)
        near = np.interp(state.s, grid, steady)
        turned: Array = state.roll + 2.0 * np.pi * np.round((near - state.roll) / (2.0 * np.pi))
        return turned

    def arc_length_of(self, u: ArrayLike) -> Array:
        """Arc length (m) at chord-length parameters u (n,) in [u[0], u[-1]]."""
        u = np.atleast_1d(np.asarray(u, dtype=float))
        start = self.u[self.cell_piece] + self.cell_x0
        cell = np.clip(np.searchsorted(start, u, side="right") - 1, 0, len(start) - 1)
        x1 = u - self.u[self.cell_piece[cell]]
        run = np.empty(len(u))
        kernels.run_lengths(self.coef, self.cell_piece[cell], self.cell_x0[cell], x1, run)
        return np.asarray(self.cell_s[cell] + run)


@dataclass(frozen=True)
class _Cells:
    """Cells: piece (c,), range x0, x1 (c,) on it, length (c,), tangents at both ends (c, 3), twist (c,)."""

    piece: Integers
    x0: Array
    x1: Array
    length: Array
    start: Array
    end: Array
    twist: Array


def _split_cells(u: Array, coef: Array) -> _Cells:
    """Cut pieces into cells on which one Gauss rule is exact to CELL_ERROR and the tangent turns little.

    Raises InputError where the curve turns back on the spot.
    """
    spans = np.diff(u)
    bent = np.any(coef[:, 2:] != 0.0, axis=(1, 2))
    parts = np.where(bent, np.ceil(spans / CELL_LENGTH), 1).astype(np.int64).clip(1)
    piece = np.repeat(np.arange(len(spans)), parts)
    order = np.arange(len(piece)) - np.repeat(np.cumsum(parts) - parts, parts)
    width = spans[piece] / parts[piece]
    x0 = order * width
    x1 = np.where(order + 1 == parts[piece], spans[piece], (order + 1) * width)
    done: list[tuple[Any, ...]] = []
    for turn in range(SPLITS + 1):
        whole, halves, start, end, slowest, twist = kernels.cell_figures(coef, piece, x0, x1)
        if np.any(slowest < SLOWEST):
            k = int(np.argmin(slowest))
            x, y, z = coef[piece[k], 0]
            raise InputError(
                f"The track turns back on itself near ({x:.2f}, {y:.2f}, {z:.2f}) m; space the control points there"
                " more evenly or move them apart."
            )
        rough = (np.abs(whole - halves) > CELL_ERROR) | (np.sum(start * end, axis=-1) < np.cos(CELL_TURN))
        if turn == SPLITS:
            rough[:] = False
        every = (piece, x0, x1, whole, start, end, twist)
        if not np.any(rough):
            done.append(every)
            break
        done.append(tuple(values[~rough] for values in every))
        middle = 0.5 * (x0[rough] + x1[rough])
        piece, x0, x1 = (
            np.repeat(piece[rough], 2),
            np.stack([x0[rough], middle], axis=1).ravel(),
            np.stack([middle, x1[rough]], axis=1).ravel(),
        )
    if len(done) == 1:
        return _Cells(*done[0])
    joined = [np.concatenate(parts_) for parts_ in zip(*done, strict=True)]
    sorting = np.lexsort((joined[1], joined[0]))
    return _Cells(*(values[sorting] for values in joined))


def _first_reference(t: Array) -> Array:
    """A vector perpendicular to t, horizontal where t is not vertical."""
    level = np.array([-t[1], t[0], 0.0])
    flat = level if np.hypot(t[0], t[1]) > 1e-6 else np.array([0.0, 1.0, 0.0]) - t[1] * t
    unit: Array = flat / np.linalg.norm(flat)
    return unit


def make_centreline(u: Array, coef: Array, closed: bool) -> Centreline:
    """Centreline of polynomial pieces, with zero roll against the rotation-minimising vector.

    u (p+1,) chord-length parameter at the borders; coef (p, 6, 3) ascending powers of (u - u[k]).
    Raises InputError where the curve turns back on the spot.
    """
    coef = np.ascontiguousarray(coef)
    cells = _split_cells(u, coef)
    s = np.concatenate([[0.0], np.cumsum(cells.length)])
    tangent = np.vstack([cells.start, cells.end[-1:]])
    reference = np.empty_like(tangent)
    first = _first_reference(tangent[0])
    kernels.reference_vectors(tangent, cells.end, cells.twist, first, reference)
    law = RollLaw(np.array([0.0, s[-1]]), np.zeros(1, dtype=np.int64), np.zeros((1, 8)))
    return Centreline(closed, u, coef, cells.piece, cells.x0, cells.x1, s, tangent, reference, law)
