"""How much of the acceleration limits a ride uses at every moment, so that a track can show where little is left."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from .criteria.base import Signals
from .history import History
from .standards.combined import axes_of, pair_limits, quadrant_limits, used_by_pair
from .standards.curves import choose_curve, table_filter, unfit
from .standards.files import PHYSIOLOGY, evaluated_ids, load_table
from .standards.table import AccelerationTable, DurationCurve

#: Durations tried between two corners of a curve; both corners come on top.
BETWEEN = 3


def used_over_time(history: History, options: EvaluationOptions | None = None) -> Array:
    """Largest part of any limit curve or combined figure of the tables that count, used at every sample.

    history as `History` describes, gravity in; options: restraint and tables, physiology left out. Returns (n,), 0
    where nothing is used, 1 on a limit: at a moment it is the largest of level / limit over all stretches around it on
    which a level is held, of the durations at the corners of a curve and three between two of them. Its largest value
    is therefore that of the criteria up to the durations between (a few thousandths).
    Raises InputError without gravity, for a record too short or coarse for the filter, or a table that does not fit.
    Source: grey opening of the load by each duration (Serra 1982), which is the level held around a sample.
    """
    if not history.contains_gravity:
        raise InputError("Acceleration limits hold for records with gravity; this one has it taken out.")
    signals = Signals(history, options)
    used = np.zeros(history.time.size)
    for name in evaluated_ids(signals.options):
        if name not in PHYSIOLOGY:
            _use_table(load_table(name), signals, used)
    return used


def _use_table(table: AccelerationTable, signals: Signals, used: Array) -> None:
    """Raise `used` to what a table says."""
    filter_name = table_filter(table, signals)
    for direction, series in table.series():
        chosen = choose_curve(table, direction, series, signals)
        if chosen is not None and not unfit(table, chosen.curve.points[0][0], signals, filter_name):
            _use_curve(chosen.curve, signals.directional(direction, filter_name), signals.history, used)
    rule = table.combined
    if rule is None:
        return
    limits = quadrant_limits(table, rule, signals)
    acceleration = signals.acceleration(filter_name)
    for pair in rule.pairs:
        sizes = pair_limits(limits, pair)
        if sizes is not None and not unfit(table, rule.hold, signals, filter_name):
            first, second = (acceleration[:, "xyz".index(axis)] for axis in axes_of(pair))
            part = used_by_pair(first, second, sizes, rule)
            np.maximum(used, _held_around(part, rule.hold, signals.history.sample_rate), out=used)


def _use_curve(curve: DurationCurve, load: Array, history: History, used: Array) -> None:
    durations = np.unique([d for d, _ in curve.points])
    between = [np.linspace(a, b, BETWEEN + 2)[1:-1] for a, b in pairwise(durations)]
    tried = np.unique(np.concatenate([durations, *between]))
    for duration, limit in zip(tried, curve.limit(tried), strict=True):
        if duration <= history.duration:
            np.maximum(used, _held_around(load, float(duration), history.sample_rate) / limit, out=used)


def _held_around(load: Array, duration: float, rate: float) -> Array:
    """Highest level that a load (n,) never goes below on some stretch of a duration (s) around each sample."""
    from scipy.ndimage import maximum_filter1d, minimum_filter1d  # slow to import

    size = 2 * round(0.5 * duration * rate) + 1
    if size > load.size:
        return np.zeros_like(load)
    lowest = minimum_filter1d(load, size, mode="constant", cval=-np.inf)
    return np.asarray(maximum_filter1d(lowest, size, mode="constant", cval=-np.inf), dtype=np.float64)
