"""Edit menu: undo, redo, command search, preferences."""

from __future__ import annotations

from collections.abc import Callable

from ridewright.app.document.selection import NOTHING, Selection
from ridewright.app.shell.commands.guard import guarded
from ridewright.app.work.studio import Studio
from ridewright.core.track.description import SplineSection


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

    @guarded("Not added")
    def add(self, do: Callable[[], object]) -> None:
        """Add something to the model."""
        do()

    def select_all(self) -> None:
        """All control points of the selected section, or of the first that has some."""
        document = self.studio.document
        track, chosen = document.project.track, document.selection
        splines = [] if track is None else [s for s in track.sections if isinstance(s, SplineSection)]
        own = chosen.path[0] if chosen.kind in ("points", "section") else ""
        found = next((s for s in splines if s.name == own), splines[0] if splines and not own else None)
        if found is not None:
            document.select(Selection("points", (found.name,), tuple(range(len(found.points)))))

    def copy(self) -> None:
        """Copy the selected control points as text."""
        self.studio.window.panels["points"].copy()

    def paste(self) -> None:
        """Paste rows of x, y, z behind the selected control point."""
        self.studio.window.panels["points"].paste()

    def select_nothing(self) -> None:
        """Clear the selection."""
        self.studio.document.select(NOTHING)

    def search(self) -> None:
        """Open the command search over the window."""
        from ridewright.app.shell.command_search import CommandSearch
        from ridewright.app.shell.findable import findable

        CommandSearch(self.studio.window, findable(self.studio.window)).show()

    def preferences(self) -> None:
        """Open the preferences."""
        from ridewright.app.shell.preferences import Preferences

        dialog = Preferences(self.studio.settings, self.studio.window)
        dialog.exec()
        dialog.deleteLater()
