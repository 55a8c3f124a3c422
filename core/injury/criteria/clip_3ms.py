"""The 3 ms acceleration of head and chest, contiguous and cumulative (Viegas 2016, section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ...base.errors import InputError
from ..filters import FilterName
from ..grid import as_signal
from ..held_level import Held, exceedance, long_enough
from ..intervals import above
from ..limits import ScalarLimits, load_limits
from ..parts import Part, part_note
from ..result import About, CriterionResult
from .base import Criterion, CriterionTrace, Output, Signals, titled


def cumulative_clip(time: ArrayLike, signal: ArrayLike, duration: float = 0.003) -> Held:
    """Highest level that the signal reaches or exceeds for a duration in total, in as many pieces as it takes.

    time (n,) s, increasing; signal (n,), any unit, taken as linear between samples; duration s. Never below
    `exceedance`.
    Raises InputError when the record is shorter than the duration.
    Source: definition of the cumulative 3 ms value in crash testing; benchmark of two half-sines.
    """
    t = long_enough(time, duration)
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
    return Held(level, float(duration), _intervals(t, x, level))


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


DEFINITION = "highest resultant acceleration of the {} that lasts 3 ms, {}"


def _criterion(part: Part, filter_name: FilterName) -> Criterion:
    chest = part == "upper_torso"
    start, word, name = ("chest_3ms", "chest", "chest_3ms") if chest else ("clip_3ms", "head", "head_3ms")
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    tail = "" if filter_name == "none" else f", {filter_name}"

    def output(ident: str, how: str, meaning: str, about: About) -> Output:
        return Output(
            ident + suffix,
            f"3 ms acceleration{' of the chest' if chest else ''}, {how}{tail}",
            "g",
            filter_name,
            group="chest" if chest else "head",
            definition=DEFINITION.format(word, meaning),
            applicability=f"{word}, 50th percentile man; made for blows, and for rides an upper bound of them",
            about=about,
        )

    marked = About() if suffix else About(mark="level", name="held for 3 ms")
    unbroken = output(start, "contiguous", "without a break", marked)
    in_total = output(f"{start}_cumulative", "cumulative", "in total", About())

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get(name)
        time, resultant = signals.history.time, signals.resultant(filter_name)
        whose = part_note(part, signals.history.body)
        over = above(time, resultant, limit.value)
        held = exceedance(time, resultant)
        yield unbroken.result(signals, held.level, held.intervals[0], limit, whose, exceeded=over)
        total = cumulative_clip(time, resultant)
        longest = max(total.intervals, key=lambda piece: piece[1] - piece[0])
        count = len(total.intervals)
        note = f"time of the longest of {count} pieces" if count > 1 else "in one piece"
        yield in_total.result(
            signals, total.level, longest, limit, "; ".join(filter(None, (note, whose))), exceeded=over
        )

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        title = titled("resultant", filter_name)
        return signals.trace(signals.resultant(filter_name), "g", title, result.limit, held=True)

    return Criterion((unbroken, in_total), evaluate, rate=333.0, parts=(part,), trace=trace)


CASES: tuple[tuple[Part, FilterName], ...] = (
    ("head", "none"),
    ("head", "CFC1000"),
    ("upper_torso", "none"),
    ("upper_torso", "CFC180"),
)
CRITERIA = tuple(_criterion(part, name) for part, name in CASES)
