"""Quick reversals: two sustained loads of opposite sign whose peaks follow each other closely have lower limits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...base.arrays import Array
from ..criteria.base import Signals
from ..filters import FilterName
from ..held_limit import HeldWorst, worst_held
from ..intervals import above
from ..rider_axes import Direction
from .curves import choose_curve
from .rules import RuleValue, max_used
from .table import AccelerationTable, ReversalRule


@dataclass(frozen=True)
class Event:
    """A load of one sign: from start to end (s), its sign, the time (s) and size (g) of its peak."""

    start: float
    end: float
    sign: int
    peak_time: float
    peak: float


def events_of(time: Array, load: Array, sustained: float, floor: float) -> list[Event]:
    """Loads of either sign above a floor for long enough, in order of time.

    time (n,) s; load (n,) g; sustained s; floor g.
    """
    found = []
    for sign in (1, -1):
        size = sign * load
        for start, end in above(time, size, floor):
            if end - start < sustained:
                continue
            first, last = np.searchsorted(time, [start, end])
            first = min(first, len(time) - 1)
            top = int(first + np.argmax(size[first : max(last, first + 1)]))  # one sample of a slow record
            found.append(Event(start, end, sign, float(time[top]), float(size[top])))
    return sorted(found, key=lambda event: event.start)


def find_reversal(
    table: AccelerationTable, rule: ReversalRule, signals: Signals, axis: str, name: FilterName
) -> RuleValue:
    """Largest part of the reduced limits used by the loads of a quick reversal along an axis; 0 without one.

    Raises InputError when the record is shorter than the limit curves begin.
    """
    time = signals.history.time
    load = np.ascontiguousarray(signals.acceleration(name)[:, "xyz".index(axis)])
    events = events_of(time, load, rule.sustained, rule.floor)
    found: list[tuple[HeldWorst, str]] = []
    for one, next_ in pairwise(events):
        gap = next_.peak_time - one.peak_time
        if next_.sign == one.sign or gap >= rule.peak_to_peak:
            continue
        for event in (one, next_):
            held = _held(table, rule, signals, axis, event, time, load)
            if held is None:
                continue
            note = (
                f"{one.sign * one.peak:.3g} g to {next_.sign * next_.peak:.3g} g in {gap:.3g} s; "
                f"{held.level:.3g} g held for {held.duration:.3g} s, reduced limit {held.limit:.3g} g"
            )
            found.append((held, note))
    return max_used(found, time, "no reversal that quick")


def _held(
    table: AccelerationTable,
    rule: ReversalRule,
    signals: Signals,
    axis: str,
    event: Event,
    time: Array,
    load: Array,
) -> HeldWorst | None:
    """What an event uses of the reduced curve of its direction; None when there is no curve or no load long enough."""
    direction: Direction = f"{'+' if event.sign > 0 else '-'}G{axis}"  # type: ignore[assignment]
    chosen = choose_curve(table, direction, "", signals)
    if chosen is None:
        return None
    first, last = np.searchsorted(time, [event.start, event.end])
    piece = slice(max(first - 1, 0), last + 1)
    d, g = chosen.curve.corners()
    if time[piece][-1] - time[piece][0] < d[0]:
        return None
    return worst_held(time[piece], event.sign * load[piece], d, rule.factor * g)
