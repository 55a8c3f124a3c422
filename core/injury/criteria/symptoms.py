"""What the g held in each direction was observed to do (Viegas 2016, tables 4.7 to 4.10). Values only, no limits."""

from __future__ import annotations

from collections.abc import Iterator

from ..held_level import exceedance
from ..limits import SymptomTables, load_limits
from ..result import About, CriterionResult
from ..rider_axes import DIRECTIONS
from .base import Criterion, CriterionTrace, Output, Signals


def _evaluate(signals: Signals) -> Iterator[CriterionResult]:
    history = signals.history
    data = load_limits("symptom_bands", SymptomTables)
    tables = {table.direction: table for table in data.tables}
    for output, direction in zip(OUTPUTS, DIRECTIONS, strict=True):
        held = exceedance(history.time, signals.directional(direction), data.hold)
        table = tables[direction]
        band = table.band(held.level)
        if band is None:
            note = f"below the first band ({table.bands[0].from_g:g} g)"
        else:
            reach = (
                f"{band.from_g:g} g"
                if band.to_g in (None, band.from_g)
                else f"{band.from_g:g} to {band.to_g:g} g"
            )
            note = f"{reach}: {band.symptoms}"
        note = f"held for {data.hold:g} s; {note} ({table.table})"
        yield output.result(signals, held.level, held.intervals[0], note=note)


OUTPUTS = tuple(
    Output(
        f"symptoms_{d}",
        f"symptoms {d}",
        "g",
        group="physiology",
        definition="level held without a break for 1 s, and what the literature observed at it",
        applicability="observations, not limits; signal as recorded, gravity in",
        rule="Viegas 2016, tables 4.7 to 4.10",
        about=About(direction=d),
    )
    for d in DIRECTIONS
)


def _trace(signals: Signals, result: CriterionResult) -> CriterionTrace:
    k = [output.criterion for output in OUTPUTS].index(result.criterion)
    return signals.directional_trace(DIRECTIONS[k], held=True)


CRITERIA = (Criterion(OUTPUTS, _evaluate, needs=("gravity",), rate=10.0, trace=_trace),)
