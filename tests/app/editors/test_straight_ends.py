"""Ends of straight sections dragged with the mouse: in the 3D view, the plan and the profile, one undo step each."""

from __future__ import annotations

import numpy as np
import pytest
from mouse_and_keyboard import at_rest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ridewright.app.document.selection import Selection
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.project.project import Project
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier
SLOPE = np.array([3.0, 0.0, 1.0]) / np.sqrt(10.0)


@pytest.fixture
def straights(studio: MainWindow) -> MainWindow:
    """A straight between two places, a bend in three points, and a straight of 20 m on from there; all seen."""
    bend = SplineSection(
        name="bend",
        points=tuple(ControlPoint(x=x, y=y, z=z) for x, y, z in ((40, 2, 4), (55, 12, 5), (60, 30, 6))),
    )
    sections = (
        StraightSection(name="first", start=(0, 0, 3), end=(20, 0, 3), cant=0.0),
        bend,
        StraightSection(name="last", length=20.0),
    )
    track = Track(name="Track", sections=sections)
    studio.document.start_from(Project(name="straights", track=track))
    studio.document.select(Selection("section", ("bend",)))
    QApplication.processEvents()
    studio.viewer.frame_all()
    QApplication.processEvents()
    return studio


def section(window: MainWindow, name: str) -> StraightSection:
    track = window.document.project.track
    assert track is not None
    found = next(s for s in track.sections if s.name == name)
    assert isinstance(found, StraightSection)
    return found


