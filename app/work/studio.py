"""The parts of one running studio, handed around as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.runner import Runner

if TYPE_CHECKING:
    from ridewright.app.shell.main_window import MainWindow


@dataclass
class Studio:
    """Document, runner, playback, settings and the window around them."""

    document: Document
    runner: Runner
    playback: Playback
    settings: Settings
    window: MainWindow
