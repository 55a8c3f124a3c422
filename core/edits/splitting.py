"""Cutting a section of any kind in two, anywhere along it.

A cut is exact where both halves can be described by themselves: straights, the circular part of arcs, banked turns and
helices, clothoids, the rows of a table, and force sections wherever nothing but a straight line changes. Everything
else becomes control points first and is cut as a spline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from ..project.project import Project
from ..track.build import BuiltTrack, SectionSpan, build_track
from ..track.course_entry import entry_here
from ..track.description import Section, SplineSection, StraightSection, TableSection
from ..track.element_leg import element_leg
from ..track.elements import Element, StartPose, kind_of
from ..track.elements.base import entry_of_pose
from ..track.programs.entry import Entry
from ..track.programs.leg import ElementLeg
from ..track.sections import lay_sections
from .along_track import follow_cut
from .changes import free_name, set_track, the_track
from .elements_track import difference, held, to_control_points
from .places import section_named
from .points import insert_at, with_section
from .sections import split_section

SHORTEST = 0.1  # m, of what is left on either side of a cut
AT_A_POINT = 0.2  # m from a control point within which the cut goes through it
TOLERANCE = 0.01  # m, of the track while a section becomes control points
EXACT, EXACT_ROLL = 1e-5, 1e-4  # m, rad; how far an exact cut may move the track, from rounding along it
ROLL_TOLERANCES = (np.radians(1.0), np.radians(5.0))  # of the cant while a section becomes control points
DOUBLED = 6  # times the points of a spline are doubled at most to hold it where it is cut
MIN_ROWS = 6

Halves = tuple[Section, Section]


@dataclass(frozen=True)
class Split:
    """How a section was cut: names of both halves, place of the cut (m from the start of the section), whether the
    halves are what the section was, and how far the track moved (m) and its cant changed (rad)."""

    first: str
    second: str
    cut: float
    exact: bool
    distance: float
    roll: float

    @property
    def sentence(self) -> str:
        where = f"'{self.first}' is cut {self.cut:.2f} m from its start; what lies behind is '{self.second}'."
        if self.exact:
            return f"{where} Nothing of the track has moved."
        moved = f"at most {1000.0 * self.distance:.1f} mm and {np.degrees(self.roll):.2f} deg"
        return f"{where} It consists of control points; the track moved by {moved}."


def split_at(
    project: Project, built: BuiltTrack, name: str, offset: float, *, tolerance: float = TOLERANCE
) -> tuple[Project, Split]:
    """Cut a section `offset` (m) from its start; both halves keep its place in the running order.

    built: the built track of the project. The cut is exact where the kind of section allows it; rows of a table and
    force sections are cut at the nearest place where they can be. Other sections, and the transitions of curves,
    become control points within `tolerance` (m) first; a spline stays within it as well. Devices, roll points and
    points of the heartline go along.
    Raises InputError for a place off the section or less than 0.1 m from its ends, for a tolerance that cannot be
    kept, and for a block brake across the cut.
    """
    track = the_track(project)
    section = section_named(track, name)
    span = _span(built, name)
    length = span.s1 - span.s0
    if not SHORTEST <= offset <= length - SHORTEST:
        raise InputError(
            say(
                "Section '{name}' is {length:.2f m} long and can be cut {shortest:g (m)} to"
                " {farthest:.2f m} from its start, not at {offset:g m}.",
                name=name,
                length=length,
                shortest=SHORTEST,
                farthest=length - SHORTEST,
                offset=offset,
            )
        )
    if isinstance(section, SplineSection):
        return _cut_spline(project, built, name, offset, tolerance)
    halves = _halves(section, built, span, offset)
    if halves is not None:
        second = free_name(name, (s.name for s in track.sections))
        found = _put(project, built, halves, second)
        if found is not None:
            return found
    made, drawn = _converted(project, built, name, tolerance)
    new = _span(drawn, name)
    made, split = _cut_spline(made, drawn, name, offset * (new.s1 - new.s0) / length, tolerance)
    distance, roll = difference(built, build_track(the_track(made), ride=False))
    return made, replace(split, exact=False, distance=distance, roll=roll)


def _converted(
    project: Project, built: BuiltTrack, name: str, tolerance: float
) -> tuple[Project, BuiltTrack]:
    """The project with a section turned into control points, and its track; the cant is kept as closely as it can."""
    refusal: InputError | None = None
    for roll in ROLL_TOLERANCES:
        try:
            made, _ = to_control_points(project, built, name, tolerance=tolerance, roll_tolerance=roll)
        except InputError as error:
            refusal = error
            continue
        return made, build_track(the_track(made), ride=False)
    assert refusal is not None
    raise refusal


def _span(built: BuiltTrack, name: str) -> SectionSpan:
    return next(span for span in built.sections if span.name == name)


def _put(project: Project, built: BuiltTrack, halves: Halves, second: str) -> tuple[Project, Split] | None:
    """The project with a section replaced by its halves; None when the track would not stay as it is."""
    track = the_track(project)
    first, behind = halves[0], halves[1].model_copy(update={"name": second})
    k = [s.name for s in track.sections].index(first.name)
    made = set_track(project, {"sections": (*track.sections[:k], first, behind, *track.sections[k + 1 :])})
    try:
        after = build_track(the_track(made).model_copy(update={"devices": ()}), ride=False)
    except InputError:
        return None
    distance, roll = _strayed(built, after)
    if distance > EXACT or roll > EXACT_ROLL:
        return None
    span = _span(after, first.name)
    cut = span.s1 - span.s0
    return follow_cut(made, first.name, second, cut), Split(first.name, second, cut, True, distance, roll)


def _strayed(old: BuiltTrack, new: BuiltTrack) -> tuple[float, float]:
    """Largest distance (m) and difference of the left vectors (rad) between two tracks at the same arc lengths."""
    s = np.linspace(0.0, min(old.length, new.length), max(int(2.0 * old.length), 50))
    a, b = old.centreline.state(s), new.centreline.state(s)
    turned = np.linalg.norm(a.left - b.left, axis=1)
    return float(np.linalg.norm(a.curve[:, 0] - b.curve[:, 0], axis=1).max()), float(turned.max())


def _cut_spline(
    project: Project, built: BuiltTrack, name: str, offset: float, tolerance: float
) -> tuple[Project, Split]:
    """Cut a spline through the control point there, or through one more on its curve.

    A new point lets the spline swing where points are few; more of them, half way between all others, hold it then.
    """
    span = _span(built, name)
    positions = np.array(built.point_places[name]) - span.s0
    k = int(np.argmin(np.abs(positions[1:] - offset))) + 1 if len(positions) > 1 else 0
    if k and abs(positions[k] - offset) <= AT_A_POINT:
        made, second = split_section(project, name, k)
        distance, roll = _strayed(built, build_track(the_track(made), ride=False))
        return made, Split(name, second, float(positions[k]), True, distance, roll)
    after = max(int(np.searchsorted(positions, offset)) - 1, 0)
    with_point, k = insert_at(project, built, name, after, span.s0 + offset)
    at = span.s0 + np.insert(positions, k, offset)
    distance = np.inf
    for _ in range(DOUBLED):
        made, second = split_section(with_point, name, k)
        drawn = build_track(the_track(made), ride=False)
        distance, roll = difference(built, drawn)
        if distance <= tolerance:
            cut = _span(drawn, name)
            return made, Split(name, second, cut.s1 - cut.s0, False, distance, roll)
        section = section_named(the_track(with_point), name)
        assert isinstance(section, SplineSection)
        extra = 0.5 * (at + np.append(at[1:], span.s1))
        extra = extra[extra < span.s1 - AT_A_POINT]
        denser, at = held(built, section, at, extra)
        k = int(np.argmin(np.abs(at - span.s0 - offset)))
        with_point = with_section(with_point, name, denser)
    raise InputError(
        say(
            "Section '{name}' would move by {distance:.2g m} when it is cut {offset:.2f m} from"
            " its start; cut it at one of its control points.",
            name=name,
            distance=distance,
            offset=offset,
        )
    )


# -- what can be cut exactly: halves with the same name, or None


def _cut_straight(section: StraightSection, built: BuiltTrack, span: SectionSpan, offset: float) -> Halves:
    if section.length is not None:
        first = section.model_copy(update={"length": offset})
        return first, section.model_copy(update={"length": section.length - offset, "start": None})
    x, y, z = (float(v) for v in built.centreline.position(span.s0 + offset)[0])
    return section.model_copy(update={"end": (x, y, z)}), section.model_copy(update={"start": None})


def _cut_table(section: TableSection, built: BuiltTrack, span: SectionSpan, offset: float) -> Halves | None:
    rows = np.array(section.positions)
    if len(rows) < 2 * MIN_ROWS:
        return None
    run = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(rows, axis=0), axis=1))])
    k = int(np.argmin(np.abs(run - offset * run[-1] / (span.s1 - span.s0))))
    k = min(max(k, MIN_ROWS), len(rows) - MIN_ROWS)
    columns = ("positions", "left", "up", "cant")
    parts: list[dict[str, Any]] = [{}, {}]
    for column in columns:
        values = getattr(section, column)
        parts[0][column] = None if values is None else values[:k]
        parts[1][column] = None if values is None else values[k:]
    return section.model_copy(update=parts[0]), section.model_copy(update={**parts[1], "continues": True})


def _halves(section: Section, built: BuiltTrack, span: SectionSpan, offset: float) -> Halves | None:
    if isinstance(section, StraightSection):
        return _cut_straight(section, built, span, offset)
    if isinstance(section, TableSection):
        return _cut_table(section, built, span, offset)
    kind = kind_of(section)
    return None if kind is None or kind.cut is None else kind.cut(section, _Place(built, span, offset))


@dataclass(frozen=True)
class _Place:
    """A place of a built track as `core.track.elements.base.CutPlace`."""

    built: BuiltTrack
    span: SectionSpan
    offset: float

    @property
    def length(self) -> float:
        return self.span.s1 - self.span.s0

    def _tangents(self) -> Array:
        s = np.linspace(self.span.s0, self.span.s0 + self.offset, max(20, int(4.0 * self.offset)))
        return self.built.centreline.derivatives(s)[:, 1]

    def turned(self) -> float:
        t = self._tangents()
        headings = np.unwrap(np.arctan2(t[:, 1], t[:, 0]))
        return float(headings[-1] - headings[0])

    def tilted(self) -> float:
        t = self._tangents()
        steps = np.linalg.norm(np.cross(t[:-1], t[1:]), axis=1)
        return float(np.arctan2(steps, np.sum(t[:-1] * t[1:], axis=1)).sum())

    def ahead(self) -> float:
        positions = [self.span.s0, self.span.s0 + self.offset]
        flat = self.built.centreline.derivatives(positions)[:, 1, :2]
        return float(flat[0] @ flat[1])

    def curvature(self, plan: bool) -> float:
        _, t, k, *_ = self.built.centreline.state([self.span.s0 + self.offset]).curve[0]
        flat = float(np.hypot(t[0], t[1]))
        return float((t[0] * k[1] - t[1] * k[0]) / flat**3) if plan else float(k[2] / flat)

    def entry(self) -> Entry:
        track = self.built.track
        k = [s.name for s in track.sections].index(self.span.name)
        section = track.sections[k]
        if k == 0:
            assert isinstance(section, Element)
            return replace(entry_of_pose(section.pose or StartPose()), gauge=track.gauge)
        fields = {"sections": track.sections[:k], "closed": False, "devices": ()}
        return entry_here(lay_sections(track.model_copy(update=fields)), f"Section '{self.span.name}'")

    def lay(self, section: Element, entry: Entry) -> ElementLeg:
        return element_leg(section, entry)
