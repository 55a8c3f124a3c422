"""The list of sections, the numbers of the inspector under wheel and mouse, devices, and marks in the 3D view."""

from __future__ import annotations

import numpy as np
import pytest
from building import insert as insert_piece
from mouse_and_keyboard import LEFT, choose, line_of, settle, type_into
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from ridewright.app.document.document import Selection
from ridewright.app.elements.section_marks import BORDERS
from ridewright.app.elements.track_elements import DEVICES, TRACK_ELEMENTS
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets.number_entry import DragLabel
from ridewright.app.work.preview import RidePreview
from ridewright.core.base.errors import InputError
from ridewright.core.edits.along_track import add_device
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.edits.insertion import set_straight_length, straight_length
from ridewright.core.edits.sections import delete_section, set_section
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.device_spans import device_spans

GIVEN = {"start_from": "given", "losses_from": "given"}

NONE = Qt.KeyboardModifier.NoModifier


BEGUN: list[Project] = []  # made by mouse once; a step a piece, each with its preview, takes seconds


@pytest.fixture
def plain(studio: MainWindow) -> MainWindow:
    """A track of a straight, a turn and a straight, begun from nothing."""
    if BEGUN:
        studio.document.start_from(BEGUN[0])
        studio.document.select(Selection("section", ("Straight 2",)))
        return studio
    choose(studio, "File", "New empty project")
    for piece in ("Straight", "Banked turn", "Straight"):
        choose(studio, "Track", "Insert element", piece)
    BEGUN.append(studio.document.project)
    return studio


def names(studio: MainWindow) -> list[str]:
    track = studio.document.project.track
    return [] if track is None else [section.name for section in track.sections]


def length(studio: MainWindow) -> float:
    assert studio.document.project.track is not None
    return build_track(studio.document.project.track, ride=False).length


def test_that_every_piece_and_device_is_in_the_menus_with_its_help(studio: MainWindow) -> None:
    for id, pieces in (("insert_element", TRACK_ELEMENTS), ("add_device", DEVICES)):
        menu = studio.actions_table.by_id[id].menu()
        shown = [action for action in menu.actions() if not action.isSeparator()]
        assert [a.text() for a in shown] == [f"{piece.title}\t{piece.line}" for piece in pieces]
        assert all(not action.icon().isNull() for action in shown)


def test_that_a_piece_goes_behind_the_selected_section_and_is_selected(plain: MainWindow) -> None:
    plain.document.select(Selection("section", ("Straight",)))
    choose(plain, "Track", "Insert element", "Arc")
    assert names(plain) == ["Straight", "Left turn", "Left banked turn", "Straight 2"]
    assert plain.document.selection == Selection("section", ("Left turn",))
    assert plain.document.undo_stack.undoText() == "Insert arc"
    plain.document.undo_stack.undo()
    assert names(plain) == ["Straight", "Left banked turn", "Straight 2"]


def test_that_the_length_of_a_straight_is_typed(plain: MainWindow) -> None:
    before = length(plain)
    for name, by in (("Straight", 13.0), ("Straight 2", -8.0)):
        plain.document.select(Selection("section", (name,)))
        settle()
        type_into(plain.panels["inspector"], "Length", str(20.0 + by))
        before += by
        assert length(plain) == pytest.approx(before)


def test_that_sections_are_moved_copied_renamed_and_deleted_in_the_list(plain: MainWindow) -> None:
    plain.show_panel("sections")
    panel = plain.panels["sections"]
    settle()
    item = panel.table.visualItemRect(panel.table.item(1, 0))
    QTest.mouseClick(panel.table.viewport(), LEFT, pos=item.center())
    assert plain.document.selection == Selection("section", ("Left banked turn",))
    for button, wanted in (
        ("section_down", ["Straight", "Straight 2", "Left banked turn"]),
        ("section_up", ["Straight", "Left banked turn", "Straight 2"]),
        ("duplicate_section", ["Straight", "Left banked turn", "Left banked turn 2", "Straight 2"]),
        ("delete_section", ["Straight", "Left banked turn", "Straight 2"]),
    ):
        QTest.mouseClick(panel.buttons[button], LEFT)
        settle()
        assert names(plain) == wanted
    panel.table.item(1, 0).setText("First bend")
    settle()
    assert names(plain)[1] == "First bend"


