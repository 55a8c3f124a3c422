"""Linear systems with closed forms: torsion springs on a shaft, a damped driven mass on a slide."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.spatial.transform import Rotation
from verification_tools import accurate, largest, observed_orders, second_order

AXIS = np.array([1.0, 2.0, 2.0]) / 3.0


def _shaft_angles(times):
    """Modal solution of J1 a'' = -k1 (a - 0.1) + k2 (b - a), J2 b'' = -k2 (b - a)."""
    M, K = np.diag([0.5, 0.2]), np.array([[40.0 + 25.0, -25.0], [-25.0, 25.0]])
    rest = np.linalg.solve(K, [40.0 * 0.1, 0.0])
    squares, modes = eigh(K, M)
    w = np.sqrt(squares)
    start, rate = modes.T @ M @ (-rest), modes.T @ M @ np.array([2.0, -3.0])
    t = np.asarray(times)[:, None]
    return rest + (start * np.cos(w * t) + rate / w * np.sin(w * t)) @ modes.T


def _turn(orientation):
    return np.unwrap(
        Rotation.from_quat(orientation, scalar_first=True).as_rotvec() @ AXIS, period=2.0 * np.pi
    )


def test_that_discs_on_torsion_springs_swing_in_their_two_modes():
    results = accurate("torsion_chain")
    states = results.states
    expected = _shaft_angles(states.time)
    angles = np.column_stack([_turn(states.orientation[:, k]) for k in range(2)])
    assert largest(angles - expected) < 1e-8
    twist = np.column_stack([expected[:, 0] - 0.1, expected[:, 1] - expected[:, 0]])
    springs = [results.names.springs.index(f"Shaft {k}") for k in (1, 2)]
    assert largest(np.abs(states.spring_force[:, springs]) - np.abs(twist * [40.0, 25.0])) < 1e-6
    elastic = 0.5 * (twist**2 @ [40.0, 25.0])
    assert largest(results.energy.elastic - elastic) < 1e-6
    assert largest(results.energy.residual) < 1e-8


def test_that_the_implicit_method_is_of_second_order_on_torsion_springs():
    end = _shaft_angles([2.0])[0]
    errors = []
    for h in (4e-3, 2e-3, 1e-3):
        states = second_order("torsion_chain", h, duration=2.0).states
        errors.append(largest(np.array([_turn(states.orientation[:, k])[-1] for k in range(2)]) - end))
    assert observed_orders(errors) == pytest.approx([2.0, 2.0], abs=0.15)


def _shaken(times):
    """Damped oscillator under a harmonic force: decaying part from the start plus the steady answer."""
    m, k, c, amplitude, omega, phase = 2.0, 300.0, 4.0, 6.0, 11.0, 0.4
    gain = amplitude / complex(k - m * omega**2, c * omega)
    decay, own = c / (2.0 * m), math.sqrt(k / m - (c / (2.0 * m)) ** 2)

    def steady(t):
        return (gain * np.exp(1j * (omega * t + phase))).imag, (
            1j * omega * gain * np.exp(1j * (omega * t + phase))
        ).imag

    p0, v0 = steady(0.0)
    a = 0.1 - p0
    b = (-v0 + decay * a) / own
    t = np.asarray(times)
    free = np.exp(-decay * t) * (a * np.cos(own * t) + b * np.sin(own * t))
    slope = np.exp(-decay * t) * (
        (b * own - decay * a) * np.cos(own * t) - (a * own + decay * b) * np.sin(own * t)
    )
    return free + steady(t)[0], slope + steady(t)[1]


def test_that_a_shaken_mass_answers_as_the_damped_oscillator():
    """Place along the inclined slide, spring force, energy taken by the damper and given by the shaker."""
    results = accurate("driven_oscillator", step=5e-4)
    states = results.states
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    place, speed = _shaken(states.time)
    assert largest(states.position[:, 0] - np.outer(0.5 + place, axis)) < 1e-9
    assert largest(states.velocity[:, 0] - np.outer(speed, axis)) < 1e-8
    assert largest(states.spring_force[:, 0] - (300.0 * place + 4.0 * speed)) < 1e-6
    assert largest(states.spring_length[:, 0] - (0.5 + place)) < 1e-9
    fine = np.linspace(0.0, states.time[-1], 60001)
    speed = _shaken(fine)[1]
    force = 6.0 * np.sin(11.0 * fine + 0.4)
    taken, given = np.trapezoid(4.0 * speed**2, fine), np.trapezoid(force * speed, fine)
    assert results.energy.dissipated[-1] == pytest.approx(taken, abs=1e-4)
    assert results.energy.driven[-1] == pytest.approx(given, abs=1e-4)
    assert largest(results.energy.residual) < 1e-4
