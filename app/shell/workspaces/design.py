"""Shaping the track."""

from __future__ import annotations

from typing import Final

from ..commands.elements import ElementCommands
from ..commands.track import TrackCommands
from ..commands.view import ViewCommands
from .base import LARGE_VIEW, Workspace

WORKSPACE: Final = Workspace(
    "design",
    "Design",
    "Shape the track: elements, points, sections of forces",
    10,
    beside=(("tree",), ("inspector",)),
    below=(("profile", "plan", "points", "sections", "forces", "kinks", "problems"),),
    min_view=LARGE_VIEW,
    colour="gz",
    tools=(
        ElementCommands.insert_element,
        ElementCommands.add_device,
        TrackCommands.insert_point,
        ViewCommands.measure,
    ),
)
