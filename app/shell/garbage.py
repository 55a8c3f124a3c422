"""Garbage collection in the window's thread only.

Python collects cycles in whichever thread happens to allocate. A cycle that holds a Qt or VTK object must not be taken
apart in the solver's thread: the process would die. So automatic collection is off and a timer collects here.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY = 100  # ms: what half a second of a writer makes takes 0.2 s to look through
#: How many objects are new, how many times they have been looked through, and the middle ones, when it is next done.
#: Survivors go on soon, so that no look but the seldom one at everything has much to look through.
LIMITS = (700, 2, 150)


class GarbageCollector(QObject):
    """Collects, generation by generation, from a timer in the thread it is made in."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._generations: tuple[int, ...] = (2, 1, 0)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def prepare(self) -> None:
        """Leave the window and the modules out of all collections, and what is loaded or compiled until `settle`.

        To look through everything a compile makes, again and again while it grows, takes half a second at a time; so
        only what has come since the last look is looked through.
        """
        gc.freeze()
        self._generations = (0,)

    def settle(self) -> None:
        """The program is prepared: what exists now stays, what comes is collected as usual."""
        gc.freeze()
        self._generations = (2, 1, 0)

    def collect(self) -> None:
        """Collect the oldest generation that is due."""
        counts = gc.get_count()
        for generation in self._generations:
            if counts[generation] > LIMITS[generation]:
                gc.collect(generation)
                return
