"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path

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
        parent: QObject | None = None,
    ) -> None:
        """rendered: pictures of the 3D scene, else line drawings; against: a run to compare with; second: what a second
        engine says of the design; known: the verdicts on the run, where they are made already."""
        super().__init__(parent)
        self._run = project, results
        self._studio: ReportStudio | None = None
        self._drawn: queue.Queue[QImage | None] = queue.Queue()
        self._drawing: Iterator[tuple[bool, QImage | None]] = iter(())
        self._turn = Turn(self, self._go_on)
        drawn = self._drawn

        def write(_asked: object, reporter: ProgressReporter) -> tuple[Path, ...] | None:
            if rendered:
                prepare(project)
            try:
                return write_report(
                    project,
                    results,
                    target,
                    options=options,
                    pictures=_pictures(reporter, drawn) if rendered else None,
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
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _draw(self, wish: PictureWish) -> None:
        if not self._task.stopping:
            self._drawing = self._pieces(wish)
            self._turn.soon()

    def _go_on(self) -> None:
        """Draw a piece of the picture that is wanted; the window has its turn before the next."""
        done, picture = True, None
        try:
            done, picture = next(self._drawing, (True, None))
        finally:  # whatever goes wrong here, the writer must not wait for ever
            if done:
                self._drawn.put(picture)
            else:
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


def _pictures(
    reporter: ProgressReporter, drawn: queue.Queue[QImage | None]
) -> Callable[[PictureWish], bytes | None]:
    """What asks the window for a picture and waits until it is there or nobody wants it."""

    def picture(wish: PictureWish) -> bytes | None:
        reporter.report(wish)
        while not reporter.stopped():
            try:
                image = drawn.get(timeout=PATIENCE)
            except queue.Empty:
                continue
            return None if image is None else png(image)
        raise Stopped

    return picture
