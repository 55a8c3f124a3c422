"""Pictures of a run that a report asks for, drawn in the window's thread, which has its turn between their pieces."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from ...core.project.project import Project
from ...core.report.book import PictureWish
from ...core.report.coming_pictures import Coming
from ...core.results.results import Results
from ..view3d.view import AT_ONCE
from ..widgets.refresh import Turn
from .pictures import ReportStudio, png


class Asked(NamedTuple):
    """A picture that is wanted, and where it is put."""

    wish: PictureWish
    coming: Coming


class PictureQueue(QObject):
    """Draws what is asked for, one after the other. Its scene is made with the first, or ahead of it."""

    def __init__(self, project: Project, results: Results, parent: QObject) -> None:
        """project: as the view knows it, which keeps what was made for it; results: of a run of it."""
        super().__init__(parent)
        self.project, self._results = project, results
        self._studio: ReportStudio | None = None
        self._asked: deque[Asked] = deque()
        self._doing: Iterator[None] | None = None
        self._turn = Turn(self, self._go_on)
        self._coder = ThreadPoolExecutor(1)  # makes bytes of pictures
        self._closed = False

    def make_ready(self) -> None:
        """Have the scene there before the first picture is asked for."""
        if not self._closed:
            self._turn.soon()

    def draw(self, asked: Asked) -> None:
        """Draw a picture when its turn comes."""
        self._asked.append(asked)
        self._turn.soon()

    def forget(self) -> None:
        """Nobody waits for pictures any more."""
        self._asked.clear()

    def close(self) -> None:
        """Let go of the graphics system."""
        self._closed = True
        self._turn.stop()
        self._asked.clear()
        self._doing = None
        self._coder.shutdown(wait=False)
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _go_on(self) -> None:
        doing = self._work() if self._doing is None else self._doing
        self._doing = None
        try:
            if next(doing, self) is None:
                self._doing = doing
        except BaseException:  # whatever went wrong here, the writer must not wait for ever
            while self._asked:
                self._asked.popleft().coming.set_result(None)
            raise
        if self._doing is not None or self._asked:
            self._turn.soon()

    def _work(self) -> Iterator[None]:
        """What there is to do, in pieces."""
        if self._studio is None:
            self._studio = ReportStudio(self.project, self._results, AT_ONCE)
            yield
            yield from self._first()
        studio = self._studio
        while self._asked:
            asked, picture = self._asked.popleft(), None
            try:
                if studio.works:
                    picture = yield from _last(studio.draw(asked.wish))
            finally:
                self._coder.submit(_code, picture, asked.coming)

    def _first(self) -> Iterator[None]:
        """The scene, and while nothing is asked for a picture for nobody: one takes several times as long."""
        assert self._studio is not None
        if self._studio.works:
            yield from self._studio.fill()
            if not self._asked:
                rider = next(iter(self._results.names.riders), "")
                yield from _last(
                    self._studio.draw(PictureWish(float(self._results.states.time[0]), rider, "head"))
                )


def _last(pieces: Iterator[QImage | None]) -> Generator[None, None, QImage | None]:
    """The picture that comes after pieces of work."""
    for image in pieces:
        if image is not None:
            return image
        yield
    return None


def _code(picture: QImage | None, coming: Coming) -> None:
    coming.set_result(None if picture is None else png(picture))
