"""g held without a break against how long, over the limit curves of several tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from ...core.injury.charts import DurationChart as Chart
from ...core.injury.charts import LimitCurve
from ..widgets import theme
from .curves import number
from .limit_plot import LimitPlot, limit_colours, limit_key, limit_pen
from .ticks import TickAxis

PAD = 0.05  # decades left and right
SHORTEST = 0.01  # s; below it is the time between samples


@dataclass(frozen=True, eq=False)
class HeldCurves:
    """The charts of one run under several tables: its name, colour and numbers; the first table is the row's own."""

    run: str
    colour: str
    charts: Sequence[Chart]


class _DurationAxis(TickAxis):
    """Seconds on a logarithmic axis as plain numbers."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [f"{10.0**value:g} s" if abs(value - round(value)) < 1e-6 else "" for value in values]


class DurationChart(LimitPlot):
    """The chart of one direction for one rider, for one run or several. `scrubbed`: the time (s) of a click."""

    scrubbed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_DurationAxis("bottom"), parent)
        self.plot.getAxis("bottom").setLogMode(True)
        self.plot.getAxis("left").set_unit("g")
        self.pointer = pg.InfiniteLine(angle=90)
        self.held: list[HeldCurves] = []
        self.limits: list[LimitCurve] = []
        self.hovered.connect(self._on_hover)
        self.clicked.connect(self._on_clicked)

    def set_curves(self, held: Sequence[HeldCurves]) -> None:
        """Draw runs, the shown one first; the limits are those of its charts."""
        self.held = list(held)
        self.clear()
        colours = theme.current()
        self.pointer.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        self.pointer.hide()
        self.plot.addItem(self.pointer, ignoreBounds=True)
        self.limits = [limit for chart in held[0].charts for limit in chart.limits] if held else []
        if not held:
            self.say([])
            return
        first = held[0].charts[0]
        longest = max(float(one.charts[0].duration[-1]) for one in held)
        for k, one in enumerate(reversed(held)):
            self._draw_run(one, current=k == len(held) - 1)
        top = self._draw_limits(longest)
        highest = max([top, *(float(np.nanmax(c.level)) for one in held for c in one.charts)])
        shortest = max(SHORTEST, float(first.duration[0]))
        self.plot.setXRange(np.log10(shortest) - PAD, np.log10(longest) + PAD, padding=0.0)
        self.plot.setYRange(0.0, 1.12 * max(highest, 0.1), padding=0.0)
        notes = [f"{limit.title}\n  confidence {limit.confidence}; {limit.source}" for limit in self.limits]
        self.canvas.setToolTip("\n".join(notes))
        self._write(None)

    def show_limits(self, limits: Sequence[LimitCurve]) -> None:
        """Draw limit curves alone."""
        self.held, self.limits = [], list(limits)
        self.clear()
        if not limits:
            self.say(["No curve of this table in this direction."])
            return
        corners = np.concatenate([limit.duration for limit in limits])
        longest = max(10.0, 1.5 * float(corners.max()))
        shortest = max(SHORTEST, 0.5 * float(np.min(corners[corners > 0.0], initial=1.0)))
        self._draw_limits(longest)
        highest = max(float(limit.level.max()) for limit in limits)
        self.plot.setXRange(np.log10(shortest), np.log10(longest) + PAD, padding=0.0)
        self.plot.setYRange(0.0, 1.12 * highest, padding=0.0)
        self.say([limit_key(k, f"{one.title}, confidence {one.confidence}") for k, one in enumerate(limits)])

    def _draw_limits(self, longest: float) -> float:
        """The limits, shaded above the first; returns the highest level that matters."""
        colours, top = limit_colours(), 0.0
        for k, limit in enumerate(self.limits):
            end = max(longest, float(limit.duration[-1]))
            d = np.concatenate([np.maximum(limit.duration, 1e-3), [end]])
            g = np.concatenate([limit.level, limit.level[-1:]])
            # Straight on linear axes: finely divided it keeps its shape on the logarithmic one.
            fine = np.unique(np.concatenate([np.geomspace(d[0], end, 200), d]))
            at = _level_at(limit, fine)
            steps = np.flatnonzero(np.diff(d) == 0.0)
            x = np.concatenate([fine, d[steps]])
            y = np.concatenate([at, g[steps]])
            order = np.lexsort((-y, x))
            x, y = np.log10(x[order]), y[order]
            colour = colours[k % len(colours)]
            self.add_line(x, y, limit_pen(k, colour), 4.0)
            inside = limit.duration <= longest
            top = max(top, float(limit.level[inside].max()) if inside.any() and k == 0 else 0.0)
            if k == 0:
                line = pg.PlotCurveItem(x, y)
                roof = pg.PlotCurveItem(x, np.full(len(x), 10.0 * float(g.max())))
                fill = QColor(colour)
                fill.setAlphaF(0.10)
                self.plot.addItem(pg.FillBetweenItem(line, roof, brush=fill), ignoreBounds=True)
        return top

    def _draw_run(self, one: HeldCurves, *, current: bool) -> None:
        drawn: set[str] = set()
        for chart in one.charts:
            if chart.filter in drawn:
                continue
            keep = chart.duration >= SHORTEST
            x, y = np.log10(chart.duration[keep]), np.maximum(chart.level[keep], 0.0)
            style = Qt.PenStyle.DotLine if drawn else Qt.PenStyle.SolidLine
            self.add_line(x, y, pg.mkPen(one.colour, width=1, style=style), 6.0)
            drawn.add(chart.filter)
        worst = one.charts[0].worst
        if current and worst is not None and worst.level > 0.0:
            mark = pg.ScatterPlotItem(
                [np.log10(max(worst.duration, SHORTEST))],
                [worst.level],
                size=9,
                brush=QColor(one.colour),
                pen=pg.mkPen(theme.current().text),
            )
            mark.setZValue(8)
            self.plot.addItem(mark, ignoreBounds=True)

    def _on_hover(self, at: object) -> None:
        self._write(10.0 ** at[0] if isinstance(at, tuple) else None)

    def _on_clicked(self, at: object) -> None:
        """Go to the stretch that holds the level of the shown run that long."""
        if isinstance(at, tuple) and self.held:
            chart = self.held[0].charts[0]
            k = int(np.argmin(np.abs(np.log10(chart.duration) - at[0])))
            self.scrubbed.emit(0.5 * float(chart.start[k] + chart.end[k]))

    def _write(self, duration: float | None) -> None:
        """The numbers at a duration (s), or those at the duration with the least margin."""
        self.pointer.setVisible(duration is not None)
        if not self.held:
            return
        first = self.held[0].charts[0]
        if duration is not None:
            self.pointer.setValue(np.log10(duration))
        else:
            duration = first.worst.duration if first.worst is not None else float(first.duration[-1])
        through = "as recorded" if first.filter == "none" else f"through {first.filter}"
        parts = [f"<b>{first.direction} held</b> for {number(duration)} s, {through}:".replace(" -G", " −G")]
        for one in self.held:
            level = float(np.interp(duration, one.charts[0].duration, one.charts[0].level))
            name = f"{one.run} " if len(self.held) > 1 else ""
            parts.append(f"<span style='color:{one.colour}'>━</span> {name}{number(max(level, 0.0))} g")
        lines = [" &nbsp; ".join(parts)]
        for k, limit in enumerate(self.limits):
            at = float(_level_at(limit, np.array([duration]))[0])
            shown = f"{number(at)} g" if np.isfinite(at) else "not limited so short"
            lines.append(limit_key(k, f"{limit.title}, confidence {limit.confidence}: {shown}"))
        if not self.limits:
            lines.append(
                f"<span style='color:{theme.current().muted}'>No limit curve in this direction.</span>"
            )
        self.say(lines)


def _level_at(limit: LimitCurve, duration: np.ndarray) -> np.ndarray:
    """Level (k,) of a limit at durations (k,) s: the lower one at a step, not a number before its first corner."""
    d, g = limit.duration, limit.level
    k = np.searchsorted(d, duration, side="right")
    left, right = np.clip(k - 1, 0, len(d) - 1), np.clip(k, 0, len(d) - 1)
    width = d[right] - d[left]
    part = np.divide(duration - d[left], width, out=np.zeros_like(duration), where=width > 0.0)
    return np.where(k > 0, g[left] + np.clip(part, 0.0, 1.0) * (g[right] - g[left]), np.nan)
