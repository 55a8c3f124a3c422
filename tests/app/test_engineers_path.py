"""The way of an engineer through the workspaces, by events: a car from nothing to a train with riders and its modes; a
frisbee with a flexible arm and its load cases; a study whose best is taken over."""

from __future__ import annotations

from pathlib import Path

import pytest
from mouse_and_keyboard import choose, click, settle, type_into
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from ridewright.app.document.new_project import empty_project
from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.adding import AddButton
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.flexible_dialog import FlexibleDialog
from ridewright.app.train.make_train import MakeTrain
from ridewright.core.edits.changes import set_scenario
from ridewright.core.model.masses import mass_budget
from ridewright.core.project.examples import load_example
from ridewright.core.studies.study import Parameter

LEFT = Qt.MouseButton.LeftButton


def _add(studio: MainWindow, *path: str) -> None:
    """Choose from the button Add of the inspector."""
    (button,) = [b for b in studio.panels["inspector"].findChildren(AddButton) if b.isVisible()]
    menu = button.menu()
    for name in path:
        menu.aboutToShow.emit()
        action = next(a for a in menu.actions() if a.text() == name)
        menu = action.menu()
    action.trigger()
    settle()


def test_that_a_car_from_nothing_rests_and_becomes_a_train_of_three_with_its_riders(
    qtbot, studio: MainWindow, unexpected: list[str]
) -> None:
    document = studio.document
    document.start_from(empty_project())
    studio.workspaces.go("train")
    document.select(Selection("assembly", ()))
    settle()
    _add(studio, "Add car", "Add empty car")
    assert document.selection == Selection("assembly", ("Car",))
    for name in ("Left", "Right"):
        _add(studio, "Add seat")
        assert document.selection.kind == "seat"
        type_into(studio.panels["inspector"], "Name", name)
        document.select(Selection("assembly", ("Car",)))
        settle()
    choose(studio, "Train", "Make wheels")
    choose(studio, "Train", "Make rider…")
    assert studio.workspaces.now.id == "rider"
    rider = studio.panels["rider"]
    qtbot.waitUntil(lambda: rider.canvas.isVisible(), timeout=10_000)
    (car,) = document.project.train.children
    assert [one.seat for one in car.riders] == ["Left"]
    mass = car.riders[0].mass()

    choose(studio, "Run", "Find equilibrium")
    panel = studio.panels["equilibrium"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    assert "Wheels and guides (4)" in [panel.sheet.itemText(k) for k in range(panel.sheet.count())]
    weight = 9.81 * mass_budget(document.project.train).total
    assert f"{weight / 1e3:.2f} kN of weight" in panel.note.text()

    before = document.undo_stack.count()
    choose(studio, "Train", "Make a train…")
    qtbot.waitUntil(lambda: any(d.isVisible() for d in studio.findChildren(MakeTrain)), timeout=20_000)
    dialog = next(d for d in studio.findChildren(MakeTrain) if d.isVisible())
    dialog.count.setValue(3)
    QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)
    settle()
    cars = document.project.train.children
    assert len(cars) == 3
    assert all([one.mass() for one in car.riders] == [pytest.approx(mass)] for car in cars)
    assert document.undo_stack.count() == before + 1

    choose(studio, "Run", "Find modes")
    modes = studio.panels["modes"]
    qtbot.waitUntil(lambda: modes.table.rowCount() > 0, timeout=240_000)
    assert "modes" in modes.note.text()
    assert "Car" in modes.table.item(0, 0).text() + modes.table.item(0, 1).text()
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.project == empty_project()
    assert unexpected == []


def test_that_a_frisbee_gets_a_flexible_arm_by_one_action_and_its_load_cases_are_run(
    qtbot, studio: MainWindow, unexpected: list[str]
) -> None:
    document = studio.document
    choose(studio, "File", "New from template", "Frisbee")
    assert document.project.name == "Frisbee"
    document.apply("Shorter", set_scenario(document.project, {"duration": 0.3}))
    studio.workspaces.go("structure")
    document.select(Selection("body", ("Arm",)))
    settle()
    steps = document.undo_stack.count()

    def accept(tries: int = 40) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, FlexibleDialog):
            QTest.mouseClick(dialog.make_button, LEFT)
        elif tries:
            QTimer.singleShot(100, lambda: accept(tries - 1))

    QTimer.singleShot(200, accept)
    choose(studio, "Train", "Make flexible…")
    settle()
    assert [one.name for one in document.project.assembly.flexibles] == ["Arm"]
    assert document.undo_stack.count() == steps + 1

    studio.show_panel("load_cases")
    settle()
    panel = studio.panels["load_cases"]
    click(panel.usual)
    settle()
    click(panel.add)
    settle()
    seats = panel.editor.seats
    box = seats.cellWidget(0, 1)
    box.activated.emit(box.findText("Nobody"))
    settle()
    assert document.project.load_cases[-1].pattern == "seats"
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=240_000)
    assert panel.pages.currentWidget() is panel.table
    rows = [panel.table.item(k, 0).text() for k in range(panel.table.rowCount())]
    assert {"Top hinge", "Ring bearing", "Arm"} <= {*rows}
    assert panel.table.item(rows.index("On board"), 6).text() == "1725 kg"
    assert unexpected == []


def test_that_a_search_is_set_up_run_and_its_best_taken_over(
    qtbot, studio: MainWindow, tmp_path: Path
) -> None:
    document = studio.document
    document.start_from(load_example("looping_star"))
    document.save_as(tmp_path / "star.ridewright")
    studio.workspaces.go("study")
    settle()
    panel = studio.panels["studies"]
    panel.vary(Parameter(name="Start speed", field="scenario.speed", low=25.0, high=27.0))
    settle()
    panel.plan.setCurrentText("Search")
    panel.plan.activated.emit(panel.plan.currentIndex())
    settle()
    QTest.mouseClick(panel.goals.add_button, LEFT)
    box = panel.goals.table.cellWidget(0, 0)
    box.lineEdit().selectAll()
    QTest.keyClicks(box.lineEdit(), "Gz max")
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    panel.goals.table.cellWidget(0, 1).setCurrentText("small")
    panel.count.setValue(16)
    settle()
    QTest.mouseClick(panel.start_button, LEFT)
    qtbot.waitUntil(lambda: panel.process.running, timeout=20_000)
    qtbot.waitUntil(lambda: not panel.process.running, timeout=400_000)
    settle()
    assert panel.best_button.isVisible()
    QTest.mouseClick(panel.best_button, LEFT)
    before = document.project.scenario.speed
    QTest.mouseClick(panel.take_button, LEFT)
    settle()
    assert document.project.scenario.speed < before
    assert document.project.scenario.speed == pytest.approx(25.0, abs=0.5)
