"""Accelerations of the explicit methods where one solution of the saddle-point system is not the last word."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from verification_tools import GRAVITY, changed, complete

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.forces.rolling_resistance import RollingResistance
from ridewright.core.model.joints import Joint
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

ROLLING = 0.05


def _braked_bead(**settings: object) -> Results:
    """The bead on the helix with rolling resistance, 0.8 s."""
    project = load_example("bead_helix")
    (car,) = project.train.children
    brake = RollingResistance(name="wire", guide=car.guides[0].name, coefficient=ROLLING)
    train = project.train.model_copy(update={"children": (car.model_copy(update={"forces": (brake,)}),)})
    return complete(
        simulate(changed(project.model_copy(update={"train": train}), duration=0.8, method="rk4", **settings))
    )


@pytest.mark.parametrize("formulation", ["augmented", "penalty", "augmented_lagrangian", "partitioning"])
def test_that_rolling_resistance_costs_no_order(formulation: str) -> None:
    """Its force follows from the wheel force of the same instant: s'' = g sin(slope) - c N(s') on the helix."""
    radius, drop = 8.0, 1.5
    length = math.hypot(radius, drop)
    kappa, sine, cosine = radius / length**2, drop / length, radius / length

    def rates(_: float, y: np.ndarray) -> list[float]:
        load = math.hypot(kappa * y[1] ** 2, GRAVITY * cosine)
        return [y[1], GRAVITY * sine - ROLLING * load * math.tanh(y[1] / 0.05)]

    exact = solve_ivp(rates, (0.0, 0.8), [10.0, 3.0], "DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
    places = [
        _braked_bead(formulation=formulation, fixed_step=h).states.path_coordinate[-1, 0]
        for h in (1.6e-2, 8e-3, 4e-3)
    ]
    assert places[0] == pytest.approx(exact, abs=1e-6)
    assert math.log2(abs(places[1] - places[0]) / abs(places[2] - places[1])) > 3.8


def test_that_a_link_far_lighter_than_what_hangs_on_it_carries_it_exactly() -> None:
    """A double pendulum whose upper link has 1e-8 of the mass of the lower one, against its two angles' equations."""
    light, heavy, share = 1e-5, 1e3, 0.1

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        turn, half = y[1] - y[0], 0.5 * heavy
        mass = np.array(
            [
                [light * (0.25 + share) + heavy, half * math.cos(turn)],
                [half * math.cos(turn), heavy * (0.25 + share)],
            ]
        )
        force = [
            half * math.sin(turn) * y[3] ** 2 + (0.5 * light + heavy) * GRAVITY * math.cos(y[0]),
            -half * math.sin(turn) * y[2] ** 2 + half * GRAVITY * math.cos(y[1]),
        ]
        return np.concatenate([y[2:], np.linalg.solve(mass, force)])

    angles = solve_ivp(rates, (0.0, 1.0), np.zeros(4), "DOP853", rtol=1e-12, atol=1e-12).y[:2, -1]
    expected = [np.cos(angles) @ [1.0, 0.5], 0.0, -np.sin(angles) @ [1.0, 0.5]]

    def link(name: str, mass: float, x: float) -> Body:
        return Body(name=name, mass=mass, inertia=(share * mass,) * 3, position=(x, 0.0, 0.0))

    def hinge(i: str, j: str, x: float) -> Joint:
        axis = (0.0, 1.0, 0.0)
        return Joint(
            name=j, kind="revolute", body_i=i, body_j=j, point_i=(x, 0.0, 0.0), point_j=(-0.5, 0.0, 0.0),
            axis_i=axis, axis_j=axis,
        )  # fmt: skip

    rig = Rig(
        assembly=Assembly(
            name="Rig",
            role="rig",
            bodies=(link("upper", light, 0.5), link("lower", heavy, 1.5)),
            joints=(hinge("ground", "upper", 0.0), hinge("upper", "lower", 0.5)),
        ),
        duration=1.0,
    )
    settings = SolverSettings(method="rk4", fixed_step=1e-3, stabilisation="none")
    results = complete(simulate(Project(name="light link", scenario=rig, settings=settings)))
    assert results.states.position[-1, 1] == pytest.approx(expected, abs=1e-9)
    assert np.max(results.violations.joints) < 1e-10
