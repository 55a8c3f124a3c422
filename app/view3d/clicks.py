"""What a click in the 3D view selects, and the menu under the right button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QMenu

from ..document.document import Document
from ..document.playback import Playback
from .cameras import Mode
from .context_menu import add_way, view_menu
from .picking import column_at, place_at, thing_at
from .view import SceneView


class Clicks(QObject):
    """Answers the clicks in a view. `selecting`: one is being answered, so what is selected is seen already."""

    column_clicked = Signal(str)  # its name
    menu_filling = Signal(object, object)  # context menu, arc length (m) under the mouse or None

    def __init__(
        self,
        document: Document,
        playback: Playback,
        view: SceneView,
        frame: Callable[[], None],
        frame_all: Callable[[], None],
        use: Callable[[Mode], None],
    ) -> None:
        super().__init__(view)
        self._document, self._playback, self._view, self.selecting = document, playback, view, False
        self._frame, self._frame_all, self._use = frame, frame_all, use
        view.clicked.connect(self._on_click)
        view.double_clicked.connect(self._on_double_click)
        view.menu_wanted.connect(self._on_menu)

    def _on_click(self, x: float, y: float, _modifiers: object) -> None:
        self.selecting = True
        self._document.select(thing_at(self._view, x, y))
        self.selecting = False
        if self._document.selection.kind == "place":
            column = column_at(self._view, x, y)
            if column is not None:
                self.column_clicked.emit(column[0])

    def _on_double_click(self, x: float, y: float) -> None:
        self._document.select(thing_at(self._view, x, y))
        self._frame()

    def _on_menu(self, x: float, y: float) -> None:
        s = place_at(self._view, x, y)

        def fill(menu: QMenu) -> None:
            add_way(menu, self._document, self._playback, self._view.scene.built, s)
            self.menu_filling.emit(menu, s)

        menu = view_menu(self._view, self._frame, self._frame_all, self._use, fill)
        menu.popup(self._view.mapToGlobal(QPoint(round(x), round(y))))
