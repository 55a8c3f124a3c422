"""The train of an edit in progress that has other bodies than the project's: a train that is about to be made."""

from __future__ import annotations

from ...core.project.project import Project
from ..document.document import Document
from .train_layer import same_bodies


class PreviewedTrain:
    """Which train the view is to draw besides that of the project and its runs; riders who are given another size do
    not make another train."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._drawn: Project | None = None

    def take(self) -> Project | None:
        """The edit in progress, where it has another train: it is drawn now."""
        self._drawn = self._wanted()
        return self._drawn

    @property
    def other(self) -> bool:
        """Whether another train is to be drawn than is."""
        return self._wanted() is not self._drawn

    def _wanted(self) -> Project | None:
        shown = self._document.previewed
        if shown is None or shown.assembly is self._document.project.assembly:
            return None
        return None if same_bodies(shown, self._document.project) else shown
