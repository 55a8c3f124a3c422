"""Loads on the riders that are nearest to their limits: components over time, head, level against duration."""

from __future__ import annotations

from dataclasses import replace

from ...base.errors import InputError
from ...charts.abscissa import Abscissa
from ...charts.chart import INK, PALE, Colour, Curve
from ...charts.exceedances import exceeded_rows
from ...charts.limits import OfRun, held_chart, pair_chart
from ...charts.loads import PLOTS, ZERO, free_sources, head_charts, load_recipe
from ...charts.recipe import charts_of
from ...injury.charts import DurationChart, EggChart, duration_charts, egg_charts
from ...injury.standards.files import load_table
from ..book import Book
from ..document import Block, Section, Text
from ..figures.canvas import Drawing
from ..figures.paper import paper
from ..run_view import RunView
from .words import part_name, rider_name

DRAWN_PARTS = ("upper_torso", "head")
CHART_PART = "upper_torso"


def riders_by_margin(view: RunView) -> tuple[str, ...]:
    """The riders, nearest to a limit first."""
    worst: dict[str, float] = {}
    for one in view.judged:
        if one.result.margin is not None and one.result.judged:
            worst.setdefault(one.rider, one.result.margin)
    return tuple(sorted(view.riders, key=lambda rider: worst.get(rider, 1e9)))


def loads_section(view: RunView, book: Book, drawn: tuple[str, ...]) -> Section | None:
    """One part a drawn rider; the others are in the tables. None when nobody is drawn."""
    if not drawn:
        return None
    inner = []
    for k, rider in enumerate(drawn):
        book.step(0.3 + 0.3 * k / max(len(drawn), 1), f"loads of rider {rider}")
        inner.append(_rider(view, book, k, rider))
    blocks: list[Block] = []
    if len(drawn) < len(view.riders):
        names = ", ".join(rider_name(rider, view.judged_on) for rider in drawn)
        blocks.append(
            Text(
                text=f"Drawn are the riders nearest to a limit ({names}); the limit checks cover all riders."
            )
        )
    if len(inner) == 1:
        return inner[0].model_copy(
            update={"id": "loads", "title": f"Loads on {inner[0].title}", "page": True}
        )
    return Section(
        id="loads", title="Loads on the riders", page=True, blocks=tuple(blocks), sections=tuple(inner)
    )


def _rider(view: RunView, book: Book, k: int, rider: str) -> Section:
    blocks: list[Block] = []
    name = rider_name(rider, view.judged_on)
    for part in DRAWN_PARTS:
        if view.history(rider, part) is None:
            continue
        drawn, beyond = components(view, rider, part)
        blocks.append(
            book.figure(
                f"loads_{k + 1}_{part}",
                f"Specific force on the {part_name(part)} of {name}",
                "Rider axes, gravity in. "
                + (
                    "Shaded: a limit on this component is exceeded."
                    if beyond
                    else "No limit on a single component is exceeded."
                ),
                drawn,
            )
        )
    if view.history(rider, "head") is not None:
        blocks.append(_head(view, book, k, rider))
    blocks += _free(view, book, k, rider)
    for standard in view.project.evaluation.standards:
        blocks += charts(view, book, k, rider, standard)
    if not blocks:
        blocks.append(Text(text="This run is too short to draw what the rider feels."))
    return Section(
        id=f"loads_{k + 1}",
        title=name if "rider" in name.lower() else f"Rider {name}",
        blocks=tuple(blocks),
    )


def _head(view: RunView, book: Book, k: int, rider: str) -> Block:
    history = view.history(rider, "head")
    assert history is not None
    results = [one.result for one in view.judged if one.rider == rider and one.part == "head"]
    return book.figure(
        f"head_{k + 1}",
        f"Resultant acceleration of the head of {rider_name(rider, view.judged_on)}",
        "As computed, gravity in, with the windows that give HIC15 and HIC36.",
        paper(head_charts(history, results), 5.6, columns=2, legend="below", top=0.6, between=1.3),
    )


