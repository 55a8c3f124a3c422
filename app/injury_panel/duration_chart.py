"""g held without a break against how long, over the curve of what is tolerated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app import theme
from app.plots.curves import number
from app.plots.ticks import TickAxis
from core.injury.limits import CurveSet, load_limits
from core.injury.sustained import SustainedCurve

PAD = 0.05  # decades left and right


@dataclass(frozen=True, eq=False)
class HeldCurve:
    """The curve of one run: its name, colour and numbers."""

    run: str
    colour: str
    curve: SustainedCurve


class _DurationAxis(TickAxis):
    """Seconds on a logarithmic axis as plain numbers."""

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [f"{10.0**value:g} s" if abs(value - round(value)) < 1e-6 else "" for value in values]


class DurationChart(QWidget):
    """The chart of one direction for one rider, for one run or several."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = QLabel()
        self.head.setMargin(4)
        axes = {"left": TickAxis("left"), "bottom": _DurationAxis("bottom")}
        self.canvas = pg.PlotWidget(self, axisItems=axes)
        self.plot: pg.PlotItem = self.canvas.getPlotItem()
        self.plot.hideButtons()
        self.plot.setMenuEnabled(False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.showGrid(x=True, y=True, alpha=1.0)
        self.plot.getAxis("bottom").setLogMode(True)
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setZValue(-1)
            axis.setStyle(tickLength=-4, maxTickLevel=0)
        self.plot.setContentsMargins(0, 0, 8, 0)
        self.canvas.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pointer = pg.InfiniteLine(angle=90)
        self.canvas.scene().sigMouseMoved.connect(self._on_mouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.canvas, 1)
        self._held: list[HeldCurve] = []

    def set_curves(self, held: Sequence[HeldCurve]) -> None:
        """Draw runs, the shown one first; the limit curve is that of their direction."""
        self._held = list(held)
        self.plot.clear()
        colours = theme.current()
        self.canvas.setBackground(QColor(colours.base))
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setPen(pg.mkPen(colours.grid))
            axis.setTextPen(pg.mkPen(colours.muted))
        self.pointer.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        self.pointer.hide()
        self.plot.addItem(self.pointer, ignoreBounds=True)
        if not held:
            return
        limit = self._draw_limit(held[0].curve)
        for k, one in enumerate(reversed(held)):
            self._draw_run(one, current=k == len(held) - 1)
        highest = max([limit, *(float(np.nanmax(one.curve.level)) for one in held)])
        longest = max(float(one.curve.duration[-1]) for one in held)
        shortest = min(float(one.curve.duration[0]) for one in held)
        self.plot.setXRange(np.log10(shortest) - PAD, np.log10(longest) + PAD, padding=0.0)
        self.plot.setYRange(0.0, 1.08 * max(highest, 0.1), padding=0.0)
        self._write(None)

    def _draw_limit(self, curve: SustainedCurve) -> float:
        """The tolerated level, shaded above; returns its highest value."""
        if curve.limit is None:
            return 0.0
        colours = theme.current()
        x = np.log10(curve.duration)
        line = pg.PlotCurveItem(
            x, curve.limit, pen=pg.mkPen(colours.bad, width=1, style=Qt.PenStyle.DashLine), antialias=True
        )
        roof = pg.PlotCurveItem(x, np.full(len(x), 10.0 * float(curve.limit.max())))
        fill = QColor(colours.bad)
        fill.setAlphaF(0.10)
        self.plot.addItem(pg.FillBetweenItem(line, roof, brush=fill), ignoreBounds=True)
        self.plot.addItem(line, ignoreBounds=True)
        return float(curve.limit.max())

    def _draw_run(self, one: HeldCurve, *, current: bool) -> None:
        x, y = np.log10(one.curve.duration), np.maximum(one.curve.level, 0.0)
        self.plot.addItem(
            pg.PlotCurveItem(x, y, pen=pg.mkPen(one.colour, width=1), antialias=True), ignoreBounds=True
        )
        if current and one.curve.margin is not None:
            k = one.curve.worst
            mark = pg.ScatterPlotItem(
                [x[k]], [y[k]], size=9, brush=QColor(one.colour), pen=pg.mkPen(theme.current().text)
            )
            self.plot.addItem(mark, ignoreBounds=True)

    def _on_mouse(self, at: QPointF) -> None:
        inside = self.plot.vb.sceneBoundingRect().contains(at)
        self._write(10.0 ** float(self.plot.vb.mapSceneToView(at).x()) if inside else None)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._write(None)

    def _write(self, duration: float | None) -> None:
        """The numbers at a duration (s), or those at the duration with the least margin."""
        self.pointer.setVisible(duration is not None)
        if not self._held:
            self.head.clear()
            return
        first = self._held[0].curve
        if duration is None:
            duration = float(first.duration[first.worst])
        else:
            self.pointer.setValue(np.log10(duration))
        c = theme.current()
        parts = [f"<b>{first.direction} held</b> for {number(duration)} s:"]
        for one in self._held:
            level = float(np.interp(duration, one.curve.duration, one.curve.level))
            name = f"{one.run} " if len(self._held) > 1 else ""
            parts.append(f"<span style='color:{one.colour}'>━</span> {name}{number(level)} g")
        if first.limit is None:
            parts.append(
                f"<span style='color:{c.muted}'>no tolerance curve is known for this direction</span>"
            )
        else:
            limit = float(load_limits("sustained_g_brulle", CurveSet).limit(first.direction, duration))
            parts.append(f"<span style='color:{c.bad}'>┅</span> tolerated {number(limit)} g")
        self.head.setText(" &nbsp; ".join(parts))
