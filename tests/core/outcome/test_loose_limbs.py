"""Hands and feet that nothing holds, and riders that the program seats."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.frames import from_rotation_vector, multiply
from ridewright.core.edits.train import insert_rider, seat_riders
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import load_occupant, with_wrist_ankle_stiffness
from ridewright.core.outcome.loose_limbs import loose_limbs
from ridewright.core.outcome.run_findings import findings_of
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

Ridden = tuple[Project, Results]


def lasting(project: Project, duration: float) -> Project:
    return project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": duration})})


def rider_of(project: Project) -> Assembly:
    assert project.train is not None
    return next(child for child in project.train.children[0].children if child.role == "rider")


def with_held(project: Project) -> Project:
    """The project with the wrists and ankles of its rider held."""
    assert project.train is not None
    car = project.train.children[0]
    held = tuple(with_wrist_ankle_stiffness(one) if one.role == "rider" else one for one in car.children)
    train = project.train.model_copy(update={"children": (car.model_copy(update={"children": held}),)})
    return project.model_copy(update={"train": train})


@pytest.fixture(scope="module")
def ridden() -> Ridden:
    project = lasting(load_example("straight"), 0.5)
    return project, simulate(project)


def turned(results: Results, body: str, angle: float) -> Results:
    """A run in which a body turns evenly by an angle (rad) about its own axis, and nothing else turns at all."""
    states = results.states
    orientation = np.repeat(states.orientation[:1], len(states.time), axis=0)
    k = results.names.bodies.index(body)
    about = np.outer(angle * states.time / states.time[-1], (0.6, 0.0, 0.8))
    orientation[:, k] = multiply(orientation[:, k], from_rotation_vector(about))
    copy = object.__new__(type(results))
    copy.__dict__.update(results.__dict__, states=object.__new__(type(states)))
    copy.states.__dict__.update(states.__dict__, orientation=orientation)
    return copy


def test_that_hands_which_whirl_are_told_with_the_place_of_their_joint(ridden: Ridden) -> None:
    """As the thesis has it nothing holds them: the hands fall."""
    project, results = ridden
    (found,) = loose_limbs(project, turned(results, "Car/Rider/Right Foot", np.radians(150.0)))
    assert found.severity == "note"
    assert "'Right ankle' of 'Car/Rider': it turns by 150°" in found.message
    assert found.where.path == ("train", "children", "Car", "children", "Rider", "joints", "Right ankle")
    assert found.time == pytest.approx(0.8 * 0.5, abs=0.02)  # where 120 of 150 degrees are passed
    assert loose_limbs(project, turned(results, "Car/Rider/Right Foot", np.radians(110.0))) == ()
    assert loose_limbs(project, turned(results, "Car/Rider/Head", np.radians(170.0))) == ()


def test_that_what_is_held_is_not_told_and_does_not_whirl(ridden: Ridden) -> None:
    project, results = ridden
    far = turned(results, "Car/Rider/Left Hand", np.radians(150.0))
    assert len(loose_limbs(project, far)) == 1
    assert loose_limbs(with_held(project), far) == ()
    ride = lasting(load_example("gatekeeper"), 9.0)
    told = findings_of(simulate(ride), ride)
    assert [one.kind for one in told] == ["loose"]
    assert "others like it" in told[0].message or "1 other like it" in told[0].message
    held = with_held(ride)
    free = held.model_copy(update={"train": ride.train})  # the same run, as if nothing held them
    assert loose_limbs(free, simulate(held)) == ()


def test_that_a_rider_whom_the_program_seats_holds_hands_and_feet() -> None:
    """But not one asked for as printed."""
    project = load_example("straight")
    assert project.train is not None
    empty = seat_riders(project, {"Car": []})
    seat = project.train.children[0].seats[0].name
    held = with_wrist_ankle_stiffness(load_occupant()).forces
    assert held != load_occupant().forces
    assert rider_of(seat_riders(empty, {"Car": [seat]})).forces == held
    assert rider_of(insert_rider(empty, ("Car",), "viegas2016", seat)[0]).forces == held
    printed = insert_rider(empty, ("Car",), "viegas2016_as_printed", seat)[0]
    assert rider_of(printed).forces == load_occupant("viegas2016_as_printed").forces
