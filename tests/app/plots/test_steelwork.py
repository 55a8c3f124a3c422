"""The Steelwork panel by mouse: ridden over beside the window, rows lead to place and moment; stopped; stale."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ridewright.app.plots import curves
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.changes import set_scenario, set_steelwork
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import click, press, settle


@pytest.fixture
def panel(studio: MainWindow):
    """On a short straight track, which is ridden over in seconds."""
    studio.document.start_from(set_scenario(load_example("straight"), {"duration": 1.0}))
    studio.show_panel("steelwork")
    settle(6)
    found = studio.panels["steelwork"]
    for box in (found.life, found.combine, found.gives):
        box.setChecked(False)
    return found


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
    panel.combine.setChecked(True)
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    assert "under the wheels of the run" in panel.note.text()
    assert panel.tabs.currentIndex() == 2  # fatigue was asked for
    assert panel.lives.rowCount() == len(panel.inquiry.found[1].lives) > 0
    life = panel.inquiry.found[1].lives[0]
    _click_row(panel.lives, 0)
    assert panel.chart.isVisible()
    assert panel.chart.chart.title == life.name
    assert f"{life.name}: ranges of stress up to" in panel.about.text()
    assert studio.playback.time == pytest.approx(life.worst, abs=0.02)
    checks = panel.inquiry.found[1].checks
    panel.tabs.setCurrentIndex(3)
    assert panel.checks.item(0, 1).text() == f"{checks.share:.2f}"
    _click_row(panel.checks, 0)
    assert studio.document.selection.s == pytest.approx(checks.members[0].s)
    panel.tabs.setCurrentIndex(4)
    assert panel.combinations.rowCount() == len(checks.combinations)
    _click_row(panel.combinations, 0)
    assert studio.document.selection.s == pytest.approx(checks.combinations[0].s)
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


def test_that_a_click_on_a_column_selects_it_and_asks_for_its_load(studio: MainWindow, panel) -> None:
    viewer = studio.viewer
    viewer.frame_place(38.5)
    settle(3)
    name, s, top, foot = viewer.scene.track.columns()[3]
    eye = viewer.scene.camera.position
    x, y = viewer.plotter.world_to_screen(0.2 * np.array([top]) + 0.8 * np.array([foot]))[0]
    viewer.plotter.clicked.emit(float(x), float(y), Qt.KeyboardModifier.NoModifier)
    settle(3)
    assert studio.document.selection.s == pytest.approx(s)
    assert viewer.scene.camera.position == pytest.approx(eye)  # what was clicked is seen
    assert f"{name.capitalize()} was clicked." in panel.note.text()


def test_that_the_clicked_column_shows_its_load_and_a_click_there_where_the_train_is(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    viewer, name = studio.viewer, "column 4"
    panel.choose(name)
    panel.life.setChecked(True)
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    found = panel.answer
    eye = viewer.scene.camera.position
    number = [one.name for one in found.footings].index(name)
    assert panel.tabs.currentIndex() == 1
    assert panel.chart.isVisible()
    assert panel.footings.selectedItems()[0].data(Qt.ItemDataRole.UserRole) == number
    assert panel.chart.chart.title.startswith(f"{name}, beyond ")
    assert "of its life in the planned rides" in panel.about.text()
    row = panel.footings.selectedItems()[0].row()
    assert panel.footings.item(row, 5).text() == f"{found.footings[number].moment / 1e3:.1f} kN m"
    last = float(panel.chart.chart.curves[0].values[-1])
    assert f"down: {curves.number(last / 1e3)} kN" in panel.chart.head.toolTip()
    with qtbot.waitSignal(panel.train_shown) as shown:
        panel.chart.scrubbed.emit(float(found.ride.time[200]))
    assert shown.args[0] == pytest.approx(found.train_at(float(found.ride.time[200])))
    settle(3)
    stands = viewer.scene.train.position.mean(axis=0)  # there is no run: the train is put there
    there = viewer.scene.built.centreline.position([shown.args[0]])[0]
    assert stands[0] == pytest.approx(there[0], abs=1e-6)  # along the straight; riders sit on one side
    assert viewer.scene.camera.position != pytest.approx(eye)


def test_that_the_panel_rides_on_rails_that_give_and_says_how_near_both_come(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    soft = set_steelwork(set_scenario(load_example("straight"), {"duration": 0.2}), {"E": 2.1e10})
    studio.document.start_from(soft)
    settle(3)
    assert not panel.tabs.isTabEnabled(5)
    panel.gives.setChecked(True)
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    found = panel.inquiry.found[1].two_way
    assert found.agrees
    assert found.said in panel.note.text()
    panel.tabs.setCurrentIndex(5)
    assert panel.rounds.rowCount() == len(found.rounds) > 1
    assert panel.rounds.item(1, 2).text() == f"{1e3 * found.rounds[1].apart:.4f} mm"


def test_that_footings_below_what_is_dragged_follow_it_and_all_of_them_when_it_is_done(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    """A crown is lowered step by step: the footings below it change while it is dragged, beside the settled ones."""
    document, live = studio.document, panel.live
    document.start_from(load_example("curve50"))
    panel.tabs.setCurrentIndex(panel.tabs.count() - 1)
    qtbot.waitUntil(lambda: live.settled is not None, timeout=60_000)
    every = live.settled[1]
    assert live.table.rowCount() == len(every.frame.footings) > 3
    assert {live.table.item(row, 2).text() for row in range(live.table.rowCount())} == {"–"}
    project = document.project
    before = project.track.sections
    for lift in (0.05, 0.1):
        document.preview(_lifted(project, lift))
        qtbot.waitUntil(lambda: live._asked is None and live.shown is not every, timeout=60_000)
        settle(3)
    qtbot.waitUntil(lambda: live._asked is None, timeout=60_000)
    assert 0 < len(live.shown.which) <= len(every.which)
    assert live.settled[1] is every
    assert any(live.table.item(row, 3).text() != "–" for row in range(live.table.rowCount()))
    assert "quasi-static" in live.about.text().lower()
    document.apply("Lift it", _lifted(project, 0.1))
    qtbot.waitUntil(lambda: live.settled[1] is not every, timeout=60_000)
    assert live.before is every
    assert len(live.shown.which) == len(live.shown.frame.footings)
    _click_row(live.table, 0)
    assert document.selection.kind == "place"
    document.undo_stack.undo()
    assert document.project.track.sections == before


def _lifted(project, by: float):
    """The project with the middle point of its longest spline lifted (m)."""
    sections = list(project.track.sections)
    k = max(range(len(sections)), key=lambda one: len(getattr(sections[one], "points", ())))
    points = list(sections[k].points)
    middle = len(points) // 2
    points[middle] = points[middle].model_copy(update={"z": points[middle].z + by})
    sections[k] = sections[k].model_copy(update={"points": tuple(points)})
    track = project.track.model_copy(update={"sections": tuple(sections)})
    return project.model_copy(update={"track": track})
