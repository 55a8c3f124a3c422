"""Seats of a run seen along the axis of the body that carries them, coloured by what is left of the limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ..widgets import theme

EDGE, LEGEND = 26.0, 22.0  # px
NEAR = 0.1  # margin below which a seat is within 10 % of its limit
MEANS = ((1.0, "inside"), (0.05, "within 10 %"), (-1.0, "outside a limit"), (None, "not assessed"))


@dataclass(frozen=True)
class SeatSpot:
    """A seat on the map: its path, place (m) and direction (rad) in the plane, margin (None: not known), what its tool
    tip says, and whether a passenger is on it."""

    seat: str
    x: float
    y: float
    yaw: float
    margin: float | None
    text: str
    taken: bool


def colour_of(margin: float | None) -> QColor:
    """Bad beyond the limit, warning within a tenth of it, good inside; grey where nothing is known."""
    c = theme.current()
    if margin is None:
        return QColor(c.border)
    return QColor(c.bad if margin < 0.0 else c.warn if margin < NEAR else c.good)


class SeatMap(QWidget):
    """The map: forward is up, left is left. `chosen(seat)`: a seat was clicked, or reached by the arrow keys."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spots: tuple[SeatSpot, ...] = ()
        self.current = ""
        self.setMinimumSize(QSize(220, 160))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Seat map")

    def show_seats(self, spots: Sequence[SeatSpot], current: str) -> None:
        """Show seats, one of them chosen."""
        self.spots, self.current = tuple(spots), current
        self.update()

    def place_of(self, seat: str) -> QPointF:
        """Where a seat is drawn, px."""
        spot = next(one for one in self.spots if one.seat == seat)
        scale, middle = self._scale()
        return QPointF(middle.x() - scale * spot.y, middle.y() - scale * spot.x)

    def _scale(self) -> tuple[float, QPointF]:
        box = QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE - self._below())
        xs, ys = [s.x for s in self.spots], [s.y for s in self.spots]
        wide, high = max(ys) - min(ys) + 0.8, max(xs) - min(xs) + 0.8
        scale = max(1.0, min(box.width() / wide, box.height() / high))
        centre = box.center()
        return scale, QPointF(
            centre.x() + scale * 0.5 * (max(ys) + min(ys)), centre.y() + scale * 0.5 * (max(xs) + min(xs))
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.spots:
            return
        c = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(c.base))
        scale, _ = self._scale()
        half = max(5.0, min(0.27 * scale, 16.0))
        for spot in self.spots:
            painter.save()
            painter.translate(self.place_of(spot.seat))
            painter.rotate(-math.degrees(spot.yaw))
            painter.setBrush(colour_of(spot.margin))
            on = spot.seat == self.current
            painter.setPen(QPen(QColor(c.text if on else c.base), 2.5 if on else 1.0))
            painter.drawRoundedRect(QRectF(-half, -half, 2.0 * half, 2.0 * half), 3.0, 3.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.base))
            tip = [
                QPointF(-0.4 * half, -0.35 * half),
                QPointF(0.4 * half, -0.35 * half),
                QPointF(0.0, -0.8 * half),
            ]
            painter.drawPolygon(QPolygonF(tip))
            if not spot.taken:
                painter.drawEllipse(QPointF(0.0, 0.25 * half), 0.3 * half, 0.3 * half)
            painter.restore()
        self._legend(painter)
        painter.end()

    def _below(self) -> float:
        """Height (px) of the legend: of as many lines as its words need."""
        x, lines = 8.0, 1
        for _, text in MEANS:
            wide = 30.0 + self.fontMetrics().horizontalAdvance(text)
            x, lines = (x + wide, lines) if x == 8.0 or x + wide <= self.width() else (8.0 + wide, lines + 1)
        return lines * LEGEND

    def _legend(self, painter: QPainter) -> None:
        c = theme.current()
        left, y = 8.0, self.height() - self._below()
        x = left
        for margin, text in MEANS:
            wide = painter.fontMetrics().horizontalAdvance(text) + 14.0
            if x > left and x + 16.0 + wide > self.width():
                x, y = left, y + LEGEND
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour_of(margin))
            painter.drawRoundedRect(QRectF(x, y + 5.0, 11.0, 11.0), 2.0, 2.0)
            painter.setPen(QColor(c.text))
            painter.drawText(QRectF(x + 16.0, y, wide, LEGEND), Qt.AlignmentFlag.AlignVCenter, text)
            x += 16.0 + wide

    def _at(self, place: QPointF) -> SeatSpot | None:
        reach = max(8.0, 0.4 * self._scale()[0]) if self.spots else 0.0
        near = [(QPointF(self.place_of(s.seat) - place).manhattanLength(), s) for s in self.spots]
        near = [one for one in near if one[0] <= 2.0 * reach]
        return min(near, key=lambda one: one[0])[1] if near else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self._at(event.position())
        if spot is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(spot.seat)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(event.key())
        )
        names = [spot.seat for spot in self.spots]
        if step is None or self.current not in names:
            super().keyPressEvent(event)
            return
        self.chosen.emit(names[(names.index(self.current) + step) % len(names)])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            spot = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if spot is None else spot.text, self)
            return True
        return super().event(event)