def test_that_the_list_shows_speeds_and_loads_of_the_preview(qtbot: object, studio: MainWindow) -> None:
    studio.show_panel("sections")
    panel = studio.panels["sections"]
    preview = panel.preview
    qtbot.waitUntil(lambda: bool(preview.figures()), timeout=60_000)  # type: ignore[attr-defined]
    panel.refresh()
    row = names(studio).index("loop")
    figures = preview.figures()[row]
    assert panel.table.item(row, 4).text() == f"{figures.entry_speed:.1f}"
    assert panel.table.item(row, 6).text() == f"{figures.max_gz.value:.2f}"


def wheel(line: object, notches: int) -> None:
    """Turn the wheel over a line."""
    at = QPointF(8.0, 8.0)
    glob = QPointF(line.mapToGlobal(at.toPoint()))  # type: ignore[attr-defined]
    for _ in range(abs(notches)):
        turned = QPoint(0, 120 if notches > 0 else -120)
        no_button = Qt.MouseButton.NoButton
        event = QWheelEvent(at, glob, QPoint(), turned, no_button, NONE, Qt.ScrollPhase.NoScrollPhase, False)
        line.event(event)  # type: ignore[attr-defined]
        settle()


def test_that_the_wheel_changes_a_number_that_has_the_focus_in_one_step(
    qtbot: object, plain: MainWindow
) -> None:
    plain.document.select(Selection("section", ("Left banked turn",)))
    settle()
    line = line_of(plain.panels["inspector"], "Radius")
    start = float(line.text())
    steps = plain.document.undo_stack.count()
    plain.activateWindow()
    qtbot.waitUntil(plain.isActiveWindow, timeout=5000)  # type: ignore[attr-defined]
    QTest.mouseClick(line, LEFT)
    line.setFocus()
    qtbot.waitUntil(line.hasFocus, timeout=5000)  # type: ignore[attr-defined]
    wheel(line, 3)
    assert float(line.text()) > start
    assert plain.document.undo_stack.count() == steps + 1
    line.clearFocus()
    shown = line.text()
    wheel(line, 2)
    assert line.text() == shown  # without the focus the page scrolls


def test_that_dragging_the_name_of_a_number_previews_it_and_letting_go_makes_a_step(
    plain: MainWindow,
) -> None:
    plain.document.select(Selection("section", ("Left banked turn",)))
    settle()
    inspector = plain.panels["inspector"]
    label = next(w for w in inspector.findChildren(DragLabel) if w.text() == "Radius" and w.isVisible())
    start = float(line_of(inspector, "Radius").text())
    before, steps = plain.document.project, plain.document.undo_stack.count()
    at = QPoint(4, 4)
    QTest.mousePress(label, LEFT, NONE, at)
    for k in range(1, 6):
        there = QPointF(at) + QPointF(8.0 * k, 0.0)
        where = QPointF(label.mapToGlobal(there.toPoint()))
        move = QMouseEvent(QMouseEvent.Type.MouseMove, there, where, Qt.MouseButton.NoButton, LEFT, NONE)
        QApplication.sendEvent(label, move)
        settle()
        assert plain.document.previewed is not None
        assert plain.document.project is before
    QTest.mouseRelease(label, LEFT, NONE, at + QPoint(40, 0))
    settle()
    assert plain.document.undo_stack.count() == steps + 1
    assert float(line_of(inspector, "Radius").text()) > start


def test_that_the_menu_of_the_3d_view_inserts_behind_the_section_under_the_mouse(plain: MainWindow) -> None:
    menu = QMenu(plain)
    plain.viewer.menu_filling.emit(menu, 5.0)
    pieces = next(a.menu() for a in menu.actions() if a.text() == "Insert behind “Straight”")
    next(a for a in pieces.actions() if a.text().startswith("Arc")).trigger()
    settle()
    assert names(plain) == ["Straight", "Left turn", "Left banked turn", "Straight 2"]
    menu.deleteLater()


def test_that_borders_and_names_are_drawn_when_wanted(plain: MainWindow) -> None:
    assert not plain.viewer.scene.marks.has(BORDERS)
    plain.viewer.show_part("names", True)
    settle()
    assert plain.viewer.scene.marks.has(BORDERS)
    plain.viewer.show_part("names", False)
    settle()
    assert not plain.viewer.scene.marks.has(BORDERS)


