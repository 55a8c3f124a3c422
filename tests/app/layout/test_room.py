"""The bottom area: a height for each panel, a share of the window's; plots that can be read."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar, QWidget

from ridewright.app.plots.plot_grid import PlotGrid
from ridewright.app.shell.workspaces.design import WORKSPACE as DESIGN
from ridewright.core.charts.abscissa import Abscissa
from ridewright.core.charts.chart import Chart, Colour, Curve, over_time


def _click_tab(window, title: str) -> None:
    """Click the tab of a panel of the bottom area."""
    for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
        for k in range(bar.count()):
            if bar.isVisible() and bar.tabText(k) == title:
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(k).center())
                settle()
                return
    raise AssertionError(title)


def _drag_separator(window, dock: QWidget, by: int) -> None:
    """Drag the border over the tabs of the bottom area."""
    bar = next(
        b
        for b in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if dock.windowTitle() in [b.tabText(k) for k in range(b.count())]
    )
    at = QPoint(window.width() // 3, bar.y() - 2)
    handle = window.windowHandle()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    for k in range(1, 5):
        QTest.mouseMove(handle, at + QPoint(0, by * k // 4))
        settle()
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at + QPoint(0, by))
    settle()


@pytest.mark.new_window
def test_that_each_tab_keeps_the_height_it_was_given(studio) -> None:
    """A border dragged with the mouse counts for the tab in front, as a share of the window's height."""
    plan, points = studio.docks["plan"], studio.docks["points"]
    _click_tab(studio, "Plan")
    before = plan.height()
    assert abs(before - DESIGN.below_share * studio.height()) < 3  # it was folded, and has been asked for
    _drag_separator(studio, plan, -120)
    taller = plan.height()
    assert taller > before + 80
    _click_tab(studio, "Points")
    assert abs(points.height() - before) < 3
    _click_tab(studio, "Plan")
    assert abs(plan.height() - taller) < 3
    studio.resize(studio.width(), 1000)
    settle()
    assert abs(plan.height() - taller * 1000 / 800) < 4
    studio.reset_layout()
    settle()
    studio.show_panel("plan")
    settle()
    assert abs(plan.height() - DESIGN.below_share * 1000) < 4


def _six() -> list[Chart]:
    time = np.linspace(0.0, 3.0, 50)
    axis = Abscissa("time", time, None)
    return [over_time(str(k), f"Plot {k}", "g", [Curve.over(axis, "a", time, np.sin(k + time), Colour("bad"), "Run 1")])
            for k in range(6)]  # fmt: skip


def test_that_six_plots_can_be_read_and_more_scroll(qtbot) -> None:
    grid = PlotGrid()
    qtbot.addWidget(grid)
    for size in ((1600, 280), (1024, 190)):
        grid.resize(*size)
        grid.show()
        grid.set_contents(_six(), 1.0, "s", size)
        settle()
        assert min(pane.height() for pane in grid.panes) >= 120
        assert (grid.sheet.height() > grid.viewport().height()) == (size == (1024, 190))
