"""Wheels of a car by one action; springs and joints between two places that are clicked in the 3D view."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QListWidget

from ridewright.app.document.document import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.view3d.picking import first_hit
from ridewright.app.view3d.train_layer import Member
from ridewright.core.edits.elements import add_element
from ridewright.core.edits.insertion import insert_straight
from ridewright.core.edits.new_elements import new_body
from ridewright.core.edits.train import insert_vehicle
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import Body
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.project.scenario import Rig
from tests.app.mouse_and_keyboard import choose, settle


def _block(name: str, mass: float, z: float) -> Body:
    return Body(name=name, mass=mass, inertia=(0.2 * mass,) * 3, position=(0.0, 0.0, z))


def _join_by(studio: MainWindow, title: str) -> None:
    """Train > Join two places..., a row of the list, Add."""

    def pick() -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, QDialog):
            QTimer.singleShot(100, pick)
            return
        (rows,) = dialog.findChildren(QListWidget)
        (row,) = rows.findItems(title, Qt.MatchFlag.MatchExactly)
        rows.scrollToItem(row)
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(row).center())
        (buttons,) = dialog.findChildren(QDialogButtonBox)
        QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)

    QTimer.singleShot(300, pick)
    choose(studio, "Train", "Join two places…")
    settle(3)


def _pixel_of(studio: MainWindow, body: str) -> QPoint:
    """A pixel under which a body is seen."""
    view = studio.viewer.plotter
    for x in range(20, view.width() - 20, 12):
        for y in range(20, view.height() - 20, 12):
            hit = first_hit(view, x, y)
            if hit is not None and isinstance(hit[0], Member) and hit[0].path == (body,):
                return QPoint(x, y)
    raise AssertionError(f"{body} is not seen")


@pytest.fixture
def two(studio: MainWindow) -> MainWindow:
    """A rig of two blocks, one above the other, that fills the view."""
    rig = Rig(
        assembly=Assembly(
            name="Rig", role="rig", bodies=(_block("Low", 300.0, 1.0), _block("High", 60.0, 3.0))
        )
    )
    studio.document.start_from(Project(name="Two", scenario=rig))
    settle(8)
    studio.document.select(Selection("assembly", ()))
    studio.viewer.frame_selection()
    settle(8)
    return studio


def test_that_a_spring_is_there_after_two_clicks_in_one_step_of_undo(two: MainWindow) -> None:
    before, view = two.document.project, two.viewer.plotter
    _join_by(two, "Spring-damper")
    assert "Click the first place of the spring-damper" in two.point_pick.label.text()
    low, high = _pixel_of(two, "Low"), _pixel_of(two, "High")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=low)
    assert two.point_pick.label.text().startswith("The first place is on Low.")
    QTest.mouseClick(
        view, Qt.MouseButton.LeftButton, pos=low
    )  # the same body is refused, and the wait goes on
    assert "Both places are on 'Low'" in two.point_pick.label.text()
    assert two.document.project is before
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=high)
    settle(4)
    (spring,) = two.document.project.assembly.forces
    assert (spring.body_i, spring.body_j) == ("Low", "High")
    assert spring.stiffness == pytest.approx(50.0 * 9.81 / 0.05, rel=5e-3)
    ends = [np.add(p, (0.0, 0.0, z)) for p, z in ((spring.point_i, 1.0), (spring.point_j, 3.0))]
    assert spring.free_length == pytest.approx(float(np.linalg.norm(ends[0] - ends[1])), abs=1e-6)
    assert two.document.selection == Selection("force", ("Spring-damper",))
    assert not two.point_pick.on
    two.document.undo_stack.undo()
    assert two.document.project == before


def test_that_another_project_ends_the_wait_for_a_place(two: MainWindow) -> None:
    _join_by(two, "Spring-damper")
    assert two.point_pick.on
    two.document.start_from(load_example("planar_pendulum"))
    assert not two.point_pick.on
    assert two.point_pick.label.text() == ""


def test_that_a_joint_lies_at_the_first_click_and_escape_ends_it(two: MainWindow) -> None:
    before, view = two.document.project, two.viewer.plotter
    _join_by(two, "Spherical joint")
    low, high = _pixel_of(two, "Low"), _pixel_of(two, "High")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=low)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not two.point_pick.on
    assert two.document.project is before
    _join_by(two, "Spherical joint")
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=low)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=high)
    (joint,) = two.document.project.assembly.joints
    assert np.add(joint.point_i, (0, 0, 1.0)) == pytest.approx(np.add(joint.point_j, (0, 0, 3.0)), abs=1e-6)


def test_that_a_car_from_nothing_gets_wheels_by_one_entry_of_the_menu(studio: MainWindow) -> None:
    project, _ = insert_straight(Project(name="p"), None, length=40.0)
    project, path = insert_vehicle(project, "")
    project = add_element(project, "body", path, new_body(project.train.children[0]))[0]
    studio.document.start_from(project)
    studio.document.select(Selection("assembly", ()))  # the whole train: of its only car
    settle(4)
    choose(studio, "Train", "Make wheels")
    settle(4)
    car = studio.document.project.train.children[0]
    assert len(car.guides) == 4
    assert studio.document.undo_stack.undoText() == "Make wheels of Car"
    assert studio.document.selection == Selection("assembly", ("Car",))
    choose(studio, "Train", "Wheels with clearance")
    settle(4)
    car = studio.document.project.train.children[0]
    assert {guide.kind for guide in car.guides} == {"full"}
    assert studio.document.undo_stack.undoText() == "Give wheels of Car clearance"
    studio.document.undo_stack.undo()
    studio.document.undo_stack.undo()
    assert studio.document.project == project
