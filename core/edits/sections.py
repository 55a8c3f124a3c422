"""Edits of the sections of a track: add, rename, split, join, delete, reverse the whole."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack, SectionSpan, build_track
from ..track.description import (
    ControlPoint,
    RollPoint,
    Section,
    SplineSection,
    StraightSection,
    TableSection,
    Track,
)
from ..track.device_spans import SLIVER, device_spans, stretch
from ..track.devices import Device, kind_of
from ..track.devices.law import PASSES
from ..track.elements import Element, StartPose, name_by_direction
from ..track.heartline import HeartlinePoint
from .along_track import follow_cut, follow_join, follow_section, shortened
from .changes import changed, free_name, set_track, the_track
from .elements_track import pose_at, to_control_points
from .places import section_named
from .points import with_section

NEW_LENGTH = 20.0  # m, of a new straight piece or a new track


def new_track(project: Project) -> Project:
    """The project with a new open track: a straight piece of 20 m to start from."""
    points = (ControlPoint(x=0, y=0, z=1, cant=0), ControlPoint(x=NEW_LENGTH, y=0, z=1, cant=0))
    track = Track(name="Track", sections=(SplineSection(name="section 1", points=points),))
    return changed(project, "Project", {"track": track})


def set_section(project: Project, name: str, fields: dict[str, Any]) -> Project:
    """Change fields of a section, its name included.

    Parameters
    ----------
    name
        Of the section.
    fields
        Values by name, in SI.

    Returns
    -------
    The changed project.
    """
    section = section_named(the_track(project), name)
    made = with_section(project, name, changed(section, f"Section '{name}'", fields))
    return follow_section(made, name, fields["name"]) if fields.get("name", name) != name else made


def turn_section(project: Project, name: str, direction: str) -> tuple[Project, str]:
    """Let an element go another way; a name that said the old one ("Left turn 2") says the new one. Returns the project
    and the section's name."""
    track = the_track(project)
    before = section_named(track, name)
    made = set_section(project, name, {"direction": direction})
    after = section_named(the_track(made), name)
    if not isinstance(before, Element) or not isinstance(after, Element):
        return made, name
    old, new = name_by_direction(before), name_by_direction(after)
    if not old or not re.fullmatch(rf"{re.escape(old)}( \d+)?", name) or old == new:
        return made, name
    new = free_name(new, (section.name for section in track.sections))
    return set_section(made, name, {"name": new}), new


def add_spline_section(project: Project, built: BuiltTrack) -> tuple[Project, str]:
    """Append a spline section whose first points go on straight from the end of an open track.

    Raises InputError for a closed track: split one of its sections instead. Returns the new section's name.
    """
    track = _open(project)
    name = free_name("section 1", (s.name for s in track.sections))
    end, tangent = _end(built)
    cant = _end_cant(built)
    points = []
    for step in (0.5, 1.0):
        x, y, z = (float(v) for v in end + step * NEW_LENGTH * tangent)
        points.append(ControlPoint(x=x, y=y, z=z, cant=cant))
    section = SplineSection(name=name, points=tuple(points))
    return set_track(project, {"sections": (*track.sections, section)}), name


def add_straight_section(project: Project, built: BuiltTrack) -> tuple[Project, str]:
    """Append an exactly straight section of 20 m to an open track. Returns its name.

    A straight follows a spline without a kink because the spline is led into it.
    """
    track = _open(project)
    name = free_name("straight 1", (s.name for s in track.sections))
    end, tangent = _end(built)
    x, y, z = (float(v) for v in end + NEW_LENGTH * tangent)
    section = StraightSection(name=name, end=(x, y, z), cant=_end_cant(built))
    return set_track(project, {"sections": (*track.sections, section)}), name


def _open(project: Project) -> Track:
    track = the_track(project)
    if track.closed:
        raise InputError("The track is closed and has no end to add to; split a section, or open the track.")
    return track


def _end(built: BuiltTrack) -> tuple[Any, Any]:
    state = built.centreline.state(built.length)
    return state.curve[0, 0], state.curve[0, 1]


def _end_cant(built: BuiltTrack) -> float | None:
    state = built.centreline.state(built.length)
    return None if abs(float(state.curve[0, 1, 2])) > 0.9 else float(state.cant[0])


