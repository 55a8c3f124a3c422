"""File > Import structure by mouse: interfaces joined, reduced beside the window, taken as one undo step, ridden."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.tools.structure_dialog import FREE, StructureDialog
from ridewright.core.model.assembly import Assembly
from ridewright.core.project.project import load_project
from tests.core.cli.test_import_structure import ARM, REFERENCE, _rig

SETS = [
    {"name": "root", "position": [0.0, 0.0, 0.0], "set": "ROOT"},
    {"name": "tip", "position": [2.4, 0.25, 0.0], "set": "TIP"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A rig, and the arm as a mesh and as matrices, each with its interfaces."""
    _rig(tmp_path / "rig.ridewright")
    for name in ("arm.inp", "K.mtx.gz", "M.mtx.gz", "nodes.csv", "interface.json"):
        (tmp_path / name).write_bytes((ARM / name).read_bytes())
    (tmp_path / "sets.json").write_text(json.dumps(SETS), encoding="utf-8")
    return tmp_path


def _top(folder: Path) -> Assembly:
    top = load_project(folder / "rig.ridewright").assembly
    assert top is not None
    return top


def _press(qtbot: QtBot, dialog: StructureDialog) -> None:
    qtbot.mouseClick(dialog.reduce_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.reduce_button.isEnabled, timeout=60_000)


def test_that_an_arm_is_imported_by_mouse_as_one_step_and_undone(
    qtbot: QtBot, studio: MainWindow, folder: Path, unexpected: list[str]
) -> None:
    pytest.importorskip("skfem")
    document = studio.document
    document.start_from(load_project(folder / "rig.ridewright"))
    before = document.project
    said = []

    def act() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, StructureDialog)
        dialog.frames.setText(str(folder / "sets.json"))
        assert list(dialog.joins) == ["root", "tip"]
        dialog.joins["root"].setCurrentText("ground")
        dialog.joins["tip"].setCurrentText("Head")
        assert not dialog.take_button.isEnabled()
        _press(qtbot, dialog)
        said.append(dialog.report.toPlainText())
        qtbot.mouseClick(dialog.take_button, Qt.MouseButton.LeftButton)

    QTimer.singleShot(100, act)
    studio.files.import_structure_path(folder / "arm.inp")
    assert f"Free modes: {REFERENCE['free_free_Hz'][0]:.5g}, " in said[0]
    assert document.undo_stack.undoText() == "Import structure arm.inp"
    assert document.project.assembly is not None
    (body,) = document.project.assembly.flexibles
    assert body.name == "Arm"
    assert body.mass() == pytest.approx(REFERENCE["mass"], rel=1e-6)
    assert document.selection.path == ("Arm",)
    studio.viewer.finish_pending()
    (drawn,) = studio.viewer.scene.flexible.meshes
    assert np.ptp(np.array(drawn.points)[:, 0]) == pytest.approx(2.4)
    document.undo_stack.undo()
    assert document.project == before
    assert unexpected == []


