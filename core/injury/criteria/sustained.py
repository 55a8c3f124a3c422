"""Sustained g per direction at its worst duration against the limit curve (Viegas 2016, section 4.3.3.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ..held_level import SHORTEST, duration_grid, exceedance, held_levels
from ..limits import CurveSet
from ..result import About, CriterionResult
from ..rider_axes import DIRECTIONS, Direction, directional
from ..standards.criteria import curve_criterion
from ..standards.files import load_table
from .base import Criterion, CriterionTrace, Output, Signals, rate_for


@dataclass(frozen=True)
class SustainedCurve:
    """Held g against duration in one direction.

    direction; duration (k,) s; level (k,) g held at least that long without a break (may be negative: then the
    direction is never loaded that long); start, end (k,) s of the stretch; limit (k,) g and margin (k,) = (limit -
    max(level, 0)) / limit, or None without a limit curve for the direction.
    """

    direction: Direction
    duration: Array
    level: Array
    start: Array
    end: Array
    limit: Array | None
    margin: Array | None

    @property
    def worst(self) -> int:
        """Index of the smallest margin; of the shortest duration when there is no limit."""
        return 0 if self.margin is None else int(np.argmin(self.margin))


def sustained_g(
    time: ArrayLike,
    acceleration: Array,
    direction: Direction,
    limits: CurveSet | None = None,
    durations: ArrayLike | None = None,
) -> SustainedCurve:
    """Held g against duration in one direction, with the margin to a limit curve.

    time (n,) s; acceleration (n, 3) g, rider axes, gravity in; direction e.g. "+Gz"; limits a curve set from
    resources/limits; durations (k,) s, by default `duration_grid` with the corners of the curve.
    Raises InputError for bad input. Source: Viegas 2016, section 4.3.3.6 (held g against duration beside Fig. 4.7).
    """
    curve = None if limits is None else limits.curves.get(direction)
    if durations is None:
        durations = duration_grid(time, () if curve is None else [p[0] for p in curve])
    d = np.asarray(durations, dtype=np.float64)
    level, start, end = held_levels(time, directional(acceleration, direction), d)
    limit = margin = None
    if limits is not None and curve is not None:
        limit = limits.limit(direction, d)
        margin = (limit - np.maximum(level, 0.0)) / limit
    return SustainedCurve(direction, d, level, start, end, limit, margin)


LIMITS = "sustained_g_brulle"


def _without_limit(output: Output, signals: Signals) -> CriterionResult:
    """The level held for the shortest duration, in a direction without curve."""
    direction = next(d for d in DIRECTIONS if output.criterion.endswith(d))
    held = exceedance(signals.history.time, signals.directional(direction), SHORTEST)
    note = f"held for {SHORTEST:g} s; no limit curve for this direction"
    return output.result(signals, held.level, held.intervals[0], note=note)


def _criterion(direction: Direction) -> Criterion:
    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        table = load_table(LIMITS)
        own = next((d for d, _ in table.series() if d == direction), None)
        if own is None:
            yield _without_limit(output, signals)
        else:
            yield from curve_criterion(table, "none", own, "").evaluate(signals)

    output = Output(
        f"sustained_{direction}",
        f"Sustained g {direction}",
        "g",
        group="sustained",
        definition="level held without a break for the shortest duration looked at, 0.01 s",
        applicability="healthy young people, restrained, in the manner of tests with pilots and volunteers; signal as "
        "recorded, gravity in, durations from 0.01 s",
        about=About(direction=direction, table="sustained", chart="held"),
    )

    def trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
        return signals.directional_trace(direction, held=True)

    return Criterion((output,), evaluate, needs=("gravity",), rate=rate_for(SHORTEST), trace=trace)


CRITERIA = tuple(_criterion(direction) for direction in DIRECTIONS)
