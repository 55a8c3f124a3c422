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
    below=(("injury", "seats", "couplers"), ("loads", "channels", "contacts", "quality")),
    below_share=0.54,
    camera="follow",
    timeline=True,
    tools=(StandardsCommands.standards, ReportCommands.report, ViewCommands.screenshot, ViewCommands.film),
)
