"""Rules by which a study ends before its plan: they see the rows in the order of their numbers."""

from __future__ import annotations

from .one_run import MARGIN
from .store import Row
from .study import Study

MIN_RUNS = 30  # runs before an interval says anything


class Rule:
    """The stopping rules of a study, fed with one row after the other."""

    def __init__(self, study: Study) -> None:
        self.stop = study.stop
        self.failed = 0
        self.judged = 0
        self.beyond = 0

    def holds_with(self, row: Row) -> str:
        """Why the study ends with this row; "" while it goes on."""
        stop, outcome = self.stop, row.outcome
        self.failed += outcome.state in ("failed", "early")
        if stop.failed is not None and self.failed >= stop.failed:
            return f"{self.failed} runs failed or ended early, the last of them run {row.run}."
        margin = outcome.numbers.get(MARGIN)
        if margin is None or outcome.state != "done":
            return ""
        self.judged += 1
        self.beyond += margin < 0.0
        if stop.margin_below is not None and margin < stop.margin_below:
            return f"Run {row.run} has a least margin of {margin:.4g}, below {stop.margin_below:g}."
        if stop.interval is not None and self.judged >= MIN_RUNS:
            from .probability import interval_of

            low, high = interval_of(self.beyond, self.judged)
            if high - low < stop.interval:
                return (
                    f"After {self.judged} runs the probability that a limit is exceeded lies between {low:.3g} and"
                    f" {high:.3g} (95 %)."
                )
        return ""
