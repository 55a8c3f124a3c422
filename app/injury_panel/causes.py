"""The signal behind a result, for every criterion, and what may be drawn of it."""

from __future__ import annotations

from typing import Literal

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.injury.criteria.base import CriterionTrace
from ...core.injury.history import History
from ...core.injury.result import CriterionResult
from ...core.injury.trace import criterion_trace
from ...core.outcome.rider_view import RiderJudgement

Picture = Literal["signal", "held", "pair", "origin"]
PAIRS = ("GxGy", "GxGz", "GyGz")


def pictures_of(row: RiderJudgement) -> tuple[Picture, ...]:
    """What may be drawn of a row; the first says most about it."""
    first = row.result.about.chart
    drawn: tuple[Picture, ...] = ("signal", "held", "pair")
    return (first, *(one for one in drawn if one != first), "origin")


def trace(history: History, result: CriterionResult, options: EvaluationOptions) -> CriterionTrace:
    """The signal behind a result. Raises InputError when there is none to draw."""
    if result.value is None:
        raise InputError(f"{result.title}: {result.note}.")
    found = criterion_trace(history, result, options)
    if found is None:
        raise InputError(f"{result.title} is about the ride as a whole; it has no signal of its own to draw.")
    return found
