"""Results > Limits and standards: the limit tables and by which of them riders are judged."""

from __future__ import annotations

from ridewright.app.shell.commands.guard import guarded
from ridewright.app.work.studio import Studio


class StandardsCommands:
    """Limit tables."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    @guarded("The limit tables cannot be shown")
    def show(self) -> None:
        """Show the limit tables."""
        from ridewright.app.standards.dialog import StandardsDialog

        dialog = StandardsDialog(self.studio.document, self.studio.window)
        dialog.exec()
        dialog.deleteLater()
