"""Riders whom no joint holds: who slides off the seat or falls from it ends the run, with time, place and last hold."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces import TYPES
from ridewright.core.model.guides import Guide
from ridewright.core.model.joints import Joint
from ridewright.core.model.surfaces import Plane, Sphere
from ridewright.core.outcome.touches import touches_of_riders
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Ride
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.track.description import StraightSection, Track

SPEED, RADIUS = 15.0, 0.1


def carried(*, pan: bool = True, slides: float = 0.0, belt: bool = False) -> Results:
    """A block on a seat of a car on a level straight, on a pan without friction or on none, sliding aside (m/s)."""
    stiffness = 80.0 * 9.81 / 0.001  # sinks 1 mm in
    contact = TYPES["contact"].model(
        name="Pan", body_i="Rider/Block", body_j="Wagon", law="hertz", stiffness=stiffness, exponent=1.0
    )
    block = Body(
        name="Block",
        mass=80.0,
        inertia=(5.0, 5.0, 5.0),
        position=(0.0, 0.0, RADIUS - 0.001),
        velocity=(0.0, slides, 0.0),
        surfaces=(Sphere(name="Skin", radius=RADIUS),),
    )
    rail = Joint(
        name="Belt", kind="prismatic", body_i="seat", axis_i=(0.0, 1.0, 0.0), body_j="Block", axis_j=(0.0, 1.0, 0.0)
    )  # fmt: skip
    rider = Assembly(
        role="rider", name="Rider", seat="Seat", bodies=(block,), head="Block", upper_torso="Block", pelvis="Block",
        joints=(rail,) * belt,
    )  # fmt: skip
    wagon = Body(
        name="Wagon", mass=500.0, inertia=(80.0, 300.0, 300.0), position=(0.0, 0.0, 0.0),
        surfaces=(Plane(name="Top", half_length=2.0, half_width=2.0, depth=0.5),),
    )  # fmt: skip
    car = Assembly(
        role="car", name="Car", bodies=(wagon,), guides=(Guide(name="Wheels", kind="full", body="Wagon"),),
        seats=(Seat(name="Seat", body="Wagon", position=(0.0, 0.0, 0.0)),), children=(rider,),
        forces=(contact,) * pan,
    )  # fmt: skip
    project = Project(
        name="Sliding",
        track=Track(
            name="Straight",
            sections=(StraightSection(name="Straight", start=(0.0, 0.0, 5.0), end=(60.0, 0.0, 5.0)),),
        ),
        train=Assembly(name="Train", role="train", children=(car,)),
        scenario=Ride(start=5.0, speed=SPEED, duration=1.5, settled=False),
    )
    return simulate(project)


def test_that_who_slides_off_ends_the_run_there() -> None:
    results = carried(slides=1.0)
    status = results.status
    assert status.name == "rider lost"
    assert not status.complete
    # half a metre at 1 m/s, found at the first step beyond it
    assert 0.5 <= results.states.time[-1] < 0.53
    assert "Rider 'Car/Rider' left the seat at t = 0.5" in status.message
    assert "12.5 m" in status.message or "12.6 m" in status.message
    assert "m from where it sat" in status.message
    assert "touches still" in status.message
    assert "Pan" in status.message
    assert results.events[-1].name == "rider lost"


def test_that_who_falls_is_lost_after_the_time_of_a_fall() -> None:
    results = carried(pan=False)
    assert results.status.name == "rider lost"
    assert results.states.time[-1] == pytest.approx(np.sqrt(2.0 * 0.5 / 9.81), abs=0.02)
    assert "nothing touched this rider before" in results.status.message


def test_that_what_carried_a_rider_is_told() -> None:
    did = touches_of_riders(carried())["Car/Rider"]
    assert (did.count, did.first, did.longest, did.speed) == (1, 0.0, None, None)
    assert did.force == pytest.approx(80.0 * 9.81, rel=1e-3)
    assert did.impulse == pytest.approx(80.0 * 9.81 * 1.5, rel=1e-3)


def test_that_who_is_held_or_sits_still_rides_to_the_end() -> None:
    assert carried().status.name == "done"
    held = carried(pan=False, slides=1.0, belt=True)  # a joint holds, however far it lets one go
    assert held.status.name == "done"
