"""Poses in which constraint rows depend on each other, at fixed steps and tight tolerances: four-bar, Bricard, bars."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline
from test_linkages import BRICARD_END, _four_bar, _p3
from verification_tools import GRAVITY, changed, complete, largest, observed_orders, run

from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.model.joints import Joint
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig, SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from ridewright.core.solver import redundant_constraints

SPIN = 9.0  # rad/s, of the cranks


def _angle(results: Results) -> np.ndarray:
    """Of the first upright over time."""
    place = results.states.position[:, 0]
    return np.unwrap(np.arctan2(place[:, 1], place[:, 0]))


def _error(results: Results) -> np.ndarray:
    """The angle of the first upright less that of the single equation of the parallelogram, over time."""
    exact = _four_bar().solve(np.array([np.pi / 2]), np.array([-1.0]), results.states.time)[0][:, 0]
    return _angle(results) - exact


def _passages(results: Results) -> int:
    """How often all rods have lain on one line."""
    return int(np.sum(np.abs(np.diff(np.floor(_angle(results) / math.pi)))))


def _assert_kept(results: Results) -> None:
    """Joints are closed, and the uprights are still parallel: the motion has not gone over to a crossed linkage."""
    position = results.states.position
    assert largest(results.violations.joints) < 1e-8
    for k in (1, 2):
        assert largest(position[:, k, :2] - position[:, 0, :2] - [k, 0.0]) < 1e-7


@pytest.mark.parametrize("step", [1e-2, 7e-3, 5e-3, 2e-3, 1e-3])
def test_that_fixed_steps_without_damping_pass_singular_poses(step):
    results = run("four_bar", fixed_step=step, rho_infinity=1.0)
    assert _passages(results) >= 9
    _assert_kept(results)
    assert largest(_error(results)) < 0.1 * step


def test_that_without_damping_energy_stays_of_second_order_across_singular_poses():
    drift = [
        largest(run("four_bar", fixed_step=h, rho_infinity=1.0).energy.residual) for h in (4e-3, 2e-3, 1e-3)
    ]
    assert observed_orders(drift) == pytest.approx([2.0, 2.0], abs=0.1)


@pytest.mark.parametrize(
    ("rho", "step"),
    [(0.0, 1e-3), (0.3, 3e-3), (0.5, 2e-3), (0.5, 1.3e-3), (0.8, 2e-3), (0.8, 1e-3), (0.9, 1.3e-3)],
)
def test_that_fixed_steps_with_damping_pass_singular_poses(rho, step):
    results = complete(
        simulate(changed(load_example("four_bar"), duration=15.0, fixed_step=step, rho_infinity=rho))
    )
    assert _passages(results) >= 15
    _assert_kept(results)


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
def test_that_a_fixed_step_may_end_in_the_singular_pose_itself(rho):
    """The step is aimed until its 150th end lies there; no multipliers exist at that place."""

    def at_end(step: float) -> float:
        options = {"duration": 1.2, "fixed_step": step, "rho_infinity": rho}
        results = complete(simulate(changed(load_example("four_bar"), **options)))
        _assert_kept(results)
        assert results.states.time[-1] == pytest.approx(1.2, abs=1e-9)
        rate = results.states.angular_velocity[:, 0, 2]
        return float(CubicHermiteSpline(results.states.time, _angle(results), rate)(150 * step))

    steps = [0.7140 / 150, 0.7145 / 150]
    ends = [at_end(h) for h in steps]
    for _ in range(4):
        steps.append(steps[-1] - ends[-1] * (steps[-1] - steps[-2]) / (ends[-1] - ends[-2]))
        ends.append(at_end(steps[-1]))
        if abs(ends[-1]) < 1e-8:
            break
    assert abs(ends[-1]) < 1e-6


@pytest.mark.nightly
def test_that_tight_tolerances_pass_singular_poses_and_close_in_on_the_motion():
    errors = []
    for tolerance in (1e-8, 2e-9, 1e-9):
        results = run("four_bar", tolerance=tolerance)
        _assert_kept(results)
        errors.append(largest(_error(results)))
    assert errors[2] < 0.7 * errors[0]
    assert errors[2] < 1e-3
    results = run("four_bar", tolerance=3e-10, duration=5.0)
    assert _passages(results) >= 5
    _assert_kept(results)
    assert largest(_error(results)) < 1e-3


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_that_bricards_linkage_converges_at_fixed_steps_for_every_damping(rho):
    """Without damping the error at the end happens to pass through zero near a step of 1e-2."""
    errors = [
        largest(_p3(run("bricard", fixed_step=h, rho_infinity=rho)) - BRICARD_END)
        for h in (1e-2, 5e-3, 2.5e-3, 1.25e-3)
    ]
    assert errors[1] > 2.5 * errors[2] > 6.25 * errors[3]
    assert errors[0] < 6.25 * errors[1]


@pytest.mark.parametrize("rho", [0.8, 1.0])
def test_that_bricards_linkage_follows_the_tolerance(rho):
    """By steps of order 2, and far closer at each tolerance where those of order 4 are taken."""
    second, fourth = (
        [
            largest(_p3(run("bricard", tolerance=t, rho_infinity=rho, fourth_order=high)) - BRICARD_END)
            for t in (1e-6, 1e-8, 1e-10)
        ]
        for high in (False, True)
    )
    assert second[0] > 10.0 * second[1]
    assert second[2] < 5e-7
    if rho < 1.0:
        assert all(closer < 0.2 * off for closer, off in zip(fourth, second, strict=True))


def test_that_secants_settle_creeping_and_runaway_directions():
    """x <- x + b - A x, with eigenvalues of A near 0 and far below 0, where plain iterations creep and run away."""
    noise = np.random.default_rng(3)
    base = np.linalg.qr(noise.standard_normal((12, 12)))[0]
    A = base @ np.diag([0.01, -3.5] + [1.0] * 10) @ base.T
    x, b = np.zeros(12), noise.standard_normal(12)
    exact, past = np.linalg.solve(A, b), np.zeros((redundant_constraints.SECANTS, 12))
    secants, weights = redundant_constraints.along_secants, 0.5 + noise.random(12)
    for known in range(6):
        change = b - A @ x
        secants(weights, change, known, past)
        x += change
    assert x == pytest.approx(exact, abs=1e-9 * largest(exact))


def _three_cranks(**settings: object) -> Results:
    """A bar on three equal cranks, turning over: seven rows too many, eight when all lies flat."""

    def crank(k: int) -> Body:
        return Body(
            name=f"crank {k}", mass=1.0 + 0.1 * k, inertia=(0.05, 0.08, 0.05), position=(k, 0.0, -0.5),
            velocity=(-0.5 * SPIN, 0.0, 0.0), angular_velocity=(0.0, SPIN, 0.0),
        )  # fmt: skip

    def hinge(i: str, j: str, at_i: tuple[float, ...], at_j: tuple[float, ...]) -> Joint:
        axis = (0.0, 1.0, 0.0)
        return Joint(
            name=f"{i}-{j}", kind="revolute", body_i=i, body_j=j, point_i=at_i, point_j=at_j, axis_i=axis, axis_j=axis
        )  # fmt: skip

    bar = Body(
        name="bar", mass=3.0, inertia=(0.1, 1.0, 1.0), position=(1.0, 0.0, -1.0), velocity=(-SPIN, 0.0, 0.0)
    )
    joints = [hinge("ground", f"crank {k}", (k, 0.0, 0.0), (0.0, 0.0, 0.5)) for k in range(3)]
    joints += [hinge(f"crank {k}", "bar", (0.0, 0.0, -0.5), (k - 1.0, 0.0, 0.0)) for k in range(3)]
    rig = Rig(
        assembly=Assembly(name="Rig", role="rig", bodies=(*map(crank, range(3)), bar), joints=tuple(joints)),
        duration=4.0,
    )
    return complete(
        simulate(Project(name="cranks", scenario=rig, settings=SolverSettings.model_validate(settings)))
    )


@pytest.mark.parametrize("rho", [0.5, 0.8])
@pytest.mark.parametrize("step", [1.5e-2, 1e-2, 7e-3, 4e-3, 3e-3])
def test_that_a_bar_on_three_cranks_turns_over_at_any_fixed_step(rho, step):
    """Against the single equation of its angle, after some five turns."""
    mass = [1.0, 1.1, 1.2]
    about = sum(0.25 * m + 0.08 for m in mass) + 3.0
    pull = GRAVITY * (0.5 * sum(mass) + 3.0) / about
    exact = solve_ivp(
        lambda _, y: [y[1], -pull * math.sin(y[0])], (0.0, 4.0), [0.0, SPIN], "DOP853", rtol=1e-11, atol=1e-12
    ).y[0, -1]
    results = _three_cranks(fixed_step=step, rho_infinity=rho)
    x, _, z = results.states.position[-1, 0]
    off = (math.atan2(-x, -z) - exact + math.pi) % (2.0 * math.pi) - math.pi
    assert exact > 4.0 * math.pi
    assert len(results.size.redundant) == 7
    assert abs(off) < 260.0 * step**2
    assert largest(results.violations.joints) < 1e-8


def test_that_the_error_falls_with_the_tolerance_down_to_the_smallest():
    """The default method, whose iterations must then end closer than steps of some 0.05 ms let an error be felt."""
    angle = solve_ivp(
        lambda _, y: [y[1], -GRAVITY * math.cos(y[0])],
        (0.0, 3.0),
        [0.0, 0.0],
        "DOP853",
        rtol=3e-14,
        atol=1e-14,
    ).y[0, -1]
    errors = []
    for tolerance in (1e-10, 1e-11, 1e-12):
        place = run("planar_pendulum", tolerance=tolerance, duration=3.0).states.position[-1, 0, :2]
        errors.append(largest(place - [math.cos(angle), math.sin(angle)]))
    assert errors[1] < 0.5 * errors[0]
    assert errors[2] < errors[1]  # near what rounding leaves of 60,000 steps
    assert np.all(
        np.array(errors) < [1.6e-6, 5e-7, 3e-7]
    )  # none larger than with joints closed to 1e-8 m and 1e-7 m/s
    assert errors[2] < 5e-7