def delete_section(project: Project, name: str) -> Project:
    """Delete a section with the devices on it; the track then runs from the one before to the one behind.

    A device that runs on to other sections keeps what it has of them.
    """
    track = the_track(project)
    section_named(track, name)
    rest = [s for s in track.sections if s.name != name]
    if not rest:
        raise InputError(f"'{name}' is the only section; a track needs at least one.")
    first = rest[0]
    if isinstance(first, Element) and first.pose is None:
        built = build_track(track, ride=False)
        span = next(s for s in built.sections if s.name == first.name)
        rest[0] = first.model_copy(update={"pose": pose_at(built, span.s0)})
    if isinstance(first, StraightSection) and first.start is None:
        raise InputError(
            f"Section '{first.name}' would become the first and has no start point; give it one."
        )
    made = set_track(shortened(project, name), {"sections": tuple(rest)})
    return follow_section(made, name, None)


def split_section(project: Project, name: str, at: int) -> tuple[Project, str]:
    """Split a spline section in front of its point `at`; returns the project and the name of the second half.

    The track stays as it is: sections are names for stretches of one curve. Roll points, devices and points of the
    heartline go along; see `follow_cut` for a device across the border, and `core.edits.splitting` for a cut anywhere
    on a section of any kind.
    """
    track = the_track(project)
    section = section_named(track, name)
    if not isinstance(section, SplineSection) or not 0 < at < len(section.points):
        raise InputError(f"Section '{name}' can be split in front of its second to last points only.")
    built = build_track(track, ride=False)
    cut = built.point_places[name][at] - _span(built, name).s0
    second = free_name(name, (s.name for s in track.sections))
    ahead = tuple(p for p in section.roll_points if p.at < cut)
    behind = tuple(p.model_copy(update={"at": p.at - cut}) for p in section.roll_points if p.at >= cut)
    halves = (
        section.model_copy(update={"points": section.points[:at], "roll_points": ahead}),
        section.model_copy(update={"name": second, "points": section.points[at:], "roll_points": behind}),
    )
    k = track.sections.index(section)
    made = set_track(project, {"sections": (*track.sections[:k], *halves, *track.sections[k + 1 :])})
    return follow_cut(made, name, second, cut), second


def own_section(project: Project, name: str, first: int, last: int) -> tuple[Project, str]:
    """Make the points `first` to `last` of a spline section a section of their own; returns the project and its name.

    The track stays as it is, see `split_section`. Raises InputError where they are the whole section.
    """
    section = section_named(the_track(project), name)
    if not isinstance(section, SplineSection) or last - first + 1 >= len(section.points):
        raise InputError(
            f"These are all points of section '{name}', which is an element already; select some of them."
        )
    if last + 1 < len(section.points):
        project, _ = split_section(project, name, last + 1)
    return split_section(project, name, first) if first > 0 else (project, name)


def _span(built: BuiltTrack, name: str) -> SectionSpan:
    return next(span for span in built.sections if span.name == name)


def join_with_next(project: Project, name: str) -> Project:
    """Make one section of a spline section and the spline section behind it, under the first one's name.

    Roll points, devices and points of the heartline go along.
    """
    track = the_track(project)
    section = section_named(track, name)
    k = track.sections.index(section)
    following = track.sections[k + 1] if k + 1 < len(track.sections) else None
    if not isinstance(section, SplineSection) or not isinstance(following, SplineSection):
        raise InputError(
            f"Section '{name}' can be joined only with a spline section that comes right behind it."
        )
    span = _span(build_track(track, ride=False), name)
    length = span.s1 - span.s0
    first, second = section.points, following.points
    if math.dist(first[-1].position, second[0].position) < 1e-6:
        # the point at the border is given in both sections; the piece behind it is the second one's
        cant = second[0].cant if first[-1].cant is None else first[-1].cant
        first, second = first[:-1], (second[0].model_copy(update={"cant": cant}), *second[1:])
    rolls = [p for p in section.roll_points if p.at < length]  # those beyond its end never counted
    rolls += [p.model_copy(update={"at": p.at + length}) for p in following.roll_points]
    joined = section.model_copy(update={"points": first + second, "roll_points": tuple(rolls)})
    made = set_track(project, {"sections": (*track.sections[:k], joined, *track.sections[k + 2 :])})
    return follow_join(made, name, following.name, length)


