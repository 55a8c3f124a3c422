"""Stretches of time: where a record lies above a level, and unions of stretches."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from .grid import as_signal, as_time

Interval = tuple[float, float]


def above(time: ArrayLike, signal: ArrayLike, level: float) -> tuple[Interval, ...]:
    """Stretches on which a record, linear between samples, lies above a level.

    time (n,) s, increasing; signal (n,) and level in one unit. Returns (start, end) in s, in order; a single sample
    that touches the level gives none. Raises InputError for bad input.
    """
    t = as_time(time)
    x = as_signal(t, signal)
    high = x > level
    edges = np.flatnonzero(high[1:] != high[:-1])
    step = x[edges + 1] - x[edges]
    bounds = t[edges] + (level - x[edges]) / step * (t[edges + 1] - t[edges])
    first = [t[0]] if high[0] else []
    last = [t[-1]] if high[-1] else []
    ends = np.concatenate([first, bounds, last]).reshape(-1, 2)
    return tuple((start, end) for start, end in ends.tolist() if end > start)


def around(time: ArrayLike, signal: ArrayLike, level: float, moment: float) -> Interval:
    """The stretch above a level (as `above`) that holds a moment (s); the moment alone when there is none."""
    t = as_time(time)
    x = as_signal(t, signal)
    first, last = _low_around(x, level, int(np.searchsorted(t, moment)))
    part = slice(first, last)
    found = [span for span in above(t[part], x[part], level) if span[0] <= moment <= span[1]]
    return found[0] if found else (moment, moment)


@njit(cache=True, nogil=True)
def _low_around(x, level, k):  # type: ignore[no-untyped-def]
    """First sample and end of as much of a record as holds the stretch above a level at sample k: up to the samples at
    or below it on both sides, and one more."""
    first, last = k - 1, k + 1
    while first >= 0 and x[first] > level:
        first -= 1
    while last < x.size and x[last] > level:
        last += 1
    first = max(first - 1, 0)
    return first, max(min(last + 2, x.size), first + 2)


def merged(intervals: ArrayLike) -> tuple[Interval, ...]:
    """Union of stretches as stretches that do not touch.

    intervals (k, 2), each start <= end, in any order. Returns (start, end) in order of time.
    """
    pairs = np.asarray(intervals, dtype=np.float64).reshape(-1, 2)
    if len(pairs) == 0:
        return ()
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    reach = np.maximum.accumulate(pairs[:, 1])
    new = np.concatenate([[True], pairs[1:, 0] > reach[:-1]])
    starts = pairs[new, 0]
    ends = reach[np.concatenate([np.flatnonzero(new)[1:] - 1, [len(pairs) - 1]])]
    return tuple((float(start), float(end)) for start, end in zip(starts, ends, strict=True))
