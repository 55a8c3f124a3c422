"""Edits of the keys of force-vector sections, and their functions as they are felt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from ..project.project import Project
from ..track.build import BuiltTrack
from ..track.elements.force import ForceSection, Key, keyed
from ..track.programs.entry import Entry
from ..track.programs.forces import felt
from .changes import changed, the_track
from .places import section_named
from .points import with_section

ChannelName = Literal["normal_g", "lateral_g", "roll_rate"]
CHANNELS: Final[tuple[ChannelName, ...]] = ("roll_rate", "normal_g", "lateral_g")
MIN_APART: Final = 1e-3  # of the extent, between two keys


def force_section(project: Project, name: str) -> ForceSection:
    """The force section called `name`; InputError when it is of another kind."""
    section = section_named(the_track(project), name)
    if not isinstance(section, ForceSection):
        raise InputError(f"Section '{name}' is a {section.kind}; only force sections have keys.")
    return section


def keys_of(section: ForceSection, channel: ChannelName) -> tuple[Key, ...]:
    """The keys of a channel."""
    keys: tuple[Key, ...] = getattr(section, channel)
    return keys


def _with(project: Project, name: str, channel: ChannelName, keys: tuple[Key, ...]) -> Project:
    section = force_section(project, name)
    return with_section(project, name, changed(section, f"Section '{name}'", {channel: keys}))


def add_key(
    project: Project, name: str, channel: ChannelName, at: float, value: float, transition: str = "cubic"
) -> tuple[Project, int]:
    """Add a key at `at` (s or m) with a value (g, rad/s), or give the key that is there the value.

    Returns the project and the key's number. Raises InputError for places outside the section.
    """
    section = force_section(project, name)
    keys = list(keys_of(section, channel))
    near = MIN_APART * section.extent
    at = float(np.clip(at, 0.0, section.extent))
    for k, key in enumerate(keys):
        if abs(key.at - at) < near:
            return set_key(project, name, channel, k, {"value": value}), k
    where = f"Key of section '{name}'"
    key = changed(Key(at=at, value=0.0), where, {"value": value, "transition": transition})
    number = sum(other.at < at for other in keys)
    keys.insert(number, key)
    return _with(project, name, channel, tuple(keys)), number


def set_key(
    project: Project, name: str, channel: ChannelName, number: int, fields: Mapping[str, Any]
) -> Project:
    """Change a key: at (s or m; it stays between its neighbours), value (g, rad/s), transition."""
    section = force_section(project, name)
    keys = keys_of(section, channel)
    if not 0 <= number < len(keys):
        raise InputError(f"Section '{name}' has no key {number + 1} there.")
    given = dict(fields)
    if "at" in given:
        near = MIN_APART * section.extent
        low = keys[number - 1].at + near if number else 0.0
        high = keys[number + 1].at - near if number + 1 < len(keys) else section.extent
        given["at"] = float(np.clip(given["at"], low, high))
    new = changed(keys[number], f"Key {number + 1} of section '{name}'", given)
    return _with(project, name, channel, (*keys[:number], new, *keys[number + 1 :]))


def delete_key(project: Project, name: str, channel: ChannelName, number: int) -> Project:
    """Remove a key."""
    keys = keys_of(force_section(project, name), channel)
    if not 0 <= number < len(keys):
        raise InputError(f"Section '{name}' has no key {number + 1} there.")
    return _with(project, name, channel, keys[:number] + keys[number + 1 :])


def entry_values(section: ForceSection, built: BuiltTrack | None) -> dict[ChannelName, float]:
    """What the functions come from: normal and lateral g and roll rate (rad/s) of the track at the entry.

    built: the track with the section; None, when it cannot be built, takes a level straight one.
    """
    span = None if built is None else next((s for s in built.sections if s.name == section.name), None)
    if built is None or span is None:
        return {"normal_g": 1.0, "lateral_g": 0.0, "roll_rate": 0.0}
    state = built.centreline.state(span.s0)
    k, k1, left, up = state.curve[0, 2], state.curve[0, 3], state.left[0], state.up[0]
    turn, turn1 = float(state.twist[0, 0]), float(state.twist[0, 1])
    entry = Entry(
        state.curve[0, 0],
        state.tangent[0],
        up,
        left_bend=float(k @ left),
        up_bend=float(k @ up),
        roll_rate=turn,
        left_slope=float(k1 @ left + turn * (k @ up)),
        up_slope=float(k1 @ up - turn * (k @ left)),
        roll_slope=turn1,
    )
    line = entry.offset(section.line_height)
    normal, lateral = felt(line, section.entry_speed)
    return {"normal_g": normal, "lateral_g": lateral, "roll_rate": line.roll_rate * section.entry_speed}


def function_values(section: ForceSection, channel: ChannelName, start: float, at: ArrayLike) -> Array:
    """Values (n,) of a channel at `at` (n,) s or m, as the section is drawn from it; start: its value at the entry."""
    values: Array = keyed(keys_of(section, channel), start, section.extent).at(at)[:, 0]
    return values
