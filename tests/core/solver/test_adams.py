"""The Adams method: its coefficients against the tables, its steps against closed forms."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ridewright.core.solver.methods.adams import Adams, coefficients, moulton_coefficients

ECCENTRICITY = 0.3
KEPLER = np.array([1.0 - ECCENTRICITY, 0.0, 0.0, np.sqrt((1.0 + ECCENTRICITY) / (1.0 - ECCENTRICITY))])


class Counted:
    """Equations y' = f(t, y) that count how often they are asked."""

    def __init__(self, f):
        self.f, self.calls = f, 0

    def rates(self, t, y):
        self.calls += 1
        return self.f(t, y)


def _kepler(_t, y):
    cube = np.hypot(y[0], y[1]) ** 3
    return np.array([y[2], y[3], -y[0] / cube, -y[1] / cube])


def _method(equations, y, t_end, tolerance):
    settings = SimpleNamespace(
        relative_tolerance=tolerance, absolute_tolerance=0.1 * tolerance, max_step=np.inf
    )
    return Adams(equations, np.array(y, dtype=float), t_end, settings, 0.0)


def _ridden(method):
    steps = 0
    while method.t < method.t_end:
        method.step()
        steps += 1
    return steps


def test_that_at_even_steps_the_coefficients_are_those_of_the_tables():
    """Hairer, Norsett & Wanner 1993, tables III.1.1 and III.1.2."""
    _, g = coefficients(np.arange(0.0, -8.0, -1.0), 1.0, 5)
    assert g == pytest.approx([1.0, 1 / 2, 5 / 12, 3 / 8, 251 / 720, 95 / 288], abs=1e-14)
    assert moulton_coefficients(5) == pytest.approx([1.0, -1 / 2, -1 / 12, -1 / 24, -19 / 720], abs=1e-15)


@pytest.mark.parametrize("order", [1, 2, 5, 9])
def test_that_at_uneven_steps_a_rate_of_lower_degree_is_integrated_exactly(order):
    """y' a polynomial of degree order - 1 through rates at uneven times, given as divided differences."""
    rng = np.random.default_rng(order)
    nodes = np.concatenate([[0.0], -np.cumsum(rng.uniform(0.2, 1.0, order))])
    rate = np.polynomial.Polynomial(rng.normal(size=order))
    phi = _modified_differences(rate, nodes, order)
    h = 0.7
    beta, g = coefficients(nodes, h, order)
    moved = h * float(g[:order] @ (beta[:order] * phi[:order]))
    exact = rate.integ()
    assert moved == pytest.approx(exact(h) - exact(0.0), abs=1e-14 * np.max(np.abs(rate(nodes))) + 1e-13)


def _modified_differences(f, nodes, count):
    """Phi_j = prod_{i < j} (x_n - x_{n-1-i}) f[x_n, .., x_{n-j}], the definition (Hairer et al., eq. III.5.3)."""
    table = f(nodes[: count + 1]).astype(float)
    found, product = [], 1.0
    for j in range(count):
        found.append(product * table[0])
        table = (table[:-1] - table[1:]) / (nodes[: len(table) - 1] - nodes[j + 1 : j + len(table)])
        product *= nodes[0] - nodes[j + 1]
    return np.array(found)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_that_an_orbit_closes_within_what_the_tolerance_allows_at_two_evaluations_a_step(tolerance):
    equations = Counted(_kepler)
    method = _method(equations, KEPLER, 4.0 * np.pi, tolerance)
    steps = _ridden(method)
    assert np.max(np.abs(method.y - KEPLER)) < 300.0 * tolerance
    assert steps < 80 * (1.0 + np.log10(1e-4 / tolerance))
    assert equations.calls < 2 * steps + 20  # the few more are of refused steps


def test_that_the_order_grows_where_the_motion_is_smooth_and_a_jump_brings_it_down():
    smooth = _method(Counted(lambda t, y: np.array([y[1], -y[0]])), [1.0, 0.0], 20.0, 1e-9)
    _ridden(smooth)
    assert smooth.order >= 7
    assert smooth.y == pytest.approx([np.cos(20.0), -np.sin(20.0)], abs=1e-7)
    pushed = _method(Counted(lambda t, y: np.array([1.0 if t < 1.0 else -1.0])), [0.0], 2.0, 1e-6)
    orders = []
    while pushed.t < pushed.t_end:
        pushed.step()
        orders.append(pushed.order)
    assert max(orders) > 1
    assert pushed.y[0] == pytest.approx(0.0, abs=1e-5)
    assert pushed.t == 2.0


def test_that_it_begins_again_from_another_state_and_gives_up_where_the_solution_ends():
    method = _method(Counted(lambda t, y: -y), [1.0], 2.0, 1e-8)
    while method.t < 1.0:
        method.step()
    t, y = method.t, method.y
    method.restart(2.0 * y)
    assert method.order == 1
    _ridden(method)
    assert method.y[0] == pytest.approx(2.0 * np.exp(-t) * np.exp(t - 2.0), rel=1e-6)
    bursting = _method(Counted(lambda t, y: y * y), [1.0], 2.0, 1e-6)  # 1 / (1 - t)
    with pytest.raises(ArithmeticError, match="too small"), np.errstate(over="ignore", invalid="ignore"):
        _ridden(bursting)
    assert bursting.t == pytest.approx(1.0, abs=1e-3)
