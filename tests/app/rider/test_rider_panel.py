"""The Rider panel with mouse and keyboard: make a rider, slide its size, drag a limit, turn a limb, make anew, undo."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from mouse_and_keyboard import choose, settle
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

from ridewright.app.document.document import Selection
from ridewright.app.model_editor.inspector import Inspector
from ridewright.app.model_editor.tree import ProjectTree
from ridewright.app.rider_panel.panel import BY_HAND, RiderPanel
from ridewright.app.view3d.seat_drop import SeatDrop
from ridewright.app.widgets import dialogs
from ridewright.app.widgets.people_drag import carried
from ridewright.app.work import seating
from ridewright.core.edits import riders
from ridewright.core.edits.elements import assembly_at, delete_element, element_at, set_assembly, set_element
from ridewright.core.edits.seats import put_seat
from ridewright.core.human.population import usual
from ridewright.core.model.person import Person
from ridewright.core.project.examples import load_example

LEFT, COPY = Qt.MouseButton.LeftButton, Qt.DropAction.CopyAction
PATH = ("Car", "Rider")


@pytest.fixture
def seated(document):
    """A document with a generated rider in place of the thesis' one."""
    project = delete_element(load_example("looping_star"), "assembly", PATH)
    project, path = riders.make_rider(project, ("Car",), Person(mass=80.0, stature=1.8))
    assert path == PATH
    document.apply("seat", project)
    document.select(Selection("assembly", PATH))
    return document


@pytest.fixture
def panel(qtbot, seated, playback, settings):
    made = RiderPanel(seated, playback, settings)
    qtbot.addWidget(made)
    made.resize(1100, 480)
    made.show()
    settle()
    return made


def _drag(widget, start: QPointF, *ends: QPointF) -> None:
    QTest.mousePress(widget, LEFT, pos=start.toPoint())
    for end in ends:
        QTest.mouseMove(widget, end.toPoint())
        settle()
    QTest.mouseRelease(widget, LEFT, pos=ends[-1].toPoint())
    settle()


def _handle(slider) -> QPoint:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    return (
        slider.style()
        .subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider)
        .center()
    )


def _made(qtbot, panel) -> None:
    """Who is asked for is made, and shown."""
    qtbot.waitUntil(lambda: not panel.seating.under_way, timeout=20_000)
    settle()


def test_that_dragging_the_mass_previews_and_letting_go_is_one_step(qtbot, panel, seated):
    before = seated.project
    slider = panel.sliders["mass"]
    start, steps = _handle(slider), seated.undo_stack.count()
    QTest.mousePress(slider, LEFT, pos=start)
    QTest.mouseMove(slider, start + QPoint(60, 0))
    _made(qtbot, panel)
    assert seated.previewed is not None
    assert assembly_at(seated.previewed, PATH).mass() > 85.0
    assert seated.project == before
    QTest.mouseRelease(slider, LEFT, pos=start + QPoint(60, 0))
    _made(qtbot, panel)
    assert seated.undo_stack.count() == steps + 1
    assert assembly_at(seated.project, PATH).person.mass == pytest.approx(
        assembly_at(seated.project, PATH).mass()
    )
    seated.undo_stack.undo()
    assert seated.project == before


