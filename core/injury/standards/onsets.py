"""Rules about how fast a load comes on, and about +Gz after -Gz."""

from __future__ import annotations

import numpy as np

from ...base.arrays import Array
from ..criteria.base import Signals
from ..filters import FilterName
from ..held_limit import HeldWorst, worst_held
from ..intervals import above
from .rules import RuleValue, max_used
from .table import AfterNegativeRule, OnsetRule, VerticalOnsetRule


def find_jerk(rule: OnsetRule, signals: Signals, axis: str, name: FilterName) -> RuleValue:
    """Largest size of the onset along an axis, in g/s, against the limit of the rule.

    Raises InputError when the record is shorter than the window of the onset.
    """
    time = signals.history.time
    size = np.abs(signals.onset(axis, name))
    k = int(np.argmax(size))
    note = f"{'rising' if signals.onset(axis, name)[k] > 0.0 else 'falling'}"
    at = float(time[k])
    return RuleValue(float(size[k]), rule.limit, (at, at), above(time, size, rule.limit), note)


def transitions(time: Array, load: Array, from_g: float, hold: float, to_g: float) -> list[tuple[int, int]]:
    """Rises from at most from_g, held for a time, to at least to_g without going back to from_g.

    time (n,) s; load (n,), from_g, to_g in g; hold s. Returns samples (first above from_g, first at or above to_g).
    """
    low = load <= from_g
    edges = np.flatnonzero(low[:-1] & ~low[1:]) + 1
    starts = np.flatnonzero(np.concatenate([[low[0]], low[1:] & ~low[:-1]]))
    reached = np.flatnonzero(load >= to_g)
    found = []
    for begin, leave in zip(starts, edges, strict=False):
        if time[leave - 1] - time[begin] < hold * (1.0 - 1e-9):
            continue
        k = int(np.searchsorted(reached, leave))
        if k == reached.size:
            continue
        arrive = int(reached[k])
        if not low[leave:arrive].any():
            found.append((int(leave), arrive))
    return found


def find_vertical_onset(rule: VerticalOnsetRule, signals: Signals, name: FilterName) -> RuleValue:
    """Steepest transition from no or negative to high Gz, in g/s; 0 without one.

    A transition that is one rise counts with the largest slope fitted in it; one that stops or falls back on the way
    with its mean slope, so that a late and separate rise is not taken for part of the transition.
    Raises InputError when the record is shorter than the window of the onset.
    """
    time = signals.history.time
    load = signals.directional("+Gz", name)
    slope = signals.onset("z", name)
    worst, when, exceeded = 0.0, (float(time[0]), float(time[-1])), []
    found = transitions(time, load, rule.from_g, rule.hold, rule.to_g)
    for leave, arrive in found:
        t0 = _crossing(time, load, leave, rule.from_g)
        t1 = _crossing(time, load, arrive, rule.to_g)
        mean = (rule.to_g - rule.from_g) / (t1 - t0)
        piece = slope[leave : arrive + 1]
        onset = float(piece.max()) if (piece > 0.0).all() else mean
        if onset > worst:
            worst, when = onset, (t0, t1)
        if onset > rule.onset:
            exceeded.append((t0, t1))
    note = f"{len(found)} such transitions" if len(found) != 1 else "one such transition"
    return RuleValue(worst, rule.onset, when, tuple(exceeded), note if found else "no such transition")


def _crossing(time: Array, load: Array, k: int, level: float) -> float:
    """Time at which the line from sample k - 1 to sample k rises through a level."""
    if k == 0:
        return float(time[0])
    return float(time[k - 1] + (level - load[k - 1]) / (load[k] - load[k - 1]) * (time[k] - time[k - 1]))


def find_after_negative(rule: AfterNegativeRule, signals: Signals, name: FilterName) -> RuleValue:
    """Largest part of the reduced +Gz curve used after a long -Gz; 0 without one."""
    time = signals.history.time
    load = signals.directional("+Gz", name)
    d, g = rule.curve().corners()
    found: list[tuple[HeldWorst, str]] = []
    for start, end in above(time, -load, 0.0):
        if end - start <= rule.longer_than:
            continue
        piece = (time >= end) & (time <= end + rule.lasts)
        if piece.sum() < 2 or time[piece][-1] - time[piece][0] < d[0]:
            continue
        held = worst_held(time[piece], load[piece], d, g)
        note = (
            f"after {end - start:.3g} s of -Gz until {end:.4g} s: {held.level:.3g} g held for "
            f"{held.duration:.3g} s, reduced limit {held.limit:.3g} g"
        )
        found.append((held, note))
    return max_used(found, time, f"never more than {rule.longer_than:g} s of -Gz before")
