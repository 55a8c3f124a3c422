"""Work that takes longer than a frame, off the thread of the window: a function with progress, stop and result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from ...core.base.errors import InputError
from ..widgets import units
from . import threads


class ProgressReporter(QObject):
    """What work is handed to say how far it is and to ask whether it is still wanted."""

    progressed = Signal(float, str)
    reported = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.number = 0  # of the request that is worked on
        self.unwanted = 0  # requests up to this one are

    def progress(self, share: float, text: str = "") -> None:
        """Say which share (0 to 1) is done, and what comes next."""
        self.progressed.emit(share, text)

    def report(self, what: object) -> None:
        """Hand something to the window before the work is done."""
        self.reported.emit(what)

    def stopped(self) -> bool:
        """Whether the work is no longer wanted."""
        return self.number <= self.unwanted


class _Hand(QObject):
    """Lives in the thread of its own."""

    done = Signal(int, object)
    refused = Signal(int, object)

    def __init__(
        self, work: Callable[[Any, ProgressReporter], Any], failing: str, reporter: ProgressReporter
    ) -> None:
        super().__init__()
        self._work, self._failing, self._reporter = work, failing, reporter
        self.overtaken = 0  # requests up to this one need not be begun

    @Slot(int, object)
    def do(self, number: int, asked: object) -> None:
        if number <= self.overtaken:
            return
        self._reporter.number = number
        try:
            result = self._work(asked, self._reporter)
        except InputError as error:
            self.refused.emit(number, error)
        except Exception as error:
            if not self._failing:
                raise
            message = f"{self._failing}: {type(error).__name__}: {error}. Save your work and report this."
            self.refused.emit(number, InputError(message))
        else:
            self.done.emit(number, result)


class Task(QObject):
    """Calls `work(asked, teller)` in a thread of its own, one request after the other.

    `finished` carries what it returned; `refused` an InputError or, where `failing` says what fails, one made of any
    other exception, and `failed` its sentence; `progressed` and `told` what it said on the way. latest: only the
    latest request counts, those that wait are forgotten. The thread begins with the first request and ends before the
    object does.
    """

    finished = Signal(object)
    failed = Signal(str)
    refused = Signal(object)
    progressed = Signal(float, str)
    reported = Signal(object)
    _asked = Signal(int, object)

    def __init__(
        self,
        name: str,
        work: Callable[[Any, ProgressReporter], Any],
        parent: QObject | None = None,
        *,
        latest: bool = True,
        failing: str = "",
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._latest, self._number, self._closed = latest, 0, False
        self._reporter = ProgressReporter()
        self._hand = _Hand(work, failing, self._reporter)
        self._asked.connect(self._hand.do)
        self._hand.done.connect(self._on_done)
        self._hand.refused.connect(self._on_refused)
        self._reporter.progressed.connect(self._on_progressed)
        self._reporter.reported.connect(self._on_reported)
        ends: list[Callable[[], None]] = []
        self._ends = ends  # holds nothing of this: the thread ends first, whoever lets go of it
        self.destroyed.connect(lambda: _end(ends))

    def ask(self, asked: object = None) -> None:
        """Ask for work."""
        if self._closed:
            return
        if not self._ends:
            self._begin()
        if self._latest:
            self._hand.overtaken = self._number
        self._number += 1
        self._asked.emit(self._number, asked)

    def stop(self) -> None:
        """Ask what is under way, and what waits, for an early end; its result still comes."""
        self._reporter.unwanted = self._number

    @property
    def stopping(self) -> bool:
        """Whether the latest work has been asked for an early end."""
        return self._reporter.unwanted >= self._number

    def close(self) -> None:
        """Ask for an early end and wait for the thread; nothing comes any more."""
        self._closed = True
        _end(self._ends)

    def _begin(self) -> None:
        thread = threads.start(self.objectName(), self._hand)
        hand, reporter = self._hand, self._reporter

        def end(thread: QThread = thread) -> None:
            hand.overtaken = reporter.unwanted = 1 << 62
            threads.end(thread)

        self._ends.append(end)

    def _counts(self, number: int) -> bool:
        return not self._closed and (not self._latest or number == self._number)

    @Slot(int, object)
    def _on_done(self, number: int, result: object) -> None:
        if self._counts(number):
            self.finished.emit(result)

    @Slot(int, object)
    def _on_refused(self, number: int, fault: InputError) -> None:
        if self._counts(number):
            self.refused.emit(fault)
            self.failed.emit(units.told(fault))

    @Slot(float, str)
    def _on_progressed(self, share: float, text: str) -> None:
        if not self._closed:
            self.progressed.emit(share, text)

    @Slot(object)
    def _on_reported(self, what: object) -> None:
        if not self._closed:
            self.reported.emit(what)


def end_tasks(under: QObject) -> None:
    """End the tasks of an object and of all under it: each is asked for an early end, then waited for."""
    found = under.findChildren(Task)
    for task in found:
        task.stop()
    for task in found:
        task.close()


def _end(ends: list[Callable[[], None]]) -> None:
    while ends:
        ends.pop()()
