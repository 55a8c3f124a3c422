"""Onset of a load: the slope of the straight line fitted to a short window around each sample."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time, uniform_rate

#: Window of the fit, s (ASTM F2291, as transcribed: centred 100 ms).
WINDOW = 0.1


def onset_rate(time: ArrayLike, signal: ArrayLike, window: float = WINDOW) -> Array:
    """Least-squares slope of a record in a centred window.

    time (n,) s, uniform; signal (n,) any unit; window s. Returns (n,) in the unit of the signal per second; at the ends
    of the record, where the window does not fit, the slope of the nearest full window.
    Raises InputError for a grid that is not uniform, or a record shorter than the window.
    Source: onset estimation of ASTM F2291, as transcribed.
    """
    t = as_time(time)
    x = as_signal(t, signal)
    rate = uniform_rate(t)
    half = max(1, round(0.5 * window * rate))
    count = 2 * half + 1
    if x.ndim != 1:
        raise InputError(f"An onset is defined for one column, found shape {x.shape}.")
    if count > t.size:
        raise InputError(f"The record is shorter than the {window:g} s over which an onset is measured.")
    # sum of k x[i + k] over the window, from running sums of x and i x; the ramp is centred to keep the sums small.
    ramp = np.arange(t.size) - 0.5 * (t.size - 1)
    level = x - x.mean()
    plain = np.concatenate([[0.0], np.cumsum(level)])
    ramped = np.concatenate([[0.0], np.cumsum(ramp * level)])
    sums = plain[count:] - plain[:-count]
    moments = ramped[count:] - ramped[:-count] - ramp[half : t.size - half] * sums
    slope = moments * rate / (half * (half + 1) * count / 3.0)
    return np.concatenate([np.full(half, slope[0]), slope, np.full(half, slope[-1])])
