"""What a panel asks for beside the window and shows until it is asked again: the answer, of which design it is, why
there is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from ..document.document import Document
from .task import ProgressReporter, Task


class Inquiry(QObject):
    """A question about the open project, in a thread that is begun when it is needed.

    `changed`: it was asked, answered, refused or forgotten; `answered`: the answer; `progressed` as of `Task`. found:
    of what the last answer is, as it was asked, and the answer; None without one, and in another project. why: why
    there is none, "" where nothing is wrong. An answer of None is none: the work was stopped.
    """

    changed = Signal()
    answered = Signal(object)
    progressed = Signal(float, str)

    def __init__(
        self,
        name: str,
        work: Callable[[Any, ProgressReporter], Any],
        document: Document,
        parent: QObject,
        *,
        failing: str,
    ) -> None:
        super().__init__(parent)
        self._name, self._work, self._failing = name, work, failing
        self._task: Task | None = None
        self._asked: tuple[Any, ...] = ()
        self.found: tuple[Any, Any] | None = None
        self.why = ""
        document.begun.connect(self._forget)

    @property
    def running(self) -> bool:
        """Whether an answer is worked on."""
        return bool(self._asked)

    def ask(self, of: object, what: object) -> None:
        """Ask what is to be found, and remember of what it will be."""
        if self._task is None:
            self._task = Task(self._name, self._work, self, failing=self._failing)
            self._task.finished.connect(self._on_found)
            self._task.failed.connect(self._on_failed)
            self._task.progressed.connect(self._on_progressed)
        self._asked, self.why = (of,), ""
        self.changed.emit()
        self._task.ask(what)

    def give_up(self) -> None:
        """Ask what is under way for an early end."""
        if self._task is not None:
            self._task.stop()

    def say(self, why: str) -> None:
        """Say why something was not done; "": it was."""
        self.why = why
        self.changed.emit()

    def _on_found(self, answer: object) -> None:
        asked, self._asked = self._asked, ()
        if asked and answer is not None:
            self.found = (asked[0], answer)
        self.changed.emit()
        if asked and answer is not None:
            self.answered.emit(answer)

    def _on_progressed(self, share: float, text: str) -> None:
        if self.running:
            self.progressed.emit(share, text)

    def _on_failed(self, why: str) -> None:
        self._asked = ()
        self.say(why)

    def _forget(self) -> None:
        """Another project: what is known of the one before is given up, and not shown when it comes."""
        self.give_up()
        self.found, self._asked = None, ()
        self.say("")
