"""Solvers with error control, scipy's and Adams, and what every explicit method owes to the run around it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BPoly

from ridewright.core.base.errors import InputError
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate

ADAPTIVE = ("rk23", "rk45", "dop853", "adams", "lsoda", "radau", "bdf")
FIXED = ("euler", "rk2", "bogacki_shampine", "rk4", "dopri5", "dopri8")


def _project(name: str, duration: float | None = None, **settings: object) -> Project:
    project = load_example(name)
    scenario = project.scenario
    if duration is not None:
        scenario = scenario.model_copy(update={"duration": duration})
    new = SolverSettings.model_validate({**dict(project.settings), **settings})
    return project.model_copy(update={"scenario": scenario, "settings": new})


def _run(name: str, duration: float | None = None, **settings: object) -> Results:
    results = simulate(_project(name, duration, **settings))
    assert results.status.complete, results.status
    return results


def _at(results: Results, times: np.ndarray) -> np.ndarray:
    """Places of all bodies at times, between stored instants by the quintic of places, velocities, accelerations."""
    s = results.states
    stored = np.stack([s.position, s.velocity, s.acceleration], axis=1)
    return BPoly.from_derivatives(s.time, stored)(times)


def test_that_all_methods_agree_on_the_double_pendulum():
    """Explicit, implicit and adaptive ones, each at an accuracy that shows them to be the same motion."""
    instants = np.linspace(0.0, 1.0, 23)
    reference = _at(_run("double_pendulum", 1.0, method="dopri8", fixed_step=2e-3), instants)
    close = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-10, "max_step": 5e-3}
    runs = {f"adaptive_{m}": (close, 2e-6) for m in ADAPTIVE}
    steps = {"euler": 1e-4, "rk2": 5e-4, "bogacki_shampine": 1e-3, "rk4": 2e-3, "dopri5": 2e-3}
    allowed = {"euler": 2e-3, "rk2": 3e-5}
    runs |= {m: ({"fixed_step": h}, allowed.get(m, 2e-6)) for m, h in steps.items()}
    runs["generalized_alpha"] = ({"fixed_step": 5e-4, "rho_infinity": 1.0}, 1e-4)
    for method, (settings, within) in runs.items():
        found = _at(_run("double_pendulum", 1.0, method=method, **settings), instants)
        assert np.max(np.abs(found - reference)) < within, method


@pytest.mark.parametrize("formulation", ["augmented", "augmented_lagrangian", "partitioning"])
@pytest.mark.parametrize("method", ["rk45", "adams", "radau"])
def test_that_the_error_follows_the_tolerance(method, formulation):
    instants = np.linspace(0.0, 0.6, 7)
    reference = _at(_run("four_bar", 0.6, method="dopri8", fixed_step=2e-3), instants)
    errors = []
    for rtol in (1e-4, 1e-8):
        settings = {
            "method": f"adaptive_{method}",
            "relative_tolerance": rtol,
            "absolute_tolerance": 0.1 * rtol,
            "max_step": 0.5,
        }
        results = _run("four_bar", 0.6, formulation=formulation, **settings)
        errors.append(np.max(np.abs(_at(results, instants) - reference)))
    assert errors[1] < 2e-6
    assert errors[0] > 5.0 * errors[1]
    assert errors[0] < 5e-3


@pytest.mark.parametrize(
    "settings",
    [
        *({"method": m} for m in FIXED),
        *({"method": f"adaptive_{m}"} for m in ADAPTIVE),
        {"method": "rk4", "formulation": "partitioning"},
        {"method": "adaptive_adams", "formulation": "partitioning"},
        {"method": "adaptive_rk23", "stabilisation": "correction", "correction_tolerance": 1e-9},
        {"method": "euler", "formulation": "penalty"},
    ],
    ids=lambda s: " ".join(s.values() if len(s) < 3 else [s["method"], s["stabilisation"]]),
)
def test_that_a_run_ends_on_time_is_stored_at_most_at_the_sample_rate_and_can_be_stopped(settings):
    seen: list[float] = []
    project = _project("spatial_double_pendulum", 0.3, sample_rate=200.0, fixed_step=7e-4, **settings)
    results = simulate(project, on_progress=lambda fraction, time, end: seen.append(fraction))
    assert results.status.name == "done"
    states = results.states
    assert states.time[-1] == pytest.approx(0.3, abs=1e-12)
    assert np.all(np.diff(states.time)[:-1] > 0.005 * (1.0 - 1e-6))
    assert np.linalg.norm(states.orientation, axis=2) == pytest.approx(1.0, abs=1e-12)
    assert np.all(np.isfinite(states.acceleration))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)
    longer = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 5.0})})
    stopped = simulate(longer, should_stop=lambda: True)
    assert stopped.status.name == "stopped"
    assert 0.0 < stopped.states.time[-1] < 2.0


def test_that_stored_accelerations_and_reactions_belong_to_the_stored_state():
    """Newton's law for the upper body of the chain at every stored instant of an adaptive run."""
    results = _run("spatial_double_pendulum", 0.5, method="adaptive_dop853", stabilisation="correction")
    force = results.states.reactions
    # joint 1 acts on the ground as body i, joint 2 on the upper body as body i
    on_upper = -force[:, 0, :3] + force[:, 1, :3] + np.array([0.0, 0.0, -9.81])
    assert np.max(np.abs(results.states.acceleration[:, 0] - on_upper)) < 1e-8
    assert np.max(np.abs(force[:, 1, :3])) > 1.0


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "adaptive_rk45", "relative_tolerance": 1e-5},
        {"method": "rk4", "fixed_step": 2e-3, "formulation": "partitioning"},
    ],
    ids=["adaptive", "partitioning"],
)
def test_that_a_guided_body_ends_at_its_place(settings):
    """A frame on a helical curve, to a place ahead instead of a time."""
    project = load_example("frame_helix")
    ride = project.scenario
    assert not isinstance(ride, Rig)
    place = ride.start + 3.0
    scenario = type(ride).model_validate({**dict(ride), "end_place": place, "duration": None})
    new = SolverSettings.model_validate({**dict(project.settings), **settings})
    results = simulate(project.model_copy(update={"scenario": scenario, "settings": new}))
    assert results.status.complete
    assert results.states.path_coordinate[-1, 0] == pytest.approx(place, abs=1e-8)
    assert results.states.path_coordinate[-2, 0] < place
    assert np.max(results.violations.guides) < 1e-3


def test_that_a_run_that_blows_up_fails_with_advice():
    """Forward Euler beyond its stability, and an adaptive method whose state leaves all bounds."""
    unstable = {"baumgarte_alpha": 3000.0, "baumgarte_beta": 3000.0}
    for method in ("euler", "dopri8"):
        results = simulate(_project("double_pendulum", 5.0, method=method, fixed_step=5e-3, **unstable))
        assert results.status.name == "failed"
        assert results.status.advice
        assert results.states.time[-1] < 5.0


def test_that_the_one_over_h_rule_is_refused_where_there_is_no_h():
    with pytest.raises(InputError, match="fixed-step"):
        _run("double_pendulum", 0.1, method="adaptive_rk45", stabilisation="baumgarte_step")
