"""The bounded least squares step against SciPy's own solver and its optimality conditions."""

from __future__ import annotations

import numpy as np
from scipy.optimize import lsq_linear

from ridewright.core.design.box_step import box_step


def _problem(seed: int, points: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Third differences of `points` unknowns, one target each, and uneven walls, some next to zero."""
    random = np.random.default_rng(seed)
    jacobian = np.diff(np.eye(points), n=3, axis=0) * random.uniform(0.5, 2.0, (points - 3, 1))
    low = -random.uniform(0.0, 0.3, points) - 1e-12
    high = random.uniform(0.0, 0.3, points) + 1e-12
    low[::7] = -1e-12
    return jacobian, random.normal(size=points - 3), low, high


def test_that_the_step_is_that_of_an_independent_solver() -> None:
    for seed in range(4):
        jacobian, right, low, high = _problem(seed, 40)
        step = box_step(jacobian, right, low, high)
        other = lsq_linear(jacobian, right, (low, high), method="bvls", tol=1e-14).x
        assert np.all((step >= low) & (step <= high))
        best = np.sum((jacobian @ other - right) ** 2)
        assert np.sum((jacobian @ step - right) ** 2) <= best * (1.0 + 1e-6)
        np.testing.assert_allclose(step, other, atol=1e-4)


def test_that_a_step_without_walls_in_its_way_solves_the_equations() -> None:
    random = np.random.default_rng(5)
    jacobian, wanted = random.normal(size=(30, 12)), random.uniform(-0.4, 0.4, 12)
    wide = np.full(12, 5.0)
    np.testing.assert_allclose(box_step(jacobian, jacobian @ wanted, -wide, wide), wanted, atol=1e-7)


def test_that_what_no_equation_knows_stays_inside() -> None:
    jacobian = np.zeros((3, 5))
    jacobian[:, 1] = (1.0, 2.0, 3.0)
    step = box_step(jacobian, np.array([4.0, 8.0, 12.0]), np.full(5, -1.0), np.full(5, 2.5))
    assert abs(step[1] - 2.5) < 1e-6
    assert np.all(np.abs(step) <= 2.5)
