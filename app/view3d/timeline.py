"""The timeline of the playback strip: scrub with the mouse or keys, Shift and drag sets the stretch to loop."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ...core.base.arrays import Array
from ..document.playback import Playback
from ..widgets import theme
from ..widgets.blank import blank_picture

HEIGHT = 36  # px
LINE = 13.0  # px from the top to the line
SIDE = 8.0  # px left and right of the line
KNOB = 6.0  # px
MARK_REACH, MARKS_BELOW = 5.0, 14.0  # px: beside a mark, and where marks begin


def tick_spacing(duration: float, width: float) -> float:
    """Seconds between two labelled ticks so that they lie at least 64 px apart."""
    least = duration * 64.0 / max(width, 1.0)
    power = 10.0 ** math.floor(math.log10(max(least, 1e-3)))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least)


class Timeline(QWidget):
    """The line of time with the cursor of the playback, the loop, and a small curve of the speed behind it."""

    def __init__(self, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._curve: tuple[Array, Array] | None = None
        self._marks: list[tuple[float, str]] = []
        self._version = 0  # of curve and marks
        self._loop_from: float | None = None
        self._dragging = False
        self._painted_at = 0.0  # px
        self._picture = QPixmap()  # all but the cursor, which alone moves while a run is played
        self._pictured: tuple[object, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(120)
        self.setAccessibleName("Time of the ride")
        self._tip = "Drag to scrub. Shift and drag sets a stretch to loop, double-click ends the loop."
        self.setToolTip(self._tip)
        playback.time_changed.connect(self._on_time)
        playback.state_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(480, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    def set_curve(self, time: Array | None, values: Array | None) -> None:
        """Draw a curve behind the line: time (n,) s and values (n,); None for none."""
        self._curve = None
        if time is not None and values is not None and len(time) > 1:
            grid = np.linspace(time[0], time[-1], 240)
            shown = np.interp(grid, time, values)
            span = max(float(np.ptp(shown)), 1e-9)
            self._curve = grid, (shown - shown.min()) / span
        self._version += 1
        self.update()

    def set_marks(self, marks: list[tuple[float, str]]) -> None:
        """Mark instants (s) at which something happened, with what it was; a click on a mark goes there."""
        self._marks = marks
        self._version += 1
        self.setMouseTracking(bool(marks))
        self.update()

    def mark_at(self, x: float) -> tuple[float, str] | None:
        """The mark under a pixel, the nearest of several."""
        near = [mark for mark in self._marks if abs(self.x_of(mark[0]) - x) <= MARK_REACH]
        return min(near, key=lambda mark: abs(self.x_of(mark[0]) - x), default=None)

    def time_at(self, x: float) -> float:
        """Time (s) under a pixel."""
        share = (x - SIDE) / max(self.width() - 2.0 * SIDE, 1.0)
        return float(np.clip(share, 0.0, 1.0)) * self._playback.duration

    def x_of(self, time: float) -> float:
        """Pixel of a time (s)."""
        share = time / self._playback.duration if self._playback.duration > 0.0 else 0.0
        return SIDE + share * (self.width() - 2.0 * SIDE)

    # -- events

    def _on_time(self, time: float) -> None:
        """Paint again what lies between the old place of the cursor and the new one."""
        here = self.x_of(time)
        first, last = sorted((here, self._painted_at))
        room = KNOB + 3.0
        self.update(QRectF(first - room, 0.0, last - first + 2.0 * room, self.height()).toAlignedRect())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._playback.duration <= 0.0:
            return
        mark = self.mark_at(event.position().x()) if event.position().y() > MARKS_BELOW else None
        here = self.time_at(event.position().x()) if mark is None else mark[0]
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._loop_from = here
        else:
            self._dragging = mark is None
            self._playback.seek(here)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = self.time_at(event.position().x())
        if self._loop_from is not None:
            self._playback.set_loop(self._loop_from, here)
        elif self._dragging:
            self._playback.seek(here)
        elif not event.buttons():
            mark = self.mark_at(event.position().x())
            text = self._tip if mark is None else f"{mark[0]:.3f} s: {mark[1]}"
            if text != self.toolTip():
                self.setToolTip(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._loop_from, self._dragging = None, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._playback.set_loop(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        big = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Left:
                self._playback.step(-30 if big else -1)
            case Qt.Key.Key_Right:
                self._playback.step(30 if big else 1)
            case Qt.Key.Key_Home:
                self._playback.seek(0.0)
            case Qt.Key.Key_End:
                self._playback.seek(self._playback.duration)
            case _:
                event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        c, ratio, duration = theme.current(), self.devicePixelRatioF(), self._playback.duration
        looks = (c.name, ratio, self.size(), self.font().key(), duration, self._playback.loop, self._version)
        if looks != self._pictured:
            self._pictured, self._picture = looks, self._paint_still(c, ratio, duration)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._picture)
        if duration > 0.0:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            here = self._painted_at = self.x_of(self._playback.time)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.accent))
            painter.drawRoundedRect(QRectF(SIDE, LINE - 2.0, here - SIDE, 4.0), 2.0, 2.0)
            painter.setPen(QPen(QColor(c.accent_text), 1.0))
            size = KNOB + (1.5 if self.hasFocus() else 0.0)
            painter.drawEllipse(QPointF(here, LINE), size, size)
        painter.end()

    def _paint_still(self, c: theme.Colours, ratio: float, duration: float) -> QPixmap:
        """Curve, line, loop, marks and ticks as a picture."""
        picture = blank_picture(self.size(), ratio)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._curve is not None and duration > 0.0:
            self._paint_curve(painter, c)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.border))
        painter.drawRoundedRect(QRectF(SIDE, LINE - 2.0, self.width() - 2.0 * SIDE, 4.0), 2.0, 2.0)
        if duration > 0.0:
            if self._playback.loop is not None:
                first, last = (self.x_of(t) for t in self._playback.loop)
                painter.setBrush(QColor(c.highlight))
                painter.drawRect(QRectF(first, LINE - 5.0, last - first, 10.0))
            self._paint_marks(painter, c)
            self._paint_ticks(painter, c, duration)
        painter.end()
        return picture

    def _paint_marks(self, painter: QPainter, c: theme.Colours) -> None:
        """A small triangle below the line for every mark; those that fall on one pixel are one."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.highlight))
        for x in sorted({round(self.x_of(time)) for time, _ in self._marks}):
            corners = (QPointF(x, LINE + 3.0), QPointF(x - 4.0, LINE + 9.0), QPointF(x + 4.0, LINE + 9.0))
            painter.drawPolygon(QPolygonF(list(corners)))

    def _paint_curve(self, painter: QPainter, c: theme.Colours) -> None:
        assert self._curve is not None
        time, height = self._curve
        base = QPointF(self.x_of(float(time[0])), LINE)
        outline = [
            QPointF(self.x_of(float(t)), LINE - 1.0 - 12.0 * float(h))
            for t, h in zip(time, height, strict=True)
        ]
        shade = QColor(c.muted)
        shade.setAlpha(60)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawPolygon(QPolygonF([base, *outline, QPointF(self.x_of(float(time[-1])), LINE)]))

    def _paint_ticks(self, painter: QPainter, c: theme.Colours, duration: float) -> None:
        step = tick_spacing(duration, self.width() - 2.0 * SIDE)
        font = QFont(self.font())
        font.setPixelSize(11)
        painter.setFont(font)
        painter.setPen(QColor(c.muted))
        decimals = 0 if step >= 1.0 else 1 if step >= 0.1 else 2
        for k in range(int(duration / step + 1e-9) + 1):
            x = self.x_of(k * step)
            painter.drawLine(QPointF(x, LINE + 7.0), QPointF(x, LINE + 10.0))
            label = f"{k * step:.{decimals}f} s"
            place = QRectF(x - 32.0, LINE + 9.0, 64.0, 14.0)
            place.moveLeft(min(max(place.left(), 0.0), self.width() - 64.0))
            side = Qt.AlignmentFlag.AlignLeft if k == 0 else Qt.AlignmentFlag.AlignHCenter
            if k == 0:
                place.moveLeft(SIDE - 2.0)
            painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, label)
