"""Trains painted with Qt from their left side: in the gallery and in the window that makes trains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from ...core.model.shapes import Shape
from ...core.model.train_drawing import bounds
from . import theme
from .blank import blank_picture

MARGIN = 8.0  # px


def paint_train(
    painter: QPainter, box: QRectF, shapes: tuple[Shape, ...], marked: Mapping[str, str] | None = None
) -> None:
    """Draw a train as large as it fits into a box (px); marked: colours of couplings or cars by name."""
    if not shapes:
        return
    c, marked = theme.current(), marked or {}
    x0, x1, z0, z1 = bounds(shapes)
    scale = min((box.width() - 2 * MARGIN) / (x1 - x0), (box.height() - 2 * MARGIN) / max(z1 - z0, 1e-6))
    left = box.center().x() - 0.5 * scale * (x1 - x0)
    low = box.center().y() + 0.5 * scale * (z1 - z0)

    def at(point: Sequence[float]) -> QPointF:
        return QPointF(left + scale * (point[0] - x0), low - scale * (point[1] - z0))

    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fills = {
        "hull": c.body,
        "wheel": c.steel,
        "rider": c.cloth,
        "rail": c.muted,
        "seat": c.muted,
        "block": c.steel,
    }
    for shape in shapes:
        colour = QColor(marked.get(shape.of, fills.get(shape.what, c.accent)))
        wide = {"hull": 1.0, "rail": 1.5, "rider": 2.0, "seat": 2.0, "wheel": 1.0}.get(shape.what, 2.5)
        painter.setPen(
            QPen(colour, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        if shape.radius:
            painter.setBrush(colour)
            size = max(scale * shape.radius, 1.5)
            painter.drawEllipse(at(shape.points[0]), size, size)
        elif shape.closed:
            fill = QColor(colour)
            fill.setAlpha(90 if shape.what == "hull" else 200)
            painter.setBrush(fill)
            painter.drawPolygon(QPolygonF([at(p) for p in shape.points]))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([at(p) for p in shape.points]))


def train_pixmap(shapes: tuple[Shape, ...], size: QSize, ratio: float) -> QPixmap:
    """A picture of a train on a plate, for a list."""
    picture = blank_picture(size, ratio, QColor(theme.current().base))
    painter = QPainter(picture)
    paint_train(painter, QRectF(0, 0, size.width(), size.height()), shapes)
    painter.end()
    return picture


class TrainPicture(QWidget):
    """A train from its side, as large as fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shapes: tuple[Shape, ...] = ()
        self.setMinimumHeight(96)
        self.setAccessibleName("Train from the left")

    def show_train(self, shapes: tuple[Shape, ...]) -> None:
        """Show another train."""
        self._shapes = shapes
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.current().base))
        paint_train(painter, QRectF(self.rect()), self._shapes)
        painter.end()
