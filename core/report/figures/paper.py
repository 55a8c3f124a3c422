"""Charts on paper: any charts of `core.charts` as one vector figure, in rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...base.arrays import Array
from ...charts.chart import Axis, Chart, Colour, Curve, Role
from . import canvas
from .canvas import (
    ALARM,
    COLOURS,
    FAINT,
    INK,
    PALE,
    TEXT_WIDTH,
    Drawing,
    draw_svg,
    panels,
    plain_powers,
    shade,
    thin,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALETTE: dict[Role, tuple[str, ...]] = {
    "series": COLOURS,
    "axis": (canvas.VERMILION, canvas.GREEN, canvas.BLUE),
    "limit": (*COLOURS[1:], COLOURS[0]),
    "ink": (INK,),
    "pale": (PALE,),
    "good": (canvas.GREEN,),
    "warn": (canvas.ORANGE,),
    "bad": (ALARM,),
    "accent": (canvas.BLUE,),
}
#: Unit of a chart -> as written on paper, and its size in SI, where it is not written as it is.
UNITS = {
    "N": ("kN", 1e3), "kN": ("kN", 1e3), "N m": ("kN m", 1e3), "mm": ("mm", 1e-3), "mrad": ("mrad", 1e-3),
    "J": ("kJ", 1e3), "MPa": ("MPa", 1e6), "kPa": ("kPa", 1e3), "rad": ("°", np.pi / 180.0),
    "m/s": ("(m/s)", 1.0), "1/m": ("(1/m)", 1.0), "m/s or rad/s": ("(m/s or rad/s)", 1.0),
}  # fmt: skip
DASHES: tuple[Any, ...] = ((0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))
SYMBOLS = {"disc": ("o", 3.5, 4.0), "square": ("s", 2.6, 3.0)}  # marker, size, order
LINE = 0.9  # points, of a curve of weight 1
LEGEND_LINE, LEGEND_COLUMNS = 0.38, 5  # cm
FAR = (
    1e200  # in the unit of an axis; what reaches further, of a damaged file, has no margin within the floats
)
TRACE = 1600  # points of a curve that goes to and fro
INSIDE = "#eef3f7"
NARROWEST = 0.002  # of the stretch shown, of a shaded span


def paper(
    charts: Sequence[Chart],
    height: float,
    *,
    columns: int = 1,
    heights: Sequence[float] = (),
    legend: Literal["above", "first", "below"] = "above",
    down: bool = False,
    **margins: Any,
) -> Drawing:
    """Charts as SVG of a height in cm, row by row, or column by column (down).

    heights: relative, of the rows; legend: above each, above the last of the first row, or one below all (the height is
    without it), or in a place that stays free; margins: as `panels` takes them.
    """
    return partial(_paper, [*map(bare, charts)], height, columns, heights, legend, down, margins)


def bare(chart: Chart) -> Chart:
    """A chart with no more of its curves than is drawn: it may have a way to go until it is."""

    def drawn(curve: Curve) -> Curve:
        x, values = curve.x, curve.values
        if chart.cross or (
            not chart.y.log and _ahead(x)
        ):  # else what is left out may say what stretch is shown
            x, values = _reduced(x, values)
        return replace(curve, x=x, values=values, time=None, place=None, used=None, axis=None)

    return replace(chart, curves=tuple(map(drawn, chart.curves)))


def _ahead(x: Array) -> bool:
    return bool(np.all(np.diff(x) >= 0.0))


def _reduced(x: Array, y: Array, *, peaks: bool = False) -> tuple[Array, Array]:
    """As many points of a curve as can be told apart; peaks: only the largest of a stretch are told."""
    if _ahead(x):
        return (canvas.upper_edge if peaks else thin)(x, y)
    step = max(1, len(x) // TRACE)
    return x[::step], y[::step]


def _paper(
    charts: Sequence[Chart],
    height: float,
    columns: int,
    heights: Sequence[float],
    legend: str,
    down: bool,
    margins: dict[str, Any],
) -> bytes:
    rows = -(-len(charts) // columns)
    free = rows * columns > len(charts)
    lines = 0 if legend != "below" or free else -(-len(_names(charts)) // LEGEND_COLUMNS)
    bottom = margins.pop("bottom", 1.05) + LEGEND_LINE * lines + (0.15 if lines else 0.0)

    def draw(figure: Figure) -> None:
        share = margins.pop("share_x", columns == 1)
        grid = panels(
            figure, tuple(heights) or (1.0,) * rows, columns=columns, bottom=bottom, share_x=share, **margins
        )
        placed = [*zip_longest((grid.T if down else grid).ravel(), charts)]
        for axes, chart in placed:
            if chart is None:
                axes.set_axis_off()
            else:
                draw_chart(
                    axes, chart, legend=legend == "above" or (legend == "first" and axes is grid[0, -1])
                )
        if not any(chart.cross for chart in charts):
            _drop_repeated(grid)
        if legend == "below":
            _common_legend(figure, grid, next((axes for axes, chart in placed if chart is None), None))

    return draw_svg(draw, TEXT_WIDTH, height + LEGEND_LINE * lines)


def colour(of: Colour) -> str:
    """A colour on paper."""
    known = PALETTE[of.role]
    return known[of.number % len(known)]


def draw_chart(axes: Axes, chart: Chart, *, legend: bool = True) -> None:
    """Draw a chart into empty axes."""
    x_size, y_size = (_written(axis)[1] for axis in (chart.x, chart.y))
    if chart.cross:
        axes.axhline(0.0, color=FAINT, linewidth=0.6, zorder=1)
        axes.axvline(0.0, color=FAINT, linewidth=0.6, zorder=1)
        axes.set_aspect("equal", adjustable="datalim")
        axes.margins(0.06)
    for curve in chart.curves:
        _curve(axes, curve, x_size, y_size, chart.y.high, peaks=chart.y.log)
    for band in chart.bands:
        axes.axhspan(band.low / y_size, band.high / y_size, color=ALARM, alpha=0.03 + 0.1 * band.depth)
    for level in chart.levels:
        zero = not level.text and level.value == 0.0
        axes.axhline(
            level.value / y_size, color="#59636e" if zero else colour(level.colour), label=level.text or None,
            linewidth=0.4 if zero else 0.8, linestyle="-" if zero else DASHES[0], zorder=1 if zero else 2,
        )  # fmt: skip
    shown = np.concatenate([curve.x for curve in chart.curves if len(curve.x)] or [np.zeros(1)]) / x_size
    for k, span in enumerate(chart.spans):
        told = span.label and span.label not in [one.label for one in chart.spans[:k]]
        shade(
            axes, ((span.start / x_size, span.end / x_size),), colour(span.colour),
            NARROWEST * float(np.ptp(shown)), span.label if told else "",
        )  # fmt: skip
    for mark in chart.marks:
        marker, size, order = SYMBOLS[mark.symbol]
        axes.plot(
            mark.x / x_size, mark.y / y_size, marker, color=colour(mark.colour), markersize=size,
            label=mark.label or None, zorder=order,
        )  # fmt: skip
    if chart.bars is not None:
        width = float(chart.bars.upper[0]) / x_size
        axes.bar(
            chart.bars.upper / x_size - 0.5 * width, chart.bars.height / y_size, 0.9 * width, color=COLOURS[0]
        )
    _axes(axes, chart, shown)
    if legend and _names([chart]):
        canvas.legend_above(axes)


def _axes(axes: Axes, chart: Chart, shown: Array) -> None:
    """Ends, ticks and words of both axes, and the title."""
    for axis, of, side in ((chart.x, axes.xaxis, "x"), (chart.y, axes.yaxis, "y")):
        label, size = _written(axis)
        if axis.log:
            getattr(axes, f"set_{side}scale")("log")
            plain_powers(of)
        ends = [None if end is None else end / size for end in (axis.low, axis.high)]
        if side == "x" and not chart.cross and ends == [None, None] and chart.bars is None:
            ends = [float(shown.min()), float(shown.max())]
        if ends != [None, None]:
            getattr(axes, f"set_{side}lim")(*ends)
        of.set_label_text(label)
    axes.set_title(chart.title)


def _written(axis: Axis) -> tuple[str, float]:
    """The label of an axis, and the SI size of its unit."""
    unit, size = UNITS.get(axis.unit, (axis.unit, 1.0))
    return (axis.quantity if unit in ("", "1") else f"{axis.quantity} / {unit}"), size


def _curve(axes: Axes, curve: Curve, x_size: float, y_size: float, top: float | None, *, peaks: bool) -> None:
    """peaks: as `_reduced` has it."""
    x, y = _reduced(curve.x / x_size, np.clip(curve.values / y_size, -FAR, FAR), peaks=peaks)
    shown = colour(curve.colour)
    if curve.fill == "inside":
        axes.fill(x, y, facecolor=INSIDE, zorder=1)
    elif curve.fill == "above":
        roof = float(np.max(y)) if top is None else top / y_size
        axes.fill_between(x, y, np.maximum(y, roof), facecolor=shown, alpha=0.08, linewidth=0.0, zorder=1)
    style = DASHES[(curve.dash - 1) % len(DASHES)] if curve.dash else "-"
    axes.plot(x, y, color=shown, linewidth=LINE * curve.weight, linestyle=style, label=curve.label or None)


def _names(charts: Sequence[Chart]) -> list[str]:
    """What a legend names."""
    named: list[str] = []
    for chart in charts:
        named += [curve.label for curve in chart.curves] + [level.text for level in chart.levels]
        named += [span.label for span in chart.spans] + [mark.label for mark in chart.marks]
    return [*dict.fromkeys(name for name in named if name)]


def _drop_repeated(grid: Any) -> None:
    """Words of an axis stand once in a row of equal ones, and once in a column."""
    for row in grid:
        for left, right in zip(row[:0:-1], row[-2::-1], strict=True):
            if left.get_ylabel() == right.get_ylabel():
                left.set_ylabel("")
    for upper, lower in pairwise(grid):
        for above, below in zip(upper, lower, strict=True):
            if above.get_xlabel() == below.get_xlabel() and below.axison:
                above.set_xlabel("")


def _common_legend(figure: Figure, grid: Any, beside: Axes | None) -> None:
    """One legend for all axes: below them, or in axes that stay empty."""
    found: dict[str, Any] = {}
    for axes in grid.ravel():
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    handles, labels = [*found.values()], [*found]
    if beside is not None:
        beside.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.0, 1.0))
    else:
        figure.legend(handles, labels, loc="lower center", ncols=LEGEND_COLUMNS, columnspacing=1.6)
