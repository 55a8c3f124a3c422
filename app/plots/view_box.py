"""How the mouse works in a plot: scrub, zoom, move; the same in every plot of the studio."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF, Qt, Signal

HELP = (
    "Click or drag: move the time cursor.  Wheel: zoom along the ride; with Ctrl: zoom the values.  "
    "Shift and drag: zoom to a stretch.  Middle button: move.  Double click: show everything."
)


class RideViewBox(pg.ViewBox):
    """The left button moves the cursor, the wheel zooms, the middle button moves, Shift takes a stretch."""

    scrubbed = Signal(float)  # abscissa under the mouse, as drawn
    clicked = Signal(float)  # the same, of a click that is no drag
    reset = Signal()
    stretch_chosen = Signal(float, float)
    moved_by_hand = Signal()
    menu_asked = Signal(QPoint)

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self.setDefaultPadding(0.0)
        self._from: float | None = None

    def _x(self, event: Any) -> float:
        return float(self.mapSceneToView(event.scenePos()).x())

    def mouseClickEvent(self, ev: Any) -> None:
        if ev.button() == Qt.MouseButton.RightButton:
            ev.accept()
            self.menu_asked.emit(ev.screenPos().toPoint())
        elif ev.button() == Qt.MouseButton.LeftButton and ev.double():
            ev.accept()
            self.reset.emit()
        elif ev.button() == Qt.MouseButton.LeftButton:
            ev.accept()
            self.scrubbed.emit(self._x(ev))
            self.clicked.emit(self._x(ev))

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        ev.accept()
        left = ev.button() == Qt.MouseButton.LeftButton
        if ev.isStart():
            shift = bool(ev.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            start = float(self.mapSceneToView(ev.buttonDownScenePos()).x())
            self._from = start if left and shift else None
        if left and self._from is not None:
            self._drag_stretch(ev, self._from)
        elif left and axis is None:
            self.scrubbed.emit(self._x(ev))
        else:
            self._pan(ev, axis)

    def _drag_stretch(self, ev: Any, start: float) -> None:
        """Show the chosen stretch while the button is down; zoom to it when it is let go."""
        if ev.isFinish():
            self.rbScaleBox.hide()
            self._from = None
            x0, x1 = sorted((start, self._x(ev)))
            if x1 > x0:
                self.stretch_chosen.emit(x0, x1)
            return
        (_, _), (y0, y1) = self.viewRange()
        x0, x1 = sorted((start, self._x(ev)))
        box = self.childGroup.mapRectFromParent(self.mapRectFromView(QRectF(x0, y0, x1 - x0, y1 - y0)))
        self.rbScaleBox.setPos(box.topLeft())
        self.rbScaleBox.setTransform(pg.QtGui.QTransform.fromScale(box.width(), box.height()))
        self.rbScaleBox.show()

    def _pan(self, ev: Any, axis: int | None) -> None:
        before, now = self.mapToView(ev.lastPos()), self.mapToView(ev.pos())
        shift = before - now
        if axis != 1:
            self.translateBy(x=shift.x())
        if axis != 0:
            self.translateBy(y=shift.y())
        self.moved_by_hand.emit()

    def wheelEvent(self, ev: Any, axis: int | None = None) -> None:
        values = axis == 1 or bool(ev.modifiers() & Qt.KeyboardModifier.ControlModifier)
        scale = 1.02 ** (ev.delta() * self.state["wheelScaleFactor"])
        centre = self.mapToView(ev.pos()) if axis is None else self.viewRect().center()
        self.scaleBy(x=None if values else scale, y=scale if values else None, center=centre)
        ev.accept()
        self.moved_by_hand.emit()
