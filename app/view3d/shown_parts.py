"""Which parts of the scene are shown, as the Show menu says; the choice is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from .show_menu import OVER

if TYPE_CHECKING:
    from .panel import ViewerPanel


class ShownParts(QObject):
    """Keeps the scene of a panel to its Show menu; changed(): something has been shown, hidden or scaled."""

    changed = Signal()

    def __init__(self, panel: ViewerPanel) -> None:
        super().__init__(panel)
        self._panel, self._menu = panel, panel.show_menu
        self._menu.part_toggled.connect(lambda name, _on: self._follow(lambda: self._show(name)))
        self._menu.sweep_changed.connect(lambda _sweep: self._follow(self._show_sweep))
        self._menu.bending_changed.connect(lambda _factor: self._follow(self._show_bending, kept=False))

    def show_all(self) -> None:
        """Bring a new scene to what the menu says; the frame sweep comes with the track."""
        for name in self._menu.boxes:
            self._show(name)
        self._show_bending()

    def _follow(self, show: Callable[[], None], *, kept: bool = True) -> None:
        if kept:
            self._panel.settings.set_value("viewer/show", self._menu.state())
        if self._panel.plotter.ready:
            show()
            self.changed.emit()
            self._panel.plotter.redraw()

    def _show(self, name: str) -> None:
        scene, on = self._panel.scene, self._menu.boxes[name].isChecked()
        if name in ("forces", "accelerations"):
            scene.arrows.show(name, on)
            scene.arrows.show_time(self._panel.playback.time)
        elif name == "contacts":
            scene.contacts.show(on)
        elif name in OVER:
            self._panel.over.want(name, on)
        else:
            scene.track.show(name, on)

    def _show_sweep(self) -> None:
        self._panel.track_marks.show_sweep(self._menu.sweep)

    def _show_bending(self) -> None:
        self._panel.scene.flexible.exaggerate(self._menu.bending.currentData())
