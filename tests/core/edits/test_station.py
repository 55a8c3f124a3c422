"""Where a new train waits: in the station, unless somebody has said otherwise."""

from __future__ import annotations

import pytest

from ridewright.core.edits import couplings, train
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.changes import set_scenario
from ridewright.core.edits.insertion import insert_straight
from ridewright.core.edits.station import waits_in_station
from ridewright.core.model.library import load_vehicle
from ridewright.core.project.project import Project


def platform(length: float = 40.0) -> Project:
    """Ten metres of track, a station, twenty metres of track."""
    project, name = insert_straight(Project(name="New"), None, length=10.0)
    project, name = insert_straight(project, None, length=length)
    project, name = add_device(project, "station", name)
    return insert_straight(project, None, length=20.0)[0]


@pytest.mark.parametrize("cars", [1, 5, 7])
def test_that_a_new_train_waits_in_the_middle_of_the_station(cars: int) -> None:
    car = load_vehicle()
    made = couplings.make_train(platform(), car, cars, 3.0, "ball_drawbar" if cars > 1 else None)
    rear, front = couplings.car_extent(car)
    middle = made.scenario.start + 0.5 * (front + rear - 3.0 * (cars - 1))
    assert middle == pytest.approx(30.0, abs=0.01)


def test_that_a_first_car_and_a_new_station_bring_the_train_there_and_a_choice_stays() -> None:
    first, _ = train.insert_vehicle(platform(), "viegas2016")
    assert 28.0 < first.scenario.start < 34.0
    # the station may come behind the train
    bare, name = insert_straight(Project(name="New"), None, length=30.0)
    bare, _ = train.insert_vehicle(bare, "viegas2016")
    assert 0.0 < bare.scenario.start < 2.0  # all of it on the track
    later, _ = add_device(bare, "station", name)
    assert 13.0 < later.scenario.start < 19.0
    assert add_device(later, "trim_brake", name, {"start": 29.0})[0].scenario == later.scenario
    # a place, a speed that is given stay as they are
    for fields in ({"start": 3.0}, {"start": 3.0, "speed": 4.0}):
        chosen = set_scenario(platform(), fields)
        assert train.insert_vehicle(chosen, "viegas2016")[0].scenario == chosen.scenario
    # with a speed it is brought to no station, only onto the track
    given = train.insert_vehicle(set_scenario(platform(), {"speed": 4.0}), "viegas2016")[0]
    assert given.scenario.speed == 4.0
    assert 0.0 < given.scenario.start < 2.0
    assert not waits_in_station(given)
    assert waits_in_station(first)
