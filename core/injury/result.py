"""What a criterion says: a value, its limit and where both come from."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from pydantic import Field

from ..base.frozen import Frozen
from .limits import Confidence
from .rider_axes import Direction

Verdict = Literal["inside", "within 10 %", "outside", "not applicable"]
#: A value taken over more than this (s) belongs to the ride and to no moment or place of it.
LONGEST = 5.0
CURVE = re.compile(r" [+-]?G[xyz]_\w*(?=: )")  # of a table, by the name that its file has for it
AXES = "rider: +Gx forward, +Gy left, +Gz up"

#: What results are sorted under, in the order of a report.
GROUPS = (
    "head",
    "chest",
    "neck",
    "rotation",
    "spine",
    "standard F2291",
    "standard EN 13814 / GB 8408",
    "user limits",
    "sustained",
    "impact",
    "physiology",
    "vibration",
    "track",
    "peaks",
)


class Signal(Frozen):
    """The signal a value was taken from: body or location, axes, filter, whether gravity is in it, rate in Hz."""

    body: str
    axes: str = AXES
    filter: str = "none"
    gravity: Literal["in", "out"]
    sample_rate: float


class About(Frozen):
    """What a result is about, for whoever draws it; its criterion's file says it.

    direction of the load, pair of axes ("GyGz") or one axis ("z"), where it is about one; table: prefix of the table of
    acceleration limits it is judged by; chart: what says most about it: its signal, the level held against duration, or
    two axes against each other; mark: how it stands out in the resultant of its part, as a window or as a level, called
    name.
    """

    direction: Direction | None = None
    pair: str = ""
    axis: str = ""
    table: str = ""
    chart: Literal["signal", "held", "pair"] = "signal"
    mark: Literal["", "window", "level"] = ""
    name: str = ""

    @property
    def axes(self) -> str:
        """The rider axes it is about, such as "z" or "yz"; empty for all of them."""
        return self.pair[1::2] or self.axis or (self.direction or "")[2:]


class CriterionResult(Frozen):
    """One criterion on one history.

    value and limit in unit; margin = (limit - max(value, 0)) / limit, the part of the limit that is left; time
    (start, end) in s of the window, stretch or sample that gave the value; arc_length in m at the middle of it. A
    result without a value says in note what was missing; one with a value but no limit is "not applicable" too.
    exceeded: intervals (start, end) in s in which the limit is exceeded, in order; rule: the clause, table, figure or
    curve the limit comes from; group: what the result is sorted under (one of GROUPS); definition: the criterion in one
    line; applicability: what it may be applied to; limit_status: "as reported by ..., not confirmed ..." for a limit
    that was not compared with the source it is named after; apart: why the limit is not meant for the load it was
    compared with, empty when it is; such a result stands apart from the verdicts on the ride; about: what it is about.
    """

    criterion: str
    title: str
    value: float | None
    unit: str
    limit: float | None = None
    limit_source: str | None = None
    confidence: Confidence | None = None
    margin: float | None = None
    verdict: Verdict = "not applicable"
    time: tuple[float, float] | None = None
    arc_length: float | None = None
    signal: Signal
    note: str = ""
    exceeded: tuple[tuple[float, float], ...] = ()
    rule: str = ""
    group: str = ""
    definition: str = ""
    applicability: str = ""
    limit_status: str = ""
    apart: str = ""
    about: About = Field(default=About(), exclude_if=lambda about: about == About())

    def __repr__(self) -> str:
        value = "no value" if self.value is None else f"{self.value:.4g} {self.unit}"
        limit = "" if self.limit is None else f" of {self.limit:.4g}"
        return f"CriterionResult({self.criterion}: {value}{limit}, {self.verdict})"

    __str__ = __repr__

    @property
    def judged(self) -> bool:
        """Whether there is a verdict on a load of the kind that the limit is meant for."""
        return self.margin is not None and not self.apart

    @property
    def rule_text(self) -> str:
        """The rule as people read it: without the name that the file of its table has for a curve."""
        return _without_curve(self.rule)

    @property
    def lasts(self) -> bool:
        """Whether the value belongs to more of the ride than a moment."""
        return self.time is not None and self.time[1] - self.time[0] > LONGEST

    @property
    def moment(self) -> float | None:
        """Middle (s) of the window that gave the value, which is where `arc_length` is; None without a window."""
        return None if self.time is None else 0.5 * (self.time[0] + self.time[1])

    @property
    def verdict_text(self) -> str:
        """The verdict with what it is worth: "outside (limit of confidence low, as reported by ...)"."""
        if self.verdict == "not applicable" or self.limit is None:
            return self.verdict
        doubts = []
        if self.confidence != "high":
            doubts.append(f"limit of confidence {self.confidence}")
        if self.limit_status:
            doubts.append(self.limit_status)
        if self.apart:
            doubts.append(self.apart)
        return f"{self.verdict} ({', '.join(doubts)})" if doubts else self.verdict


@lru_cache(maxsize=1024)
def _without_curve(rule: str) -> str:
    return CURVE.sub("", rule)


def margin_and_verdict(value: float, limit: float) -> tuple[float, Verdict]:
    """Margin (limit - max(value, 0)) / limit and its verdict: inside, within 10 % of the limit, outside. limit > 0."""
    margin = (limit - max(value, 0.0)) / limit
    if margin < 0.0:
        return margin, "outside"
    return margin, "within 10 %" if margin < 0.1 else "inside"
