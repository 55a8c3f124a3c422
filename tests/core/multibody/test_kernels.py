"""Calls between kernels by address, and events inside a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from core.examples import load_example
from core.multibody.compile import compile_system
from core.multibody.event_kernels import arrival, first_stop
from core.multibody.kernel import addresses, call


@njit
def weighted(x: Any, y: float) -> float:
    """A kernel to be called."""
    return float(y * x[0] - x[1])


@njit
def through_address(where: Any, x: Any, y: float) -> float:
    """Calls it."""
    return float(call(where[0], weighted, (x, y)) + 1.0)


def test_that_a_call_through_an_address_is_the_call() -> None:
    where = addresses((weighted, (np.zeros(1), 1.0)))
    x = np.array([3.0, 0.5])
    assert through_address(where, x, 2.0) == weighted(x, 2.0) + 1.0 == 6.5


def test_that_a_call_with_other_types_than_the_address_was_taken_for_is_refused() -> None:
    where = addresses((weighted, (np.zeros(1), 1.0)))
    with pytest.raises(TypingError, match="its address is for"):
        through_address(where, np.zeros((2, 2))[0:1], 2.0)


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
        assert arrival(ends, count, L0, v0, L1, v1, h) * h == pytest.approx(times[count - 1], abs=1e-12)
    assert arrival(ends, 3, L0, v0, L1, v1, h) == 1.0


def test_that_the_first_stop_is_found_and_what_lies_at_an_end_of_the_step_is_passed_over() -> None:
    """The hinge of the pendulum with a stop at -2 rad falls through it at a steady rate."""
    system = compile_system(load_example("stopped_pendulum"))
    S, rate, h = system.arrays, -3.0, 0.01
    n = len(system.elements)

    def share(at: float) -> float:
        start = -2.0 - at * h * rate
        before, after = np.zeros((n, 4)), np.zeros((n, 4))
        before[:, 0], after[:, 0] = start, start + h * rate
        before[:, 1] = after[:, 1] = rate
        return float(first_stop(S, before, after, h, 0.02))

    assert share(0.37) == pytest.approx(0.37, abs=1e-12)
    assert share(0.01) == share(0.99) == share(1.3) == 1.0
