"""How much of a limit curve of g against duration a record uses, exactly, over all levels and durations.

A level g held without a break for the duration D uses g / limit(D) of the curve. The stretches on which levels are
held come in families, one per sample (see core.injury.held_level): within a family the level falls linearly while the
duration grows. On a straight piece of the curve the quotient of the two is monotone, so its largest value lies at an
end of the family or at a corner of the curve, and no grid of durations is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from .grid import as_signal, as_time
from .held_level import _left, _right, held_levels
from .intervals import Interval, merged

#: What is wrong with a limit curve.
NOT_POSITIVE, NOT_IN_ORDER = 1, 2
WIDER = 1.2  # from one look at a stretch around the highest sample to the next


@dataclass(frozen=True)
class HeldWorst:
    """Where a record comes nearest to a limit curve.

    used: level / limit, 0 when the record is never positive for long enough; level and limit in the unit of the
    record; duration s; start, end s of the stretch that holds the level; exceeded: all stretches (s), merged, that
    hold a level longer than the curve allows.
    """

    used: float
    level: float
    limit: float
    duration: float
    start: float
    end: float
    exceeded: tuple[Interval, ...]


def worst_held(time: ArrayLike, signal: ArrayLike, durations: ArrayLike, limits: ArrayLike) -> HeldWorst:
    """Largest part of a limit curve that a record uses.

    max over D >= durations[0] of held(D) / limit(D), exact for a record that is linear between samples and a curve that
    is linear between its corners; flat beyond the last corner; two corners at one duration are a step, of which the
    lower limit counts from there on.

    time (n,) s, increasing; signal (n,), any unit; durations (k,) s, not decreasing, and limits (k,), positive, not
    increasing, in the unit of the signal.
    Raises InputError for bad input or a record shorter than the first duration.
    Source: event duration as the length of each connected stretch above each level (ASTM F2291, as transcribed).
    """
    t = as_time(time)
    x = as_signal(t, signal)
    if x.ndim != 1:
        raise InputError(f"A held level is defined for one column, found shape {x.shape}.")
    d, g = _checked_curve(durations, limits)
    if t[-1] - t[0] < d[0] * (1.0 - 1e-12):
        raise InputError(
            f"The record lasts {t[-1] - t[0]:.6g} s, shorter than the {d[0]:.6g} s at which the limit begins."
        )
    best = np.zeros(6)
    pieces, count = _worst_held(t, x, d, g, best)
    if best[0] <= 0.0:
        shortest = max(float(d[0]), 1e-9 * float(t[-1] - t[0]))
        level, start, end = held_levels(t, x, [shortest])
        return HeldWorst(0.0, float(level[0]), float(g[0]), float(d[0]), float(start[0]), float(end[0]), ())
    used, limit, level_, duration, start_, end_ = (float(value) for value in best)
    return HeldWorst(used, level_, limit, duration, start_, end_, merged(pieces[:count]))


def _checked_curve(durations: ArrayLike, limits: ArrayLike) -> tuple[Array, Array]:
    d = np.ascontiguousarray(durations, dtype=np.float64)
    g = np.ascontiguousarray(limits, dtype=np.float64)
    if d.ndim != 1 or d.size == 0 or d.shape != g.shape:
        raise InputError("A limit curve needs as many durations as limits, at least one.")
    fault = _curve_fault(d, g)
    if fault == NOT_POSITIVE:
        raise InputError(
            "The durations of a limit curve must not be negative and its limits must be positive."
        )
    if fault == NOT_IN_ORDER:
        raise InputError("The durations of a limit curve must not decrease and its limits must not increase.")
    return d, g


@njit(cache=True, nogil=True)
def _curve_fault(durations, limits):  # type: ignore[no-untyped-def]
    for k in range(durations.size):
        if not (0.0 <= durations[k] < np.inf and 0.0 < limits[k] < np.inf):
            return NOT_POSITIVE
    for k in range(1, durations.size):
        if durations[k] < durations[k - 1] or limits[k] > limits[k - 1]:
            return NOT_IN_ORDER
    return 0


@njit(cache=True, nogil=True)
def _limit_at(durations, limits, w):  # type: ignore[no-untyped-def]
    """Limit at a duration, the lower value at a step, and the index of the first corner beyond it."""
    k = np.searchsorted(durations, w, side="right")
    if k == 0:
        return limits[0], k
    if k == durations.size:
        return limits[-1], k
    part = (w - durations[k - 1]) / (durations[k] - durations[k - 1])
    return limits[k - 1] + part * (limits[k] - limits[k - 1]), k


@njit(cache=True, nogil=True)
def _judge_family(level0, w0, level1, w1, durations, limits, best):  # type: ignore[no-untyped-def]
    """Try a family from (level0, w0) down to (level1, w1).

    Keeps the best (used, limit, level, duration, ...). Returns two parts of the way (0 to 1): to the widest stretch
    above the curve and to a new best; -1 where there is none.
    """
    if w1 < durations[0]:
        return -1.0, -1.0
    part = 0.0
    if w0 < durations[0]:
        part = (durations[0] - w0) / (w1 - w0)
    w = max(w0, durations[0])
    level = level0 + part * (level1 - level0)
    limit, k = _limit_at(durations, limits, w)
    widest, place = -1.0, -1.0
    while True:
        if level > best[0] * limit:
            best[0], best[1], best[2], best[3] = level / limit, limit, level, w
            place = part
        if level > limit:
            widest = part
        if w >= w1:
            return widest, place
        # On to the next corner or the end; the limit just before a step is the upper one.
        w_next = w1
        if k < durations.size and durations[k] < w1:
            w_next = durations[k]
            limit_next = limits[k]
            k += 1
        else:
            limit_next, _ = _limit_at(durations, limits, w1)
        part_next = 1.0
        if w_next < w1:
            part_next = (w_next - w0) / (w1 - w0)
        level_next = level0 + part_next * (level1 - level0)
        if level > limit and level_next <= limit_next:
            gap = level - limit
            widest = part + (part_next - part) * gap / (gap + limit_next - level_next)
        part, w, level, limit = part_next, w_next, level_next, limit_next


@njit(cache=True, nogil=True)
def _offer_family(t, x, i, left, right, durations, limits, best, pieces, count):  # type: ignore[no-untyped-def]
    """Judge the stretches whose lowest sample is i, bounded by the lower samples left and right."""
    t0 = _left(t, x, left, x[i])
    t1 = _right(t, x, right, x[i])
    lower = -np.inf
    if left >= 0:
        lower = x[left]
    if right < x.size and x[right] > lower:
        lower = x[right]
    if lower == -np.inf:
        # Held over the whole record; rounding may not make it shorter than the first duration.
        width = max(t1 - t0, durations[0])
        widest, place = _judge_family(x[i], width, x[i], width, durations, limits, best)
        s0, s1 = t0, t1
    else:
        s0 = _left(t, x, left, lower)
        s1 = _right(t, x, right, lower)
        widest, place = _judge_family(x[i], t1 - t0, lower, s1 - s0, durations, limits, best)
    if place >= 0.0:
        best[4] = t0 + place * (s0 - t0)
        best[5] = t1 + place * (s1 - t1)
    if widest >= 0.0:
        pieces[count, 0] = t0 + widest * (s0 - t0)
        pieces[count, 1] = t1 + widest * (s1 - t1)
        count += 1
    return count


@njit(cache=True, nogil=True)
def _around_peak(t, x, durations, limits, floor):  # type: ignore[no-untyped-def]
    """What the stretches around the highest sample use at least: no level below that times the floor is of interest."""
    n = x.size
    first = last = np.argmax(x)
    level, used, width = x[first], 0.0, durations[0]
    while level > used * floor:
        if t[last] - t[first] >= width:
            limit, _ = _limit_at(durations, limits, t[last] - t[first])
            used, width = max(used, level / limit), WIDER * (t[last] - t[first])
        before, after = -np.inf, -np.inf
        if first > 0:
            before = x[first - 1]
        if last < n - 1:
            after = x[last + 1]
        level = min(level, max(before, after))
        if before >= after:
            first -= 1
        else:
            last += 1
    return used * (1.0 - 1e-9)


@njit(cache=True, nogil=True)
def _worst_held(t, x, durations, limits, best):  # type: ignore[no-untyped-def]
    """The walk over all families; levels that can neither beat the best nor exceed the curve only separate."""
    n = x.size
    stack = np.empty(n + 1, dtype=np.int64)
    pieces = np.empty((n, 2))
    top = -1
    count = 0
    floor, _ = _limit_at(durations, limits, t[-1] - t[0])
    shortest = durations[0] * (1.0 - 1e-12)
    sure = _around_peak(t, x, durations, limits, floor)
    cut = min(sure, 1.0) * floor
    for i in range(n + 1):
        value = x[i] if i < n else -np.inf
        while top >= 0 and x[stack[top]] >= value:
            k = stack[top]
            left = stack[top - 1] if top > 0 else -1
            widest = t[min(i, n - 1)] - t[max(left, 0)]
            if x[k] > cut and widest >= shortest:
                # no stretch of the family is wider, so none has a lower limit, and none a higher level
                lowest, _ = _limit_at(durations, limits, widest * (1.0 + 1e-12))
                if x[k] > min(sure, 1.0) * lowest:
                    count = _offer_family(t, x, k, left, i, durations, limits, best, pieces, count)
                    sure = max(sure, best[0])
                    cut = min(sure, 1.0) * floor
            top -= 1
        if value <= cut:
            # Lower than all that is still to come of interest: what lies before it is out of sight.
            top = -1
        top += 1
        stack[top] = i
    return pieces, count
