"""Explicit methods at a fixed step show their order, however the constraints are kept."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ridewright.core.base.frames import rotation_matrix
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

# method: order, rig, coarse step (s): errors of both steps lie between rounding and the onset of the order
METHODS = {
    "euler": (1, "spatial_double_pendulum", 1e-3),
    "rk2": (2, "spatial_double_pendulum", 4e-3),
    "bogacki_shampine": (3, "spatial_double_pendulum", 4e-3),
    "rk4": (4, "spatial_double_pendulum", 5e-3),
    "dopri5": (5, "spatial_double_pendulum", 1e-2),
    "dopri8": (8, "spatial_pendulum", 6.25e-2),
}
TIGHT = {"correction_tolerance": 1e-13, "correction_velocity_tolerance": 1e-13}
WAYS = {
    "none": {"stabilisation": "none"},
    "baumgarte": {"baumgarte_alpha": 5.0, "baumgarte_beta": 7.0},
    "correction": {"stabilisation": "correction", **TIGHT},
    "both": {
        "stabilisation": "baumgarte_and_correction",
        "correction_weight": "none",
        "baumgarte_alpha": 1.0,
        "baumgarte_beta": 1.4,
        **TIGHT,
    },
    "augmented Lagrangian": {"formulation": "augmented_lagrangian"},
    "partitioning": {"formulation": "partitioning"},
}
DURATION = 0.5


def _run(project: Project, **settings: object) -> Results:
    rig = project.scenario
    assert isinstance(rig, Rig)
    new = SolverSettings.model_validate({**dict(project.settings), **settings})
    scenario = rig.model_copy(update={"duration": DURATION})
    results = simulate(project.model_copy(update={"scenario": scenario, "settings": new}))
    assert results.status.complete, results.status
    return results


def _end(project: Project, **settings: object) -> np.ndarray:
    """Places and a tenth of the velocities at the end."""
    states = _run(project, **settings).states
    return np.concatenate([states.position[-1].ravel(), 0.1 * states.velocity[-1].ravel()])


def _chain_module() -> ModuleType:
    """The independent solution of ball chains of the verification suite: no constraint is integrated there."""
    file = Path(__file__).parents[2] / "verification" / "ball_chain_reference.py"
    spec = spec_from_file_location("ball_chain_for_methods", file)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def _chain_end(name: str) -> np.ndarray:
    """The end of a bundled chain of ellipsoids on ball joints, at order 8 and tight tolerance."""
    chain, project = _chain_module(), load_example(name)
    bodies = project.scenario.assembly.bodies
    links = tuple(chain.Link(b.mass, b.inertia, (-0.3, 0.0, 0.0), (0.3, 0.0, 0.0)) for b in bodies)
    p0, w0 = (np.array([getattr(b, k) for b in bodies]) for k in ("orientation", "angular_velocity"))
    solved = chain.BallChain(links, project.gravity)
    p, w = solved.solve(p0, w0, np.array([0.0, DURATION]))
    place = solved.centres(p, np.zeros(3))[-1]
    velocity, joint = np.empty_like(place), np.zeros(3)
    for i in range(len(bodies)):
        half = rotation_matrix(p[-1, i]) @ np.cross(w[-1, i], [0.3, 0.0, 0.0])
        velocity[i] = joint + half
        joint = joint + 2.0 * half
    return np.concatenate([place.ravel(), 0.1 * velocity.ravel()])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", METHODS)
def test_that_a_fixed_step_method_shows_its_order_on_pendulums_in_space(method, way):
    order, name, step = METHODS[method]
    settings = {"method": method, **WAYS[way]}
    ends = [_end(load_example(name), fixed_step=h, **settings) for h in (step, step / 2)]
    errors = [np.max(np.abs(end - _chain_end(name))) for end in ends]
    assert errors[1] > 2e-13, "too close to rounding to see an order"
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


@pytest.mark.parametrize("way", WAYS)
def test_that_the_order_holds_on_a_closed_loop(way):
    """Four-bar linkage against steps of order 8."""
    reference = _end(load_example("four_bar"), method="dopri8", fixed_step=1e-2, stabilisation="none")
    settings = {"method": "rk4", **WAYS[way]}
    errors = [
        np.max(np.abs(_end(load_example("four_bar"), fixed_step=h, **settings) - reference))
        for h in (1e-2, 5e-3)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.2)


def test_that_the_one_over_h_rule_costs_all_orders_above_the_first():
    """Inside a step the Runge-Kutta stages violate the constraints by h^2; 2 / h^2 makes accelerations of that."""
    reference = _end(load_example("four_bar"), method="dopri8", fixed_step=1e-2, stabilisation="none")
    settings = {"method": "rk4", "stabilisation": "baumgarte_step"}
    errors = [
        np.max(np.abs(_end(load_example("four_bar"), fixed_step=h, **settings) - reference))
        for h in (5e-3, 2.5e-3)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(1.0, abs=0.2)
    assert errors[1] > 1e3 * np.max(
        np.abs(
            _end(load_example("four_bar"), fixed_step=2.5e-3, method="rk4", stabilisation="baumgarte")
            - reference
        )
    )
