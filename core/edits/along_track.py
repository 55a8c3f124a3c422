"""Edits of what lies along the track: devices, heartline, the ground."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..base.errors import InputError
from ..project.project import Project, sentence
from ..track.devices import KINDS, AnyDevice, Device, kind_of
from ..track.heartline import HeartlinePoint
from .changes import changed, free_name, set_track, the_track
from .places import section_named
from .station import stand_in_station

_DEVICE: TypeAdapter[Any] = TypeAdapter(AnyDevice)
AT_THE_CUT = 1e-3  # m; what ends or begins this near to a cut ends or begins there


def add_device(
    project: Project, kind: str, section: str, fields: Mapping[str, Any] | None = None
) -> tuple[Project, str]:
    """Add a device over a whole section, or over what `fields` say.

    Parameters
    ----------
    kind
        One of `core.track.devices.KINDS`.
    section
        Name of the section it begins on.
    fields
        Values of its fields, in SI.

    Returns
    -------
    The project and the name of the device. A train begins its ride in its first station (`stand_in_station`).

    Raises
    ------
    InputError
        For an unknown kind, a missing section or values out of range.
    """
    track = the_track(project)
    section_named(track, section)
    _known(kind)
    name = free_name(f"{KINDS[kind].stem} 1", (device.name for device in track.devices))
    data = {"kind": kind, "name": name, "section": section, **(fields or {})}
    try:
        device = _DEVICE.validate_python(data)
    except ValidationError as error:
        raise InputError(sentence(error, f"Device '{name}'", data)) from None
    return stand_in_station(set_track(project, {"devices": (*track.devices, device)})), device.name


def _known(kind: str) -> None:
    if kind not in KINDS:
        raise InputError(f"There is no device of kind '{kind}'; there are {', '.join(KINDS)}.")


def _device(project: Project, name: str) -> Device:
    for device in the_track(project).devices:
        if device.name == name:
            return device
    raise InputError(f"The track has no device '{name}'.")


def set_device(project: Project, name: str, fields: Mapping[str, Any]) -> Project:
    """Change fields of a device, its name and its section included.

    Parameters
    ----------
    name
        Of the device.
    fields
        Values by name, in SI; one that is to end on another section ends where that one ends, unless they say
        where.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        When a value is not allowed or there is no such device.
    """
    if "end_section" in fields:
        fields = {"end": None, **fields}
    new = changed(_device(project, name), f"Device '{name}'", fields)
    section_named(the_track(project), new.section)
    if new.end_section is not None:
        section_named(the_track(project), new.end_section)
    devices = tuple(new if d.name == name else d for d in the_track(project).devices)
    return set_track(project, {"devices": devices})


def change_device(project: Project, name: str, kind: str) -> tuple[Project, str]:
    """Make a device one of another kind; returns the project and its name.

    It stays where it is and keeps what the other kind has too, unless that kind does not allow the value; a name it was
    given when it was added ("trim brake 1") says the new kind. Raises InputError for an unknown kind.
    """
    track, old = the_track(project), _device(project, name)
    _known(kind)
    if kind == old.kind:
        return project, name
    kept = {field: getattr(old, field) for field in old.model_fields_set - {"kind"}}
    if re.fullmatch(rf"{kind_of(old).stem} \d+", name):
        kept["name"] = free_name(f"{KINDS[kind].stem} 1", (device.name for device in track.devices))
    try:
        new = _DEVICE.validate_python({"kind": kind, **kept})
    except ValidationError as error:
        foreign = {fault["loc"][1] for fault in error.errors(include_url=False)}
        new = _DEVICE.validate_python({"kind": kind, **{f: v for f, v in kept.items() if f not in foreign}})
    devices = tuple(new if device is old else device for device in track.devices)
    return set_track(project, {"devices": devices}), new.name


def delete_device(project: Project, name: str) -> Project:
    """Remove a device.

    Parameters
    ----------
    name
        Of the device.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        When there is no such device.
    """
    gone = _device(project, name)
    return set_track(project, {"devices": tuple(d for d in the_track(project).devices if d is not gone)})


def set_heartline(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the heartline.

    Parameters
    ----------
    fields
        Height (m) everywhere, or points that make it vary.

    Returns
    -------
    The changed project.
    """
    track = the_track(project)
    return set_track(project, {"heartline": changed(track.heartline, "Heartline", fields)})


