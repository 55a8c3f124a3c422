"""The work of a power over the steps of a run: of third order, and deaf to slopes that short steps cannot tell."""

from __future__ import annotations

import numpy as np

from ridewright.core.solver.record import _integral


def test_that_work_is_of_third_order() -> None:
    missed = []
    for n in (41, 81):
        time = np.linspace(0.0, 2.0, n) ** 1.1
        missed.append(abs(_integral(time, np.cos(3.0 * time))[-1] - np.sin(3.0 * time[-1]) / 3.0))
    assert missed[1] < missed[0] / 6.0
    assert missed[1] < 2e-5


def test_that_a_row_of_tiny_steps_adds_nothing_to_the_work() -> None:
    """As steps are that end where a belt goes taut; powers are known to a few thousandths."""
    tiny = 0.4999 + np.cumsum(4e-6 * 0.4 ** np.arange(8))
    time = np.concatenate([np.arange(0.0, 0.5, 1e-3), tiny, np.arange(0.5, 1.0, 1e-3)])
    power = 3e5 * (1.0 + 0.3 * np.sin(3.0 * time))
    power *= 1.0 + 4e-3 * (-1.0) ** np.arange(len(time))
    exact = 3e5 * (time - 0.1 * np.cos(3.0 * time) + 0.1)
    assert np.abs(_integral(time, power) - exact).max() < 2.0  # J, of 300 a step
