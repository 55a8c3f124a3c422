"""Work that takes longer than a frame, off the thread of the window; only the latest request counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from ridewright.app.work import threads


class _Hand(QObject):
    done = Signal(int, object)

    def __init__(self, work: Callable[[Any], Any]) -> None:
        super().__init__()
        self._work = work
        self.latest = 0

    @Slot(int, object)
    def do(self, number: int, asked: object) -> None:
        if number == self.latest:  # an older request has been overtaken while it waited
            self.done.emit(number, self._work(asked))


class Background(QObject):
    """Calls `work(asked)` in a thread of its own; `finished` carries what the latest request returned."""

    finished = Signal(object)
    _asked = Signal(int, object)

    def __init__(self, name: str, work: Callable[[Any], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hand = _Hand(work)
        self._thread = threads.start(name, self._hand)
        self._asked.connect(self._hand.do)
        self._hand.done.connect(self._on_done)

    def ask(self, asked: object) -> None:
        """Ask for work; a request that is still waiting is forgotten."""
        self._hand.latest += 1
        self._asked.emit(self._hand.latest, asked)

    def close(self) -> None:
        """Wait for the thread; what is still asked for is forgotten."""
        self._hand.latest += 1
        threads.end(self._thread)

    @Slot(int, object)
    def _on_done(self, number: int, result: object) -> None:
        if number == self._hand.latest:
            self.finished.emit(result)
