"""Upright lines that move over a plot, painted over the picture of its scene."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRect, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

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
