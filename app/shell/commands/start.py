"""File > Start page: what one can begin with, from files, textbook tracks, measured rides and the guide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ..studio import Studio
from .declared import Group, action
from .files import FileCommands
from .help import HelpCommands
from .measured import MeasuredCommands

if TYPE_CHECKING:
    from ..start_page import StartPage


class StartCommands(Group):
    """The start page."""

    def __init__(
        self, studio: Studio, files: FileCommands, measured: MeasuredCommands, help: HelpCommands
    ) -> None:
        super().__init__(studio)
        self._files, self._measured, self._help = files, measured, help

    @action(
        "Start page…",
        "File",
        icon="layout",
        shortcut="Ctrl+Shift+N",
        tip="Rides as pictures, templates, textbook tracks, measured rides, recent files",
        after=FileCommands.new_empty,
    )
    def start_page(self) -> None:
        """Show what one can begin with."""
        page = self.make_page()
        page.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page.open()

    def make_page(self) -> StartPage:
        """The page, not shown yet."""
        from ..start_page import StartPage

        return StartPage(self.studio, self._files, self._measured, self._help)
