"""HIC15 and HIC36 of the resultant, as recorded and through CFC1000 (Viegas 2016, eq. 4.1)."""

from __future__ import annotations

from collections.abc import Iterator

from core.injury.filters import FilterName
from core.injury.hic import hic
from core.injury.limits import ScalarLimits, load_limits
from core.injury.registry import Criterion, Output, Signals
from core.injury.result import CriterionResult


def _criterion(milliseconds: int, filter_name: FilterName) -> Criterion:
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    title = f"HIC{milliseconds}" + ("" if filter_name == "none" else f", {filter_name}")
    output = Output(f"hic{milliseconds}{suffix}", title, "1", filter_name)

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get(f"hic{milliseconds}")
        found = hic(signals.history.time, signals.resultant(filter_name), milliseconds / 1000.0)
        yield output.result(signals, found.value, (found.t1, found.t2), limit, signals.head_note())

    return Criterion((output,), evaluate)


CRITERIA = tuple(_criterion(ms, name) for name in ("none", "CFC1000") for ms in (15, 36))
