"""Garbage collection in the window's thread only.

Python collects cycles in whichever thread happens to allocate. A cycle that holds a Qt or VTK object must not be taken
apart in the solver's thread: the process would die. So automatic collection is off and a timer collects here.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY = 500  # ms


class GarbageCollector(QObject):
    """Collects, generation by generation as Python would, from a timer in the thread it is made in."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._limits = gc.get_threshold()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def freeze(self) -> None:
        """Leave what exists now out of all collections: modules and the window live as long as the program."""
        gc.freeze()

    def collect(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in (2, 1, 0):
            if self._limits[generation] and counts[generation] > self._limits[generation]:
                gc.collect(generation)
                return
