"""Tables as compiled code sees them, and events inside a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from ridewright.core.multibody.arrays import E_ANGLE, GCOL, KNOT, PT, int_line, ints, reals
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.event_kernels import Instant, arrival, first_border
from ridewright.core.project.examples import load_example


@njit
def arrival_of(ends: Any, count: int, L0: Any, v0: Any, L1: Any, v1: Any, h: float) -> float:
    """The inner kernel, from outside."""
    start, end = Instant(L0, L0, L0, L0, v0, 0.0, L0, L0, L0), Instant(L1, L1, L1, L1, v1, h, L1, L1, L1)
    return float(arrival(ends, count, start, end, h))


@njit
def first_border_of(S: Any, W: Any, before: Any, after: Any, h: float, margin: float) -> float:
    """The inner kernel, from outside."""
    none = before[0]
    start = Instant(before, none, none, none, none, 0.0, before, before, none)
    end = Instant(after, none, none, none, none, h, after, after, none)
    return float(first_border(S, W, start, end, h, margin)[0])


def test_that_arrival_finds_the_instant_at_which_enough_guides_have_passed() -> None:
    """Three guides on cubics of time: the cubic through both ends is exact for them."""
    h = 0.4
    polynomials = [
        np.polynomial.Polynomial(c) for c in ([0.0, 9.0, 2.0, -1.0], [-0.5, 9.0, 0.0, 3.0], [-9.0, 1.0])
    ]
    L0, L1 = (np.array([float(p(t)) for p in polynomials]) for t in (0.0, h))
    v0, v1 = (np.array([float(p.deriv()(t)) for p in polynomials]) for t in (0.0, h))
    ends = np.full(3, 1.7)
    times = [
        min(r.real for r in (p - 1.7).roots() if abs(r.imag) < 1e-9 and r.real > 0) for p in polynomials[:2]
    ]
    assert 0.0 < times[0] < times[1] < h
    for count in (1, 2):
        assert arrival_of(ends, count, L0, v0, L1, v1, h) * h == pytest.approx(times[count - 1], abs=1e-12)
    assert arrival_of(ends, 3, L0, v0, L1, v1, h) == 1.0


def test_that_the_first_stop_is_found_and_what_lies_at_an_end_of_the_step_is_passed_over() -> None:
    """The hinge of the pendulum with a stop at -2 rad falls through it at a steady rate."""
    system = compile_system(load_example("stopped_pendulum"))
    S, W, rate, h = system.arrays, system.new_work(), -3.0, 0.01
    n = len(system.elements)

    def share(at: float) -> float:
        start = -2.0 - at * h * rate
        before, after = np.zeros((n, 4)), np.zeros((n, 4))
        before[:, 0], after[:, 0] = start, start + h * rate
        before[:, 1] = after[:, 1] = rate
        return first_border_of(S, W, before, after, h, 0.02)

    assert share(0.37) == pytest.approx(0.37, abs=1e-12)
    assert share(0.01) == share(0.99) == share(1.3) == 1.0


@njit
def sums(S: Any, kind: int, line: int) -> tuple[float, float, float]:
    """Sums over tables, each entry weighted with its place."""
    a, b, c = 0.0, 0.0, 0.0
    whole, real, flat = ints(S, kind), reals(S, kind), int_line(S, line)
    for k in range(whole.shape[0]):
        for q in range(whole.shape[1]):
            a += (1 + 7 * k + q) * whole[k, q]
    for k in range(real.shape[0]):
        for q in range(real.shape[1]):
            b += (1 + 7 * k + q) * real[k, q]
    for k in range(flat.size):
        c += (1 + k) * flat[k]
    return a, b, c


def test_that_compiled_code_sees_the_same_tables() -> None:
    S = compile_system(load_example("looping_star")).arrays
    for kind in (PT, E_ANGLE, KNOT):
        k, q = np.indices(ints(S, kind).shape)
        a = float(np.sum((1 + 7 * k + q) * ints(S, kind)))
        k, q = np.indices(reals(S, kind).shape)
        b = float(np.sum((1 + 7 * k + q) * reals(S, kind)))
        c = float(np.sum((1 + np.arange(len(int_line(S, GCOL)))) * int_line(S, GCOL)))
        assert c > 0.0
        np.testing.assert_allclose(sums(S, kind, GCOL), (a, b, c), rtol=1e-12)