def move_section(project: Project, name: str, to: int) -> Project:
    """Put a section at place `to` (from 0) of the running order."""
    sections = list(the_track(project).sections)
    section = section_named(the_track(project), name)
    first = sections[0]
    sections.remove(section)
    sections.insert(to, section)
    if sections[0] is not first:
        _hand_over_start(sections, first)
    return set_track(project, {"sections": tuple(sections)})


def _hand_over_start(sections: list[Section], first: Section) -> None:
    """The start pose of what was the first element goes to the element that is now first."""
    if not isinstance(first, Element):
        return
    pose = first.pose or StartPose()
    sections[sections.index(first)] = first.model_copy(update={"pose": None})
    if isinstance(sections[0], Element):
        sections[0] = sections[0].model_copy(update={"pose": pose})
    elif isinstance(sections[0], StraightSection) and sections[0].start is None:
        sections[0] = sections[0].model_copy(update={"start": pose.position})


def table_to_spline(project: Project, built: BuiltTrack, name: str, spacing: float) -> Project:
    """Turn a table section into a spline through points about `spacing` (m) apart on the fitted curve.

    Cants are taken from the track where it is not steep. Raises InputError for other kinds of section.
    """
    section = section_named(the_track(project), name)
    if not isinstance(section, TableSection):
        raise InputError(f"Section '{name}' is a {section.kind} already; only a table can be converted.")
    return to_control_points(project, built, name, spacing=spacing)[0]


def reverse_track(project: Project) -> Project:
    """Let the track run the other way: order of sections and points, cants and straight pieces turned round.

    The rails stay where they are; arc length 0 is then at what was the last point. Straight sections become
    splines with a straight piece, because a straight is described by its end only. Devices and the heartline stay where
    they are; see `carried_over`.
    """
    track = the_track(project)
    plain = _without_straights(track)
    pieces: list[bool] = [p.straight for s in plain if isinstance(s, SplineSection) for p in s.points]
    before = iter(reversed([pieces[-1] and track.closed, *pieces[:-1]])) if pieces else iter(())
    goes_on = {a.name for a, b in pairwise(plain) if isinstance(b, TableSection) and b.continues}
    turned: list[Section] = []
    for section in reversed(plain):
        if isinstance(section, SplineSection):
            points = tuple(
                p.model_copy(update={"cant": None if p.cant is None else -p.cant, "straight": next(before)})
                for p in reversed(section.points)
            )
            turned.append(section.model_copy(update={"points": points, "roll_points": ()}))
        elif isinstance(section, TableSection):
            table = _turned_table(section)
            turned.append(table.model_copy(update={"continues": section.name in goes_on}))
    made = set_track(project, {"sections": tuple(turned)})
    along = (
        track.devices or track.heartline.points or any(getattr(s, "roll_points", ()) for s in track.sections)
    )
    return carried_over(build_track(track, ride=False), made) if along else made


def _without_straights(track: Track) -> list[Section]:
    out: list[Section] = []
    last: ControlPoint | None = None
    for section in track.sections:
        if isinstance(section, StraightSection):
            begin = last
            if section.start is not None:
                x, y, z = section.start
                begin = ControlPoint(x=x, y=y, z=z)
            if begin is None:
                raise InputError(f"Section '{section.name}' comes first and has no start point; give it one.")
            # a cant that the section before prescribes at the common point goes first
            cant = section.cant if begin.cant is None else begin.cant
            if section.end is None:
                raise InputError(_by_itself(section))
            x, y, z = section.end
            last = ControlPoint(x=x, y=y, z=z, cant=section.cant)
            points = (begin.model_copy(update={"cant": cant, "straight": True}), last)
            out.append(SplineSection(name=section.name, points=points))
        elif isinstance(section, Element):
            raise InputError(_by_itself(section))
        else:
            out.append(section)
            if isinstance(section, SplineSection):
                last = section.points[-1]
            else:
                x, y, z = section.positions[-1]
                last = ControlPoint(x=x, y=y, z=z)
    return out


def _by_itself(section: Section) -> str:
    return (
        f"Section '{section.name}' follows from the track before it and cannot be run backwards; turn it into control"
        " points first."
    )


