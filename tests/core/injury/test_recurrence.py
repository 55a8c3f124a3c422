"""The recurrence of the filters, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import butter, lfilter, lfilter_zi, lfiltic

from ridewright.core.injury.recurrence import recurrence, state_after, steady_state

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("shape", [(400,), (400, 3)])
def test_that_a_recurrence_with_any_past_is_that_of_scipy(shape: tuple[int, ...]) -> None:
    numerator, denominator = butter(2, 0.07)
    x = RNG.normal(size=shape)
    past_y, past_x = RNG.normal(size=(2, 2, *shape[1:]))
    columns = x.reshape(len(x), -1).T
    pasts = zip(past_y.reshape(2, -1).T, past_x.reshape(2, -1).T, columns, strict=True)
    wanted = [
        lfilter(numerator, denominator, u, zi=lfiltic(numerator, denominator, before, driven))[0]
        for before, driven, u in pasts
    ]
    found = recurrence(numerator, denominator, x, state_after(numerator, denominator, past_y, past_x))
    np.testing.assert_allclose(found, np.stack(wanted, axis=-1).reshape(shape), rtol=1e-12, atol=1e-12)


def test_that_the_steady_state_is_that_of_scipy_and_holds_a_constant() -> None:
    numerator, denominator = butter(2, 0.02)
    level = np.array([2.5, -1.0])
    state = steady_state(numerator, denominator, level)
    np.testing.assert_allclose(state, lfilter_zi(numerator, denominator)[:, None] * level, rtol=1e-9)
    constant = np.broadcast_to(level, (3000, 2))
    np.testing.assert_allclose(recurrence(numerator, denominator, constant, state), constant, rtol=1e-12)
