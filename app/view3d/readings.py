"""What a run says at a time: arc length, speed, loads of the first rider."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import numpy as np

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.results.results import Results
from ..widgets import units


@dataclass(frozen=True)
class Reading:
    """One quantity at a time: short name, text with its unit, what it is."""

    name: str
    text: str
    about: str


class Readings:
    """Signals of a run (`results`), looked up by time. `speed` (n,) m/s or None, on `time` (n,) s."""

    def __init__(self, results: Results) -> None:
        self.results, self.time = results, results.sample_time
        self._signals: list[tuple[str, str, int, Array, str]] = []
        channels = results.channels
        car = next((name.split("/")[1] for name in channels if name.startswith("car/")), None)
        self.speed: Array | None = None
        if car is not None:
            place = channels.get(f"car/{car}/arc_length")
            if place is not None:
                self._add("s", "m", 1, place.values, "Arc length of the first car along the track")
            self.speed = channels[f"car/{car}/speed"].values
            self._add("v", "m/s", 1, self.speed, "Speed of the first car")
        rider = next(iter(results.names.riders), None)
        # A measured ride has one of them.
        parts = {"upper_torso": "chest", "pelvis": "pelvis", "head": "head"}
        part = next((p for p in parts if f"rider/{rider}/{p}/acceleration" in channels), None)
        if part is not None:
            from ...core.injury.filters import ride_filter  # the criteria beside it take long to load

            felt = channels[f"rider/{rider}/{part}/acceleration"].values
            with contextlib.suppress(InputError):  # too short or too coarse for the filter
                felt = ride_filter(self.time, felt)
            for axis, name in enumerate(("Gx", "Gy", "Gz")):
                self._add(
                    name, "g", 1, felt[:, axis], f"{name} in the first rider's {parts[part]}, 5 Hz filter"
                )

    def at(self, time: float) -> list[Reading]:
        """All readings at a time (s)."""
        if not len(self.time):
            return []
        k = int(np.clip(np.searchsorted(self.time, time), 0, len(self.time) - 1))
        return [
            Reading(name, units.text(float(values[k]), unit, decimals=decimals), about)
            for name, unit, decimals, values, about in self._signals
        ]

    def line(self, time: float) -> str:
        """All readings at a time (s) in one line."""
        parts = [f"t {units.text(time, 's', decimals=2)}", *(f"{r.name} {r.text}" for r in self.at(time))]
        return "     ".join(parts)

    def _add(self, name: str, unit: str, decimals: int, values: Array, about: str) -> None:
        self._signals.append((name, unit, decimals, values, about))
