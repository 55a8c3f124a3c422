"""Edits of control points: move, set, insert, add, delete, duplicate, reverse, paste.

Points are named by their section and their index within it, from 0. A straight section has its end as its
point, and its start before it when they are given; a table or an element has no control points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.frozen import Vec3
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.description import ControlPoint, Section, SplineSection, StraightSection
from ..track.elements import Element
from ..track.point_places import section_points
from .along_track import follow_section, shortened
from .changes import changed, set_track, the_track
from .places import section_named

STEEP = 0.9  # vertical part of the tangent from which a cant against the horizontal means little
MIN_STEP = 1.0  # m, between a duplicated point and the one it came from


def with_section(project: Project, name: str, section: Section) -> Project:
    """The project with the section called `name` replaced."""
    sections = tuple(section if s.name == name else s for s in the_track(project).sections)
    return set_track(project, {"sections": sections})


def _with_points(project: Project, name: str, points: Sequence[ControlPoint]) -> Project:
    section = section_named(the_track(project), name)
    if isinstance(section, SplineSection):
        return with_section(project, name, changed(section, f"Section '{name}'", {"points": tuple(points)}))
    if not isinstance(section, StraightSection) or len(points) != len(section_points(section)):
        raise InputError(f"Section '{name}' is a {section.kind}; only a spline can gain or lose points.")
    cants = {p.cant for p in points if p.cant != section.cant}
    fields: dict[str, Any] = {"cant": cants.pop() if cants else section.cant}
    if section.end is not None:
        fields["end"] = points[-1].position
    if section.start is not None:
        fields["start"] = points[0].position
    return with_section(project, name, changed(section, f"Section '{name}'", fields))


def _points(project: Project, name: str, indices: Iterable[int] = ()) -> list[ControlPoint]:
    section = section_named(the_track(project), name)
    points = list(section_points(section))
    for i in indices:
        if not 0 <= i < len(points):
            raise InputError(f"Section '{name}' has no point {i + 1}; it has {len(points)}.")
    return points


def set_points(project: Project, section: str, indices: Iterable[int], fields: Mapping[str, Any]) -> Project:
    """Give several points the same values.

    Parameters
    ----------
    section
        Its name.
    indices
        Of the points, from 0.
    fields
        Any of x, y, z (m, axes of the world), cant (rad or None) and straight.

    Returns
    -------
    The changed project. A cant holds from then on: roll points nearer to the point than half way to its neighbours go.

    Raises
    ------
    InputError
        When a value is out of range or a point does not exist.
    """
    chosen = list(indices)
    points = _points(project, section, chosen)
    for i in chosen:
        points[i] = changed(points[i], f"Section '{section}', point {i + 1}", fields)
    made = _with_points(project, section, points)
    return _own_cants_hold(project, made, section, chosen) if fields.get("cant") is not None else made


def _own_cants_hold(project: Project, made: Project, name: str, indices: Sequence[int]) -> Project:
    """Without the roll points of a section that would overrule the cants given to some of its points.

    project: before the cants were given, made: with them.
    """
    section = section_named(the_track(made), name)
    if not isinstance(section, SplineSection) or not section.roll_points:
        return made
    built = build_track(the_track(project), ride=False)
    s0 = next(span.s0 for span in built.sections if span.name == name)
    at = np.array(built.point_places[name]) - s0
    half = 0.5 * np.diff(at)
    low = at - np.append(half[:1], half) if len(at) > 1 else at - MIN_STEP
    high = at + np.append(half, half[-1:]) if len(at) > 1 else at + MIN_STEP
    kept = tuple(p for p in section.roll_points if not any(low[i] <= p.at < high[i] for i in indices))
    return with_section(made, name, section.model_copy(update={"roll_points": kept}))


def move_points(project: Project, section: str, indices: Iterable[int], by: Vec3) -> Project:
    """Move points of a section.

    Parameters
    ----------
    section
        Its name.
    indices
        Of the points, from 0.
    by
        Displacement (3,) m, axes of the world.

    Returns
    -------
    The changed project.
    """
    chosen = list(indices)
    points = _points(project, section, chosen)
    return place_points(
        project,
        section,
        {i: (points[i].x + by[0], points[i].y + by[1], points[i].z + by[2]) for i in chosen},
    )


def place_points(project: Project, section: str, positions: Mapping[int, Vec3]) -> Project:
    """Put points of a section at places.

    Parameters
    ----------
    project
        With a track.
    section
        Its name.
    positions
        By the number of the point, m, world.

    Returns
    -------
    The project.
    """
    points = _points(project, section, positions)
    for i, (x, y, z) in positions.items():
        points[i] = changed(points[i], f"Section '{section}', point {i + 1}", {"x": x, "y": y, "z": z})
    return _with_points(project, section, points)


def all_straight(project: Project, section: str, indices: Iterable[int]) -> bool:
    """Whether the track is to be straight from every one of these points to the next."""
    chosen = list(indices)
    points = _points(project, section, chosen)
    return all(points[i].straight for i in chosen)


def set_cants(project: Project, section: str, cants: Mapping[int, float | None]) -> Project:
    """Give each named point its own cant, which holds as in `set_points`.

    Parameters
    ----------
    section
        Its name.
    cants
        rad by the index of the point, from 0; None leaves the roll free.

    Returns
    -------
    The changed project.
    """
    points = _points(project, section, cants)
    for i, cant in cants.items():
        points[i] = changed(points[i], f"Section '{section}', point {i + 1}", {"cant": cant})
    given = [i for i, cant in cants.items() if cant is not None]
    return _own_cants_hold(project, _with_points(project, section, points), section, given)


def move_track(project: Project, by: Vec3) -> Project:
    """Move the whole track by a displacement (m, world)."""
    moved = np.asarray(by)

    def shift(position: Vec3) -> Vec3:
        x, y, z = (float(v) for v in np.asarray(position) + moved)
        return (x, y, z)

    def shifted(section: Section) -> Section:
        where = f"Section '{section.name}'"
        if isinstance(section, SplineSection):
            points = tuple(
                p.model_copy(update=dict(zip("xyz", shift(p.position), strict=True))) for p in section.points
            )
            return changed(section, where, {"points": points})
        if isinstance(section, StraightSection):
            start = None if section.start is None else shift(section.start)
            end = None if section.end is None else shift(section.end)
            return changed(section, where, {"start": start, "end": end})
        if isinstance(section, Element):
            if section.pose is None:
                return section
            pose = changed(section.pose, where, {"position": shift(section.pose.position)})
            return changed(section, where, {"pose": pose})
        return changed(section, where, {"positions": tuple(shift(p) for p in section.positions)})

    return set_track(project, {"sections": tuple(shifted(s) for s in the_track(project).sections)})


def insert_point(project: Project, built: BuiltTrack, section: str, after: int) -> tuple[Project, int]:
    """Insert a point halfway along the track between point `after` of a section and whatever comes next.

    built: the built track of the project. The new point lies on the centreline with the cant the track has
    there, so the track changes little. At the end of an open track the new point continues it straight on by the
    last spacing. Returns the project and the index of the new point.
    """
    track = the_track(project)
    _points(project, section, [after])
    positions = built.point_places
    here = positions[section][after]
    if section == track.sections[-1].name and after + 1 == len(positions[section]) and not track.closed:
        return _extend(project, built, section, here)
    later = [s for values in positions.values() for s in values if s > here + 1e-6]
    beyond = min(later, default=built.length)
    return insert_at(project, built, section, after, 0.5 * (here + beyond))


def insert_at(project: Project, built: BuiltTrack, section: str, after: int, s: float) -> tuple[Project, int]:
    """Insert a point that lies at arc length s (m) of the built track behind point `after` of a spline section.

    `after` may be -1 to insert before the first point. Returns the project and the index of the new point.
    """
    described = section_named(the_track(project), section)
    if not isinstance(described, SplineSection):
        raise InputError(f"Section '{section}' is a {described.kind}; only a spline takes more points.")
    state = built.centreline.state(s)
    x, y, z = (float(v) for v in state.curve[0, 0])
    points = list(described.points)
    near = [p for p in points[max(after, 0) : after + 2] if p.cant is not None]
    steep = abs(float(state.curve[0, 1, 2])) > STEEP
    cant = None if steep or not near else float(state.cant[0])
    straight = after >= 0 and points[after].straight
    points.insert(after + 1, ControlPoint(x=x, y=y, z=z, cant=cant, straight=straight))
    return _with_points(project, section, points), after + 1


def _extend(project: Project, built: BuiltTrack, section: str, s: float) -> tuple[Project, int]:
    points = _points(project, section)
    last = points[-1]
    before = [v for values in built.point_places.values() for v in values if v < s - 1e-6]
    step = s - max(before, default=max(0.0, s - 10.0))
    t = built.frame_at([s])[0][0]
    x, y, z = (float(v) for v in np.asarray(last.position) + step * t)
    points.append(ControlPoint(x=x, y=y, z=z, cant=last.cant))
    return _with_points(project, section, points), len(points) - 1


def delete_points(project: Project, section: str, indices: Iterable[int]) -> Project:
    """Delete points; a section that loses all its points is deleted too, with the devices on it.

    Raises InputError when nothing of the track would be left or the section is not a spline.
    """
    track = the_track(project)
    gone = set(indices)
    points = _points(project, section, gone)
    rest = [p for i, p in enumerate(points) if i not in gone]
    if rest:
        return _with_points(project, section, rest)
    if len(track.sections) == 1:
        raise InputError("These are all the points of the track; a track needs at least one.")
    rest_of_track = tuple(s for s in track.sections if s.name != section)
    made = set_track(shortened(project, section), {"sections": rest_of_track})
    return follow_section(made, section, None)


def duplicate_points(
    project: Project, section: str, indices: Iterable[int]
) -> tuple[Project, tuple[int, ...]]:
    """Copy points behind the last one of them, moved on by the length they span and a step, so none coincide.

    Returns the project and the indices of the copies.
    """
    chosen = sorted(set(indices))
    points = _points(project, section, chosen)
    if not chosen:
        raise InputError("Select the points to duplicate first.")
    first, last = (np.asarray(points[i].position) for i in (chosen[0], chosen[-1]))
    step = _step_beyond(points, chosen[-1])
    offset = last - first + step
    copies = []
    for i in chosen:
        x, y, z = (float(v) for v in np.asarray(points[i].position) + offset)
        copies.append(points[i].model_copy(update={"x": x, "y": y, "z": z}))
    at = chosen[-1] + 1
    points[at:at] = copies
    return _with_points(project, section, points), tuple(range(at, at + len(copies)))


def _step_beyond(points: Sequence[ControlPoint], index: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Half the way to the next point, or straight on from the previous one when there is no next."""
    here = np.asarray(points[index].position)
    if index + 1 < len(points):
        return np.asarray(0.5 * (np.asarray(points[index + 1].position) - here))
    if index > 0:
        return np.asarray(0.5 * (here - np.asarray(points[index - 1].position)))
    return np.array([MIN_STEP, 0.0, 0.0])


