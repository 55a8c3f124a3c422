"""What the context menu of the 3D view offers for control points."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QMenu

from ..document.document import Document
from ..track_editor import soft_radius
from ..track_editor.view_handles import ViewHandles
from ..widgets import units
from .actions import Actions
from .commands.tools import ToolCommands
from .commands.track import TrackCommands

ON_POINTS: Final = (
    TrackCommands.insert_before, TrackCommands.insert_point, TrackCommands.duplicate_points,
    TrackCommands.delete_points, TrackCommands.straight_points, TrackCommands.split_section,
    TrackCommands.make_element,
)  # fmt: skip


def fill_point_menu(menu: QMenu, document: Document, actions: Actions, handles: ViewHandles) -> None:
    """Add what can be done with the selected points, and how far neighbours follow a drag."""
    chosen = document.selection
    if chosen.kind not in ("points", "section"):
        return
    menu.addSeparator()
    if chosen.kind == "points":
        for declared in ON_POINTS:
            menu.addAction(actions[declared])
    menu.addAction(actions[ToolCommands.convert_section])
    soft = menu.addMenu("Neighbours follow a drag")
    for radius in soft_radius.OFFERED:
        action = soft.addAction("None" if radius == 0.0 else f"Within {units.text(radius, 'm', decimals=0)}")
        action.setCheckable(True)
        action.setChecked(abs(handles.soft_radius - radius) < 0.5)
        action.triggered.connect(lambda _on=False, radius=radius: handles.set_soft_radius(radius))
