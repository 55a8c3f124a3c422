"""Rules of the steelwork as tables: combinations and sections typed, added, deleted, undone; where figures are from."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.exchange.frame_file import frame_csv
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import load_project, save_project
from ridewright.core.steelwork.finished import as_finished
from ridewright.core.steelwork.framing import steel_frame
from ridewright.core.track.build import build_track
from tests.app.mouse_and_keyboard import click
from tests.app.settling import until_drawn


@pytest.fixture
def panel(qtbot: QtBot, studio: MainWindow):
    studio.document.start_from(load_example("straight"))
    studio.show_panel("steel_rules")
    until_drawn(qtbot, studio.panels["steel_rules"])
    return studio.panels["steel_rules"]


def show(qtbot: QtBot, panel, title: str) -> None:
    panel.tabs.setCurrentIndex([panel.tabs.tabText(k) for k in range(panel.tabs.count())].index(title))
    until_drawn(qtbot, panel)


def put(qtbot: QtBot, panel, row: int, heading: str, value: str) -> None:
    heads = [
        panel.model.headerData(k, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        for k in range(panel.model.columnCount())
    ]
    panel.model.setData(panel.model.index(row, heads.index(heading)), value)
    until_drawn(qtbot, panel)


def test_that_combinations_are_typed_added_and_deleted_and_are_kept_in_the_file(
    qtbot: QtBot, studio: MainWindow, panel, tmp_path
) -> None:
    document = studio.document
    show(qtbot, panel, "Combinations")
    count = panel.model.rowCount()
    assert "Confidence: low" in panel.about.text()
    put(qtbot, panel, 0, "Train", "1.5")
    actions = document.project.steelwork.actions
    assert actions.combinations[0].train == 1.5
    assert document.undo_stack.undoText() == "Change train of combination Train of actions"
    assert "which differ from" in panel.about.text()
    panel.table.selectRow(0)
    click(panel.buttons["add"])
    assert panel.model.rowCount() == count + 1
    assert document.project.steelwork.actions.combinations[1].name == "Train 2"
    put(qtbot, panel, 1, "Judged by", "serviceability")
    put(qtbot, panel, 1, "Ice", "99")
    assert "10" in panel.about.text()
    assert document.project.steelwork.actions.combinations[1].ice == 0.0
    save_project(document.project, tmp_path / "p.ridewright")
    assert load_project(tmp_path / "p.ridewright").steelwork == document.project.steelwork
    panel.table.selectRow(1)
    click(panel.buttons["delete"])
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert document.project.steelwork.actions == load_example("straight").steelwork.actions


def test_that_a_lattice_is_chosen_for_a_rule_and_rows_go_through_the_clipboard(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    document = studio.document
    show(qtbot, panel, "Spine")
    put(qtbot, panel, 0, "Kind", "triangle")
    assert document.project.steelwork.spines[0].kind == "triangle"
    panel.table.selectAll()
    assert not panel.buttons["delete"].isEnabled()  # one is always left
    panel.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert len(lines) == len(document.project.steelwork.spines)
    QGuiApplication.clipboard().setText(lines[0])
    panel.paste()
    spines = document.project.steelwork.spines
    assert (len(spines), spines[-1]) == (len(lines) + 1, spines[0])


def test_that_a_finished_frame_takes_the_place_of_the_rules_until_these_are_used_again(
    qtbot: QtBot, studio: MainWindow, panel, tmp_path
) -> None:
    document = studio.document
    show(qtbot, panel, "Spine")
    assert not panel.buttons["rules"].isVisible()
    frame = steel_frame(build_track(document.project.track), document.project.steelwork)
    (tmp_path / "f.csv").write_text(frame_csv(as_finished(frame)))
    panel.import_frame(tmp_path / "f.csv")
    assert document.project.steelwork.finished is None  # it is read beside the window
    assert not panel.buttons["import"].isEnabled()
    qtbot.waitUntil(lambda: document.project.steelwork.finished is not None, timeout=30_000)
    kept = document.project.steelwork.finished
    qtbot.waitUntil(lambda: f"{len(frame.members)} members" in panel.about.text(), timeout=30_000)
    assert "is in place of what these rules make" in panel.about.text()
    (tmp_path / "f.csv").write_text("beam, a")
    panel.import_frame(tmp_path / "f.csv")
    qtbot.waitUntil(lambda: "'beam' is no record of a frame" in panel.about.text(), timeout=30_000)
    assert document.project.steelwork.finished is kept
    click(panel.buttons["rules"])
    assert document.project.steelwork.finished is kept  # beside the one by rules, which counts now
    assert document.project.steelwork.in_place is None
    assert document.undo_stack.undoText() == "Use rules of the steelwork"
    qtbot.waitUntil(lambda: "is beside what these rules make" in panel.about.text(), timeout=30_000)
    assert panel.buttons["rules"].text() == "Use frame"
    click(panel.buttons["rules"])
    assert document.project.steelwork.in_place is kept


def test_that_a_frame_of_another_track_than_the_one_there_is_now_is_not_taken(
    qtbot: QtBot, studio: MainWindow, panel, tmp_path
) -> None:
    document = studio.document
    frame = steel_frame(build_track(document.project.track), document.project.steelwork)
    (tmp_path / "f.csv").write_text(frame_csv(as_finished(frame)))
    panel.import_frame(tmp_path / "f.csv")
    track = document.project.track
    document.apply(
        "Other", document.project.model_copy(update={"track": track.model_copy(update={"name": "Other"})})
    )
    qtbot.waitUntil(lambda: "changed while the frame was read" in panel.about.text(), timeout=30_000)
    assert document.project.steelwork.finished is None


def test_that_a_project_without_a_track_says_so(qtbot: QtBot, studio: MainWindow, panel) -> None:
    studio.document.start_from(load_example("double_pendulum"))
    until_drawn(qtbot, panel)
    assert "has no track" in panel.about.text()
    assert not panel.table.isVisible()