def test_that_matrices_find_their_neighbours_and_a_change_asks_for_a_new_reduction(
    qtbot: QtBot, folder: Path
) -> None:
    dialog = StructureDialog(folder / "K.mtx.gz", _top(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    assert Path(dialog.mass.text()).name == "M.mtx.gz"
    assert Path(dialog.nodes.text()).name == "nodes.csv"
    dialog.joins["root"].setCurrentText("ground")
    _press(qtbot, dialog)
    assert "without stress, for which a mesh is needed" in dialog.report.toPlainText()
    assert dialog.take_button.isEnabled()
    dialog.joins["root"].setCurrentText("Head")
    assert dialog.made is None
    assert not dialog.take_button.isEnabled()
    pytest.importorskip("pyyeti")
    (folder / "other.op2").write_bytes(bytes(100))
    dialog.results.setText(str(folder / "other.op2"))
    _press(qtbot, dialog)
    assert "other.op2: this is no readable op2 file" in dialog.report.toPlainText()
    dialog.close()


def test_that_faults_are_said_in_the_dialog_and_nothing_is_taken(qtbot: QtBot, folder: Path) -> None:
    dialog = StructureDialog(folder / "arm.inp", _top(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    _press(qtbot, dialog)
    assert "No interface is joined" in dialog.report.toPlainText()
    assert all(box.currentText() == FREE for box in dialog.joins.values())
    dialog.frames.setText(str(folder / "nodes.csv"))
    assert "no list of interfaces" in dialog.report.toPlainText()
    (folder / "far.json").write_text(json.dumps([{**SETS[0], "set": "ELBOW"}]), encoding="utf-8")
    dialog.frames.setText(str(folder / "far.json"))
    dialog.joins["root"].setCurrentText("ground")
    pytest.importorskip("skfem")
    _press(qtbot, dialog)
    assert (
        "tied to set 'ELBOW', and the sets of the mesh are: 'ALL', 'ROOT', 'TIP'"
        in dialog.report.toPlainText()
    )
    assert not dialog.take_button.isEnabled()
    dialog.close()


def test_that_a_file_that_does_not_exist_is_refused_before_a_window_opens(
    studio: MainWindow, folder: Path, unexpected: list[str]
) -> None:
    studio.document.start_from(load_project(folder / "rig.ridewright"))
    before = studio.document.project
    for name in ("gone.inp", "gone.msh", "gone.mtx"):
        unexpected.clear()
        studio.files.import_structure_path(folder / name)
        (said,) = unexpected
        assert said == (
            f"The structure was not imported: {folder / name}: cannot be read (it does not exist); check the path."
        )
    assert studio.document.project == before


def test_that_the_mass_of_other_programs_is_found_beside_the_stiffness(qtbot: QtBot, folder: Path) -> None:
    for name in ("arm.sti", "arm.mas", "arm.op4", "K_arm.op4", "M_arm.op4", "K.full"):
        (folder / name).write_text("")
    for stiffness, mass in (
        ("arm.sti", "arm.mas"),
        ("arm.op4", "arm.op4"),
        ("K_arm.op4", "M_arm.op4"),
        ("K.full", "K.full"),
    ):
        dialog = StructureDialog(folder / stiffness, _top(folder))
        qtbot.addWidget(dialog)
        assert Path(dialog.mass.text()).name == mass
        assert dialog.figures == {}
        dialog.close()


def _tied(qtbot: QtBot, folder: Path) -> StructureDialog:
    """The dialog with a mesh that has ties, and no list of interfaces beside it."""
    pytest.importorskip("meshio")
    from tests.core.structure import test_mesh_ties as ties

    mesh = folder / "alone" / "arm.bdf"
    mesh.parent.mkdir()
    ties._nastran(folder, ties._small).rename(mesh)
    dialog = StructureDialog(mesh, _top(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    assert "Looking for ties" in dialog.report.toPlainText()
    qtbot.waitUntil(lambda: bool(dialog.joins), timeout=30_000)
    assert list(dialog.joins) == ["RBE2 101", "RBE3 102"]
    return dialog


def test_that_ties_of_a_mesh_are_its_interfaces_and_are_not_asked_for(qtbot: QtBot, folder: Path) -> None:
    dialog = _tied(qtbot, folder)
    # a list of interfaces goes before them, and without one they are back
    dialog.frames.setText(str(folder / "interface.json"))
    assert list(dialog.joins) == ["root", "tip"]
    dialog.frames.setText("")
    assert list(dialog.joins) == ["RBE2 101", "RBE3 102"]
    dialog.close()


@pytest.mark.nightly
def test_that_a_mesh_is_reduced_to_its_ties(qtbot: QtBot, folder: Path) -> None:
    pytest.importorskip("skfem")
    dialog = _tied(qtbot, folder)
    dialog.joins["RBE2 101"].setCurrentText("ground")
    dialog.joins["RBE3 102"].setCurrentText("Head")
    _press(qtbot, dialog)
    assert dialog.made is not None, dialog.report.toPlainText()
    assert [one.node for one in dialog.made.body.interfaces] == ["RBE2 101", "RBE3 102"]
    dialog.close()


def test_that_a_mesh_without_ties_asks_for_its_interfaces(qtbot: QtBot, folder: Path) -> None:
    (folder / "interface.json").unlink()
    dialog = StructureDialog(folder / "arm.inp", _top(folder))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: "Choose the file of interfaces" in dialog.report.toPlainText(), timeout=30_000)
    assert dialog.joins == {}
    dialog.close()
