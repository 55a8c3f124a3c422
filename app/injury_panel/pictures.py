"""What is drawn of a chosen row, computed off the thread of the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from ...core.base.errors import InputError
from ...core.base.evaluation import EvaluationOptions
from ...core.charts.chart import Chart, Colour
from ...core.charts.limits import OfRun, held_chart, loads_of_direction, loads_of_pair, pair_chart
from ...core.injury.criteria.base import CriterionTrace
from ...core.injury.history import History
from ...core.injury.rider_axes import Direction
from ...core.injury.standards.files import table_with
from ...core.outcome.rider_view import RiderJudgement
from ...core.outcome.seats import judged_history
from ...core.track.build import BuiltTrack
from ..document.runs import Run
from ..widgets import units
from .causes import Picture, trace

if TYPE_CHECKING:
    from ...core.outcome.origin import Origin  # the solver, slow to load

T = TypeVar("T")


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
    """The signals of a picture by run, as far as they have one, or its chart; fault: why there is none."""

    wish: Wish
    traces: list[tuple[Run, CriterionTrace]] = field(default_factory=list)
    chart: Chart | None = None
    origin: Origin | None = None
    fault: str = ""


def draw(asked: object) -> Drawn:
    """Compute a picture; trouble with the data is told in `fault`."""
    assert isinstance(asked, Wish)
    try:
        if asked.picture == "origin":
            run = asked.runs[0]
            if run.measured is not None:
                raise InputError("A measured ride does not say where on the track it was.")
            from ...core.outcome.origin import explain

            return Drawn(asked, origin=explain(run.project, run.results, asked.row, built=asked.built))
        if asked.picture == "signal":
            return Drawn(asked, traces=_of_runs(asked, lambda h: trace(h, asked.row.result, asked.options)))
        return Drawn(asked, chart=_chart(asked))
    except InputError as error:
        return Drawn(asked, fault=units.told(error))


def _chart(wish: Wish) -> Chart:
    """The chart of held levels, or of two axes."""
    row, options = wish.row, wish.options
    tables = tables_for(row, options)
    if wish.picture == "held":
        direction = wish.direction or row.result.about.direction or "+Gz"
        held = _of_runs(wish, lambda h: loads_of_direction(h, direction, tables, options))
        return held_chart([OfRun(run.name, Colour("series", run.colour), found) for run, found in held])
    pair = wish.pair or row.result.about.pair or "GyGz"
    pairs = _of_runs(wish, lambda h: loads_of_pair(h, pair, tables, options))
    return pair_chart([OfRun(run.name, Colour("series", run.colour), found) for run, found in pairs])


def _of_runs(wish: Wish, of: Callable[[History], T]) -> list[tuple[Run, T]]:
    """Something of the history of every run that has it; the shown one must."""
    found = []
    for run in wish.runs:
        try:
            found.append((run, of(judged_history(run.results, wish.row.rider, wish.row.part))))
        except InputError:
            if run is wish.runs[0]:
                raise
    return found


def tables_for(row: RiderJudgement, options: EvaluationOptions) -> tuple[str, ...]:
    """Tables whose limits are drawn: the row's own first, then those the project is judged by."""
    own = table_with(row.result.about.table)
    return tuple(dict.fromkeys((*(() if own is None else (own,)), *options.standards)))
