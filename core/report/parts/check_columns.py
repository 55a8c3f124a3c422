"""The columns that every table of checks has: what was judged, value, limit, margin, verdict, where."""

from __future__ import annotations

from ...outcome.rider_view import RiderJudgement
from ..cells import left, percent, text, verdict
from ..document import Cell, Column
from ..run_view import RunView
from .words import (
    limit_cell,
    part_name,
    rider_name,
    time_cell,
    title_of,
    uncertainty_cell,
    unit_cell,
    value_cell,
    where_cell,
)


def whose_columns(view: RunView) -> tuple[Column, ...]:
    """Rider (where there are several), part and criterion."""
    rider = (left("rider", view.who),) if len(view.judged_on) > 1 else ()
    part = (left("part", "Part"),) if view.riders else ()
    return *rider, *part, left("criterion", "Criterion", 1.0)


def whose_cells(view: RunView, one: RiderJudgement) -> tuple[Cell, ...]:
    """The entries of `whose_columns`."""
    rider = (text(rider_name(one.rider, view.judged_on)),) if len(view.judged_on) > 1 else ()
    part = (text(part_name(one.part)),) if view.riders else ()
    return *rider, *part, text(title_of(one.result))


def check_columns(view: RunView) -> tuple[Column, ...]:
    """Whose value, the value against its limit, and where it was."""
    return (
        *whose_columns(view),
        Column(key="value", title="Value"),
        *((Column(key="uncertainty", title="±"),) if view.uncertainty else ()),
        Column(key="limit", title="Limit"),
        left("unit", "Unit"),
        Column(key="margin", title="Margin", unit="%"),
        left("verdict", "Verdict"),
        Column(key="time", title="t", unit="s"),
        *((Column(key="place", title="s", unit="m"),) if view.built is not None else ()),
    )


def check_cells(view: RunView, one: RiderJudgement) -> tuple[Cell, ...]:
    """The entries of `check_columns`."""
    result, doubt = one.result, view.uncertainty.get(one.key)
    return (
        *whose_cells(view, one),
        value_cell(result.value, result.unit, doubt),
        *((uncertainty_cell(doubt, result.unit),) if view.uncertainty else ()),
        limit_cell(result.limit, result.unit),
        unit_cell(result),
        percent(result.margin),
        verdict(result.verdict),
        time_cell(result),
        *((where_cell(result),) if view.built is not None else ()),
    )
