"""What lies over the 3D view: plates of buttons, legend, keys, axes, and a sentence while there is nothing to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QWidget

from ..widgets import theme
from ..work.preview import PREPARING, RidePreview
from .colouring import BY_KEY, ON_RIDE, Scale
from .controls import MARGIN, ViewControls
from .overlays import Gizmo, Keys, Legend, paint_overlays

if TYPE_CHECKING:
    import pyvista as pv

EMPTY = "The track will be drawn here.\nDraw one in the Points panel, or open an example."


class OverView:
    """The widgets over the view of a panel, each in its corner. Call `place` when the panel has another size."""

    def __init__(self, panel: QWidget) -> None:
        self._panel = panel
        self.legend = Legend(panel)
        self.keys = Keys(panel)
        self.gizmo = Gizmo(panel)
        self.empty = QLabel("", panel)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.hide()
        self.controls = ViewControls(panel)

    def place(self) -> None:
        """Put everything into its corner of the panel."""
        wide, high = self._panel.width(), self._panel.height()
        self.controls.place(wide)
        self.legend.move(wide - self.legend.width() - MARGIN, high - self.legend.height() - MARGIN)
        self.gizmo.move(MARGIN, high - self.gizmo.height() - MARGIN)
        self.empty.setGeometry(wide // 4, high // 3, wide // 2, high // 3)
        self._place_keys()

    def _place_keys(self) -> None:
        self.keys.move(MARGIN, self.gizmo.y() - self.keys.height() - 4)

    def show_scale(self, key: str, scale: Scale | None, note: str = "") -> None:
        """The legend of the track coloured by a quantity; without a scale the note, if there is one."""
        self.legend.show_scale(scale, note)
        if self.controls.show_colour(key):
            self.controls.place(self._panel.width())

    def show_keys(self, entries: list[tuple[str, str]]) -> None:
        """What colours of lines, arrows and marks mean."""
        if self.keys.show_entries(entries):
            self._place_keys()

    def show_empty(self, empty: bool) -> None:
        """Say how a track comes into the view, or nothing."""
        self.empty.setText(EMPTY if empty else "")
        self.empty.setVisible(empty)

    def turn_gizmo(self, camera: pv.Camera) -> None:
        """Turn the axes as a camera sees them."""
        ahead, up = np.array(camera.direction), np.array(camera.up)
        right = np.cross(ahead, up)
        size = float(np.linalg.norm(right))
        if size > 1e-9:
            right /= size
            self.gizmo.turn(right, np.cross(right, ahead), ahead)

    def paint_on(self, image: QImage, scale: Scale | None, colours: theme.Colours) -> None:
        """Draw legend and keys into a picture of the view in device pixels."""
        sizes = self.legend.size(), self.keys.size()
        paint_overlays(image, self._panel.devicePixelRatioF(), scale, self.keys.entries, sizes, colours)


def missing_scale(key: str, preview: RidePreview) -> str:
    """Why the track has no colours of a quantity; "" when nothing is missing."""
    quantity = BY_KEY[key]
    if quantity.source != "run":
        return ""
    if key in ON_RIDE and preview.fault():
        return PREPARING if preview.preparing else "The point ride has no colours: see Problems."
    return f"{quantity.name} is known after a run. Press F5 to ride the track."
