"""A point ride as columns over the places of the track, for tables that are written next to its shape."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array, Integers
from .result import PointRide

SAME = 1e-6  # m
LONGEST_GAP = 5.0  # m between two samples of a ride; across more the train did not come


def in_track_order(ride: PointRide, length: float, closed: bool) -> tuple[Array, Integers]:
    """The first passage of every place of a track, from its beginning to its end: places (n,) m, not falling, and the
    samples (n,) of the ride there.

    length (m) and closed: of the track. Round a circuit that is one lap, with the start and the end of it at the place
    of the start; where the train rolled over the seam, its sample there is both the first and the last.
    """
    sample = np.arange(len(ride.s))[ride.forward()]
    if closed:
        sample = sample[np.abs(ride.s[sample] - ride.s[0]) <= length + SAME]
    if len(sample) > 1 and ride.s[sample[-1]] < ride.s[sample[0]]:
        sample = sample[::-1]  # started backwards
    position = ride.place[sample]
    seam = np.flatnonzero(np.diff(position) < 0.0)
    if not len(seam):
        return position, sample
    k = int(seam[-1]) + 1
    position, sample = np.roll(position, -k), np.roll(sample, -k)
    if position[-1] >= length - SAME:
        if position[0] > SAME:
            position, sample = np.append(0.0, position), np.append(sample[-1], sample)
    elif position[0] <= SAME:
        position, sample = np.append(position, length), np.append(sample, sample[0])
    return position, sample


def ride_columns(ride: PointRide, length: float) -> dict[str, Array]:
    """The first passage of every place, sorted by position: columns (n,) by name.

    "s": position (m) in [0, length], rising; time_s from the start of the ride; speed_m_per_s; acceleration_m_per_s2
    along the track; g_forward, g_left, g_up at the heartline; roll_rate_rad_per_s. length (m) of the track.
    """
    part = ride.forward()
    run = ride.s[part]
    lap = np.abs(run - run[0]) < length * (1.0 - 1e-9)
    position = ride.place[part][lap]
    order = np.argsort(position, kind="stable")
    order = order[np.append(True, np.diff(position[order]) > 1e-9)]
    values = {
        "s": position,
        "time_s": ride.time[part][lap],
        "speed_m_per_s": ride.speed[part][lap],
        "acceleration_m_per_s2": ride.acceleration[part][lap],
        "g_forward": ride.g[part][lap][:, 0],
        "g_left": ride.g[part][lap][:, 1],
        "g_up": ride.g[part][lap][:, 2],
        "roll_rate_rad_per_s": ride.roll_rate[part][lap],
    }
    return {name: np.asarray(value)[order] for name, value in values.items()}
