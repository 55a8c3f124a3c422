"""Which panels the window has, and where each has its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class Place:
    """A panel: its name in the layout, its title, its area, and the class that makes it."""

    id: str
    title: str
    area: Qt.DockWidgetArea
    source: str


PLACES: Final = (
    Place("tree", "Project", LEFT, "app.model_editor.tree:ProjectTree"),
    Place("inspector", "Inspector", RIGHT, "app.model_editor.inspector:Inspector"),
    Place("points", "Points", BOTTOM, "app.track_editor.points_table:PointsPanel"),
    Place("profile", "Profile", BOTTOM, "app.track_editor.profile:ProfilePanel"),
    Place("plan", "Plan", BOTTOM, "app.track_editor.plan:PlanPanel"),
    Place("loads", "Rider loads", BOTTOM, "app.plots.loads:LoadsPanel"),
    Place("injury", "Injury", BOTTOM, "app.injury_panel.panel:InjuryPanel"),
    Place("quality", "Constraint && energy", BOTTOM, "app.plots.quality:QualityPanel"),
    Place("channels", "Channels", BOTTOM, "app.plots.channels:ChannelsPanel"),
)


def make(source: str) -> Callable[..., Any]:
    module, _, name = source.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError):
        return _Missing


class _Missing(QWidget):
    def __init__(self, *_: object, **__: object) -> None:
        super().__init__()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *a, **k: None
