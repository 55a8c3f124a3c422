"""Sections drawn by forces: the motion is integrated along the line of the riders, the rail follows below it.

With the specific force f = a - g felt at the line, normal g n = f.up / g and lateral g l = f.left / g:
k_up = g (n - up_z) / v^2, k_left = g (l - left_z) / v^2, d(v^2)/ds = -2 g (t_z + friction) - 2 drag v^2; with
friction by the load on the wheels friction sqrt(n^2 + l^2) stands in its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...base.errors import InputError
from ..elements.common import RiddenElement
from ..elements.force import ForceSection, Key
from . import kernels
from .channel import Channel, channel
from .entry import Entry
from .leg import INTEGRAL, NODES, ElementLeg, Samples, make_leg, offset_samples
from .program import LONGEST, LONGEST_PIECE, PIECE_TURN, SHORTEST

MAX_PIECES = 6000
SLOWEST = 1.0  # m/s


@dataclass(frozen=True)
class Forces:
    """What is felt along a line: normal and lateral g and roll (rad/s, or rad/m when roll_per_length) over time (s)
    or distance (m); speed (m/s) at the start; friction, by the load on the wheels when load_friction; drag (1/m).
    lateral_free: no lateral curvature instead of a prescribed lateral g."""

    normal: Channel
    lateral: Channel
    roll: Channel
    speed: float
    over_time: bool = False
    roll_per_length: bool = True
    lateral_free: bool = False
    friction: float = 0.0
    drag: float = 0.0
    load_friction: bool = False

    @property
    def laws(self) -> tuple[Channel, Channel, Channel]:
        """Normal g, lateral g and roll."""
        return self.normal, self.lateral, self.roll

    def losing_as(self, section: RiddenElement) -> Forces:
        """The same with friction and drag of an element."""
        by_load = section.friction_law == "load"
        return replace(self, friction=section.friction, drag=section.drag, load_friction=by_load)


def line_entry(section: RiddenElement, entry: Entry) -> Entry:
    """An entry on the rail as the line of the riders sees it, with the gravity the element is drawn for."""
    return replace(entry.offset(section.line_height), gravity=section.gravity)


def felt(entry: Entry, speed: float) -> tuple[float, float]:
    """Normal and lateral g a rider feels where the line has the given curvature, at speed (m/s)."""
    normal = speed**2 * entry.up_bend / entry.gravity + entry.up[2]
    lateral = speed**2 * entry.left_bend / entry.gravity + entry.left[2]
    return float(normal), float(lateral)


def follow_forces(forces: Forces, entry: Entry) -> Samples:
    """Samples of the line from an entry given on it.

    Raises InputError when the ride stalls on the way or the line gets too long.
    """
    channels = forces.laws
    borders = np.unique(np.concatenate([c.edges for c in channels]))
    borders = borders[np.concatenate([[True], np.diff(borders) > 1e-9])]
    y = np.concatenate([entry.position, entry.tangent, entry.up, [forces.speed**2, 0.0]])
    flags = [float(forces.over_time), float(forces.roll_per_length), float(forces.lateral_free)]
    largest, by_load = forces.normal.largest, float(forces.load_friction)
    set_up = np.array([entry.gravity, forces.friction, forces.drag, *flags, largest, by_load])
    limits = np.array([LONGEST_PIECE, PIECE_TURN, SLOWEST**2])
    places = np.empty((MAX_PIECES, 6))
    rows, rates = np.empty((MAX_PIECES, 6, 11)), np.empty((MAX_PIECES, 6, 4))
    ended, count = kernels.follow_forces(
        borders,
        NODES,
        y,
        channels[0].table,
        channels[1].table,
        channels[2].table,
        set_up,
        limits,
        places,
        rows,
        rates,
    )
    if ended == kernels.STALLED:
        raise InputError(
            f"{entry.where}: the ride stalls after {y[10]:.1f} m (slower than {SLOWEST:g} m/s); raise the entry"
            " speed or lower the climb."
        )
    if ended == kernels.TOO_LONG:
        raise InputError(
            f"{entry.where}: the section gets too long or too tight after {y[10]:.1f} m; shorten it or lower the g's."
        )
    if count == 0 or y[10] < SHORTEST:
        raise InputError(
            f"{entry.where}: it would be {y[10]:.2g} m long; {SHORTEST:g} to {LONGEST:.0f} m are possible, raise its"
            " extent."
        )
    places, rows, rates = places[:count], rows[:count], rates[:count]
    return Samples(
        places[:, -1] - places[:, 0],
        rates[..., 3].copy(),
        rows[..., 0:3].copy(),
        rows[..., 3:6].copy(),
        rows[..., 6:9].copy(),
        rates[..., 0].copy(),
        rates[..., 1].copy(),
        rates[..., 2].copy(),
        rows[..., 9].copy(),
    )


def lay_forces(forces: Forces, entry: Entry, height: float) -> ElementLeg:
    """Leg of the rail `height` (m) below the line, from an entry on the line; see `Entry.offset`."""
    return make_leg(offset_samples(follow_forces(forces, entry), height), entry)


def keyed(keys: tuple[Key, ...], start: float, extent: float) -> Channel:
    """Channel over [0, extent] from `start` through the keys, held after the last; a key at 0 is a jump to it."""
    at, value = 0.0, start
    pieces: list[tuple[float, float, str]] = []
    for key in keys:
        if key.at <= 0.0:
            start = value = key.value
            continue
        width = min(key.at, extent) - at
        pieces.append((width, key.value, key.transition))
        at += width
        value = value if key.transition == "plateau" else key.value
    if extent - at > 1e-9 * extent or not pieces:
        pieces.append((extent - at, value, "linear"))
    return channel(start, pieces)


def section_forces(section: ForceSection, entry: Entry) -> Forces:
    """What a force-vector section prescribes from an entry on the rail."""
    line = line_entry(section, entry)
    speed = section.entry_speed
    normal, lateral = felt(line, speed)
    forces = Forces(
        keyed(section.normal_g, normal, section.extent),
        keyed(section.lateral_g, lateral, section.extent),
        keyed(section.roll_rate, line.roll_rate * speed, section.extent),
        speed,
        over_time=section.over == "time",
        roll_per_length=False,
    )
    return forces.losing_as(section)


def force_section(section: ForceSection, entry: Entry) -> ElementLeg:
    """Leg of a force-vector section."""
    return lay_forces(section_forces(section, entry), line_entry(section, entry), section.line_height)


def argument_at(section: ForceSection, entry: Entry, run: float) -> float:
    """Time (s) or distance (m) a force-vector section has come to after `run` (m) of rail from its start."""
    line = follow_forces(section_forces(section, entry), line_entry(section, entry))
    rail = offset_samples(line, section.line_height)
    part = (rail.speed * rail.widths[:, None]) @ INTEGRAL.T
    length = part + (np.cumsum(part[:, -1]) - part[:, -1])[:, None]
    begin = np.cumsum(rail.widths) - rail.widths
    argument = begin[:, None] + rail.widths[:, None] * NODES
    return float(np.interp(run, length.ravel(), argument.ravel()))
