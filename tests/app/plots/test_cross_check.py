"""The Cross-check panel by mouse: checked beside the window, rows lead to body and moment; stopped; without engine."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ridewright.app.plots import cross_check as panel_module
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import click, settle
from tests.second_engine import lower_bar_differs


@pytest.fixture
def panel(studio: MainWindow):
    studio.document.start_from(set_scenario(load_example("double_pendulum"), {"duration": 0.3}))
    studio.show_panel("cross_check")
    settle(6)
    return studio.panels["cross_check"]


def _click_row(table, row: int) -> None:
    place = table.visualItemRect(table.item(row, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(3)


def test_that_what_differs_leads_to_its_body_and_moment(
    qtbot: QtBot, studio: MainWindow, panel, wait_for_run, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.runner.start(studio.document.project)
    wait_for_run(studio.runner)
    asked = []
    monkeypatch.setattr(
        panel_module,
        "in_own_process",
        lambda work, what, _reporter: asked.append(what) or lower_bar_differs(),
    )
    assert panel.duration.value() == pytest.approx(0.3)
    click(panel.button)
    qtbot.waitUntil(lambda: panel.answer is not None)
    assert asked[0][1:] == ("exudyn", 0.3)
    assert "2 differ by more than both are off." in panel.note.text()
    assert "It moves the ride by up to 0.1 m (Lower bar" in panel.note.text()
    assert panel.tabs.currentIndex() == 1  # what differs is shown
    assert [panel.tabs.tabText(k) for k in range(3)] == ["Agreement", "Differences 2", "Left out 1"]
    _, differences, left = panel.tables
    _click_row(differences, 1)
    assert studio.document.selection.path == ("Lower bar",)
    assert studio.playback.time == pytest.approx(0.1, abs=0.02)
    panel.tabs.setCurrentIndex(0)
    assert [panel.tables[0].item(0, k).text() for k in (0, 1, 2, 6)] == [
        "place",
        "Lower bar",
        "0.02 m",
        "differs",
    ]
    panel.tabs.setCurrentIndex(2)
    _click_row(left, 0)
    assert studio.document.selection.path == ("Shoulder",)
    studio.document.apply("Longer", set_scenario(studio.document.project, {"duration": 0.4}))
    qtbot.waitUntil(lambda: "The design has changed since" in panel.note.text())


def test_that_the_tool_beside_run_begins_a_check_that_can_be_stopped(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    studio.document.start_from(load_example("looping_star"))
    settle(3)
    studio.actions_table.by_id["cross_check"].trigger()
    assert panel.inquiry.running
    assert panel.stop.isVisibleTo(panel)
    click(panel.stop)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=60_000)
    assert panel.answer is None


@pytest.mark.skipif(find_spec("exudyn") is not None, reason="exudyn is installed")
def test_that_an_engine_that_is_not_there_is_said(qtbot: QtBot, panel) -> None:
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=60_000)
    assert "pip install ridewright[cross-check]" in panel.note.text()
