"""The signal behind a result, to be drawn beside its limit and the stretches in which it is exceeded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..project.evaluation import EvaluationOptions
from .criteria.eiband_onset import WINDOW as IMPACT_WINDOW
from .filters import FILTER_NAMES, FilterName
from .history import History
from .onset import onset_rate
from .registry import Signals
from .result import CriterionResult
from .rider_axes import DIRECTIONS
from .standards.combined import axes_of, pair_limits, quadrant_limits, used_by_pair
from .standards.files import evaluated_ids, load_table
from .standards.table import AccelerationTable
from .standards.zones import demanded_class
from .trace_channels import behind_channels

#: Results about the resultant acceleration, by the start of their id.
OF_RESULTANT = ("hic15", "hic36", "clip_3ms", "chest_3ms", "peak_resultant")


@dataclass(frozen=True, eq=False)
class CriterionTrace:
    """A signal over time: time (n,) s, values (n,), unit, title, and the limit where it is one level of the signal
    (None where it goes with the duration or there is none)."""

    time: Array
    values: Array
    unit: str
    title: str
    limit: float | None = None


def criterion_trace(
    history: History, result: CriterionResult, options: EvaluationOptions | None = None
) -> CriterionTrace | None:
    """The signal that a result was taken from.

    history: the record that was evaluated; result: one of its results, with a value; options as for
    `evaluate_history`. Directions and resultants in g, onsets in g/s, combined axes as the part of the limit that is
    used, restraints as the class demanded; rotation, neck, spine, vibration and tilting in their own units
    (`core.injury.trace_channels`). None for a probability from HIC, which has the signal of HIC. Raises InputError for
    a table that does not exist any more.
    """
    signals = Signals(history, options)
    name: FilterName = next((f for f in FILTER_NAMES if f == result.signal.filter), "none")
    tail = "" if name == "none" else f", {name}" + (" filter" if name == "5 Hz" else "")
    if result.criterion.startswith(OF_RESULTANT) and result.unit != "%":
        return CriterionTrace(history.time, signals.resultant(name), "g", f"resultant{tail}", _level(result))
    behind = behind_channels(signals, result)
    if behind is not None:
        values, unit, title, limit = behind
        return CriterionTrace(history.time, values, unit, title, limit)
    found = _of_rule(signals, result, name)
    if found is None:
        direction = next((d for d in DIRECTIONS if f"_{d}" in result.criterion), None)
        if direction is None:
            return None
        found = signals.directional(direction, name), "g", direction, None
    values, unit, title, limit = found
    return CriterionTrace(history.time, values, unit, title + tail, limit)


def _level(result: CriterionResult) -> float | None:
    return result.limit if result.unit == "g" else None


def _of_rule(
    signals: Signals, result: CriterionResult, name: FilterName
) -> tuple[Array, str, str, float | None] | None:
    """Values, unit, title and limit for a rule of a table; None for curves and what is no table."""
    if result.criterion == "eiband_onset_+Gz":
        load = np.maximum(signals.directional("+Gz", name), 0.0)
        return onset_rate(signals.history.time, load, IMPACT_WINDOW), "g/s", "onset of +Gz", result.limit
    if result.criterion.startswith("gloc_"):
        return signals.directional("+Gz", name), "g", "+Gz", None
    tables = map(load_table, evaluated_ids(signals.options))
    # One prefix may begin with another ("en13814_2019"): the longest that fits is the table's.
    for table in sorted(tables, key=lambda one: -len(one.prefix)):
        start, _, what = result.criterion.partition(table.prefix + "_")
        if start or not what:
            continue
        return _of_table(table, what, signals, result, name)
    return None


def _of_table(
    table: AccelerationTable, what: str, signals: Signals, result: CriterionResult, name: FilterName
) -> tuple[Array, str, str, float | None] | None:
    rule, axis = what.rpartition("_")[::2]
    if rule == "egg" and table.combined is not None:
        pair = next(p for p in table.combined.pairs if p == axis)
        sizes = pair_limits(quadrant_limits(table, table.combined, signals), pair)
        if sizes is None:
            return None
        acceleration = signals.acceleration(name)
        first, second = (acceleration[:, "xyz".index(a)] for a in axes_of(pair))
        used = used_by_pair(first, second, sizes, table.combined)
        return used, "1", f"used of G{pair[1]} and G{pair[3]} combined", 1.0
    if rule == "reversal":
        return (
            signals.directional("+Gx" if axis == "x" else "+Gy" if axis == "y" else "+Gz", name),
            "g",
            f"G{axis}",
            None,
        )
    if rule == "jerk":
        return np.abs(signals.onset(axis, name)), "g/s", f"size of the onset along {axis}", result.limit
    if what == "onset_Gz":
        return signals.onset("z", name), "g/s", "onset of Gz", result.limit
    if what == "restraint_class" and table.zones is not None:
        acceleration = signals.acceleration(name)
        demanded = demanded_class(table.zones, acceleration[:, 0], acceleration[:, 2])
        return demanded.astype(np.float64), "class", "class of restraint demanded", result.limit
    return None
