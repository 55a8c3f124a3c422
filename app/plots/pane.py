"""One plot: its readout, its curves, the cursor line. Set up the way that keeps half a million samples fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ...core.charts.chart import Chart, Curve, over_time
from ..widgets import theme
from .curves import TINY, display_unit, thin
from .looks import LINES, colour, pattern
from .readout import HEIGHT, Readout
from .ticks import TickAxis, dress
from .view_box import HELP, RideViewBox

AXIS_WIDTH = 48
AXIS_HEIGHT = 20
MIN_HEIGHT = 120  # px of height, readout included: below that a curve cannot be read
MARGIN = 0.06  # of the range of values, above and below
LEAST = 5e-4  # of the largest value: range that is shown at least
REACH = 2  # px beside a line that are painted again


class MovingLine:
    """A line at an abscissa of a plot, as drawn; hidden until it is put somewhere.

    It is no item of the scene: a scene whose item has moved has the whole window brought to the screen at once, every
    plot by itself, and with OpenGL each time the window is composed anew.
    """

    def __init__(self, canvas: MovingLines) -> None:
        self._canvas = canvas
        self._x: float | None = None
        self._at: int | None = None  # px of the viewport where it was put last
        self.pen = QPen()

    def put(self, x: float | None) -> None:
        """Move the line; None hides it."""
        self._x = x
        before, self._at = self._at, self._column()
        if self._at != before:
            for at in (before, self._at):
                self._canvas.paint_column(at)

    @property
    def value(self) -> float | None:
        """Where it is; None while it is hidden."""
        return self._x

    def paint(self, painter: QPainter) -> None:
        """Draw the line in coordinates of the scene."""
        self._at = self._column()
        area = self._canvas.area()
        if self._x is not None and (x := self._canvas.scene_x(self._x)) is not None:
            painter.setPen(self.pen)
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))

    def _column(self) -> int | None:
        x = None if self._x is None else self._canvas.scene_x(self._x)
        return None if x is None else self._canvas.mapFromScene(QPointF(x, 0.0)).x()


class MovingLines(pg.PlotWidget):
    """A plot's view with lines over its box, the last one on top."""

    def __init__(self, parent: QWidget, box: pg.ViewBox, axes: dict[str, pg.AxisItem]) -> None:
        self.lines: list[MovingLine] = []  # asked for while the view is made
        super().__init__(parent, viewBox=box, axisItems=axes)
        self._box = box
        box.sigRangeChanged.connect(lambda *_: self.viewport().update())

    def add_line(self) -> MovingLine:
        """One more line over the others."""
        self.lines.append(MovingLine(self))
        return self.lines[-1]

    def area(self) -> QRectF:
        """The box of the curves, in coordinates of the scene."""
        return QRectF(self._box.sceneBoundingRect())

    def scene_x(self, x: float) -> float | None:
        """An abscissa in coordinates of the scene; None outside the box."""
        area, at = self.area(), float(self._box.mapViewToScene(QPointF(x, 0.0)).x())
        return at if area.left() <= at <= area.right() else None

    def paint_column(self, at: int | None) -> None:
        """Ask for a column of pixels to be painted again, with the next picture of the window."""
        if at is not None:
            self.viewport().update(QRect(at - REACH, 0, 2 * REACH + 1, self.viewport().height()))

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        super().drawForeground(painter, rect)
        if self.lines:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            for line in self.lines:
                line.paint(painter)
            painter.restore()


class _Canvas(MovingLines):
    """The graphics view of a pane; tells when the mouse leaves it, and keeps no wish of its own size."""

    left = Signal()

    def leaveEvent(self, ev: QEvent) -> None:
        super().leaveEvent(ev)
        self.left.emit()

    def sizeHint(self) -> QSize:
        return QSize(240, MIN_HEIGHT)


@dataclass(frozen=True, eq=False)
class _Line:
    """A drawn curve with all of its points, as drawn."""

    item: pg.PlotCurveItem
    x: Array
    y: Array
    increasing: bool
    finite: bool


