"""Panels that nobody has seen yet are made while the program is idle, and what they need is loaded before."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from ..work.runner import Runner
from .panels import Panels

# Slow to load and wanted soon. Nothing that uses Qt: its classes must be made in the window's thread.
LATER = (
    "scipy.signal",
    "ridewright.core.injury",
    "ridewright.core.injury.charts",
    "ridewright.core.injury.trace",
    "ridewright.core.report.parts.words",
    "ridewright.core.outcome.summary",
    "ridewright.core.multibody.compile",
)
BETWEEN_PANELS = 40  # ms, in which other events have their turn


class LaterPanels(QObject):
    """Loads, then makes one panel after the other, then has the solver compiled."""

    def __init__(self, runner: Runner, panels: Panels, parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._panels = runner, panels
        self._waiting: list[Callable[[], object]] = []  # makes the panels that are missing
        self._ended = False
        self._timer = QTimer(self)
        self._timer.setInterval(BETWEEN_PANELS)
        self._timer.timeout.connect(self._next)

    def begin(self) -> None:
        """Begin to load."""
        self._runner.loaded.connect(self._on_loaded)
        self._runner.load(LATER)

    def end(self) -> None:
        """Make no more."""
        self._ended = True
        self._timer.stop()

    def _on_loaded(self) -> None:
        if not self._ended:
            self._waiting = [step for name in self._panels.missing() for step in self._panels.steps(name)]
            self._timer.start()

    def _next(self) -> None:
        if self._waiting:
            self._waiting.pop(0)()
        else:
            self._timer.stop()
            self._runner.warm_up()
