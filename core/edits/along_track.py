"""Edits of what lies along the track: devices, heartline, the ground."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..base.errors import InputError
from ..project.project import Project, sentence
from ..track.devices import Device
from ..track.devices.block_brake import BlockBrake
from ..track.heartline import HeartlinePoint
from .changes import changed, free_name, set_track, the_track
from .places import section_named
from .station import stand_in_station

_DEVICE: TypeAdapter[Any] = TypeAdapter(Device)
AT_THE_CUT = 1e-3  # m; what ends or begins this near to a cut ends or begins there
TITLES = {
    "station": "station",
    "chain_lift": "lift",
    "launch": "launch",
    "trim_brake": "trim brake",
    "block_brake": "brake",
    "drive_tyres": "tyres",
}


def add_device(
    project: Project, kind: str, section: str, fields: Mapping[str, Any] | None = None
) -> tuple[Project, str]:
    """Add a device over a whole section, or over what `fields` say; returns its name. A train begins its ride in its
    first station (`stand_in_station`).

    kind: station, chain_lift, launch, trim_brake, block_brake or drive_tyres. Raises InputError for an unknown kind,
    a missing section or values out of range.
    """
    track = the_track(project)
    section_named(track, section)
    if kind not in TITLES:
        raise InputError(f"There is no device of kind '{kind}'; there are {', '.join(TITLES)}.")
    name = free_name(f"{TITLES[kind]} 1", (device.name for device in track.devices))
    data = {"kind": kind, "name": name, "section": section, **(fields or {})}
    try:
        device = _DEVICE.validate_python(data)
    except ValidationError as error:
        raise InputError(sentence(error, f"Device '{name}'", data)) from None
    return stand_in_station(set_track(project, {"devices": (*track.devices, device)})), device.name


def _device(project: Project, name: str) -> Device:
    for device in the_track(project).devices:
        if device.name == name:
            return device
    raise InputError(f"The track has no device '{name}'.")


def set_device(project: Project, name: str, fields: Mapping[str, Any]) -> Project:
    """Change fields of a device, its name and its section included."""
    new = changed(_device(project, name), f"Device '{name}'", fields)
    section_named(the_track(project), new.section)
    devices = tuple(new if d.name == name else d for d in the_track(project).devices)
    return set_track(project, {"devices": devices})


def change_device(project: Project, name: str, kind: str) -> tuple[Project, str]:
    """Make a device one of another kind; returns the project and its name.

    It stays where it is and keeps what the other kind has too, unless that kind does not allow the value; a name it was
    given when it was added ("trim brake 1") says the new kind. Raises InputError for an unknown kind.
    """
    track, old = the_track(project), _device(project, name)
    if kind not in TITLES:
        raise InputError(f"There is no device of kind '{kind}'; there are {', '.join(TITLES)}.")
    if kind == old.kind:
        return project, name
    kept = {field: getattr(old, field) for field in old.model_fields_set - {"kind"}}
    if re.fullmatch(rf"{TITLES[old.kind]} \d+", name):
        kept["name"] = free_name(f"{TITLES[kind]} 1", (device.name for device in track.devices))
    try:
        new = _DEVICE.validate_python({"kind": kind, **kept})
    except ValidationError as error:
        foreign = {fault["loc"][1] for fault in error.errors(include_url=False)}
        new = _DEVICE.validate_python({"kind": kind, **{f: v for f, v in kept.items() if f not in foreign}})
    devices = tuple(new if device is old else device for device in track.devices)
    return set_track(project, {"devices": devices}), new.name


def delete_device(project: Project, name: str) -> Project:
    """Remove a device."""
    gone = _device(project, name)
    return set_track(project, {"devices": tuple(d for d in the_track(project).devices if d is not gone)})


def set_heartline(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the heartline: height (m) everywhere, or points that make it vary."""
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
    they."""
    track = the_track(project)
    fields: dict[str, Any] = {}
    if any(d.section == name for d in track.devices):
        kept = [d for d in track.devices if d.section != name or new is not None]
        fields["devices"] = tuple(
            d.model_copy(update={"section": new}) if d.section == name else d for d in kept
        )
    if any(p.section == name for p in track.heartline.points):
        points = [p for p in track.heartline.points if p.section != name or new is not None]
        moved = tuple(p.model_copy(update={"section": new}) if p.section == name else p for p in points)
        fields["heartline"] = track.heartline.model_copy(update={"points": moved})
    return set_track(project, fields) if fields else project


def follow_cut(project: Project, name: str, second: str, cut: float) -> Project:
    """Let devices and points of the heartline go along when a section is cut and what lies behind the cut becomes the
    section `second`.

    cut (m from the start of the section). A device across the cut becomes two that touch there and together do what
    the one did. Raises InputError for a block brake across the cut that stops trains: two would stop them twice.
    """
    track = the_track(project)
    names = {device.name for device in track.devices}
    devices: list[Device] = []
    for device in track.devices:
        if device.section != name or (device.end is not None and device.end <= cut + AT_THE_CUT):
            devices.append(device)
            continue
        end = None if device.end is None else device.end - cut
        behind = {"section": second, "start": max(device.start - cut, 0.0), "end": end}
        if device.start >= cut - AT_THE_CUT:
            devices.append(device.model_copy(update=behind))
            continue
        if isinstance(device, BlockBrake) and device.speed == 0.0:
            raise InputError(
                f"The block brake '{device.name}' lies across the cut {cut:.1f} m from the start of '{name}', and two"
                " brakes would stop the train twice; cut in front of it or behind it."
            )
        other = free_name(device.name, names)
        names.add(other)
        devices.append(device.model_copy(update={"end": None}))
        devices.append(device.model_copy(update={"name": other, **behind}))
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
        if device.section == second:
            end = None if device.end is None else device.end + length
            update = {"section": name, "start": device.start + length, "end": end}
            device = device.model_copy(update=update)
        elif device.section == name:
            device = device.model_copy(update={"end": min(device.end or length, length)})
        devices.append(device)
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
