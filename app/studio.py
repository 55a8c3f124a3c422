"""The parts of one running studio, handed around as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.document import Document
from app.playback import Playback
from app.runner import Runner
from app.settings import Settings

if TYPE_CHECKING:
    from app.main_window import MainWindow


@dataclass
class Studio:
    """Document, runner, playback, settings and the window around them."""

    document: Document
    runner: Runner
    playback: Playback
    settings: Settings
    window: MainWindow
