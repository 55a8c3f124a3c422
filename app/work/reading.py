"""What opening a run has left in its file, read beside the window."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QObject, Signal

from ...core.base.errors import InputError
from ...core.base.sentence import say
from ...core.results.results import Results
from ..document.document import Document
from ..widgets.refresh import Turn
from .task import ProgressReporter, Task

NAME: Final = "rest of runs"


class _Asked(NamedTuple):
    results: Results
    name: str
    fault: InputError | None = None


def rest_of(document: Document) -> RestOfRuns:
    """What reads the rest of the runs of a document."""
    found = document.findChild(RestOfRuns, NAME)
    return found if isinstance(found, RestOfRuns) else RestOfRuns(document)


class RestOfRuns(QObject):
    """Reads what is left of runs from files beside the window; a run whose file is damaged there is removed."""

    refused = Signal(object)  # why, an InputError
    done = Signal(object)  # the results whose arrays are all read

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.setObjectName(NAME)
        self._document = document
        self._work = Task(NAME, _read, self, latest=False)
        self._work.finished.connect(self._on_read)
        self._waiting: list[_Asked] = []
        self._turn = Turn(self, self._begin)

    def read(self, results: Results, name: str) -> None:
        """Read the rest of a run from a file of a name, once those have drawn who wished to before."""
        self._waiting.append(_Asked(results, name))
        self._turn.soon()

    def _begin(self) -> None:
        waiting, self._waiting = self._waiting, []
        for asked in waiting:
            self._work.ask(asked)

    def _on_read(self, found: _Asked) -> None:
        if found.fault is None:
            self.done.emit(found.results)
            return
        for run in self._document.runs:
            if run.results is found.results:
                self._document.drop_run(run)
        self.refused.emit(found.fault)


def _read(asked: _Asked, reporter: ProgressReporter) -> _Asked:
    from ...core.results.unread import read_rest

    try:
        for _ in read_rest(asked.results):
            if reporter.stopped():
                break
    except InputError as error:
        words = say("{fault} The run is taken away again.", fault=error.said)
        return asked._replace(fault=InputError(words))
    return asked
