"""What the ride does to its riders."""

from __future__ import annotations

from typing import Final

from ..commands.report import ReportCommands
from ..commands.standards import StandardsCommands
from ..commands.view import ViewCommands
from .base import Workspace

WORKSPACE: Final = Workspace(
    "judge",
    "Judge",
    "Judge the shown run: criteria, loads, their origin, comparison with other runs",
    60,
    beside=(("injury", "seats", "couplers"),),
    below=(("loads", "channels", "contacts", "quality"),),
    beside_share=0.46,
    below_share=0.42,
    camera="follow",
    timeline=True,
    tools=(StandardsCommands.standards, ReportCommands.report, ViewCommands.screenshot, ViewCommands.film),
)
