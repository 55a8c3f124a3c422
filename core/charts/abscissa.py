"""Time or arc length under the curves: from one to the other for each run and car."""

from __future__ import annotations

from typing import Literal

import numpy as np

from ..base.arrays import Array
from ..results.results import Results

Kind = Literal["time", "place"]


class Abscissa:
    """What a run's curves are drawn over: its time (s), or the arc length (m) that a car had then.

    Riders of a later car pass a place later: each car has its own.
    """

    def __init__(self, kind: Kind, time: Array, place: Array | None) -> None:
        self.kind: Kind = kind if place is not None and len(time) > 1 else "time"
        self.time, self.place = time, place
        self.forward = place is None or bool(np.all(np.diff(place) > 0.0))

    @classmethod
    def of(cls, results: Results, kind: Kind, car: str | None) -> Abscissa:
        """The abscissa of a car of a run; without arc length (a rig) it is always the time."""
        channel = results.channels.get(f"car/{car}/arc_length")
        return cls(kind, results.sample_time, None if channel is None else channel.values)

    @property
    def increasing(self) -> bool:
        """Whether curves over it never turn back; a train that rolls back passes a place twice."""
        return self.kind == "time" or self.forward

    def x_of(self, time: Array) -> Array:
        """Abscissa (s or m) at times (s)."""
        if self.kind == "time" or self.place is None:
            return time
        return np.interp(time, self.time, self.place)

    def time_of(self, x: float, near: float) -> float | None:
        """Time (s) at an abscissa; the passage nearest to a time when there are several, None when there is none."""
        if self.kind == "time" or self.place is None:
            return x
        place = self.place
        if self.forward:
            if not place[0] <= x <= place[-1]:
                return None
            return float(np.interp(x, place, self.time))
        left = np.flatnonzero((place[:-1] - x) * (place[1:] - x) <= 0.0)
        if not len(left):
            return None
        rise = place[left + 1] - place[left]
        part = np.divide(x - place[left], rise, out=np.zeros(len(left)), where=rise != 0.0)
        times = self.time[left] + part * (self.time[left + 1] - self.time[left])
        return float(times[np.argmin(np.abs(times - near))])
