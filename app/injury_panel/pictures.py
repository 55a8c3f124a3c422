"""What is drawn of a chosen row, computed off the thread of the window."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.injury.charts import DurationChart, EggChart
from ...core.injury.criteria.base import CriterionTrace
from ...core.injury.rider_axes import Direction
from ...core.outcome.rider_view import RiderJudgement, rider_history
from ...core.track.build import BuiltTrack
from ..document.runs import Run
from .causes import (
    Picture,
    charts_of_direction,
    direction_of,
    eggs_of_pair,
    pair_of,
    table_of,
    trace,
)

if TYPE_CHECKING:
    from ...core.outcome.origin import Origin  # the solver, slow to load


@dataclass(frozen=True, eq=False)
class Wish:
    """What shall be drawn: a picture of a row for runs, the shown one first; direction or pair that was chosen."""

    picture: Picture
    row: RiderJudgement
    runs: tuple[Run, ...]
    options: EvaluationOptions
    direction: Direction | None = None
    pair: str | None = None
    built: BuiltTrack | None = None


@dataclass(frozen=True, eq=False)
class Drawn:
    """The numbers of a picture by run, in the order of the runs that have it; fault: why there are none."""

    wish: Wish
    traces: list[tuple[Run, CriterionTrace]] = field(default_factory=list)
    held: list[tuple[Run, list[DurationChart]]] = field(default_factory=list)
    pairs: list[tuple[Run, list[EggChart]]] = field(default_factory=list)
    origin: Origin | None = None
    fault: str = ""


def draw(asked: object) -> Drawn:
    """Compute a picture; trouble with the data is told in `fault`."""
    assert isinstance(asked, Wish)
    drawn = Drawn(asked)
    try:
        if asked.picture == "origin":
            run = asked.runs[0]
            if run.measured is not None:
                raise InputError("A measured ride does not say where on the track it was.")
            from ...core.outcome.origin import explain

            return Drawn(asked, origin=explain(run.project, run.results, asked.row, built=asked.built))
        for run in asked.runs:
            try:
                _add(drawn, run)
            except InputError:
                if run is asked.runs[0]:
                    raise
    except InputError as error:
        return Drawn(asked, fault=str(error))
    return drawn


def _add(drawn: Drawn, run: Run) -> None:
    """Add the numbers of one run."""
    wish = drawn.wish
    row = wish.row
    history = rider_history(run.results, row.rider, row.part)
    if wish.picture == "signal":
        drawn.traces.append((run, trace(history, row.result, wish.options)))
    elif wish.picture == "held":
        direction = wish.direction or direction_of(row.result.criterion) or "+Gz"
        found = charts_of_direction(history, direction, tables_for(row, wish.options), wish.options)
        drawn.held.append((run, found))
    else:
        pair = wish.pair or pair_of(row.result.criterion) or "GyGz"
        drawn.pairs.append((run, eggs_of_pair(history, pair, tables_for(row, wish.options), wish.options)))


def tables_for(row: RiderJudgement, options: EvaluationOptions) -> tuple[str, ...]:
    """Tables whose limits are drawn: the row's own first, then those the project is judged by."""
    own = table_of(row)
    return tuple(dict.fromkeys((*(() if own is None else (own,)), *options.standards)))
