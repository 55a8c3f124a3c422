"""Sustained g per direction at its worst duration against the limit curve (Viegas 2016, section 4.3.3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from core.injury.limits import CurveSet, ScalarLimit, load_limits
from core.injury.registry import Criterion, Output, Signals
from core.injury.result import CriterionResult
from core.injury.rider_axes import DIRECTIONS
from core.injury.sustained import sustained_g

LIMITS = "sustained_g_brulle"


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    history = signals.history
    limits = load_limits(LIMITS, CurveSet)
    for output, direction in zip(OUTPUTS, DIRECTIONS, strict=True):
        curve = sustained_g(history.time, history.acceleration, direction, limits)
        k = curve.worst
        value, held = float(curve.level[k]), float(curve.duration[k])
        limit = None
        note = f"held for {held:.3g} s"
        if curve.limit is None:
            note += "; no limit curve for this direction"
        else:
            note += ", the duration with the least margin"
            limit = ScalarLimit(
                id=f"{LIMITS}{direction}",
                value=float(curve.limit[k]),
                unit="g",
                source=f"{limits.title}, {direction} at {held:.3g} s; {limits.source}",
                confidence=limits.confidence,
            )
        yield output.result(signals, value, (float(curve.start[k]), float(curve.end[k])), limit, note)


OUTPUTS = tuple(Output(f"sustained_{d}", f"sustained {d}", "g") for d in DIRECTIONS)
CRITERIA = (Criterion(OUTPUTS, _evaluate, needs=("gravity",)),)
