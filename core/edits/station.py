"""Where a train waits for its ride: in the station, and with all of it on the track."""

from __future__ import annotations

import math

from ..base.errors import InputError
from ..model.assembly import Assembly
from ..project.project import Project
from ..project.scenario import Ride
from ..track.build import build_track
from ..track.description import Track
from ..track.device_spans import DeviceSpan, device_spans
from ..track.devices import kind_of
from .changes import set_scenario
from .elements import car_extent

CLEAR = 0.5  # m of rails left behind a train that is moved ahead


def train_extent(train: Assembly) -> tuple[float, float]:
    """Where (m) a train ends and begins, from the origin of its first car: rear, which is negative, and front."""
    ends = [(car_extent(car), car.offset) for car in train.children]
    return min(low - back for (low, _), back in ends), max(high - back for (_, high), back in ends)


def keep_on_track(project: Project) -> Project:
    """The ride begins far enough on an open track for the whole train to stand on it, at a whole number of centimetres.

    Where the train is longer than the track, or the ride would have to end before, all stays.
    """
    ride, train, track = project.scenario, project.train, project.track
    if not isinstance(ride, Ride) or train is None or not train.children or track is None or track.closed:
        return project
    rear, front = train_extent(train)
    if ride.start + rear >= 0.0:
        return project
    start = math.ceil(100.0 * (CLEAR - rear)) / 100.0
    try:
        length = build_track(track).length
    except InputError:  # told by Problems
        return project
    if start + front > length or (ride.end_place is not None and ride.end_place <= start):
        return project
    return set_scenario(project, {"start": start})


def stand_in_station(project: Project) -> Project:
    """The ride begins with the middle of the train in the middle of the first station.

    A start that somebody has chosen stays: a start position other than 0 and than what keeps the train on the track, a
    start speed, a train that stands whole in a station where tracks begin. So does everything where there is no train,
    no station or no track that can be built. The place is a whole number of centimetres.
    """
    ride, train, track = project.scenario, project.train, project.track
    if (
        not isinstance(ride, Ride)
        or train is None
        or track is None
        or ride.speed is not None
        or (ride.start != 0.0 and ride.start != _kept_on_track(project))
    ):
        return project
    stations = _stations(track)
    if not train.children or not stations:
        return project
    rear, front = train_extent(train)
    if any(one.s0 <= rear and front <= one.s1 for one in stations):
        return project
    first = stations[0]
    return set_scenario(project, {"start": round(0.5 * (first.s0 + first.s1 - rear - front), 2)})


def waits_in_station(project: Project) -> bool:
    """Whether a train stands whole in a station where its ride begins."""
    ride, train, track = project.scenario, project.train, project.track
    if not isinstance(ride, Ride) or train is None or not train.children or track is None:
        return False
    rear, front = train_extent(train)
    return any(one.s0 <= ride.start + rear and ride.start + front <= one.s1 for one in _stations(track))


def _stations(track: Track) -> list[DeviceSpan]:
    """The stations of a track; none of one that cannot be built, which Problems tells."""
    if not any(kind_of(device).waits for device in track.devices):
        return []
    try:
        spans = device_spans(track.devices, build_track(track).sections)
    except InputError:
        return []
    return [span for span in spans if kind_of(span.device).waits]


def _kept_on_track(project: Project) -> float:
    """Where (m) a ride begins whose start nobody has chosen."""
    ride = keep_on_track(set_scenario(project, {"start": 0.0})).scenario
    return ride.start if isinstance(ride, Ride) else 0.0
