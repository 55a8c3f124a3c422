"""Help menu, and the places of what later versions bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import dialogs
from app.studio import Studio

if TYPE_CHECKING:
    from app.guide import GuideWindow


class HelpCommands:
    """Guide, tour, about."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._guide: GuideWindow | None = None

    def guide(self) -> None:
        """Open the user guide in a window of its own."""
        from app.guide import GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self.studio.window)
        self._guide.show()
        self._guide.raise_()

    def tour(self) -> None:
        """Begin the tour."""
        self.studio.window.start_tour()

    def about(self) -> None:
        """What this program is."""
        from app.about import About

        dialog = About(self.studio.window)
        dialog.exec()
        dialog.deleteLater()


class PlannedCommands:
    """Honest words where later versions have their place."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def standards(self) -> None:
        """Limits of standards."""
        dialogs.message(
            self.studio.window,
            "Ride standards are not part of this version",
            "The limits of ride standards will be checked here on a finished run. The Injury panel judges the run by "
            "the criteria of the literature now.",
        )
