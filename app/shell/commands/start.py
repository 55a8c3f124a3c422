"""File > Start page: what one can begin with, from files, textbook tracks, measured rides and the guide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from ridewright.app.shell.commands.declared import Group, action
from ridewright.app.shell.commands.files import FileCommands
from ridewright.app.shell.commands.help import HelpCommands
from ridewright.app.shell.commands.measured import MeasuredCommands
from ridewright.app.shell.studio import Studio

if TYPE_CHECKING:
    from ridewright.app.shell.start_page import StartPage


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
        from ridewright.app.shell.start_page import StartPage

        return StartPage(self.studio, self._files, self._measured, self._help)
