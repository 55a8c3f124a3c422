"""A report made beside the window: written in a thread of its own, its pictures drawn in the window's thread."""

from __future__ import annotations

import queue
import threading

from PySide6.QtCore import QObject, Signal, Slot

from ridewright.app.report.pictures import ReportStudio
from ridewright.app.work import threads
from ridewright.core.base.errors import InputError
from ridewright.core.project.project import Project
from ridewright.core.report.book import PictureWish, ReportOptions, Stopped
from ridewright.core.report.run_view import OtherRun
from ridewright.core.report.write import ReportTarget, write_report
from ridewright.core.results.results import Results

PATIENCE = 0.1  # s between looks whether the report is still wanted, while a picture is drawn


class _Writer(QObject):
    """Lives in the thread of its own."""

    progressed = Signal(float, str)
    picture_wanted = Signal(object)  # PictureWish
    ended = Signal(object, str)  # files written or None, what went wrong

    def __init__(
        self,
        project: Project,
        results: Results,
        target: ReportTarget,
        options: ReportOptions,
        rendered: bool,
        against: OtherRun | None,
    ) -> None:
        super().__init__()
        self._run = project, results
        self._target, self._options, self._rendered, self._against = target, options, rendered, against
        self.stop = threading.Event()
        self.drawn: queue.Queue[bytes | None] = queue.Queue()

    @Slot()
    def write(self) -> None:
        files, reason = None, ""
        try:
            files = write_report(
                *self._run,
                self._target,
                options=self._options,
                pictures=self._picture if self._rendered else None,
                against=self._against,
                on_progress=self.progressed.emit,
                should_stop=self.stop.is_set,
            )
        except Stopped:
            pass
        except InputError as error:
            reason = str(error)
        except Exception as error:
            reason = f"The report failed: {type(error).__name__}: {error}. Save your work and report this."
        self.ended.emit(files, reason)

    def _picture(self, wish: PictureWish) -> bytes | None:
        self.picture_wanted.emit(wish)
        while not self.stop.is_set():
            try:
                return self.drawn.get(timeout=PATIENCE)
            except queue.Empty:
                continue
        raise Stopped


class ReportJob(QObject):
    """Writes one report; ends with `finished`, `failed` or `cancelled`."""

    progressed = Signal(float, str)  # done share, what comes next
    finished = Signal(object)  # tuple of Path
    failed = Signal(str)
    cancelled = Signal()
    _begin = Signal()

    def __init__(
        self,
        project: Project,
        results: Results,
        target: ReportTarget,
        options: ReportOptions,
        *,
        rendered: bool = True,
        against: OtherRun | None = None,
        parent: QObject | None = None,
    ) -> None:
        """rendered: pictures of the 3D scene, else line drawings; against: a run to compare with."""
        super().__init__(parent)
        self._run = project, results
        self._studio: ReportStudio | None = None
        self._writer = _Writer(project, results, target, options, rendered, against)
        self._thread = threads.start("report", self._writer)
        self._writer.progressed.connect(self.progressed)
        self._writer.picture_wanted.connect(self._draw)
        self._writer.ended.connect(self._on_ended)
        self._begin.connect(self._writer.write)

    def start(self) -> None:
        """Begin."""
        self._begin.emit()

    def cancel(self) -> None:
        """Ask for an end without files; `cancelled` follows."""
        self._writer.stop.set()

    def close(self) -> None:
        """Cancel, and wait until the thread is gone."""
        self.cancel()
        self._end()

    @Slot(object)
    def _draw(self, wish: PictureWish) -> None:
        if self._writer.stop.is_set():
            return
        picture = None
        try:
            if self._studio is None:
                self._studio = ReportStudio(*self._run)
            if self._studio.works:
                picture = self._studio.picture(wish)
        finally:  # whatever goes wrong here, the writer must not wait for ever
            self._writer.drawn.put(picture)

    @Slot(object, str)
    def _on_ended(self, files: object, reason: str) -> None:
        self._end()
        if reason:
            self.failed.emit(reason)
        elif files is None:
            self.cancelled.emit()
        else:
            self.finished.emit(files)

    def _end(self) -> None:
        threads.end(self._thread)
        if self._studio is not None:
            self._studio.close()
            self._studio = None
