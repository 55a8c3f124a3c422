"""Train > Make flexible by mouse: the arm of a frisbee becomes a beam by one action, another one the structure of a
mesh, and each is rigid again by one undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.flexible_dialog import FlexibleDialog
from ridewright.core.project.examples import load_example
from tests.app.mouse_and_keyboard import choose, settle
from tests.core.design.test_flexible_mesh import ARM, SETS, _project


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


def test_that_a_body_is_made_of_a_mesh_by_one_action(qtbot, studio: MainWindow, tmp_path: Path) -> None:
    pytest.importorskip("skfem")
    (tmp_path / "sets.json").write_text(json.dumps(SETS), encoding="utf-8")
    document = studio.document
    document.start_from(_project("revolute"))
    before = document.project
    document.select(Selection("body", ("Arm",)))
    settle(4)
    seen: dict[str, object] = {}

    def act(dialog: QDialog) -> None:
        assert isinstance(dialog, FlexibleDialog)
        assert not dialog.reduce_button.isVisible()
        dialog.of.setCurrentText("Mesh of solids")
        assert dialog.reduce_button.isVisible()
        assert not dialog.reduce_button.isEnabled()
        seen["rows"] = [
            dialog.form.isRowVisible(row)
            for row in (dialog.shape, dialog.figures["width"], dialog.material.figures["E"], dialog.reach)
        ]
        dialog.mesh.setText(str(ARM / "arm.inp"))
        dialog.frames.setText(str(tmp_path / "sets.json"))
        dialog.modes.setValue(2)
        QTest.mouseClick(dialog.reduce_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(dialog.make_button.isEnabled, timeout=120_000)
        seen["report"] = dialog.report.toPlainText()
        QTest.mouseClick(dialog.make_button, Qt.MouseButton.LeftButton)

    _in_dialog(act)
    choose(studio, "Train", "Make flexible…")
    settle(4)
    assert seen["rows"] == [False, False, True, True]
    assert "'root' takes Foot; 'tip' takes Head joint." in str(seen["report"])
    (arm,) = document.project.assembly.flexibles
    assert arm.imported is not None
    assert [one.body for one in arm.interfaces] == ["Arm at root", "Arm at tip"]
    assert document.selection == Selection("flexible", ("Arm",))
    assert document.undo_stack.undoText() == "Make Arm flexible"
    document.undo_stack.undo()
    assert document.project == before


@pytest.mark.nightly
def test_that_another_choice_asks_for_a_new_reduction_and_faults_are_said(qtbot, tmp_path: Path) -> None:
    pytest.importorskip("skfem")
    (tmp_path / "sets.json").write_text(json.dumps(SETS), encoding="utf-8")
    dialog = FlexibleDialog(_project(), ("Arm",))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.of.setCurrentText("Mesh of solids")
    dialog.mesh.setText(str(tmp_path / "none.inp"))
    QTest.mouseClick(dialog.reduce_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.reduce_button.isEnabled, timeout=60_000)
    assert "none.inp" in dialog.report.toPlainText()
    assert not dialog.make_button.isEnabled()
    dialog.mesh.setText(str(ARM / "arm.inp"))
    dialog.frames.setText(str(tmp_path / "sets.json"))
    QTest.mouseClick(dialog.reduce_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.make_button.isEnabled, timeout=120_000)
    dialog.modes.setValue(3)
    assert dialog.made is None
    assert not dialog.make_button.isEnabled()
    dialog.of.setCurrentText("Beam of a section")
    assert dialog.make_button.isEnabled()
    dialog.close()
