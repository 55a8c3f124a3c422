"""Sections drawn by forces: the motion is integrated along the line of the riders, the rail follows below it.

With the specific force f = a - g felt at the line, normal g n = f.up / g and lateral g l = f.left / g:
k_up = g (n - up_z) / v^2, k_left = g (l - left_z) / v^2, d(v^2)/ds = -2 g (t_z + friction) - 2 drag v^2; with
friction by the load on the wheels friction sqrt(n^2 + l^2) stands in its place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.errors import InputError
from ...base.sentence import say
from . import kernels
from .channel import Channel
from .entry import Entry
from .leg import NODES, ElementLeg, Samples, make_leg, offset_samples
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
    positions = np.empty((MAX_PIECES, 6))
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
        positions,
        rows,
        rates,
    )
    if ended == kernels.STALLED:
        raise InputError(
            say(
                "{where}: the ride stalls after {at:.1f m} (slower than {slowest:g m/s});"
                " raise the entry speed or lower the climb.",
                where=entry.where,
                at=y[10],
                slowest=SLOWEST,
            )
        )
    if ended == kernels.TOO_LONG:
        raise InputError(
            say(
                "{where}: the section gets too long or too tight after {at:.1f m};"
                " shorten it or lower the g's.",
                where=entry.where,
                at=y[10],
            )
        )
    if count == 0 or y[10] < SHORTEST:
        raise InputError(
            say(
                "{where}: it would be {at:.2g m} long; {shortest:g (m)} to {longest:.0f"
                " m} are possible, raise its extent.",
                where=entry.where,
                at=y[10],
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )
    positions, rows, rates = positions[:count], rows[:count], rates[:count]
    return Samples(
        positions[:, -1] - positions[:, 0],
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
