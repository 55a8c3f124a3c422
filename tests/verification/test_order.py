"""Observed order of the implicit method at fixed steps: from the first step, across events and singular places."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from verification_tools import GRAVITY, accurate, changed, complete, largest, observed_orders, second_order

from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate

STEPS = (8e-3, 4e-3, 2e-3)
FINE = 1e-3  # s, of the reference


def _errors(name: str, duration: float, rho: float) -> dict[str, list[float]]:
    """Largest errors of positions and velocities over a run, and of accelerations over its first five steps."""
    reference = accurate(name, step=FINE, duration=duration).states
    out: dict[str, list[float]] = {"position": [], "velocity": [], "acceleration": []}
    for h in STEPS:
        states = second_order(name, h, duration=duration, rho_infinity=rho).states
        k = np.rint(states.time / FINE).astype(int)
        assert reference.time[k] == pytest.approx(states.time, abs=1e-9)
        out["position"].append(largest(states.position - reference.position[k]))
        out["velocity"].append(largest(states.velocity - reference.velocity[k]))
        early = slice(1, 6)
        out["acceleration"].append(largest(states.acceleration[early] - reference.acceleration[k[early]]))
    return out


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
@pytest.mark.parametrize("name", ["bead_helix", "frame_helix", "bar_pendulum"])
def test_that_the_order_is_two_from_the_first_step_on(name, rho):
    for what, errors in _errors(name, 0.2, rho).items():
        assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.15), what


def test_that_the_order_is_two_across_the_singular_places_of_the_four_bar():
    """All rods lie on one line at 0.71 s; the constraint rows lose another rank there."""
    errors = _errors("four_bar", 2.0, 0.8)
    assert observed_orders(errors["position"]) == pytest.approx([2.0, 2.0], abs=0.05)


@pytest.mark.parametrize(
    ("name", "step"), [("four_bar", 1e-2), ("bricard", 1e-2), ("spatial_double_pendulum", 1e-2)]
)
def test_that_long_fixed_steps_pass_places_where_rows_depend_on_each_other(name, step):
    results = complete(simulate(changed(load_example(name), duration=5.0, fixed_step=step)))
    assert largest(results.violations.joints) < 1e-8


def _stopped(duration: float) -> float:
    """Angle of the damped pendulum with a stop at -2 rad, from its single equation."""

    def rhs(_, y):
        depth = -2.0 - y[0]
        stop = max(0.0, 400.0 * depth**1.5 * (1.0 - 0.2 * y[1])) if depth > 0.0 else 0.0
        return [y[1], -1.5 * GRAVITY * math.cos(y[0]) - 0.4 * y[1] + stop]

    out = solve_ivp(rhs, (0.0, duration), [0.0, 0.0], "DOP853", rtol=1e-12, atol=1e-13, max_step=1e-3)
    return float(out.y[0, -1])


@pytest.mark.parametrize("rho", [0.5, 0.8, 1.0])
def test_that_the_order_is_two_across_a_joint_stop(rho):
    """In and out of the stop; the steps end where it is met and left."""
    reference, errors = _stopped(1.7), []
    for h in STEPS:
        states = second_order("stopped_pendulum", h, duration=1.7, rho_infinity=rho).states
        angle = np.unwrap(np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0]))
        assert np.min(angle) < -2.05
        assert np.min(np.abs(angle + 2.0)) < 1e-5, "a step ends where the stop is met"
        errors.append(abs(angle[-1] - reference))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.05)


@pytest.mark.parametrize("step", [None, 3e-3])
def test_that_a_ride_ends_exactly_at_its_end_place(step):
    project = changed(load_example("bead_helix"), fixed_step=step)
    place = project.scenario.start + 3.3
    ride = project.scenario.model_copy(update={"end_place": place})
    results = complete(simulate(project.model_copy(update={"scenario": ride})))
    assert results.states.path_coordinate[-1, 0] == pytest.approx(place, abs=1e-7)
