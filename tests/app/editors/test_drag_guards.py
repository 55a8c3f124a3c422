"""What goes away while a drag in 3D goes on: an exception in an event filter may end the process."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent

from ridewright.app.document.selection import NOTHING, Selection
from ridewright.app.shell.tour import Step, Tour
from ridewright.app.track_editor.dragging import SNAP_KEY
from ridewright.app.track_editor.track_points import TrackPoints
from ridewright.app.track_editor.view_handles import ViewHandles
from tests.app.editors.test_track_panels import SHIFT, _FlatView, _mouse

PRESS, MOVE, RELEASE = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.MouseButtonRelease,
)


@pytest.fixture
def handles(qapp, document, settings):
    made = ViewHandles(document, _FlatView(), settings)
    document.select(Selection("section", ("curve 4",)))
    made.refresh()
    return made


def _pressed(handles, number=3):
    at = handles._view.world_to_screen(handles.points.position[handles.points.number("curve 4", number)])[0]
    assert handles.eventFilter(None, _mouse(PRESS, at))
    return at


def _go_on(handles, at):
    for move in ((9.0, 4.0), (12.0, -7.0)):
        handles.eventFilter(None, _mouse(MOVE, at + np.array(move)))
        handles.eventFilter(None, _mouse(MOVE, at + np.array(move), SHIFT))
        if handles._drag is not None:
            handles._drag._work()
    handles.eventFilter(None, _mouse(RELEASE, at))


def test_that_points_that_go_after_the_press_begin_no_drag(document, handles):
    at, project = _pressed(handles), document.project
    handles.points = TrackPoints()
    _go_on(handles, at)
    assert handles._drag is None
    assert document.project is project


def test_that_points_that_go_during_a_drag_end_it_without_harm(document, handles, monkeypatch):
    at = _pressed(handles)
    handles.eventFilter(None, _mouse(MOVE, at + np.array((9.0, 4.0))))
    monkeypatch.setattr(handles, "_points_now", TrackPoints)
    handles.refresh()
    _go_on(handles, at)
    assert handles._drag is None


@pytest.mark.parametrize("key", [None, Qt.Key.Key_X, Qt.Key.Key_Z])
def test_that_a_camera_that_leaves_the_point_behind_holds_it_where_it_is(document, settings, handles, key):
    settings.set_value(SNAP_KEY, "0.5")
    at, project = _pressed(handles), document.project
    if key is not None:
        handles.eventFilter(None, QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier))
    view = handles._view
    view.world_to_screen = lambda points: np.full((len(np.atleast_2d(points)), 2), np.nan)
    view.ray = lambda x, y: (np.full(3, np.nan), np.full(3, np.nan))
    _go_on(handles, at)
    assert document.project is project


def test_that_a_press_on_what_is_drawn_of_a_gone_selection_is_left_alone(document, handles):
    class Gizmo:
        placed = hovered = None

        def part_at(self, *_):
            return "x"

        def grip(self, part):
            return handles._grip

    handles.gizmo = gizmo = Gizmo()
    gizmo.placed = gizmo
    document.select(NOTHING)
    handles._soon.stop()
    shown = type(handles).shown
    type(handles).shown = property(lambda _: True)
    try:
        assert not handles.eventFilter(None, _mouse(PRESS, (-9000.0, -9000.0)))
    finally:
        type(handles).shown = shown
    assert handles._pressed is None


def test_that_a_tour_outlives_what_it_points_at(qtbot, studio):
    from PySide6.QtWidgets import QLabel
    from shiboken6 import delete

    target = QLabel("here", studio)
    tour = Tour(studio, [Step("Here", "This.", target)])
    delete(target)
    studio.resize(studio.width() + 10, studio.height())
    tour._place()
    assert tour.card.isVisible()
    tour.end()
