"""Help menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ridewright.app.work.studio import Studio

if TYPE_CHECKING:
    from ridewright.app.shell.guide import GuideWindow
    from ridewright.app.textbook.window import TextbookWindow


class HelpCommands:
    """Guide, tour, about."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._guide: GuideWindow | None = None
        self._textbook: TextbookWindow | None = None

    def guide(self, page: str = "", heading: str = "") -> None:
        """Open the user guide in a window of its own, at a heading of a page."""
        from ridewright.app.shell.guide import GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self.studio.window)
        self._guide.show()
        self._guide.raise_()
        if page:
            self._guide.show_page(page)
            self._guide.show_heading(heading)

    def textbook(self) -> None:
        """Open the textbook tracks in a window of their own."""
        from ridewright.app.textbook.window import TextbookWindow

        if self._textbook is None:
            self._textbook = TextbookWindow(self.studio.settings, self.studio.window)
        self._textbook.show()
        self._textbook.raise_()

    def tour(self) -> None:
        """Begin the tour."""
        self.studio.window.start_tour()

    def about(self) -> None:
        """What this program is."""
        from ridewright.app.shell.about import About

        dialog = About(self.studio.window)
        dialog.exec()
        dialog.deleteLater()
