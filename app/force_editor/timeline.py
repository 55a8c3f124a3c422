"""The timeline: three lanes of keyed curves over time or distance, painted and edited with the mouse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from ...core.base.arrays import Array
from ...core.base.sentence import written
from ...core.edits.force_keys import CHANNELS, ChannelName
from ..widgets import theme, units

TITLES: dict[ChannelName, str] = {
    "roll_rate": "Roll rate",
    "normal_g": "Normal g",
    "lateral_g": "Lateral g",
}
UNITS: dict[ChannelName, str] = {"roll_rate": "rad/s", "normal_g": "g", "lateral_g": "g"}
MIN_RANGE: dict[ChannelName, float] = {"roll_rate": 0.5, "normal_g": 1.0, "lateral_g": 0.5}
LEFT, RIGHT, RULER, GAP = 52.0, 16.0, 22.0, 6.0  # px
REACH = 9.0  # px around a key
DIAMOND = 6.0  # px
SAMPLES = 400


@dataclass(frozen=True)
class Lane:
    """A channel as drawn: keys (at, value) (k, 2), curve (n, 2), range of its values."""

    keys: Array
    curve: Array
    low: float
    high: float


def colour_of(channel: ChannelName) -> str:
    """The colour of a channel in the theme in use."""
    series = theme.current().series
    return series[CHANNELS.index(channel)]


def nice_step(span: float, parts: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides a span into about `parts`."""
    rough = max(span / max(parts, 1.0), 1e-9)
    size = 10.0 ** np.floor(np.log10(rough))
    return float(next(size * f for f in (1.0, 2.0, 5.0, 10.0) if size * f >= rough - 1e-12))


