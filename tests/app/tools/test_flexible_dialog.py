"""Train > Make flexible by mouse: the arm of a frisbee becomes a beam by one action, and is rigid again by one undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.flexible_dialog import FlexibleDialog
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import choose, settle


def _in_dialog(act, tries: int = 40) -> None:
    """Do something in the modal dialog when it is there; it is closed when that fails."""

    def look(left: int) -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            if left:
                QTimer.singleShot(100, lambda: look(left - 1))
            return
        try:
            act(dialog)
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(200, lambda: look(tries))


def test_that_the_arm_of_a_frisbee_is_a_beam_by_one_action(studio: MainWindow) -> None:
    document = studio.document
    document.start_from(load_example("frisbee"))
    before = document.project
    document.select(Selection("body", ("Arm",)))
    settle(4)
    seen: dict[str, object] = {}

    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, FlexibleDialog)
        for name, text in (("width", "615 mm"), ("height", "615 mm"), ("wall", "12 mm")):
            line = dialog.figures[name].findChildren(type(dialog.figures[name].line))[0]
            QTest.mouseClick(line, Qt.MouseButton.LeftButton)
            line.selectAll()
            QTest.keyClicks(line, text)
            QTest.keyClick(line, Qt.Key.Key_Return)
        seen["report"] = dialog.report.toPlainText()
        seen["wide"] = dialog.form.isRowVisible(dialog.figures["diameter"])
        QTest.mouseClick(dialog.make_button, Qt.MouseButton.LeftButton)

    _in_dialog(act)
    choose(studio, "Train", "Make flexible…")
    settle(4)
    assert "hubs at Top hinge, Ring bearing" in str(seen["report"])
    assert "8.8 Hz" in str(seen["report"])
    assert seen["wide"] is False
    (arm,) = document.project.assembly.flexibles
    assert arm.beams[0].section.width == pytest.approx(0.615)
    assert document.selection == Selection("flexible", ("Arm",))
    assert document.undo_stack.undoText() == "Make Arm flexible"
    document.undo_stack.undo()
    assert document.project == before


def test_that_what_cannot_be_a_beam_says_why_and_nothing_changes(studio: MainWindow) -> None:
    document = studio.document
    document.start_from(load_example("frisbee"))
    document.select(Selection("body", ("Arm",)))
    settle(4)
    before, seen = document.project, []

    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, FlexibleDialog)
        line = dialog.figures["wall"].line
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, "0")
        QTest.keyClick(line, Qt.Key.Key_Return)
        seen.append((dialog.report.toPlainText(), dialog.make_button.isEnabled()))
        dialog.shape.setCurrentIndex(dialog.shape.findData("tube"))
        seen.append((dialog.report.toPlainText(), dialog.make_button.isEnabled()))

    _in_dialog(act)
    choose(studio, "Train", "Make flexible…")
    settle(4)
    assert "wall" in seen[0][0]
    assert not seen[0][1]
    assert document.project is before
