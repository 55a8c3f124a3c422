"""A train made of a car of the project keeps its seats and who rides in it; a train stands on the rails it has."""

from __future__ import annotations

import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.edits import couplings, riders, train, train_gallery
from ridewright.core.edits.station import CLEAR, train_extent
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.run.static_loads import static_loads


def _small_and_large() -> Project:
    """The library's car on a straight with a child of 41 kg and a man of 115 kg."""
    project = load_example("straight")
    project, path = train.insert_vehicle(project.model_copy(update={"train": None}), "viegas2016")
    for stature, mass, seat in ((1.48, 41.0, 0), (1.88, 115.0, 1)):
        name = project.train.children[0].seats[seat].name
        project, _ = riders.make_rider(project, path, Person(stature=stature, mass=mass), name)
    return project


def test_that_every_car_has_the_riders_of_the_one_it_is_made_of() -> None:
    project = _small_and_large()
    choice = train_gallery.own_train(project)
    assert (choice.car, choice.cars, choice.riders) == ("own:Car", 5, "own")
    assert "riders of 41, 115 kg" in choice.about
    made = couplings.make_train(project, train_gallery.car_of(project, choice.car), 3, riders="own")
    for car in made.train.children:
        assert [round(rider.mass(), 1) for rider in car.riders] == [41.0, 115.0]
        assert [rider.person for rider in car.riders] == [r.person for r in project.train.children[0].riders]
        assert car.seats == project.train.children[0].seats
    empty = couplings.make_train(project, train_gallery.car_of(project, choice.car), 3)
    assert not empty.train.with_role("rider")
    one = project.train.children[0].seats[1].name
    half = couplings.make_train(project, train_gallery.car_of(project, choice.car), 2, riders=[one])
    assert [round(r.mass()) for r in half.train.with_role("rider").values()] == [115, 115]


def test_that_a_free_seat_is_taken_by_the_library() -> None:
    project = load_example("looping_star")  # one of two seats is taken
    own = train_gallery.own_train(project)
    made = couplings.make_train(project, train_gallery.car_of(project, own.car), 2, riders="full")
    masses = [[round(r.mass(), 1) for r in car.riders] for car in made.train.children]
    assert len(masses[0]) == 2
    assert masses[0] == masses[1]


def test_that_a_car_the_project_no_longer_has_is_refused_with_a_sentence() -> None:
    project = _small_and_large()
    key = train_gallery.own_train(project).car
    other = couplings.make_train(project, "viegas2016", 2, 4.2, None)
    for without in (project.model_copy(update={"train": None}), load_example("planar_pendulum"), other):
        with pytest.raises(InputError, match=r"has no car 'Car'; choose another\.$"):
            train_gallery.car_of(without, key)


def test_that_the_train_of_the_project_is_offered_as_it_is() -> None:
    project = couplings.make_train(_small_and_large(), "viegas2016", 4, 4.2, "sprung_bar_slack")
    own = train_gallery.own_train(project)
    assert (own.cars, own.coupling) == (4, "sprung_bar_slack")
    assert own.spacing == pytest.approx(4.2)
    loose = couplings.make_train(project, "viegas2016", 2, 4.2, None)
    assert train_gallery.own_train(loose).coupling is None
    assert train_gallery.own_train(project.model_copy(update={"train": None})) is None


def test_that_a_long_train_stands_whole_on_an_open_track() -> None:
    project = load_example("straight")
    before = project.scenario.start
    made = couplings.make_train(project, "viegas2016", 6)
    rear, _ = train_extent(made.train)
    assert before + rear < 0.0
    assert made.scenario.start == pytest.approx(CLEAR - rear, abs=0.011)
    assert made.scenario.start + rear >= CLEAR
    again = couplings.make_train(made, "viegas2016", 2)
    assert again.scenario.start == made.scenario.start
    closed = load_example("looping_star")
    assert couplings.make_train(closed, "viegas2016", 6).scenario.start == closed.scenario.start


def test_that_a_car_is_built_before_there_is_a_track() -> None:
    project, path = train.insert_vehicle(Project(name="New", scenario=Ride(settled=True)), "")
    assert path == ("Car",)
    (straight,) = project.track.sections
    assert straight.end[0] - straight.start[0] == pytest.approx(train.FIRST_STRAIGHT)
    assert project.scenario.start + train_extent(project.train)[0] >= 0.0
    assert static_loads(project).weight == pytest.approx(500.0 * 9.81)
