"""The menu under the right mouse button in the 3D view, and the way to a place along the track."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from ..document.selection import Selection
from ..widgets import units
from ..widgets.icons import icon
from .controls import CAMERAS

if TYPE_CHECKING:
    from .panel import ViewerPanel


def view_menu(panel: ViewerPanel, s: float | None) -> QMenu:
    """A menu for the view of a panel; s: arc length (m) under the mouse, None away from the track."""
    menu = QMenu(panel)
    menu.addAction(icon("frame"), "Frame selection", panel.frame_selection)
    menu.addAction("Frame everything", panel.frame_all)
    if s is not None:
        menu.addSeparator()
        menu.addAction(f"Go to {units.text(s, 'm')} along the track", lambda: go_to(panel, s))
    panel.menu_filling.emit(menu, s)
    menu.addSeparator()
    for mode, name, title, _ in CAMERAS:
        menu.addAction(icon(name), title, getattr(panel, f"camera_{mode}"))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def go_to(panel: ViewerPanel, s: float) -> None:
    """Select the place at arc length s (m); with a run go to the time at which the first car is there."""
    panel.document.select(Selection("place", s=s))
    run, built = panel.document.current_run, panel.scene.built
    if run is None or built is None:
        return
    found = next((c.values for n, c in run.results.channels.items() if n.endswith("/arc_length")), None)
    if found is not None and len(found):
        wanted = s + built.length if built.track.closed and s < found[0] else s
        k = int(np.searchsorted(np.maximum.accumulate(found), wanted))
        if k < len(found):
            panel.playback.seek(float(run.results.sample_time[k]))
