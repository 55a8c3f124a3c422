"""The sensitivity of a value, found by short rides in a thread of its own."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Signal, Slot

from ridewright.app.document.runs import Run
from ridewright.app.work import threads
from ridewright.core.base.errors import InputError
from ridewright.core.outcome.rider_view import RiderJudgement
from ridewright.core.project.evaluation import EvaluationOptions


class _Rider(QObject):
    """Lives in the thread of its own."""

    progressed = Signal(float)
    ended = Signal(object, str)  # Sensitivity or None, what went wrong

    def __init__(self, run: Run, row: RiderJudgement, options: EvaluationOptions) -> None:
        super().__init__()
        self._run, self._row, self._options = run, row, options
        self.stop = threading.Event()

    @Slot()
    def ride(self) -> None:
        from ridewright.core.outcome.origin import sensitivity  # the solver, slow to load

        found, reason = None, ""
        try:
            found = sensitivity(
                self._run.judged_by(self._options),
                self._run.results,
                self._row,
                on_progress=self.progressed.emit,
                should_stop=self.stop.is_set,
            )
        except InputError as error:
            reason = str(error)
        except Exception as error:
            reason = (
                f"The short rides failed: {type(error).__name__}: {error}. Save your work and report this."
            )
        self.ended.emit(found, reason)


class SensitivityJob(QObject):
    """Rides the moment of one value again and again; ends with `finished` or `failed`."""

    progressed = Signal(float)
    finished = Signal(object)  # Sensitivity
    failed = Signal(str)
    _begin = Signal()

    def __init__(
        self, run: Run, row: RiderJudgement, options: EvaluationOptions, parent: QObject | None = None
    ) -> None:
        """options: the rider assessment now, which may differ from when the run was made."""
        super().__init__(parent)
        self.run, self.row = run, row
        self._rider = _Rider(run, row, options)
        self._thread = threads.start("sensitivity", self._rider)
        self._rider.progressed.connect(self.progressed)
        self._rider.ended.connect(self._on_ended)
        self._begin.connect(self._rider.ride)

    def start(self) -> None:
        """Begin."""
        self._begin.emit()

    def cancel(self) -> None:
        """Ask for an end; `finished` brings what has been found so far."""
        self._rider.stop.set()

    def close(self) -> None:
        """Cancel, and wait until the thread is gone."""
        self.cancel()
        threads.end(self._thread)

    @Slot(object, str)
    def _on_ended(self, found: object, reason: str) -> None:
        threads.end(self._thread)
        if reason:
            self.failed.emit(reason)
        else:
            self.finished.emit(found)
