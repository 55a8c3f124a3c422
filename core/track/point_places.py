"""Control points of sections, and where on the finished centreline each of them lies."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array
from .description import ControlPoint, Section, SplineSection, StraightSection

SAME = 1e-4  # m, a point and its station


def section_points(section: Section) -> tuple[ControlPoint, ...]:
    """The control points of a section: those of a spline, start and end of a straight where they are given, none of
    a table or an element."""
    if isinstance(section, SplineSection):
        return section.points
    if isinstance(section, StraightSection):
        ends = [position for position in (section.start, section.end) if position is not None]
        return tuple(ControlPoint(x=x, y=y, z=z, cant=section.cant, straight=True) for x, y, z in ends)
    return ()


def places_of_points(sections: Sequence[Section], s: Array, position: Array) -> dict[str, tuple[float, ...]]:
    """Arc length s (m) of every control point of sections: name of the section -> one value a point.

    s (n,) m and position (n, 3) m of the stations of the track.
    """
    stood = position.tolist()
    out: dict[str, tuple[float, ...]] = {}
    at = 0
    for section in sections:
        found = []
        for point in section_points(section):
            # mostly a point is at the next station; looking at all of them takes long while points are dragged
            near = (k for k in (at, at + 1) if k < len(stood) and math.dist(stood[k], point.position) < SAME)
            if (k := next(near, None)) is not None:
                at = k
                found.append(float(s[k]))
                continue
            apart = np.linalg.norm(position - np.asarray(point.position), axis=1)
            # in running order, because a track may pass through the same place twice
            ahead = np.flatnonzero(apart[at:] < SAME)
            if len(ahead):
                at += int(ahead[0])
                found.append(float(s[at]))
            else:  # the point that closes the track repeats the first one
                found.append(float(s[int(np.argmin(apart))]))
        out[section.name] = tuple(found)
    return out
