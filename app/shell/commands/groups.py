"""Every group of commands, in the order in which their actions stand in menus and tool bar."""

from __future__ import annotations

from typing import Any, Final

from .declared import Action, Group, collect
from .edit import EditCommands
from .elements import ElementCommands
from .files import FileCommands
from .help import HelpCommands
from .measured import MeasuredCommands
from .report import ReportCommands
from .runs import RunCommands
from .standards import StandardsCommands
from .start import StartCommands
from .tools import ToolCommands
from .track import TrackCommands
from .train import TrainCommands
from .view import ViewCommands

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
