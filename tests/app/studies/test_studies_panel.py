"""The Studies panel: a field is varied from the inspector, runs come in a process of their own, one is taken over."""

from __future__ import annotations

from pathlib import Path

import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.pages import page_of
from ridewright.app.model_editor.study_parameter import parameter_of
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.base.units import TYPED, unit_size
from ridewright.core.project.examples import load_example
from ridewright.core.studies.one_run import Outcome
from ridewright.core.studies.store import Row, Store
from ridewright.core.studies.study import Study, parse_study
from ridewright.core.studies.vary import check_study, with_values

LEFT = Qt.MouseButton.LeftButton
STAR = load_example("looping_star")
SELECTIONS = (
    Selection("scenario"),
    Selection("settings"),
    Selection("section", ("loop",)),
    Selection("points", ("curve 1",), (1, 2)),
    Selection("assembly", ("Car",)),
    Selection("body", ("Car", "Frame")),
    Selection("none"),
)


@pytest.mark.parametrize("selection", SELECTIONS, ids=[one.kind for one in SELECTIONS])
def test_that_every_number_of_the_inspector_can_be_varied(qapp, selection: Selection) -> None:
    fields = [field for group in page_of(STAR, selection).groups for field in group.fields]
    found = [(field, parameter_of(STAR, selection, field)) for field in fields]
    assert not [f.spec.name for f, one in found if one is None and isinstance(f.get(STAR), float)]
    for field, parameter in found:
        if parameter is not None:
            study = Study(name="s", project="-", parameters=(parameter,))
            check_study(study, STAR)
            made = with_values(study, STAR, [parameter.high])
            size = (
                1.0
                if parameter.edit
                else unit_size(
                    parameter.unit,
                    next((si for si, known in TYPED.items() if parameter.unit in known), parameter.unit),
                    field.spec.name,
                )
            )
            assert field.get(made) == pytest.approx(parameter.high * size)


def _vary_by_hand(studio: MainWindow, qtbot, title: str) -> None:
    """Right-click the title of a field of the inspector and choose the first entry."""
    row = next(r for r in studio.panels["inspector"].rows if r.field.spec.title == title)
    label = row.label
    place = label.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, label.mapToGlobal(place))
    QApplication.sendEvent(label, event)
    menus = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu) and w.isVisible()]
    (menu,) = [m for m in menus if [a.text() for a in m.actions()] == ["Vary this in a study"]]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())
    settle()


def test_that_a_study_is_set_up_run_looked_at_and_one_run_taken_over(
    qtbot, studio: MainWindow, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    document = studio.document
    document.start_from(load_example("straight"))
    document.save_as(tmp_path / "mine.ridewright")
    document.select(Selection("scenario"))
    settle()
    _vary_by_hand(studio, qtbot, "Start speed")
    panel = studio.panels["studies"]
    assert panel.isVisible()
    (parameter,) = panel.parameters.parameters
    assert (parameter.field, parameter.low, parameter.high) == ("scenario.speed", 9.0, 11.0)
    # a bound typed over
    table = panel.parameters.table
    cell = table.visualItemRect(table.item(0, 2)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=cell)
    QTest.mouseDClick(table.viewport(), LEFT, pos=cell)
    settle()
    editor = table.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(editor, "13")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert panel.parameters.parameters[0].high == 13.0
    panel.plan.setCurrentText("Grid")
    panel.count.setValue(5)
    qtbot.waitUntil(lambda: panel.note.text().startswith("5 runs of "), timeout=60_000)
    QTest.mouseClick(panel.start_button, LEFT)
    assert panel.process.running
    assert not panel.start_button.isEnabled()
    qtbot.waitUntil(lambda: not panel.process.running, timeout=180_000)
    qtbot.waitUntil(lambda: panel.state.text().startswith("5 runs"), timeout=30_000)
    assert panel.model.rowCount() == 5
    assert not panel.resume_button.isEnabled()
    assert (tmp_path / "mine.studies" / "1" / "runs" / "study.json").is_file()
    # the plot has a point a run, and the run of a row is taken over as a step
    assert len(panel.plot.points.points()) == 5
    QTest.mouseClick(panel.runs.viewport(), LEFT, pos=QPoint(20, panel.runs.rowViewportPosition(3) + 5))
    assert panel.selected_run() == 3
    QTest.mouseClick(panel.take_button, LEFT)
    assert document.project.scenario.speed == pytest.approx(12.0)
    document.undo_stack.undo()
    assert document.project.scenario.speed == 10.0
    # the same run is ridden by the whole train, and played
    QTest.mouseClick(panel.ride_button, LEFT)
    qtbot.waitUntil(lambda: studio.playback.playing, timeout=120_000)
    (run,) = document.runs
    assert run.project.scenario.speed == pytest.approx(12.0)
    studio.playback.pause()
    document.undo_stack.undo()
    # a second panel finds the same runs in their folder
    panel.open(tmp_path / "mine.studies" / "1")
    assert panel.model.rowCount() == 5


@pytest.mark.nightly
def test_that_a_stopped_study_keeps_what_came_and_is_resumed(
    qtbot, studio: MainWindow, tmp_path: Path
) -> None:
    pytest.importorskip("distributed")
    document = studio.document
    document.save_as(tmp_path / "mine.ridewright")
    document.select(Selection("scenario"))
    settle()
    _vary_by_hand(studio, qtbot, "Start speed")
    panel = studio.panels["studies"]
    panel.count.setValue(48)
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: panel.model.rowCount() > 0, timeout=180_000)
    QTest.mouseClick(panel.stop_button, LEFT)
    qtbot.waitUntil(lambda: not panel.process.running, timeout=60_000)
    qtbot.waitUntil(panel.resume_button.isEnabled)
    there = panel.model.rowCount()
    assert 0 < there < 48
    assert panel.resume_button.isEnabled()
    QTest.mouseClick(panel.resume_button, LEFT)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 48, timeout=180_000)


