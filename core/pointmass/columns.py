"""A point ride as columns over the places of the track, for tables that are written next to its shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .result import PointRide

Array = NDArray[np.float64]


def ride_columns(ride: PointRide, length: float) -> dict[str, Array]:
    """The first passage of every place, sorted by place: columns (n,) by name.

    "s": place (m) in [0, length], rising; time_s from the start of the ride; speed_m_per_s; acceleration_m_per_s2 along
    the track; g_forward, g_left, g_up at the heartline; roll_rate_rad_per_s. length (m) of the track.
    """
    part = ride.forward()
    run = ride.s[part]
    lap = np.abs(run - run[0]) < length * (1.0 - 1e-9)
    place = ride.place[part][lap]
    order = np.argsort(place, kind="stable")
    order = order[np.append(True, np.diff(place[order]) > 1e-9)]
    values = {
        "s": place,
        "time_s": ride.time[part][lap],
        "speed_m_per_s": ride.speed[part][lap],
        "acceleration_m_per_s2": ride.acceleration[part][lap],
        "g_forward": ride.g[part][lap][:, 0],
        "g_left": ride.g[part][lap][:, 1],
        "g_up": ride.g[part][lap][:, 2],
        "roll_rate_rad_per_s": ride.roll_rate[part][lap],
    }
    return {name: np.asarray(value)[order] for name, value in values.items()}
