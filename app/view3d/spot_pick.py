"""Points of flexible bodies: a click tells which, and the one that is spoken of is marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from ...core.base.arrays import Array
from ...core.edits.elements import element_at
from ...core.edits.frames import part_at
from ..document.selection import Selection, exists
from .picking import REACH, first_hit, nearest_pixel

if TYPE_CHECKING:
    from .panel import ViewerPanel


class SpotPick(QObject):
    """chosen(body, place): a point of a flexible body was clicked, its place (3,) m as drawn; peak_wanted(body, place):
    it was double-clicked."""

    chosen = Signal(str, object)
    peak_wanted = Signal(str, object)

    def __init__(self, viewer: ViewerPanel) -> None:
        super().__init__(viewer)
        self._viewer = viewer
        self._spot: tuple[str, object] = ("", None)
        self._worst: tuple[bool, Mapping[str, Array | None], float] = (False, {}, 0.0)
        viewer.plotter.clicked.connect(self._on_click)
        viewer.plotter.double_clicked.connect(self._on_double_click)
        viewer.filled.connect(self._show)

    def mark(self, body: str, place: object) -> None:
        """Mark a point of a body by its place as drawn; None: no mark."""
        self._spot = (body, place)
        self._show()

    def show_worst(self, on: bool, known: Mapping[str, Array | None], most: float) -> None:
        """Colour bodies by the largest stress of the run (Pa, of every point, where it is known), or by that of now;
        most: the largest of load cases, in place of the run."""
        self._worst = (on, known, most)
        self._show()

    def _show(self) -> None:
        if not self._viewer.plotter.ready:
            return
        layer = self._viewer.scene.flexible
        layer.mark(self._spot[0], None if self._spot[1] is None else np.asarray(self._spot[1], dtype=float))
        layer.show_worst(*self._worst)
        self._viewer.show_keys()
        self._viewer.plotter.redraw()

    def _on_click(self, x: float, y: float, _modifiers: object) -> None:
        found = self._at(x, y)
        if found is not None:
            self._select(*found)
            self.chosen.emit(*found)

    def _on_double_click(self, x: float, y: float) -> None:
        found = self._at(x, y)
        if found is not None:
            self.peak_wanted.emit(*found)

    def _at(self, x: float, y: float) -> tuple[str, Array] | None:
        """The flexible body under a pixel and the point of it (3,) m as drawn."""
        layer = self._viewer.scene.flexible
        if not layer.meshes:
            return None
        hit = first_hit(self._viewer.plotter, x, y)
        if hit is not None:
            return layer.point_at(hit[1]) if hit[0] is None else None
        # structures that are dots have no surface to hit
        every = np.vstack([mesh.points for mesh in layer.meshes])
        near = nearest_pixel(self._viewer.plotter, every, x, y)
        return layer.point_at(every[near[0]]) if near is not None and near[1] <= REACH else None

    def _select(self, name: str, place: Array) -> None:
        """Select the node or beam that is there, or the body."""
        document, body = self._viewer.document, Selection("flexible", tuple(name.split("/")))
        part = None
        if exists(body, document.project):
            part = part_at(element_at(document.project, "flexible", body.path), place)
        document.select(body if part is None else replace(body, rows=part[0], indices=(part[1],)))
