"""The closing piece of a circuit: taken out so that it can be drawn anew, and what lies along it put back."""

from __future__ import annotations

import re
from itertools import takewhile

from ..base.errors import InputError
from ..base.sentence import say
from ..project.project import Project
from ..track.build import BuiltTrack, SectionSpan, build_track
from ..track.description import SplineSection, Track
from .changes import changed, set_track, the_track
from .sections import delete_section

#: What Close the circuit calls its piece. Older files have no other mark of it.
NAMED = re.compile(r"Closing( \d+)?")
SLIVER = 0.5  # m of a device that the new piece is too short for


def closing_piece(track: Track | None) -> tuple[str, ...]:
    """Names of the sections, in running order, that were drawn to close a circuit and still end it; () for none."""
    if track is None or not track.closed:
        return ()
    ending = takewhile(lambda s: isinstance(s, SplineSection) and s.closing, reversed(track.sections))
    names = tuple(section.name for section in ending)[::-1]
    last = track.sections[-1]
    if not names and isinstance(last, SplineSection) and NAMED.fullmatch(last.name):
        names = (last.name,)
    return names if len(names) < len(track.sections) else ()


def closing_spans(built: BuiltTrack) -> tuple[SectionSpan, ...]:
    """Where the closing piece of a circuit runs; () for none."""
    names = closing_piece(built.track)
    return tuple(span for span in built.sections if span.name in names)


def without_closing(project: Project) -> Project:
    """The open track that the closing piece was drawn for, without what lies along the piece. Raises InputError for a
    circuit that has none."""
    names = closing_piece(the_track(project))
    if not names:
        raise InputError("The circuit has no closing piece that Close the circuit has drawn.")
    for name in names:
        project = delete_section(project, name)
    return set_track(project, {"closed": False})


def put_back(old: Project, made: Project) -> Project:
    """A track closed anew, its piece named as the one before, with the devices and points of the heartline of that.

    old: with the former piece; made: closed anew from `without_closing(old)`. A device stays as far from the beginning
    of the piece and ends with the piece at the latest. Raises InputError where it would begin behind its end, and where
    the new piece is no section of its own.
    """
    spans = closing_spans(build_track(the_track(old), ride=False))
    offset = {span.name: span.s0 - spans[0].s0 for span in spans}
    on_it = [device for device in the_track(old).devices if device.section in offset]
    points = [point for point in the_track(old).heartline.points if point.section in offset]
    new = closing_piece(the_track(made))
    if not new:
        if on_it:
            raise InputError(
                f"The gap is too short for a closing piece of its own, and '{on_it[0].name}' lies on the one there is;"
                " move it to another section first."
            )
        return made
    name = spans[0].name
    made = _renamed(made, new[0], name)
    (span,) = closing_spans(build_track(the_track(made), ride=False))
    length = span.s1 - span.s0
    devices = []
    for device in on_it:
        begin = offset[device.section] + device.start
        if begin > length - SLIVER:
            raise InputError(
                say(
                    "'{device}' begins {begin:.1f m} behind the beginning of the closing piece, which"
                    " is {length:.1f m} long now; move it first.",
                    device=device.name,
                    begin=begin,
                    length=length,
                )
            )
        ends_on = device.end_section or device.section
        last = ends_on == spans[-1].name
        end = None if device.end is None and last else _end(device.end, ends_on, spans, offset)
        end = None if end is None or end >= length else end
        fields = {"section": name, "start": begin, "end": end, "end_section": None}
        devices.append(changed(device, device.name, fields))
    kept = [
        point.model_copy(update={"section": name, "offset": offset[point.section] + point.offset})
        for point in points
        if offset[point.section] + point.offset < length
    ]
    track = the_track(made)
    heartline = track.heartline.model_copy(update={"points": (*track.heartline.points, *kept)})
    return set_track(made, {"devices": (*track.devices, *devices), "heartline": heartline})


def _end(end: float | None, section: str, spans: tuple[SectionSpan, ...], offset: dict[str, float]) -> float:
    """End of a device from the beginning of the piece (m)."""
    if end is not None:
        return offset[section] + end
    return next(span.s1 for span in spans if span.name == section) - spans[0].s0


def _renamed(project: Project, name: str, new: str) -> Project:
    sections = tuple(
        s.model_copy(update={"name": new}) if s.name == name else s for s in the_track(project).sections
    )
    return set_track(project, {"sections": sections})
