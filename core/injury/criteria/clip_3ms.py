"""The 3 ms head acceleration, contiguous and cumulative (Viegas 2016, section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from core.injury.clip import cumulative_clip, exceedance
from core.injury.filters import FilterName
from core.injury.limits import ScalarLimits, load_limits
from core.injury.registry import Criterion, Output, Signals
from core.injury.result import CriterionResult


def _criterion(filter_name: FilterName) -> Criterion:
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    tail = "" if filter_name == "none" else f", {filter_name}"
    unbroken = Output(f"clip_3ms{suffix}", f"3 ms acceleration, contiguous{tail}", "g", filter_name)
    in_total = Output(
        f"clip_3ms_cumulative{suffix}", f"3 ms acceleration, cumulative{tail}", "g", filter_name
    )

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get("head_3ms")
        time, resultant = signals.history.time, signals.resultant(filter_name)
        held = exceedance(time, resultant)
        yield unbroken.result(signals, held.level, held.intervals[0], limit, signals.head_note())
        total = cumulative_clip(time, resultant)
        longest = max(total.intervals, key=lambda piece: piece[1] - piece[0])
        count = len(total.intervals)
        note = f"time of the longest of {count} pieces" if count > 1 else "in one piece"
        yield in_total.result(
            signals, total.level, longest, limit, "; ".join(filter(None, (note, signals.head_note())))
        )

    return Criterion((unbroken, in_total), evaluate)


CRITERIA = tuple(_criterion(name) for name in ("none", "CFC1000"))
