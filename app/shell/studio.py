"""What commands are given to work with, and what they may ask of the window: four things, none of them the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtWidgets import QWidget

from ..document.document import Document
from ..document.playback import Playback
from ..widgets.settings import Settings
from ..work.runner import Runner
from .log_panel import Level
from .panels import PanelName


class Log(Protocol):
    """Writes a line to the log and shows it in the status line."""

    def __call__(self, text: str, level: Level = "note") -> None: ...


@dataclass(frozen=True)
class Studio:
    """Document, runner, playback and settings; a parent for dialogs, the log, and the panels by name.

    A command that needs more of the window, the 3D view for example, takes that when it is made.
    """

    document: Document
    runner: Runner
    playback: Playback
    settings: Settings
    parent: QWidget
    log: Log
    show_panel: Callable[[PanelName], None]  # brings it to the front
    panel: Callable[[PanelName], Any]  # makes it when it has not been made