class Timeline(QWidget):
    """Three lanes over one axis.

    key_pressed(channel, number), key_dragged(channel, number, at, value), key_dropped(), drag_cancelled(),
    add_wanted(channel, at, value), menu_wanted(channel, number, place), delete_wanted(channel, number),
    cursor_moved(at).
    """

    key_pressed = Signal(str, int)
    key_dragged = Signal(str, int, float, float)
    key_dropped = Signal()
    drag_cancelled = Signal()
    add_wanted = Signal(str, float, float)
    menu_wanted = Signal(str, int, object)
    delete_wanted = Signal(str, int)
    cursor_moved = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Timeline of the forces")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(280, 150)
        self.extent, self.unit = 1.0, "s"
        self.lanes: dict[ChannelName, Lane] = {}
        self.cursor_at = 0.0
        self.selected: tuple[ChannelName, int] | None = None
        self._hovered: tuple[ChannelName, int] | None = None
        self._held: tuple[ChannelName, int] | None = None
        self._frozen: dict[ChannelName, tuple[float, float]] = {}  # ranges stay while a key is dragged
        self._scrubbing = False

    def sizeHint(self) -> QSize:
        return QSize(720, 220)

    def show_lanes(self, lanes: dict[ChannelName, Lane], extent: float, unit: str) -> None:
        """Draw other curves."""
        self.lanes, self.extent, self.unit = lanes, extent, unit
        self.cursor_at = min(self.cursor_at, extent)
        if self.selected is not None and self.selected[1] >= len(lanes[self.selected[0]].keys):
            self.selected = None
        self.update()

    # -- places

    def box(self, channel: ChannelName) -> QRectF:
        """The lane of a channel, px."""
        height = (self.height() - RULER - GAP * len(CHANNELS)) / len(CHANNELS)
        top = CHANNELS.index(channel) * (height + GAP)
        return QRectF(LEFT, top + GAP, self.width() - LEFT - RIGHT, height)

    def _range(self, channel: ChannelName) -> tuple[float, float]:
        if channel in self._frozen:
            return self._frozen[channel]
        lane = self.lanes[channel]
        return lane.low, lane.high

    def place(self, channel: ChannelName, at: float, value: float) -> QPointF:
        """Pixel of a place of a lane."""
        box, (low, high) = self.box(channel), self._range(channel)
        x = box.left() + at / self.extent * box.width()
        return QPointF(x, box.bottom() - (value - low) / (high - low) * box.height())

    def value_at(self, channel: ChannelName, position: QPointF) -> tuple[float, float]:
        """At (s or m) and value under a pixel of a lane."""
        box, (low, high) = self.box(channel), self._range(channel)
        at = (position.x() - box.left()) / box.width() * self.extent
        return float(np.clip(at, 0.0, self.extent)), low + (box.bottom() - position.y()) / box.height() * (
            high - low
        )

    def _key_at(self, position: QPointF) -> tuple[ChannelName, int] | None:
        best, found = REACH, None
        for channel, lane in self.lanes.items():
            for k, (at, value) in enumerate(lane.keys):
                apart = self.place(channel, at, value) - position
                if (size := float(np.hypot(apart.x(), apart.y()))) < best:
                    best, found = size, (channel, k)
        return found

    def _lane_at(self, position: QPointF) -> ChannelName | None:
        return next((c for c in self.lanes if self.box(c).adjusted(-4, -2, 4, 2).contains(position)), None)

    # -- mouse and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._key_at(event.position())
        if event.button() == Qt.MouseButton.RightButton and found is not None:
            self._pick(found)
            self.menu_wanted.emit(*found, event.globalPosition().toPoint())
        elif event.button() == Qt.MouseButton.LeftButton:
            self._pick(found)
            if found is not None:
                self._held = found
                self._frozen = {channel: self._range(channel) for channel in self.lanes}
            else:
                self._scrubbing = True
                self._scrub(event.position())

    def _pick(self, found: tuple[ChannelName, int] | None) -> None:
        self.selected = found
        if found is not None:
            self.cursor_at = float(self.lanes[found[0]].keys[found[1], 0])
            self.key_pressed.emit(*found)
            self.cursor_moved.emit(self.cursor_at)
        self.update()

    def _scrub(self, position: QPointF) -> None:
        if self.lanes:
            self.cursor_at = self.value_at(CHANNELS[0], position)[0]
            self.cursor_moved.emit(self.cursor_at)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            at, value = self.value_at(self._held[0], event.position())
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:  # only up and down
                at = float(self.lanes[self._held[0]].keys[self._held[1], 0])
            self.cursor_at = at
            self.key_dragged.emit(*self._held, at, value)
        elif self._scrubbing:
            self._scrub(event.position())
        else:
            hovered = self._key_at(event.position())
            if hovered != self._hovered:
                self._hovered = hovered
                self.setCursor(Qt.CursorShape.SizeAllCursor if hovered else Qt.CursorShape.ArrowCursor)
                self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held is not None:
            self._held = None
            self._frozen = {}
            self.key_dropped.emit()
        self._scrubbing = False
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        channel = self._lane_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and channel and self._key_at(event.position()) is None:
            self.add_wanted.emit(channel, *self.value_at(channel, event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.selected is not None:
            self.delete_wanted.emit(*self.selected)
        elif event.key() == Qt.Key.Key_Escape and self._held is not None:
            self._held, self._frozen = None, {}
            self.drag_cancelled.emit()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.current().panel))
        if not self.lanes:
            return
        font = painter.font()
        font.setPixelSize(11)
        painter.setFont(font)
        for channel in self.lanes:
            self._paint_lane(painter, channel)
        self._paint_ruler(painter)
        x = self.place(CHANNELS[0], self.cursor_at, 0.0).x()
        painter.setPen(QPen(QColor(theme.current().cursor), 1.0))
        painter.drawLine(QPointF(x, GAP), QPointF(x, self.height() - RULER))

    def _ticks(self) -> Array:
        size = units.shown(self.unit).size
        step = nice_step(self.extent / size, self.width() / 90.0) * size
        ticks: Array = np.arange(0.0, self.extent + 0.01 * step, step)
        return ticks

    def _paint_ruler(self, painter: QPainter) -> None:
        painter.setPen(QColor(theme.current().muted))
        for k, at in enumerate(self._ticks()):
            x = self.place(CHANNELS[0], float(at), 0.0).x()
            number = written(units.to_shown(float(at), self.unit), "g")
            text = f"{number} {units.label(self.unit)}" if k == 0 else number
            box = QRectF(x - 30.0, self.height() - RULER + 3.0, 60.0, RULER - 4.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, text)

    def _paint_lane(self, painter: QPainter, channel: ChannelName) -> None:
        c, box, lane = theme.current(), self.box(channel), self.lanes[channel]
        painter.fillRect(box, QColor(c.base))
        painter.setPen(QPen(QColor(c.grid), 1.0))
        for at in self._ticks():
            x = self.place(channel, float(at), 0.0).x()
            painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        self._paint_levels(painter, channel)
        painter.save()
        painter.setClipRect(box.adjusted(-DIAMOND, -2.0, DIAMOND, 2.0))
        colour = QColor(colour_of(channel))
        painter.setPen(QPen(colour, 2.0))
        points = [self.place(channel, float(at), float(value)) for at, value in lane.curve]
        painter.drawPolyline(QPolygonF(points))
        for k, (at, value) in enumerate(lane.keys):
            marked = (channel, k) in (self.selected, self._hovered)
            size = DIAMOND + (2.0 if marked else 0.0)
            middle = self.place(channel, float(at), float(value))
            shape = [(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)]
            painter.setPen(QPen(QColor(c.text if (channel, k) == self.selected else c.base), 1.5))
            painter.setBrush(colour)
            painter.drawPolygon(QPolygonF([middle + QPointF(*offset) for offset in shape]))
        painter.restore()

    def _paint_levels(self, painter: QPainter, channel: ChannelName) -> None:
        """Grid lines of values with their numbers."""
        c, box, (low, high) = theme.current(), self.box(channel), self._range(channel)
        size = units.shown(UNITS[channel]).size
        step = nice_step((high - low) / size, box.height() / 20.0) * size
        for value in np.arange(np.ceil(low / step) * step, high + 1e-9, step):
            y = self.place(channel, 0.0, float(value)).y()
            painter.setPen(QPen(QColor(c.border if abs(value) < 1e-9 else c.grid), 1.0))
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            if box.top() + 6.0 <= y <= box.bottom() - 4.0:
                painter.setPen(QColor(c.muted))
                text = written(units.to_shown(float(value), UNITS[channel]) + 0.0, "g").replace("-", "−")
                right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(QRectF(0.0, y - 8.0, LEFT - 6.0, 16.0), right, text)