def set_heartline_at(project: Project, section: str, offset: float, height: float) -> Project:
    """Let the heartline pass `height` (m) above the rails at `offset` (m) from the start of a section.

    A point that is there already is replaced.
    """
    track = the_track(project)
    section_named(track, section)
    kept = [p for p in track.heartline.points if p.section != section or abs(p.offset - offset) > 1e-6]
    try:
        point = HeartlinePoint(section=section, offset=offset, height=height)
    except ValidationError as error:
        raise InputError(sentence(error, "Point of the heartline")) from None
    order = {s.name: k for k, s in enumerate(track.sections)}
    points = sorted([*kept, point], key=lambda p: (order.get(p.section, -1), p.offset))
    return set_heartline(project, {"points": tuple(points)})


def set_site(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the ground: level (m, None: just below the lowest rail), field (a height field or None)."""
    return set_track(project, {"site": changed(the_track(project).site, "Site", fields)})


def follow_section(project: Project, name: str, new: str | None) -> Project:
    """Let devices and points of the heartline go along when a section is renamed; new None: it is gone, and so are
    they; see `shortened` for those that run on from it or on to it."""
    track = the_track(project)
    fields: dict[str, Any] = {}
    if any(name in (d.section, d.end_section) for d in track.devices):
        kept = [d for d in track.devices if d.section != name or new is not None]
        fields["devices"] = tuple(
            d.model_copy(
                update={field: new for field in ("section", "end_section") if getattr(d, field) == name}
            )
            for d in kept
        )
    if any(p.section == name for p in track.heartline.points):
        points = [p for p in track.heartline.points if p.section != name or new is not None]
        moved = tuple(p.model_copy(update={"section": new}) if p.section == name else p for p in points)
        fields["heartline"] = track.heartline.model_copy(update={"points": moved})
    return set_track(project, fields) if fields else project


def shortened(project: Project, name: str) -> Project:
    """The project with the devices that begin or end on a section, and run on from it or on to it, on what is left of
    them without it: they begin where the section behind begins, or end where the one before ends."""
    track = the_track(project)
    order = [section.name for section in track.sections]
    k = order.index(name)
    devices = []
    for device in track.devices:
        update: dict[str, Any] = {}
        if device.section == name and device.end_section is not None:
            behind = order[k + 1]
            update = {"section": behind, "start": 0.0}
            if device.end_section == behind:
                update["end_section"] = None
        elif device.end_section == name:
            before = order[k - 1]
            update = {"end": None, "end_section": None if before == device.section else before}
        devices.append(device.model_copy(update=update))
    return set_track(project, {"devices": tuple(devices)})


def follow_cut(project: Project, name: str, second: str, cut: float) -> Project:
    """Let devices and points of the heartline go along when a section is cut and what lies behind the cut becomes the
    section `second`.

    cut (m from the start of the section). A device across the cut runs on to the second section.
    """
    track = the_track(project)
    devices: list[Device] = []
    for device in track.devices:
        update: dict[str, Any] = {}
        ends_here = name == (device.end_section or device.section)
        if device.section == name and device.start >= cut - AT_THE_CUT:
            update = {"section": second, "start": max(device.start - cut, 0.0)}
        if ends_here and (device.end is None or device.end > cut + AT_THE_CUT):
            update["end"] = None if device.end is None else device.end - cut
            update["end_section"] = None if "section" in update else second
        devices.append(device.model_copy(update=update))
    points = tuple(
        p.model_copy(update={"section": second, "offset": p.offset - cut})
        if p.section == name and p.offset > cut + AT_THE_CUT
        else p
        for p in track.heartline.points
    )
    heartline = track.heartline.model_copy(update={"points": points})
    return set_track(project, {"devices": tuple(devices), "heartline": heartline})


def follow_join(project: Project, name: str, second: str, length: float) -> Project:
    """Let devices and points of the heartline go along when the section `second` becomes the end of the section
    before it, which was `length` (m) long."""
    track = the_track(project)
    devices: list[Device] = []
    for device in track.devices:
        update: dict[str, Any] = {}
        last = device.end_section or device.section
        if device.section == second:
            update = {"section": name, "start": device.start + length}
        if last == second and device.end is not None:
            update["end"] = device.end + length
        elif last == name:
            update["end"] = min(device.end or length, length)
        if last == second:
            first = update.get("section", device.section)
            update["end_section"] = None if first == name else name
        devices.append(device.model_copy(update=update))
    points = tuple(
        p.model_copy(update={"section": name, "offset": p.offset + length})
        if p.section == second
        else p.model_copy(update={"offset": min(p.offset, length)})
        if p.section == name
        else p
        for p in track.heartline.points
    )
    heartline = track.heartline.model_copy(update={"points": points})
    return set_track(project, {"devices": tuple(devices), "heartline": heartline})
