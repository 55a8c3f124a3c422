"""What a criterion says: a value, its limit and where both come from."""

from __future__ import annotations

from typing import Literal

from core.frozen import Frozen
from core.injury.limits import Confidence

Verdict = Literal["inside", "within 10 %", "outside", "not applicable"]
AXES = "rider: +Gx forward, +Gy left, +Gz up"


class Signal(Frozen):
    """The signal a value was taken from: body or location, axes, filter, whether gravity is in it, rate in Hz."""

    body: str
    axes: str = AXES
    filter: str = "none"
    gravity: Literal["in", "out"]
    sample_rate: float


class CriterionResult(Frozen):
    """One criterion on one history.

    value and limit in unit; margin = (limit - max(value, 0)) / limit, the part of the limit that is left; time
    (start, end) in s of the window, stretch or sample that gave the value; arc_length in m at the middle of it. A
    result without a value says in note what was missing; one with a value but no limit is "not applicable" too.
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


def margin_and_verdict(value: float, limit: float) -> tuple[float, Verdict]:
    """Margin (limit - max(value, 0)) / limit and its verdict: inside, within 10 % of the limit, outside. limit > 0."""
    margin = (limit - max(value, 0.0)) / limit
    if margin < 0.0:
        return margin, "outside"
    return margin, "within 10 %" if margin < 0.1 else "inside"
