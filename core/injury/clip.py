"""The 3 ms criterion: the acceleration exceeded for a duration of 3 ms, contiguous and cumulative."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time
from .held_level import held_levels


@dataclass(frozen=True)
class ClipResult:
    """Level (unit of the signal), duration in s, and the intervals (start, end) in s on which the level is held."""

    level: float
    duration: float
    intervals: tuple[tuple[float, float], ...]


def exceedance(time: ArrayLike, signal: ArrayLike, duration: float = 0.003) -> ClipResult:
    """Highest level that the signal holds for one unbroken duration (contiguous clip).

    time (n,) s, increasing; signal (n,), any unit, taken as linear between samples; duration s. The result has one
    interval.
    Raises InputError when the record is shorter than the duration.
    Source: Viegas 2016, section 4.3.2.
    """
    t = _long_enough(time, duration)
    level, start, end = held_levels(t, signal, [duration])
    return ClipResult(float(level[0]), float(duration), ((float(start[0]), float(end[0])),))


def cumulative_clip(time: ArrayLike, signal: ArrayLike, duration: float = 0.003) -> ClipResult:
    """Highest level that the signal reaches or exceeds for a duration in total, in as many pieces as it takes.

    time (n,) s, increasing; signal (n,), any unit, taken as linear between samples; duration s. Never below
    `exceedance`.
    Raises InputError when the record is shorter than the duration.
    Source: definition of the cumulative 3 ms value in crash testing; benchmark of two half-sines.
    """
    t = _long_enough(time, duration)
    x = as_signal(t, signal)
    if x.ndim != 1:
        raise InputError(f"A clip is defined for one column, found shape {x.shape}.")
    # The time at or above a level is linear between sample values, so find the two values that bracket the duration.
    values = np.unique(x)
    lo, hi = 0, values.size  # time_above(values[lo]) >= duration > time_above(values[hi])
    while hi - lo > 1:
        middle = (lo + hi) // 2
        if _time_above(t, x, values[middle], False) >= duration:
            lo = middle
        else:
            hi = middle
    level = float(values[lo])
    if hi < values.size:
        just_above = _time_above(t, x, values[lo], True)
        if just_above >= duration:
            at_next = _time_above(t, x, values[hi], False)
            level += float((just_above - duration) / (just_above - at_next) * (values[hi] - values[lo]))
    return ClipResult(level, float(duration), _intervals(t, x, level))


def _long_enough(time: ArrayLike, duration: float) -> Array:
    t = as_time(time)
    if not (np.isfinite(duration) and duration > 0.0):
        raise InputError(f"The duration of a clip must be a positive number of seconds, found {duration}.")
    if t[-1] - t[0] < duration * (1.0 - 1e-12):
        raise InputError(
            f"The record lasts {t[-1] - t[0]:.6g} s, shorter than the {duration:.6g} s of the clip."
        )
    return t


def _intervals(t: Array, x: Array, level: float) -> tuple[tuple[float, float], ...]:
    """Stretches of positive length on which x >= level."""
    above = x >= level
    edges = np.flatnonzero(above[1:] != above[:-1])
    crossings = t[edges] + (level - x[edges]) / (x[edges + 1] - x[edges]) * (t[edges + 1] - t[edges])
    bounds = list(crossings)
    if above[0]:
        bounds.insert(0, t[0])
    if above[-1]:
        bounds.append(t[-1])
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple((float(start), float(end)) for start, end in pairs if end > start)


@njit(cache=True, nogil=True)
def _time_above(t, x, level, strictly):  # type: ignore[no-untyped-def]
    """Total time at or above a level; strictly leaves out flat stretches that lie exactly on it."""
    total = 0.0
    for k in range(x.size - 1):
        low = min(x[k], x[k + 1])
        high = max(x[k], x[k + 1])
        if high < level:
            continue
        if low >= level:
            if not (strictly and high == level):
                total += t[k + 1] - t[k]
        else:
            total += (high - level) / (high - low) * (t[k + 1] - t[k])
    return total
