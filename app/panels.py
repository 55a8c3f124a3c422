"""Which panels the window has, and where each has its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.injury_panel.panel import InjuryPanel
from app.model_editor.inspector import Inspector
from app.model_editor.tree import ProjectTree
from app.plots.channels import ChannelsPanel
from app.plots.loads import LoadsPanel
from app.plots.quality import QualityPanel
from app.problems import ProblemsPanel
from app.track_editor.plan import PlanPanel
from app.track_editor.points_table import PointsPanel
from app.track_editor.profile import ProfilePanel

LEFT: Final = Qt.DockWidgetArea.LeftDockWidgetArea
RIGHT: Final = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM: Final = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True)
class Place:
    """A panel: its name in the layout, its title, its area; `make` takes document, playback and settings."""

    id: str
    title: str
    area: Qt.DockWidgetArea
    make: Callable[..., QWidget]


PLACES: Final = (
    Place("tree", "Project", LEFT, ProjectTree),
    Place("inspector", "Inspector", RIGHT, Inspector),
    Place("profile", "Profile", BOTTOM, ProfilePanel),
    Place("plan", "Plan", BOTTOM, PlanPanel),
    Place("points", "Points", BOTTOM, PointsPanel),
    Place("loads", "Rider loads", BOTTOM, LoadsPanel),
    Place("injury", "Injury", BOTTOM, InjuryPanel),
    Place("quality", "Constraint && energy", BOTTOM, QualityPanel),
    Place("channels", "Channels", BOTTOM, ChannelsPanel),
    Place("problems", "Problems", BOTTOM, ProblemsPanel),
)
