"""Small equations in the parameters of a program."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...base.arrays import Array
from ...base.errors import InputError

STEPS = 60
NEWTON_STEPS, HALVINGS, MAX_STEP = 25, 8, 0.3
EXACT, ENOUGH = 1e-11, 1e-9
CLOSE = 1e-13


def root_between(f: Callable[[float], float], low: float, high: float) -> float | None:
    """Root of f in [low, high] by regula falsi with the Illinois weighting; None when f has one sign at both ends.

    Source: Dowell & Jarratt 1971, A modified regula falsi method (BIT 11).
    """
    a, b = low, high
    fa, fb = f(a), f(b)
    if fa == 0.0:
        return a
    if fb == 0.0:
        return b
    if fa * fb > 0.0:
        return None
    scale = max(abs(fa), abs(fb))
    for _ in range(STEPS):
        c = b - fb * (b - a) / (fb - fa)
        fc = f(c)
        if abs(fc) <= CLOSE * scale or abs(b - a) <= CLOSE * (abs(a) + abs(b)):
            return c
        if fc * fb < 0.0:
            a, fa = b, fb
        else:
            fa *= 0.5
        b, fb = c, fc
    return b


def newton(f: Callable[[Array], Array], start: Array, where: str, what: str) -> Array:
    """Root of as many equations as unknowns by Newton's method with difference quotients and halved steps.

    Raises InputError ("where: no what can be found") when it does not converge.
    """
    x = np.asarray(start, dtype=float).copy()
    value = f(x)
    for _ in range(NEWTON_STEPS):
        size = float(np.abs(value).max())
        if size < EXACT:
            return x
        slope = np.empty((len(value), len(x)))
        for k in range(len(x)):
            step = 1e-7 * max(1.0, abs(x[k]))
            moved = x.copy()
            moved[k] += step
            slope[:, k] = (f(moved) - value) / step
        move = -np.linalg.lstsq(slope, value, rcond=None)[0]
        # a far step would lead to other turns of the line, or to none
        move *= min(1.0, MAX_STEP / max(1e-300, float(np.max(np.abs(move) / np.maximum(1.0, np.abs(x))))))
        for _ in range(HALVINGS):
            trial = f(x + move)
            if float(np.abs(trial).max()) < size:
                break
            move *= 0.5
        else:
            break
        x, value = x + move, trial
    if float(np.abs(value).max()) < ENOUGH:
        return x
    raise InputError(f"{where}: no {what} can be found for these values; change one of them.")
