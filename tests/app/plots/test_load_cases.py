"""The Load cases panel by mouse: the usual ones made in one step, all run, side by side; stopped; stale."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import click, settle


@pytest.fixture
def panel(studio: MainWindow):
    document = studio.document
    project = load_example("frisbee")
    document.start_from(set_scenario(project, {"duration": 0.3}))
    studio.show_panel("load_cases")
    settle(6)
    return studio.panels["load_cases"]


def _texts(panel) -> dict[str, list[str]]:
    table = panel.table
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
    assert "Make the usual ones first" in panel.note.text()
    click(panel.usual)
    assert document.undo_stack.undoText() == "Make the usual load cases"
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0)
    assert [*_texts(panel)] == ["Full", "Empty", "Half", "Worst eccentric", "Women and children"]
    click(panel.button)
    assert panel.stop.isEnabled()
    qtbot.waitUntil(lambda: not panel.running, timeout=120_000)
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
    qtbot.waitUntil(lambda: not panel.running, timeout=60_000)
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
    assert panel._work is not None
    with qtbot.waitSignal(panel._work.finished, timeout=60_000):
        document.start_from(set_scenario(cases, {"duration": 0.3}))
        assert not panel.running
    settle(6)
    assert "On board" not in _texts(panel)
    assert panel.button.isEnabled()
