"""Waiting for what panels draw by themselves, however busy the machine is: for what holds, never for a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ridewright.app.plots.plot_grid import PlotGrid
from ridewright.app.view3d.view import SceneView
from ridewright.app.widgets.refresh import Refresh

PATIENCE = 30_000  # ms


class PatientBot(QtBot):
    """What waits gives a busy machine its time: how long a test may wait at least is said here, once."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE))

    def waitSignal(self, signal: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=max(timeout, PATIENCE), **options)

    def waitSignals(self, signals: Any, *, timeout: int = PATIENCE, **options: Any) -> Any:
        return super().waitSignals(signals, timeout=max(timeout, PATIENCE), **options)


def is_drawn(widget: QWidget) -> bool:
    """Nothing that is to be seen of a widget waits for its turn to be drawn, and every plot is there."""
    return (
        not any(one.waiting for one in widget.findChildren(Refresh))
        and all(grid.complete for grid in widget.findChildren(PlotGrid))
        and not any(view.ready and view.scene.train.waits for view in widget.findChildren(SceneView))
    )


def until_exposed(qtbot: QtBot, widget: QWidget) -> None:
    """Wait until the screen shows a window that has been asked to be shown."""
    with qtbot.waitExposed(widget, timeout=PATIENCE):
        pass


def until_drawn(qtbot: QtBot, widget: QWidget) -> None:
    """Let events happen until a widget is to be seen and has drawn itself. Raises TimeoutError of pytest-qt."""
    qtbot.waitUntil(lambda: not widget.visibleRegion().isEmpty(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: is_drawn(widget), timeout=PATIENCE)
