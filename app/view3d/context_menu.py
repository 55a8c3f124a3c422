"""The menu under the right mouse button in the 3D view, and the way to a place along the track."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import units
from ..widgets.icons import icon
from .cameras import Mode
from .controls import CAMERAS


def view_menu(
    parent: QWidget,
    frame: Callable[[], None],
    frame_all: Callable[[], None],
    use: Callable[[Mode], None],
    fill: Callable[[QMenu], None],
) -> QMenu:
    """A menu for a view: what frames the selection and everything, what fill(menu) adds, and the cameras."""
    menu = QMenu(parent)
    menu.addAction(icon("frame"), "Frame selection", frame)
    menu.addAction("Frame everything", frame_all)
    fill(menu)
    menu.addSeparator()
    for mode, name, title, _ in CAMERAS:
        menu.addAction(icon(name), title, lambda mode=mode: use(mode))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def add_way(
    menu: QMenu, document: Document, playback: Playback, built: BuiltTrack | None, s: float | None
) -> None:
    """Offer to go to the place at arc length s (m); nothing where the mouse is on no track."""
    if s is not None:
        menu.addSeparator()
        there = f"Go to {units.text(s, 'm')} along the track"
        menu.addAction(there, lambda: go_to(document, playback, built, s))


def go_to(document: Document, playback: Playback, built: BuiltTrack | None, s: float) -> None:
    """Select the place at arc length s (m); with a run over the drawn track go to the time at which the first car is
    there."""
    document.select(Selection("place", s=s))
    run = document.current_run
    if run is None or built is None:
        return
    found = next((c.values for n, c in run.results.channels.items() if n.endswith("/arc_length")), None)
    if found is not None and len(found):
        wanted = s + built.length if built.track.closed and s < found[0] else s
        k = int(np.searchsorted(np.maximum.accumulate(found), wanted))
        if k < len(found):
            playback.seek(float(run.results.sample_time[k]))
