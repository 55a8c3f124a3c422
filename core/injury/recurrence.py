"""Recurrences of second order, what every filter and oscillator here is made of; scipy.signal takes long to import."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

F8 = NDArray[np.float64]


@njit(cache=True, nogil=True)
def _run(numerator: F8, denominator: F8, x: F8, state: F8, y: F8) -> None:
    """Fill y (n, m) from x (n, m) and the state (2, m), in the transposed direct form II."""
    b0, b1, b2 = numerator
    _, a1, a2 = denominator
    for k in range(x.shape[1]):
        first, second = state[0, k], state[1, k]
        for n in range(x.shape[0]):
            value = first + b0 * x[n, k]
            first = second + b1 * x[n, k] - a1 * value
            second = b2 * x[n, k] - a2 * value
            y[n, k] = value


def recurrence(numerator: F8, denominator: F8, x: F8, state: F8) -> F8:
    """y[n] = b0 x[n] + b1 x[n-1] + b2 x[n-2] - a1 y[n-1] - a2 y[n-2] for every column of x.

    numerator (b0, b1, b2), denominator (1, a1, a2); x (n,) or (n, m), any unit; state (2,) or (2, m): what is left
    of the past, from `steady_state` or `state_after`. Returns an array like x.
    """
    columns = np.ascontiguousarray(x, dtype=np.float64).reshape(
        len(x), 1 if np.ndim(x) == 1 else np.shape(x)[1]
    )
    start = np.ascontiguousarray(state, dtype=np.float64).reshape(2, -1)
    y = np.empty_like(columns)
    _run(np.asarray(numerator, np.float64), np.asarray(denominator, np.float64), columns, start, y)
    return y.reshape(x.shape)


def steady_state(numerator: F8, denominator: F8, x: F8) -> F8:
    """State (2, ...) after an input that was x (...) for ever."""
    y = numerator.sum() / denominator.sum() * x
    return state_after(numerator, denominator, np.stack([y, y]), np.stack([x, x]))


def state_after(numerator: F8, denominator: F8, y: F8, x: F8) -> F8:
    """State (2, ...) after the outputs y and inputs x (2, ...), the latest first."""
    return np.stack(
        [
            numerator[1] * x[0] + numerator[2] * x[1] - denominator[1] * y[0] - denominator[2] * y[1],
            numerator[2] * x[0] - denominator[2] * y[0],
        ]
    )
