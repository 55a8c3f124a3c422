"""Two axes of a rider's load against each other, with the figure they must stay in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from ...core.injury.charts import EggChart as Chart
from ..plots.curves import number
from ..plots.limit_plot import LimitPlot, limit_colours, limit_key, limit_pen
from ..plots.ticks import TickAxis
from ..widgets import theme, units

REACH = 14.0  # px from a sample within which the mouse means it
MAX_POINTS = 12_000  # points of a drawn trajectory


@dataclass(frozen=True, eq=False)
class PairCurves:
    """The charts of one run under several tables: its name, colour and numbers; the first table is the row's own."""

    run: str
    colour: str
    charts: Sequence[Chart]


class EggPlot(LimitPlot):
    """The loads of a pair of axes. `scrubbed`: the time (s) of a click; `pointed`: the arc length (m) under the mouse,
    None without one."""

    scrubbed = Signal(float)
    pointed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(TickAxis("bottom"), parent)
        self.curves: list[PairCurves] = []
        self.at: int | None = None  # the sample under the mouse
        self.mark = pg.ScatterPlotItem(size=10)
        self.pointer = pg.ScatterPlotItem(size=10, symbol="+")
        self.mark.setZValue(12)
        self.pointer.setZValue(11)
        self._time = 0.0
        self.hovered.connect(self._on_hover)
        self.clicked.connect(self._on_clicked)

    @property
    def chart(self) -> Chart | None:
        """The chart of the shown run under the row's own table."""
        return self.curves[0].charts[0] if self.curves else None

    def set_curves(self, curves: Sequence[PairCurves]) -> None:
        """Draw runs, the shown one first."""
        self.curves, self.at = list(curves), None
        self.clear()
        colours = theme.current()
        chart = self.chart
        if chart is None:
            self.say([])
            return
        for line in (pg.InfiniteLine(0.0, angle=0), pg.InfiniteLine(0.0, angle=90)):
            line.setPen(pg.mkPen(colours.border))
            self.plot.addItem(line, ignoreBounds=True)
        for one in reversed(self.curves):
            samples = one.charts[0].samples
            step = max(1, len(samples) // MAX_POINTS)
            pen = pg.mkPen(one.colour, width=1)
            self.add_line(samples[::step, 0], samples[::step, 1], pen, 5.0)
        self._draw_figures(chart)
        for item, colour in ((self.mark, colours.text), (self.pointer, colours.cursor)):
            item.setPen(pg.mkPen(colour))
            item.setBrush(QColor(self.curves[0].colour) if item is self.mark else QColor(colour))
            item.setData([], [])
            self.plot.addItem(item, ignoreBounds=True)
        first, second = (text.split(" /")[0] for text in chart.labels)
        self.plot.getAxis("bottom").set_unit(f"g {first}")
        self.plot.getAxis("left").set_unit(f"g {second}")
        self._fit()
        self.set_time(self._time)
        self._write()

    def _draw_figures(self, chart: Chart) -> None:
        colours = limit_colours()
        notes = []
        for k, one in enumerate(self.curves[0].charts):
            if one.figure is None:
                continue
            pen = limit_pen(k, colours[k % len(colours)])
            self.add_line(one.figure[:, 0], one.figure[:, 1], pen, 4.0)
            notes.append(f"{one.title}\n  confidence {one.confidence}; {one.rule}\n  {one.source}")
        self.canvas.setToolTip("\n".join(notes))
        if chart.worst is not None:
            k = int(np.searchsorted(chart.time, 0.5 * sum(chart.worst.time)))
            k = min(k, len(chart.samples) - 1)
            worst = pg.ScatterPlotItem(
                [chart.samples[k, 0]],
                [chart.samples[k, 1]],
                size=9,
                brush=QColor(self.curves[0].colour),
                pen=pg.mkPen(theme.current().bad, width=2),
            )
            worst.setZValue(9)
            self.plot.addItem(worst, ignoreBounds=True)

    def _fit(self) -> None:
        points = [one.charts[0].samples for one in self.curves]
        points += [c.figure for c in self.curves[0].charts if c.figure is not None]
        low = np.min([p.min(axis=0) for p in points], axis=0)
        high = np.max([p.max(axis=0) for p in points], axis=0)
        self.plot.setRange(xRange=(low[0], high[0]), yRange=(low[1], high[1]), padding=0.06)

    def set_time(self, time: float) -> None:
        """Mark the sample of the shown run at a time (s)."""
        self._time = time
        chart = self.chart
        if chart is None:
            return
        k = int(np.clip(np.searchsorted(chart.time, time), 0, len(chart.time) - 1))
        self.pointer.setData([chart.samples[k, 0]], [chart.samples[k, 1]])

    def sample_near(self, x: float, y: float) -> int | None:
        """The sample of the shown run nearest to a place in the plot (g), within reach of the mouse."""
        chart = self.chart
        if chart is None:
            return None
        wide, tall = self.plot.vb.viewPixelSize()
        away = np.hypot((chart.samples[:, 0] - x) / wide, (chart.samples[:, 1] - y) / tall)
        k = int(np.argmin(away))
        return k if away[k] <= REACH else None

    def _on_hover(self, at: object) -> None:
        self.at = self.sample_near(*at) if isinstance(at, tuple) else None
        chart = self.chart
        if chart is None:
            return
        if self.at is None:
            self.mark.setData([], [])
        else:
            self.mark.setData([chart.samples[self.at, 0]], [chart.samples[self.at, 1]])
        place = None if self.at is None or chart.arc_length is None else float(chart.arc_length[self.at])
        self.pointed.emit(place)
        self._write()

    def _on_clicked(self, at: object) -> None:
        k = self.sample_near(*at) if isinstance(at, tuple) else None
        if k is not None and self.chart is not None:
            self.scrubbed.emit(float(self.chart.time[k]))

    def _write(self) -> None:
        """The loads, time and place under the mouse, or those of the worst moment."""
        chart = self.chart
        if chart is None:
            return
        k, lead = self.at, ""
        if k is None and chart.worst is not None:
            k, lead = int(np.searchsorted(chart.time, 0.5 * sum(chart.worst.time))), "worst: "
        if k is None:
            lines = ["Point at the curve to see time and place."]
        else:
            lines = [lead + self._sample_text(chart, min(k, len(chart.time) - 1))]
        for place, one in enumerate(self.curves[0].charts):
            if one.figure is not None:
                lines.append(limit_key(place, f"{one.title}, confidence {one.confidence}"))
        if chart.figure is None:
            lines.append(
                f"<span style='color:{theme.current().muted}'>No figure is known for this pair of axes.</span>"
            )
        self.say(lines)

    @staticmethod
    def _sample_text(chart: Chart, k: int) -> str:
        """Time, place, loads and used part of the limit at a sample, and of it the part that is held long enough."""
        first, second = (text.split(" /")[0] for text in chart.labels)
        parts = [f"t {units.text(float(chart.time[k]), 's', decimals=2)}"]
        if chart.arc_length is not None:
            parts.append(units.text(float(chart.arc_length[k]), "m", decimals=1))
        loads = zip((first, second), chart.samples[k], strict=True)
        parts += [f"{name} {number(float(v))} g" for name, v in loads]
        if chart.used is not None:
            parts.append(f"{100.0 * float(chart.used[k]):.0f} % of the limit at this instant")
        if chart.worst is not None:
            held = f"{100.0 * chart.worst.level:.0f} %"
            parts.append(f"{held} held for {chart.hold:g} s, which counts (as in the table)")
        return " &nbsp; ".join(parts)
