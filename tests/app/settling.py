"""Waiting for what panels draw by themselves, however busy the machine is: for what holds, never for a time."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ridewright.app.plots.plot_grid import PlotGrid
from ridewright.app.widgets.refresh import Refresh

PATIENCE = 30_000  # ms


def is_drawn(widget: QWidget) -> bool:
    """Nothing that is to be seen of a widget waits for its turn to be drawn, and every plot is there."""
    return not any(one.waiting for one in widget.findChildren(Refresh)) and all(
        grid.complete for grid in widget.findChildren(PlotGrid)
    )


def until_drawn(qtbot: QtBot, widget: QWidget) -> None:
    """Let events happen until a widget is to be seen and has drawn itself. Raises TimeoutError of pytest-qt."""
    qtbot.waitUntil(lambda: not widget.visibleRegion().isEmpty(), timeout=PATIENCE)
    qtbot.waitUntil(lambda: is_drawn(widget), timeout=PATIENCE)
