"""Sustained g per direction at its worst duration against the limit curve (Viegas 2016, section 4.3.3.6)."""

from __future__ import annotations

from collections.abc import Iterator

from ..clip import exceedance
from ..registry import Criterion, Output, Signals, rate_for
from ..result import CriterionResult
from ..rider_axes import DIRECTIONS
from ..standards.criteria import curve_criterion
from ..standards.files import load_table
from ..sustained import SHORTEST

LIMITS = "sustained_g_brulle"


def _without_limit(output: Output, signals: Signals) -> CriterionResult:
    """The level held for the shortest duration, in a direction without curve."""
    direction = next(d for d in DIRECTIONS if output.criterion.endswith(d))
    held = exceedance(signals.history.time, signals.directional(direction), SHORTEST)
    note = f"held for {SHORTEST:g} s; no limit curve for this direction"
    return output.result(signals, held.level, held.intervals[0], note=note)


def _criterion(direction: str) -> Criterion:
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
    )
    return Criterion((output,), evaluate, needs=("gravity",), rate=rate_for(SHORTEST))


CRITERIA = tuple(_criterion(direction) for direction in DIRECTIONS)
