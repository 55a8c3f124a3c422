"""The move gizmo, box and soft selection in the 3D view, by mouse and keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.document.selection import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.track_editor.dragging import SNAP_KEY

SECTION, INDEX = "second hill", 5
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def aimed(studio: MainWindow) -> MainWindow:
    """A point of a hill selected and seen from the side and above."""
    look_at(studio, 0.6)
    return studio


def look_at(studio: MainWindow, elevation: float, distance: float = 45.0) -> None:
    studio.document.select(Selection("points", (SECTION,), (INDEX,)))
    studio.viewer.frame_selection()
    rig = studio.viewer.scene.rig
    rig.azimuth, rig.elevation, rig.distance = 0.7, elevation, distance
    studio.viewer.plotter.redraw()
    settle()


def places(studio: MainWindow) -> np.ndarray:
    """Positions (n, 3) m of the points of the section."""
    track = studio.document.project.track
    assert track is not None
    return np.array([p.position for p in next(s for s in track.sections if s.name == SECTION).points])


def cant(studio: MainWindow) -> float | None:
    track = studio.document.project.track
    assert track is not None
    return next(s for s in track.sections if s.name == SECTION).points[INDEX].cant


def straight(studio: MainWindow) -> bool:
    track = studio.document.project.track
    assert track is not None
    return next(s for s in track.sections if s.name == SECTION).points[INDEX].straight


def move_mouse(studio: MainWindow, there: QPointF, button=LEFT, keys=PLAIN) -> None:
    view = studio.viewer.plotter
    event = QMouseEvent(
        QMouseEvent.Type.MouseMove, there, QPointF(view.mapToGlobal(there.toPoint())), NONE, button, keys
    )
    QApplication.sendEvent(view, event)
    settle(1)


def drag(studio: MainWindow, start: np.ndarray, by: tuple[float, float], typed: str = "", keys=PLAIN) -> None:
    """Press, move in steps, type, let go."""
    view, begin = studio.viewer.plotter, QPointF(*start)
    QTest.mousePress(view, LEFT, keys, begin.toPoint())
    for k in range(1, 7):
        move_mouse(studio, begin + QPointF(*by) * (k / 6), keys=keys)
    QTest.keyClicks(view, typed)
    settle()
    end = begin + QPointF(*by)
    QTest.mouseRelease(view, LEFT, keys, QPoint(round(end.x()), round(end.y())))
    settle()


def part(studio: MainWindow, name: str, share: float = 0.8) -> np.ndarray:
    """A pixel (2,) on a part of the gizmo."""
    line = studio.handles.gizmo.placed.lines()[name]
    middle = line[:4].mean(axis=0) if len(line) == 5 else line[0] + share * (line[-1] - line[0])
    return studio.viewer.world_to_screen(middle)[0]


@pytest.mark.parametrize(("name", "axis"), [("x", 0), ("y", 1), ("z", 2)])
def test_that_an_arrow_moves_along_its_axis_only(aimed: MainWindow, name: str, axis: int) -> None:
    before = places(aimed)
    line = aimed.handles.gizmo.placed.lines()[name]
    taken = line[0] + 0.8 * (line[1] - line[0])
    way = (
        aimed.viewer.world_to_screen(taken + 3.0 * np.eye(3)[axis])[0]
        - aimed.viewer.world_to_screen(taken)[0]
    )
    drag(aimed, part(aimed, name), tuple(way))
    moved = places(aimed) - before
    assert moved[INDEX][axis] == pytest.approx(3.0, abs=0.1)
    moved[INDEX][axis] = 0.0
    assert np.abs(moved).max() < 1e-9
    assert aimed.document.undo_stack.count() == 1


def test_that_a_plane_the_normal_of_the_track_and_the_ring_do_what_they_say(aimed: MainWindow) -> None:
    before = places(aimed)
    drag(aimed, part(aimed, "xy"), (24.0, 10.0))
    moved = places(aimed)[INDEX] - before[INDEX]
    assert moved[2] == 0.0
    assert np.linalg.norm(moved) > 0.3
    side = aimed.handles.gizmo.placed.frame[1]
    before = places(aimed)
    drag(aimed, part(aimed, "n", 0.9), (-20.0, 14.0))
    moved = places(aimed)[INDEX] - before[INDEX]
    assert np.linalg.norm(moved) > 0.2
    assert np.abs(np.cross(moved, side)).max() < 1e-6
    # the ring: the pixel on it goes round with the mouse, so that left turns as the mouse does
    frame = aimed.handles.gizmo.placed.frame
    gizmo = aimed.handles.gizmo.placed
    angle = np.radians(200.0)
    on_ring = gizmo.origin + 1.12 * gizmo.size * (np.cos(angle) * frame[1] + np.sin(angle) * frame[2])
    off = gizmo.origin + 1.12 * gizmo.size * (np.cos(angle + 0.3) * frame[1] + np.sin(angle + 0.3) * frame[2])
    start, end = aimed.viewer.world_to_screen([on_ring, off])
    drag(aimed, start, tuple(end - start))
    settle()
    turned = aimed.handles.gizmo.placed.frame
    angle = np.arctan2(turned[1] @ frame[2], turned[1] @ frame[1])
    assert cant(aimed) is not None
    assert 0.1 < angle < 0.6
    assert np.abs(turned[0] - frame[0]).max() < 0.05


def test_that_x_locks_the_axis_and_digits_give_the_distance(aimed: MainWindow) -> None:
    before = places(aimed)
    drag(aimed, aimed.viewer.world_to_screen(before[INDEX])[0], (30.0, -12.0), typed="x2.5")
    assert (places(aimed) - before)[INDEX].tolist() == pytest.approx([2.5, 0.0, 0.0])
    drag(aimed, part(aimed, "z"), (0.0, -20.0), typed="-3/2")
    assert (places(aimed) - before)[INDEX].tolist() == pytest.approx([2.5, 0.0, -1.5])


def test_that_a_short_way_of_the_mouse_never_is_a_long_one_in_space(studio: MainWindow) -> None:
    """Seen flat over the ground, where a drag on the ground plane went 95 m away for 64 px."""
    look_at(studio, 0.02, 60.0)
    before = places(studio)
    drag(studio, studio.viewer.world_to_screen(before[INDEX])[0], (0.0, -64.0))
    metre = np.linalg.norm(
        np.diff(studio.viewer.world_to_screen(before[INDEX] + [[0, 0, 0], [0, 0, 1]]), axis=0)
    )
    assert np.linalg.norm((places(studio) - before)[INDEX]) == pytest.approx(64.0 / metre, rel=0.1)


def test_that_an_arrow_snaps_to_the_grid(aimed: MainWindow) -> None:
    aimed.settings.set_value(SNAP_KEY, "0.5")
    drag(aimed, part(aimed, "z"), (0.0, -37.0))
    height = places(aimed)[INDEX][2]
    assert height == pytest.approx(round(2.0 * height) / 2.0, abs=1e-9)


def test_that_neighbours_within_the_seen_radius_follow_softly(aimed: MainWindow) -> None:
    before = places(aimed)
    away = np.linalg.norm(before - before[INDEX], axis=1)
    radius = float(np.sort(away)[3] * 1.05)
    aimed.handles.set_soft_radius(radius)
    settle()
    assert aimed.viewer.scene.marks.has("soft selection")
    drag(aimed, part(aimed, "z"), (0.0, -20.0), typed="2")
    moved = places(aimed) - before
    radius = aimed.handles.soft_radius
    np.testing.assert_allclose(
        moved[:, 2], np.where(away < radius, 2.0 * (1.0 - (away / radius) ** 2) ** 2, 0.0)
    )
    aimed.handles.set_soft_radius(0.0)
    settle()
    assert not aimed.viewer.scene.marks.has("soft selection")


def test_that_a_box_selects_the_points_in_it_and_the_hint_tells_what_a_drag_does(aimed: MainWindow) -> None:
    look_at(aimed, 0.6, 90.0)  # the three stand in the middle, clear of what lies over the view
    flat = aimed.viewer.world_to_screen(places(aimed))
    wanted = (INDEX - 1, INDEX, INDEX + 1)
    low, high = flat[list(wanted)].min(axis=0) - 16.0, flat[list(wanted)].max(axis=0) + 16.0
    drag(aimed, low, tuple(high - low), keys=CTRL)
    assert set(wanted) <= set(aimed.document.selection.indices)
    look_at(aimed, 0.6)
    move_mouse(aimed, QPointF(*part(aimed, "y")), NONE)
    assert aimed.handles.part == "y"
    assert aimed.handles.hint.text() == "Drag: along y"
    assert aimed.handles.hint.isVisible()
    move_mouse(aimed, QPointF(*flat[INDEX]), NONE)
    assert "plane of the view" in aimed.handles.hint.text()
    move_mouse(aimed, QPointF(5.0, 300.0), NONE)
    assert not aimed.handles.hint.isVisible()


def test_that_the_menu_of_a_point_edits_it(aimed: MainWindow, unexpected: list[str]) -> None:
    """Right click on a point: before, straight, split, delete."""
    view, count = aimed.viewer.plotter, len(places(aimed))

    def pick(text: str) -> None:
        spot = QPointF(*aimed.viewer.world_to_screen(places(aimed)[INDEX])[0]).toPoint()
        QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=spot)
        settle()
        menu = QApplication.activePopupWidget()
        entry = next(a for a in menu.actions() if a.text() == text)
        assert entry.isEnabled()
        menu.setActiveAction(entry)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        settle()
        assert unexpected == []

    was = straight(aimed)
    pick("Straight to the next point")
    assert straight(aimed) is not was
    pick("Straight to the next point")
    assert straight(aimed) is was
    pick("Insert point before")
    assert len(places(aimed)) == count + 1
    assert aimed.document.selection.indices == (INDEX,)
    pick("Delete points")
    assert len(places(aimed)) == count


def test_that_two_clicks_measure(aimed: MainWindow) -> None:
    """M, two control points, the distance between them; Escape ends it, and nothing was selected or edited."""
    before, selection = places(aimed), aimed.document.selection
    view = aimed.viewer.plotter
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_M)
    assert aimed.measure.on
    ends = [INDEX - 1, INDEX + 1]
    for k in ends:
        QTest.mouseClick(view, LEFT, pos=QPointF(*aimed.viewer.world_to_screen(before[k])[0]).toPoint())
        settle()
    apart = np.linalg.norm(before[ends[1]] - before[ends[0]])
    assert aimed.measure.label.text().startswith(f"Distance {apart:.2f} m")
    assert aimed.measure.label.isVisible()
    assert aimed.document.selection == selection
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not aimed.measure.on
    assert not aimed.measure.label.isVisible()
    assert not aimed.actions_table.by_id["measure"].isChecked()
