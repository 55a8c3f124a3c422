"""Typing in the inspector: where the keys go while its page grows, and whose Ctrl+Z it is."""

from __future__ import annotations

import pytest
from mouse_and_keyboard import line_of, settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.edits.elements import element_at, set_element

CTRL = Qt.KeyboardModifier.ControlModifier
SPRING = ("Car", "Primary spring front left")


def _field(studio: MainWindow, name: str):
    inspector = studio.panels["inspector"]
    return next(row for row in inspector.rows if row.field.spec.name == name)


def _top(studio: MainWindow, name: str) -> int:
    return _field(studio, name).mapTo(studio.panels["inspector"].viewport(), QPoint()).y()


def _click_in(studio: MainWindow, name: str) -> None:
    line = _field(studio, name).entry.line
    studio.panels["inspector"].ensureWidgetVisible(line)
    settle()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=line.rect().center())
    QTest.keyClick(line, Qt.Key.Key_A, CTRL)


@pytest.fixture
def spring(studio: MainWindow) -> MainWindow:
    """The window with a spring that has no stiffness yet, so that its law is not drawn."""
    project = set_element(studio.document.project, "force", SPRING, {"stiffness": 0.0, "damping": 0.0})
    studio.document.start_from(project)
    studio.document.select(Selection("force", SPRING))
    settle(5)
    studio.activateWindow()
    return studio


def test_that_keys_go_on_into_the_next_field_when_the_page_grows(qtbot, spring: MainWindow) -> None:
    view, inspector = spring.viewer, spring.panels["inspector"]
    assert inspector._law is None or not inspector._law.curves
    _click_in(spring, "stiffness")
    line = QApplication.focusWidget()
    QTest.keyClicks(line, "8000")
    before = inspector.widget()
    QTest.keyClick(line, Qt.Key.Key_Tab)
    next_name = next(r.field.spec.name for r in inspector.rows if r.isAncestorOf(QApplication.focusWidget()))
    top = _top(spring, next_name)
    settle(5)
    assert inspector.widget() is not before  # it was built anew, with the law above
    now = QApplication.focusWidget()
    assert _field(spring, next_name).isAncestorOf(now)
    assert abs(_top(spring, next_name) - top) <= 2
    camera = view.camera
    QTest.keyClicks(now, "4000")
    QTest.keyClick(now, Qt.Key.Key_Return)
    settle(5)
    assert view.camera == camera
    made = element_at(spring.document.project, "force", SPRING)
    assert made.stiffness == 8000.0
    assert getattr(made, next_name) == 4000.0


def test_that_what_is_half_typed_stays_when_the_page_is_built_anew(qtbot, spring: MainWindow) -> None:
    _click_in(spring, "damping")
    line = QApplication.focusWidget()
    QTest.keyClicks(line, "12")
    project = set_element(spring.document.project, "force", SPRING, {"stiffness": 500.0})
    spring.document.apply("Elsewhere", project)
    settle(5)
    now = QApplication.focusWidget()
    assert now is not line
    QTest.keyClicks(now, "34")
    QTest.keyClick(now, Qt.Key.Key_Return)
    assert element_at(spring.document.project, "force", SPRING).damping == 1234.0


def test_that_ctrl_z_in_a_committed_field_undoes_the_design(qtbot, spring: MainWindow) -> None:
    document = spring.document
    _click_in(spring, "damping")
    line = QApplication.focusWidget()
    QTest.keyClicks(line, "700")
    QTest.keyClick(line, Qt.Key.Key_Z, CTRL)  # of the line, while something is typed
    assert document.undo_stack.count() == 0
    QTest.keyClick(line, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(line, "900")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle(5)
    assert element_at(document.project, "force", SPRING).damping == 900.0
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, CTRL)
    settle(5)
    assert element_at(document.project, "force", SPRING).damping == 0.0
    assert _field(spring, "damping").entry.line.text() == "0"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    settle(5)
    assert element_at(document.project, "force", SPRING).damping == 900.0
    _click_in(spring, "name")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Z, CTRL)
    settle(5)
    assert element_at(document.project, "force", SPRING).damping == 0.0


def test_that_a_name_given_while_the_page_is_built_anew_shows_the_renamed_section(
    qtbot, studio: MainWindow, unexpected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that goes gives what was typed in it, in the middle of the page that takes its place."""
    inspector, document = studio.panels["inspector"], studio.document
    document.select(Selection("section", (document.project.track.sections[0].name,)))
    settle(5)
    build = inspector._build

    def built(page) -> None:
        build(page)
        monkeypatch.undo()
        inspector.entry("name").given.emit("Renamed")

    monkeypatch.setattr(inspector, "_build", built)
    inspector._rebuild()
    settle(5)
    assert document.project.track.sections[0].name == "Renamed"
    assert line_of(inspector, "Name").text() == "Renamed"
    assert unexpected == []
