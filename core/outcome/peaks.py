"""Peak loads of the riders of a run and at its seats, for lists of runs."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

import numpy as np

from ..base.errors import InputError
from ..injury.filters import ride_filter
from ..results.results import Results
from .seats import assessed_in

PART = "pelvis"


class Peaks(NamedTuple):
    """Of all riders, at the pelvis, and at all assessed seats, through the 5 Hz ride filter (g): largest and smallest
    Gz, largest size of Gy."""

    gz_max: float
    gz_min: float
    gy_max: float


def peak_loads(results: Results) -> Peaks | None:
    """The peaks of a run; None without a rider and an assessed seat, or where the record is too short or too slow
    for the filter.

    Rider axes, gravity in; the filter is that of ASTM F2137 (`core.injury.filters.ride_filter`).
    """
    found = []
    names = [f"rider/{rider}/{PART}/acceleration" for rider in results.names.riders]
    names += [f"seat/{seat}/acceleration" for seat in assessed_in(results)]
    for name in names:
        channel = results.channels.get(name)
        if channel is not None and len(channel.values) > 1:
            with suppress(InputError):
                felt = ride_filter(results.sample_time, channel.values)
                found.append((felt[:, 2].max(), felt[:, 2].min(), np.abs(felt[:, 1]).max()))
    if not found:
        return None
    maximum, minimum, across = np.array(found).T
    return Peaks(float(maximum.max()), float(minimum.min()), float(across.max()))
