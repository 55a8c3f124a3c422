"""Onset of abrupt +Gz against the zones of Eiband 1959, figure 20."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...base.arrays import Array
from ..intervals import above
from ..limits import ScalarLimits, load_limits
from ..onset import onset_rate
from ..result import About, CriterionResult
from ..standards.curves import no_impact
from .base import Criterion, CriterionTrace, Output, Signals

TABLE = "eiband_onset"
WINDOW = 0.01  # s; an impact pulse rises in some ten milliseconds
RATE = 200.0  # Hz: a sample at both ends of the window and in its middle
OUTPUT = Output(
    "eiband_onset_+Gz",
    "Eiband onset of +Gz (as transcribed)",
    "g/s",
    group="impact",
    definition="steepest rise of +Gz, slope fitted over 10 ms",
    applicability="abrupt acceleration (impact) of a seated, fully restrained person; signal as recorded",
    rule="fig. 20: tolerated by people from 500 g/s; preferable up to 180 g/s",
    about=About(direction="+Gz", table="eiband"),
)


def _onset(signals: Signals) -> Array:
    return onset_rate(signals.history.time, np.maximum(signals.directional("+Gz"), 0.0), WINDOW)


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    limits = load_limits(TABLE, ScalarLimits)
    time = signals.history.time
    slope = _onset(signals)
    k = int(np.argmax(slope))
    limit, preferable = limits.get("tolerable"), limits.get("preferable").value
    at, value = float(time[k]), float(slope[k])
    note = f"{'within' if value <= preferable else 'above'} the preferable onset (up to {preferable:g} g/s)"
    yield OUTPUT.result(
        signals,
        value,
        (at, at),
        limit,
        note,
        exceeded=above(time, slope, limit.value),
        limit_status="as reported by a digitised scan, not confirmed by the source itself",
        apart=no_impact(signals, "+Gz", at),
    )


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    return signals.trace(_onset(signals), "g/s", "onset of +Gz", result.limit)


CRITERIA = (Criterion((OUTPUT,), _evaluate, needs=("gravity",), rate=RATE, trace=_trace),)