def _free(view: RunView, book: Book, k: int, rider: str) -> list[Block]:
    """What seat and restraint do to a rider who sits freely; nothing for one whose pelvis is fixed to the seat."""
    recipes = []
    for key in ("gap", "load", "slip"):
        sources = free_sources(view.results, [rider], PLOTS[key][2])
        recipes.append(load_recipe(key, sources))
    drawn = charts_of(view.signals, recipes)
    if not drawn:
        return []
    return [
        book.figure(
            f"free_{k + 1}",
            f"Gap, load and slip of {rider_name(rider, view.judged_on)} on seat and restraint",
            "Gap: to the nearest segment, negative where one is pressed in. Load: sum of normal forces, as computed.",
            paper(drawn, 9.0, legend="below", top=0.7),
        )
    ]


def components(view: RunView, rider: str, part: str) -> tuple[Drawing, bool]:
    """Gx, Gy, Gz of a part unfiltered and through the 5 Hz filter with the speed, the stretches beyond a limit shaded,
    as SVG; and whether there are such stretches."""
    history, smooth = view.history(rider, part), view.smooth(rider, part)
    assert history is not None
    axis, time = Abscissa("time", history.time, None), history.time
    rows = [one for one in view.judged if one.part == part]
    drawn, beyond = [], False
    for k, key in enumerate(("gx", "gy", "gz")):
        over = exceeded_rows(rows, key, [rider], [part])
        beyond = beyond or bool(over)
        curves = [Curve.over(axis, "unfiltered", time, history.acceleration[:, k], PALE)]
        if smooth is not None:
            curves.append(Curve.over(axis, "5 Hz ride filter", time, smooth[:, k], Colour("series", k)))
        chart = load_recipe(key, (), exceeded=over).chart(curves)
        drawn.append(replace(chart, levels=(*chart.levels, ZERO)))
    car = view.car_of(rider)
    speed = None if car is None else view.channel(car, "speed")
    if speed is not None:
        chart = load_recipe("speed", (), title=f"Speed of {car}").chart(
            [Curve.over(axis, "", time, speed, INK)]
        )
        drawn.append(replace(chart, y=replace(chart.y, low=0.0)))
    return paper(drawn, 7.6 if speed is None else 9.2, top=0.7), beyond


def charts(
    view: RunView, book: Book, k: int, rider: str, standard: str, part: str = CHART_PART
) -> list[Block]:
    """g against duration, and pairs of axes, under one table of limits; nothing for a run too short for them."""
    history, options = view.history(rider, part), view.project.evaluation
    if history is None:
        return []
    try:
        table = load_table(standard)
        durations = duration_charts(history, standard, options)
        pairs = egg_charts(history, standard, options)
    except InputError:
        return []
    name = rider_name(rider, view.judged_on)
    whose = name if part == "seat" else f"{part_name(part)} of {name}"
    title = f"{table.short}{table.doubt()}"
    blocks: list[Block] = []
    if any(chart.limits for chart in durations):
        names = [*dict.fromkeys(limit.name for chart in durations for limit in chart.limits)]
        held = [held_chart([OfRun("", INK, [chart])], names) for chart in durations]
        blocks.append(
            book.figure(
                f"held_{standard}_{k + 1}",
                f"Level held against duration and the limits of {title}, {whose}",
                "Level reached or exceeded without a break for the duration; gravity in, "
                f"{_filter(durations[0])}.",
                paper(held, 8.6, columns=3, legend="below", down=True, gap=1.15, between=1.0),
            )
        )
    shapes = [chart for chart in pairs if chart.figure is not None]
    if shapes:
        drawn = [pair_chart([OfRun("", Colour("series"), [chart])]) for chart in shapes]
        rules = "; ".join(dict.fromkeys(chart.rule for chart in shapes if chart.rule))
        rules = f"{rules[:1].upper()}{rules[1:]}." if rules else ""
        blocks.append(
            book.figure(
                f"pairs_{standard}_{k + 1}",
                f"Pairs of axes and the limits of {title}, {whose}",
                f"Gravity in, {_filter(shapes[0])}. {rules}".strip(),
                paper(drawn, 6.2, columns=3, legend="below", between=1.3),
            )
        )
    return blocks


def _filter(chart: DurationChart | EggChart) -> str:
    return "unfiltered" if chart.filter == "none" else f"filter {chart.filter}"
