"""The train in the report: drawing, loads of its cars, couplings with their peaks, front and back row."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from ...charts.couplings import CouplingForces, coupling_recipes, few
from ...charts.loads import ZERO
from ...charts.recipe import charts_of
from ...model.assembly import Assembly
from ...model.train_drawing import bounds, side_view
from ...outcome.summary import CouplingSummary, PlacedExtreme, couplings_summary
from ...outcome.trains import AXES, RowSummary, rows_summary
from ..book import Book
from ..cells import NOTHING, figures, fixed, left, percent, text
from ..document import Block, Cell, Column, Section, Table
from ..figures.canvas import BLUE, INK, ORANGE, PALE, SKY, TEXT_WIDTH, Drawing
from ..figures.coupling_figure import coupling_forces
from ..figures.diagram import Part, Patch, Side, Words, diagram, line
from ..run_view import RunView
from .words import DOUBT, DOUBT_NOTE, MARK, direction_text

AXIS_WORDS = {"gx": "Gx", "gy": "Gy", "gz": "Gz"}
FILLS = {"hull": SKY, "wheel": PALE, "rider": BLUE, "rail": PALE, "seat": PALE, "block": PALE}
TALLEST = 5.0  # cm, of the drawing of a train


def train_section(view: RunView, book: Book) -> Section | None:
    """A train of several cars; None for a single car and for a rig."""
    train = view.project.train
    if train is None or len(train.children) < 2 or view.project.assembly is not train:
        return None
    blocks: list[Block] = [
        book.figure(
            "train_drawing",
            "The train from its left side",
            "As drawn on straight level track, the first car at the right"
            + ("; couplings in orange." if train.couplings else "."),
            _train_diagram(train),
        ),
    ]
    couplings = couplings_summary(view.project, view.results)
    if couplings:
        names = tuple(couplings)
        forces = CouplingForces.of(view.results, names)
        chart = charts_of(view.signals, coupling_recipes(view.project, few(names))[:1])[0]
        chart = replace(chart, levels=(*chart.levels, ZERO))
        blocks.append(_couplings(view, couplings))
        blocks.append(
            book.figure(
                "coupling_forces",
                "Forces of the couplings",
                "Tension positive. Above, curves of up to six couplings (of longer trains the first, middle and last);"
                " below, all of them by number in the order of the description.",
                coupling_forces(chart, forces),
            )
        )
    rows = rows_summary(view.project, view.results, view.judged)
    if len(rows) > 1:
        blocks.append(_rows(rows))
    return Section(id="train_and_couplers", title="Train and couplers", page=True, blocks=tuple(blocks))


def _couplings(view: RunView, couplings: dict[str, CouplingSummary]) -> Table:
    train = view.project.train
    assert train is not None
    described = {c.name: c for c in train.couplings}
    rows = []
    for name, one in couplings.items():
        cars = described[name].cars
        rows.append(
            (
                text(name), text(one.model), text(f"{cars[1]} – {cars[0]}"), *_peak(one.tension),
                *_peak(one.compression),
                fixed(1e3 * one.extension.value, 2), fixed(abs(math.degrees(one.yaw.value)), 2),
                percent(one.over, "" if one.over is None else "outside" if one.over > 1.0 else "inside"),
            )
        )  # fmt: skip
    peaks = [
        Column(key=f"{key}_{part}", title=title, unit=unit, group=group)
        for key, group in (("tension", "Largest tension"), ("compression", "Largest compression"))
        for part, title, unit in (("force", "Force", "kN"), ("time", "Time", "s"), ("place", "Place", "m"))
    ]
    for key in ("tension", "compression"):
        at = next(k for k, c in enumerate(peaks) if c.key == f"{key}_place") + 1
        peaks.insert(at, left(f"{key}_section", "Section").model_copy(update={"group": peaks[at - 1].group}))
    return Table(
        id="couplings",
        title="Couplings and their largest forces",
        columns=(
            left("name", "Coupling", 1.0),
            left("model", "Model"),
            left("cars", "Between"),
            *peaks,
            Column(key="extension", title="Extension", unit="mm"),
            Column(key="yaw", title="Swing", unit="°"),
            Column(key="over", title="Of rated", unit="%"),
        ),
        rows=tuple(rows),
        note="Places are arc lengths of the first car. Extension: the largest, beyond the free length; swing: the"
        " largest angle between coupling and car in the plane of the car's floor.",
    )


def _peak(peak: PlacedExtreme | None) -> tuple[Cell, ...]:
    if peak is None:
        return (NOTHING,) * 4
    return (
        figures(abs(peak.value) / 1e3, 4), fixed(peak.time, 2), fixed(peak.arc_length, 1), text(peak.section or "")
    )  # fmt: skip


def _governing(row: RowSummary) -> str:
    """What a row comes nearest to the limit of; a limit not confirmed by its source is marked."""
    title = direction_text(row.governing)
    plain = DOUBT.sub("", title)
    return title if plain == title else f"{plain} {MARK}"


def _rows(rows: tuple[RowSummary, ...]) -> Table:
    """Every row of seats, and below how the back row differs from the front row."""

    def cells(row: RowSummary) -> tuple[Cell, ...]:
        loads = [
            fixed(value, 2)
            for axis in AXES
            for value in (
                (None, None) if row.loads is None else (row.loads[axis].least, row.loads[axis].largest)
            )
        ]
        return (text(f"{row.row}"), text(row.car), *loads, percent(row.margin), text(_governing(row)))

    front, back = rows[0], rows[-1]
    made = [cells(row) for row in rows]
    if front.loads is not None and back.loads is not None:
        change = [
            fixed(getattr(back.loads[axis], end) - getattr(front.loads[axis], end), 2)
            for axis in AXES
            for end in ("least", "largest")
        ]
        margin = None if front.margin is None or back.margin is None else back.margin - front.margin
        made.append((text("back less front"), text(""), *change, percent(margin), text("")))
    return Table(
        id="rows",
        title="Loads by row of seats, front to back",
        columns=(
            left("row", "Row"),
            left("car", "Car"),
            *(
                Column(key=f"{axis}_{end}", title=title, unit="g", group=AXIS_WORDS[axis])
                for axis in AXES
                for end, title in (("least", "least"), ("largest", "largest"))
            ),
            Column(key="margin", title="Margin", unit="%"),
            left("governing", "Nearest to its limit", 1.0),
        ),
        rows=tuple(made),
        note="Upper torso, rider axes, gravity in, 5 Hz ride filter; all riders of the row. Margin: what is left of the"
        f" limit that the row comes nearest to. {DOUBT_NOTE}",
    )


def _train_diagram(train: Assembly) -> Drawing:
    """A train from its left side with the names of cars and couplings, as SVG."""
    shapes = side_view(train)
    x0, x1, z0, z1 = bounds(shapes)
    height = min(TALLEST, 1.05 * TEXT_WIDTH * (z1 - z0) / (x1 - x0) + 0.2) + 0.8
    parts: list[Part] = []
    for shape in shapes:
        colour = FILLS.get(shape.what, ORANGE)
        if shape.radius:
            place = (tuple(shape.points[0]), shape.radius)
            parts.append(Patch("Circle", place, {"facecolor": colour, "edgecolor": "none", "zorder": 3}))
        elif shape.closed:
            alpha = 0.45 if shape.what == "hull" else 1.0
            style = {"facecolor": colour, "edgecolor": INK, "alpha": alpha, "linewidth": 0.5}
            parts.append(Patch("Polygon", (shape.points,), style))
        else:
            parts.append(line(*shape.points.T, color=colour, linewidth=1.2, zorder=2))
    below = {"xytext": (0, -4), "textcoords": "offset points", "ha": "center", "va": "top", "fontsize": 6.5}
    for car in train.children:
        own = [s.points for s in shapes if s.of == car.name and s.what == "hull"]
        parts.append(Words(car.name, (float(np.concatenate(own)[:, 0].mean()), z0), below))
    return partial(diagram, (Side(parts, 0.02),), height, top=0.1, bottom=0.7, left=0.2, right=0.2)
