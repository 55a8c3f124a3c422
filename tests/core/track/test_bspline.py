"""B-spline basis, collocation solvers and power form, against scipy and against what they must reproduce."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline, make_interp_spline

from ridewright.core.track.bspline import basis, piecewise_coefficients, solve_round, solve_staircase
from ridewright.core.track.quintic import closed_spline, open_spline


def _knots(degree: int) -> np.ndarray:
    """An uneven knot vector with full ends and one double knot."""
    inner = np.array([0.07, 0.31, 0.33, 0.33, 0.71, 0.98])
    return np.concatenate([np.zeros(degree + 1), inner, np.full(degree + 1, 1.3)])


def _power_value(breaks: np.ndarray, coef: np.ndarray, u: np.ndarray) -> np.ndarray:
    k = np.clip(np.searchsorted(breaks, u, side="right") - 1, 0, len(coef) - 1)
    return sum(coef[k, p] * (u - breaks[k])[:, None] ** p for p in range(coef.shape[1]))


@pytest.mark.parametrize("degree", [2, 3, 5])
def test_that_the_basis_and_its_derivatives_are_those_of_scipy(degree: int) -> None:
    knots = _knots(degree)
    count = len(knots) - degree - 1
    u = np.concatenate([knots, np.random.default_rng(5).uniform(0.0, 1.3, 60)])
    for order in range(degree + 1):
        first, values = basis(knots, degree, u, order)
        full = np.zeros((len(u), count))
        np.put_along_axis(full, first[:, None] + np.arange(degree + 1), values, axis=1)
        reference = BSpline(knots, np.eye(count), degree)(u, order)
        assert np.abs(full - reference).max() <= 1e-13 * np.abs(reference).max()


@pytest.mark.parametrize("n", [3, 7, 60, 90, 501])
def test_that_rings_and_lines_of_equations_are_solved_at_every_size(n: int) -> None:
    rng = np.random.default_rng(n)
    rows = rng.normal(size=(n, 5))
    rows[:, 2] += 8.0
    right = rng.normal(size=(n, 2))
    ring = np.zeros((n, n))
    np.add.at(ring, (np.arange(n)[:, None], (np.arange(n)[:, None] + np.arange(-2, 3)) % n), rows)
    assert np.abs(ring @ solve_round(np.arange(n) - 2, rows, right) - right).max() < 1e-12
    if n < 5:
        return
    # rows of very different size, as derivatives beside values have them
    first = np.clip(np.arange(n) - 2, 0, n - 5)
    line = np.zeros((n, n))
    diagonal = rng.normal(size=(n, 5))
    diagonal[np.arange(n), np.arange(n) - first] += 8.0
    np.put_along_axis(line, first[:, None] + np.arange(5), diagonal, axis=1)
    size = 10.0 ** rng.uniform(-4.0, 4.0, (n, 1))
    found = solve_staircase(first, diagonal * size, right * size)
    assert np.abs(line @ found - right).max() < 1e-12


def test_that_the_power_form_is_the_spline_also_at_added_breaks() -> None:
    knots = _knots(5)
    control = np.random.default_rng(1).normal(size=(len(knots) - 6, 3))
    u = np.linspace(0.0, 1.3, 301)
    for places in (None, np.array([0.2, 0.5, 0.71])):
        breaks, coef = piecewise_coefficients(knots, control, 5, places)
        assert np.all(np.diff(breaks) > 0.0)
        assert places is None or np.isin(places, breaks).all()
        assert np.abs(_power_value(breaks, coef, u) - BSpline(knots, control, 5)(u)).max() < 1e-12


@pytest.mark.parametrize("n", [4, 9, 80])
def test_that_open_curves_are_the_not_a_knot_splines_of_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    points = np.cumsum(rng.normal([3.0, 0.0, 0.0], 1.0, (n, 3)), axis=0)
    u = np.concatenate([[0.0], np.cumsum(rng.uniform(1.0, 5.0, n - 1))])
    start, end = rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    ends = (list(enumerate(start, 1)), list(enumerate(end, 1)))
    given = make_interp_spline(u, points, k=5, t=np.r_[[u[0]] * 6, u[1:-1], [u[-1]] * 6], bc_type=ends)
    fine = np.linspace(u[0], u[-1], 20 * n)
    assert np.abs(_power_value(*open_spline(u, points, start, end), fine) - given(fine)).max() < 1e-10
    if n >= 6:
        free = make_interp_spline(u, points, k=5)
        assert np.abs(_power_value(*open_spline(u, points, None, None), fine) - free(fine)).max() < 1e-10


@pytest.mark.parametrize("n", [3, 10, 150])
def test_that_closed_curves_close_with_four_derivatives(n: int) -> None:
    rng = np.random.default_rng(n)
    angle = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    points = np.stack([20.0 * np.cos(angle), 12.0 * np.sin(angle), rng.normal(size=n)], axis=1)
    u = np.concatenate([[0.0], np.cumsum(rng.uniform(0.5, 2.0, n))])
    breaks, coef = closed_spline(u, points)
    assert np.abs(_power_value(breaks, coef, u[:-1]) - points).max() < 1e-11
    width = np.diff(breaks)
    powers = np.arange(6)
    for order in range(5):
        factor = np.array([np.prod(np.arange(p - order + 1, p + 1)) if p >= order else 0 for p in powers])
        reach = width[:, None] ** np.maximum(powers - order, 0) * factor
        at_end = np.einsum("kp,kpc->kc", reach, coef)
        at_start = coef[:, order] * factor[order]
        gap = np.abs(at_end - np.roll(at_start, -1, axis=0)).max()
        assert gap < 1e-9 * max(1.0, np.abs(at_start).max())