def reverse_points(project: Project, section: str, indices: Iterable[int]) -> Project:
    """Put points of a section in the opposite order, in the rows they occupy."""
    chosen = sorted(set(indices))
    points = _points(project, section, chosen)
    turned = [points[i] for i in reversed(chosen)]
    for i, point in zip(chosen, turned, strict=True):
        points[i] = point
    return _with_points(project, section, points)


def paste_points(
    project: Project, section: str, after: int, points: Sequence[ControlPoint]
) -> tuple[Project, tuple[int, ...]]:
    """Insert points behind point `after` (-1: before the first). Returns the project and their indices."""
    if not points:
        raise InputError("There are no points to paste.")
    there = _points(project, section)
    there[after + 1 : after + 1] = points
    return _with_points(project, section, there), tuple(range(after + 1, after + 1 + len(points)))


def smooth_cant(project: Project, section: str, indices: Iterable[int]) -> Project:
    """Spread the cant evenly, by the distance between the points, from the first to the last of the chosen."""
    chosen = sorted(set(indices))
    points = _points(project, section, chosen)
    if len(chosen) < 3:
        raise InputError("Select at least three points; those in between get the cant.")
    start, end = points[chosen[0]].cant, points[chosen[-1]].cant
    if start is None or end is None:
        raise InputError("The first and the last selected point need a cant to spread between them.")
    span = [math.dist(points[i].position, points[i + 1].position) for i in range(chosen[0], chosen[-1])]
    total = sum(span)
    cants = {i: start + (end - start) * sum(span[: i - chosen[0]]) / total for i in chosen[1:-1]}
    return set_cants(project, section, cants)
