"""Building a car with the mouse: the library as pictures, an empty car, the Add buttons, and saving to one's own."""

from __future__ import annotations

import pytest
from mouse_and_keyboard import choose, settle
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMenu

from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.adding import AddButton
from ridewright.app.train.library_page import LibraryPage
from ridewright.app.widgets import dialogs
from ridewright.app.work.problem_finder import find_problems
from ridewright.core.model.library import load_vehicle
from ridewright.core.model.own_library import own_cars, own_folder, save_car

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    monkeypatch.setenv("RIDEWRIGHT_LIBRARY", str(tmp_path / "mine"))


def _add_from_page(studio, title: str) -> list[str]:
    """Train > Add car from library, pick a title, press Add; what the page told about it."""
    told: list[str] = []

    def press() -> None:
        page = QApplication.activeModalWidget()
        assert isinstance(page, LibraryPage)
        row = next(k for k in range(page.list.count()) if page.list.item(k).text() == title)
        assert not page.list.item(row).icon().isNull()
        page.list.scrollToItem(page.list.item(row))
        QTest.mouseClick(
            page.list.viewport(), LEFT, pos=page.list.visualItemRect(page.list.item(row)).center()
        )
        told.append(page.about.toPlainText())
        QTest.mouseClick(page.buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)

    QTimer.singleShot(200, press)
    choose(studio, "Train", "Add car from library…")
    settle()
    return told


def _add(button: AddButton, *path: str) -> None:
    """Open the menu of an Add button and trigger an entry."""
    menu: QMenu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    settle()
    for text in path:
        action = next(a for a in menu.actions() if a.text() == text)
        if action.menu() is not None:
            menu = action.menu()
    menu.close()
    action.trigger()
    settle()


def test_that_a_car_is_built_from_the_library_or_from_nothing_and_kept_for_other_projects(
    studio, monkeypatch, unexpected
) -> None:
    document = studio.document
    tree, inspector = studio.panels["tree"], studio.panels["inspector"]
    (told,) = _add_from_page(studio, "Wooden-coaster car, three rows (after Balder)")
    assert "Empty mass: 1250 kg" in told
    assert "Seats: 6 in 3 rows" in told
    assert "Printed: five cars" in told
    assert document.project.train.children[-1].mass() == 1250.0
    # from nothing: a body, then a seat on it, by the buttons of tree and inspector
    _add_from_page(studio, "Empty car")
    name = document.project.train.children[-1].name
    assert document.selection == Selection("assembly", (name,))
    _add(tree.add, "Add body")
    assert document.selection.kind == "body"
    (button,) = inspector.findChildren(AddButton)
    assert button.isVisible()
    _add(button, "Add body")  # beside the body that is selected
    document.select(Selection("assembly", (name,)))
    settle()
    (button,) = [b for b in inspector.findChildren(AddButton) if b.isVisible()]
    _add(button, "Add seat")
    _add(tree.add, "Add seat")
    car = document.project.train.at((name,))
    assert (len(car.bodies), len(car.seats)) == (3, 2)
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: "Own car")
    choose(studio, "Train", "Save car to my library…")
    assert [*own_cars()] == ["my/own_car"]
    _add_from_page(studio, "Own car (mine)")
    assert len(document.project.train.children[-1].bodies) == 3
    menu = tree.menu_for(tree.node_at("assembly", name).data(0, Qt.ItemDataRole.UserRole))
    assert "Save to my library…" in [a.text() for a in menu.actions()]
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert unexpected == []


def test_that_damaged_cars_are_told_on_the_page_and_in_problems(studio, unexpected) -> None:
    own_folder().mkdir()
    damaged = own_folder() / "mine.json"
    damaged.write_text('{ "title": <b>', encoding="utf-8")
    page = LibraryPage(studio)
    assert str(damaged) in page.left_out.text()
    assert not page.left_out.isHidden()
    (told,) = [p for p in find_problems(studio.document.project)["Own library"]]
    assert str(damaged) in told.text
    # broken while the page is open
    damaged.unlink()
    save_car(load_vehicle("balder"), "Mine")
    page = LibraryPage(studio)
    assert page.left_out.isHidden()
    damaged.write_text("[", encoding="utf-8")
    row = next(k for k in range(page.list.count()) if "(mine)" in page.list.item(k).text())
    page.list.setCurrentRow(row)
    assert str(damaged) in page.left_out.text()
    assert not any("(mine)" in page.list.item(k).text() for k in range(page.list.count()))
    assert unexpected == []
