"""Spinning bodies: the standard heavy top and a free body over its unstable axis."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ball_chain_reference import BallChain, Link
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk
from verification_tools import GRAVITY, accurate, largest, observed_orders, second_order

TOP = BallChain((Link(15.0, (0.234375, 0.46875, 0.234375), (0.0, -1.0, 0.0)),), (0.0, 0.0, -GRAVITY))
TOP_SPIN = np.array([0.0, 150.0, -4.61538])


def _top_reference(times):
    p, w = TOP.solve(np.array([1.0, 0.0, 0.0, 0.0]), TOP_SPIN, times)
    return TOP.centres(p, np.zeros(3))[:, 0], w[:, 0]


def test_that_the_heavy_top_nutates_as_newton_and_euler_say():
    results = accurate("heavy_top", step=2.5e-4, duration=1.0)
    states = results.states
    centre, spin = _top_reference(states.time)
    assert largest(states.position[:, 0] - centre) < 1e-6
    assert largest(states.angular_velocity[:, 0] - spin) < 1e-4
    assert np.ptp(centre[:, 2]) > 0.05, "it nutates"


def test_that_the_heavy_top_keeps_spin_energy_and_vertical_angular_momentum():
    results = accurate("heavy_top", step=2.5e-4, duration=1.0)
    states = results.states
    assert largest(states.angular_velocity[:, 0, 1] - 150.0) < 1e-5, (
        "the moment of weight has no part along the axis"
    )
    A = Rotation.from_quat(states.orientation[:, 0], scalar_first=True).as_matrix()
    about_tip = np.einsum(
        "nij,j,nj->ni", A, (0.234375 + 15.0, 0.46875, 0.234375 + 15.0), states.angular_velocity[:, 0]
    )
    assert largest(about_tip[:, 2] - about_tip[0, 2]) < 1e-5 * np.linalg.norm(about_tip[0])
    assert largest(results.energy.residual) < 1e-7 * results.energy.kinetic[0]


def test_that_the_implicit_method_is_of_second_order_on_the_heavy_top():
    reference = _top_reference(np.array([0.0, 0.5]))[0][-1]
    errors = []
    for h in (1e-3, 5e-4, 2.5e-4):
        end = second_order("heavy_top", h, duration=0.5).states.position[-1, 0]
        errors.append(largest(end - reference))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.2)
    assert errors[-1] < 1e-2


MOMENTS = np.array([0.3, 0.5, 0.7])


def _tumble(times):
    """Body rates of the free body by Jacobi's functions (Landau and Lifshitz, Mechanics, section 37).

    For L^2 > 2 E I2; the start is put on the solution by the phase of its middle rate.
    """
    w0 = np.array([0.2, 8.0, 0.4])
    i1, i2, i3 = MOMENTS
    twice_energy, square = float(MOMENTS @ w0**2), float(MOMENTS**2 @ w0**2)
    assert square > twice_energy * i2
    a1 = math.sqrt((twice_energy * i3 - square) / (i1 * (i3 - i1)))
    a2 = math.sqrt((twice_energy * i3 - square) / (i2 * (i3 - i2)))
    a3 = math.sqrt((square - twice_energy * i1) / (i3 * (i3 - i1)))
    pace = math.sqrt((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1))
    fine = np.linspace(0.0, 4.0 * ellipk(m), 400001)
    sn, cn, dn, _ = ellipj(fine, m)
    phase = fine[np.argmin((a1 * cn - w0[0]) ** 2 + (a2 * sn - w0[1]) ** 2 + (a3 * dn - w0[2]) ** 2)]
    for _ in range(4):  # Newton on the sharply varying rate
        sn, cn, dn, _ = ellipj(phase, m)
        phase -= (a1 * cn - w0[0]) / (-a1 * sn * dn)
    sn, cn, dn, _ = ellipj(pace * times + phase, m)
    return np.column_stack([a1 * cn, a2 * sn, a3 * dn]), 4.0 * ellipk(m) / pace


def test_that_a_free_body_tumbles_as_jacobi_functions_say():
    results = accurate("free_body", step=1e-3)
    states = results.states
    rates, period = _tumble(states.time)
    assert largest(states.angular_velocity[0, 0] - rates[0]) < 1e-9
    assert period < states.time[-1], "it tumbles over and back within the run"
    assert largest(states.angular_velocity[:, 0] - rates) < 1e-7


def test_that_a_free_body_keeps_angular_momentum_and_flies_a_parabola():
    results = accurate("free_body", step=1e-3)
    states = results.states
    A = Rotation.from_quat(states.orientation[:, 0], scalar_first=True).as_matrix()
    momentum = np.einsum("nij,j,nj->ni", A, MOMENTS, states.angular_velocity[:, 0])
    assert largest(momentum - momentum[0]) < 1e-8
    t = states.time[:, None]
    parabola = [0.2, -0.4, 1.5] + t * [1.0, -2.0, 9.0] - 0.5 * GRAVITY * t**2 * [0.0, 0.0, 1.0]
    assert largest(states.position[:, 0] - parabola) < 1e-9
    assert largest(results.energy.residual) < 1e-8
    assert results.size.degrees_of_freedom == 6


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
def test_that_the_implicit_method_is_of_fourth_order_on_the_free_body(rho):
    """Because it keeps the momentum and turns by the Magnus series; under torques it is of second order."""
    rates, _ = _tumble(np.array([0.0, 2.0]))
    errors = []
    for h in (8e-3, 4e-3, 2e-3):
        end = second_order("free_body", h, duration=2.0, rho_infinity=rho).states
        errors.append(largest(end.angular_velocity[-1, 0] - rates[-1]))
    assert observed_orders(errors) == pytest.approx([4.0, 4.0], abs=0.2)
    assert errors[-1] < 1e-6
