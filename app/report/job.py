"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ...core.outcome.seats import Verdicts
from ...core.outcome.second_engine import CrossCheck
from ...core.project.project import Project
from ...core.report.book import PictureWish, ReportOptions, Stopped
from ...core.report.coming_pictures import Coming, ComingPictures
from ...core.report.drawing_process import DrawingProcess
from ...core.report.run_view import OtherRun
from ...core.report.write import ReportTarget, make_ready, write_report
from ...core.results.results import Results
from ..work.task import ProgressReporter, Task
from .picture_queue import Asked, PictureQueue
from .pictures import prepare


def ready_for(project: Project, _reporter: ProgressReporter) -> None:
    """Make what reports take, and what the scene of a project takes; the work of a `Task`."""
    make_ready()
    prepare(project)


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
        pictures: PictureQueue | None = None,
        against: OtherRun | None = None,
        second: CrossCheck | None = None,
        known: Verdicts | None = None,
        drawing: DrawingProcess | None = None,
        parent: QObject | None = None,
    ) -> None:
        """pictures: draws the 3D scene, None for line drawings; against: a run to compare with; second: what a second
        engine says of the design; known: the verdicts on the run, where they are made already; drawing: as of
        `write_report`."""
        super().__init__(parent)
        self._pictures = pictures

        def write(_asked: object, reporter: ProgressReporter) -> tuple[Path, ...] | None:
            def ask(wish: PictureWish, coming: Coming) -> None:
                reporter.report(Asked(wish, coming))

            if pictures is not None:
                prepare(pictures.project)
            try:
                return write_report(
                    project,
                    results,
                    target,
                    options=options,
                    pictures=None if pictures is None else ComingPictures(ask, reporter.stopped),
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
        if self._pictures is not None:
            self._pictures.forget()

    def _draw(self, asked: Asked) -> None:
        assert self._pictures is not None
        if not self._task.stopping:
            self._pictures.draw(asked)

    def _on_finished(self, files: tuple[Path, ...] | None) -> None:
        self.close()
        if files is None:
            self.cancelled.emit()
        else:
            self.finished.emit(files)

    def _on_failed(self, reason: str) -> None:
        self.close()
        self.failed.emit(reason)
