"""The turn that is missing where the ends of an open track do not face each other.

In the plan it is the shortest way of bounded curvature from the end to the start (L. E. Dubins, 1957, "On curves of
minimal length with a constraint on average curvature", Amer. J. Math. 79: an arc, a straight, an arc); the height goes
along a cubic with the slopes of both ends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..track.description import ControlPoint

Array = NDArray[np.float64]
AWAY = math.cos(math.radians(100.0))  # an end that looks further away from the other is led round,
FACING, BACK = (
    math.cos(math.radians(60.0)),
    math.cos(math.radians(120.0)),
)  # and ends that look aside and back
LATERAL = 1.0  # horizontal acceleration of the turn (g): 1.41 g on the seat when it is fully banked
LEAST_RADIUS, MOST_CANT = 8.0, math.radians(60.0)  # m, rad
SPACING = 10.0  # m between the points
EASE = 12.0  # m before and behind a place over which its cant is the mean


@dataclass(frozen=True)
class MissingTurn:
    """A way from the end of a track to its start. points: between both, in running order; radius (m); words: what it
    is, for the report."""

    points: tuple[ControlPoint, ...]
    radius: float
    words: str


def face_each_other(ends: Array, tangents: Array) -> bool:
    """Whether a plain spline from the end to the start makes sense: the gap lies ahead of both, not behind one and not
    beside two that run against each other.

    ends, tangents (2, 3): position (m) and direction of the start, then of the end.
    """
    across = (ends[0] - ends[1])[:2]
    gap = float(np.linalg.norm(across))
    if gap < 1.0:
        return True
    flat = tangents[:, :2] / np.maximum(np.linalg.norm(tangents[:, :2], axis=1, keepdims=True), 1e-9)
    looks = flat @ (across / gap)
    against = float(flat[0] @ flat[1]) < BACK and looks.min() < FACING
    return bool(looks.min() > AWAY and not against)


def missing_turn(ends: Array, tangents: Array, speed: float, gravity: float) -> MissingTurn:
    """The turn that leads the end of a track to its start; ends, tangents as in `face_each_other`.

    speed (m/s) at the end and gravity (m/s^2) give the radius, at which the train is accelerated sideways by `LATERAL`,
    and the cant that balances it.
    """
    radius = max(speed**2 / (LATERAL * gravity), LEAST_RADIUS)
    heading = np.arctan2(tangents[:, 1], tangents[:, 0])
    way = shortest(ends[1, :2], float(heading[1]), ends[0, :2], float(heading[0]), radius)
    length = sum(part for _, part in way)
    count = max(round(length / SPACING), 3)
    s = length * np.arange(1, count) / count
    plan = along(way, ends[1, :2], float(heading[1]), s)
    slopes = tangents[:, 2] / np.maximum(np.linalg.norm(tangents[:, :2], axis=1), 1e-9)
    height = _cubic(s / length, ends[1, 2], ends[0, 2], length * slopes[1], length * slopes[0])
    cant = np.clip(-np.arctan(_mean_bend(way, s) * speed**2 / gravity), -MOST_CANT, MOST_CANT)
    points = tuple(
        ControlPoint(x=x, y=y, z=z, cant=c)
        for (x, y), z, c in zip(plan.tolist(), height.tolist(), cant.tolist(), strict=True)
    )
    return MissingTurn(points, radius, _worded(way, radius))


def shortest(
    here: Array, heading: float, there: Array, to: float, radius: float
) -> tuple[tuple[float, float], ...]:
    """Pieces (curvature in 1/m, positive to the left; length in m) of the shortest arc-straight-arc way between two
    places (2,) with their headings (rad)."""
    found = []
    for first in (1.0, -1.0):
        for last in (1.0, -1.0):
            way = _way(here, heading, there, to, radius, first, last)
            if way is not None:
                found.append(way)
    return min(found, key=lambda way: sum(part for _, part in way))


def _way(
    here: Array, heading: float, there: Array, to: float, radius: float, first: float, last: float
) -> tuple[tuple[float, float], ...] | None:
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


def along(way: tuple[tuple[float, float], ...], here: Array, heading: float, s: Array) -> Array:
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


def _mean_bend(way: tuple[tuple[float, float], ...], s: Array) -> Array:
    """Curvature (n,) 1/m in the mean over `EASE` to both sides, with straights before and behind the way."""
    borders = np.concatenate([[0.0], np.cumsum([length for _, length in way])])
    turned = np.concatenate([[0.0], np.cumsum([bend * length for bend, length in way])])
    mean: Array = (np.interp(s + EASE, borders, turned) - np.interp(s - EASE, borders, turned)) / (2.0 * EASE)
    return mean


def _cubic(u: Array, z0: float, z1: float, rise0: float, rise1: float) -> Array:
    """Hermite cubic over u in 0..1 between heights, with rises (m) at both ends over the whole length."""
    height: Array = (
        (1 + 2 * u) * (1 - u) ** 2 * z0
        + u * (1 - u) ** 2 * rise0
        + u**2 * (3 - 2 * u) * z1
        + u**2 * (u - 1) * rise1
    )
    return height


def _worded(way: tuple[tuple[float, float], ...], radius: float) -> str:
    turns = [
        f"{math.degrees(abs(bend) * length):.0f} degrees to the {'left' if bend > 0.0 else 'right'}"
        for bend, length in way
        if bend != 0.0 and abs(bend) * length > math.radians(3.0)
    ]
    return (
        f"The ends do not face each other; a turn is proposed: {' and '.join(turns)}, radius {radius:.1f} m,"
        f" {sum(length for _, length in way):.0f} m long."
    )
