"""Loads over the limits of acceleration tables: level held against duration, and two axes with their figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.evaluation import EvaluationOptions
from ..injury.charts import DurationChart, EggChart, LimitCurve, duration_charts, egg_charts
from ..injury.history import History
from ..injury.rider_axes import Direction
from .chart import BAD, PALE, Axis, Chart, Colour, Curve, Mark, read

MINUS = "\u2212"
SHORTEST = 0.01  # s; below it is the time between samples
HIGHEST = 20.0  # g, no chart reaches higher for the sake of a limit
ROOM = 1.12  # of the highest level
PAD = 10.0**0.05  # of a duration, left and right
FINE = 200  # points of a limit curve, whose corners are joined by straight lines on linear axes
LIMIT = "limit"
Loads = TypeVar("Loads", DurationChart, EggChart)


@dataclass(frozen=True, eq=False)
class OfRun(Generic[Loads]):
    """The loads of one run under several tables, the governing one first: its name and colour."""

    run: str
    colour: Colour
    tables: Sequence[Loads]


def loads_of_direction(
    history: History, direction: Direction, tables: Sequence[str], options: EvaluationOptions
) -> list[DurationChart]:
    """Held g over duration of one direction under several tables; those without a curve for it are left out.

    Raises InputError when the record allows none.
    """
    found: list[DurationChart] = []
    fault = ""
    for table in tables:
        try:
            found += [c for c in duration_charts(history, table, options) if c.direction == direction]
        except InputError as error:
            fault = str(error)
    if not found:
        raise InputError(fault or f"No table has a curve for {direction}.")
    return [chart for chart in found if chart.limits] or found[:1]


def loads_of_pair(
    history: History, pair: str, tables: Sequence[str], options: EvaluationOptions
) -> list[EggChart]:
    """The loads of an axis pair under several tables, those with a figure; at least one."""
    found = [c for table in tables for c in egg_charts(history, table, options) if c.pair == pair]
    return [chart for chart in found if chart.figure is not None] or found[:1]


def held_chart(runs: Sequence[OfRun[DurationChart]], names: Sequence[str] = ()) -> Chart:
    """The level held without a break against how long, over limit curves.

    Parameters
    ----------
    runs
        Of each run its chart of one direction; the curves are those of the first run's tables.
    names
        Of limit curves that keep their number over several charts; () for those of this one.

    Returns
    -------
    The chart, g over s.
    """
    first = runs[0].tables[0]
    limits = [limit for table in runs[0].tables for limit in table.limits]
    longest = max(float(one.tables[0].duration[-1]) for one in runs)
    governing = [float(one.level[one.duration <= longest].max(initial=0.0)) for one in first.limits]
    held = [float(np.nanmax(table.level)) for one in runs for table in one.tables]
    top = max(0.1, *(min(level, HIGHEST) for level in governing), *held)
    through = "as recorded" if first.filter == "none" else f"through {first.filter}"
    direction = first.direction.replace("-", MINUS)
    worst = first.worst
    return Chart(
        "held",
        direction + ("" if limits else ", no limit curve"),
        Axis("duration", "s", True, max(SHORTEST, float(first.duration[0])) / PAD, longest * PAD),
        Axis("level", "g", False, 0.0, ROOM * top),
        (
            *(
                limit_curve(one, names.index(one.name) if one.name in names else k, longest, shade=k == 0)
                for k, one in enumerate(limits)
            ),
            *(curve for one in runs for curve in _held_curves(one)),
        ),
        marks=(
            ()
            if worst is None
            else (Mark(max(worst.duration, SHORTEST), max(worst.level, 0.0), "least margin"),)
        ),
        head=f"{direction} held for {{x}}, {through}:",
        missing="" if limits else "No limit curve in this direction.",
    )


def _held_curves(one: OfRun[DurationChart]) -> list[Curve]:
    """What a run holds, once through every filter of its tables; further ones are dotted."""
    curves: list[Curve] = []
    for chart in {chart.filter: chart for chart in reversed(one.tables)}.values():
        keep = chart.duration >= min(SHORTEST, float(chart.duration[-1]))
        curves.append(
            Curve(
                "held in this ride",
                chart.duration[keep],
                np.maximum(chart.level[keep], 0.0),
                one.colour,
                one.run,
                weight=1.3,
                time=0.5 * (chart.start + chart.end)[keep],
                source=chart.filter,
            )
        )
    own = one.tables[0].filter
    curves.sort(key=lambda curve: curve.source != own)
    return [curves[0], *(replace(curve, dash=3) for curve in curves[1:])]


def limits_chart(limits: Sequence[LimitCurve]) -> Chart:
    """Limit curves alone."""
    corners = np.concatenate([limit.duration for limit in limits] or [np.ones(1)])
    longest = max(10.0, 1.5 * float(corners.max()))
    shortest = max(SHORTEST, 0.5 * float(np.min(corners[corners > 0.0], initial=1.0)))
    highest = max((float(limit.level.max()) for limit in limits), default=1.0)
    return Chart(
        "limits",
        "",
        Axis("duration", "s", True, shortest, longest * PAD),
        Axis("level", "g", False, 0.0, ROOM * highest),
        tuple(limit_curve(one, k, longest, shade=k == 0) for k, one in enumerate(limits)),
        missing="" if limits else "No curve of this table in this direction.",
    )


def limit_curve(limit: LimitCurve, number: int, longest: float, *, shade: bool) -> Curve:
    """A limit up to the longest duration (s); straight on linear axes, it keeps its shape on logarithmic ones."""
    end = max(longest, float(limit.duration[-1]))
    d = np.concatenate([np.maximum(limit.duration, 1e-3), [end]])
    g = np.concatenate([limit.level, limit.level[-1:]])
    fine = np.unique(np.concatenate([np.geomspace(d[0], end, FINE), d]))
    steps = np.flatnonzero(np.diff(d) == 0.0)
    x = np.concatenate([fine, d[steps]])
    y = np.concatenate([read(d, g, fine), g[steps]])
    order = np.lexsort((-y, x))
    return Curve(
        limit_name(limit.name),
        x[order],
        y[order],
        Colour("limit", number),
        dash=number + 1,
        fill="above" if shade else "",
        about=f"{limit.title}, confidence {limit.confidence}",
        source=limit.source,
    )


def limit_name(name: str) -> str:
    """The name of a limit curve in a table, such as "-Gx_base" or "Gy_abs", in words."""
    direction, _, kind = name.partition("_")
    kind = {"abs": ", either side", "base": ", base case"}.get(kind, f", {kind}" if kind else "")
    return f"limit {direction.replace('-', MINUS)}{kind.replace('_', ' ')}"


def pair_chart(runs: Sequence[OfRun[EggChart]]) -> Chart:
    """The loads of two axes with the figures they must stay in; the parts outside for too long apart."""
    first = runs[0].tables[0]
    names = tuple(label.split(" /")[0] for label in first.labels)
    shapes = [one for one in runs[0].tables if one.figure is not None]
    marks = [] if first.worst is None else [_mark(first, 0.5 * sum(first.worst.time), "least margin")]
    start = Mark(float(first.samples[0, 0]), float(first.samples[0, 1]), "", PALE, "square")
    verdict = ""
    if first.worst is not None:
        verdict = (
            f"{100.0 * first.worst.level:.0f} % held for {first.hold:g} s, which counts (as in the table)"
        )
    return Chart(
        "pair",
        f"{first.pair[:2]} and {first.pair[2:]}",
        Axis(names[0], "g"),
        Axis(names[1], "g"),
        (
            *(_figure(one, k) for k, one in enumerate(shapes)),
            *(_trajectory(one) for one in runs),
            *_beyond(first),
        ),
        marks=(*marks, start),
        cross=True,
        verdict=verdict,
        missing="" if first.figure is not None else "No figure is known for this pair of axes.",
    )


def _figure(chart: EggChart, number: int) -> Curve:
    assert chart.figure is not None
    return Curve(
        LIMIT,
        chart.figure[:, 0],
        chart.figure[:, 1],
        Colour("limit", number),
        dash=number + 1,
        fill="" if number else "inside",
        about=f"{chart.title}, confidence {chart.confidence}",
        source=f"{chart.rule}\n{chart.source}",
    )


def _trajectory(one: OfRun[EggChart]) -> Curve:
    chart = one.tables[0]
    return Curve(
        "ride", chart.samples[:, 0], chart.samples[:, 1], one.colour, one.run, weight=0.6,
        time=chart.time, place=chart.arc_length, used=chart.used,
    )  # fmt: skip


def _beyond(chart: EggChart) -> tuple[Curve, ...]:
    """Samples in the exceeded intervals, with gaps between; none when there are none."""
    inside = np.zeros(len(chart.time), dtype=bool)
    for start, end in chart.exceeded:
        inside |= (chart.time >= start) & (chart.time <= end)
    if not inside.any():
        return ()
    samples: Array = np.where(inside[:, None], chart.samples, np.nan)
    return (Curve("outside for too long", samples[:, 0], samples[:, 1], BAD, weight=1.2),)


def _mark(chart: EggChart, time: float, label: str) -> Mark:
    k = int(np.argmin(np.abs(chart.time - time)))
    return Mark(float(chart.samples[k, 0]), float(chart.samples[k, 1]), label, time=float(chart.time[k]))
