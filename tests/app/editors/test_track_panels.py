"""Points table, profile, plan and 3D handles: one selection, drags are one step, undo gives the same project."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent

from ridewright.app.document.document import Selection
from ridewright.app.document.selection import NOTHING
from ridewright.app.track_editor.dragging import SNAP_KEY, SnapBox
from ridewright.app.track_editor.plan import PlanPanel
from ridewright.app.track_editor.points_model import CANT, STRAIGHT, X, Z
from ridewright.app.track_editor.points_table import PointsPanel
from ridewright.app.track_editor.profile import ProfilePanel
from ridewright.app.track_editor.track_points import track_curves, track_points
from ridewright.app.track_editor.view_handles import ViewHandles
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from tests.app.settling import until_exposed

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def panel(qtbot, document, playback, settings, request):
    settings.set_value("profile/plots", "height,cant")
    made = request.param(document, playback, settings)
    qtbot.addWidget(made)
    made.resize(1000, 420)
    made.show()
    until_exposed(qtbot, made)
    made.refresh_now()
    qtbot.wait(20)
    return made


def _point(document, section, index):
    track = document.project.track
    return next(s for s in track.sections if s.name == section).points[index]


def _drag(qtbot, plot, number, dx, dy, modifiers=NONE, end=True):
    """Drag a point of a plot by pixels, with real mouse events."""
    start = plot.mapFromScene(QPointF(*plot.scene_points()[number]))
    view = plot.viewport()
    qtbot.mouseMove(view, start)
    qtbot.mousePress(view, LEFT, modifiers, start)
    for share in (0.3, 0.7, 1.0):
        here = start + QPoint(round(share * dx), round(share * dy))
        _send_move(view, here, modifiers)
        qtbot.wait(5)
    if end:
        qtbot.mouseRelease(view, LEFT, modifiers, start + QPoint(round(dx), round(dy)))
        qtbot.wait(5)


def _send_move(widget, place, modifiers, buttons=LEFT):
    at = QPointF(place)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        QPointF(widget.mapToGlobal(place)),
        Qt.MouseButton.NoButton,
        buttons,
        modifiers,
    )
    QGuiApplication.sendEvent(widget, event)


# -- data


def test_that_curves_are_those_of_the_centreline():
    built_of = load_example("looping_star")
    from ridewright.core.track.build import build_track

    built = build_track(built_of.track)
    curves = track_curves(built)
    line = built.centreline
    bent = np.isfinite(curves.torsion)
    np.testing.assert_allclose(curves.torsion[bent], line.torsion(curves.s)[bent], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(curves.curvature, line.curvature(curves.s), atol=1e-12)
    good = np.isfinite(curves.cant)
    np.testing.assert_allclose(curves.cant[good], line.cant(curves.s)[good], atol=1e-12)
    assert curves.at("height", 100.3) == pytest.approx(line.position(100.3)[0, 2], abs=0.01)
    points = track_points(built_of, built)
    np.testing.assert_allclose(line.position(points.s), points.position, atol=1e-6)


# -- the table


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_the_table_shows_and_takes_the_units_in_use(document, settings, panel):
    row = panel.points.number("climb", 3)
    point = _point(document, "climb", 3)
    assert panel.model.data(panel.model.index(row, Z)) == f"{point.z:.3f}"
    settings.units = "US"
    panel.refresh_now()
    assert panel.model.headerData(Z, Qt.Orientation.Horizontal) == "z (ft)"
    assert float(panel.model.data(panel.model.index(row, Z))) == pytest.approx(point.z / 0.3048, abs=1e-3)
    assert panel.model.setData(panel.model.index(row, Z), "10")
    assert _point(document, "climb", 3).z == pytest.approx(3.048)
    assert document.undo_stack.undoText() == "Change z of point 4 of climb"
    panel.refresh_now()
    assert panel.model.setData(panel.model.index(row, CANT), "-20")
    assert _point(document, "climb", 3).cant == pytest.approx(math.radians(-20))
    panel.refresh_now()
    assert panel.model.setData(panel.model.index(row, CANT), "free")
    assert _point(document, "climb", 3).cant is None
    panel.model.setData(panel.model.index(row, STRAIGHT), Qt.CheckState.Checked.value)
    assert _point(document, "climb", 3).straight


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_leaving_a_cell_unchanged_changes_nothing(document, panel):
    before = document.project
    for row in range(len(panel.points)):
        index = panel.model.index(row, X)
        panel.model.setData(index, panel.model.data(index, Qt.ItemDataRole.EditRole))
    assert document.project is before


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_text_that_is_no_number_is_refused_with_a_sentence(document, panel):
    before = document.project
    assert not panel.model.setData(panel.model.index(2, X), "abc")
    assert "not a number" in panel.message.text()
    assert panel.message.isVisible()
    assert document.project is before


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_rows_and_selection_are_one(qtbot, document, panel):
    first = panel.points.number("loop", 2)
    flags = QItemSelectionModel.SelectionFlag
    panel.table.setCurrentIndex(panel.model.index(first, X))
    panel.table.selectionModel().select(panel.model.index(first + 1, X), flags.Select | flags.Rows)
    assert document.selection == Selection("points", ("loop",), (2, 3))
    document.select(Selection("points", ("climb",), (0, 5)))
    panel.refresh_now()
    rows = {i.row() for i in panel.table.selectionModel().selectedRows()}
    assert rows == {panel.points.number("climb", 0), panel.points.number("climb", 5)}
    assert document.selection == Selection("points", ("climb",), (0, 5))


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_the_buttons_edit_the_selected_points(qtbot, document, panel):
    before = document.project
    document.select(Selection("points", ("climb",), (4, 5, 6)))
    panel.refresh_now()
    count = len(next(s for s in document.project.track.sections if s.name == "climb").points)
    for name, expected in (("duplicate", count + 3), ("delete", count)):
        qtbot.mouseClick(panel.buttons[name], LEFT)
        assert len(next(s for s in document.project.track.sections if s.name == "climb").points) == expected
    assert document.project == before
    document.select(Selection("points", ("climb",), (4, 5, 6)))
    panel.refresh_now()
    for line, text in zip(panel.shifts, ("1", "", "-0.5"), strict=True):
        line.setText(text)
    old = _point(document, "climb", 5)
    qtbot.mouseClick(panel.buttons["move"], LEFT)
    new = _point(document, "climb", 5)
    assert (new.x - old.x, new.y - old.y, new.z - old.z) == pytest.approx((1.0, 0.0, -0.5))
    qtbot.mouseClick(panel.buttons["reverse"], LEFT)
    assert _point(document, "climb", 5) == new
    document.undo_stack.undo()  # a track that runs back and forth cannot be built, so nothing can be inserted
    qtbot.mouseClick(panel.buttons["insert"], LEFT)
    assert document.selection == Selection("points", ("climb",), (7,))
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.project == before


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_copied_rows_paste_behind_the_selection(qtbot, document, panel):
    document.select(Selection("points", ("climb",), (1, 2)))
    panel.refresh_now()
    qtbot.keyClick(panel.table, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("x [m]\ty [m]\tz [m]\tcant [deg]")
    section = document.project.track.sections[-2].name
    document.select(Selection("points", (section,), (0,)))
    panel.refresh_now()
    qtbot.keyClick(panel.table, Qt.Key.Key_V, CTRL)
    assert document.selection == Selection("points", (section,), (1, 2))
    assert _point(document, section, 1).position == pytest.approx(_point(document, "climb", 1).position)
    QGuiApplication.clipboard().setText("no points at all")
    qtbot.keyClick(panel.table, Qt.Key.Key_V, CTRL)
    assert "no points" in panel.message.text()


@pytest.mark.parametrize("panel", [PointsPanel], indirect=True)
def test_that_a_project_without_points_says_what_to_do(qtbot, document, panel):
    document.start_from(load_example("veloci2"))
    panel.refresh_now()
    assert "convert its section" in panel._empty_text.text()
    document.start_from(Project(name="empty"))
    panel.refresh_now()
    assert panel._new_track.isVisible()
    qtbot.mouseClick(panel._new_track, LEFT)
    assert document.project.track is not None
    assert document.undo_stack.undoText() == "New track"


# -- profile


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_dragging_a_height_is_one_step_shown_while_it_goes_on(qtbot, document, panel):
    before = document.project
    seen = []
    document.preview_changed.connect(lambda project: seen.append(project))
    number = panel.points.number("second hill", 5)
    old = _point(document, "second hill", 5)
    _drag(qtbot, panel.plots["height"], number, 0, -30)
    assert document.selection == Selection("points", ("second hill",), (5,))
    new = _point(document, "second hill", 5)
    assert new.z > old.z + 0.5
    assert (new.x, new.y, new.cant) == (old.x, old.y, old.cant)
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Move point 6 of second hill"
    assert any(project is not None for project in seen)
    assert document.previewed is None
    document.undo_stack.undo()
    assert document.project == before


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_cants_are_dragged_together_and_a_free_one_is_set_where_it_was(qtbot, document, panel):
    section = document.project.track.sections[6].name
    free = next(i for i, p in enumerate(document.project.track.sections[6].points) if p.cant is None)
    document.select(Selection("points", (section,), (free, free + 1)))
    panel.refresh_now()
    built = document.built()
    at = [float(built.centreline.cant(built.point_places[section][i])[0]) for i in (free, free + 1)]
    _drag(qtbot, panel.plots["cant"], panel.points.number(section, free), 0, 25)
    turned = [_point(document, section, i).cant for i in (free, free + 1)]
    change = [turned[k] - at[k] for k in range(2)]
    assert change[0] == pytest.approx(change[1], abs=0.02)
    assert change[0] < -0.05
    assert document.undo_stack.undoText() == f"Cant 2 points of {section}"


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_snapping_brings_heights_to_the_grid(qtbot, document, settings, panel):
    settings.set_value(SNAP_KEY, "1")
    number = panel.points.number("second hill", 5)
    _drag(qtbot, panel.plots["height"], number, 0, -23)
    z = _point(document, "second hill", 5).z
    assert z == pytest.approx(round(z), abs=1e-9)


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_the_mouse_tells_the_place_and_a_click_goes_there(qtbot, document, panel):
    places = []
    panel.place_hovered.connect(places.append)
    plot = panel.plots["height"]
    at = plot.mapFromScene(plot.getViewBox().mapViewToScene(QPointF(330.0, 30.0)))
    _send_move(plot.viewport(), at, NONE, Qt.MouseButton.NoButton)
    assert places[-1] == pytest.approx(330.0, abs=2.0)
    assert "height" in panel.readout.text()
    qtbot.mouseClick(plot.viewport(), LEFT, NONE, at)
    assert document.selection.kind == "place"
    assert document.selection.s == pytest.approx(330.0, abs=2.0)


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_a_point_is_inserted_where_asked(document, panel):
    before = len(panel.points)
    assert panel.insert_at(140.0) == ""
    section, index = document.selection.path[0], document.selection.indices[0]
    built = document.built()
    assert built.point_places[section][index] == pytest.approx(140.0, abs=0.3)
    panel.refresh_now()
    assert len(panel.points) == before + 1


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_every_quantity_can_be_shown_and_none(qtbot, document, panel):
    for name, button in panel.toggles.items():
        if not button.isChecked():
            button.trigger()
        assert panel.plots[name].isVisible()
        assert panel.plots[name].curve.getData()[0] is not None
    for button in panel.toggles.values():
        button.trigger()
    assert panel._empty.isVisible()
    document.start_from(Project(name="empty"))
    panel.refresh_now()
    assert "will be drawn here" in panel._empty.text()


# -- plan


@pytest.mark.parametrize("panel", [PlanPanel], indirect=True)
def test_that_a_point_is_dragged_in_the_plane_shown(qtbot, document, panel):
    old = _point(document, "curve 4", 3)
    number = panel.points.number("curve 4", 3)
    _drag(qtbot, panel.views["plan"].plot, number, 24, 12)
    new = _point(document, "curve 4", 3)
    assert new.z == old.z
    assert new.x > old.x
    assert new.y < old.y
    assert (new.x - old.x) / (old.y - new.y) == pytest.approx(2.0, rel=0.05)  # to scale
    document.undo_stack.undo()
    panel.view.setCurrentIndex(panel.view.findData("side"))
    panel.fit()
    assert not panel.views["plan"].plot.isVisible()
    qtbot.wait(20)
    number = panel.points.number("loop", 12)
    old = _point(document, "loop", 12)
    _drag(qtbot, panel.views["side"].plot, number, 3, -20, SHIFT)
    new = _point(document, "loop", 12)
    assert (new.x, new.y) == (old.x, old.y)  # Shift keeps to the longer axis
    assert new.z > old.z


@pytest.mark.parametrize("panel", [PlanPanel], indirect=True)
def test_that_escape_takes_a_drag_back(qtbot, document, panel):
    before = document.project
    number = panel.points.number("curve 4", 3)
    _drag(qtbot, panel.views["plan"].plot, number, 24, 12, end=False)
    assert document.previewed is not None
    qtbot.keyClick(panel.views["plan"].plot, Qt.Key.Key_Escape)
    assert document.previewed is None
    qtbot.mouseRelease(panel.views["plan"].plot.viewport(), LEFT)
    assert document.project is before
    assert document.undo_stack.count() == 0


@pytest.mark.parametrize("panel", [PlanPanel], indirect=True)
def test_that_clicks_select_with_ctrl_more_and_a_band_many(qtbot, document, panel):
    at = [panel.points.number("curve 3", i) for i in (8, 9)]
    for number, keys in zip(at, (NONE, CTRL), strict=True):
        plot = panel.views["plan"].plot
        place = plot.mapFromScene(QPointF(*plot.scene_points()[number]))
        qtbot.mouseClick(plot.viewport(), LEFT, keys, place)
        qtbot.wait(450)  # two quick clicks would be a double click
    assert document.selection == Selection("points", ("curve 3",), (8, 9))
    panel._band([panel.points.number("loop", i) for i in (3, 4, 5)] + at[:1])
    assert document.selection == Selection("points", ("loop",), (3, 4, 5))


# -- 3D


class _FlatView(QObject):
    """A stand-in for the 3D panel with a camera that looks down at 45 degrees along y, one metre a pixel."""

    def __init__(self):
        super().__init__()
        self.plotter = self
        self.shown, self.selected, self.marked, self.filters = None, (), None, []
        self.forward = np.array([0.0, 1.0, -1.0]) / math.sqrt(2.0)
        self.up = np.array([0.0, 1.0, 1.0]) / math.sqrt(2.0)
        self.eye = -500.0 * self.forward

    def world_to_screen(self, points):
        p = np.atleast_2d(points) - self.eye
        return np.stack([400.0 + p[:, 0], 300.0 - p @ self.up], axis=1)

    def ray(self, x, y):
        return self.eye + np.array([x - 400.0, 0.0, 0.0]) + (300.0 - y) * self.up, self.forward

    def install_mouse_filter(self, watcher):
        self.filters.append(watcher)

    def overlay_points(self, points, selected=(), hovered=None):
        self.shown, self.selected = points, selected

    def mark_place(self, s):
        self.marked = s


def _mouse(kind, place, modifiers=NONE, button=LEFT):
    buttons = LEFT if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    return QMouseEvent(kind, QPointF(*place), QPointF(*place), button, buttons, modifiers)


@pytest.fixture
def handles(qapp, document, settings):
    made = ViewHandles(document, _FlatView(), settings)
    made.view = made._view
    document.select(Selection("section", ("curve 4",)))
    made.refresh()
    return made


def _drag_3d(handles, number, moves, modifiers=NONE, release=True):
    start = handles.view.world_to_screen(handles.points.position[number])[0]
    assert handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonPress, start))
    for move in moves:
        assert handles.eventFilter(None, _mouse(QEvent.Type.MouseMove, start + np.array(move), modifiers))
        handles._drag._work()
    if release:
        assert handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonRelease, start + np.array(moves[-1])))


def test_that_points_are_shown_in_3d_only_while_the_track_is_edited(document, handles):
    assert len(handles.view.shown) == len(handles.points)
    document.select(NOTHING)
    handles.refresh()
    assert handles.view.shown is None


def test_that_a_drag_in_3d_moves_in_the_plane_of_the_view_and_with_shift_in_height(document, handles):
    number = handles.points.number("curve 4", 3)
    old = _point(document, "curve 4", 3)
    _drag_3d(handles, number, [(4.0, -2.0), (10.0, -5.0)])
    new = _point(document, "curve 4", 3)
    # the camera looks down at 45 degrees: 5 px up the screen are 5 m in the plane that faces it
    up = 5.0 / math.sqrt(2.0)
    assert (new.x - old.x, new.y - old.y, new.z - old.z) == pytest.approx((10.0, up, up))
    assert document.undo_stack.count() == 1
    handles.refresh()
    _drag_3d(handles, number, [(0.0, -4.0), (3.0, -8.0)], SHIFT)
    higher = _point(document, "curve 4", 3)
    assert (higher.x, higher.y) == (new.x, new.y)
    assert higher.z - new.z == pytest.approx(8.0 * math.sqrt(2.0))
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert _point(document, "curve 4", 3) == old


def test_that_shift_during_a_drag_goes_on_from_where_the_point_is(document, handles):
    number = handles.points.number("curve 4", 3)
    old = _point(document, "curve 4", 3)
    start = handles.view.world_to_screen(handles.points.position[number])[0]
    handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonPress, start))
    for move, keys in (((6.0, 0.0), NONE), ((6.0, 0.0), SHIFT), ((6.0, -3.0), SHIFT)):
        handles.eventFilter(None, _mouse(QEvent.Type.MouseMove, start + np.array(move), keys))
        handles._drag._work()
    handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonRelease, start))
    new = _point(document, "curve 4", 3)
    assert (new.x - old.x, new.y - old.y, new.z - old.z) == pytest.approx((6.0, 0.0, 3.0 * math.sqrt(2.0)))
    assert document.undo_stack.count() == 1


def test_that_an_axis_key_locks_the_drag_and_escape_takes_it_back(document, handles):
    number = handles.points.number("curve 4", 3)
    old = _point(document, "curve 4", 3)
    start = handles.view.world_to_screen(handles.points.position[number])[0]
    handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonPress, start))
    assert handles.eventFilter(None, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_X, NONE))
    handles.eventFilter(None, _mouse(QEvent.Type.MouseMove, start + np.array([7.0, -9.0])))
    handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonRelease, start))
    new = _point(document, "curve 4", 3)
    assert (new.x - old.x, new.y, new.z) == pytest.approx((7.0, old.y, old.z))
    project = document.project
    handles.refresh()
    _drag_3d(handles, number, [(20.0, 20.0)], release=False)
    assert document.previewed is not None
    assert handles.eventFilter(None, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, NONE))
    assert document.previewed is None
    assert document.project is project


def test_that_many_points_move_together_and_snap(document, settings, handles):
    settings.set_value(SNAP_KEY, "0.5")
    document.select(Selection("points", ("curve 4",), (3, 4)))
    handles.refresh()
    old = [_point(document, "curve 4", i) for i in (3, 4)]
    _drag_3d(handles, handles.points.number("curve 4", 3), [(5.2, -3.3)])
    new = [_point(document, "curve 4", i) for i in (3, 4)]
    assert new[0].x * 2.0 == pytest.approx(round(new[0].x * 2.0), abs=1e-9)
    assert new[1].x - old[1].x == pytest.approx(new[0].x - old[0].x)
    assert document.undo_stack.undoText() == "Move 2 points of curve 4"


def test_that_clicks_in_3d_pick_the_nearest_and_miss_beside_points(document, handles):
    number = handles.points.number("curve 4", 3)
    at = handles.view.world_to_screen(handles.points.position[number])[0]
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        handles.eventFilter(None, _mouse(kind, at + 2.0))
    assert document.selection.kind == "points"
    assert not handles.eventFilter(None, _mouse(QEvent.Type.MouseButtonPress, (5.0, 5.0)))
    handles.show_place(120.0)
    assert handles.view.marked == 120.0
    handles.show_place(None)
    assert handles.view.marked is None


def test_that_the_snap_boxes_of_all_panels_agree(qtbot, settings):
    one, other = SnapBox(settings), SnapBox(settings)
    qtbot.addWidget(one)
    qtbot.addWidget(other)
    one.setCurrentIndex(3)
    one.activated.emit(3)
    assert other.currentIndex() == 3
    assert other.currentText() == "Snap to 0.50 m"


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_names_of_sections_lie_neither_over_each_other_nor_over_the_caption(panel, qtbot):
    plot = panel.plots["height"]
    plot.set_caption("Height of the track above the ground at its lowest place (m)")
    panel._place_marks()
    shown = [name for name in panel._marks.names if name.isVisible()]
    areas = [plot.mapFromScene(name.sceneBoundingRect()).boundingRect() for name in shown]
    assert 2 < len(areas) < len(panel._marks.names)
    caption = plot._caption.geometry()
    assert not any(area.adjusted(4, 4, -4, -4).intersects(caption) for area in areas)
    pairs = [(a, b) for k, a in enumerate(areas) for b in areas[:k]]
    assert not any(a.adjusted(4, 4, -4, -4).intersects(b.adjusted(4, 4, -4, -4)) for a, b in pairs)


@pytest.mark.parametrize("panel", [ProfilePanel], indirect=True)
def test_that_no_curve_runs_behind_its_caption(panel, qtbot):
    qtbot.waitUntil(lambda: "loads" in panel.plots, timeout=5000)
    for plot in panel.plots.values():
        if plot._caption.isHidden():
            continue
        over = plot.mapFromScene(plot.getViewBox().sceneBoundingRect()).boundingRect().top()
        assert plot._caption.geometry().bottom() <= over + 1
