"""The Load cases panel by mouse: usual ones in one step, edited by hand, all run, side by side; stopped; stale."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import click, settle
from tests.app.settling import until_drawn


@pytest.fixture
def panel(studio: MainWindow):
    document = studio.document
    project = load_example("frisbee")
    document.start_from(set_scenario(project, {"duration": 0.3}))
    studio.show_panel("load_cases")
    settle(6)
    return studio.panels["load_cases"]


def _texts(panel) -> dict[str, list[str]]:
    table = panel.pages.currentWidget()
    table = table if table is panel.table else panel.editor.cases
    rows = [
        [table.item(k, c).text() if table.item(k, c) is not None else "" for c in range(table.columnCount())]
        for k in range(table.rowCount())
    ]
    return {row[0]: row[1:] for row in rows}


def test_that_the_usual_cases_are_made_run_and_shown_side_by_side(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    document = studio.document
    before = document.project
    assert not panel.button.isEnabled()
    assert "Make the usual ones, or add one" in panel.note.text()
    click(panel.usual)
    assert document.undo_stack.undoText() == "Make the usual load cases"
    qtbot.waitUntil(lambda: panel.editor.cases.rowCount() > 0)
    assert not panel.usual.isEnabled()  # there is nothing to make any more
    assert [*_texts(panel)] == ["Full", "Empty", "Half", "Worst eccentric", "Women and children"]
    click(panel.button)
    assert panel.stop.isEnabled()
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=120_000)
    texts = _texts(panel)
    assert texts["On board"][:3] == ["1800 kg", "0 kg", "900 kg"]
    assert texts["Moves together"][0] == "6845 kg"
    assert texts["Top hinge"][0].endswith(" kN")
    assert "Ring bearing" in texts
    row = [*texts].index("Top hinge")
    bold = [panel.table.item(row, c).font().bold() for c in range(1, 6)]
    assert bold == [True, False, False, False, False]
    document.apply("Shorter", set_scenario(document.project, {"duration": 0.2}))
    qtbot.waitUntil(lambda: "run them again" in panel.note.text())
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: "run them again" not in panel.note.text())
    document.undo_stack.undo()
    assert document.project == before


def test_that_stop_ends_them_and_what_was_there_stays(qtbot: QtBot, studio: MainWindow, panel) -> None:
    click(panel.usual)
    qtbot.waitUntil(panel.button.isEnabled)
    studio.document.apply("Longer", set_scenario(studio.document.project, {"duration": 60.0}))
    click(panel.button)
    qtbot.waitUntil(lambda: "of all" in panel.note.text(), timeout=120_000)
    click(panel.stop)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=60_000)
    assert next(iter(_texts(panel))) == "Full"
    assert panel.button.isEnabled()


def test_that_another_project_does_not_show_what_the_one_before_was_run_for(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    click(panel.usual)
    qtbot.waitUntil(panel.button.isEnabled)
    document = studio.document
    document.apply("Longer", set_scenario(document.project, {"duration": 60.0}))
    cases = document.project
    click(panel.button)
    qtbot.waitUntil(lambda: "of all" in panel.note.text(), timeout=120_000)
    with qtbot.waitSignal(panel.inquiry._task.finished, timeout=60_000):
        document.start_from(set_scenario(cases, {"duration": 0.3}))
        assert not panel.inquiry.running
    settle(6)
    assert "On board" not in _texts(panel)
    assert panel.button.isEnabled()


def _pick(box: QComboBox, text: str) -> None:
    """Choose an entry of a box by keys, as somebody does who opens it."""
    k = next(k for k in range(box.count()) if box.itemText(k).startswith(text))
    box.showPopup()
    settle(2)
    view = box.view()
    view.setCurrentIndex(box.model().index(k, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    settle(4)


def _who(panel) -> dict[str, str]:
    table = panel.editor.seats
    return {table.item(k, 0).text(): table.cellWidget(k, 1).currentText() for k in range(table.rowCount())}


def test_that_cases_are_added_renamed_copied_and_deleted_each_in_one_step(studio: MainWindow, panel) -> None:
    document, cases = studio.document, panel.editor.cases
    stack, before = document.undo_stack, document.project
    assert not panel.delete.isEnabled()
    click(panel.add)
    settle(4)
    assert stack.undoText() == "Add load case"
    assert _texts(panel) == {"Load case": ["", "24 of 24, 1800 kg"]}
    cases.editItem(cases.item(0, 0))
    line = cases.findChild(QLineEdit)
    QTest.keyClicks(line, "Morning")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle(4)
    assert stack.undoText() == "Rename load case Load case"
    _pick(cases.cellWidget(0, 1), "Every second seat")
    assert stack.undoText() == "Seats taken in load case Morning"
    assert _texts(panel) == {"Morning": ["", "12 of 24, 900 kg"]}
    click(panel.duplicate)
    settle(4)
    assert [*_texts(panel)] == ["Morning", "Morning 2"]
    assert panel.editor.chosen == "Morning 2"
    cases.editItem(cases.item(1, 0))
    line = cases.findChild(QLineEdit)
    QTest.keyClicks(line, "Morning")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle(4)
    assert "two load cases have one name" in panel.note.text()
    assert [*_texts(panel)] == ["Morning", "Morning 2"]
    cases.setFocus()
    QTest.keyClick(cases, Qt.Key.Key_Delete)
    settle(4)
    assert stack.undoText() == "Delete load case Morning 2"
    assert "two load cases" not in panel.note.text()
    assert [case.name for case in document.project.load_cases] == ["Morning"]
    for _ in range(5):
        stack.undo()
    assert document.project == before


def test_that_who_sits_where_is_chosen_seat_by_seat_or_for_several(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    document, seats = studio.document, panel.editor.seats
    click(panel.add)
    until_drawn(qtbot, panel)
    assert set(_who(panel).values()) == {"As the seat has it, 75 kg"}
    _pick(seats.cellWidget(1, 1), "Nobody")
    assert document.undo_stack.undoText() == "Who sits where in load case Load case"
    assert _texts(panel)["Load case"][1] == "23 of 24, 1725 kg"
    seats.setFocus()
    seats.selectRow(2)
    QTest.keyClick(seats, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    _pick(seats.cellWidget(3, 1), "Girl of 8")
    assert [*_who(panel).values()][:5] == [
        "As the seat has it, 75 kg", "Nobody", "Girl of 8, 26 kg", "Girl of 8, 26 kg", "As the seat has it, 75 kg"
    ]  # fmt: skip
    steps = document.undo_stack.count()
    line = seats.cellWidget(0, 1).lineEdit()
    line.selectAll()
    QTest.keyClicks(line, "200 lb")
    QTest.keyClick(line, Qt.Key.Key_Return)
    until_drawn(qtbot, panel)
    assert next(iter(_who(panel).values())) == "91 kg"
    assert document.undo_stack.count() == steps + 1
    (case,) = document.project.load_cases
    assert case.masses[:3] == pytest.approx((90.718, 25.6, 25.6), abs=0.001)
    line.selectAll()
    QTest.keyClicks(line, "heavy")
    QTest.keyClick(line, Qt.Key.Key_Return)
    until_drawn(qtbot, panel)
    assert "is not a number" in panel.note.text()
    assert next(iter(_who(panel).values())) == "91 kg"
    document.undo_stack.undo()
    until_drawn(qtbot, panel)
    assert next(iter(_who(panel).values())) == "As the seat has it, 75 kg"
    assert QApplication.activePopupWidget() is None


def test_that_a_project_without_seats_says_so(studio: MainWindow, panel) -> None:
    studio.document.start_from(load_example("planar_pendulum"))
    settle(6)
    assert "no seat yet" in panel.note.text()
    assert not panel.add.isEnabled()
    assert not panel.usual.isEnabled()
