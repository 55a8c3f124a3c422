"""The 3 ms acceleration of head and chest, contiguous and cumulative (Viegas 2016, section 4.3.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ..clip import cumulative_clip, exceedance
from ..filters import FilterName
from ..intervals import above
from ..limits import ScalarLimits, load_limits
from ..parts import Part, part_note
from ..registry import Criterion, Output, Signals
from ..result import CriterionResult

DEFINITION = "highest resultant acceleration of the {} that lasts 3 ms, {}"


def _criterion(part: Part, filter_name: FilterName) -> Criterion:
    chest = part == "upper_torso"
    start, word, name = ("chest_3ms", "chest", "chest_3ms") if chest else ("clip_3ms", "head", "head_3ms")
    suffix = "" if filter_name == "none" else f"_{filter_name.lower()}"
    tail = "" if filter_name == "none" else f", {filter_name}"

    def output(ident: str, how: str, meaning: str) -> Output:
        return Output(
            ident + suffix,
            f"3 ms acceleration{' of the chest' if chest else ''}, {how}{tail}",
            "g",
            filter_name,
            group="chest" if chest else "head",
            definition=DEFINITION.format(word, meaning),
            applicability=f"{word}, 50th percentile man; made for blows, and for rides an upper bound of them",
        )

    unbroken = output(start, "contiguous", "without a break")
    in_total = output(f"{start}_cumulative", "cumulative", "in total")

    def evaluate(signals: Signals) -> Iterator[CriterionResult]:
        limit = load_limits("hic_3ms", ScalarLimits).get(name)
        time, resultant = signals.history.time, signals.resultant(filter_name)
        whose = part_note(part, signals.history.body)
        over = above(time, resultant, limit.value)
        held = exceedance(time, resultant)
        yield unbroken.result(signals, held.level, held.intervals[0], limit, whose, exceeded=over)
        total = cumulative_clip(time, resultant)
        longest = max(total.intervals, key=lambda piece: piece[1] - piece[0])
        count = len(total.intervals)
        note = f"time of the longest of {count} pieces" if count > 1 else "in one piece"
        yield in_total.result(
            signals, total.level, longest, limit, "; ".join(filter(None, (note, whose))), exceeded=over
        )

    return Criterion((unbroken, in_total), evaluate, rate=333.0)


CASES: tuple[tuple[Part, FilterName], ...] = (
    ("head", "none"),
    ("head", "CFC1000"),
    ("upper_torso", "none"),
    ("upper_torso", "CFC180"),
)
CRITERIA = tuple(_criterion(part, name) for part, name in CASES)
