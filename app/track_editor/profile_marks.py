"""What stands around the curves of the profile: borders and names of sections, devices, limits of loads."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from ...core.track.device_spans import DeviceSpan
from ..widgets import theme, units
from ..widgets.device_looks import device_colour
from .limit_bands import LoadBand
from .point_plot import PointPlot
from .track_points import TrackCurves

BAR = 6  # px, height of the bar of a device
LIFT = 0.5 * BAR + 1.0  # px between the bar and the lower edge


class SectionMarks:
    """Lines where the sections begin, in every plot, and their names in the uppermost one."""

    def __init__(self) -> None:
        self.names: list[pg.TextItem] = []
        self._plot: PointPlot | None = None
        self._key: tuple[object, ...] = ()
        self._lines: list[tuple[pg.ViewBox, list[pg.InfiniteLine]]] = []

    def show(self, curves: TrackCurves, plots: Sequence[PointPlot]) -> None:
        """Mark the sections in these plots, the uppermost first."""
        key = (tuple(name for name, _s in curves.sections), tuple(map(id, plots)))
        if key != self._key:
            self._key = key
            self._make([name for name, _s in curves.sections], plots)
        c = theme.current()
        positions = [units.to_shown(s, "m") for _name, s in curves.sections]
        pen = pg.mkPen(c.border, width=1)
        for _box, lines in self._lines:
            for line, x in zip(lines, positions, strict=True):
                if line.pen != pen:
                    line.setPen(pen)
                line.setValue(x)
        for text, x in zip(self.names, positions, strict=bool(plots)):
            text.setColor(c.muted)
            text.setPos(x, text.pos().y())
        self.place()

    def _make(self, names: list[str], plots: Sequence[PointPlot]) -> None:
        for box, lines in self._lines:
            for line in lines:
                box.removeItem(line)
        if self._plot is not None:
            for text in self.names:
                self._plot.getViewBox().removeItem(text)
        self._lines, self.names, self._plot = [], [], plots[0] if plots else None
        for plot in plots:
            made = [pg.InfiniteLine(angle=90) for _ in names]
            for line in made:
                line.setZValue(-5)
                plot.addItem(line, ignoreBounds=True)
            self._lines.append((plot.getViewBox(), made))
        if self._plot is not None:
            self.names = [pg.TextItem(name, anchor=(0.0, 0.0)) for name in names]
            for text in self.names:
                self._plot.addItem(text, ignoreBounds=True)

    def place(self) -> None:
        """Names at the upper edge, those that would lie over another left out."""
        if self._plot is None or not self.names:
            return
        upper = self._plot.getViewBox().viewRange()[1][1]
        for text in self.names:
            text.setPos(text.pos().x(), upper)
        self._plot.clear_of_each_other(self.names)


class DeviceBars:
    """Bars along the lower edge of a plot where lifts, launches and brakes are, with their names."""

    def __init__(self) -> None:
        self.bars: list[pg.PlotCurveItem] = []
        self.names: list[pg.TextItem] = []
        self._plot: PointPlot | None = None
        self._key: tuple[object, ...] = ()
        self._spans: tuple[DeviceSpan, ...] = ()

    def show(self, spans: Sequence[DeviceSpan], plot: PointPlot | None) -> None:
        """Draw the devices in a plot; none without a plot."""
        self._spans = tuple(spans) if plot is not None else ()
        key = (tuple((s.device.kind, s.device.name) for s in self._spans), id(plot), theme.current().name)
        if key != self._key:
            self._key = key
            self._make(plot)
        self.place()

    def _make(self, plot: PointPlot | None) -> None:
        if self._plot is not None:
            for item in (*self.bars, *self.names):
                self._plot.getViewBox().removeItem(item)
        self._plot, self.bars, self.names = plot, [], []
        if plot is None:
            return
        for span in self._spans:
            colour = device_colour(span.device.kind, theme.current())
            pen = pg.mkPen(QColor(colour), width=BAR)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            bar = pg.PlotCurveItem(pen=pen)
            text = pg.TextItem(span.device.name, color=colour, anchor=(0.0, 1.0))
            for item in (bar, text):
                item.setZValue(4)
                plot.addItem(item, ignoreBounds=True)
            self.bars.append(bar)
            self.names.append(text)

    def place(self) -> None:
        """Keep the bars at the lower edge."""
        if self._plot is None or not self.bars:
            return
        box = self._plot.getViewBox()
        low, high = box.viewRange()[1]
        pixel = (high - low) / max(1.0, box.height())
        for span, bar, text in zip(self._spans, self.bars, self.names, strict=True):
            a, b = units.to_shown(span.s0, "m"), units.to_shown(span.s1, "m")
            bar.setData([a, b], [low + LIFT * pixel] * 2)
            text.setPos(a, low + 2.0 * LIFT * pixel)
        self._plot.clear_of_each_other(self.names)


class LimitMarks:
    """Bands of limits behind the curve of one axis, or the limits of several axes as dashed lines."""

    def __init__(self, plot: PointPlot) -> None:
        self._plot = plot
        self._items: list[pg.GraphicsObject] = []
        self._key: tuple[object, ...] = ()
        self.levels: tuple[float, ...] = ()  # g, of the dashed lines

    @property
    def count(self) -> int:
        """How many bands and lines are drawn."""
        return len(self._items)

    def show_bands(self, bands: Sequence[LoadBand]) -> None:
        """Shade bands."""
        key = (tuple(bands), theme.current().name)
        if key == self._key:
            return
        self._clear(key)
        for band in bands:
            colour = QColor(theme.current().bad)
            colour.setAlphaF(0.05 + 0.15 * band.depth)
            area = pg.LinearRegionItem(
                (band.low, band.high),
                orientation="horizontal",
                brush=colour,
                pen=pg.mkPen(None),
                movable=False,
            )
            self._add(area)

    def show_lines(self, levels: Sequence[tuple[float, str]]) -> None:
        """Draw levels (g) as dashed lines in colours."""
        key = (tuple(levels), theme.current().name)
        if key == self._key:
            return
        self._clear(key)
        for value, colour in levels:
            pen = pg.mkPen(QColor(colour), width=1, style=Qt.PenStyle.DashLine)
            self._add(pg.InfiniteLine(value, angle=0, pen=pen))
        self.levels = tuple(value for value, _ in levels)

    def _add(self, item: pg.GraphicsObject) -> None:
        item.setZValue(-20)
        self._plot.addItem(item, ignoreBounds=True)
        self._items.append(item)

    def _clear(self, key: tuple[object, ...]) -> None:
        for item in self._items:
            self._plot.getViewBox().removeItem(item)
        self._items, self._key, self.levels = [], key, ()