def _turned_table(section: TableSection) -> TableSection:
    def back(rows: Any) -> Any:
        return None if rows is None else tuple(reversed(rows))

    left = None if section.left is None else tuple((-x, -y, -z) for x, y, z in reversed(section.left))
    cant = None if section.cant is None else tuple(None if c is None else -c for c in reversed(section.cant))
    fields = {"positions": back(section.positions), "left": left, "up": back(section.up), "cant": cant}
    return changed(section, f"Section '{section.name}'", fields)


def carried_over(old: BuiltTrack, turned: Project) -> Project:
    """Devices, heartline and roll points of a track on the same track run the other way.

    old: the built track before; turned: the project with the sections turned round, without roll points. Roll points
    that come to lie on a table or a straight are left out.
    """
    new = build_track(the_track(turned), ride=False)
    mirrored = _mirror(old, new)
    devices = _devices(old, new, mirrored)
    points = []
    spans = {span.name: span for span in old.sections}
    for point in old.track.heartline.points:
        span = spans[point.section]
        name, offset = _place(new, mirrored(min(span.s0 + point.offset, span.s1)))
        points.append(HeartlinePoint(section=name, offset=offset, height=point.height))
    order = {span.name: k for k, span in enumerate(new.sections)}
    points.sort(key=lambda point: (order[point.section], point.offset))
    heartline = old.track.heartline.model_copy(update={"points": tuple(points)})
    sections = _with_rolls(old, new, mirrored)
    return set_track(turned, {"devices": devices, "heartline": heartline, "sections": sections})


def _mirror(old: BuiltTrack, new: BuiltTrack) -> Callable[[float], float]:
    """Arc length (m) on the new track of a place on the old one."""
    length = new.length
    if not new.centreline.closed:
        return lambda s: min(max(length - s, 0.0), length)
    begin = max(station.s for station in old.stations)  # the last point is where the new track begins
    return lambda s: float((begin - s) % length)


def _place(new: BuiltTrack, s: float) -> tuple[str, float]:
    name = new.section_at(s)
    return name, max(s - next(span.s0 for span in new.sections if span.name == name), 0.0)


def _devices(old: BuiltTrack, new: BuiltTrack, mirrored: Callable[[float], float]) -> tuple[Device, ...]:
    """The devices on the track run the other way; one that would lie across where a circuit begins becomes two, and one
    that stops trains stays where it has most of its length."""
    names = {device.name for device in old.track.devices}
    out: list[Device] = []
    for placed in device_spans(old.track.devices, old.sections):
        begin = mirrored(placed.s1)
        end = begin + placed.s1 - placed.s0
        laps = (0.0, new.length) if new.centreline.closed else (0.0,)
        parts = [(max(begin, lap) - lap, min(end, lap + new.length) - lap) for lap in laps]
        parts = [(a, b) for a, b in parts if b - a > SLIVER]
        if kind_of(placed.device).row(placed.device, 1.0).hold != PASSES:
            parts = [max(parts, key=lambda part: part[1] - part[0])]
        for k, (a, b) in enumerate(parts):
            name = placed.device.name if k == 0 else free_name(placed.device.name, names)
            names.add(name)
            out.append(placed.device.model_copy(update={"name": name, **stretch(new.sections, a, b)}))
    return tuple(out)


def _with_rolls(old: BuiltTrack, new: BuiltTrack, mirrored: Callable[[float], float]) -> tuple[Section, ...]:
    """The sections of the new track with the roll points of the old one: what leaned left leans right."""
    found: dict[str, list[RollPoint]] = {}
    for section, span in zip(old.track.sections, old.sections, strict=True):
        for point in section.roll_points if isinstance(section, SplineSection) else ():
            if span.s0 + point.at < span.s1:
                name, offset = _place(new, mirrored(span.s0 + point.at))
                rates = point.rates
                turned = None if rates is None else (rates[0], -rates[1], rates[2])
                found.setdefault(name, []).append(RollPoint(at=offset, cant=-point.cant, rates=turned))
    out: list[Section] = []
    for section in new.track.sections:
        rolls = sorted(found.get(section.name, ()), key=lambda point: point.at)
        if rolls and isinstance(section, SplineSection):
            section = section.model_copy(update={"roll_points": tuple(rolls)})
        out.append(section)
    return tuple(out)
