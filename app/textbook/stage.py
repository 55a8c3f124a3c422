"""The stage: the curve and the ball, which is dragged anywhere and rides from there."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from ...core.base.arrays import Array
from ..widgets import theme, units
from ..widgets.blank import blank_picture

POINTS = 600  # of the drawn curve
ROOM = 36  # px around the curve
BALL = 11.0  # px, radius
ARROW = 0.12  # m of arrow per m/s
BAR = 80  # px, length of the scale is at most this


class Stage(QWidget):
    """Draws curve, ball and speed in metres; `dragged` carries the place (x, y) m under the mouse."""

    dragged = Signal(float, float)
    taken = Signal()  # the ball was taken
    let_go = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumSize(360, 300)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName("Track with the ball; drag the ball anywhere")
        self._curve: Array = np.zeros((2, 2))
        self._scale, self._origin = 100.0, QPointF()
        self._still: QPixmap | None = None
        self._ball = (0.0, 0.0)
        self._velocity = (0.0, 0.0)
        self._beside: tuple[float, float] | None = None
        self._held = False

    def sizeHint(self) -> QSize:
        return QSize(560, 460)

    def show_curve(self, points: Array) -> None:
        """Draw another curve (n, 2) m."""
        self._curve = points
        self._fit()

    def show_ball(
        self,
        position: tuple[float, float],
        velocity: tuple[float, float],
        beside: tuple[float, float] | None = None,
    ) -> None:
        """Put the ball at a position (m) with a velocity (m/s); beside: where that of the method of chords is."""
        self._ball, self._velocity, self._beside = position, velocity, beside
        self.update()

    def pixel(self, x: float, y: float) -> QPointF:
        """Where a place (m) is drawn."""
        return QPointF(self._origin.x() + x * self._scale, self._origin.y() - y * self._scale)

    def place(self, pixel: QPointF) -> tuple[float, float]:
        """The place (m) under a pixel."""
        return (
            (pixel.x() - self._origin.x()) / self._scale,
            (self._origin.y() - pixel.y()) / self._scale,
        )

    def _fit(self) -> None:
        low, high = self._curve.min(axis=0), self._curve.max(axis=0)
        size = np.maximum(high - low, 1e-6)
        wide, tall = max(self.width() - 2 * ROOM, 10), max(self.height() - 2 * ROOM - 16, 10)
        self._scale = float(min(wide / size[0], tall / size[1]))
        middle = 0.5 * (low + high)
        self._origin = QPointF(
            0.5 * self.width() - float(middle[0]) * self._scale,
            0.5 * self.height() - 8.0 + float(middle[1]) * self._scale,
        )
        self._still = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def restyle(self) -> None:
        """Take the colours of the theme."""
        self._still = None
        self.update()

    # -- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._still is None:
            self._still = self._paint_still()
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._still)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = theme.current()
        at = self.pixel(*self._ball)
        tip = self.pixel(self._ball[0] + ARROW * self._velocity[0], self._ball[1] + ARROW * self._velocity[1])
        if (tip - at).manhattanLength() > 6.0:
            _arrow(painter, at, tip, QColor(c.series[0]))
        if self._beside is not None:
            painter.setPen(QPen(QColor(c.series[1]), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(self.pixel(*self._beside), BALL, BALL)
        painter.setPen(QPen(QColor(c.base), 2.0))
        painter.setBrush(QColor(c.highlight))
        painter.drawEllipse(at, BALL, BALL)
        painter.end()

    def _paint_still(self) -> QPixmap:
        """Everything but the ball, once for many pictures."""
        ratio = self.devicePixelRatioF()
        c = theme.current()
        picture = blank_picture(self.size(), ratio, QColor(c.base))
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QPolygonF([self.pixel(float(x), float(y)) for x, y in self._curve])
        painter.setPen(QPen(QColor(c.accent), 4.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(line)
        self._paint_scale(painter)
        painter.end()
        return picture

    def _paint_scale(self, painter: QPainter) -> None:
        """A bar of a round length in the lower left corner."""
        c = theme.current()
        step = units.from_shown(1.0, "m")
        length = next(
            (k * step for k in (5.0, 2.0, 1.0, 0.5, 0.2) if k * step * self._scale <= BAR), 0.1 * step
        )
        x, y = 16.0, self.height() - 14.0
        end = x + length * self._scale
        painter.setPen(QPen(QColor(c.muted), 1.5))
        painter.drawLine(QPointF(x, y), QPointF(end, y))
        for at in (x, end):
            painter.drawLine(QPointF(at, y - 4.0), QPointF(at, y + 4.0))
        font = QFont(self.font())
        font.setPixelSize(12)
        painter.setFont(font)
        text = units.text(length, "m", decimals=1)
        painter.drawText(QRectF(end + 8.0, y - 9.0, 120.0, 18.0), Qt.AlignmentFlag.AlignVCenter, text)

    # -- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._held = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.taken.emit()
            self.dragged.emit(*self.place(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held:
            self.dragged.emit(*self.place(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held and event.button() == Qt.MouseButton.LeftButton:
            self._held = False
            self.setCursor(Qt.CursorShape.OpenHandCursor)
            self.let_go.emit()


def _arrow(painter: QPainter, start: QPointF, tip: QPointF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 3.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(start, tip)
    way = np.array([tip.x() - start.x(), tip.y() - start.y()])
    way /= np.linalg.norm(way)
    side = np.array([-way[1], way[0]])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corners = [np.array([tip.x(), tip.y()]) + a * way + b * side for a, b in ((7, 0), (-4, 6), (-4, -6))]
    painter.drawPolygon(QPolygonF([QPointF(float(x), float(y)) for x, y in corners]))
