"""What a rule of a table found in a record."""

from __future__ import annotations

from dataclasses import dataclass

from core.injury.intervals import Interval


@dataclass(frozen=True)
class RuleFinding:
    """Value and limit in one unit, time (start, end) s of the worst place, intervals of exceedance (s), a remark."""

    value: float
    limit: float
    time: Interval
    exceeded: tuple[Interval, ...] = ()
    note: str = ""
