"""Plane curves over their arc length, for a ball on a textbook track: from formulas, lines and arcs, or points.

A curve is known by its tangent, never by a slope dy/dx: vertical stretches and turned-back paths are nothing special.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import make_interp_spline

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say

Formula = Callable[[Array], tuple[Array, Array, Array]]

KNOTS = (
    2000  # of a curve, about; the quintics between them then miss a formula by less than 1e-12 of its size
)
SHORTEST_PIECE = 8  # knots of a piece at least
SAME_PLACE = 1e-9


@dataclass(frozen=True)
class PlaneCurve:
    """A plane curve: quintic pieces over arc length.

    s (m+1,) m at the knots; coef (m, 6, 2): x and y (up) as ascending powers of (s - s[k]); closed: ends in its start;
    fillet (m): radius with which corners were rounded, None without corners; pieces: its formulas. An open
    curve goes on straight beyond its ends.
    """

    name: str
    s: Array
    coef: Array
    closed: bool
    fillet: float | None = None
    pieces: tuple[Piece, ...] = ()

    @property
    def length(self) -> float:
        """Arc length (m)."""
        return float(self.s[-1])

    def wrap(self, s: ArrayLike) -> Array:
        """Arc lengths of a closed curve brought into [0, length); those of an open one as they are."""
        at = np.atleast_1d(np.asarray(s, dtype=float))
        return np.asarray(np.mod(at, self.length)) if self.closed else at

    def evaluate(self, s: ArrayLike) -> Array:
        """Position and its first two derivatives by arc length at s (n,) m, (n, 3, 2)."""
        at = self.wrap(s)
        inside = np.clip(at, 0.0, self.length)
        k = np.clip(np.searchsorted(self.s, inside, side="right") - 1, 0, len(self.coef) - 1)
        h = (inside - self.s[k])[:, None]
        out = np.zeros((len(at), 3, 2))
        for power in range(5, -1, -1):
            out[:, 2] = out[:, 2] * h + 2.0 * out[:, 1]
            out[:, 1] = out[:, 1] * h + out[:, 0]
            out[:, 0] = out[:, 0] * h + self.coef[k, power]
        beyond = (at - inside)[:, None]
        out[:, 0] += beyond * out[:, 1]
        out[beyond[:, 0] != 0.0, 2] = 0.0
        return out

    def angle(self, s: ArrayLike) -> Array:
        """Angle (rad) of the tangent from the x axis at s (n,), in (-pi, pi]."""
        slope = self.evaluate(s)[:, 1]
        turned: Array = np.arctan2(slope[:, 1], slope[:, 0])
        return turned

    def points(self, n: int) -> Array:
        """n places evenly along the curve, (n, 2) m; the last one closes a closed curve."""
        return self.evaluate(np.linspace(0.0, self.length * (1.0 - 1e-15), n))[:, 0]


def nearest(curve: PlaneCurve, xy: Sequence[float]) -> float:
    """Arc length (m) of the place of a curve nearest to a point (x, y) m, inside [0, length]."""
    point = np.asarray(xy, dtype=float)
    start = curve.coef[:, 0]
    distance = np.sum((start - point) ** 2, axis=1)
    widths = np.diff(curve.s)
    reach = np.sqrt(distance) - np.sqrt(distance.min()) <= 2.0 * widths.max()
    candidates = np.flatnonzero(reach)
    low, high = curve.s[candidates], curve.s[candidates + 1]
    for _ in range(60):  # the derivative of the squared distance changes sign once in so short a piece
        middle = 0.5 * (low + high)
        at = curve.evaluate(np.minimum(middle, curve.length * (1.0 - 1e-15)))
        ahead = np.sum((point - at[:, 0]) * at[:, 1], axis=1) > 0.0
        low, high = np.where(ahead, middle, low), np.where(ahead, high, middle)
    found = np.append(0.5 * (low + high), [0.0, curve.length])
    misses = np.sum(
        (curve.evaluate(np.minimum(found, curve.length * (1.0 - 1e-15)))[:, 0] - point) ** 2, axis=1
    )
    return float(found[np.argmin(misses)])


def _hermite(width: Array, start: Array, end: Array) -> Array:
    """Quintics (m, 6, 2) from position and two derivatives at both ends (m, 3, 2) over widths (m,)."""
    h = width[:, None]
    low = [start[:, 0], start[:, 1], 0.5 * start[:, 2]]
    p = end[:, 0] - low[0] - h * (low[1] + h * low[2])
    v = (end[:, 1] - low[1] - 2.0 * h * low[2]) * h
    a = (end[:, 2] - 2.0 * low[2]) * h * h
    high = [
        (10.0 * p - 4.0 * v + 0.5 * a) / h**3,
        (-15.0 * p + 7.0 * v - a) / h**4,
        (6.0 * p - 3.0 * v + 0.5 * a) / h**5,
    ]
    return np.stack([*low, *high], axis=1)


def _by_arc_length(formula: Formula, t: Array) -> Array:
    """Position and two derivatives by arc length (n, 3, 2) of a formula at parameters t (n,)."""
    c, c1, c2 = formula(t)
    v2 = np.sum(c1 * c1, axis=1, keepdims=True)
    tangent = c1 / np.sqrt(v2)
    bend = (c2 - np.sum(c2 * tangent, axis=1, keepdims=True) * tangent) / v2
    return np.stack([c, tangent, bend], axis=1)


@dataclass(frozen=True)
class Piece:
    """A smooth stretch of a curve: formula(t) -> position and derivatives by t, (n, 2) each, for t from t0 to t1."""

    formula: Formula
    t0: float
    t1: float


def _table(piece: Piece, knots: int) -> tuple[Array, Array]:
    """Arc lengths (knots,) m from the start of a piece and its parameters there, evenly along the arc."""
    node, weight = np.polynomial.legendre.leggauss(8)
    edges = np.linspace(piece.t0, piece.t1, 4 * knots + 1)
    half = 0.5 * np.diff(edges)
    at = edges[:-1, None] + half[:, None] * (1.0 + node)

    def speed(t: Array) -> Array:
        moved = piece.formula(t.ravel())[1]
        return np.asarray(np.hypot(moved[:, 0], moved[:, 1]).reshape(t.shape))

    run = np.concatenate([[0.0], np.cumsum(half * (speed(at) @ weight))])
    s = np.linspace(0.0, run[-1], knots)
    t = np.interp(s, run, edges)
    for _ in range(6):
        k = np.clip(np.searchsorted(edges, t, side="right") - 1, 0, len(half) - 1)
        h = 0.5 * (t - edges[k])
        gone = run[k] + h * (speed(edges[k, None] + h[:, None] * (1.0 + node)) @ weight)
        t = np.clip(t - (gone - s) / speed(t[:, None])[:, 0], piece.t0, piece.t1)
    return s, t


def curve_of_segments(
    name: str, pieces: Sequence[Piece], closed: bool, fillet: float | None = None
) -> PlaneCurve:
    """A curve of smooth pieces, each beginning where and in the direction in which the one before ends.

    Raises InputError when a piece has no length or does not join the one before.
    """
    rough = [_table(piece, 32)[0][-1] for piece in pieces]
    total = float(np.sum(rough))
    s_all, coefs = [np.zeros(1)], []
    before: Array | None = None
    for piece, length in zip(pieces, rough, strict=True):
        if length < SAME_PLACE:
            raise InputError(f"A piece of the curve '{name}' has no length; remove it.")
        s, t = _table(piece, max(SHORTEST_PIECE, round(KNOTS * length / total)))
        known = _by_arc_length(piece.formula, t)
        if before is not None and np.abs(known[0, :2] - before[:2]).max() > 1e-6 * max(total, 1.0):
            raise InputError(f"The curve '{name}' has a gap or a corner; round corners with a fillet.")
        before = known[-1]
        coefs.append(_hermite(np.diff(s), known[:-1], known[1:]))
        s_all.append(s_all[-1][-1] + s[1:])
    return PlaneCurve(name, np.concatenate(s_all), np.concatenate(coefs), closed, fillet, tuple(pieces))


def line_piece(start: Array, end: Array) -> Piece:
    """A straight piece from start to end, (2,) m."""
    way = np.asarray(end, dtype=float) - start

    def formula(t: Array) -> tuple[Array, Array, Array]:
        rate = np.broadcast_to(way, (len(t), 2))
        return start + t[:, None] * way, rate, np.zeros((len(t), 2))

    return Piece(formula, 0.0, 1.0)


def arc_piece(centre: Sequence[float], radius: float, from_angle: float, to_angle: float) -> Piece:
    """An arc about a centre (m) between two angles (rad) from the x axis."""
    middle, turn = np.asarray(centre, dtype=float), to_angle - from_angle

    def formula(t: Array) -> tuple[Array, Array, Array]:
        a = from_angle + t * turn
        unit = np.stack([np.cos(a), np.sin(a)], axis=1)
        unit[np.abs(unit) < 1e-15] = 0.0  # level and upright are exact: a ball at rest on top stays there
        out = radius * unit
        across = radius * np.stack([-unit[:, 1], unit[:, 0]], axis=1)
        return middle + out, across * turn, -out * turn**2

    return Piece(formula, 0.0, 1.0)


def curve_through(
    points: ArrayLike, *, closed: bool = False, fillet: float | None = None, name: str = "points"
) -> PlaneCurve:
    """A curve through points (n, 2) m: a smooth spline, or with a fillet straight lines with rounded corners.

    fillet (m): radius of the arcs that replace the corners of the polygon; smaller where its sides are too short, the
    smallest one used is stated in the curve. Raises InputError for fewer than 3 points, coincident ones, or a fillet at
    a corner that turns straight back.
    """
    xy = np.asarray(points, dtype=float)
    if xy.ndim != 2 or xy.shape[1] != 2 or len(xy) < 3 or not np.isfinite(xy).all():
        raise InputError("A curve needs at least 3 points with two finite coordinates each.")
    loop = np.vstack([xy, xy[:1]]) if closed else xy
    sides = np.linalg.norm(np.diff(loop, axis=0), axis=1)
    if sides.min() < SAME_PLACE:
        raise InputError(
            f"Points {int(np.argmin(sides)) + 1} and the next one are at the same place; remove one."
        )
    if fillet is not None:
        return _rounded(name, xy, closed, fillet)
    u = np.concatenate([[0.0], np.cumsum(np.sqrt(sides))])
    cubic = len(loop) < 7
    ends: Literal["periodic", "natural"] | None = "periodic" if closed else "natural" if cubic else None
    spline = make_interp_spline(u, loop, k=3 if cubic else 5, bc_type=ends)
    rate, bend = spline.derivative(1), spline.derivative(2)
    knots = [Piece(lambda t: (spline(t), rate(t), bend(t)), float(a), float(b)) for a, b in pairwise(u)]
    return curve_of_segments(name, knots, closed)


def _rounded(name: str, xy: Array, closed: bool, fillet: float) -> PlaneCurve:
    """Straight lines with arcs of radius `fillet` (m) at the corners."""
    if fillet <= 0.0:
        raise InputError(
            say("The fillet must have a radius larger than 0 m, found {fillet:g m}.", fillet=fillet)
        )
    n = len(xy)
    pieces: list[Piece] = []
    smallest = fillet
    ends: list[tuple[Array, Array]] = []
    for i in range(n):
        if not closed and i in (0, n - 1):
            ends.append((xy[i], xy[i]))
            continue
        a, b = xy[i] - xy[i - 1], xy[(i + 1) % n] - xy[i]
        la, lb = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        cross = float(a[0] * b[1] - a[1] * b[0])
        turn = float(np.arctan2(cross, a @ b))
        if abs(turn) > np.pi - 1e-6:
            raise InputError(
                f"At point {i + 1} the path turns straight back; no fillet fits there, move the point."
            )
        if abs(turn) < SAME_PLACE:
            ends.append((xy[i], xy[i]))
            continue
        radius = min(fillet, 0.499 * min(la, lb) / np.tan(abs(turn) / 2.0))
        smallest = min(smallest, radius)
        back = radius * np.tan(abs(turn) / 2.0)
        first = xy[i] - a / la * back
        side = np.sign(turn) * np.array([-a[1], a[0]]) / la
        centre = first + radius * side
        angle = float(np.arctan2(-side[1], -side[0]))
        if pieces or ends:
            pieces.append(line_piece(ends[-1][1], first))
        pieces.append(arc_piece(centre, radius, angle, angle + turn))
        ends.append((first, xy[i] + b / lb * back))
    if closed:
        pieces.append(line_piece(ends[-1][1], ends[0][0]))
    elif not pieces or np.linalg.norm(ends[-1][0] - ends[-2][1]) > SAME_PLACE:
        pieces.append(line_piece(ends[-2][1], ends[-1][0]))
    return curve_of_segments(name, pieces, closed, smallest)
