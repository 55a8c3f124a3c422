"""Which control points a track has, and where on the finished centreline each of them lies."""

from __future__ import annotations

import math

import numpy as np

from ..base.errors import InputError
from ..track.build import BuiltTrack
from ..track.description import ControlPoint, Section, SplineSection, StraightSection, Track

SAME = 1e-4  # m, a point and its station


def section_named(track: Track, name: str) -> Section:
    """The section of a track with a name.

    Parameters
    ----------
    track
        In which it is looked for.
    name
        Of the section, as the project has it.

    Returns
    -------
    The first section that is called so.

    Raises
    ------
    InputError
        When there is none.
    """
    for section in track.sections:
        if section.name == name:
            return section
    raise InputError(f"The track has no section '{name}'.")


def section_points(section: Section) -> tuple[ControlPoint, ...]:
    """The control points of a section: those of a spline, start and end of a straight where they are given, none of
    a table or an element."""
    if isinstance(section, SplineSection):
        return section.points
    if isinstance(section, StraightSection):
        ends = [position for position in (section.start, section.end) if position is not None]
        return tuple(ControlPoint(x=x, y=y, z=z, cant=section.cant, straight=True) for x, y, z in ends)
    return ()


def point_places(built: BuiltTrack) -> dict[str, tuple[float, ...]]:
    """Arc length s (m) of every control point on the centreline: section name -> one value a point."""
    stations = built.stations
    s = np.array([station.s for station in stations])
    position = built.centreline.position(s)
    stood = position.tolist()
    out: dict[str, tuple[float, ...]] = {}
    at = 0
    for section in built.track.sections:
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


def nearest_point(built: BuiltTrack, s: float) -> tuple[str, int] | None:
    """Section and index of the control point nearest to arc length s (m), or None for a track without any."""
    positions = [
        (abs(value - s), name, i) for name, row in point_places(built).items() for i, value in enumerate(row)
    ]
    if not positions:
        return None
    _, name, index = min(positions)
    return name, index


def point_before(built: BuiltTrack, s: float) -> tuple[str, int] | None:
    """Section and index of the last control point at or before arc length s (m), or None when none is."""
    positions = [
        (value, name, i)
        for name, row in point_places(built).items()
        for i, value in enumerate(row)
        if value <= s + 1e-9
    ]
    if not positions:
        return None
    maximum = max(value for value, _, _ in positions)
    return next((name, i) for value, name, i in reversed(positions) if value == maximum)
