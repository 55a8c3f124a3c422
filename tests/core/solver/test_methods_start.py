"""Explicit methods that cannot begin say so, and settings that let none begin are refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.run.simulate import simulate

METHODS = (
    "rk4",
    "adaptive_rk45",
    "adaptive_adams",
    "adaptive_lsoda",
    "adaptive_radau",
    "adaptive_bdf",
    "adaptive_rosenbrock23",
    "adaptive_trapezoid",
    "adaptive_tr_bdf2",
)


@pytest.mark.parametrize("method", METHODS)
def test_that_a_body_beyond_all_bounds_fails_the_run_and_not_the_program(method: str) -> None:
    far = Body(name="far", mass=1.0, inertia=(0.1, 0.2, 0.3), position=(2e7, 0.0, 0.0))
    rig = Rig(assembly=Assembly(name="Rig", role="rig", bodies=(far,)), duration=0.1)
    results = simulate(Project(name="far", scenario=rig, settings=SolverSettings(method=method)))
    assert results.status.name == "failed"
    assert results.status.advice
    assert len(results.states.time) == 1


@pytest.mark.parametrize("name", ["baumgarte_alpha", "baumgarte_beta", "penalty_omega", "penalty_damping"])
def test_that_feedback_no_step_can_follow_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="less than or equal to"):
        SolverSettings(**{name: 1e30})
