"""Inserting plain pieces of track: a straight by its length, a spline to shape by hand; and lengths of straights."""

from __future__ import annotations

import math

import numpy as np

from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack
from ..track.description import ControlPoint, Section, SplineSection, StraightSection, Track
from ..track.elements import Element
from .changes import changed, free_name, set_track, the_track
from .elements_track import pose_at
from .places import section_named
from .points import with_section

NEW_LENGTH = 20.0  # m
FIRST_HEIGHT = 1.0  # m, of a track that begins with the piece
STEEP = 0.9  # vertical part of the tangent from which a cant against the horizontal is not given


def _set_in(project: Project, section: Section, after: str | None) -> Project:
    track = the_track(project)
    sections = list(track.sections)
    at = len(sections) if after is None else sections.index(section_named(track, after)) + 1
    sections.insert(at, section)
    return set_track(project, {"sections": tuple(sections)})


def _name(project: Project, wanted: str) -> str:
    track = project.track
    return wanted if track is None else free_name(wanted, (s.name for s in track.sections))


def insert_straight(
    project: Project, built: BuiltTrack | None, *, after: str | None = None, length: float = NEW_LENGTH
) -> tuple[Project, str]:
    """Insert an exactly straight piece of `length` (m) behind a section, or at the end.

    It goes on in the direction the track has there, level in cant where the track is. A project without a track gets
    one that begins with it, along x. built: the track as it is, for the cant. Returns project and name; raises
    InputError for a length out of range.
    """
    name = _name(project, "Straight")
    if project.track is None:
        begin, end = (0.0, 0.0, FIRST_HEIGHT), (length, 0.0, FIRST_HEIGHT)
        first = StraightSection(name=name, start=begin, end=end, cant=0.0)
        track = Track(name="Track", sections=(first,))
        return changed(project, "Project", {"track": track}), name
    section = changed(
        StraightSection(name=name, length=NEW_LENGTH, cant=_cant_behind(built, after)),
        "Straight",
        {"length": length},
    )
    return _set_in(project, section, after), name


def _end_of(built: BuiltTrack, after: str | None) -> float:
    """Arc length (m) of the end of a section, or of the track."""
    return built.length if after is None else next(span.s1 for span in built.sections if span.name == after)


def _cant_behind(built: BuiltTrack | None, after: str | None) -> float | None:
    if built is None:
        return None
    state = built.centreline.state(_end_of(built, after))
    return None if abs(float(state.tangent[0, 2])) > STEEP else round(float(state.cant[0]), 9)


def insert_spline(
    project: Project, built: BuiltTrack | None, *, after: str | None = None
) -> tuple[Project, str]:
    """Insert a spline of two control points 10 m apart that goes straight on behind a section, or at the end.

    A project without a track gets one of three points along x. Returns project and name. built: the track as it is;
    needed unless the project has none.
    """
    name = _name(project, "Points")
    if project.track is None:
        points = tuple(ControlPoint(x=x, y=0.0, z=FIRST_HEIGHT, cant=0.0) for x in (0.0, 10.0, 20.0))
        track = Track(name="Track", sections=(SplineSection(name=name, points=points),))
        return changed(project, "Project", {"track": track}), name
    if built is None:
        raise InputError("The track cannot be built at present; mend what the Problems panel names first.")
    state = built.centreline.state(_end_of(built, after))
    steep = abs(float(state.tangent[0, 2])) > STEEP
    points = tuple(
        ControlPoint(
            x=float(p[0]), y=float(p[1]), z=float(p[2]), cant=None if steep else float(state.cant[0])
        )
        for p in (state.curve[0, 0] + step * state.tangent[0] for step in (0.5 * NEW_LENGTH, NEW_LENGTH))
    )
    return _set_in(project, SplineSection(name=name, points=points), after), name


def straight_length(section: StraightSection) -> float | None:
    """Length (m) a straight says itself; None when it follows from where the track has come to."""
    if section.length is not None:
        return section.length
    if section.start is not None and section.end is not None:
        return math.dist(section.start, section.end)
    return None


def set_straight_length(
    project: Project, built: BuiltTrack | None, name: str, length: float | None
) -> Project:
    """Give a straight a length (m).

    The first section keeps its start and direction; any other becomes one by length, which goes on in the direction
    the track has, and None gives it back the end it has now. Raises InputError for another kind of section.
    """
    section = section_named(the_track(project), name)
    if not isinstance(section, StraightSection):
        raise InputError(f"Section '{name}' is a {section.kind}; only straights have a length to type.")
    where = f"Section '{name}'"
    if section.start is not None and section.end is not None:
        if length is None:
            return project
        changed(
            StraightSection(name=name, length=1.0), where, {"length": length}
        )  # refuses what is out of range
        start, end = np.array(section.start), np.array(section.end)
        x, y, z = (start + length / np.linalg.norm(end - start) * (end - start)).tolist()
        return with_section(project, name, changed(section, where, {"end": (x, y, z)}))
    if length is not None:
        return with_section(project, name, changed(section, where, {"length": length, "end": None}))
    if built is None or section.end is not None:
        return project
    x, y, z = (float(v) for v in built.centreline.position(_end_of(built, name))[0])
    return with_section(project, name, changed(section, where, {"length": None, "end": (x, y, z)}))


def set_start_pose(project: Project, built: BuiltTrack, name: str, fields: dict[str, object]) -> Project:
    """Change where the track begins: fields of the start pose (m, rad) of the element it begins with.

    Raises InputError for a section that is not the first, or is no element.
    """
    track = the_track(project)
    section = section_named(track, name)
    if not isinstance(section, Element) or track.sections[0] is not section:
        raise InputError(
            f"Section '{name}' begins where the track has come to; only the first one has a start."
        )
    pose = section.pose or pose_at(built, 0.0)
    moved = changed(pose, f"Start of '{name}'", fields)
    return with_section(project, name, section.model_copy(update={"pose": moved}))
