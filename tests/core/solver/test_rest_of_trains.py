"""Long trains come to rest: each car as it does alone."""

from __future__ import annotations

import numpy as np

from ridewright.core.edits.couplings import make_train
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.library import with_wrist_ankle_stiffness
from ridewright.core.multibody.compile import compile_system
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.solver import engine
from ridewright.core.solver.assemble import assemble
from ridewright.core.solver.balance import Equilibrium
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.equilibrium import static_equilibrium
from ridewright.core.solver.kkt import new_factor

APART = 3.0  # m


def train(count: int, start: float) -> Project:
    """Cars with riders on the Looping Star, one behind the other, the first at a place (m)."""
    base = load_example("looping_star")
    car = base.train.children[0]
    cars = tuple(car.model_copy(update={"name": f"Car {k + 1}", "offset": APART * k}) for k in range(count))
    ride = base.scenario.model_copy(update={"start": start})
    return base.model_copy(
        update={"train": base.train.model_copy(update={"children": cars}), "scenario": ride}
    )


def rest(project: Project) -> Equilibrium:
    system = compile_system(project, speed=0.0)
    factor = new_factor(system)
    return static_equilibrium(system, factor, assemble(system, factor)[0])


def test_that_every_car_of_a_long_train_settles_as_alone():
    count = 30
    start = load_example("looping_star").scenario.start
    whole = rest(train(count, start))
    assert whole.steps < 200
    assert whole.unbalanced < 1.0
    last = rest(train(1, start - APART * (count - 1)))
    own = len(last.state.r) - 1
    np.testing.assert_allclose(whole.state.r[-1 - own : -1], last.state.r[:-1], atol=2e-3)  # limbs hang free


def hanging(project: Project) -> Project:
    """With riders whose hands and feet nothing holds."""

    def free(car: Assembly) -> Assembly:
        riders = tuple(
            with_wrist_ankle_stiffness(one, enabled=False) if one.role == "rider" else one
            for one in car.children
        )
        assert any(one.role == "rider" for one in riders)
        return car.model_copy(update={"children": riders})

    cars = tuple(free(car) for car in project.train.children)
    return project.model_copy(update={"train": project.train.model_copy(update={"children": cars})})


def test_that_what_is_in_balance_is_closed_and_does_not_creep_on(monkeypatch):
    """Hundreds of steps went into closing joints of hanging limbs that every further step opened again."""
    project = hanging(make_train(load_example("gatekeeper"), "helix", 7, riders="full"))
    steps = []

    def counted(*args, **kwargs):
        found = static_equilibrium(*args, **kwargs)
        steps.append(found.steps)
        assert found.unbalanced < 1e-3
        return found

    monkeypatch.setattr(engine, "static_equilibrium", counted)
    made = Engine.prepare(compile_system(project, speed=14.0), project.settings, settled=True)
    assert not made.report.unsettled
    assert len(steps) == 2
    assert sum(steps) < 150
