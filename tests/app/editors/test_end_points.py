"""The point of a joint, taken from the other body or from the 3D view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.picking import first_hit
from ridewright.core.edits.elements import element_at, set_element
from tests.app.mouse_and_keyboard import settle

JOINT = ("Car", "Roll joint")


@pytest.fixture
def chosen(studio: MainWindow) -> MainWindow:
    """The joint of the carbody is selected and seen from near, its first point 0.4 m beside the second."""
    document = studio.document
    joint = element_at(document.project, "joint", JOINT)
    beside = tuple(np.add(joint.point_i, (0.0, 0.4, 0.0)))
    document.apply("Move point", set_element(document.project, "joint", JOINT, {"point_i": beside}))
    document.select(Selection("joint", JOINT))
    studio.show_panel("inspector")
    settle(8)
    studio.viewer.frame_selection()
    settle(8)
    return studio


def take(studio: MainWindow, end: str, words: str) -> None:
    """The button beside the point, and a way in its menu."""
    inspector = studio.panels["inspector"]
    row = next(row for row in inspector.rows if row.field.spec.name == f"point_{end}")
    (button,) = (b for b in row.findChildren(type(row.mark)) if b is not row.mark)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    menu = next(m for m in inspector.findChildren(QMenu) if m.isVisible())
    action = next(a for a in menu.actions() if a.text() == words)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    settle()


def gap(studio: MainWindow) -> float:
    """How far apart the two points of the joint are shown (m)."""
    train = studio.viewer.scene.train
    joint = element_at(studio.document.project, "joint", JOINT)
    placed = next(one for one in train.flat.joints if one.name == "/".join(JOINT))
    ends = [
        train.world(placed.bodies[getattr(joint, f"body_{e}")], np.array(getattr(joint, f"point_{e}")))
        for e in "ij"
    ]
    return float(np.linalg.norm(ends[0] - ends[1]))


def test_that_a_point_goes_to_that_of_the_other_body(chosen: MainWindow) -> None:
    assert gap(chosen) > 0.3
    before = chosen.document.project
    take(chosen, "i", "Where it is drawn on the other body")
    settle(4)
    assert gap(chosen) < 1e-6
    assert (
        element_at(before, "joint", JOINT).point_j
        == element_at(chosen.document.project, "joint", JOINT).point_j
    )
    chosen.document.undo_stack.undo()
    assert chosen.document.project == before


def test_that_a_joint_goes_to_the_place_clicked_in_the_view(chosen: MainWindow) -> None:
    view, before = chosen.viewer.plotter, chosen.document.project
    take(chosen, "j", "Click it in the 3D view")
    assert "Click the point on the second body of Roll joint" in chosen.point_pick.label.text()
    sky = QPoint(5, 5) if first_hit(view, 5, 5) is None else None
    if sky is not None:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=sky)
        assert chosen.point_pick.label.text().startswith("There is nothing at this place.")
        assert chosen.document.project is before
    centre = np.array([view.width() / 2.0, view.height() / 2.0])
    hit = next(
        (np.add(centre, (dx, dy)), found[1])
        for dx in range(0, 200, 20)
        for dy in range(0, 160, 20)
        if (found := first_hit(view, *(np.add(centre, (dx, dy))))) is not None
    )
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(*(round(float(v)) for v in hit[0])))
    settle(4)
    assert chosen.document.selection == Selection("joint", JOINT)  # the click was not for the selection
    assert not chosen.point_pick.on
    assert gap(chosen) < 1e-6
    train, joint = chosen.viewer.scene.train, element_at(chosen.document.project, "joint", JOINT)
    placed = next(one for one in train.flat.joints if one.name == "/".join(JOINT))
    there = train.world(placed.bodies[joint.body_i], np.array(joint.point_i))
    assert there == pytest.approx(hit[1], abs=0.02)  # within a pixel
    chosen.document.undo_stack.undo()
    assert chosen.document.project == before


def test_that_escape_ends_the_wait(chosen: MainWindow) -> None:
    before = chosen.document.project
    take(chosen, "i", "Click it in the 3D view")
    QTest.keyClick(chosen.viewer.plotter, Qt.Key.Key_Escape)
    assert not chosen.point_pick.on
    assert not chosen.point_pick.label.isVisible()
    assert chosen.document.project is before


def test_that_another_selection_ends_the_wait(chosen: MainWindow) -> None:
    before = chosen.document.project
    take(chosen, "i", "Click it in the 3D view")
    assert chosen.point_pick.on
    chosen.document.select(Selection("body", ("Car", "Frame")))
    assert not chosen.point_pick.on
    assert not chosen.point_pick.label.isVisible()
    assert chosen.document.project is before
