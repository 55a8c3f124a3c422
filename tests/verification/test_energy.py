"""Energy over a hundred periods and momentum of free bodies, at the default tolerance without numerical damping.

Drift is what remains when the oscillation of the energy error within a period is averaged away: the change of its mean
from the first to the second half of a run, weighted by sin^4, which leaves next to nothing of whole and broken periods,
doubled to count for the whole run.
"""

from __future__ import annotations

import numpy as np
import pytest
from verification_tools import changed, complete, largest, observed_orders, run

from core.examples import load_example
from core.frames import rotation_matrix
from core.model.elements import SpringDamper
from core.results import Results
from core.solver.simulate import simulate

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


def _free_chain(forces: tuple[SpringDamper, ...] = (), **settings: object):
    """Two bodies on a ball joint, cut loose from the ground, without weight; with forces between them."""
    project = changed(load_example("spatial_double_pendulum"), duration=2.0, **settings)
    assembly = project.scenario.assembly
    inner = tuple(j for j in assembly.joints if "ground" not in (j.body_i, j.body_j))
    assert len(inner) == 1
    rig = project.scenario.model_copy(
        update={"assembly": assembly.model_copy(update={"joints": inner, "forces": forces})}
    )
    return complete(simulate(project.model_copy(update={"scenario": rig, "gravity": (0.0, 0.0, 0.0)})))


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_bodies_joined_to_one_another_keep_their_linear_momentum_to_rounding(rho):
    results = _free_chain(rho_infinity=rho)
    momentum = results.states.velocity.sum(axis=1)  # both weigh 1 kg
    assert largest(momentum[0]) > 0.05
    assert largest(momentum - momentum[0]) < 1e-10
    assert np.ptp(results.states.velocity[:, 0], axis=0).max() > 0.1, "each for itself does not"


def _angular_momentum(
    results: Results, inertia: list[tuple[float, float, float]], mass: list[float]
) -> np.ndarray:
    """About the common centre of mass, world axes, (n, 3) N m s."""
    states = results.states
    share = np.array(mass) / sum(mass)
    arm = states.position - np.einsum("b,nbi->ni", share, states.position)[:, None]
    speed = states.velocity - np.einsum("b,nbi->ni", share, states.velocity)[:, None]
    spin = np.einsum(
        "nbij,nbj->nbi", rotation_matrix(states.orientation), np.array(inertia) * states.angular_velocity
    )
    return (spin + np.array(mass)[:, None] * np.cross(arm, speed)).sum(axis=1)


def _loss(results: Results, inertia: list[tuple[float, float, float]], mass: list[float]) -> float:
    """Largest change of the angular momentum over a run, as a share of it."""
    momentum = _angular_momentum(results, inertia, mass)
    return largest(momentum - momentum[0]) / float(np.linalg.norm(momentum[0]))


TUMBLING = ([(0.3, 0.5, 0.7)], [3.0])


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_a_tumbling_body_keeps_angular_momentum_to_the_second_order_of_the_step(rho):
    """Not to rounding: the rotational equations are those of the body axes (see the guide)."""
    losses = [
        _loss(run("free_body", duration=2.0, fixed_step=h, rho_infinity=rho), *TUMBLING)
        for h in (4e-3, 2e-3, 1e-3)
    ]
    assert observed_orders(losses) == pytest.approx([2.0, 2.0], abs=0.1)
    assert losses[-1] < 5e-6


def test_that_an_explicit_method_of_eighth_order_keeps_it_to_rounding():
    assert _loss(run("free_body", duration=2.0, method="dopri8", fixed_step=2e-3), *TUMBLING) < 1e-12


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_two_bodies_with_a_joint_and_a_spring_between_them_keep_it_to_second_order_too(rho):
    """Neither the forces of the joint nor those of the spring, which works hard, turn the pair as a whole."""
    first, second = load_example("spatial_double_pendulum").scenario.assembly.bodies
    spring = SpringDamper(
        name="Spring", body_i=first.name, body_j=second.name, point_i=(0.05, 0.02, 0.1), point_j=(0.1, -0.04, 0.03),
        stiffness=200.0, free_length=0.3,
    )  # fmt: skip
    losses = []
    for h in (2e-3, 1e-3, 5e-4):
        results = _free_chain((spring,), rho_infinity=rho, fixed_step=h)
        losses.append(_loss(results, [first.inertia, second.inertia], [first.mass, second.mass]))
    assert np.ptp(results.energy.elastic) > 0.1 * np.ptp(results.energy.kinetic)
    assert observed_orders(losses) == pytest.approx([2.0, 2.0], abs=0.25)
