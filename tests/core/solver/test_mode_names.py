"""What a car does as a whole in a mode, and why a mode grows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.edits import train
from ridewright.core.edits.new_elements import new_car
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.spring import SpringDamper
from ridewright.core.model.joints import Joint
from ridewright.core.project.examples import load_example
from ridewright.core.solver.mode_names import car_motion, growth
from ridewright.core.solver.modes import Mode, modes_at_rest

CABIN, STIFFNESS = 600.0, 60e3


def _car(axis: tuple[float, float, float], kind: str, below: float) -> Assembly:
    """A car whose cabin of 600 kg moves along or about an axis of a joint `below` metres under its centre of mass, on
    springs to either side of the joint."""
    chassis = Body(name="Chassis", mass=200.0, inertia=(50.0, 80.0, 80.0), position=(0.0, 0.0, 0.5))
    cabin = Body(name="Cabin", mass=CABIN, inertia=(90.0, 200.0, 220.0), position=(0.0, 0.0, 0.5 + below))
    joint = Joint(
        name="Joint", kind=kind, body_i="Chassis", axis_i=axis, body_j="Cabin", axis_j=axis, point_j=(0.0, 0.0, -below)
    )  # fmt: skip
    at = (0.0, 0.0, -0.5), (0.0, 0.0, 0.0)
    sides = (-1.0, 1.0) if kind == "revolute" else (0.0,)
    x, y = (0.0, 1.0) if axis[0] else (1.0, 0.0)
    springs = tuple(
        SpringDamper(
            name=f"Spring {k}", body_i="Chassis", point_i=(x * side, y * side, at[0][2]), body_j="Cabin",
            point_j=(x * side, y * side, -below), stiffness=STIFFNESS / len(sides), damping=10.0, free_length=0.5,
        )
        for k, side in enumerate(sides)
    )  # fmt: skip
    plain = new_car()
    guide = plain.guides[0].model_copy(update={"body": "Chassis"})
    return Assembly(
        name="Car", role="car", bodies=(chassis, cabin), guides=(guide,), joints=(joint,), forces=springs,
        seats=(Seat(name="Seat", body="Cabin", position=(0.0, 0.0, 0.0)),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("axis", "kind", "below", "word"),
    [
        ((0.0, 0.0, 1.0), "prismatic", 0.0, "bounce"),
        ((1.0, 0.0, 0.0), "revolute", 0.4, "roll"),
        ((0.0, 1.0, 0.0), "revolute", 0.4, "pitch"),
    ],
)
def test_that_the_motion_of_a_cabin_is_called_by_its_word(axis, kind, below, word) -> None:
    project = load_example("straight").model_copy(update={"train": None})
    project, _ = train.add_car(project, _car(axis, kind, below))
    system, rest, modes = modes_at_rest(project)
    named = {car_motion(system, rest.state, mode): mode for mode in modes}
    assert f"Car: {word}" in named
    if word == "bounce":
        found = named["Car: bounce"]
        assert found.frequency == pytest.approx(math.sqrt(STIFFNESS / CABIN) / (2.0 * math.pi), rel=1e-3)


def test_that_the_roll_of_the_vehicle_is_found_among_what_a_rider_does() -> None:
    system, rest, modes = modes_at_rest(load_example("looping_star"))
    swings = [m for m in modes if m.kind == "swing" and car_motion(system, rest.state, m)]
    assert [round(m.frequency, 2) for m in swings] == [1.89]
    assert car_motion(system, rest.state, swings[0]) == "Car: roll"
    assert sum(mode.frequency < swings[0].frequency for mode in modes) > 20


def _mode(pole: complex, along: float) -> Mode:
    return Mode(
        pole, abs(pole) / 6.28, 0.0, np.zeros((1, 6), complex), np.ones(1), np.array([along, 0, 0]), ("Arm",)
    )


def test_that_growth_is_explained_by_how_it_grows() -> None:
    assert growth(_mode(-1.0 + 3.0j, 0.2)) == ""
    assert "Arm leaves its rest without swinging, its motion doubles every 0.35 s" in growth(
        _mode(2.0 + 0j, 0.2)
    )
    assert "Arm swings more and more" in growth(_mode(0.5 + 4.0j, 0.2))
    assert "as long as speed and place stay" in growth(_mode(0.5 + 4.0j, 0.2), moving=True)
    assert growth(_mode(-1.0 + 3.0j, 0.2), moving=True) == ""
    assert "rests on a crest" in growth(_mode(0.5 + 0j, 0.97))
