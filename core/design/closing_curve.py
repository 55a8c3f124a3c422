"""The curve that leads the end of a track to its start: curvature that changes as gently as the length is worth.

In the plan the curvature is linear between even knots (a chain of clothoids), the height a polynomial of degree five in
the length of the plan, so that place, direction and curvature fit at both ends. Found by least squares of what

    R^4 CHANGE * integral of (dk/dp)^2 + (d3z/dp3)^2 + length

is, R the radius that suits the speed. Without height and with the length given the minimum is the quintic of Meier and
Nowacki ("Interpolating curves with gradual changes in curvature", CAGD 4, 1987); where the ends look away from each
other it is a turn with transitions. It is sought from every way of Dubins and from straight on, the gentlest one first.

Ways of Dubins are an arc, a straight and an arc: L. E. Dubins, 1957, "On curves of minimal length with a constraint on
average curvature", Amer. J. Math. 79.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.arrays import Array
from ..track.description import ControlPoint

Way = tuple[
    tuple[float, float], ...
]  # curvature in 1/m, positive to the left, and length in m of every piece


def ways(here: Array, heading: float, there: Array, to: float, radius: float) -> list[Way]:
    """The ways between two places (2,) with their headings (rad) that begin and end with an arc, the shortest first."""
    found = [
        way
        for first in (1.0, -1.0)
        for last in (1.0, -1.0)
        if (way := _way(here, heading, there, to, radius, first, last)) is not None
    ]
    return sorted(found, key=length_of)


def length_of(way: Way) -> float:
    """Length (m) of a way."""
    return sum(part for _, part in way)


def _way(
    here: Array, heading: float, there: Array, to: float, radius: float, first: float, last: float
) -> Way | None:
    """The way that begins with a turn to the side `first` and ends with one to `last` (1 left, -1 right)."""
    a = here + first * radius * np.array([-math.sin(heading), math.cos(heading)])
    b = there + last * radius * np.array([-math.sin(to), math.cos(to)])
    d = float(np.linalg.norm(b - a))
    line = math.atan2(b[1] - a[1], b[0] - a[0])
    if first == last:
        straight = d
    elif d < 2.0 * radius:
        return None
    else:
        straight = math.sqrt(d**2 - 4.0 * radius**2)
        line += first * math.atan2(2.0 * radius, straight)
    turn = 2.0 * math.pi
    out = (first * (line - heading)) % turn
    back = (last * (to - line)) % turn
    out, back = (0.0 if turn - angle < 1e-9 else angle for angle in (out, back))
    return (first / radius, radius * out), (0.0, straight), (last / radius, radius * back)


def along(way: Way, here: Array, heading: float, s: Array) -> Array:
    """Places (n, 2) at distances s (n,) m on a way that begins at `here` with a heading (rad)."""
    out = np.empty((len(s), 2))
    begin, done = here.astype(float), 0.0
    for bend, length in way:
        inside = s >= done
        out[inside] = _piece(begin, heading, bend, np.minimum(s[inside] - done, length))
        begin = _piece(begin, heading, bend, np.array([length]))[0]
        heading, done = heading + bend * length, done + length
    return out


def _piece(begin: Array, heading: float, bend: float, s: Array) -> Array:
    if bend == 0.0:
        ahead: Array = np.array([math.cos(heading), math.sin(heading)])
        return begin + s[:, None] * ahead
    angle = heading + bend * s
    turned: Array = np.column_stack([np.sin(angle) - math.sin(heading), math.cos(heading) - np.cos(angle)])
    return begin + turned / bend


LATERAL = 1.0  # horizontal acceleration in a turn (g): 1.41 g on the seat when it is fully banked
MIN_RADIUS, MAX_CANT = 15.0, math.radians(60.0)  # m, rad
CHANGE = 3.0  # a free half turn then has its least radius at R
SHARP = 10.0  # weight of curvature beyond 1/R
KNOTS = 24
MAX_STEPS = 100
SIZES = (0.0, 10.0)  # least and largest logarithm of the length (m)
MAX_TURNS = math.radians(400.0)  # in all, to both sides
EXACT = (3.0, 30.0, 1e3)  # weight of a metre, and of a radian times R, beside the ends: loosely at first
CLOSE_ENOUGH = 0.02  # m, what the least squares may leave; the track passes through its own ends anyway
SPACING = (5.0, 12.0)  # m between the points, a third of the radius
SHORT = 8.0  # m, a curve with less than four pieces
EASE = 12.0  # m before and behind a place over which its cant is the mean
LEVEL = 0.3  # of the tangent in the plan, below which an end has no heading
SLOWEST = 2.0  # m/s, for the cant
NODE, WEIGHT = np.polynomial.legendre.leggauss(4)
NODE, WEIGHT = 0.5 * (NODE + 1.0), 0.5 * WEIGHT


@dataclass(frozen=True)
class End:
    """One end of the gap: place (3,) m, tangent (3,), curvature vector (3,) 1/m."""

    place: Array
    tangent: Array
    bend: Array

    @cached_property
    def level(self) -> float:
        """Part of the tangent in the plan."""
        return float(np.hypot(self.tangent[0], self.tangent[1]))

    @property
    def heading(self) -> float:
        """Direction in the plan (rad)."""
        return math.atan2(self.tangent[1], self.tangent[0])

    @property
    def turning(self) -> float:
        """Curvature of the plan (1/m), positive to the left."""
        t, k = self.tangent, self.bend
        return float(t[0] * k[1] - t[1] * k[0]) / self.level**3

    @property
    def slope(self) -> tuple[float, float]:
        """Slope, and its change by the length of the plan (1/m)."""
        t, k, c = self.tangent, self.bend, self.level
        levelling = (t[0] * k[0] + t[1] * k[1]) / c
        return float(t[2] / c), float((k[2] * c - t[2] * levelling) / c**3)


def on_circle(points: Array) -> End:
    """The end at the last of three points (3, 3) m of the circle through them."""
    a, b = points[0] - points[2], points[1] - points[2]
    normal = np.cross(b, a)
    square = float(normal @ normal)
    if square < 1e-12 * float(a @ a) * float(b @ b):
        return End(points[2], -b / np.linalg.norm(b), np.zeros(3))
    centre = np.cross(normal, (a @ a) * b - (b @ b) * a) / (2.0 * square)
    bend = centre / float(centre @ centre)
    tangent = np.cross(normal, centre)
    tangent /= np.linalg.norm(tangent)
    return End(points[2], tangent if tangent @ b < 0.0 else -tangent, bend)


@dataclass(frozen=True)
class ClosingCurve:
    """A curve from one end to the other. here: where it begins; bends (KNOTS+1,) 1/m: curvature of the plan at even
    knots; length (m) of the plan; rise (6,): polynomial of the height by share of the length; cost: what was minimised.
    """

    here: End
    bends: Array
    length: float
    rise: Array
    cost: float

    def plan(self, p: Array) -> tuple[Array, Array]:
        """Places (n, 3) m and headings (n,) rad at lengths p (n,) m of the plan."""
        step = self.length / KNOTS
        angle = self.here.heading + _turned(self.bends, step)
        corner = np.vstack([np.zeros(2), np.cumsum(_pieces(self.bends, angle, step), axis=0)])
        k = np.clip((p / step).astype(int), 0, KNOTS - 1)
        part = (p / step - k)[:, None] * step
        inside = part * NODE
        gain = (self.bends[k + 1] - self.bends[k])[:, None] / step
        way = angle[k][:, None] + self.bends[k][:, None] * inside + 0.5 * gain * inside**2
        xy = corner[k] + part * np.stack([np.cos(way) @ WEIGHT, np.sin(way) @ WEIGHT], axis=1)
        last = angle[k] + self.bends[k] * part[:, 0] + 0.5 * gain[:, 0] * part[:, 0] ** 2
        height = np.polynomial.polynomial.polyval(p / self.length, self.rise)
        return np.column_stack([self.here.place[:2] + xy, height]), last

    def turns(self) -> tuple[float, float]:
        """Angles (rad) it turns in all to the left and to the right."""
        fine = np.interp(np.linspace(0.0, 1.0, 40 * KNOTS), np.linspace(0.0, 1.0, KNOTS + 1), self.bends)
        step = self.length / len(fine)
        return float(np.maximum(fine, 0.0).sum() * step), float(np.maximum(-fine, 0.0).sum() * step)

    def points(self, speed: float, gravity: float, spacing: float) -> tuple[ControlPoint, ...]:
        """Control points on it about `spacing` (m) apart, without its ends, with the cant that balances the mean
        curvature around; speed (m/s) at its beginning, gravity (m/s^2)."""
        count = round(self.length / spacing)
        if self.length >= SHORT:  # an S has a point where it bends most to either side
            count = max(count, 4)
        p = self.length * np.arange(1, max(count, 1)) / max(count, 1)
        position, _ = self.plan(p)
        knots = np.linspace(0.0, self.length, KNOTS + 1)
        border = np.concatenate([[-1e3], knots, [self.length + 1e3]])
        angle = _turned(self.bends, self.length / KNOTS)
        heading = np.concatenate([[-1e3 * self.bends[0]], angle, [angle[-1] + 1e3 * self.bends[-1]]])
        mean = (np.interp(p + EASE, border, heading) - np.interp(p - EASE, border, heading)) / (2.0 * EASE)
        square = np.maximum(speed**2 - 2.0 * gravity * (position[:, 2] - self.here.place[2]), SLOWEST**2)
        cant = np.clip(-np.arctan(mean * square / gravity), -MAX_CANT, MAX_CANT)
        return tuple(
            ControlPoint(x=x, y=y, z=z, cant=c)
            for (x, y, z), c in zip(position.tolist(), cant.tolist(), strict=True)
        )


def design_radius(speed: float, gravity: float) -> float:
    """Radius (m) at which a train is accelerated sideways by `LATERAL`, at least `MIN_RADIUS`."""
    return max(speed**2 / (LATERAL * gravity), MIN_RADIUS)


def point_spacing(radius: float) -> float:
    """Distance (m) between the points of a curve with this design radius."""
    return min(max(radius / 3.0, SPACING[0]), SPACING[1])


def closing_curves(end: End, start: End, radius: float) -> list[ClosingCurve]:
    """Curves from the end of a track to its start, the shortest first; none where an end is near vertical.

    radius (m): that suits the speed. Each is the best near one of the ways of Dubins, or near straight on.
    """
    if min(end.level, start.level) < LEVEL:
        return []
    gap = start.place - end.place
    straight = max(float(np.hypot(gap[0], gap[1])), 1.0)
    seeds: list[tuple[float, Array, float]] = []
    turn = math.remainder(start.heading - end.heading, 2.0 * math.pi)
    knots = np.linspace(0.0, 1.0, KNOTS + 1)
    for angle in (turn, turn - math.copysign(2.0 * math.pi, turn)):  # an arc, also of less than the radius
        length = straight * max(1.0, 0.5 * abs(angle))
        seeds.append((angle, np.full(KNOTS + 1, angle / length), length))
    for way in ways(end.place[:2], end.heading, start.place[:2], start.heading, radius):
        seeds.append((sum(bend * part for bend, part in way), *_sampled(way, knots)))
    found: list[ClosingCurve] = []
    for seed in seeds:
        curve = _solved(end, start, radius, *seed)
        if curve is None or sum(curve.turns()) > MAX_TURNS:
            continue
        if not any(abs(curve.cost - known.cost) < 1e-3 * known.cost for known in found):
            found.append(curve)
    return sorted(found, key=lambda curve: curve.length)


def _sampled(way: Way, knots: Array) -> tuple[Array, float]:
    """Mean curvature of a way around even knots, and its length."""
    border = np.concatenate([[0.0], np.cumsum([part for _, part in way])])
    turned = np.concatenate([[0.0], np.cumsum([bend * part for bend, part in way])])
    at = knots * border[-1]
    half = 0.5 * border[-1] / KNOTS
    bends = (np.interp(at + half, border, turned) - np.interp(at - half, border, turned)) / (2.0 * half)
    return bends, float(border[-1])


def _turned(bends: Array, step: float) -> Array:
    """Angle (..., KNOTS+1) turned up to every knot."""
    steps = 0.5 * step * (bends[..., 1:] + bends[..., :-1])
    angle: Array = np.concatenate([np.zeros((*bends.shape[:-1], 1)), np.cumsum(steps, axis=-1)], axis=-1)
    return angle


def _pieces(bends: Array, angle: Array, step: float) -> Array:
    """Vector (..., KNOTS, 2) m along every clothoid."""
    at = step * NODE
    gain = (bends[..., 1:] - bends[..., :-1])[..., None] / step
    way = angle[..., :-1, None] + bends[..., :-1, None] * at + 0.5 * gain * at**2
    pieces: Array = step * np.stack([np.cos(way) @ WEIGHT, np.sin(way) @ WEIGHT], axis=-1)
    return pieces


def _rise(end: End, start: End, length: float) -> Array:
    """Coefficients (6,), ascending, of the height by share of the length."""
    (a, b), (c, d) = end.slope, start.slope
    z0, z1 = end.place[2], start.place[2]
    low = np.array([z0, a * length, 0.5 * b * length**2])
    rest = np.array([z1 - low.sum(), c * length - low[1] - 2.0 * low[2], d * length**2 - 2.0 * low[2]])
    high = np.linalg.solve(np.array([[1.0, 1.0, 1.0], [3.0, 4.0, 5.0], [6.0, 12.0, 20.0]]), rest)
    return np.concatenate([low, high])


def _solved(
    end: End, start: End, radius: float, turn: float, bends: Array, length: float
) -> ClosingCurve | None:
    """The best curve near a first guess, that turns by `turn` (rad) in all; None when it does not get there."""
    from scipy.optimize import least_squares  # not needed to show the window

    x = np.append(bends[1:-1] * radius, math.log(length))
    for exact in EXACT:
        problem = _Problem(end, start, radius, turn, exact)
        try:
            found = least_squares(
                problem.wanted, x, problem.slopes, method="lm", xtol=1e-7, ftol=1e-7, max_nfev=MAX_STEPS
            )
        except (ValueError, OverflowError):  # a guess from which nothing finite comes
            return None
        x = found.x
    best, length = problem.whole(x)
    if not np.linalg.norm(problem.miss(best, length)) < CLOSE_ENOUGH:
        return None
    return ClosingCurve(end, best, length, _rise(end, start, length), 2.0 * float(found.cost))


@dataclass(frozen=True)
class _Problem:
    """Least squares over the curvature at the inner knots, times the radius, and the logarithm of the length."""

    end: End
    start: End
    radius: float
    turn: float
    exact: float

    def whole(self, x: Array) -> tuple[Array, float]:
        """Curvature (KNOTS+1,) and length (m) of unknowns (KNOTS,)."""
        inner = x[:-1] / self.radius
        length = math.exp(min(max(float(x[-1]), SIZES[0]), SIZES[1]))
        return np.concatenate([[self.end.turning], inner, [self.start.turning]]), length

    def miss(self, bends: Array, length: float) -> Array:
        """How far (..., 3) m the curves (..., KNOTS+1) miss the place and the heading at their end."""
        angle = self.end.heading + _turned(bends, length / KNOTS)
        way = _pieces(bends, angle, length / KNOTS).sum(axis=-2) - (self.start.place - self.end.place)[:2]
        over = self.radius * (angle[..., -1:] - self.end.heading - self.turn)
        return np.concatenate([way, over], axis=-1)

    def _upright(self, length: float) -> Array:
        """Of the height: change of its bend, and bend beyond 1/R."""
        polynomial = np.polynomial.polynomial
        rise = _rise(self.end, self.start, length)
        weight = np.sqrt(np.tile(WEIGHT, KNOTS) * length / KNOTS)
        share = (np.repeat(np.arange(KNOTS), len(NODE)) + np.tile(NODE, KNOTS)) / KNOTS
        third = polynomial.polyval(share, polynomial.polyder(rise, 3)) / length**3
        second = polynomial.polyval(share, polynomial.polyder(rise, 2)) / length**2
        beyond = np.maximum(np.abs(second) - 1.0 / self.radius, 0.0)
        worth = math.sqrt(CHANGE) * self.radius**2
        return np.concatenate([worth * third * weight, SHARP * self.radius * beyond * weight])

    def wanted(self, x: Array) -> Array:
        """What is to be small."""
        bends, length = self.whole(x)
        step = length / KNOTS
        beyond = np.maximum(np.abs(bends) - 1.0 / self.radius, 0.0)
        return np.concatenate(
            [
                math.sqrt(CHANGE) * self.radius**2 * np.diff(bends) / math.sqrt(step),
                SHARP * self.radius * beyond * math.sqrt(step),
                [math.sqrt(length)],
                self.exact * self.miss(bends, length),
                self._upright(length),
            ]
        )

    def slopes(self, x: Array) -> Array:
        """Its derivatives by the unknowns."""
        bends, length = self.whole(x)
        step, r = length / KNOTS, self.radius
        unit = np.eye(KNOTS + 1)[:, 1:-1] / r
        change = math.sqrt(CHANGE) * r**2 / math.sqrt(step)
        beyond = np.maximum(np.abs(bends) - 1.0 / r, 0.0)
        sharp = SHARP * r * math.sqrt(step)
        probe = 1e-7
        moved = (self.miss(bends + probe * unit.T, length) - self.miss(bends, length)) / probe
        longer = length * (1.0 + probe)
        by_length = (self.miss(bends, longer) - self.miss(bends, length)) / probe
        by_knots = np.vstack(
            [
                change * np.diff(unit, axis=0),
                sharp * np.where(beyond > 0.0, np.sign(bends), 0.0)[:, None] * unit,
                np.zeros((1, KNOTS - 1)),
                self.exact * moved.T,
                np.zeros((2 * KNOTS * len(NODE), KNOTS - 1)),
            ]
        )
        last = np.concatenate(
            [
                -0.5 * change * np.diff(bends),
                0.5 * sharp * beyond,
                [0.5 * math.sqrt(length)],
                self.exact * by_length,
                (self._upright(longer) - self._upright(length)) / probe,
            ]
        )
        return np.column_stack([by_knots, last])
