"""Edit menu: undo, redo, command search, preferences."""

from __future__ import annotations

from app.document.selection import NOTHING
from app.work.studio import Studio


class EditCommands:
    """Steps and preferences."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def undo(self) -> None:
        """Take back the last step."""
        self.studio.document.preview(None)
        self.studio.document.undo_stack.undo()

    def redo(self) -> None:
        """Do the step again."""
        self.studio.document.preview(None)
        self.studio.document.undo_stack.redo()

    def select_nothing(self) -> None:
        """Clear the selection."""
        self.studio.document.select(NOTHING)

    def search(self) -> None:
        """Open the command search over the window."""
        from app.shell.command_search import CommandSearch

        CommandSearch(self.studio.window, self.studio.window.actions_by_id()).show()

    def preferences(self) -> None:
        """Open the preferences."""
        from app.shell.preferences import Preferences

        dialog = Preferences(self.studio.settings, self.studio.window)
        dialog.exec()
        dialog.deleteLater()
