"""Forces of all couplings of a run at a glance: largest ones by number, and force over the ride as colours."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from ...core.charts.abscissa import Abscissa
from ...core.charts.couplings import CouplingForces
from ..view3d.coupling_layer import force_colour
from ..widgets import theme, units

NAMES, BARS, GAP, HEAD, FOOT = 96.0, 150.0, 14.0, 22.0, 24.0  # px
MIN_ROW, MAX_ROW = 12.0, 34.0  # px, of a row


class CouplerChart(QWidget):
    """A row a coupling, front one above: bars of its largest forces, the tick of now, and the ride in colours.

    peak_chosen(row, time): a bar was clicked; moment_chosen(row, time): the map was.
    """

    peak_chosen = Signal(int, float)
    moment_chosen = Signal(int, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.forces: CouplingForces | None = None
        self._axis: Abscissa | None = None
        self._now = 0.0
        self._map: QImage | None = None
        self.setAccessibleName("Forces of all couplings")
        self.setMinimumWidth(420)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_forces(self, forces: CouplingForces | None, axis: Abscissa | None = None) -> None:
        """Show the couplings of another run, over its abscissa."""
        self.forces, self._axis, self._map = forces, axis, None
        rows = 0 if forces is None else len(forces.names)
        self.setMinimumHeight(int(HEAD + FOOT + MIN_ROW * rows))
        self.update()

    def show_time(self, time: float) -> None:
        """Move the cursor (s)."""
        self._now = time
        self.update()

    # -- places

    def _height(self) -> float:
        assert self.forces is not None
        return min(MAX_ROW, max(MIN_ROW, (self.height() - HEAD - FOOT) / max(1, len(self.forces.names))))

    def _bars(self) -> QRectF:
        assert self.forces is not None
        return QRectF(NAMES, HEAD, BARS, self._height() * len(self.forces.names))

    def _map_box(self) -> QRectF:
        bars = self._bars()
        left = bars.right() + GAP
        return QRectF(left, HEAD, max(40.0, self.width() - left - 10.0), bars.height())

    def bar_place(self, row: int, *, tension: bool) -> QPointF:
        """Where to click for the largest tension or compression of a coupling (px)."""
        box = self._bars()
        return QPointF(box.center().x() + (6.0 if tension else -6.0), HEAD + (row + 0.5) * self._height())

    def _span(self) -> tuple[float, float]:
        assert self.forces is not None
        x = self._axis.x_of(self.forces.time)
        return float(x.min()), float(x.max())

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        c = theme.current()
        painter.fillRect(self.rect(), QColor(c.base))
        if self.forces is not None and self.forces.names:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            font = painter.font()
            font.setPointSizeF(0.88 * font.pointSizeF())
            painter.setFont(font)
            self._paint_heads(painter)
            self._paint_bars(painter)
            self._paint_map(painter)
        painter.end()

    def _paint_heads(self, painter: QPainter) -> None:
        assert self.forces is not None
        c, bars, box = theme.current(), self._bars(), self._map_box()
        painter.setPen(QColor(c.muted))
        middle = Qt.AlignmentFlag.AlignCenter
        most = units.text(self.forces.most, "kN", decimals=1)
        painter.drawText(
            QRectF(bars.left() - 20.0, 2.0, bars.width() + 40.0, 18.0), middle, f"largest, ± {most}"
        )
        place = self._axis.kind == "place"
        unit = "m" if place else "s"
        said = "arc length of the first car" if place else "time"
        painter.drawText(QRectF(box.left(), 2.0, box.width(), 18.0), middle, f"force over {said}")
        low, high = self._span()
        for value, align in ((low, Qt.AlignmentFlag.AlignLeft), (high, Qt.AlignmentFlag.AlignRight)):
            painter.drawText(
                QRectF(box.left(), box.bottom() + 3.0, box.width(), 16.0),
                align,
                units.text(value, unit, decimals=1),
            )
        painter.setPen(QColor(c.text))
        for k, name in enumerate(self.forces.names):
            row = QRectF(6.0, HEAD + k * self._height(), NAMES - 12.0, self._height())
            text = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, int(row.width()))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_bars(self, painter: QPainter) -> None:
        assert self.forces is not None
        c, box, most = theme.current(), self._bars(), self.forces.most or 1.0
        zero, half = box.center().x(), 0.5 * box.width()
        for k in range(len(self.forces.names)):
            top = HEAD + k * self._height() + 2.0
            high = self._height() - 4.0
            for tension in (True, False):
                force = float(self.forces.force[k, self.forces.peak(k, tension)])
                if (force > 0.0) == tension and force != 0.0:
                    wide = half * abs(force) / most
                    left = zero if tension else zero - wide
                    painter.fillRect(QRectF(left, top, wide, high), QColor(c.series[0 if tension else 1]))
            now = float(np.interp(self._now, self.forces.time, self.forces.force[k]))
            painter.setPen(QPen(QColor(c.cursor), 2.0))
            x = zero + half * now / most
            painter.drawLine(QPointF(x, top - 1.0), QPointF(x, top + high + 1.0))
        painter.setPen(QPen(QColor(c.border), 1.0))
        painter.drawLine(QPointF(zero, box.top()), QPointF(zero, box.bottom()))

    def _paint_map(self, painter: QPainter) -> None:
        assert self.forces is not None
        box = self._map_box()
        wide = int(box.width())
        if self._map is None or self._map.width() != wide:
            self._map = self._picture(wide)
        painter.drawImage(box, self._map)
        low, high = self._span()
        x = float(self._axis.x_of(np.array([self._now]))[0])
        if high > low:
            at = box.left() + box.width() * (x - low) / (high - low)
            painter.setPen(QPen(QColor(theme.current().cursor), 1.5))
            painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))

    def _picture(self, wide: int) -> QImage:
        """A line of pixels a coupling, each in the colour of the largest force within it."""
        assert self.forces is not None
        c, forces = theme.current(), self.forces
        shades = [QColor(force_colour(f, 1.0, c)).rgb() for f in np.linspace(-1.0, 1.0, 201)]
        image = QImage(wide, len(forces.names), QImage.Format.Format_RGB32)
        low, high = self._span()
        x = self._axis.x_of(forces.time)
        column = np.clip(((x - low) / max(high - low, 1e-12) * wide).astype(int), 0, wide - 1)
        for k in range(len(forces.names)):
            values = np.zeros(wide)
            known = np.zeros(wide, dtype=bool)
            order = np.argsort(np.abs(forces.force[k]))
            values[column[order]] = forces.force[k][order]
            known[column] = True
            values = np.interp(np.arange(wide), np.flatnonzero(known), values[known])
            for n, value in enumerate(
                (100.0 * (1.0 + values / (forces.most or 1.0))).round().astype(int).tolist()
            ):
                image.setPixel(n, k, shades[min(200, max(0, value))])
        return image

    # -- mouse

    def _row_at(self, y: float) -> int | None:
        if self.forces is None:
            return None
        row = int((y - HEAD) // self._height())
        return row if 0 <= row < len(self.forces.names) else None

    def _moment_at(self, place: QPointF) -> tuple[int, float, bool] | None:
        """Row and time (s) under a place, and whether it is that of a peak."""
        row = self._row_at(place.y())
        if row is None or self.forces is None:
            return None
        bars, box = self._bars(), self._map_box()
        if place.x() <= bars.right():
            tension = place.x() >= bars.center().x()
            if place.x() < bars.left():  # its name: the larger of both
                tension = bool(self.forces.force[row].max() >= -self.forces.force[row].min())
            return row, float(self.forces.time[self.forces.peak(row, tension)]), True
        if place.x() < box.left():
            return None
        low, high = self._span()
        x = low + (high - low) * min(1.0, (place.x() - box.left()) / box.width())
        time = self._axis.time_of(x, self._now)
        return None if time is None else (row, time, False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._moment_at(event.position())
        if found is not None and event.button() == Qt.MouseButton.LeftButton:
            row, time, peak = found
            (self.peak_chosen if peak else self.moment_chosen).emit(row, time)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self._moment_at(QPointF(event.pos()))
            if found is not None and self.forces is not None:
                row, time, peak = found
                force = float(np.interp(time, self.forces.time, self.forces.force[row]))
                kind = "tension" if force > 0.0 else "compression" if force < 0.0 else "no force"
                said = f"{self.forces.names[row]}: {units.text(abs(force), 'kN', decimals=2)} {kind}"
                what = "largest; click to be there" if peak else "click to be there"
                QToolTip.showText(event.globalPos(), f"{said} at {time:.2f} s ({what})", self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