def end_of(window: MainWindow, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Where a section ends (3,) m, and the direction there."""
    built = window.document.built()
    assert built is not None
    span = next(span for span in built.sections if span.name == name)
    state = built.centreline.state(min(span.s1, built.length))
    return state.curve[0, 0], state.tangent[0]


def drag(view: QWidget, start: QPoint, by: QPoint, *, release: bool = True) -> QPoint:
    """Press, move in steps, release; returns where the mouse ended."""
    QTest.mouseMove(view, start)
    QTest.mousePress(view, LEFT, PLAIN, start)
    for share in (0.25, 0.5, 0.75, 1.0):
        there = QPointF(start) + QPointF(by) * share
        globally = QPointF(view.mapToGlobal(there.toPoint()))
        QApplication.sendEvent(
            view, QMouseEvent(QMouseEvent.Type.MouseMove, there, globally, NONE, LEFT, PLAIN)
        )
        QTest.qWait(12)  # plots look at the mouse a hundred times a second
    if release:
        QTest.mouseRelease(view, LEFT, PLAIN, start + by)
        QTest.qWait(12)
    return start + by


def pixel(window: MainWindow, place: np.ndarray) -> QPoint:
    x, y = window.viewer.world_to_screen(place)[0]
    return QPoint(round(x), round(y))


@pytest.mark.parametrize(("word", "field"), [("end", "end"), ("start", "start")])
def test_that_an_end_follows_the_mouse_in_3d_as_one_step(
    straights: MainWindow, word: str, field: str
) -> None:
    before = straights.document.project
    old = np.array(getattr(section(straights, "first"), field))
    by = pixel(straights, old + np.array([2.0, 3.0, 0.0])) - pixel(straights, old)
    view = straights.viewer.plotter
    reached = drag(view, pixel(straights, old), by, release=False)
    assert straights.document.previewed is not None
    QTest.mouseRelease(view, LEFT, PLAIN, reached)
    new = np.array(getattr(section(straights, "first"), field))
    assert np.linalg.norm(new - old) > 1.0
    assert (pixel(straights, new) - reached).manhattanLength() <= 4
    assert straights.document.selection == Selection("section", ("first",))
    assert straights.document.undo_stack.undoText() == f"Move {word} of first"
    assert straights.document.undo_stack.count() == 1
    straights.document.undo_stack.undo()
    assert straights.document.project == before


def test_that_the_end_of_a_straight_of_given_length_makes_it_longer_in_3d(straights: MainWindow) -> None:
    before = straights.document.project
    old, along = end_of(straights, "last")
    start, wanted = pixel(straights, old), pixel(straights, old + 6.0 * along)
    drag(straights.viewer.plotter, start, wanted - start)
    changed = section(straights, "last")
    assert changed.end is None
    assert changed.length == pytest.approx(26.0, abs=1.0)
    new, same = end_of(straights, "last")
    np.testing.assert_allclose(same, along, atol=1e-9)
    np.testing.assert_allclose(new - old, (changed.length - 20.0) * along, atol=1e-6)
    assert straights.document.undo_stack.undoText() == "Move end of last"
    straights.document.undo_stack.undo()
    assert straights.document.project == before


def test_that_a_straight_cannot_be_dragged_out_of_its_direction_or_to_nothing(straights: MainWindow) -> None:
    old, along = end_of(straights, "last")
    start = pixel(straights, old)
    drag(straights.viewer.plotter, start, QPoint(9, 30))
    new, _ = end_of(straights, "last")
    assert np.linalg.norm(new - old) > 0.5
    np.testing.assert_allclose(np.cross(new - old, along), 0.0, atol=1e-6)
    straights.document.undo_stack.setIndex(0)
    drag(straights.viewer.plotter, start, pixel(straights, old - 30.0 * along) - start)
    length = section(straights, "last").length
    assert length is not None
    assert 0.0 < length <= 20.0
    assert straights.document.built() is not None


def test_that_escape_takes_the_drag_of_an_end_back(straights: MainWindow) -> None:
    before = straights.document.project
    old, _along = end_of(straights, "last")
    view = straights.viewer.plotter
    view.setFocus()
    drag(view, pixel(straights, old), QPoint(12, 6), release=False)
    assert straights.document.previewed is not None
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, PLAIN, pixel(straights, old) + QPoint(12, 6))
    assert straights.document.previewed is None
    assert straights.document.project is before


def test_that_both_kinds_of_ends_are_dragged_in_the_plan(qtbot, straights: MainWindow) -> None:
    straights.show_panel("plan")
    plan = straights.panels["plan"]
    qtbot.waitUntil(lambda: len(plan.points) == 6)
    plot = plan.views["plan"].plot
    at_rest(straights, plot)
    plan.fit()
    for name, word in (("first", "end"), ("last", "end")):
        number = max(k for k, found in enumerate(plan.points.section) if found == name)
        old, along = end_of(straights, name)
        start = plot.mapFromScene(QPointF(*plot.scene_points()[number]))
        drag(plot.viewport(), start, QPoint(10, -10))
        qtbot.waitUntil(lambda: straights.document.previewed is None)
        new, _ = end_of(straights, name)
        moved = new - old
        assert straights.document.undo_stack.undoText() == f"Move {word} of {name}"
        assert moved[2] == pytest.approx(0.0 if name == "first" else moved @ along * along[2], abs=1e-9)
        assert np.linalg.norm(moved) > 0.5
        if name == "first":  # free: to scale, 45 degrees on screen
            assert moved[0] == pytest.approx(moved[1], rel=0.1)
        plan.refresh_now()


def test_that_height_and_cant_of_a_straight_are_dragged_in_the_profile(qtbot, straights: MainWindow) -> None:
    straights.show_panel("profile")
    profile = straights.panels["profile"]
    qtbot.waitUntil(lambda: len(profile.points) == 5)
    at_rest(straights, profile.plots["height"])
    number = 1
    assert (profile.points.section[number], profile.points.word[number]) == ("first", "end")
    for name, dy in (("height", -8), ("cant", -6)):
        plot = profile.plots[name]
        qtbot.waitUntil(lambda plot=plot: len(plot.points) == 5)
        start = plot.mapFromScene(QPointF(*plot.scene_points()[number]))
        drag(plot.viewport(), start, QPoint(0, dy))
        qtbot.waitUntil(lambda: straights.document.previewed is None)
        profile.refresh_now()
    first = section(straights, "first")
    assert first.end is not None
    assert first.end[:2] == (20.0, 0.0)
    assert first.end[2] > 3.0
    assert first.cant is not None
    assert first.cant > 0.0
    assert straights.document.undo_stack.count() == 2
