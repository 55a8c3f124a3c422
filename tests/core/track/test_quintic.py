"""Quintic splines: through their points, as smooth as they say, with the ends that are asked for."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from scipy.interpolate import BSpline

from ridewright.core.track.quintic import closed_spline, design_matrix, open_spline


def _derivative(coef: np.ndarray, at: np.ndarray, order: int) -> np.ndarray:
    """Derivative (m, 3) of an order of the pieces (m, 6, 3), each at its own distance (m,) from its begin."""
    powers = range(order, 6)
    return sum(factorial(p) / factorial(p - order) * coef[:, p] * at[:, None] ** (p - order) for p in powers)


@pytest.mark.parametrize("order", range(6))
def test_that_the_basis_and_its_derivatives_are_those_of_every_single_function(order: int) -> None:
    inner = np.array([0.07, 0.31, 0.33, 0.71, 0.98])
    knots = np.concatenate([np.zeros(6), inner, np.full(6, 1.3)])
    count = len(knots) - 6
    u = np.concatenate([inner, np.random.default_rng(5).uniform(0.0, 1.3, 60)])
    reference = BSpline(knots, np.eye(count), 5)(u, order)
    found = design_matrix(knots, count, u, order).toarray()
    assert np.abs(found - reference).max() <= 1e-12 * np.abs(reference).max()


@pytest.mark.parametrize("n", [2, 3, 4, 9, 80])
@pytest.mark.parametrize("held", [0, 2, 3])
def test_that_open_curves_go_through_their_points_with_four_derivatives_and_the_ends_asked_for(
    n: int, held: int
) -> None:
    rng = np.random.default_rng(n)
    points = np.cumsum(rng.normal([3.0, 0.0, 0.0], 1.0, (n, 3)), axis=0)
    u = np.concatenate([[0.0], np.cumsum(rng.uniform(1.0, 5.0, n - 1))])
    start, end = rng.normal(size=(2, held, 3)) if held else (None, None)
    breaks, coef = open_spline(u, points, start, end)
    width = np.diff(breaks)
    assert np.isin(u, breaks).all()
    assert np.abs(coef[np.isin(breaks[:-1], u), 0] - points[:-1]).max() < 1e-10
    assert np.abs(_derivative(coef, width, 0)[-1] - points[-1]).max() < 1e-10
    for order in range(1, held + 1):
        assert np.abs(_derivative(coef, 0.0 * width, order)[0] - start[order - 1]).max() < 1e-9
        assert np.abs(_derivative(coef, width, order)[-1] - end[order - 1]).max() < 1e-9
    for order in range(5):
        gap = _derivative(coef, width, order)[:-1] - _derivative(coef, 0.0 * width, order)[1:]
        assert np.abs(gap).max(initial=0.0) < 1e-8


@pytest.mark.parametrize("n", [3, 5])
def test_that_a_free_curve_of_few_points_ends_without_third_and_fourth_derivative(n: int) -> None:
    rng = np.random.default_rng(n)
    points = np.cumsum(rng.normal([3.0, 0.0, 0.0], 1.0, (n, 3)), axis=0)
    breaks, coef = open_spline(np.linspace(0.0, 2.0, n), points, None, None)
    width = np.diff(breaks)
    for order in (3, 4):
        assert np.abs(_derivative(coef, 0.0 * width, order)[0]).max() < 1e-9
        assert np.abs(_derivative(coef, width, order)[-1]).max() < 1e-9


def test_that_a_quintic_is_found_again_by_the_free_curve_through_its_points() -> None:
    law = np.random.default_rng(2).normal(size=(6, 3))
    u = np.array([0.0, 0.3, 0.5, 1.1, 1.2, 1.9, 2.0, 2.6])
    points = sum(law[p] * u[:, None] ** p for p in range(6))
    fine = np.linspace(0.0, 2.6, 200)
    breaks, coef = open_spline(u, points, None, None)
    k = np.clip(np.searchsorted(breaks, fine, side="right") - 1, 0, len(coef) - 1)
    wanted = sum(law[p] * fine[:, None] ** p for p in range(6))
    assert np.abs(_derivative(coef[k], fine - breaks[k], 0) - wanted).max() < 1e-11


@pytest.mark.parametrize("n", [3, 4, 7, 10, 150])
def test_that_closed_curves_close_with_four_derivatives(n: int) -> None:
    rng = np.random.default_rng(n)
    angle = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    points = np.stack([20.0 * np.cos(angle), 12.0 * np.sin(angle), rng.normal(size=n)], axis=1)
    u = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, n))])
    breaks, coef = closed_spline(u, points)
    assert np.array_equal(breaks, u)
    assert np.abs(coef[:, 0] - points).max() < 1e-11
    width = np.diff(breaks)
    for order in range(5):
        at_start = _derivative(coef, 0.0 * width, order)
        gap = _derivative(coef, width, order) - np.roll(at_start, -1, axis=0)
        assert np.abs(gap).max() < 1e-9 * max(1.0, np.abs(at_start).max())
