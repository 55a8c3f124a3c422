"""Energy over a hundred periods, at the default tolerance without numerical damping.

Drift is what remains when the oscillation of the energy error within a period is averaged away: the change of its mean
from the first to the second half of a run, weighted by sin^4, which leaves next to nothing of whole and broken periods,
doubled to count for the whole run.
"""

from __future__ import annotations

import numpy as np
import pytest
from verification_tools import run

from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate

PENDULUM_PERIOD = 2.367841947576  # s


def drift(time: np.ndarray, error: np.ndarray) -> float:
    """Secular change of a signal over a run, see above."""
    x = (time - time[0]) / (time[-1] - time[0])
    means = []
    for first in (0.0, 0.5):
        part = np.clip(2.0 * (x - first), 0.0, 1.0)
        weight = np.sin(np.pi * part) ** 4
        means.append(np.trapezoid(weight * error, time) / np.trapezoid(weight, time))
    return 2.0 * (means[1] - means[0])


def test_that_the_measure_of_drift_sees_a_trend_under_an_oscillation():
    time = np.linspace(3.0, 33.0, 5000)
    error = 1e-4 * np.sin(40.0 * time + 1.0) + 2e-6 * (time - 3.0) / 30.0
    assert drift(time, error) == pytest.approx(2e-6, rel=1e-2)


@pytest.mark.parametrize(
    ("name", "duration", "swings"),
    [
        ("planar_pendulum", 100 * PENDULUM_PERIOD, 200),  # released level: 90 degrees to either side
        ("torsion_chain", 80.0, 200),  # two discs on springs
        ("bar_pendulum", 120.0, 90),
    ],
)
def test_that_energy_does_not_drift_over_a_hundred_periods(name, duration, swings):
    """Less than 1e-6 of the energy that swings to and fro; the step varies with the error control."""
    results = run(name, duration=duration, rho_infinity=1.0)
    kinetic, time = results.energy.kinetic, results.states.time
    peaks = np.sum((kinetic[1:-1] > kinetic[2:]) & (kinetic[1:-1] >= kinetic[:-2]))
    assert peaks >= swings
    assert abs(drift(time, results.energy.residual)) < 1e-6 * np.ptp(kinetic)
    steps = np.diff(time)
    if name == "planar_pendulum":
        assert steps[:-3].max() > 1.2 * steps[5:-3].min(), "the step is not constant"


def test_that_the_heavy_top_keeps_its_energy():
    results = run("heavy_top", duration=12.0, rho_infinity=1.0)
    assert abs(drift(results.states.time, results.energy.residual)) < 1e-6 * np.ptp(results.energy.kinetic)


def test_that_numerical_damping_takes_energy_and_its_absence_does_not():
    """The same fixed step with and without damping."""
    damped = run("planar_pendulum", duration=20.0, fixed_step=0.02, rho_infinity=0.5)
    kept = run("planar_pendulum", duration=20.0, fixed_step=0.02, rho_infinity=1.0)
    lost = [drift(r.states.time, r.energy.residual) for r in (damped, kept)]
    assert lost[0] < -1e-4
    assert abs(lost[1]) < 1e-3 * abs(lost[0])


def test_that_a_bead_without_friction_loses_what_the_guide_states() -> None:
    """In 30 s on a closed loop: hardly any of its energy by steps of order 4 and without damping; by steps of order 2
    some 4e-4 to numerical damping, falling with the tolerance."""
    lost = {}
    for name, changes in (
        ("default", {}),
        ("second order", {"fourth_order": False}),
        ("finer", {"fourth_order": False, "tolerance": 1e-6}),
        ("undamped", {"rho_infinity": 1.0}),
    ):
        project = load_example("bead_loop")
        ride = project.scenario.model_copy(update={"duration": 30.0, "end_place": None})
        settings = project.settings.model_copy(update=changes)
        energy = simulate(project.model_copy(update={"scenario": ride, "settings": settings})).energy
        lost[name] = -float(energy.residual[-1] / energy.kinetic.max())
    assert abs(lost["default"]) < 1e-5
    assert lost["second order"] == pytest.approx(4.4e-4, rel=0.2)
    assert lost["finer"] == pytest.approx(1.0e-4, rel=0.2)
    assert abs(lost["undamped"]) < 1e-5
