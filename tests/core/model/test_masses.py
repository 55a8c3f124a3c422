"""One mass budget: what moves is what is stated, whoever states it."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.edits.make_flexible import make_flexible
from ridewright.core.edits.train import load_cars
from ridewright.core.model.assembly import Assembly, Seat
from ridewright.core.model.bodies import Body
from ridewright.core.model.masses import mass_budget
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_train import about_losses, points_of
from ridewright.core.project.project import Project


def _moves(project: Project) -> float:
    """kg of all bodies in the equations."""
    system = compile_system(project)
    return float(system.inertia[system.layout.rigid[:-1, 0]].sum())


@pytest.mark.parametrize("name", ["frisbee", "looping_star", "two_cars_loaded", "ten_cars", "swing_beam"])
def test_that_the_budget_is_what_is_in_the_equations(name):
    project = load_example(name)
    assert mass_budget(project.assembly).total == pytest.approx(_moves(project), rel=1e-9)


def test_that_a_ring_of_passengers_is_in_every_sum():
    frisbee = load_example("frisbee")
    budget = mass_budget(frisbee.assembly)
    assert budget.of("body") == pytest.approx(5045.338, abs=1e-3)
    assert (budget.count("passenger"), budget.of("passenger")) == (24, pytest.approx(budget.on_board))
    assert budget.total == pytest.approx(frisbee.assembly.mass())
    assert budget.total == pytest.approx(frisbee.mechanism.mass())
    flexible = make_flexible(frisbee, ("Arm",)).project
    bent = mass_budget(flexible.assembly)
    assert bent.total == pytest.approx(budget.total, rel=1e-9)
    assert bent.of("beam") > 2000.0


def test_that_riders_count_once_and_those_on_their_seats_take_the_passengers_place():
    star = load_example("looping_star")
    full = load_cars(star, "full")
    car = full.train.children[0]
    seats = tuple(seat.model_copy(update={"passenger": 75.0}) for seat in car.seats)
    taken = full.model_copy(
        update={
            "train": full.train.model_copy(update={"children": (car.model_copy(update={"seats": seats}),)})
        }
    )
    assert mass_budget(taken.train) == mass_budget(full.train)
    assert mass_budget(full.train).count("rider") == 2


def test_that_the_ride_as_points_has_the_passengers_too():
    star = load_example("looping_star")
    empty = load_cars(star, "empty")
    car = empty.train.children[0]
    seats: tuple[Seat, ...] = tuple(seat.model_copy(update={"passenger": 75.0}) for seat in car.seats)
    loaded = empty.model_copy(
        update={
            "train": empty.train.model_copy(update={"children": (car.model_copy(update={"seats": seats}),)})
        }
    )
    assert points_of(loaded.train)[0] == pytest.approx(points_of(empty.train)[0] + 150.0)
    assert np.isfinite(points_of(loaded.train)[0])
    assert about_losses(loaded) == about_losses(empty)


def test_that_an_assembly_without_anything_but_a_body_weighs_that():
    body = Body(name="b", mass=2.5, inertia=(1.0, 1.0, 1.0), position=(0.0, 0.0, 0.0))
    top = Assembly(name="R", role="rig", bodies=(body,))
    assert mass_budget(top).rows == (("body", "b", 2.5),)


def test_that_every_body_counts_once_its_riders_whole() -> None:
    top = load_example("looping_star").assembly
    assert top is not None
    rows = [*top.mass_rows()]
    riders = {row.name: row.mass for row in rows if row.kind == "rider"}
    bodies = top.every("body")
    assert riders.keys() == {path for path in top.with_role("rider") if path}
    for rider, mass in riders.items():
        assert mass == sum(body.mass for path, body in bodies.items() if path.startswith(f"{rider}/"))
    own = {row.name: row.mass for row in rows if row.kind == "body"}
    assert own == {
        path: body.mass
        for path, body in bodies.items()
        if not path.startswith(tuple(f"{r}/" for r in riders))
    }
    assert 0 < len(own) < len(bodies)
