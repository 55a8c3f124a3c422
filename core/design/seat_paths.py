"""Where the seats of a train are along its track, and what is reached from each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..base.frame import Frame
from ..base.frames import rotation_matrix
from ..base.sentence import Sentence
from ..human.reach import Reach, ReachRoom
from ..model.assembly import Assembly, Seat
from ..model.bodies import GROUND
from ..model.placement import guide_places, joined, placed_model
from ..multibody.on_track import frames_along
from ..results.results import Results
from ..track.build import BuiltTrack
from .seat_tilts import Tilt, tilts_of

STEP = 0.5  # m between places of the cars


@dataclass(frozen=True, eq=False)
class SeatPath:
    """A seat along the track: its path, those of seats that go the same way, what is reached from it, and where it is
    at places s (n,) m: positions (n, 3) m and axes (n, 3, 3) in the world; and how it is tilted, in words."""

    seat: str
    alike: tuple[str, ...]
    room: ReachRoom
    s: Array
    positions: Array
    axes: Array
    tilt: Sentence | str = ""


class Rooms:
    """What is reached from seats, with its margins: found once for seats that are made alike."""

    def __init__(self, reached: Callable[[Seat], Reach], margins: dict[str, float]) -> None:
        self._reached, self._margins = reached, margins
        self._known: dict[object, ReachRoom] = {}

    def of(self, seat: Seat) -> ReachRoom:
        made_of = seat.shape, seat.restraint
        if made_of not in self._known:
            self._known[made_of] = self._reached(seat).room(self._margins)
        return self._known[made_of]


def ridden_seats(train: Assembly, built: BuiltTrack, rooms: Rooms, results: Results) -> Iterator[SeatPath]:
    """Seats as they were at the stored instants of a run, about every STEP of the way of their car."""
    bodies = {name: k for k, name in enumerate(results.names.bodies)}
    time = results.states.time
    for car in train.children:
        way = results.channels.get(f"car/{car.name}/arc_length")
        if way is None:
            continue
        s = np.interp(time, results.sample_time, way.values)
        _, first = np.unique(np.floor(s / STEP), return_index=True)
        for name, seat in car.every("seat").items():
            path = joined(car.name, name)
            k = bodies.get(joined(path.rpartition("/")[0], seat.body))
            if k is None:
                continue
            turned = rotation_matrix(results.states.orientation[first, k])
            yield SeatPath(
                path, (), rooms.of(seat), built.centreline.wrap(s[first]),
                results.states.position[first, k] + turned @ np.asarray(seat.position),
                turned @ rotation_matrix(seat.orientation),
            )  # fmt: skip


def standing_seats(train: Assembly, built: BuiltTrack, rooms: Rooms) -> Iterator[SeatPath]:
    """Seats all along a track, their cars on their guides, at every tilt that their hinges allow."""
    count = max(2, int(np.ceil(built.length / STEP)))
    s = np.linspace(0.0, built.length, count, endpoint=not built.track.closed)
    known: dict[object, list[Frame]] = {}
    alike: dict[object, tuple[str, Seat, object, list[tuple[Frame, Tilt]], Assembly, list[str]]] = {}
    drawn = placed_model(train)
    for car in train.children:
        guided = tuple(guide_places(car)), _guides(car)
        for name, seat in car.every("seat").items():
            path = joined(car.name, name)
            holder = path.rpartition("/")[0]
            anchor = Frame(np.asarray(seat.position), rotation_matrix(seat.orientation))
            carrier = GROUND if seat.body == GROUND else joined(holder, seat.body)
            at = (
                drawn.origin(car.name).inside(anchor)
                if carrier == GROUND
                else drawn.frame(carrier).inside(anchor)
            )
            own = drawn.origin(car.name)
            stands = []
            for tilt in tilts_of(drawn, car.name, carrier):
                there = tilt.moved.inside(at)
                stands.append((Frame(own.local(there.position), own.rotation.T @ there.rotation), tilt))
            poses = np.array([[*one.position, *one.rotation.ravel()] for one, _ in stands])
            key = guided, tuple(np.round(poses, 6).ravel().tolist()), seat.shape, seat.restraint
            if key in alike:
                alike[key][5].append(path)
            else:
                alike[key] = (path, seat, guided, stands, car, [])
    for path, seat, way, stands, car, others in alike.values():
        if way not in known:
            known[way] = frames_along(train, car, built, s.tolist())
        for inner, tilt in stands:
            places = [frame.inside(inner) for frame in known[way]]
            yield SeatPath(
                path, tuple(others), rooms.of(seat), s, np.array([one.position for one in places]),
                np.array([one.rotation for one in places]), tilt.words,
            )  # fmt: skip


def _guides(car: Assembly) -> tuple[object, ...]:
    """What of a car decides how it stands on a track, as a key."""
    return tuple((guide.kind, guide.point, guide.path) for guide in car.every("guide").values())
