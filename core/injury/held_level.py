"""The level a record holds without a break for at least a given time, for many durations in one pass.

For a record that is linear between samples, take any sample as the lowest of a stretch: the stretch of {x >= x_i}
around it has a width w_i. Lowering the level towards the next lower neighbour, both ends slide along one straight
piece each, so the width grows linearly until the neighbour is reached. All stretches of all levels are these
families, one per sample, and a stack gives the lower neighbours of every sample in O(n) ("largest rectangle in a
histogram").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time

#: Shortest duration looked at (the first interval of Viegas 2016, Fig. 5.12) and the fineness of the grid.
SHORTEST = 0.01
PER_DECADE = 20
#: Blocks of samples in a duration, and the fewest samples of one, for a first guess of the level.
BLOCKS, FEWEST = 8, 8


def held_levels(time: ArrayLike, signal: ArrayLike, durations: ArrayLike) -> tuple[Array, Array, Array]:
    """Highest level that a record stays at or above for at least each duration.

    level(D) = max over t of min of x over [t, t + D], exact for x linear between samples.

    time (n,) s, increasing, need not be uniform; signal (n,) any unit; durations (k,) s, positive, increasing.
    Returns (level (k,), start (k,), end (k,)) in the unit of the signal and s; NaN where the record is shorter than the
    duration. start and end bound a stretch of at least that duration on which the level is held.
    Raises InputError for bad grids, values or durations.
    """
    t = as_time(time)
    x = as_signal(t, signal)
    d = np.ascontiguousarray(durations, dtype=np.float64)
    if x.ndim != 1:
        raise InputError(f"A held level is defined for one column, found shape {x.shape}.")
    if (
        d.ndim != 1
        or d.size == 0
        or not (np.isfinite(d).all() and (d > 0.0).all() and (np.diff(d) > 0.0).all())
    ):
        raise InputError("Durations must be positive and increasing seconds.")
    level = np.full(d.size, -np.inf)
    start = np.full(d.size, np.nan)
    end = np.full(d.size, np.nan)
    # A record as long as the duration to rounding counts as long enough.
    reachable = int(np.searchsorted(d, (t[-1] - t[0]) * (1.0 + 1e-12), side="right"))
    if reachable:
        usable = np.minimum(d[:reachable], t[-1] - t[0])
        _held_levels(t, x, usable, level[:reachable], start[:reachable], end[:reachable])
    level[np.isneginf(level)] = np.nan
    return level, start, end


@dataclass(frozen=True)
class Held:
    """Level (unit of the signal), duration in s, and the intervals (start, end) in s on which the level is held."""

    level: float
    duration: float
    intervals: tuple[tuple[float, float], ...]


def exceedance(time: ArrayLike, signal: ArrayLike, duration: float = 0.003) -> Held:
    """Highest level that the signal holds for one unbroken duration (contiguous clip).

    time (n,) s, increasing; signal (n,), any unit, taken as linear between samples; duration s. The result has one
    interval.
    Raises InputError when the record is shorter than the duration.
    Source: Viegas 2016, section 4.3.2.
    """
    t = long_enough(time, duration)
    level, start, end = held_levels(t, signal, [duration])
    return Held(float(level[0]), float(duration), ((float(start[0]), float(end[0])),))


def long_enough(time: ArrayLike, duration: float) -> Array:
    """Times (n,) of a record that lasts a duration (s) or longer; InputError for one that does not."""
    t = as_time(time)
    if not (np.isfinite(duration) and duration > 0.0):
        raise InputError(f"The duration of a clip must be a positive number of seconds, found {duration}.")
    if t[-1] - t[0] < duration * (1.0 - 1e-12):
        raise InputError(
            f"The record lasts {t[-1] - t[0]:.6g} s, shorter than the {duration:.6g} s of the clip."
        )
    return t


def duration_grid(time: ArrayLike, extra: ArrayLike = ()) -> Array:
    """Durations to look at: 0.01 s to the length of the record, 20 per decade, and the corners of a limit curve.

    time (n,) s; extra durations s. Returns (k,) s, increasing, none longer than the record.
    Raises InputError when the record is shorter than 0.01 s.
    """
    t = as_time(time)
    length = float(t[-1] - t[0])
    if length < SHORTEST:
        raise InputError(
            f"Sustained g needs a record of at least {SHORTEST} s, this one lasts {length:.6g} s."
        )
    count = int(np.floor(PER_DECADE * np.log10(length / SHORTEST) * (1.0 + 1e-12))) + 1
    grid = SHORTEST * 10.0 ** (np.arange(count) / PER_DECADE)
    both = np.unique(np.concatenate([grid, np.asarray(extra, dtype=np.float64), [length]]))
    return both[(both >= SHORTEST) & (both <= length)]


@njit(cache=True, nogil=True)
def _left(t, x, below, level):  # type: ignore[no-untyped-def]
    """Where the record rises through a level between the samples below and below + 1; its start when below is -1."""
    if below < 0:
        return t[0]
    return t[below] + (level - x[below]) / (x[below + 1] - x[below]) * (t[below + 1] - t[below])


@njit(cache=True, nogil=True)
def _right(t, x, below, level):  # type: ignore[no-untyped-def]
    """Where the record falls through a level between the samples below - 1 and below; its end when below is n."""
    if below == x.size:
        return t[-1]
    if x[below] == x[below - 1]:
        return t[below]
    return t[below] - (level - x[below]) / (x[below - 1] - x[below]) * (t[below] - t[below - 1])


@njit(cache=True, nogil=True)
def _keep(k, value, t0, t1, level, start, end):  # type: ignore[no-untyped-def]
    if value > level[k]:
        level[k] = value
        start[k] = t0
        end[k] = t1


@njit(cache=True, nogil=True)
def _family(t, x, i, left, right, durations, level, start, end):  # type: ignore[no-untyped-def]
    """Offer the stretches whose lowest sample is i, bounded by the lower samples left and right."""
    if t[min(right, x.size - 1)] - t[max(left, 0)] < durations[0]:
        return
    t0 = _left(t, x, left, x[i])
    t1 = _right(t, x, right, x[i])
    width = t1 - t0
    lower = -np.inf
    if left >= 0:
        lower = x[left]
    if right < x.size and x[right] > lower:
        lower = x[right]
    if lower == -np.inf:
        # The whole record is at or above this sample; rounding may not cost the longest duration.
        _keep(durations.size - 1, x[i], t[0], t[-1], level, start, end)
        return
    s0 = _left(t, x, left, lower)
    s1 = _right(t, x, right, lower)
    if s1 - s0 < durations[0]:
        return
    k = np.searchsorted(durations, width, side="right")
    if k > 0:
        _keep(k - 1, x[i], t0, t1, level, start, end)
    while k < durations.size and durations[k] <= s1 - s0:
        part = (durations[k] - width) / (s1 - s0 - width)
        _keep(
            k, x[i] + part * (lower - x[i]), t0 + part * (s0 - t0), t1 + part * (s1 - t1), level, start, end
        )
        k += 1


@njit(cache=True, nogil=True)
def _surely_held(t, x, duration):  # type: ignore[no-untyped-def]
    """A level that is held for a duration, near the highest one: the best of the runs of whole blocks of samples that
    last as long; -inf where blocks of an eighth of it would be too short to save anything."""
    n = x.size
    size = int(n * duration / (t[-1] - t[0]) / BLOCKS)
    if size < FEWEST:
        return -np.inf
    blocks = n // size
    least = np.empty(blocks)
    for b in range(blocks):
        low = x[b * size]
        for i in range(b * size + 1, (b + 1) * size):
            low = min(low, x[i])
        least[b] = low
    best, last = -np.inf, 0
    for b in range(blocks):
        while last < blocks and t[(last + 1) * size - 1] - t[b * size] < duration:
            last += 1
        if last == blocks:
            return best
        best = max(best, least[b : last + 1].min())
    return best


@njit(cache=True, nogil=True)
def _held_levels(t, x, durations, level, start, end):  # type: ignore[no-untyped-def]
    n = x.size
    stack = np.empty(n + 1, dtype=np.int64)
    top = -1
    # What is held for the longest duration is held for all: a lower level improves none of them.
    cut = np.nextafter(_surely_held(t, x, durations[-1]), -np.inf)
    i = -1
    while i < n:
        i += 1
        if top >= 0 and stack[top] == i - 1 and x[i - 1] <= cut:
            # What rises from here for less than the shortest duration is passed over.
            after = i
            while after < n and x[after] > cut and t[after] - t[i - 1] < durations[0]:
                after += 1
            if after < n and x[after] <= cut:
                i = after
        value = x[i] if i < n else -np.inf
        while top >= 0 and x[stack[top]] >= value:
            below = stack[top - 1] if top > 0 else -1
            if x[stack[top]] > cut:
                _family(t, x, stack[top], below, i, durations, level, start, end)
                cut = level[-1]
            top -= 1
        if value <= cut:
            # Lower than all that is still to come of interest: what lies before it is out of sight.
            top = -1
        top += 1
        stack[top] = i
    # What is held longer is held shorter too.
    for k in range(durations.size - 2, -1, -1):
        _keep(k, level[k + 1], start[k + 1], end[k + 1], level, start, end)
