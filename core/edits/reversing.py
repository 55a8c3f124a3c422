"""What lies along a track when the track is run the other way: devices, places of the heartline, roll points."""

from __future__ import annotations

from collections.abc import Callable

from ..project.project import Project
from ..track.build import BuiltTrack, build_track
from ..track.description import RollPoint, Section, SplineSection
from ..track.device_spans import SLIVER, device_spans, stretch
from ..track.devices import Device, kind_of
from ..track.devices.law import PASSES
from ..track.heartline import HeartlinePoint
from .changes import free_name, set_track, the_track


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
