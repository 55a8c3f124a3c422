"""The Steelwork panel by mouse: ridden over beside the window, rows lead to place and moment; stopped; stale."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import click, press, settle


@pytest.fixture
def panel(studio: MainWindow):
    """On a short straight track, which is ridden over in seconds."""
    studio.document.start_from(set_scenario(load_example("straight"), {"duration": 1.0}))
    studio.show_panel("steelwork")
    settle(6)
    return studio.panels["steelwork"]


def _click_row(table, row: int) -> None:
    place = table.visualItemRect(table.item(row, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(3)


def test_that_the_steel_of_the_preview_is_ridden_over_and_rows_lead_to_their_places(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    assert "without one the axles of the preview" in panel.note.text()
    assert not panel.tabs.isTabEnabled(1)
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    assert "under the axles of the preview; lowest frequency" in panel.note.text()
    found = panel.inquiry.found[1]
    assert panel.members.rowCount() == min(60, len(found.members))
    assert panel.members.item(0, 0).text() == found.members[0].name
    assert panel.members.item(0, 1).text() == f"{found.members[0].stress / 1e6:.1f} MPa"
    _click_row(panel.members, 0)
    assert studio.document.selection.kind == "place"
    assert studio.document.selection.s == pytest.approx(found.members[0].s)
    panel.tabs.setCurrentIndex(1)
    assert panel.footings.rowCount() == len(found.footings)
    _click_row(panel.footings, 0)
    assert panel.chart.isVisible()
    most = max(found.footings, key=lambda one: one.most[2])
    assert panel.chart.chart.title.startswith(f"{most.name}, beyond ")
    studio.document.apply("Longer", set_scenario(studio.document.project, {"duration": 1.2}))
    qtbot.waitUntil(lambda: "The design has changed since" in panel.note.text())


def test_that_the_wheels_of_the_shown_run_load_it_and_a_row_shows_the_train_then(
    qtbot: QtBot, studio: MainWindow, panel, wait_for_run
) -> None:
    press(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    panel.life.setChecked(True)
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    assert "under the wheels of the run" in panel.note.text()
    assert panel.tabs.currentIndex() == 2  # fatigue was asked for
    assert panel.lives.rowCount() == len(panel.inquiry.found[1].lives) > 0
    panel.tabs.setCurrentIndex(0)
    _click_row(panel.members, 1)
    assert studio.playback.time == pytest.approx(panel.inquiry.found[1].members[1].time, abs=0.02)


def test_that_riding_over_is_stopped_and_a_project_without_a_track_says_so(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    studio.document.start_from(load_example("looping_star"))
    settle(3)
    click(panel.button)
    qtbot.waitUntil(lambda: "Riding over it" in panel.note.text(), timeout=60_000)
    click(panel.stop)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=60_000)
    assert panel.members.rowCount() == 0
    studio.document.start_from(load_example("double_pendulum"))
    settle(3)
    assert "this project has no track" in panel.note.text()
    assert not panel.button.isEnabled()
