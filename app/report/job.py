"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

import queue
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ...core.outcome.second_engine import CrossCheck
from ...core.project.project import Project
from ...core.report.book import PictureWish, ReportOptions, Stopped
from ...core.report.run_view import OtherRun
from ...core.report.write import ReportTarget, write_report
from ...core.results.results import Results
from ..work.task import ProgressReporter, Task
from .pictures import ReportStudio

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
        parent: QObject | None = None,
    ) -> None:
        """rendered: pictures of the 3D scene, else line drawings; against: a run to compare with; second: what a second
        engine says of the design."""
        super().__init__(parent)
        self._run = project, results
        self._studio: ReportStudio | None = None
        self._drawn: queue.Queue[bytes | None] = queue.Queue()
        drawn = self._drawn

        def write(_asked: object, reporter: ProgressReporter) -> tuple[Path, ...] | None:
            try:
                return write_report(
                    project,
                    results,
                    target,
                    options=options,
                    pictures=_pictures(reporter, drawn) if rendered else None,
                    against=against,
                    second=second,
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
        if self._studio is not None:
            self._studio.close()
            self._studio = None

    def _draw(self, wish: PictureWish) -> None:
        if self._task.stopping:
            return
        picture = None
        try:
            if self._studio is None:
                self._studio = ReportStudio(*self._run)
            if self._studio.works:
                picture = self._studio(wish)
        finally:  # whatever goes wrong here, the writer must not wait for ever
            self._drawn.put(picture)

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
    reporter: ProgressReporter, drawn: queue.Queue[bytes | None]
) -> Callable[[PictureWish], bytes | None]:
    """What asks the window for a picture and waits until it is there or nobody wants it."""

    def picture(wish: PictureWish) -> bytes | None:
        reporter.report(wish)
        while not reporter.stopped():
            try:
                return drawn.get(timeout=PATIENCE)
            except queue.Empty:
                continue
        raise Stopped

    return picture
