"""Every group of commands, in the order in which their actions stand in menus and tool bar."""

from __future__ import annotations

from typing import Any, Final

from ridewright.app.shell.commands.declared import Action, Group, collect
from ridewright.app.shell.commands.edit import EditCommands
from ridewright.app.shell.commands.elements import ElementCommands
from ridewright.app.shell.commands.files import FileCommands
from ridewright.app.shell.commands.help import HelpCommands
from ridewright.app.shell.commands.measured import MeasuredCommands
from ridewright.app.shell.commands.report import ReportCommands
from ridewright.app.shell.commands.runs import RunCommands
from ridewright.app.shell.commands.standards import StandardsCommands
from ridewright.app.shell.commands.start import StartCommands
from ridewright.app.shell.commands.tools import ToolCommands
from ridewright.app.shell.commands.track import TrackCommands
from ridewright.app.shell.commands.train import TrainCommands
from ridewright.app.shell.commands.view import ViewCommands

GROUPS: Final[tuple[type[Group], ...]] = (
    FileCommands,
    StartCommands,
    EditCommands,
    ViewCommands,
    TrackCommands,
    ElementCommands,
    ToolCommands,
    TrainCommands,
    RunCommands,
    ReportCommands,
    MeasuredCommands,
    StandardsCommands,
    HelpCommands,
)
ACTIONS: Final[tuple[Action[Any, Any], ...]] = collect(GROUPS)
