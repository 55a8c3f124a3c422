"""A tool that takes the clicks in the 3D view while it is on; drags turn the camera as ever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from ..widgets.drag_label import DragLabel
from .view import CLICK, TURN

if TYPE_CHECKING:
    from .panel import ViewerPanel


class ClickTool(QObject):
    """on: whether clicks are its own. clicked(x, y): the left button was pressed and released at a pixel; escaped():
    Escape was pressed. `label` writes over the view."""

    clicked = Signal(float, float)
    escaped = Signal()

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._viewer = viewer
        self.on = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self.label = DragLabel(viewer)
        viewer.install_mouse_filter(self)  # the last one installed is asked first

    def take(self, on: bool) -> None:
        """Begin or end taking clicks."""
        self.on, self._pressed = on, None
        self._viewer.plotter.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not self.on:
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if pressed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            self.escaped.emit()
            return True
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        """The left button is the tool's: a click is told, a drag turns the camera."""
        kind, here = event.type(), event.position()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._last = here
            return True
        if self._pressed is None:
            return False
        still = (here - self._pressed).manhattanLength() < CLICK
        if kind == QEvent.Type.MouseMove and not still:
            step, self._last = here - self._last, here
            self._viewer.scene.rig.rotate(TURN * step.x(), TURN * step.y())
            self._viewer.plotter.redraw()
        elif kind == QEvent.Type.MouseButtonRelease:
            self._pressed = None
            if still:
                self.clicked.emit(here.x(), here.y())
        return True