def test_that_a_piece_that_cannot_be_laid_is_refused_in_a_sentence(
    plain: MainWindow, unexpected: list[str]
) -> None:
    choose(plain, "Track", "Insert element", "Valley or crest")
    before = names(plain)
    choose(plain, "Track", "Insert element", "Camelback")
    if unexpected:  # too steep a climb for a hill at this speed
        assert "Camelback" in unexpected[0]
        assert names(plain) == before
        unexpected.clear()
    else:
        assert names(plain) == [*before, "Camelback"]


def test_that_devices_go_along_with_a_renamed_section_and_away_with_a_deleted_one(plain: MainWindow) -> None:
    project, name = add_device(plain.document.project, "trim_brake", "Left banked turn")
    renamed = set_section(project, "Left banked turn", {"name": "bend"})
    assert renamed.track is not None
    assert [device.section for device in renamed.track.devices] == ["bend"]
    assert device_spans(renamed.track.devices, build_track(renamed.track).sections)[0].device.name == name
    gone = delete_section(renamed, "bend")
    assert gone.track is not None
    assert gone.track.devices == ()


def test_that_a_straight_with_an_end_becomes_one_by_length_and_back(plain: MainWindow) -> None:
    project = plain.document.project
    assert project.track is not None
    built = build_track(project.track)
    fixed = set_straight_length(project, built, "Straight 2", None)
    assert fixed.track is not None
    assert straight_length(fixed.track.sections[2]) is None  # type: ignore[arg-type]
    assert build_track(fixed.track).length == pytest.approx(built.length, abs=1e-9)
    with pytest.raises(InputError, match="length"):
        set_straight_length(project, built, "Straight", -1.0)


def test_that_an_inserted_hill_is_drawn_for_the_losses_of_the_ride_that_comes(plain: MainWindow) -> None:
    document = plain.document
    ride = document.project.point_ride.model_copy(update={"speed": 24.0, "mu": 0.03, "drag": 1e-4} | GIVEN)
    document.apply("Ride", document.project.model_copy(update={"point_ride": ride}))
    choose(plain, "Track", "Insert element", "Camelback")
    project = document.project
    assert project.track is not None
    hill = project.track.sections[-1]
    assert (hill.friction, hill.drag, hill.gravity) == (0.03, 1e-4, 9.81)  # type: ignore[union-attr]
    built = build_track(project.track, ride=False)
    felt = ride_point(built, ride)
    middle = 0.5 * (built.sections[-1].s0 + built.sections[-1].s1)
    assert abs(felt.g[felt.at(middle), 2]) < 0.01


def test_that_an_inserted_element_is_in_the_picture_and_says_before_what_it_needs(
    qtbot, studio: MainWindow
) -> None:
    choose(studio, "File", "New empty project")
    insert_piece(studio, "Straight", Length="40")
    slow = set_point_ride(studio.document.project, {"start_from": "given", "speed": 6.0})
    studio.document.apply("Start slowly", slow)
    qtbot.waitUntil(lambda: RidePreview.of(studio.document).ride() is not None, timeout=60_000)
    menu = studio.elements.make_element_menu("tried")
    menu.aboutToShow.emit()
    lines = dict(action.text().split("\t") for action in menu.actions() if "\t" in action.text())
    assert lines["Vertical loop"].startswith("Needs about 20.0 m/s; the train comes at 4.")
    assert lines["Banked turn"] == next(p.line for p in TRACK_ELEMENTS if p.id == "banked_turn")
    name = insert_piece(studio, "Vertical loop")
    built, viewer = studio.document.built(), studio.viewer
    span = next(s for s in built.sections if s.name == name)
    places = built.centreline.position(np.linspace(span.s0, span.s1, 30))
    on_screen = viewer.world_to_screen(places)
    size = viewer.plotter.width(), viewer.plotter.height()
    assert np.all((on_screen >= 0.0) & (on_screen <= size))
    assert np.ptp(on_screen[:, 1]) > 0.15 * size[1]  # and not far off
    assert "is sized for the speed it needs" in studio.status.currentMessage()
