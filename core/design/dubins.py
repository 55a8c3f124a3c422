"""Ways of bounded curvature in the plan: an arc, a straight, an arc.

Source: L. E. Dubins, 1957, "On curves of minimal length with a constraint on average curvature", Amer. J. Math. 79.
"""

from __future__ import annotations

import math

import numpy as np

from ..base.arrays import Array

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
