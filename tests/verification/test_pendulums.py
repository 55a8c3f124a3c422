"""Pendulums in the plane and in space against elliptic functions, minimal coordinates and published figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ball_chain_reference import BallChain, Link
from planar_reference import Linkage, Point
from scipy.integrate import solve_ivp
from scipy.special import ellipk
from verification_tools import GRAVITY, accurate, body, largest, observed_orders, run, second_order

PERIOD = 2.367841947576
END_PLACE = (0.275087463, -0.961419205)


def test_that_the_planar_pendulum_is_where_the_published_figures_say_after_ten_seconds():
    """m = 1 kg, L = 1 m, released horizontally; nine digits printed."""
    end = accurate("planar_pendulum").states.position[-1, 0]
    assert end[:2] == pytest.approx(END_PLACE, abs=2e-9)
    assert abs(end[2]) < 1e-12


def test_that_the_period_of_the_planar_pendulum_is_that_of_the_elliptic_integral():
    assert 4.0 * math.sqrt(1.0 / GRAVITY) * ellipk(0.5) == pytest.approx(PERIOD, abs=1e-12)
    states = accurate("planar_pendulum").states
    angle = np.unwrap(np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0]))
    # passages through the lowest point, found with the rate at both ends of the interval
    below = angle + math.pi / 2.0
    hits = np.flatnonzero(below[:-1] * below[1:] < 0.0)
    rate = (
        states.position[:, 0, 0] * states.velocity[:, 0, 1]
        - states.position[:, 0, 1] * states.velocity[:, 0, 0]
    )
    times = [_cubic_zero(states.time[k : k + 2], below[k : k + 2], rate[k : k + 2]) for k in hits]
    periods = np.array(times[2:]) - np.array(times[:-2])
    assert len(periods) >= 5
    assert largest(periods - PERIOD) < 1e-8


def _cubic_zero(t, f, d):
    """The zero of the Hermite cubic through two values and slopes."""
    h = t[1] - t[0]
    c = np.array([2 * (f[0] - f[1]) / h**3 + (d[0] + d[1]) / h**2])
    b = 3 * (f[1] - f[0]) / h**2 - (2 * d[0] + d[1]) / h
    roots = np.roots([c[0], b, d[0], f[0]])
    real = roots[np.isreal(roots)].real
    return t[0] + real[(real >= -1e-9 * h) & (real <= h * (1 + 1e-9))][0]


def _pendulum_error(**options):
    return float(np.linalg.norm(run("planar_pendulum", **options).states.position[-1, 0, :2] - END_PLACE))


def test_that_the_implicit_method_is_of_second_order_on_the_planar_pendulum():
    ends = [second_order("planar_pendulum", h).states.position[-1, 0, :2] for h in (8e-3, 4e-3, 2e-3)]
    orders = observed_orders([float(np.linalg.norm(e - END_PLACE)) for e in ends])
    assert orders == pytest.approx([2.0, 2.0], abs=0.1)
    extrapolated = ends[2] + (ends[2] - ends[1]) / 3.0
    assert largest(extrapolated - END_PLACE) < 0.05 * largest(ends[2] - END_PLACE)


@pytest.mark.parametrize(
    ("method", "order", "step"),
    [
        ("euler", 1, 2e-4),
        ("rk2", 2, 2e-3),
        ("bogacki_shampine", 3, 8e-3),
        ("rk4", 4, 2e-2),
        ("dopri5", 5, 1e-2),
    ],
)
def test_that_each_explicit_method_shows_its_order(method, order, step):
    """Double pendulum over one second, against order 8 in angles."""
    reference = np.array(_double_pendulum().solve(DOUBLE_START, np.zeros(2), np.array([1.0]))[0])
    errors = []
    for k in range(3):
        states = run("double_pendulum", duration=1.0, method=method, fixed_step=step / 2**k).states
        errors.append(largest(_angles(states)[-1] - reference))
    assert observed_orders(errors)[-1] == pytest.approx(order, abs=0.35)


def test_that_the_accuracy_follows_the_tolerance():
    errors = [_pendulum_error(tolerance=tol, max_step=0.1) for tol in (1e-3, 1e-5, 1e-7)]
    assert errors[0] > 3.0 * errors[1] > 9.0 * errors[2]
    assert errors[2] < 1e-3


def test_that_a_bar_on_a_hinge_keeps_time_and_energy():
    """Bar of length L: theta'' = -3 g / (2 L) cos theta, theta from the horizontal."""
    results = accurate("bar_pendulum")
    states = results.states
    angle = np.unwrap(np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0]))
    out = solve_ivp(
        lambda _, y: [y[1], -1.5 * GRAVITY / 1.2 * math.cos(y[0])],
        (0.0, states.time[-1]), [0.4, -1.5], "DOP853", t_eval=states.time, rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    assert largest(angle - out.y[0]) < 1e-9
    assert (
        largest(states.angular_velocity[:, 0, 1] ** 2 + states.angular_velocity[:, 0, 2] ** 2 - out.y[1] ** 2)
        < 1e-8
    )
    assert largest(results.energy.residual) < 1e-8


def test_that_the_hinge_of_a_bar_carries_weight_and_centripetal_force():
    """Force on the bar from Newton's law with the reference acceleration; the axle takes no moment."""
    results = accurate("bar_pendulum")
    states = results.states
    force = states.reactions[:, 0, :3]
    angle = np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0])
    rate = np.sqrt(np.sum(states.velocity[:, 0] ** 2, axis=1)) / 0.6
    radial, across = (
        np.column_stack([np.cos(angle), np.sin(angle)]),
        np.column_stack([-np.sin(angle), np.cos(angle)]),
    )
    turning = -1.5 * GRAVITY / 1.2 * np.cos(angle)
    expected = 2.0 * (0.6 * (turning[:, None] * across - rate[:, None] ** 2 * radial) + [0.0, GRAVITY])
    # body_i of the hinge is the ground: it feels the opposite
    assert largest(force[:, :2] + expected) < 1e-6
    assert largest(force[:, 2]) < 1e-9
    assert largest(states.reactions[:, 0, 5]) < 1e-9


