"""The signal behind a result, for every criterion, and what may be drawn of it."""

from __future__ import annotations

from typing import Literal

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.injury.charts import DurationChart, EggChart, duration_charts, egg_charts
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


def charts_of_direction(
    history: History, direction: Direction, tables: tuple[str, ...], options: EvaluationOptions
) -> list[DurationChart]:
    """Held g over duration of one direction under several tables; those without a curve for it are left out.

    Raises InputError when the record allows none.
    """
    found: list[DurationChart] = []
    fault = ""
    for table in tables:
        try:
            chart = next(c for c in duration_charts(history, table, options) if c.direction == direction)
        except InputError as error:
            fault = str(error)
            continue
        if chart.limits or not found:
            found.append(chart)
    if not found:
        raise InputError(fault or f"No table has a curve for {direction}.")
    drawn = [chart for chart in found if chart.limits]
    return drawn or found[:1]


def eggs_of_pair(
    history: History, pair: str, tables: tuple[str, ...], options: EvaluationOptions
) -> list[EggChart]:
    """The loads of an axis pair under several tables, those with a figure; at least one."""
    found: list[EggChart] = []
    for table in tables:
        chart = next(c for c in egg_charts(history, table, options) if c.pair == pair)
        if chart.figure is not None or not found:
            found.append(chart)
    drawn = [chart for chart in found if chart.figure is not None]
    return drawn or found[:1]
