"""Results > Limits and standards: the limit tables and by which of them riders are judged."""

from __future__ import annotations

from .declared import Group, action
from .guard import guarded


class StandardsCommands(Group):
    """Limit tables."""

    @action(
        "Limits and standards…",
        "Results",
        icon="standards",
        tip="The limit tables with their sources, their curves, and which of them riders are judged by",
    )
    @guarded("The limit tables cannot be shown")
    def standards(self) -> None:
        """Show the limit tables."""
        from ...standards.dialog import StandardsDialog

        dialog = StandardsDialog(self.studio.document, self.studio.parent)
        dialog.exec()
        dialog.deleteLater()
