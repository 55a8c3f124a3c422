"""A car built before there is a track; a train made of the own car with its riders, seen before it is made."""

from __future__ import annotations

from mouse_and_keyboard import choose, click, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from ridewright.app.document.new_project import empty_project
from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.adding import AddButton
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.train.make_train import MAX_ON_TRACK, MakeTrain
from ridewright.core.edits import riders, train
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example

LEFT = Qt.MouseButton.LeftButton


def _with_own_riders():
    project = load_example("straight").model_copy(update={"train": None})
    project, path = train.insert_vehicle(project, "viegas2016")
    for stature, mass, seat in ((1.48, 41.0, 0), (1.88, 115.0, 1)):
        name = project.train.children[0].seats[seat].name
        project, _ = riders.make_rider(project, path, Person(stature=stature, mass=mass), name)
    return project


def _dialog(qtbot, window: MainWindow) -> MakeTrain:
    choose(window, "Train", "Make a train…")
    qtbot.waitUntil(lambda: any(d.isVisible() for d in window.findChildren(MakeTrain)), timeout=20_000)
    return next(d for d in window.findChildren(MakeTrain) if d.isVisible())


def _press(dialog: MakeTrain, which: QDialogButtonBox.StandardButton) -> None:
    QTest.mouseClick(dialog.buttons.button(which), LEFT)
    settle()


def test_that_an_empty_train_is_selected_and_takes_its_first_car(qtbot, studio: MainWindow) -> None:
    document = studio.document
    document.start_from(empty_project())
    studio.workspaces.go("train")
    settle()
    tree = studio.panels["tree"]
    item = tree.node_at("assembly")
    QTest.mouseClick(tree.tree.viewport(), LEFT, pos=tree.tree.visualItemRect(item).center())
    settle()
    assert document.selection == Selection("assembly", ())
    inspector = studio.panels["inspector"]
    assert inspector._title.text() == "Train"
    assert "first car" in inspector._notes[0].text()
    (button,) = [b for b in inspector.findChildren(AddButton) if b.isVisible()]
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    settle()
    cars = next(a for a in menu.actions() if a.text() == "Add car").menu()
    empty = next(a for a in cars.actions() if a.text() == "Add empty car")
    menu.close()
    empty.trigger()
    settle()
    assert len(document.project.train.children) == 1
    assert document.project.track is not None
    assert document.undo_stack.count() == 1
    qtbot.waitUntil(lambda: bool(studio.viewer.scene.train.members), timeout=10_000)
    document.undo_stack.undo()
    assert document.project == empty_project()


def test_that_a_train_is_made_of_the_own_car_with_its_riders_and_seen_before(
    qtbot, studio: MainWindow
) -> None:
    document, before = studio.document, _with_own_riders()
    document.start_from(before)
    qtbot.waitUntil(lambda: "Car/Frame" in studio.viewer.scene.train.members, timeout=10_000)
    dialog = _dialog(qtbot, studio)
    assert dialog.trains.currentItem().text() == "This project's car, 5 cars"
    assert dialog.car.currentText() == "Car of this project"
    assert dialog.seats.count.text() == "10 of 10 seats taken"
    assert "10 riders of 41 kg to 115 kg" in dialog.note.text()
    assert "so that the whole train stands on the track" in dialog.note.text()
    scene = studio.viewer.scene
    qtbot.waitUntil(lambda: "Car 5/Frame" in scene.train.members, timeout=10_000)
    assert document.project is before or document.project == before
    dialog.count.setValue(MAX_ON_TRACK + 1)  # too many to draw at every click
    assert f"More than {MAX_ON_TRACK} cars" in dialog.note.text()
    qtbot.waitUntil(lambda: "Car 5/Frame" not in scene.train.members, timeout=10_000)
    dialog.count.setValue(3)
    assert "More than" not in dialog.note.text()
    qtbot.waitUntil(lambda: "Car 3/Frame" in scene.train.members, timeout=10_000)
    _press(dialog, QDialogButtonBox.StandardButton.Cancel)
    qtbot.waitUntil(lambda: "Car/Frame" in scene.train.members, timeout=10_000)
    assert document.undo_stack.count() == 0

    dialog = _dialog(qtbot, studio)
    dialog.count.setValue(3)
    click(next(b for b in dialog.seats._heads.values()))  # nobody in the first row
    _press(dialog, QDialogButtonBox.StandardButton.Ok)
    masses = [[round(rider.mass()) for rider in car.riders] for car in document.project.train.children]
    assert masses[1:] == [[41, 115]] * 2
    assert masses[0] != [41, 115]
    assert document.undo_stack.count() == 1
    qtbot.waitUntil(lambda: "Car 3/Frame" in scene.train.members, timeout=10_000)
    document.undo_stack.undo()
    assert document.project == before
