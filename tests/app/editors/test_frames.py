"""Frames of beams by mouse and keyboard: made from nothing, continued, changed, ridden; undo leads back."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import CTRL, LEFT, _until, choose, settle, type_into
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from ridewright.app.document.selection import Selection
from ridewright.app.model_editor.structure_panel import StructurePanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.mesh import COLOUR, rgb
from ridewright.core.model.flexible import FlexibleBody
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project

NONE = Qt.KeyboardModifier.NoModifier
FRAME = ("Frame",)


def _frame(studio: MainWindow) -> FlexibleBody:
    assert studio.document.project.assembly is not None
    (found,) = studio.document.project.assembly.flexibles
    return found


def _settled(panel: StructurePanel) -> None:
    """Wait until the panel has had its turn to draw itself."""
    settle()
    assert _until(lambda: not panel._soon.due, 10.0)
    settle()


def _press(panel: StructurePanel, name: str) -> None:
    QTest.mouseClick(panel.buttons[name], LEFT)
    _settled(panel)


def _tab(panel: StructurePanel, k: int) -> None:
    QTest.mouseClick(panel.tabs, LEFT, NONE, panel.tabs.tabRect(k).center())
    _settled(panel)


def _cell(panel: StructurePanel, row: int, column: int, modifier: Qt.KeyboardModifier = NONE) -> None:
    at = panel.table.visualRect(panel.model.index(row, column)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, modifier, at)
    _settled(panel)


def _type(panel: StructurePanel, row: int, column: int, text: str) -> None:
    """Click a cell, replace what it holds, press Return."""
    _cell(panel, row, column)
    QTest.keyClick(panel.table, Qt.Key.Key_F2)
    (line,) = panel.table.findChildren(QLineEdit)
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    _settled(panel)


def _opened(studio: MainWindow, project: Project) -> StructurePanel:
    studio.document.start_from(project)
    studio.show_panel("structure")
    panel = studio.panels["structure"]
    assert isinstance(panel, StructurePanel)
    _settled(panel)
    panel.tabs.setCurrentIndex(0)  # the window is that of the test before
    return panel


def test_that_a_frame_is_made_from_nothing_ridden_and_undone(
    qtbot: QtBot, studio: MainWindow, wait_for_run, unexpected: list[str]
) -> None:
    document = studio.document
    panel = _opened(studio, Project(name="Nothing"))
    before = document.project
    assert not panel.table.isVisible()
    choose(studio, "Train", "Add frame of beams")
    assert document.selection == Selection("flexible", FRAME)
    _settled(panel)
    assert panel.table.isVisible()
    assert panel.model.rowCount() == 2

    # a third node, moved by typing, is loose until a beam leads to it
    _press(panel, "add")
    _type(panel, 2, 3, "1 m + 250 mm")
    assert _frame(studio).nodes[2].position == (6.0, 0.0, 1.25)
    faults = lambda: [p for p in document.problems if "'C' has no beam" in p.text]  # noqa: E731
    qtbot.waitUntil(lambda: bool(faults()), timeout=5000)
    assert faults()[0].where == Selection("flexible", FRAME, (2,), rows="nodes")
    _tab(panel, 1)
    _press(panel, "add")
    assert [(beam.start, beam.end) for beam in _frame(studio).beams] == [("A", "B"), ("B", "C")]
    qtbot.waitUntil(lambda: not faults(), timeout=5000)

    # both beams at once, in the inspector
    _cell(panel, 0, 2)
    _cell(panel, 1, 2, CTRL)
    type_into(studio.panels["inspector"], "Wall", "8 mm")
    assert [beam.section.wall for beam in _frame(studio).beams] == [0.008, 0.008]
    assert document.undo_stack.undoText() == "Change wall of 2 beams of Frame"

    # ridden: the load sinks on the frame
    QTest.keyClick(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    run = document.current_run
    assert run is not None, document.problems
    load = run.results.names.bodies.index("Load")
    sunk = run.results.states.position[:, load, 2].min() - 2.0
    assert -0.2 < sunk < -0.005

    while document.undo_stack.canUndo():
        QTest.keyClick(studio, Qt.Key.Key_Z, CTRL)
        _settled(panel)
    assert document.project == before
    assert unexpected == []


def test_that_nodes_go_with_what_names_them_and_what_cannot_be_is_said(
    studio: MainWindow, unexpected: list[str]
) -> None:
    panel = _opened(studio, load_example("swing_beam"))
    _press(panel, "add")
    _type(panel, 2, 0, "top")
    assert "two nodes of 'Main beam' are named 'top'" in panel.message.text()
    _type(panel, 2, 0, "middle")
    assert not panel.message.isVisible()
    _type(panel, 2, 1, "no number")
    assert "no number" in panel.message.text()
    assert [node.name for node in _frame(studio).nodes] == ["top", "bottom", "middle"]

    # a beam and its ends by a list of names
    _tab(panel, 1)
    _press(panel, "add")
    _cell(panel, 1, 0)
    QTest.keyClick(panel.table, Qt.Key.Key_F2)
    (box,) = panel.table.findChildren(QComboBox)
    _settled(panel)
    assert [box.itemText(k) for k in range(box.count())] == ["top", "bottom", "middle"]
    QTest.keyClick(box.view(), Qt.Key.Key_Up)
    QTest.keyClick(box.view(), Qt.Key.Key_Return)
    _settled(panel)
    assert (_frame(studio).beams[1].start, _frame(studio).beams[1].end) == ("top", "middle")

    # a section is changed in the inspector, where a double click leads
    _cell(panel, 1, 2)
    at = panel.table.visualRect(panel.model.index(1, 2)).center()
    QTest.mouseDClick(panel.table.viewport(), LEFT, NONE, at)
    _settled(panel)
    assert QApplication.focusWidget() is studio.panels["inspector"].entry("shape").box

    # a spring between the last two nodes, marked at both of them
    _tab(panel, 3)
    _press(panel, "add")
    _type(panel, 0, 2, "2e5")
    (spring,) = _frame(studio).springs
    assert (spring.start, spring.end, spring.along) == ("bottom", "middle", (2e5, 1e6, 1e6))
    assert len(studio.viewer._highlight._nodes) == 2

    # the node takes its beam and its spring along; the last interface may not go
    _tab(panel, 0)
    _cell(panel, 2, 0)
    assert panel.buttons["delete"].text() == "Delete with 2 that depend on it"
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    _settled(panel)
    assert (len(_frame(studio).nodes), len(_frame(studio).beams), _frame(studio).springs) == (2, 1, ())
    assert studio.document.selection == Selection("flexible", ("Main beam",))
    _tab(panel, 4)
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_A, CTRL)
    assert panel.chosen == (0, 1)
    _settled(panel)
    _press(panel, "delete")
    assert "has no interface" in panel.message.text()
    assert unexpected == []


def test_that_rows_are_pasted_from_a_spreadsheet_and_copied_in_the_units_in_use(studio: MainWindow) -> None:
    panel = _opened(studio, load_example("swing_beam"))
    top, low = (node.position for node in _frame(studio).nodes)
    QGuiApplication.clipboard().setText("arm\t1\t2\t3\n\n4; 5; 6")
    panel.table.setFocus()
    QTest.keyClick(panel.table, Qt.Key.Key_V, CTRL)
    assert "Line 3" not in panel.message.text(), panel.message.text()
    assert [node.position for node in _frame(studio).nodes] == [top, low, (1, 2, 3), (4, 5, 6)]
    assert [node.name for node in _frame(studio).nodes][2:] == ["arm", "bottom 2"]
    _settled(panel)
    studio.settings.units = "us"
    _cell(panel, 2, 1)
    QTest.keyClick(panel.table, Qt.Key.Key_C, CTRL)
    name, x, *_ = QApplication.clipboard().text().split("\t")
    assert (name, float(x)) == ("arm", 3.2808399)
    QGuiApplication.clipboard().setText("arm\t1\t2")
    QTest.keyClick(panel.table, Qt.Key.Key_V, CTRL)
    _settled(panel)
    assert "Line 1" in panel.message.text()


def test_that_what_is_selected_is_marked_in_the_view_and_a_click_there_selects_it(
    studio: MainWindow, unexpected: list[str]
) -> None:
    panel = _opened(studio, Project(name="Nothing"))
    QTest.mouseClick(panel.new_frame, LEFT)
    _settled(panel)
    _press(panel, "add")
    _tab(panel, 1)
    _press(panel, "add")
    viewer = studio.viewer

    def coloured() -> list[int]:
        viewer.finish_pending()
        (body,) = viewer.scene.flexible._bodies
        painted = np.array(body.mesh.point_data[COLOUR])
        return np.unique(
            body.skin.beams[(painted == rgb(viewer.scene.colours.highlight)).all(axis=1)]
        ).tolist()

    for k in (0, 1):
        _cell(panel, k, 0)
        assert coloured() == [k]
    _tab(panel, 0)
    assert coloured() == []
    _cell(panel, 1, 0)
    viewer.finish_pending()
    (_, _, ball), *_ = viewer._highlight._nodes
    assert [ball.GetElement(k, 3) for k in range(3)] == pytest.approx([3.0, 0.0, 2.0])

    assert studio.panels["stress"] is not None  # clicks on structures are listened to where their stress is
    viewer.frame_all()
    _settled(panel)
    for k, x in ((0, 1.2), (1, 4.8)):
        at = viewer.world_to_screen(np.array([[x, 0.0, 2.0]]))[0]
        QTest.mouseClick(viewer.plotter, LEFT, NONE, QPoint(round(at[0]), round(at[1])))
        _settled(panel)
        assert studio.document.selection == Selection("flexible", FRAME, (k,), rows="beams")
        assert panel.chosen == (k,)
    assert unexpected == []
