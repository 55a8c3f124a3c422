"""What a click in the 3D view selects, and the menu under the right button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from .context_menu import add_way, view_menu
from .picking import column_at, thing_at

if TYPE_CHECKING:
    from .panel import ViewerPanel


class Clicks(QObject):
    """Answers the clicks in a panel. `selecting`: one is being answered, so what is selected is seen already."""

    def __init__(self, panel: ViewerPanel) -> None:
        super().__init__(panel)
        self._panel, self.selecting = panel, False
        panel.plotter.clicked.connect(self._on_click)
        panel.plotter.double_clicked.connect(self._on_double_click)
        panel.plotter.menu_wanted.connect(self._on_menu)

    def _on_click(self, x: float, y: float, _modifiers: object) -> None:
        panel = self._panel
        self.selecting = True
        panel.document.select(thing_at(panel.plotter, x, y))
        self.selecting = False
        if panel.document.selection.kind == "place":
            column = column_at(panel.plotter, x, y)
            if column is not None:
                panel.column_clicked.emit(column[0])

    def _on_double_click(self, x: float, y: float) -> None:
        self._panel.document.select(thing_at(self._panel.plotter, x, y))
        self._panel.frame_selection()

    def _on_menu(self, x: float, y: float) -> None:
        panel = self._panel
        s = panel.place_at(x, y)

        def fill(menu: QMenu) -> None:
            add_way(menu, panel.document, panel.playback, panel.scene.built, s)
            panel.menu_filling.emit(menu, s)

        menu = view_menu(panel, panel.frame_selection, panel.frame_all, panel.use_camera, fill)
        menu.popup(panel.plotter.mapToGlobal(QPoint(round(x), round(y))))
