"""Edit menu: undo, redo, command search, preferences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.track.description import SplineSection
from ...document.selection import NOTHING, Selection
from ..studio import Studio
from .conditions import CAN_REDO, CAN_UNDO, POINTS, SELECTED, TRACK
from .declared import Group, action
from .guard import guarded

if TYPE_CHECKING:
    from ..findable import Findable


class EditCommands(Group):
    """Steps and preferences."""

    def __init__(self, studio: Studio, findable: Callable[[], list[Findable]]) -> None:
        """findable: all that the command search finds now."""
        super().__init__(studio)
        self._findable = findable

    @action(
        "Undo",
        "Edit",
        icon="undo",
        shortcut="Ctrl+Z",
        tip="Take back the last step",
        when=CAN_UNDO,
        tool=True,
    )
    def undo(self) -> None:
        """Take back the last step."""
        self.studio.document.preview(None)
        self.studio.document.undo_stack.undo()

    @undo.texts
    def _undo_text(self) -> str:
        return _with_step("Undo", self.studio.document.undo_stack.undoText())

    @action(
        "Redo",
        "Edit",
        icon="redo",
        shortcut="Ctrl+Shift+Z; Ctrl+Y",
        tip="Do the step again",
        when=CAN_REDO,
        tool=True,
    )
    def redo(self) -> None:
        """Do the step again."""
        self.studio.document.preview(None)
        self.studio.document.undo_stack.redo()

    @redo.texts
    def _redo_text(self) -> str:
        return _with_step("Redo", self.studio.document.undo_stack.redoText())

    @action(
        "Find a command…",
        "Edit",
        icon="search",
        shortcut="Ctrl+K",
        tip="Type what you want to do",
        line_above=True,
    )
    def search(self) -> None:
        """Open the command search over the window."""
        from ..command_search import CommandSearch

        CommandSearch(self.studio.parent, self._findable()).show()

    @action(
        "Copy points",
        "Edit",
        icon="duplicate",
        shortcut="Ctrl+C",
        tip="Copy the selected control points as text, for a spreadsheet for example",
        when=POINTS,
        line_above=True,
    )
    def copy(self) -> None:
        """Copy the selected control points as text."""
        self.studio.panel("points").copy()

    @action(
        "Paste points",
        "Edit",
        shortcut="Ctrl+V",
        tip="Paste rows of x, y, z and, if given, cant behind the selected control point",
        when=POINTS,
    )
    def paste(self) -> None:
        """Paste rows of x, y, z behind the selected control point."""
        self.studio.panel("points").paste()

    @action(
        "Select all points",
        "Edit",
        shortcut="Ctrl+A",
        tip="All control points of the selected section",
        when=TRACK,
    )
    def select_all(self) -> None:
        """All control points of the selected section, or of the first that has some."""
        document = self.studio.document
        track, chosen = document.project.track, document.selection
        splines = [] if track is None else [s for s in track.sections if isinstance(s, SplineSection)]
        own = chosen.path[0] if chosen.kind in ("points", "section") else ""
        found = next((s for s in splines if s.name == own), splines[0] if splines and not own else None)
        if found is not None:
            document.select(Selection("points", (found.name,), tuple(range(len(found.points)))))

    @action("Select nothing", "Edit", shortcut="Ctrl+Shift+A", when=SELECTED)
    def select_nothing(self) -> None:
        """Clear the selection."""
        self.studio.document.select(NOTHING)

    @action(
        "Preferences…",
        "Edit",
        icon="preferences",
        shortcut="Ctrl+,",
        tip="Units, theme, quality, recovery",
        line_above=True,
    )
    def preferences(self) -> None:
        """Open the preferences."""
        from ..preferences import Preferences

        dialog = Preferences(self.studio.settings, self.studio.parent)
        dialog.exec()
        dialog.deleteLater()

    @guarded("Not added")
    def add(self, do: Callable[[], object]) -> None:
        """Add something to the model."""
        do()


def _with_step(word: str, step: str) -> str:
    return f"{word} “{step}”" if step else word