def test_that_what_cannot_be_run_is_told_in_the_panel(qtbot, studio: MainWindow) -> None:
    studio.show_panel("studies")
    panel = studio.panels["studies"]
    assert "Right-click the title of a field" in panel.note.text()
    assert not panel.start_button.isEnabled()
    studio.document.select(Selection("scenario"))
    settle()
    _vary_by_hand(studio, qtbot, "Start speed")
    panel.plan.setCurrentText("Sobol sequence")
    panel.count.setValue(50)
    qtbot.waitUntil(lambda: "take 64 instead of 50 runs" in panel.note.text(), timeout=60_000)
    # nothing of it is left in another project
    studio.document.start_from(load_example("straight"))
    assert panel.parameters.parameters == []
    assert "Right-click the title of a field" in panel.note.text()
    assert not panel.start_button.isEnabled()


def test_that_the_runs_that_are_shown_are_written_as_a_report(
    qtbot, studio: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speed = {"name": "speed", "field": "scenario.speed", "low": 9.0, "high": 11.0}
    data = {"format": "ridewright-study", "name": "Speeds", "project": "-", "parameters": [speed]}
    store = Store.create(tmp_path / "runs", parse_study(data, "s"), load_example("straight"))
    with store.writing():
        numbers = {"margin": 0.2, "x": 1.0, "x.margin": 0.2}
        store.append([Row(k, (9.0 + k,), Outcome("done", "", numbers)) for k in range(3)])
    studio.show_panel("studies")
    panel = studio.panels["studies"]
    assert not panel.report_button.isEnabled()
    panel.open(tmp_path / "runs")
    asked: list[str] = []

    def name(parent: object, title: str, there: str, kinds: str) -> tuple[str, str]:
        asked.append(there)
        return str(tmp_path / "mine"), "HTML (*.html)"

    monkeypatch.setattr("ridewright.app.studies.report_button.QFileDialog.getSaveFileName", name)
    QTest.mouseClick(panel.report_button, LEFT)
    qtbot.waitUntil(lambda: panel.state.text().startswith("The report is in"), timeout=60_000)
    assert asked == [str(tmp_path / "runs" / "report.pdf")]
    assert "Least margin of every criterion" in (tmp_path / "mine.html").read_text()
    # what cannot be written is told
    panel.report_button.write(tmp_path / "mine.html" / "deeper.html")
    qtbot.waitUntil(lambda: "is not a folder" in panel.state.text(), timeout=30_000)
