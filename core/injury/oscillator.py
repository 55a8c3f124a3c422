"""A mass on a spring and a damper, answered exactly: the model behind the dynamic response index and DAMAGE."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .filters import recursion
from .grid import as_signal, as_time, uniform_rate


def oscillator_response(
    time: ArrayLike, drive: ArrayLike, stiffness: float, damping: float, *, steady_start: bool
) -> Array:
    """Displacement of x'' + c x' + k x = u(t), exact for a drive that is straight between samples.

    time (n,) s, uniform; drive u (n,) unit/s^2; stiffness k 1/s^2 and damping c 1/s per mass, k > 0, c >= 0;
    steady_start: begin at rest under the first value (x = u[0] / k), else at x = 0 at rest. Returns (n,) in the unit of
    the drive times s^2.
    Raises InputError for an uneven grid, more than one column, or constants that are no spring and damper.
    Source: closed form of the matrix exponential for input held straight over a step (first-order hold).
    """
    t = as_time(time)
    u = as_signal(t, drive, "drive of the oscillator")
    if u.ndim != 1:
        raise InputError(f"An oscillator is driven by one column, found shape {u.shape}.")
    if not (stiffness > 0.0 and damping >= 0.0):
        raise InputError(
            f"An oscillator needs positive stiffness and damping, found {stiffness} and {damping}."
        )
    numerator, denominator = step_filter(stiffness, damping, 1.0 / uniform_rate(t))
    # Before the record the drive was its first value for ever, or nothing at all moved.
    x0 = u[0] / stiffness if steady_start else 0.0
    if steady_start:
        return _answer(numerator, denominator, u, np.full(2, x0), np.full(2, u[0]))
    # From rest: the first sample is the start itself, the filter answers to the straight pieces after it.
    x1 = _first_step(stiffness, damping, 1.0 / uniform_rate(t), u[0], u[1])
    rest = _answer(numerator, denominator, u[2:], np.array([x1, 0.0]), np.array([u[1], u[0]]))
    return np.concatenate([[0.0, x1], rest])


def _answer(numerator: Array, denominator: Array, drive: Array, past: Array, driven: Array) -> Array:
    """Outputs (n,) for a drive (n,) after the outputs `past` (2,) and drives `driven` (2,), the latest first."""
    of_drive, of_output = numerator[1:], denominator[1:]
    state = np.array([of_drive @ driven - of_output @ past, of_drive[1] * driven[0] - of_output[1] * past[0]])
    return recursion(numerator, denominator, drive, state)


def step_filter(stiffness: float, damping: float, step: float) -> tuple[Array, Array]:
    """Numerator and denominator (3,) of the recurrence that advances the oscillator by a step in s."""
    transition, old, new = _hold(stiffness, damping, step)
    trace = float(np.trace(transition))
    shifted = transition - trace * np.eye(2)
    numerator = np.array([new[0], old[0] + (shifted @ new)[0], (shifted @ old)[0]])
    return numerator, np.array([1.0, -trace, float(np.linalg.det(transition))])


def _first_step(stiffness: float, damping: float, step: float, u0: float, u1: float) -> float:
    _, old, new = _hold(stiffness, damping, step)
    return float(old[0] * u0 + new[0] * u1)


@lru_cache(maxsize=64)  # all riders of a run are sampled alike
def _hold(k: float, c: float, h: float) -> tuple[Array, Array, Array]:
    """State transition (2, 2) over a step and the shares (2,) of the drive at its start and at its end."""
    from scipy.linalg import expm

    # State: x, x', u, slope of u; the drive of a straight piece is a state of its own.
    rates = np.array([[0.0, 1.0, 0.0, 0.0], [-k, -c, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    whole = np.asarray(expm(rates * h))
    of_value, of_slope = whole[:2, 2], whole[:2, 3]
    return whole[:2, :2], of_value - of_slope / h, of_slope / h


def peak_between_samples(values: Array) -> tuple[int, float]:
    """Sample of the largest value, and the top of the parabola through it and its neighbours."""
    k = int(np.argmax(values))
    if 0 < k < values.size - 1:
        left, top, right = (float(v) for v in values[k - 1 : k + 2])
        bend = left - 2.0 * top + right
        if bend < 0.0:
            return k, top - (right - left) ** 2 / (8.0 * bend)
    return k, float(values[k])
