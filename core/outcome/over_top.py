"""How near a ride whose start speed was solved for came to the speed it was to have over its highest place."""

from __future__ import annotations

import numpy as np

from ..base.frozen import Frozen
from ..project.project import Project
from ..project.scenario import Ride
from ..results.results import Results, first_car_at
from ..track.build import BuiltTrack, build_track
from ..track.device_spans import device_spans, first_drive


class OverTop(Frozen):
    """Start speed (m/s) that was solved for, speed asked for and reached (m/s) where the middle of the train's masses
    is highest, when that is (s) and where the first car is then (m)."""

    start_speed: float
    asked: float
    reached: float
    time: float
    arc_length: float | None = None

    @property
    def sentence(self) -> str:
        """What was solved for, and what came of it."""
        where = "" if self.arc_length is None else f" at s = {self.arc_length:.1f} m"
        return (
            f"{self.start_speed:.2f} m/s, solved for {self.asked:.2f} m/s of the train over its highest place;"
            f" {self.reached:.2f} m/s there{where}."
        )


def over_top(project: Project, results: Results) -> OverTop | None:
    """The passage of the highest place; None where no start speed was solved for, the train does not come over, or
    something takes it on before, so that its speed there does not come from the start."""
    ride, speed = project.scenario, results.provenance.get("start_speed")
    given = results.provenance.get("start_device") or not isinstance(speed, float)
    if not isinstance(ride, Ride) or ride.speed is not None or given or project.assembly is None:
        return None
    if project.track is None or _taken_on(build_track(project.track), ride.start):
        return None
    height, time = results.energy.potential, results.states.time
    if len(height) < 3:
        return None
    top = int(np.argmax(height))
    if not 0 < top < len(height) - 1:
        return None
    reached = float(np.sqrt(2.0 * results.energy.kinetic[top] / project.assembly.mass()))
    at = float(time[top])
    assert isinstance(speed, float)
    return OverTop(
        start_speed=speed,
        asked=ride.top_speed,
        reached=reached,
        time=at,
        arc_length=first_car_at(results, at),
    )


def _taken_on(built: BuiltTrack, start: float) -> bool:
    """Whether a device ahead of the start gives the train its speed."""
    spans = device_spans(built.track.devices, built.sections)
    here = float(built.centreline.wrap(start)[0])
    return first_drive(spans, here, built.length, built.track.closed) is not None
