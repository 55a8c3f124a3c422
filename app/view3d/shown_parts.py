"""Which parts of the scene are shown, as the Show menu says; the choice is remembered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ..document.playback import Playback
from ..widgets.settings import Settings
from .over_view import OverView
from .show_menu import OVER
from .track_marks import TrackMarks
from .view import SceneView


class ShownParts(QObject):
    """Keeps the scene of a view to the Show menu over it; marks(): those along its track; changed(): something has been
    shown, hidden or scaled."""

    changed = Signal()

    def __init__(
        self,
        settings: Settings,
        playback: Playback,
        view: SceneView,
        over: OverView,
        marks: Callable[[], TrackMarks],
    ) -> None:
        super().__init__(view)
        self._settings, self._playback, self._view = settings, playback, view
        self._over, self._menu, self._marks = over, over.controls.show_menu, marks
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
            self._settings.set_value("viewer/show", self._menu.state())
        if self._view.ready:
            show()
            self.changed.emit()
            self._view.redraw()

    def _show(self, name: str) -> None:
        scene, on = self._view.scene, self._menu.boxes[name].isChecked()
        if name in ("forces", "accelerations"):
            scene.arrows.show(name, on)
            scene.arrows.show_time(self._playback.time)
        elif name == "contacts":
            scene.contacts.show(on)
        elif name in OVER:
            self._over.want(name, on)
        else:
            scene.track.show(name, on)

    def _show_sweep(self) -> None:
        self._marks().show_sweep(self._menu.sweep)

    def _show_bending(self) -> None:
        self._view.scene.flexible.exaggerate(self._menu.bending.currentData())
