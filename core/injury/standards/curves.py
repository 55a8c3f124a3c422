"""A record against the curve of one direction: which curve counts, how much of it is used, when it is exceeded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.errors import InputError
from ..criteria.base import Signals, rate_for, too_slow
from ..filters import RIDE_CUTOFF, RIDE_RATE_RATIO, FilterName
from ..held_limit import HeldWorst, worst_held
from ..intervals import around
from ..onset import onset_rate
from ..rider_axes import Direction
from .table import AccelerationTable, DurationCurve

#: A load that is over sooner (s) is an impact (ASTM F2291 covers loads of 0.2 s and more).
LONGEST_IMPACT = 0.2


@dataclass(frozen=True)
class Chosen:
    """The curve that counts for a rider and a record, and why another was passed over."""

    curve: DurationCurve
    why: str = ""


def table_filter(table: AccelerationTable, signals: Signals) -> FilterName:
    """The filter of a table's signal; the options may say that the record went through it already."""
    already = table.filter == "5 Hz" and signals.options.standard_filter == "none"
    return "none" if already else table.filter


def largest_onset(signals: Signals, direction: Direction, filter_name: FilterName) -> float:
    """Steepest rise in g/s of the load in one direction, where the rider is loaded that way at all."""
    key = "steepest rise", direction, filter_name
    if key not in signals.found:
        load = np.maximum(signals.directional(direction, filter_name), 0.0)
        signals.found[key] = float(onset_rate(signals.history.time, load).max())
    return float(signals.found[key])


def choose_curve(
    table: AccelerationTable, direction: Direction, series: str, signals: Signals
) -> Chosen | None:
    """The first curve of a direction and series that applies to the rider and whose onset condition holds.

    None when the table has none for this rider.
    """
    filter_name = table_filter(table, signals)
    why = ""
    for curve in table.alternatives(direction, series, signals.options):
        if curve.onset_below is None:
            return Chosen(curve, why)
        onset = largest_onset(signals, direction, filter_name)
        if onset < curve.onset_below:
            return Chosen(curve, f"onset {onset:.3g} g/s is below {curve.onset_below:g} g/s")
        why = f"onset {onset:.3g} g/s is not below {curve.onset_below:g} g/s, so the next curve counts"
    return None


def held_rate(table: AccelerationTable, name: FilterName, seconds: float) -> float:
    """Samples per second that a load held for a time (s) asks for; where there is a filter, that asks for its own, and
    a record that went through the table's already is as fast as that asks."""
    if name != "none":
        return 0.0
    return RIDE_RATE_RATIO * RIDE_CUTOFF if table.filter == "5 Hz" else rate_for(seconds)


def unfit(table: AccelerationTable, shortest: float, signals: Signals, name: FilterName) -> str:
    """Why a record says nothing about loads held for a time (s) and longer; empty when it does."""
    history = signals.history
    if shortest > history.duration * (1.0 + 1e-12):
        return f"the record lasts {history.duration:.4g} s, the limit begins at {shortest:g} s."
    return too_slow(history, held_rate(table, name, shortest))


def held_against(
    table: AccelerationTable, curve: DurationCurve, signals: Signals, direction: Direction
) -> HeldWorst:
    """Largest part of a curve used by the load in one direction. Raises InputError for a record that is too short or
    too slow for it."""
    name = table_filter(table, signals)
    if why := unfit(table, curve.points[0][0], signals, name):
        raise InputError(why)
    d, g = curve.corners()
    load = signals.directional(direction, name)
    return worst_held(signals.history.time, load, d, g)


def no_impact(signals: Signals, direction: Direction, moment: float) -> str:
    """Why a load at a moment (s) is nothing that tests of impacts speak about; empty when it is an impact.

    An impact is over in less than the 0.2 s at which the limits of rides begin, counted above half of its height.
    """
    time, load = signals.history.time, signals.directional(direction)
    first, last = np.searchsorted(time, (moment - LONGEST_IMPACT, moment + LONGEST_IMPACT))
    near = first + np.flatnonzero(np.abs(time[first:last] - moment) <= 0.5 * LONGEST_IMPACT)
    top = near[np.argmax(load[near])] if near.size else int(np.searchsorted(time, moment))
    start, end = around(time, load, 0.5 * max(float(load[top]), 0.0), float(time[top]))
    if end - start < LONGEST_IMPACT:
        return ""
    return f"made for impacts of less than {LONGEST_IMPACT:g} s, and this load lasts {end - start:.2g} s"
