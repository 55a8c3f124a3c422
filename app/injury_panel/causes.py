"""The signal behind a result, for every criterion, and what may be drawn of it."""

from __future__ import annotations

from typing import Literal

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.injury.criteria.base import CriterionTrace
from ...core.injury.history import History
from ...core.injury.result import CriterionResult
from ...core.injury.rider_axes import DIRECTIONS, Direction
from ...core.injury.standards.files import load_table, table_ids
from ...core.injury.trace import criterion_trace
from ...core.outcome.rider_view import RiderJudgement

Picture = Literal["signal", "held", "pair", "origin"]
PAIRS = ("GxGy", "GxGz", "GyGz")


def direction_of(criterion: str) -> Direction | None:
    """The direction in a criterion's id, "peak_+Gz_5hz" -> "+Gz"."""
    return next((direction for direction in DIRECTIONS if f"_{direction}" in criterion), None)


def pair_of(criterion: str) -> str | None:
    """The pair of axes in a criterion's id, "f2291_egg_GyGz" -> "GyGz"."""
    return next((pair for pair in PAIRS if criterion.endswith(f"egg_{pair}")), None)


def table_of(row: RiderJudgement) -> str | None:
    """Id of the limit table a row is judged by, when it is one of accelerations."""
    return _table_of(row.result.criterion)


def _table_of(criterion: str) -> str | None:
    fitting = [
        (load_table(name).prefix, name)
        for name in table_ids()
        if criterion.startswith(load_table(name).prefix + "_")
    ]
    # One prefix may begin with another: the longest that fits is the table's.
    return max(fitting, key=lambda found: len(found[0]))[1] if fitting else None


def pictures_of(row: RiderJudgement) -> tuple[Picture, ...]:
    """What may be drawn of a row; the first says most about it."""
    criterion = row.result.criterion
    drawn: list[Picture] = ["signal", "held", "pair"]
    if pair_of(criterion) is not None:
        drawn = ["pair", "signal", "held"]
    elif (
        direction_of(criterion) is not None
        and _table_of(criterion) is not None
        and not any(word in criterion for word in ("after", "onset"))
    ):
        drawn = ["held", "signal", "pair"]
    return (*drawn, "origin")


def trace(history: History, result: CriterionResult, options: EvaluationOptions) -> CriterionTrace:
    """The signal behind a result. Raises InputError when there is none to draw."""
    if result.value is None:
        raise InputError(f"{result.title}: {result.note}.")
    found = criterion_trace(history, result, options)
    if found is None:
        raise InputError(f"{result.title} is about the ride as a whole; it has no signal of its own to draw.")
    return found
