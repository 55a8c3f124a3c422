"""Rosenbrock's method, the trapezoidal rule and TR-BDF2: order, stiff motion, and what their error control keeps."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ridewright.core.base.arrays import Array
from ridewright.core.solver.methods.stiff import Rosenbrock23, Trapezoid, TrBdf2

METHODS = (Rosenbrock23, Trapezoid, TrBdf2)


def _rigid(t: float, y: Array) -> Array:
    """Euler's equations with a moment that depends on time: nothing is zero."""
    a, b, c = y
    return np.array([0.4 * b * c + 0.3 * math.sin(t), -0.9 * a * c, 0.5 * a * b - 0.1 * c + 0.2 * t])


def _reached(kind: Any, steps: int) -> Array:
    """The end of two seconds in equal steps: error control has nothing to say."""
    solver = kind(_rigid, 0.0, np.array([1.0, 0.7, -0.6]), 2.0, rtol=1e9, atol=1e9, first_step=2.0 / steps)
    solver.before = (2.0 / steps, solver.f)
    while solver.status == "running":
        solver.h_abs = 2.0 / steps
        # the iterations have to go on, however little is asked of a step
        solver.rtol = solver.atol = 1e-12
        found = solver._attempt(2.0 / steps, solver._jacobian())
        assert found is not None
        solver.rtol = solver.atol = 1e9
        solver.y, solver.f, _ = found
        solver.t += 2.0 / steps
        if solver.t > 2.0 - 1e-9:
            break
    return np.asarray(solver.y)


@pytest.mark.parametrize("kind", METHODS)
def test_that_the_order_is_two(kind: Any) -> None:
    from scipy.integrate import solve_ivp

    exact = solve_ivp(_rigid, (0.0, 2.0), [1.0, 0.7, -0.6], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    errors = [float(np.abs(_reached(kind, n) - exact).max()) for n in (20, 40, 80)]
    assert errors[2] < 1e-3
    for coarse, fine in pairwise(errors):
        assert 3.5 < coarse / fine < 4.6


@pytest.mark.parametrize("kind", METHODS)
def test_that_what_is_asked_for_is_kept_and_a_stiff_transient_costs_little(kind: Any) -> None:
    """y' = -1e5 (y - cos t) - sin t: the solution is cos t (Prothero & Robinson 1974)."""

    def rate(t: float, y: Array) -> Array:
        return -1e5 * (y - np.cos(t)) - np.sin(t)

    solver = kind(rate, 0.0, np.array([1.5]), 3.0, rtol=1e-5, atol=1e-7, max_step=0.2)
    steps = 0
    while solver.status == "running":
        solver.step()
        steps += 1
        if solver.t > 0.1:
            middle = 0.5 * (solver.t + solver.t_old)
            assert solver.dense_output()(middle)[0] == pytest.approx(math.cos(middle), abs=1e-3)
    assert solver.y[0] == pytest.approx(math.cos(3.0), abs=2e-5)
    assert steps < 2500


@pytest.mark.parametrize("kind", METHODS)
def test_that_a_smaller_tolerance_gives_a_smaller_error(kind: Any) -> None:
    from scipy.integrate import solve_ivp

    exact = solve_ivp(_rigid, (0.0, 2.0), [1.0, 0.7, -0.6], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    errors = []
    for tolerance in (1e-4, 1e-7):
        solver = kind(_rigid, 0.0, np.array([1.0, 0.7, -0.6]), 2.0, rtol=tolerance, atol=tolerance)
        while solver.status == "running":
            solver.step()
        errors.append(float(np.abs(solver.y - exact).max()))
    assert errors[0] < 5e-3
    assert errors[1] < 2e-5
