"""Free control points of a track, and how a measure of it answers when they move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base.arrays import Array
from ..base.frozen import Vec3
from ..edits.places import section_named
from ..edits.points import move_points, place_points
from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.description import SplineSection

Point = tuple[str, int]
Measure = Callable[[BuiltTrack], tuple[Array, Array]]

PROBE = 1e-4  # m
SAME = 1e-6  # m along the track
APART = 9  # points this far apart in running order do not feel one another: probed together


def free_points(project: Project, built: BuiltTrack, sections: Sequence[str]) -> list[Point]:
    """Control points of the chosen sections that no straight piece, element or table holds, in running order.

    built: the track of the project.
    """
    assert project.track is not None
    found: list[Point] = []
    at = built.point_places
    chosen = [section_named(project.track, name) for name in dict.fromkeys(sections)]
    for section in [s for s in project.track.sections if s in chosen]:
        if not isinstance(section, SplineSection):
            continue
        points = section.points
        for i, point in enumerate(points):
            held = point.straight or (i > 0 and points[i - 1].straight)
            if not held and not _held_by_neighbour(built, section, i, at[section.name][i]):
                found.append((section.name, i))
    return found


def _held_by_neighbour(built: BuiltTrack, section: SplineSection, index: int, s: float) -> bool:
    """Whether a point, at s (m), is the end of what comes before or behind its section: a straight, an element or a
    table. The first point of an open track stays as well."""
    sections, closed = built.track.sections, built.track.closed
    k = next(i for i, one in enumerate(sections) if one.name == section.name)
    span = built.sections[k]
    if index == 0:
        if k == 0 and not closed:
            return True
        before = sections[k - 1]
        if isinstance(before, SplineSection):
            return before.points[-1].straight
        return bool(s - span.s0 < SAME)
    if index == len(section.points) - 1:
        if k + 1 == len(sections) and not closed:
            return True
        behind = sections[(k + 1) % len(sections)]
        return not isinstance(behind, SplineSection) and bool(span.s1 - s < SAME)
    return False


def position_of(project: Project, point: Point) -> Vec3:
    """Place (m, world) of a control point."""
    assert project.track is not None
    section = section_named(project.track, point[0])
    assert isinstance(section, SplineSection)
    return section.points[point[1]].position


def placed(project: Project, free: list[Point], positions: Array) -> Project:
    """The project with control points put at positions (k, 3) m."""
    by_section: dict[str, dict[int, Vec3]] = {}
    for (name, i), (x, y, z) in zip(free, positions.tolist(), strict=True):
        by_section.setdefault(name, {})[i] = (x, y, z)
    for name, wanted in by_section.items():
        project = place_points(project, name, wanted)
    return project


def probed_jacobian(project: Project, free: list[Point], measure: Measure, value: Array) -> Array:
    """Derivatives (m, 3 k) of a measure by the coordinates of k free points (m).

    measure(built) gives m values and the arc length (m,) each belongs to; value: its values now. Points far apart are
    moved together, and each value is credited to the nearest of them.
    """
    assert project.track is not None
    built = build_track(project.track, ride=False)
    rows = measure(built)[1]
    at = built.point_places
    positions = np.array([at[name][i] for name, i in free])
    jacobian = np.zeros((len(value), 3 * len(free)))
    for colour in range(min(APART, len(free))):
        members = list(range(colour, len(free), APART))
        apart = np.abs(rows[:, None] - positions[members][None, :])
        if built.track.closed:
            apart = np.minimum(apart, built.length - apart)
        owner = np.argmin(apart, axis=1)
        for axis in range(3):
            by = [0.0, 0.0, 0.0]
            by[axis] = PROBE
            moved = project
            for name in dict.fromkeys(free[i][0] for i in members):
                chosen = [free[i][1] for i in members if free[i][0] == name]
                moved = move_points(moved, name, chosen, (by[0], by[1], by[2]))
            assert moved.track is not None
            change = (measure(build_track(moved.track, ride=False))[0] - value) / PROBE
            for k, i in enumerate(members):
                jacobian[owner == k, 3 * i + axis] = change[owner == k]
    return jacobian


def strayed_from(old: BuiltTrack, new: BuiltTrack) -> float:
    """Largest distance (m) of the new curve from the old one, to the chords of a fine polygon."""
    fine = old.centreline.position(np.linspace(0.0, old.length, int(10.0 * old.length) + 2))
    positions = new.centreline.position(np.linspace(0.0, new.length, int(2.0 * new.length) + 2))
    from scipy.spatial import cKDTree  # not needed to show the window

    _, k = cKDTree(fine).query(positions)
    apart = np.full(len(positions), np.inf)
    for shift in (-1, 0):
        i = np.clip(k + shift, 0, len(fine) - 2)
        chord = fine[i + 1] - fine[i]
        along = np.clip(
            np.sum((positions - fine[i]) * chord, axis=1) / np.sum(chord * chord, axis=1), 0.0, 1.0
        )
        apart = np.minimum(apart, np.linalg.norm(positions - fine[i] - along[:, None] * chord, axis=1))
    return float(apart.max())
