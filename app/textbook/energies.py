"""The energies of the ball: bars of the moment and curves of the last seconds."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ..widgets import theme, units

NAMES: Final = ("Kinetic", "Potential", "Total")
KEPT = 10.0  # s of the curves
NAME_WIDTH, VALUE_WIDTH = 76.0, 76.0  # px
ROW = 26.0  # px


def energy_colours() -> tuple[str, str, str]:
    """Colours of kinetic, potential and total energy."""
    c = theme.current()
    return c.series[0], c.series[2], c.accent


class EnergyBars(QWidget):
    """Three bars from a common zero; potential energy below y = 0 reaches to the left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values = (0.0, 0.0, 0.0)
        self._low, self._high = 0.0, 1.0
        self.setFixedHeight(round(3 * ROW) + 4)

    def sizeHint(self) -> QSize:
        return QSize(320, round(3 * ROW) + 4)

    def set_range(self, low: float, high: float) -> None:
        """The smallest and largest energy (J) there can be."""
        self._low, self._high = min(low, 0.0), max(high, 1e-9)
        self.update()

    def show_values(self, kinetic: float, potential: float, total: float) -> None:
        """Show energies (J)."""
        self.values = (kinetic, potential, total)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        c = theme.current()
        font = QFont(self.font())
        font.setPixelSize(13)
        painter.setFont(font)
        room = max(20.0, self.width() - NAME_WIDTH - VALUE_WIDTH)
        scale = room / (self._high - self._low)
        zero = NAME_WIDTH - self._low * scale
        for k, (name, value, colour) in enumerate(zip(NAMES, self.values, energy_colours(), strict=True)):
            y = k * ROW
            painter.setPen(QColor(c.text))
            painter.drawText(QRectF(0.0, y, NAME_WIDTH, ROW), Qt.AlignmentFlag.AlignVCenter, name)
            end = min(max(zero + value * scale, NAME_WIDTH), NAME_WIDTH + room)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(
                QRectF(min(zero, end), y + 5.0, max(abs(end - zero), 1.0), ROW - 10.0), 2.0, 2.0
            )
            painter.setPen(QColor(c.text))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            text = units.text(value, "J", decimals=2)
            painter.drawText(QRectF(self.width() - VALUE_WIDTH, y, VALUE_WIDTH, ROW), right, text)
        painter.setPen(QPen(QColor(c.muted), 1.0))
        painter.drawLine(round(zero), 2, round(zero), round(3 * ROW) - 2)
        painter.end()


class EnergyCurves(QWidget):
    """The three energies over the last ten seconds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: deque[tuple[float, float, float, float]] = deque()
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.setMouseEnabled(False, False)
        self.plot.hideButtons()
        self.plot.setMinimumHeight(150)
        self.plot.addLegend(offset=(-4, 4), labelTextSize="8pt", colCount=3, horSpacing=12)
        self.curves = [self.plot.plot([], [], name=name, skipFiniteCheck=True) for name in NAMES]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot)
        self.restyle()

    def clear(self) -> None:
        """Begin anew."""
        self._rows.clear()
        self._draw()

    def set_range(self, low: float, high: float) -> None:
        """The smallest and largest energy (J) there can be."""
        ends = units.to_shown(low, "J"), units.to_shown(high, "J")
        room = 0.4 * max(ends[1] - ends[0], 1e-6)  # the legend has its place above
        self.plot.setYRange(ends[0] - 0.03 * room, ends[1] + room, padding=0.0)

    def add(self, time: float, kinetic: float, potential: float, total: float) -> None:
        """Add a moment (s, J)."""
        self._rows.append((time, kinetic, potential, total))
        while self._rows and self._rows[0][0] < time - KEPT:
            self._rows.popleft()
        self._draw()

    @property
    def count(self) -> int:
        """How many moments are drawn."""
        return len(self._rows)

    def _draw(self) -> None:
        table = np.array(self._rows).reshape(-1, 4)
        for k, curve in enumerate(self.curves):
            curve.setData(table[:, 0], units.to_shown(table[:, k + 1], "J"))
        end = max(KEPT, float(table[-1, 0])) if len(table) else KEPT
        self.plot.setXRange(end - KEPT, end, padding=0.0)

    def restyle(self) -> None:
        """Take the colours of the theme, and the units."""
        c = theme.current()
        self.plot.setBackground(c.base)
        for curve, colour in zip(self.curves, energy_colours(), strict=True):
            curve.setPen(pg.mkPen(colour, width=2))
        self.plot.plotItem.legend.setLabelTextColor(c.text)
        for side, text in (("left", f"Energy ({units.label('J')})"), ("bottom", "Time (s)")):
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(c.border)
            axis.setTextPen(c.muted)
            self.plot.setLabel(side, text, color=c.muted)
        self._draw()
