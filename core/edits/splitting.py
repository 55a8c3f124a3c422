"""Cutting a section of any kind in two, anywhere along it.

A cut is exact where both halves can be described by themselves: straights, the circular part of arcs, banked turns and
helices, clothoids, the rows of a table, and force sections wherever nothing but a straight line changes. Everything
else becomes control points first and is cut as a spline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack, SectionSpan, build_track
from ..track.course_entry import entry_here
from ..track.description import Section, SplineSection, StraightSection, TableSection
from ..track.elements import (
    ArcSection,
    BankedTurnSection,
    ForceSection,
    HelixSection,
    Key,
    StartPose,
    TransitionSection,
)
from ..track.programs.channel import SHAPES, Channel
from ..track.programs.entry import Entry, entry_of_pose
from ..track.programs.force import argument_at, section_forces
from ..track.programs.lay import element_leg
from ..track.sections import lay_sections
from .along_track import follow_cut
from .changes import free_name, set_track, the_track
from .elements_track import difference, held, to_control_points
from .places import point_places, section_named
from .points import insert_at, with_section
from .sections import split_section

SHORTEST = 0.1  # m, of what is left on either side of a cut
AT_A_POINT = 0.2  # m from a control point within which the cut goes through it
TOLERANCE = 0.01  # m, of the track while a section becomes control points
EXACT, EXACT_ROLL = 1e-5, 1e-4  # m, rad; how far an exact cut may move the track, from rounding along it
ROLL_TOLERANCES = (np.radians(1.0), np.radians(5.0))  # of the cant while a section becomes control points
DOUBLED = 6  # times the points of a spline are doubled at most to hold it where it is cut
MIN_ROWS = 6
MIN_SPEED = 2.0  # m/s, what an element may be entered with
OPPOSITE = {"up": "down", "down": "up"}
CHANNELS = ("normal_g", "lateral_g", "roll_rate")

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
            f"Section '{name}' is {length:.2f} m long and can be cut {SHORTEST:g} to {length - SHORTEST:.2f} m from its"
            f" start, not at {offset:g} m."
        )
    if isinstance(section, SplineSection):
        return _cut_spline(project, built, name, offset, tolerance)
    cutter = CUTTERS.get(type(section))
    halves = None if cutter is None else cutter(section, built, span, offset)
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
    places = np.array(point_places(built)[name]) - span.s0
    k = int(np.argmin(np.abs(places[1:] - offset))) + 1 if len(places) > 1 else 0
    if k and abs(places[k] - offset) <= AT_A_POINT:
        made, second = split_section(project, name, k)
        distance, roll = _strayed(built, build_track(the_track(made), ride=False))
        return made, Split(name, second, float(places[k]), True, distance, roll)
    after = max(int(np.searchsorted(places, offset)) - 1, 0)
    with_point, k = insert_at(project, built, name, after, span.s0 + offset)
    at = span.s0 + np.insert(places, k, offset)
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
        f"Section '{name}' would move by {distance:.2g} m when it is cut {offset:.2f} m from its start; cut it at one"
        " of its control points."
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


def _turned(built: BuiltTrack, span: SectionSpan, offset: float) -> float:
    """Change of heading (rad, + to the left) from the start of a section to a place on it."""
    s = np.linspace(span.s0, span.s0 + offset, max(20, int(4.0 * offset)))
    t = built.centreline.derivatives(s)[:, 1]
    headings = np.unwrap(np.arctan2(t[:, 1], t[:, 0]))
    return float(headings[-1] - headings[0])


def _tilted(built: BuiltTrack, span: SectionSpan, offset: float) -> float:
    """Angle (rad) between the directions at the places of a curve in a plane, added up along it."""
    s = np.linspace(span.s0, span.s0 + offset, max(20, int(4.0 * offset)))
    t = built.centreline.derivatives(s)[:, 1]
    steps = np.linalg.norm(np.cross(t[:-1], t[1:]), axis=1)
    return float(np.arctan2(steps, np.sum(t[:-1] * t[1:], axis=1)).sum())


def _cut_arc(section: ArcSection, built: BuiltTrack, span: SectionSpan, offset: float) -> Halves | None:
    if not section.transition_in <= offset <= span.s1 - span.s0 - section.transition_out:
        return None
    upright = section.direction in OPPOSITE
    angle = _tilted(built, span, offset) if upright else abs(_turned(built, span, offset))
    if not 0.0 < angle < section.angle:
        return None
    first = section.model_copy(update={"angle": angle, "transition_out": 0.0})
    fields: dict[str, Any] = {
        "angle": section.angle - angle,
        "transition_in": 0.0,
        "cant": None,
        "pose": None,
    }
    if upright:  # up and down are meant as seen by a track that runs on: over the top they change places
        ahead = built.centreline.derivatives([span.s0, span.s0 + offset])[:, 1, :2]
        if float(ahead[0] @ ahead[1]) < 0.0:
            fields["direction"] = OPPOSITE[section.direction]
    return first, section.model_copy(update=fields)


def _cut_turn(
    section: BankedTurnSection | HelixSection, built: BuiltTrack, span: SectionSpan, offset: float
) -> Halves | None:
    both = section.transition
    t_in = both if section.transition_in is None else section.transition_in
    t_out = both if section.transition_out is None else section.transition_out
    if not t_in <= offset <= span.s1 - span.s0 - t_out:
        return None
    angle = abs(_turned(built, span, offset))
    turn: Sequence[dict[str, Any]]
    if isinstance(section, HelixSection):
        turns = angle / (2.0 * np.pi)
        turn = ({"turns": turns}, {"turns": section.turns - turns})
    else:
        turn = ({"angle": angle}, {"angle": section.angle - angle})
    first = section.model_copy(update={**turn[0], "transition_out": 0.0})
    return first, section.model_copy(update={**turn[1], "transition_in": 0.0, "pose": None})


def _cut_transition(
    section: TransitionSection, built: BuiltTrack, span: SectionSpan, offset: float
) -> Halves | None:
    if section.smoothness != "linear":
        return None
    bend = built.centreline.state([span.s0 + 1e-6 * offset, span.s0 + offset])
    t, k = bend.curve[:, 1], bend.curve[:, 2]
    if section.plane == "plan":
        flat = np.hypot(t[:, 0], t[:, 1])
        curvature = float((t[1, 0] * k[1, 1] - t[1, 1] * k[1, 0]) / flat[1] ** 3)
    else:
        curvature = float(k[1, 2] / np.hypot(t[1, 0], t[1, 1]))
    first = section.model_copy(update={"length": offset, "curvature": curvature, "cant": None})
    behind = {"length": section.length - offset, "pose": None}
    return first, section.model_copy(update=behind)


def _entry(built: BuiltTrack, name: str) -> Entry:
    """The track where an element begins, as it is laid."""
    track = built.track
    k = [s.name for s in track.sections].index(name)
    section = track.sections[k]
    if k == 0:
        assert isinstance(section, ForceSection)
        return replace(entry_of_pose(section.pose or StartPose()), gauge=track.gauge)
    fields = {"sections": track.sections[:k], "closed": False, "devices": ()}
    return entry_here(lay_sections(track.model_copy(update=fields)), f"Section '{name}'")


def _cut_force(section: ForceSection, built: BuiltTrack, span: SectionSpan, offset: float) -> Halves | None:
    entry = _entry(built, section.name)
    laws = dict(zip(CHANNELS, section_forces(section, entry).laws, strict=True))
    at = _plain_place(list(laws.values()), argument_at(section, entry, offset))
    tiny = 1e-6 * section.extent
    if at is None or not tiny < at < section.extent - tiny:
        return None
    before: dict[str, Any] = {"extent": at}
    behind: dict[str, Any] = {"extent": section.extent - at, "pose": None}
    for name, law in laws.items():
        keys: tuple[Key, ...] = getattr(section, name)
        ahead = [key for key in keys if key.at <= at + tiny]
        rest = tuple(key.model_copy(update={"at": key.at - at}) for key in keys if key.at > at + tiny)
        value = float(law.at(at)[0, 0])
        if rest and _changing(law, at):
            ahead.append(Key(at=at, value=value, transition="linear"))
        before[name] = tuple(key.model_copy(update={"at": min(key.at, at)}) for key in ahead)
        behind[name] = rest
    first = section.model_copy(update=before)
    speed = element_leg(first, entry).exit_speed
    if speed is None or speed < MIN_SPEED:
        return None
    return first, section.model_copy(update={**behind, "entry_speed": speed})


def _changing(law: Channel, at: float) -> bool:
    """Whether a function is on its way from one value to another at `at`, and not at a border of its pieces."""
    k = int(np.clip(np.searchsorted(law.edges, at, side="right") - 1, 0, len(law.start) - 1))
    inside = np.abs(law.edges - at).min() > 1e-6 * law.end
    return bool(inside and law.step[k] != 0.0)


def _plain_place(laws: Sequence[Channel], wanted: float) -> float | None:
    """The place nearest to the wanted one at which every function is at a border, holds its value, or changes in a
    straight line; None when there is none inside."""
    edges = np.unique(np.concatenate([law.edges for law in laws]))
    inner = edges[(edges > 1e-6 * edges[-1]) & (edges < (1.0 - 1e-6) * edges[-1])]
    for at in [wanted, *sorted(inner.tolist(), key=lambda edge: abs(edge - wanted))]:
        bent = False
        for law in laws:
            k = int(np.clip(np.searchsorted(law.edges, at, side="right") - 1, 0, len(law.start) - 1))
            bent |= _changing(law, at) and law.kind[k] != SHAPES["linear"]
        if not bent:
            return float(at)
    return None


CUTTERS: dict[type[Any], Callable[[Any, BuiltTrack, SectionSpan, float], Halves | None]] = {
    StraightSection: _cut_straight,
    TableSection: _cut_table,
    ArcSection: _cut_arc,
    BankedTurnSection: _cut_turn,
    HelixSection: _cut_turn,
    TransitionSection: _cut_transition,
    ForceSection: _cut_force,
}
