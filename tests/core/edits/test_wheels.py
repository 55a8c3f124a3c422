"""Wheels of a car in one step."""

from __future__ import annotations

import numpy as np
import pytest

import ridewright as rw
from ridewright.core.base.errors import InputError
from ridewright.core.edits.changes import set_track
from ridewright.core.edits.elements import set_element
from ridewright.core.edits.insertion import insert_straight
from ridewright.core.edits.train import insert_vehicle
from ridewright.core.edits.wheels import make_wheels, wheelbase_of
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.consistency import check_assembly
from ridewright.core.model.library import load_vehicle
from ridewright.core.model.placement import placed_model
from ridewright.core.project.project import Project


@pytest.fixture(scope="module")
def bare() -> Project:
    project, _ = insert_straight(Project(name="p"), None, length=40.0)
    return insert_vehicle(project, "")[0]


def _travels(car: Assembly) -> list[float]:
    """How far (m) the slides of a car are drawn out, one by one."""
    drawn = placed_model(car)
    ends = [
        [drawn.frame(body).point(point) for body, point in ((j.body_i, j.point_i), (j.body_j, j.point_j))]
        for j in car.joints
        if j.kind == "prismatic"
    ]
    return [float(np.linalg.norm(b - a)) for a, b in ends]


@pytest.mark.parametrize(("gauge", "wheelbase"), [(1.0, None), (1.2, 3.1)])
def test_that_a_car_from_nothing_stands_on_four_wheels_that_bear_its_weight(bare, gauge, wheelbase):
    project = set_track(bare, {"gauge": gauge})
    made, said = make_wheels(project, ("Car",), wheelbase)
    car = made.train.children[0]
    assert sorted(guide.path for guide in car.guides) == ["left_rail"] * 2 + ["right_rail"] * 2
    assert check_assembly(made.train) == ()
    assert _travels(car) == pytest.approx(_travels(load_vehicle("viegas2016")))  # as far on their slides
    solved = rw.equilibrium(made)
    up = [np.asarray(load.force)[2] for load in solved.of("guide")]
    assert len(up) == 4
    assert sum(up) == pytest.approx(9.81 * car.mass(), rel=1e-6)
    assert max(up) / min(up) < 1.05
    assert max(np.linalg.norm(moved.shift) for moved in solved.bodies) < 0.005  # it stands as drawn
    assert f"{wheelbase or 2.0:g} m apart" in said
    assert f"{car.mass() - 500.0:.0f} kg" in said


def test_that_the_body_may_be_turned_and_stays_where_it_is(bare):
    turned = set_element(bare, "body", ("Car", "Car body"), {"orientation": (0.0, 0.0, 0.0, 1.0)})
    made, _ = make_wheels(turned, ("Car",))
    assert check_assembly(made.train) == ()
    assert made.train.children[0].bodies[0] == turned.train.children[0].bodies[0]


def test_that_a_car_on_wheels_and_what_is_no_car_are_refused(bare):
    made, _ = make_wheels(bare, ("Car",))
    with pytest.raises(InputError, match="has wheels already"):
        make_wheels(made, ("Car",))
    with pytest.raises(InputError, match="select a car"):
        make_wheels(bare, ())
    with pytest.raises(InputError, match="above 0"):
        make_wheels(bare, ("Car",), -1.0)
    with pytest.raises(InputError, match="no body 'Nothing'"):
        make_wheels(bare, ("Car",), body="Nothing")


def test_that_the_wheelbase_follows_the_seats(bare):
    car = bare.train.children[0]
    seats = tuple(
        Seat(name=f"S{k}", body="Car body", position=(x, 0.0, 0.3)) for k, x in enumerate((-1.6, 1.6))
    )
    assert wheelbase_of(car) == 2.0
    assert wheelbase_of(car.model_copy(update={"seats": seats})) == 3.2
