"""Where devices lie on a built track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from ..base.errors import InputError, located
from ..base.sentence import say
from ..base.where import Where
from .devices import Device, kind_of

SAME_PLACE = 1e-6  # m, devices may touch within this
SLIVER = 0.05  # m


@dataclass(frozen=True)
class DeviceSpan:
    """A device and the arc lengths s0 < s1 (m) of the centreline between which it acts."""

    device: Device
    s0: float
    s1: float


def first_drive(
    spans: Sequence[DeviceSpan], start: float, length: float, closed: bool
) -> tuple[DeviceSpan, float] | None:
    """The first device ahead that gives the train its speed, whatever it comes with.

    Parameters
    ----------
    spans
        Of the devices.
    start
        m, of the ride, off the devices.
    length
        m, of the track.
    closed
        Whether it goes round the circuit.

    Returns
    -------
    The device and how far ahead it begins (m); None without any. A trim brake only takes speed, and does not count.
    """
    ahead = [
        (span.s0 - start + (length if span.s0 < start else 0.0), span)
        for span in spans
        if kind_of(span.device).drives and (span.s0 >= start or closed)
    ]
    if not ahead:
        return None
    away, span = min(ahead, key=lambda one: one[0])
    return span, away


class Span(Protocol):
    """A named stretch of the centreline (m), as `core.track.build.SectionSpan`."""

    @property
    def name(self) -> str: ...
    @property
    def s0(self) -> float: ...
    @property
    def s1(self) -> float: ...


def section_span(sections: Sequence[Span], name: str, what: str) -> Span:
    """The stretch of a section by its name. Raises InputError naming `what` and the section when there is none."""
    for span in sections:
        if span.name == name:
            return span
    raise InputError(
        f"{what} is placed on section '{name}', which the track does not have; choose one of"
        f" {', '.join(repr(s.name) for s in sections[:8])}{' ...' if len(sections) > 8 else ''}."
    )


def device_spans(devices: Sequence[Device], sections: Sequence[Span]) -> tuple[DeviceSpan, ...]:
    """Where devices lie on a built track.

    Parameters
    ----------
    devices
        As described.
    sections
        The spans (m) of the built track.

    Returns
    -------
    In the order of the track; an end behind that of its section is cut there.

    Raises
    ------
    InputError
        Naming the device, when a section of it is missing or they come in the wrong order, when it starts behind the
        end of its section, or when it overlaps another device.
    """
    spans = []
    for device in devices:
        with located(device_where(device.name)):
            spans.append(_placed(device, sections))
    spans.sort(key=lambda span: span.s0)
    for before, after in pairwise(spans):
        if after.s0 < before.s1 - SAME_PLACE:
            raise InputError(
                say(
                    "Devices '{before}' and '{after}' overlap from s = {begin:.2f m} to {end:.2f m}; move one of them.",
                    before=before.device.name, after=after.device.name, begin=after.s0, end=min(before.s1, after.s1),
                ),
                device_where(after.device.name).filled(Where(s=after.s0)),
            )  # fmt: skip
    return tuple(spans)


def device_where(name: str) -> Where:
    """Where in a project a device of the track is."""
    return Where(("track", "devices", name))


def _placed(device: Device, sections: Sequence[Span]) -> DeviceSpan:
    what = f"Device '{device.name}'"
    section = section_span(sections, device.section, what)
    length = section.s1 - section.s0
    if device.start >= length - SAME_PLACE:
        raise InputError(
            say(
                "{what} starts {start:g m} into section '{section}', which is {length:.2f m} long; move it forward"
                " or to another section.",
                what=what, start=device.start, section=section.name, length=length,
            )
        )  # fmt: skip
    last = section if device.end_section is None else section_span(sections, device.end_section, what)
    if last.s0 < section.s0:
        raise InputError(
            f"{what} ends on section '{last.name}', which lies before its own, '{section.name}'; choose a section"
            " behind it, or none."
        )
    length = last.s1 - last.s0
    end = length if device.end is None else min(device.end, length)
    return DeviceSpan(device, section.s0 + device.start, last.s0 + end)


def stretch(sections: Sequence[Span], s0: float, s1: float) -> dict[str, Any]:
    """The fields of a device that lies on a stretch of the centreline: what it begins on and what it ends on.

    Parameters
    ----------
    sections
        Spans of the built track.
    s0, s1
        m; a rest of less than SLIVER on a section is left out.

    Returns
    -------
    The fields by name.
    """
    first = next((x for x in sections if s0 < x.s1 - SLIVER), sections[-1])
    last = next((x for x in reversed(sections) if s1 > x.s0 + SLIVER), first)
    end = None if s1 > last.s1 - SAME_PLACE else s1 - last.s0
    return {
        "section": first.name,
        "start": max(s0 - first.s0, 0.0),
        "end": end,
        "end_section": None if last is first else last.name,
    }
