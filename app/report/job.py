"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from ...core.outcome.seats import Verdicts
from ...core.outcome.second_engine import CrossCheck
from ...core.project.project import Project
from ...core.report.book import PictureWish, ReportOptions, Stopped
from ...core.report.coming_pictures import Coming, ComingPictures
from ...core.report.drawing_process import DrawingProcess
from ...core.report.run_view import OtherRun
from ...core.report.write import ReportTarget, make_ready, write_report
from ...core.results.results import Results
from ..view3d.view import AT_ONCE
from ..widgets.refresh import Turn
from ..work.task import ProgressReporter, Task
from .pictures import ReportStudio, png, prepare


def ready_for(asked: tuple[Project, DrawingProcess], _reporter: ProgressReporter) -> None:
    """Make what reports take, and what the scene of a project takes; the work of a `Task`."""
    project, drawing = asked
    make_ready()
    prepare(project)


class Asked(NamedTuple):
    """A picture that is wanted, and where it is put."""

    wish: PictureWish
    coming: Coming


class ReportJob(QObject):
    """Writes one report; ends with `finished`, `failed` or `cancelled`."""

    progressed = Signal(float, str)  # done share, what comes next
    finished = Signal(object)  # tuple of Path
    failed = Signal(str)
    cancelled = Signal()

    def __init__(
        self,
        project: Project,
        results: Results,
        target: ReportTarget,
        options: ReportOptions,
        *,
        rendered: bool = True,
        against: OtherRun | None = None,
        second: CrossCheck | None = None,
        known: Verdicts | None = None,
        drawn: Project | None = None,
        drawing: DrawingProcess | None = None,
        parent: QObject | None = None,
    ) -> None:
        """rendered: pictures of the 3D scene, else line drawings; against: a run to compare with; second: what a second
        engine says of the design; known: the verdicts on the run, where they are made already; drawn: the project
        as the view knows it, which keeps what was made for it; drawing: as of `write_report`."""
        super().__init__(parent)
        seen = project if drawn is None else drawn
        self._run = seen, results
        self._studio: ReportStudio | None = None
        self._asked: deque[Asked] = deque()
        self._drawing: Iterator[tuple[bool, QImage | None]] | None = None  # of the first that is asked for
        self._turn = Turn(self, self._go_on)
        self._coder = ThreadPoolExecutor(1)  # makes bytes of pictures

        def write(_asked: object, reporter: ProgressReporter) -> tuple[Path, ...] | None:
            def ask(wish: PictureWish, coming: Coming) -> None:
                reporter.report(Asked(wish, coming))

            if rendered:
                prepare(seen)
            try:
                return write_report(
                    project,
                    results,
                    target,
                    options=options,
                    pictures=ComingPictures(ask, reporter.stopped) if rendered else None,
                    against=against,
                    second=second,
                    known=known,
                    drawing=drawing,
                    on_progress=reporter.progress,
                    should_stop=reporter.stopped,
                )
            except Stopped:
                return None

        self._task = Task("report", write, self, failing="The report failed")
        self._task.progressed.connect(self.progressed)
        self._task.reported.connect(self._draw)
        self._task.finished.connect(self._on_finished)
        self._task.failed.connect(self._on_failed)

    def start(self) -> None:
        """Begin."""
        self._task.ask()

    def cancel(self) -> None:
        """Ask for an end without files; `cancelled` follows."""
        self._task.stop()

    def close(self) -> None:
        """Cancel, and wait until the thread is gone."""
        self._task.close()
        self._turn.stop()
        self._coder.shutdown(wait=False)
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _draw(self, asked: Asked) -> None:
        if not self._task.stopping:
            self._asked.append(asked)
            self._turn.soon()

    def _go_on(self) -> None:
        """Draw a piece of the picture that is wanted first; the window has its turn before the next."""
        done, picture = True, None
        if self._drawing is None:
            self._drawing = self._pieces(self._asked[0].wish)
        try:
            done, picture = next(self._drawing, (True, None))
        finally:  # whatever goes wrong here, the writer must not wait for ever
            if done:
                self._drawing = None
                self._coder.submit(_code, picture, self._asked.popleft().coming)
            if self._asked:
                self._turn.soon()

    def _pieces(self, wish: PictureWish) -> Iterator[tuple[bool, QImage | None]]:
        """The picture of a moment, piece by piece: whether it is done, and the picture."""
        if self._studio is None:
            self._studio = ReportStudio(*self._run, AT_ONCE)
            yield False, None
        if self._studio.works:
            for image in self._studio.draw(wish):
                yield image is not None, image
        else:
            yield True, None

    def _on_finished(self, files: tuple[Path, ...] | None) -> None:
        self.close()
        if files is None:
            self.cancelled.emit()
        else:
            self.finished.emit(files)

    def _on_failed(self, reason: str) -> None:
        self.close()
        self.failed.emit(reason)


def _code(picture: QImage | None, coming: Coming) -> None:
    coming.set_result(None if picture is None else png(picture))