def test_that_a_stature_dragged_below_those_of_adults_makes_a_child_of_its_mass(qtbot, panel, seated):
    slider = panel.sliders["stature"]
    start, steps = _handle(slider), seated.undo_stack.count()
    QTest.mousePress(slider, LEFT, pos=start)
    QTest.mouseMove(slider, QPoint(slider.width() // 4, start.y()))  # a quarter of 0.85 to 2.10 m
    _made(qtbot, panel)
    small = assembly_at(seated.previewed, PATH)
    assert small.person.scaling == "child"
    assert "child proportions" in panel.note.text()
    assert float(panel.values["mass"].line.text()) == pytest.approx(small.mass(), abs=0.01)
    assert 15.0 < small.mass() < 30.0
    QTest.mouseMove(slider, start)  # and back, before it is let go
    _made(qtbot, panel)
    assert assembly_at(seated.previewed, PATH).person.scaling == "regression"
    QTest.mouseMove(slider, QPoint(slider.width() // 4, start.y()))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(slider.width() // 4, start.y()))
    _made(qtbot, panel)
    assert seated.undo_stack.count() == steps + 1
    assert assembly_at(seated.project, PATH).person.scaling == "child"


def test_that_a_dragged_edge_changes_that_limit_as_one_step_and_undo_takes_it_back(panel, seated):
    panel.joint.setCurrentText("Left knee")
    settle()
    element = ("Car", "Rider", "Left knee range")
    before = element_at(seated.project, "force", element)
    fan = panel.canvas.fan_shown()
    wanted = panel.canvas._on_rim(fan, fan.direction(np.radians(100.0)))
    middle = panel.canvas._on_rim(fan, fan.direction(np.radians(112.0)))
    steps = seated.undo_stack.count()
    _drag(panel.canvas, panel.canvas.handles()["upper"], middle, wanted)
    after = element_at(seated.project, "force", element)
    assert np.degrees(after.upper[1]) == pytest.approx(100.0, abs=2.0)
    assert after.lower == before.lower
    assert after.upper[0] == before.upper[0]
    assert seated.undo_stack.count() == steps + 1
    assert assembly_at(seated.project, PATH).person is not None
    seated.undo_stack.undo()
    assert element_at(seated.project, "force", element) == before


def test_that_a_joint_is_picked_by_a_click_and_its_needle_turns_the_limb(panel, seated):
    spot = panel.canvas.joint_spot("Right elbow")
    QTest.mouseClick(panel.canvas, LEFT, pos=spot.toPoint())
    settle()
    assert panel.joint.currentText() in ("Right elbow", "Left elbow")
    joint = panel.joint.currentText()
    fan = panel.canvas.fan_shown()
    wanted = panel.canvas._on_rim(fan, fan.direction(np.radians(-110.0)), 0.72)
    _drag(panel.canvas, panel.canvas.handles()["needle"], wanted)
    assert np.degrees(dict(assembly_at(seated.project, PATH).person.pose)[joint][1]) == pytest.approx(
        -110.0, abs=3.0
    )
    assert np.degrees(panel.canvas.fan_shown().angle) == pytest.approx(-110.0, abs=3.0)


def test_that_the_table_has_all_segments_with_their_sources(panel):
    assert panel.table.rowCount() == 17
    assert panel.table.item(0, 0).text() == "Pelvis"
    assert "Zatsiorsky" in panel.table.item(0, 4).text()
    assert "inferred" in panel.table.item(0, 4).text()


def test_that_an_edited_segment_detaches_the_rider_and_undo_attaches_it(panel, seated):
    made = set_element(seated.project, "body", (*PATH, "Head"), {"mass": 5.0})
    seated.apply("Change mass", made)
    assert assembly_at(seated.project, PATH).person is None
    assert panel.note.text() == BY_HAND
    assert not panel.sliders["mass"].isEnabled()
    seated.undo_stack.undo()
    assert assembly_at(seated.project, PATH).person is not None
    assert panel.sliders["mass"].isEnabled()


def test_that_make_anew_tells_what_changes_and_does_it(panel, seated, monkeypatch):
    old = element_at(seated.project, "force", (*PATH, "Left hip range"))
    changed = set_element(seated.project, "force", (*PATH, "Left hip range"), {"corner": 0.3})
    seated.apply("Change corner", changed)
    told = []
    monkeypatch.setattr(dialogs, "ask", lambda *words: told.append(words[2]) or True)
    QTest.mouseClick(panel.anew, LEFT)
    settle()
    assert "'Left hip range': corner 0.3 becomes" in told[0]
    assert element_at(seated.project, "force", (*PATH, "Left hip range")) == old


def test_that_present_angles_follow_the_run(panel, seated):
    assert panel.canvas._present == panel.canvas._fans  # no run yet: as drawn
    assert not any(fan.outside for fan in panel.canvas._fans)


def test_that_the_inspector_changes_who_it_is_and_refuses_what_has_no_body(qtbot, seated, playback, settings):
    inspector = Inspector(seated, playback, settings)
    qtbot.addWidget(inspector)
    inspector.resize(320, 900)
    inspector.show()
    settle()
    line = inspector.entry("mass").line
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "95")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert assembly_at(seated.project, PATH).mass() == pytest.approx(95.0)
    line.selectAll()
    qtbot.keyClicks(line, "190")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settle()
    assert assembly_at(seated.project, PATH).mass() == pytest.approx(95.0)


def test_that_the_menu_makes_a_rider_and_shows_the_panel(studio):
    document = studio.document
    document.apply("free", delete_element(document.project, "assembly", PATH))
    settle()
    choose(studio, "Train", "Make rider…")
    settle()
    rider = assembly_at(document.project, PATH)
    assert rider.person == riders.MEDIAN
    assert document.selection.path == PATH
    assert studio.panels["rider"].isVisible()
    document.undo_stack.undo()
    assert not document.project.train.with_role("rider")


def test_that_a_file_that_asks_for_nobody_opens_and_says_so(qtbot, panel, seated, playback, settings):
    """Asked for: 18 kg by the regression. The bodies stored beside it ride on; another size makes it right."""
    rider = assembly_at(seated.project, PATH)
    nobody = rider.person.model_copy(update={"mass": 18.0})
    seated.apply("read", set_assembly(seated.project, PATH, {"person": nobody}))
    settle()
    assert "outside 40 to 140 kg" in panel.note.text()
    QTest.mouseClick(panel.anew, LEFT)
    settle()
    inspector = Inspector(seated, playback, settings)
    qtbot.addWidget(inspector)
    inspector.show()
    settle()
    project = riders.set_person(seated.project, PATH, {"mass": 75.0})
    assert assembly_at(project, PATH).mass() == pytest.approx(75.0)


def test_that_another_stature_leaves_the_drawn_track_and_its_picture_alone(studio):
    """The 3D view draws track and ride as points; both are the same, but for the rounding of the mass."""
    window = studio
    project = delete_element(load_example("looping_star"), "assembly", PATH)
    project, _ = riders.make_rider(project, ("Car",), Person(mass=80.0, stature=1.8))
    window.document.start_from(project)
    window.viewer.finish_pending()
    ride = window.viewer.preview.ride()
    moved: list[object] = []
    window.viewer.scene.move_track, move_track = moved.append, window.viewer.scene.move_track
    try:
        for stature in (1.81, 1.82):
            made = riders.set_person(project, PATH, {"stature": stature, "stature_percentile": ""})
            assert made.train.mass() == pytest.approx(project.train.mass(), rel=1e-12)
            window.document.preview(made)
            window.viewer.finish_pending()
            assert window.viewer.preview.ride() is ride
        assert not moved
        window.document.preview(riders.set_person(project, PATH, {"mass": 95.0, "mass_percentile": ""}))
        window.viewer.finish_pending()
        assert window.viewer.preview.ride() is not ride
    finally:
        window.viewer.scene.move_track = move_track
        window.document.preview(None)


def test_that_a_stick_of_a_metre_stands_beside_the_rider_and_he_is_as_large_as_it_says(panel, seated):
    canvas = panel.canvas
    head, foot = (
        element_at(seated.project, "body", (*PATH, name)).position for name in ("Head", "Left Foot")
    )
    for size in ((1100, 480), (700, 900)):
        panel.resize(*size)
        settle()
        length, box = canvas.stick()
        scale = box.height() / length
        assert length in (0.5, 1.0)
        apart = canvas._spot(np.array(foot)).y() - canvas._spot(np.array(head)).y()
        assert apart == pytest.approx((head[2] - foot[2]) * scale, abs=1.0)
        wide = canvas._spot(np.array(foot)).x() - canvas._spot(np.array(head)).x()
        assert wide == pytest.approx((foot[0] - head[0]) * scale, abs=1.0)  # the same across
        assert canvas.rect().contains(box.toAlignedRect())


def test_that_the_fit_is_told_while_the_mass_is_dragged(qtbot, panel, seated):
    place = assembly_at(seated.project, PATH).seat
    seated.apply("Put a seat", put_seat(seated.project, PATH[:-1], place, "sit_down"))
    settle()
    before, slider = panel.fit.text(), panel.sliders["mass"]
    start = _handle(slider)
    QTest.mousePress(slider, LEFT, pos=start)
    QTest.mouseMove(slider, start + QPoint(80, 0))
    _made(qtbot, panel)
    assert seated.previewed is not None
    assert "Lap bar: closed by" in panel.fit.text()
    assert panel.fit.text() != before  # a thicker thigh stops the bar earlier
    QTest.mouseRelease(slider, LEFT, pos=start + QPoint(80, 0))
    _made(qtbot, panel)


def test_that_the_fit_is_told_while_the_stature_is_dragged(qtbot, panel, seated):
    assert not panel.fit.isVisible()
    seated.apply(
        "Put a seat", put_seat(seated.project, PATH[:-1], assembly_at(seated.project, PATH).seat, "sit_down")
    )
    settle()
    assert panel.fit.isVisible()
    assert "Lap bar: closed by" in panel.fit.text()
    before = panel.fit.text()
    slider = panel.sliders["stature"]
    start = _handle(slider)
    short = start - QPoint(80, 0)  # 0.24 m less
    QTest.mousePress(slider, LEFT, pos=start)
    QTest.mouseMove(slider, short)
    _made(qtbot, panel)
    assert seated.previewed is not None
    assert panel.fit.text() != before
    assert "above the foot rest" in panel.fit.text()
    assert panel.fit.property("role") == "warn"
    QTest.mouseRelease(slider, LEFT, pos=short)
    _made(qtbot, panel)


def test_that_nothing_is_left_of_a_rider_that_is_gone(panel, seated):
    assert panel.values["mass"].line.text() == "80"
    assert panel.heading.text() == "Car › Rider"
    seated.apply("no train", seated.project.model_copy(update={"train": None}))
    settle()
    assert [entry.line.text() for entry in panel.values.values()] == ["", ""]
    assert not any(entry.isEnabled() for entry in panel.values.values())
    assert panel.joint.count() == 0
    assert panel.heading.text().startswith("No rider")


def test_that_a_rider_is_made_beside_the_window(qtbot, panel, seated, monkeypatch):
    """While somebody is made the window goes on, and letting go before the end is a step all the same."""
    go_on, where = threading.Event(), []
    make = seating.set_person

    def slow(*asked):
        where.append(threading.current_thread())
        go_on.wait(20.0)
        return make(*asked)

    monkeypatch.setattr(seating, "set_person", slow)
    slider, steps = panel.sliders["mass"], seated.undo_stack.count()
    start = _handle(slider)
    try:
        QTest.mousePress(slider, LEFT, pos=start)
        QTest.mouseMove(slider, start + QPoint(60, 0))
        QTest.mouseRelease(slider, LEFT, pos=start + QPoint(60, 0))
        qtbot.waitUntil(lambda: bool(where), timeout=20_000)
        assert panel.seating.under_way
        assert seated.undo_stack.count() == steps
    finally:
        go_on.set()
    _made(qtbot, panel)
    assert threading.main_thread() not in where
    assert seated.undo_stack.count() == steps + 1
    assert assembly_at(seated.project, PATH).mass() > 85.0


def test_that_a_drag_is_followed_though_everybody_is_overtaken(qtbot, panel, seated, monkeypatch):
    """Each wish is made while the next one is there already: whoever is made is seen on the way."""
    made, gate = seating.set_person, threading.Semaphore(0)

    def slow(*asked):
        gate.acquire(timeout=20.0)
        return made(*asked)

    monkeypatch.setattr(seating, "set_person", slow)
    seen = []
    seated.preview_changed.connect(lambda _: seen.append(assembly_at(seated.previewed, PATH).person.mass))
    for k in range(4):
        panel.seating.look(PATH, {"mass": 70.0 + k})
    panel.seating.look(PATH, {"mass": 75.0})
    gate.release()
    qtbot.waitUntil(lambda: seen == [70.0], timeout=20_000)  # the first, overtaken four times
    assert panel.seating.under_way
    gate.release(10)
    _made(qtbot, panel)
    assert seen == [70.0, 75.0]  # what was never begun is left out


def test_that_a_typed_mass_is_a_step_in_the_unit_shown(qtbot, panel, seated, settings):
    settings.units = "US"
    entry = panel.values["mass"]
    assert entry.unit.text() == "lb"
    entry.line.setFocus()
    entry.line.selectAll()
    qtbot.keyClicks(entry.line, "200")
    qtbot.keyClick(entry.line, Qt.Key.Key_Return)
    _made(qtbot, panel)
    assert assembly_at(seated.project, PATH).mass() == pytest.approx(200 * 0.45359237)


def test_that_a_double_click_seats_somebody_in_the_place_of_who_is_shown(qtbot, panel, seated):
    child = next(k for k, one in enumerate(panel.people.people) if "child" in one.label)
    assert "1.20 m" in panel.people.item(child).text()
    panel.people.itemDoubleClicked.emit(panel.people.item(child))
    _made(qtbot, panel)
    (path,) = (path for path in seated.project.train.with_role("rider") if path)
    rider = assembly_at(seated.project, tuple(path.split("/")))
    assert rider.person.stature == pytest.approx(1.2)
    assert rider.person.held  # a seat of which nothing is known holds nobody else
    assert seated.selection.path == tuple(path.split("/"))


def test_that_somebody_dragged_onto_a_row_of_the_tree_sits_there(qtbot, panel, seated, playback, settings):
    seated.apply("Put a seat", put_seat(seated.project, ("Car",), "Right seat", "sit_down"))
    tree = ProjectTree(seated, playback, settings)
    qtbot.addWidget(tree)
    tree.resize(300, 1800)
    tree.show()
    tree.tree.expandAll()
    settle()
    item = tree._items["seat", "Car", "Right seat"]
    tree.tree.scrollToItem(item)
    at = QPointF(tree.tree.visualItemRect(item).center())
    data = panel.people.mimeData([panel.people.item(0)])
    for event in (
        QDragEnterEvent(at.toPoint(), COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
        QDragMoveEvent(at.toPoint(), COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
        QDropEvent(at, COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
    ):
        QApplication.sendEvent(tree.tree.viewport(), event)
        assert event.isAccepted()
    _made(qtbot, panel)
    rider = next(one for one in assembly_at(seated.project, ("Car",)).riders if one.seat == "Right seat")
    assert rider.person.sex == "female"
    assert not rider.person.held


def test_that_in_a_column_the_drawing_has_most_of_the_room_and_no_text_lies_over_it(panel):
    panel.resize(300, 430)
    settle()
    canvas = panel.canvas
    assert canvas.height() > 0.45 * panel.height()
    assert canvas.fan_shown() is not None
    floor = canvas.floor()
    assert floor <= canvas.height() - canvas.fontMetrics().height()
    heights = [canvas.joint_spot(fan.joint).y() for fan in canvas._fans]
    assert max(heights) < floor
    assert max(heights) - min(heights) > 0.5 * floor


def test_that_somebody_dragged_over_the_view_sits_on_the_nearest_seat(qtbot, studio):
    document, viewer = studio.document, studio.viewer
    document.select(Selection("seat", ("Car", "Right seat")))
    viewer.finish_pending()
    viewer.frame_selection()
    settle()
    drop, plotter = viewer.findChild(SeatDrop), viewer.plotter
    data = carried(usual()[0])
    assert drop.seat_at(QPointF(-1e4, -1e4)) is None
    (pixel,) = viewer.world_to_screen([drop._places()["Car/Right seat"]])
    at = QPointF(*pixel)
    assert drop.seat_at(at) == "Car/Right seat"
    for event in (
        QDragEnterEvent(at.toPoint(), COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
        QDragMoveEvent(at.toPoint(), COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
        QDropEvent(at, COPY, data, LEFT, Qt.KeyboardModifier.NoModifier),
    ):
        QApplication.sendEvent(plotter, event)
        assert event.isAccepted()
    qtbot.waitUntil(lambda: not seating.seating_of(document).under_way, timeout=20_000)
    rider = next(one for one in assembly_at(document.project, ("Car",)).riders if one.seat == "Right seat")
    assert rider.person.sex == "female"
    document.undo_stack.undo()
