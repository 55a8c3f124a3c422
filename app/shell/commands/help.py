"""Help menu."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..studio import Studio
from .declared import Group, action
from .measured import MeasuredCommands

if TYPE_CHECKING:
    from ...textbook.window import TextbookWindow
    from ..guide import GuideWindow


class HelpCommands(Group):
    """Guide, tour, about."""

    def __init__(self, studio: Studio, start_tour: Callable[[], None]) -> None:
        super().__init__(studio)
        self._start_tour = start_tour
        self._guide: GuideWindow | None = None
        self._textbook: TextbookWindow | None = None

    @action("User guide", "Help", icon="help", shortcut="F1")
    def guide(self, page: str = "", heading: str = "") -> None:
        """Open the user guide in a window of its own, at a heading of a page."""
        from ..guide import GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self.studio.parent)
        self._guide.show()
        self._guide.raise_()
        if page:
            self._guide.show_page(page)
            self._guide.show_heading(heading)

    @action(
        "Textbook tracks…",
        "File",
        icon="loop",
        tip="A ball on a hump, loop, circle or spiral, and where its energy is",
        after=MeasuredCommands.open_measured,
    )
    def textbook(self) -> None:
        """Open the textbook tracks in a window of their own."""
        from ...textbook.window import TextbookWindow

        if self._textbook is None:
            self._textbook = TextbookWindow(self.studio.settings, self.studio.parent)
        self._textbook.show()
        self._textbook.raise_()

    @action("Tour in five steps", "Help", icon="tour")
    def tour(self) -> None:
        """Begin the tour."""
        self._start_tour()

    @action("About Ridewright", "Help", icon="about", line_above=True)
    def about(self) -> None:
        """What this program is."""
        from ..about import About

        dialog = About(self.studio.parent, lambda: self.guide("licences"))
        dialog.exec()
        dialog.deleteLater()
