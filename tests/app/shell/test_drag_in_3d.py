"""Control points dragged in the 3D view with the mouse, seen by the camera of the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.document.selection import Selection
from ridewright.app.shell.main_window import MainWindow

SECTION, INDEX = "second hill", 5
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def aimed(studio: MainWindow) -> MainWindow:
    """The point selected, in the picture, seen from the side and above."""
    studio.document.select(Selection("points", (SECTION,), (INDEX,)))
    studio.viewer.frame_selection()
    rig = studio.viewer.scene.rig
    rig.azimuth, rig.elevation, rig.distance = 0.7, 0.6, 45.0
    studio.viewer.plotter.redraw()
    QApplication.processEvents()
    return studio


def where(studio: MainWindow) -> np.ndarray:
    """Position (3,) m of the point."""
    track = studio.document.project.track
    assert track is not None
    return np.array(next(s for s in track.sections if s.name == SECTION).points[INDEX].position)


def pixel(studio: MainWindow, place: np.ndarray) -> np.ndarray:
    return studio.viewer.world_to_screen(place)[0]


def drag(
    studio: MainWindow, by: tuple[int, int], modifiers: Qt.KeyboardModifier, key: Qt.Key | None
) -> QPoint:
    """Press on the point, hold a key, move in steps, release; returns where the mouse ended."""
    view = studio.viewer.plotter
    start = QPointF(*pixel(studio, where(studio))).toPoint()
    QTest.mousePress(view, LEFT, modifiers, start)
    for k in range(1, 9):
        there = QPointF(start) + QPointF(*by) * (k / 8)
        # QTest moves the mouse without a button; a drag holds one
        globally = QPointF(view.mapToGlobal(there.toPoint()))
        QApplication.sendEvent(
            view, QMouseEvent(QMouseEvent.Type.MouseMove, there, globally, NONE, LEFT, modifiers)
        )
        if k == 2 and key is not None:
            QTest.keyPress(view, key)
        QApplication.processEvents()
        assert studio.document.previewed is not None
    end = start + QPoint(*by)
    QTest.mouseRelease(view, LEFT, modifiers, end)
    if key is not None:
        QTest.keyRelease(view, key)
    return end


def test_that_a_drag_stays_in_the_plane_of_the_view_and_the_point_under_the_mouse(aimed: MainWindow) -> None:
    before = where(aimed)
    _, ahead = aimed.viewer.ray(*pixel(aimed, before))
    end = drag(aimed, (36, -14), PLAIN, None)
    after = where(aimed)
    assert abs((after - before) @ ahead) < 1e-3
    assert np.linalg.norm(after - before) > 0.5
    assert np.abs(pixel(aimed, after) - [end.x(), end.y()]).max() < 3.0


def test_that_shift_drags_up_and_down_only(aimed: MainWindow) -> None:
    before = where(aimed)
    drag(aimed, (6, -40), SHIFT, None)
    after = where(aimed)
    assert after[:2].tolist() == before[:2].tolist()
    assert after[2] > before[2] + 0.5


@pytest.mark.parametrize(("key", "axis"), [(Qt.Key.Key_X, 0), (Qt.Key.Key_Y, 1)])
def test_that_a_held_key_holds_the_drag_to_its_axis(aimed: MainWindow, key: Qt.Key, axis: int) -> None:
    before = where(aimed)
    wanted = np.eye(3)[axis] * 4.0
    across, down = pixel(aimed, before + wanted) - pixel(aimed, before)
    drag(aimed, (round(across), round(down)), PLAIN, key)
    moved = where(aimed) - before
    assert moved[axis] == pytest.approx(4.0, abs=0.4)
    assert np.delete(moved, axis).tolist() == [0.0, 0.0]


def test_that_one_undo_takes_a_drag_back_and_the_camera_stays(aimed: MainWindow) -> None:
    before, eye = aimed.document.project, aimed.viewer.scene.rig.eye(None).position
    drag(aimed, (30, 10), PLAIN, None)
    drag(aimed, (-12, 20), PLAIN, None)
    assert aimed.document.undo_stack.count() == 2
    np.testing.assert_array_equal(aimed.viewer.scene.rig.eye(None).position, eye)
    aimed.setFocus()
    for _ in range(2):
        QTest.keyClick(aimed, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert aimed.document.project == before
