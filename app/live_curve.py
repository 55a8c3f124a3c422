"""What can be drawn of a run while it is computed, from the progress the solver reports."""

from __future__ import annotations

from dataclasses import dataclass

from core.project import Project
from core.scenario import Ride
from core.track.build import build_track


@dataclass(frozen=True)
class LiveCurve:
    """A run in progress: time (s) and fraction done; for a ride that ends at a place also the speed (m/s).

    The speed is the mean between two reports of progress, of the wheel that is furthest behind.
    """

    time: tuple[float, ...]
    fraction: tuple[float, ...]
    speed: tuple[float, ...] = ()


class LiveRecorder:
    """Collects the progress of one run."""

    def __init__(self, project: Project) -> None:
        self._end = _end_place(project)
        self._time: list[float] = []
        self._fraction: list[float] = []

    def add(self, fraction: float, now: float) -> None:
        """Note that the ride has reached `now` (s), a fraction of the whole."""
        if not self._time or now > self._time[-1]:
            self._time.append(now)
            self._fraction.append(fraction)

    def curve(self) -> LiveCurve:
        """What is known so far."""
        if self._end is None or len(self._time) < 2:
            return LiveCurve(tuple(self._time), tuple(self._fraction))
        places = [self._end * fraction for fraction in self._fraction]
        speed = [
            (places[k + 1] - places[k]) / (self._time[k + 1] - self._time[k]) for k in range(len(places) - 1)
        ]
        middle = [0.5 * (self._time[k] + self._time[k + 1]) for k in range(len(places) - 1)]
        return LiveCurve(tuple(middle), tuple(self._fraction[1:]), tuple(speed))


def _end_place(project: Project) -> float | None:
    """Arc length (m) whose fraction the solver reports, for rides that end at a place only."""
    ride = project.scenario
    if not isinstance(ride, Ride) or ride.duration is not None or project.track is None:
        return None
    length = build_track(project.track).length
    if ride.end_place is not None and (project.track.closed or ride.end_place <= length):
        return ride.end_place
    return ride.start + length if project.track.closed else length