class Pane(QWidget):
    """A plot with its readout.

    scrubbed(x), clicked(x), hovered(x or None), range_changed(x0, x1), reset and menu_asked tell what the mouse did; x
    as drawn (s or the shown unit of length).
    """

    scrubbed = Signal(float)
    clicked = Signal(float)
    hovered = Signal(object)
    range_changed = Signal(object, float, float)
    reset = Signal()
    menu_asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = over_time("", "", "1", ())
        self.unit_label, self.factor = (
            "",
            1.0,
        )  # shown unit of the values, and what SI values are multiplied by
        self.readout = Readout(self)
        self.box = RideViewBox()
        axes = {"left": TickAxis("left"), "bottom": TickAxis("bottom")}
        self.canvas = _Canvas(self, self.box, axes)
        self.plot: pg.PlotItem = self.canvas.getPlotItem()
        self._lines: list[_Line] = []
        self._marks: list[pg.GraphicsObject] = []
        self._live: pg.PlotCurveItem | None = None
        self._x_factor = 1.0
        self._later = QTimer(self)  # one thinning for all changes of one event
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._thin)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.readout)
        column.addWidget(self.canvas)
        self.setMinimumHeight(MIN_HEIGHT)
        self._set_up()
        self._connect()
        self.restyle()

    def _set_up(self) -> None:
        plot = self.plot
        plot.hideButtons()
        plot.setContentsMargins(0, 0, 8, 0)
        plot.disableAutoRange()
        self.canvas.setFrameShape(_Canvas.Shape.NoFrame)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for name in ("left", "bottom"):
            axis = plot.getAxis(name)
            axis.setStyle(tickLength=-4, tickTextOffset=4, maxTickLevel=0)
            axis.setZValue(-1)  # its grid lies below the curves
            axis.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        plot.getAxis("left").setWidth(AXIS_WIDTH)
        plot.showGrid(x=True, y=True, alpha=1.0)
        self.pointer_line = self.canvas.add_line()
        self.cursor_line = self.canvas.add_line()
        self.canvas.setToolTip(HELP)

    def _connect(self) -> None:
        self.box.scrubbed.connect(self.scrubbed)
        self.box.clicked.connect(self.clicked)
        self.box.reset.connect(self.reset)
        self.box.sigXRangeChanged.connect(self._on_range)
        self.box.stretch_chosen.connect(lambda x0, x1: self.set_x_range(x0, x1))
        self.box.menu_asked.connect(lambda at: self.menu_asked.emit(self, at))
        self.canvas.scene().sigMouseMoved.connect(self._on_mouse)
        self.canvas.left.connect(lambda: self.hovered.emit(None))

    def _on_range(self, _box: object, x_range: tuple[float, float]) -> None:
        self._later.start()
        self.range_changed.emit(self, float(x_range[0]), float(x_range[1]))

    def _on_mouse(self, at: QPointF) -> None:
        inside = self.box.sceneBoundingRect().contains(at)
        self.hovered.emit(float(self.box.mapSceneToView(at).x()) if inside else None)

    # -- what is shown

    def set_content(self, content: Chart, x_factor: float, x_unit: str) -> None:
        """Draw other curves. x_factor, x_unit: shown unit of the abscissa for each s or m, and its name."""
        self.content, self._x_factor = content, x_factor
        self.plot.getAxis("bottom").set_unit(x_unit)
        self.unit_label, self.factor = display_unit(content.y.unit, content.curves)
        self.readout.set_content(content, self.unit_label, self.factor)
        for item in (*(line.item for line in self._lines), *self._marks):
            self.plot.removeItem(item)
        self.plot.getAxis("left").setLogMode(content.y.log)
        self._marks = [*self._bands(), *self._levels(), *self._spans()]
        for item in self._marks:
            self.plot.addItem(item, ignoreBounds=True)
        self._lines = [self._add_line(curve, 5 - k / 100) for k, curve in enumerate(content.curves)]
        note = content.note + ("\n\n" if content.note else "") + HELP
        self.readout.setToolTip(note)
        self.fit_values()
        self._thin()

    def _add_line(self, curve: Curve, level: float) -> _Line:
        x = curve.x * self._x_factor
        y = curve.values * self.factor
        if self.content.y.log:
            y = np.log10(y)
        item = pg.PlotCurveItem(pen=self._pen(curve), antialias=True)
        item.setZValue(level)
        # The cursor then moves over ready pictures instead of drawing every curve again.
        item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.plot.addItem(item, ignoreBounds=True)
        increasing = curve.axis is None or curve.axis.increasing
        return _Line(item, x, y, increasing, bool(np.isfinite(y).all()))

    def draw_for_file(self, width: float) -> None:
        """Draw curves as lines of a width in pixels, without kept pictures."""
        self._cache_axes(QGraphicsItem.CacheMode.NoCache)
        for line in self._lines:
            line.item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
            pen = QPen(line.item.opts["pen"])
            pen.setWidthF(width)
            line.item.setPen(pen)

    def draw_for_screen(self) -> None:
        """Draw curves the fast way again."""
        self._cache_axes(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        for line, curve in zip(self._lines, self.content.curves, strict=True):
            line.item.setPen(self._pen(curve))
            line.item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def _cache_axes(self, mode: QGraphicsItem.CacheMode) -> None:
        for name in ("left", "bottom"):
            self.plot.getAxis(name).setCacheMode(mode)

    def _thin(self) -> None:
        """Give every curve the points that its stretch and width ask for."""
        x0, x1 = self.x_range()
        pixels = round(self.box.width() * self.devicePixelRatioF())
        for line in self._lines:
            x, y = line.x, line.y
            if line.increasing:
                x, y = thin(x, y, x0, x1, pixels)
            line.item.setData(x, y, skipFiniteCheck=line.finite, connect="all" if line.finite else "finite")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    @staticmethod
    def _pen(curve: Curve) -> QPen:
        """Width 1: wider pens are many times slower."""
        pen: QPen = pg.mkPen(QColor(colour(curve.colour)), width=1, style=LINES[pattern(curve)])
        return pen

    def _bands(self) -> list[pg.GraphicsObject]:
        items: list[pg.GraphicsObject] = []
        for band in self.content.bands:
            shade = QColor(theme.current().warn)
            shade.setAlphaF(0.04 + 0.14 * band.depth)
            low, high = (v * self.factor for v in (band.low, band.high))
            item = pg.LinearRegionItem(
                (low, high),
                orientation="horizontal",
                brush=shade,
                hoverBrush=shade,
                pen=pg.mkPen(None),
                movable=False,
            )
            item.setZValue(-10)
            items.append(item)
        return items

    def _levels(self) -> list[pg.GraphicsObject]:
        items: list[pg.GraphicsObject] = []
        colours = theme.current()
        behind = QColor(colours.base)
        behind.setAlphaF(0.7)
        for level in self.content.levels:
            y = level.value * self.factor
            line = pg.InfiniteLine(
                np.log10(y) if self.content.y.log else y,
                angle=0,
                pen=pg.mkPen(colour(level.colour), width=1, style=Qt.PenStyle.DashLine),
                label=level.text,
                labelOpts={
                    "position": 0.02,
                    "anchors": [(0, 0), (0, 1)],
                    "color": colours.muted,
                    "fill": behind,
                },
            )
            line.setZValue(6)  # its words can be read over the curves
            items.append(line)
        return items

    def _spans(self) -> list[pg.GraphicsObject]:
        items: list[pg.GraphicsObject] = []
        for span in self.content.spans:
            fill = QColor(colour(span.colour))
            fill.setAlphaF(0.25)
            item = pg.LinearRegionItem(
                (span.start * self._x_factor, span.end * self._x_factor),
                brush=fill,
                hoverBrush=fill,
                pen=pg.mkPen(colour(span.colour), width=1),  # keeps a window of milliseconds visible
                movable=False,
            )
            item.setZValue(1)
            items.append(item)
        return items

    def set_live(self, time: Array | None, values: Array | None = None, shade: str = "") -> None:
        """Draw the curve of a run in progress over the others: time (s), values (SI). None takes it away."""
        if time is None or values is None:
            if self._live is not None:
                self.plot.removeItem(self._live)
                self._live = None
            return
        if self._live is None:
            self._live = pg.PlotCurveItem(antialias=True)
            self._live.setZValue(8)
            self.plot.addItem(self._live, ignoreBounds=True)
        x, y = time * self._x_factor, values * self.factor
        self._live.setData(x, y, pen=pg.mkPen(shade, width=1))
        if not len(x):
            return
        # What grows stays in view.
        x0, x1 = self.x_range()
        (y0, y1) = self.box.viewRange()[1]
        if x[-1] > x1 or not self._lines:
            self.set_x_range(0.0 if not self._lines else x0, float(x[-1]) * 1.1)
        if not self._lines:
            y0, y1 = 0.0, 1e-3
        if y.min() < y0 or y.max() > y1:
            self.box.setYRange(min(y0, float(y.min())), max(y1, 1.06 * float(y.max())), padding=0.0)

    # -- ranges

    def extent(self) -> tuple[float, float] | None:
        """First and last abscissa of all curves, as drawn."""
        ends = [(line.x.min(), line.x.max()) for line in self._lines if len(line.x)]
        if not ends:
            return None
        return float(min(a for a, _ in ends)), float(max(b for _, b in ends))

    def set_x_range(self, x0: float, x1: float) -> None:
        self.box.setXRange(x0, x1, padding=0.0)

    def x_range(self) -> tuple[float, float]:
        x0, x1 = self.box.viewRange()[0]
        return float(x0), float(x1)

    def fit_values(self, x_range: tuple[float, float] | None = None) -> None:
        """Show all values, or those within a stretch of the abscissa."""
        low, high = np.inf, -np.inf
        for line in self._lines:
            y = line.y
            if x_range is not None:
                y = y[(line.x >= x_range[0]) & (line.x <= x_range[1])]
            y = y[np.isfinite(y)]
            if len(y):
                low, high = min(low, float(y.min())), max(high, float(y.max()))
        if low > high:
            return
        if self.content.y.log:
            # How far a level is away says most on a logarithmic axis.
            high = max([high, *(np.log10(level.value * self.factor) for level in self.content.levels)])
        elif max(abs(low), abs(high)) < TINY:
            low, high = -1.0, 1.0  # nothing but rounding
        room = high - low
        room = room * MARGIN if room > 0.0 else max(abs(high) * MARGIN, 1e-3)
        if not self.content.y.log:  # less would look like much, and no number beside the axis could tell
            room = max(room, 0.5 * (LEAST * max(abs(low), abs(high)) - (high - low)))
        self.box.setYRange(low - room, high + room, padding=0.0)

    # -- cursor

    def set_cursor(self, x: float | None) -> None:
        """Time cursor at an abscissa, as drawn; None hides it."""
        self.cursor_line.put(x)

    def set_pointer(self, x: float | None) -> None:
        """Line under the mouse, shared by all plots."""
        self.pointer_line.put(x)

    # -- looks

    def set_bottom(self, bottom: bool) -> None:
        """Whether the numbers of the abscissa stand below this plot."""
        axis = self.plot.getAxis("bottom")
        axis.setStyle(showValues=bottom)
        axis.setHeight(AXIS_HEIGHT if bottom else 4)

    def restyle(self) -> None:
        """Take the colours of the theme; curves get theirs with their content."""
        colours = theme.current()
        dress(self.canvas)
        self.cursor_line.pen = pg.mkPen(colours.cursor, width=1)
        self.pointer_line.pen = pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DotLine)
        self.readout.update()

    def sizeHint(self) -> QSize:
        return QSize(320, MIN_HEIGHT + HEIGHT)
