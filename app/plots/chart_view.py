"""A chart of `core.charts` on screen: in the theme, with its legend above it, read and clicked with the mouse.

Charts over the time or the place of a run are drawn by `pane.py`, many over one abscissa.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from ...core.charts.chart import Axis, Bars, Chart, Curve
from ..widgets import theme, units
from ..widgets.plain_words import plain_label
from .curves import number
from .looks import LINES, STROKES, colour, pattern
from .ticks import TickAxis, dress

ROOM = 190  # px of height from which the legend stands above the plot
WORDS = 0.3  # of the height of a chart that its words may take
REACH = 14.0  # px from a point within which the mouse means it
MOST = 12_000  # points of a drawn trajectory
ABOVE = 1.18  # of the highest bar, for the number on it
POINT = "Point at the curve to see time and place."
GAP = " &nbsp; "


def _key(curve: Curve, text: str) -> str:
    """A line of the legend: the stroke of a curve in its colour, and what it is."""
    return f"<span style='color:{colour(curve.colour)}'>{STROKES[pattern(curve)]}</span> {escape(text)}"


def _muted(text: str) -> str:
    return f"<span style='color:{theme.current().muted}'>{escape(text)}</span>"


class ChartView(QWidget):
    """A chart under lines of text. `scrubbed`: the time (s) of a click; `pointed`: the arc length (m) of the point
    under the mouse, None without one; `clicked`, `hovered`: the place in the plot, None outside."""

    scrubbed = Signal(float)
    pointed = Signal(object)
    clicked = Signal(object)
    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart: Chart | None = None
        self.at: int | None = None  # the point of the first run's curve under the mouse
        self._said: list[str] = []
        self._sources = self._note = ""
        self._time = 0.0
        self.head = QLabel()
        self.head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.head.setMargin(4)
        self.head.setTextFormat(Qt.TextFormat.RichText)
        self.head.setWordWrap(True)
        self.canvas = pg.PlotWidget(self, axisItems={side: TickAxis(side) for side in ("left", "bottom")})
        self.plot: pg.PlotItem = self.canvas.getPlotItem()
        self.plot.hideButtons()
        self.plot.setMenuEnabled(False)
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.showGrid(x=True, y=True, alpha=1.0)
        for name in ("left", "bottom"):
            axis = self.plot.getAxis(name)
            axis.setZValue(-1)
            axis.setStyle(tickLength=-4, maxTickLevel=0)
        self.plot.setContentsMargins(0, 0, 8, 0)
        self.canvas.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.scene().sigMouseMoved.connect(lambda at: self.hovered.emit(self._inside(at)))
        self.canvas.scene().sigMouseClicked.connect(
            lambda event: self.clicked.emit(self._inside(event.scenePos()))
        )
        self.hovered.connect(self._on_hover)
        self.clicked.connect(self._on_click)
        self.line = pg.InfiniteLine(angle=90)  # under the mouse, where a place means an x
        self.mark, self.pointer = pg.ScatterPlotItem(size=10), pg.ScatterPlotItem(size=10, symbol="+")
        self.why = plain_label()  # there is no chart
        self.why.setWordWrap(True)
        self.why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.why.setProperty("role", "muted")
        self.why.setMargin(16)
        self.why.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.canvas, 1)
        column.addWidget(self.why, 1)

    # -- drawing

    def show_why(self, why: str, note: str | None = None) -> None:
        """Show a sentence in place of a chart; note: what would be drawn, by default as told before."""
        self._note = self._note if note is None else note
        self.show_chart(None)
        self.why.setText(why)
        self.why.show()
        self.canvas.hide()
        self.say([_muted(self._note)])

    def show_chart(self, chart: Chart | None) -> None:
        """Draw a chart; None: nothing."""
        self.chart, self.at = chart, None
        self.why.hide()
        self.canvas.show()
        self.plot.clear()
        dress(self.canvas)
        if chart is None:
            self.say([])
            return
        for name, axis in (("bottom", chart.x), ("left", chart.y)):
            shown = self.plot.getAxis(name)
            shown.setLogMode(axis.log)
            shown.set_unit(
                f"{units.label(axis.unit)} {axis.quantity}" if chart.cross else units.label(axis.unit)
            )
        self._add_fixed(chart)
        for k, curve in enumerate(chart.curves):
            self._add_curve(curve, 5.0 - k / 100.0)
        if chart.bars is not None:
            self._add_bars(chart.bars)
        for mark in chart.marks:
            item = pg.ScatterPlotItem(
                *self._drawn([mark.x], [mark.y]), size=9 if mark.label else 6,
                symbol="o" if mark.symbol == "disc" else "s", pen=pg.mkPen(colour(mark.colour), width=2),
                brush=QColor(theme.current().base) if self._own is None else QColor(colour(self._own.colour)),
            )  # fmt: skip
            item.setZValue(8)
            self.plot.addItem(item, ignoreBounds=True)
        self._fit(chart)
        self._sources = "\n".join(f"{c.about}\n  {c.source}" for c in chart.curves if c.about)
        self.set_time(self._time)
        self._write()

    def _add_fixed(self, chart: Chart) -> None:
        """What follows the mouse and the time, and the lines through zero."""
        colours = theme.current()
        self.line.setPen(pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine))
        self.line.hide()
        self.plot.addItem(self.line, ignoreBounds=True)
        if not chart.cross:
            return
        for angle in (0, 90):
            self.plot.addItem(
                pg.InfiniteLine(0.0, angle=angle, pen=pg.mkPen(colours.border)), ignoreBounds=True
            )
        for level, item, shade in ((12, self.mark, colours.text), (11, self.pointer, colours.cursor)):
            item.setZValue(level)
            item.setPen(pg.mkPen(shade))
            item.setBrush(QColor(colours.base if self._own is None else colour(self._own.colour)))
            item.setData([], [])
            self.plot.addItem(item, ignoreBounds=True)

    def _add_curve(self, curve: Curve, level: float) -> None:
        shown = colour(curve.colour)
        pen: QPen = pg.mkPen(shown, width=1, style=LINES[pattern(curve)])
        x, y = self._drawn(curve.x, curve.values)
        step = max(1, len(x) // MOST)
        item = pg.PlotCurveItem(x[::step], y[::step], pen=pen, antialias=True, connect="finite")
        item.setZValue(level)
        self.plot.addItem(item, ignoreBounds=True)
        fill = QColor(shown)
        fill.setAlphaF(0.10)
        if curve.fill == "above":
            roof = pg.PlotCurveItem(x, np.full(len(x), 10.0 * float(np.max(y))))
            self.plot.addItem(pg.FillBetweenItem(pg.PlotCurveItem(x, y), roof, brush=fill), ignoreBounds=True)

    def _add_bars(self, bars: Bars) -> None:
        colours = theme.current()
        upper, height = self._drawn(bars.upper, bars.height)
        wide = float(upper[0])
        self.plot.addItem(
            pg.BarGraphItem(
                x0=upper - 0.95 * wide, x1=upper - 0.05 * wide, y0=0.0, height=height,
                brush=QColor(colours.series[0]), pen=None,
            )
        )  # fmt: skip
        for x, count in zip(upper - 0.5 * wide, height, strict=True):
            if count > 0.0:
                told = pg.TextItem(f"{count:g}", QColor(colours.text), anchor=(0.5, 1.0))
                told.setPos(x, count)
                self.plot.addItem(told, ignoreBounds=True)

    def _drawn(self, x: object, y: object) -> tuple[np.ndarray, np.ndarray]:
        """Values of both axes as they are drawn."""
        assert self.chart is not None
        return _along(self.chart.x, x), _along(self.chart.y, y)

    def _fit(self, chart: Chart) -> None:
        bars = chart.bars
        every_x, every_y = [c.x for c in chart.curves], [c.values for c in chart.curves]
        if bars is not None:
            every_y.append(np.append(ABOVE * bars.height, 0.0))
        for axis, every, name in ((chart.x, every_x, "xRange"), (chart.y, every_y, "yRange")):
            ends = (axis.low, axis.high)
            if axis.low is None:
                ends = (np.nanmin(np.concatenate(every)), np.nanmax(np.concatenate(every)))
            low, high = (float(end) for end in _along(axis, ends))
            padding = 0.0 if axis.low is not None or bars is not None else 0.06
            self.plot.setRange(padding=padding, **{name: (low, high)})

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # It is also sent while the widget is still being made.
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "plot") and self.chart is not None:
            self.show_chart(self.chart)

    # -- time and mouse

    @property
    def _own(self) -> Curve | None:
        """The curve of the shown run."""
        return next((c for c in self.chart.curves if c.time is not None), None) if self.chart else None

    def set_time(self, time: float) -> None:
        """Mark the point of the shown run at a time (s), where a place means a point."""
        self._time = time
        own = self._own
        if own is not None and own.time is not None and self.chart is not None and self.chart.cross:
            k = int(np.clip(np.searchsorted(own.time, time), 0, len(own.time) - 1))
            self.pointer.setData(*self._drawn(own.x[k : k + 1], own.values[k : k + 1]))

    def point_near(self, x: float, y: float) -> int | None:
        """The point of the shown run nearest to a place in the plot, within reach of the mouse."""
        own = self._own
        if own is None:
            return None
        wide, tall = self.plot.vb.viewPixelSize()
        shown_x, shown_y = self._drawn(own.x, own.values)
        away = np.hypot((shown_x - x) / wide, (shown_y - y) / tall)
        k = int(np.argmin(away))
        return k if away[k] <= REACH else None

    def _inside(self, at: QPointF) -> tuple[float, float] | None:
        if not self.plot.vb.sceneBoundingRect().contains(at):
            return None
        found = self.plot.vb.mapSceneToView(at)
        return float(found.x()), float(found.y())

    def _on_hover(self, at: object) -> None:
        chart, own = self.chart, self._own
        if chart is None:
            return
        if not chart.cross:
            self._write(float(_back(chart.x, at[0])) if isinstance(at, tuple) else None)
            return
        self.at = self.point_near(*at) if isinstance(at, tuple) else None
        if own is None or self.at is None:
            self.mark.setData([], [])
            self.pointed.emit(None)
        else:
            self.mark.setData(*self._drawn(own.x[[self.at]], own.values[[self.at]]))
            self.pointed.emit(None if own.place is None else float(own.place[self.at]))
        self._write()

    def _on_click(self, at: object) -> None:
        """Go to the time of what was clicked."""
        chart, own = self.chart, self._own
        if not isinstance(at, tuple) or chart is None or own is None or own.time is None:
            return
        k = self.point_near(*at) if chart.cross else int(np.argmin(np.abs(_along(chart.x, own.x) - at[0])))
        if k is not None:
            self.scrubbed.emit(float(own.time[k]))

    def leaveEvent(self, event: object) -> None:
        super().leaveEvent(event)  # type: ignore[arg-type]
        self.hovered.emit(None)

    # -- words

    def _write(self, x: float | None = None) -> None:
        """The values at an x or at the point under the mouse, else where least is left, and the legend."""
        chart, own = self.chart, self._own
        if chart is None:
            return
        self.line.setVisible(x is not None)
        lines = [_muted(chart.note)] if chart.note else []
        if own is not None:
            lines = [self._point_words(own) if chart.cross else self._words_at(chart, own, x)]
        at = self._x_at_rest(own, x)
        for curve in chart.curves:
            if curve.about:
                told = curve.about
                if own is not None and not chart.cross:
                    value = curve.at(at)
                    told += f": {self._value(value)}" if np.isfinite(value) else ": not limited so short"
                lines.append(_key(curve, told))
        self.say([*lines, *([_muted(chart.missing)] if chart.missing else [])])

    def _x_at_rest(self, own: Curve | None, x: float | None) -> float:
        """The x whose values are written."""
        if x is not None or self.chart is None or own is None:
            return x or 0.0
        return self.chart.marks[0].x if self.chart.marks else float(own.x[-1])

    def _words_at(self, chart: Chart, own: Curve, x: float | None) -> str:
        """The values of the runs at an x."""
        if x is not None:
            self.line.setValue(float(_along(chart.x, x)))
        at = self._x_at_rest(own, x)
        runs = {curve.run: curve for curve in reversed(chart.curves) if curve.time is not None}
        parts = [f"<b>{escape(chart.head.format(x=f'{number(at)} {units.label(chart.x.unit)}'))}</b>"]
        for name, curve in reversed(runs.items()):
            value = float(np.interp(at, curve.x, curve.values))
            told = f"{name} " if len(runs) > 1 else ""
            parts.append(_key(curve, told + self._value(value)))
        return GAP.join(parts)

    def _value(self, value: float) -> str:
        """A value along the axis of y, with its unit."""
        unit = "1" if self.chart is None else self.chart.y.unit
        return f"{number(float(units.to_shown(value, unit)))} {units.label(unit)}"

    def _point_words(self, own: Curve) -> str:
        """Time, place, values and used part of the limit at a point, and of it the part that counts."""
        chart, k, lead = self.chart, self.at, ""
        worst = next((m for m in chart.marks if m.time is not None), None) if chart else None
        assert chart is not None
        assert own.time is not None
        if k is None and worst is not None:
            k, lead = int(np.argmin(np.abs(own.time - (worst.time or 0.0)))), "worst: "
        if k is None:
            return POINT
        parts = [f"t {units.text(float(own.time[k]), 's', decimals=2)}"]
        if own.place is not None:
            parts.append(units.text(float(own.place[k]), "m", decimals=1))
        for axis, value in ((chart.x, own.x[k]), (chart.y, own.values[k])):
            parts.append(f"{axis.quantity} {number(float(value))} {units.label(axis.unit)}")
        if own.used is not None:
            parts.append(f"{100.0 * float(own.used[k]):.0f} % of the limit at this instant")
        return lead + GAP.join(escape(part) for part in (*parts, chart.verdict) if part)

    def say(self, lines: Sequence[str]) -> None:
        """Write the line above the plot and the legend below it; in a low chart the legend is in the tool tip."""
        self._said = list(lines)
        self._fit_head()

    def _fit_head(self) -> None:
        """The picture goes before the words: where they would take most of a low chart they are its tool tip."""
        self.head.setText("<br>".join(self._said if self.height() >= ROOM else self._said[:1]))
        self.head.setToolTip("<br>".join(self._said))
        self.head.setVisible(self.head.heightForWidth(self.width()) <= WORDS * self.height())
        self.canvas.setToolTip(self._sources if self.head.isVisibleTo(self) else self.head.toolTip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()


def _along(axis: Axis, values: object) -> np.ndarray:
    """Values (SI) as they are drawn along an axis."""
    shown = np.asarray(units.to_shown(np.asarray(values, dtype=np.float64), axis.unit))
    return np.log10(shown) if axis.log else shown


def _back(axis: Axis, drawn: float) -> float:
    """A place along an axis as a value (SI)."""
    return units.from_shown(10.0**drawn if axis.log else drawn, axis.unit)