def test_that_a_damped_pendulum_bounces_off_its_stop_as_its_single_equation_says():
    """J q'' = -m g L/2 cos q - c q' + k depth^1.5 (1 + d depth'), q from the drawn, horizontal pose."""
    length, mass, c, k, d, lower = 1.0, 3.0, 0.4, 400.0, 0.2, -2.0
    results = accurate("stopped_pendulum", step=2.5e-4)
    states = results.states

    def rhs(_, y):
        depth = lower - y[0]
        stop = max(0.0, k * depth**1.5 * (1.0 - d * y[1])) if depth > 0.0 else 0.0
        return [
            y[1],
            (-mass * GRAVITY * length / 2.0 * math.cos(y[0]) - c * y[1] + stop) / (mass * length**2 / 3.0),
        ]

    out = solve_ivp(
        rhs,
        (0.0, states.time[-1]),
        [0.0, 0.0],
        "DOP853",
        t_eval=states.time,
        rtol=1e-11,
        atol=1e-12,
        max_step=2e-3,
    )
    angle = np.unwrap(np.arctan2(states.position[:, 0, 1], states.position[:, 0, 0]))
    assert np.min(out.y[0]) < lower - 0.05, "the stop is met"
    assert largest(angle - out.y[0]) < 1e-6
    work = (
        np.concatenate([[0.0], np.cumsum((out.y[1, 1:] ** 2 + out.y[1, :-1] ** 2) / 2.0 * np.diff(out.t))])
        * c
    )
    assert results.energy.dissipated[-1] > work[-1] > 1.0, "the stop takes energy besides the hinge"
    assert largest(results.energy.residual) < 1e-4


DOUBLE_START = np.array([0.3, 1.1])


def _double_pendulum() -> Linkage:
    m1, m2, l1, l2 = 1.5, 0.8, 1.0, 0.7
    upper, lower = Point(((l1 / 2.0, (1, 0)),)), Point(((l1, (1, 0)), (l2 / 2.0, (0, 1))))
    return Linkage(((m1, m1 * l1**2 / 12.0, upper, (1, 0)), (m2, m2 * l2**2 / 12.0, lower, (0, 1))))


def _angles(states):
    """Absolute angles (n, 2) of the two bars from the places of their centres."""
    first = states.position[:, 0, :2]
    second = states.position[:, 1, :2] - 2.0 * first
    return np.unwrap([np.arctan2(first[:, 1], first[:, 0]), np.arctan2(second[:, 1], second[:, 0])], axis=1).T


def test_that_the_double_pendulum_follows_its_two_equations():
    results = accurate("double_pendulum", step=5e-4)
    angles, _ = _double_pendulum().solve(DOUBLE_START, np.zeros(2), results.states.time)
    assert largest(_angles(results.states) - angles) < 1e-7
    assert largest(results.energy.residual) < 1e-8


ELLIPSOID = Link(1.0, (0.01, 0.02, 0.026), (-0.3, 0.0, 0.0), (0.3, 0.0, 0.0))


@pytest.mark.parametrize("name", ["spatial_pendulum", "spatial_double_pendulum"])
def test_that_pendulums_in_space_follow_newton_and_euler(name):
    """Spicka 2020, section 3.4, with all rotations set going; chain of ball joints without constraints to drift."""
    results = accurate(name, duration=2.0)
    states = results.states
    chain = BallChain((ELLIPSOID,) * states.position.shape[1], (0.0, 0.0, -GRAVITY))
    p, w = chain.solve(states.orientation[0], states.angular_velocity[0], states.time)
    assert largest(chain.centres(p, np.zeros(3)) - states.position) < 1e-7
    assert largest(w - states.angular_velocity) < 1e-5
    assert largest(results.energy.residual) < 1e-7
    assert largest(results.violations.joints) < 1e-8


def test_that_the_implicit_method_is_of_second_order_in_space():
    reference = None
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        states = second_order("spatial_double_pendulum", h, duration=1.0).states
        if reference is None:
            chain = BallChain((ELLIPSOID,) * 2, (0.0, 0.0, -GRAVITY))
            p, _ = chain.solve(states.orientation[0], states.angular_velocity[0], np.array([0.0, 1.0]))
            reference = chain.centres(p, np.zeros(3))[-1]
        errors.append(largest(states.position[-1] - reference))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.15)


def test_that_five_seconds_of_a_spatial_double_pendulum_keep_energy_and_joints():
    results = run("spatial_double_pendulum")
    drop = np.ptp(results.energy.potential)
    assert largest(results.energy.residual) < 1e-3 * drop
    assert largest(results.violations.joints) < 1e-7
    assert body(results, "Lower") == 1
