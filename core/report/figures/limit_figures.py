"""Loads over limit curves: level held against duration, and pairs of axes in the figure they must stay in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.arrays import Array
from ...injury.charts import DurationChart, EggChart
from ..cells import MINUS
from .canvas import (
    ALARM,
    BLUE,
    COLOURS,
    FAINT,
    INK,
    PALE,
    TEXT_WIDTH,
    VERMILION,
    draw_svg,
    panels,
    plain_powers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DASHES = ((0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (8, 2)))
LEGEND_LINE, LEGEND_COLUMNS = 0.38, 5  # cm
FINE = 160  # points of a limit curve, whose corners are joined by straight lines on linear axes
HIGHEST = 20.0  # g, no chart reaches higher for the sake of a limit
TRACE = 1600  # points of a drawn trajectory


def duration_figure(charts: tuple[DurationChart, ...]) -> bytes:
    """Charts of the six directions, as SVG; a curve keeps its colour and dash throughout."""
    names = list(dict.fromkeys(curve.name for chart in charts for curve in chart.limits))
    lines = (len(names) + 1 + LEGEND_COLUMNS) // LEGEND_COLUMNS

    def draw(figure: Figure) -> None:
        bottom = 1.2 + LEGEND_LINE * lines
        grid = panels(figure, (1.0, 1.0), columns=3, bottom=bottom, gap=1.15, between=1.0, share_x=False)
        for axes, chart in zip(grid.T.ravel(), charts, strict=True):
            _duration(axes, chart, names)
        for axes in grid[:, 0]:
            axes.set_ylabel("level / g")
        for axes in grid[-1]:
            axes.set_xlabel("duration / s")
        _common_legend(figure, grid)

    return draw_svg(draw, TEXT_WIDTH, 8.6 + LEGEND_LINE * lines)


def _duration(axes: Axes, chart: DurationChart, names: list[str]) -> None:
    low, high = float(chart.duration[0]), float(chart.duration[-1])
    top = float(np.max(chart.level, initial=0.1))
    for curve in chart.limits:
        k = names.index(curve.name)
        duration = np.geomspace(max(low, float(curve.duration[0])), high, FINE)
        level = np.interp(duration, curve.duration, curve.level)
        top = max(top, min(float(level.max()), HIGHEST))
        axes.plot(
            duration, level, color=COLOURS[(k + 1) % len(COLOURS)], linewidth=0.9,
            linestyle=DASHES[k % len(DASHES)], label=_curve_text(curve.name),
        )  # fmt: skip
    axes.plot(
        chart.duration, np.maximum(chart.level, 0.0), color=INK, linewidth=1.2, label="held in this ride"
    )
    if chart.worst is not None:
        point = chart.worst.duration, max(chart.worst.level, 0.0)
        axes.plot(*point, "o", color=ALARM, markersize=3.4, label="least margin", zorder=4)
    axes.set_xscale("log")
    plain_powers(axes.xaxis)
    axes.set_xlim(low, high)
    axes.set_ylim(0.0, 1.12 * top)
    axes.set_title(chart.direction.replace("-", MINUS) + ("" if chart.limits else ", no limit curve"))


def _curve_text(name: str) -> str:
    """The name of a limit curve in a table, such as "-Gx_base" or "Gy_abs", in words."""
    direction, _, kind = name.partition("_")
    kind = {"abs": ", either side", "base": ", base case"}.get(kind, f", {kind}" if kind else "")
    return f"limit {direction.replace('-', MINUS)}{kind.replace('_', ' ')}"


def egg_figure(charts: tuple[EggChart, ...]) -> bytes:
    """Trajectories of the pairs of axes with their figures, the parts outside for too long in red, as SVG."""
    drawn = tuple(chart for chart in charts if chart.figure is not None)

    def draw(figure: Figure) -> None:
        grid = panels(
            figure, (1.0,), columns=3, bottom=1.6 if len(drawn) > 2 else 1.05, between=1.3, share_x=False
        )
        for axes in grid[0][len(drawn) :]:
            axes.set_axis_off()
        for axes, chart in zip(grid[0], drawn, strict=False):
            _egg(axes, chart)
        _common_legend(figure, grid, beside=grid[0][len(drawn)] if len(drawn) < 3 else None)

    return draw_svg(draw, TEXT_WIDTH, 6.6 if len(drawn) > 2 else 6.2)


def _egg(axes: Axes, chart: EggChart) -> None:
    assert chart.figure is not None
    axes.axhline(0.0, color=FAINT, linewidth=0.6, zorder=1)
    axes.axvline(0.0, color=FAINT, linewidth=0.6, zorder=1)
    axes.fill(
        *chart.figure.T, facecolor="#eef3f7", edgecolor=VERMILION, linewidth=1.0, label="limit", zorder=1
    )
    step = max(1, len(chart.samples) // TRACE)
    axes.plot(*chart.samples[::step].T, color=BLUE, linewidth=0.5, label="ride", zorder=2)
    beyond = _beyond(chart)
    if beyond is not None:
        axes.plot(*beyond.T, color=ALARM, linewidth=1.1, label="outside for too long", zorder=3)
    if chart.worst is not None:
        k = int(np.argmin(np.abs(chart.time - 0.5 * sum(chart.worst.time))))
        axes.plot(*chart.samples[k], "o", color=ALARM, markersize=3.6, label="least margin", zorder=4)
    axes.plot(*chart.samples[0], "s", color=PALE, markersize=2.6, zorder=3)
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.06)
    axes.set(title=f"{chart.pair[:2]} and {chart.pair[2:]}", xlabel=chart.labels[0], ylabel=chart.labels[1])


def _beyond(chart: EggChart) -> Array | None:
    """Samples (n, 2) in the exceeded intervals, with gaps between; None when there are none."""
    inside = np.zeros(len(chart.time), dtype=bool)
    for start, end in chart.exceeded:
        inside |= (chart.time >= start) & (chart.time <= end)
    if not inside.any():
        return None
    return np.where(inside[:, None], chart.samples, np.nan)


def _common_legend(figure: Figure, grid: Any, beside: Axes | None = None) -> None:
    """One legend for all axes: below them, or in axes that stay empty."""
    shown: dict[str, Any] = {}
    for axes in grid.ravel():
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            shown.setdefault(label, handle)
    if beside is not None:
        beside.legend(list(shown.values()), list(shown), loc="upper left", bbox_to_anchor=(0.0, 1.0))
        return
    figure.legend(
        list(shown.values()), list(shown), loc="lower center", ncols=LEGEND_COLUMNS, columnspacing=1.6
    )
