"""A place clicked in the 3D view for somebody who waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint

from ...core.base.arrays import Array
from ...core.edits.joining import Spot
from .click_tool import ClickTool
from .picking import first_hit
from .train_layer import Member

if TYPE_CHECKING:
    from .panel import ViewerPanel

CORNER = QPoint(16, 64)  # px, where it stands what is wanted


class PointPick(ClickTool):
    """Gives the place of the surface that is clicked next; Escape, another selection or another project forget it."""

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._then: Callable[[Array, tuple[str, ...]], None] | None = None
        self._words = ""
        self.clicked.connect(self._on_click)
        self.escaped.connect(self.forget)
        viewer.document.selection_changed.connect(lambda _selection: self._drop())
        viewer.document.begun.connect(self._drop)

    def ask(self, words: str, then: Callable[[Array], None]) -> None:
        """Say what is wanted and wait; then(place): called with the place (3,) m."""
        self._wait(words, lambda place, _path: then(place))

    def ask_spot(self, words: str, then: Callable[[Spot], None]) -> None:
        """The same for a place on a body, or on what stands still."""

        def on_body(place: Array, path: tuple[str, ...]) -> None:
            on = self._viewer.scene.train.frame_of("/".join(path)) if path else None
            x, y, z = (place if on is None else on.local(place)).tolist()
            then(Spot(path, (x, y, z)))

        self._wait(words, on_body)

    def _wait(self, words: str, then: Callable[[Array, tuple[str, ...]], None]) -> None:
        self._then, self._words = then, words
        self.take(True)
        self._viewer.plotter.setFocus()
        self._say(words)

    def forget(self) -> None:
        """Wait no longer."""
        self.take(False)
        self._then = None
        self._say("")

    def _drop(self) -> None:
        """What the place is for is gone."""
        if self.on:
            self.forget()

    def _on_click(self, x: float, y: float) -> None:
        hit, then = first_hit(self._viewer.plotter, x, y), self._then
        if hit is None or then is None:
            self._say(f"There is nothing at this place. {self._words}")
            return
        self.forget()
        then(hit[1], hit[0].path if isinstance(hit[0], Member) else ())

    def _say(self, words: str) -> None:
        self.label.say(words)
        self.label.move(CORNER)
