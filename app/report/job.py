"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from ...core.outcome.seats import Verdicts
from ...core.outcome.second_engine import CrossCheck
from ...core.project.project import Project
from ...core.report.book import PictureWish, ReportOptions, Stopped
from ...core.report.run_view import OtherRun
from ...core.report.write import ReportTarget, write_report
from ...core.results.results import Results
from ..view3d.view import AT_ONCE
from ..widgets.refresh import Turn
from ..work.task import ProgressReporter, Task
from .pictures import ReportStudio, png, prepare

PATIENCE = 0.1  # s between looks whether the report is still wanted, while a picture is drawn


class Asked(NamedTuple):
    """A picture that is wanted, and where it is put, None where there is none."""

    wish: PictureWish
    answer: Future[QImage | None]


class FromWindow:
    """Pictures the window draws for the thread that writes: all that are told of are drawn while that goes on."""

    def __init__(self, reporter: ProgressReporter, coder: ThreadPoolExecutor) -> None:
        """coder: makes bytes of pictures, beside the writing as well."""
        self._reporter, self._coder = reporter, coder
        self._coming: dict[PictureWish, Future[bytes | None]] = {}

    def expect(self, wishes: tuple[PictureWish, ...]) -> None:
        """Have these pictures drawn; they will be asked for."""
        for wish in wishes:
            if wish not in self._coming:
                coming: Future[bytes | None] = Future()
                asked = Asked(wish, Future())
                asked.answer.add_done_callback(partial(self._code, coming))
                self._coming[wish] = coming
                self._reporter.report(asked)

    def _code(self, coming: Future[bytes | None], drawn: Future[QImage | None]) -> None:
        image = drawn.result()
        self._coder.submit(lambda: coming.set_result(None if image is None else png(image)))

    def __call__(self, wish: PictureWish) -> bytes | None:
        """A picture as PNG, as soon as it is there. Raises Stopped when nobody wants it any more."""
        self.expect((wish,))
        while not self._reporter.stopped():
            with suppress(TimeoutError):
                return self._coming[wish].result(PATIENCE)
        raise Stopped


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
        parent: QObject | None = None,
    ) -> None:
        """rendered: pictures of the 3D scene, else line drawings; against: a run to compare with; second: what a second
        engine says of the design; known: the verdicts on the run, where they are made already; drawn: the project
        as the view knows it, which keeps what was made for it."""
        super().__init__(parent)
        seen = project if drawn is None else drawn
        self._run = seen, results
        self._studio: ReportStudio | None = None
        self._asked: deque[Asked] = deque()
        self._drawing: Iterator[tuple[bool, QImage | None]] | None = None  # of the first that is asked for
        self._turn = Turn(self, self._go_on)
        self._coder = ThreadPoolExecutor(1)
        coder = self._coder

        def write(_asked: object, reporter: ProgressReporter) -> tuple[Path, ...] | None:
            if rendered:
                prepare(seen)
            try:
                return write_report(
                    project,
                    results,
                    target,
                    options=options,
                    pictures=FromWindow(reporter, coder) if rendered else None,
                    against=against,
                    second=second,
                    known=known,
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
                self._asked.popleft().answer.set_result(picture)
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
