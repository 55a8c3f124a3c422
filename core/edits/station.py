"""Where a train waits for its ride: in the station."""

from __future__ import annotations

from ..base.errors import InputError
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import build_track
from ..track.device_spans import device_spans
from ..track.devices import kind_of
from .changes import set_scenario
from .elements import car_extent


def stand_in_station(project: Project) -> Project:
    """The ride begins with the middle of the train in the middle of the first station.

    A start that somebody has chosen stays: a start position other than 0, a start speed, a train that stands whole in
    a station already. So does everything where there is no train, no station or no track that can be built. The place
    is a whole number of centimetres.
    """
    ride, train, track = project.scenario, project.train, project.track
    if (
        not isinstance(ride, Ride)
        or train is None
        or track is None
        or ride.start != 0.0
        or ride.speed is not None
    ):
        return project
    if not train.children or not any(kind_of(device).waits for device in track.devices):
        return project
    try:
        spans = device_spans(track.devices, build_track(track).sections)
    except InputError:  # told by Problems
        return project
    ends = [(car_extent(car), car.offset) for car in train.children]
    rear, front = min(low - back for (low, _), back in ends), max(high - back for (_, high), back in ends)
    stations = [span for span in spans if kind_of(span.device).waits]
    if any(span.s0 <= rear and front <= span.s1 for span in stations):
        return project
    first = stations[0]
    return set_scenario(project, {"start": round(0.5 * (first.s0 + first.s1 - rear - front), 2)})
