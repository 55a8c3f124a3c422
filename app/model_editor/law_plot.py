"""A small plot of force over travel in the inspector, drawn from the law that the equations use."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from ...core.model.law_curves import LawCurve
from ..widgets import theme, units

HEIGHT, LEFT, BELOW, ABOVE, RIGHT = 190, 46.0, 32.0, 20.0, 8.0  # px
TICKS = 4  # to either side, or a little fewer


class LawPlot(QWidget):
    """Curves of a law, tension upwards, stretch to the right; the way back is dashed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curves: tuple[LawCurve, ...] = ()
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName("Force over travel")
        self.setToolTip(
            "Force over travel as the equations have it; tension and stretch positive. At rest, without dashpots; where"
            " loading and unloading differ, at five times the transition rate, the way back dashed"
        )

    def show_curves(self, curves: tuple[LawCurve, ...]) -> None:
        """Show other curves."""
        self.curves = curves
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.curves:
            return
        c = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(c.base))
        font = painter.font()
        font.setPointSizeF(0.85 * font.pointSizeF())
        painter.setFont(font)
        x = np.concatenate([curve.travel for curve in self.curves])
        y = np.concatenate([curve.force for curve in self.curves])
        wide, high = float(np.abs(x).max()) or 1.0, 1.05 * float(np.abs(y).max()) or 1.0
        box = QRectF(LEFT, ABOVE, self.width() - LEFT - RIGHT, HEIGHT - ABOVE - BELOW)
        self._axes(painter, box, wide, high)
        painter.setClipRect(box)
        names = list(dict.fromkeys(curve.name for curve in self.curves))
        for curve in self.curves:
            colour = QColor(c.series[names.index(curve.name) % len(c.series)])
            style = Qt.PenStyle.DashLine if curve.back else Qt.PenStyle.SolidLine
            painter.setPen(QPen(colour, 1.8, style))
            px = box.center().x() + 0.5 * box.width() * curve.travel / wide
            py = box.center().y() - 0.5 * box.height() * curve.force / high
            painter.drawPolyline(
                QPolygonF([QPointF(a, b) for a, b in zip(px.tolist(), py.tolist(), strict=True)])
            )
        painter.setClipping(False)
        self._names(painter, names)
        painter.end()

    def _names(self, painter: QPainter, names: list[str]) -> None:
        c, left = theme.current(), LEFT
        for k, name in enumerate(names):
            if name:
                painter.setPen(QColor(c.series[k % len(c.series)]))
                wide = painter.fontMetrics().horizontalAdvance(name) + 10.0
                painter.drawText(QRectF(left, 1.0, wide, ABOVE - 2.0), Qt.AlignmentFlag.AlignVCenter, name)
                left += wide

    def _axes(self, painter: QPainter, box: QRectF, wide: float, high: float) -> None:
        c = theme.current()
        length, force = units.shown("mm"), units.shown("kN")
        for horizontal, maximum, unit in ((True, wide, length), (False, high, force)):
            step = _step(1.2 * maximum / unit.size / TICKS) * unit.size
            count = math.floor(maximum / step + 1e-9)
            for k in range(-count, count + 1):
                share = k * step / maximum
                painter.setPen(QPen(QColor(c.grid if k else c.border), 1.0))
                text = f"{k * step / unit.size:g}".replace("-", "−")
                at = box.center().x() + 0.5 * box.width() * share
                level = box.center().y() - 0.5 * box.height() * share
                if horizontal:
                    painter.drawLine(QPointF(at, box.top()), QPointF(at, box.bottom()))
                    position = QRectF(at - 30.0, box.bottom() + 1.0, 60.0, 14.0)
                    align = Qt.AlignmentFlag.AlignHCenter
                else:
                    painter.drawLine(QPointF(box.left(), level), QPointF(box.right(), level))
                    position = QRectF(0.0, level - 8.0, LEFT - 5.0, 16.0)
                    align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.setPen(QColor(c.muted))
                painter.drawText(position, align, text)
        painter.setPen(QColor(c.muted))
        below = QRectF(box.left(), box.bottom() + 15.0, box.width(), 16.0)
        sentence = f"travel ({units.label('mm')}), force ({units.label('kN')})"
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, sentence)


def _step(raw: float) -> float:
    """A round number near `raw`: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(raw))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if raw <= m * power * 1.0000001)
