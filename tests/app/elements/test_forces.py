"""The timeline of a force section: keys dragged, added, typed, taken away; what is drawn is what is felt."""

from __future__ import annotations

import re

import numpy as np
import pytest
from mouse_and_keyboard import LEFT, choose, settle
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from ridewright.app.document.document import Selection
from ridewright.app.force_editor.panel import ForcesPanel
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.work.preview import RidePreview
from ridewright.core.design.loads import heartline_loads
from ridewright.core.edits.force_keys import (
    add_key,
    entry_values,
    force_section,
    function_values,
    keys_of,
    set_key,
)
from ridewright.core.edits.sections import set_section
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track

NAME = "Force section"
NO_BUTTON, PLAIN = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier


BEGUN: list[Project] = []  # made by mouse once


@pytest.fixture
def panel(studio: MainWindow) -> ForcesPanel:
    """The panel over a force section of 20 m/s and 1.5 s behind a straight."""
    if not BEGUN:
        choose(studio, "File", "New empty project")
        choose(studio, "Track", "Insert element", "Straight")
        choose(studio, "Track", "Insert element", NAME)
        keys = ({"at": 0.6, "value": 1.3, "transition": "quintic"},)
        fields = {"entry_speed": 20.0, "extent": 1.5, "normal_g": keys}
        BEGUN.append(set_section(studio.document.project, NAME, fields))
    studio.document.start_from(BEGUN[0])
    studio.document.select(Selection("section", (NAME,)))
    studio.show_panel("forces")
    settle()
    made = studio.panels["forces"]
    made.refresh()
    return made


def keys(panel: ForcesPanel, channel: str):
    return keys_of(force_section(panel.document.project, NAME), channel)  # type: ignore[arg-type]


def drag(panel: ForcesPanel, start: QPointF, end: QPointF) -> str:
    """Drag on the timeline in steps; the edit in progress is shown meanwhile. Returns what stood beside the mouse."""
    t = panel.timeline
    QTest.mousePress(t, LEFT, PLAIN, start.toPoint())
    for k in range(1, 6):
        there = start + (end - start) * (k / 5)
        globally = QPointF(t.mapToGlobal(there.toPoint()))
        QApplication.sendEvent(
            t, QMouseEvent(QMouseEvent.Type.MouseMove, there, globally, NO_BUTTON, LEFT, PLAIN)
        )
        settle()
        assert panel.document.previewed is not None
    said = panel.label.text() if panel.label.isVisible() else ""
    QTest.mouseRelease(t, LEFT, PLAIN, end.toPoint())
    settle()
    assert not panel.label.isVisible()
    return said


def test_that_a_key_is_dragged_in_one_step(qtbot, panel: ForcesPanel) -> None:
    t = panel.timeline
    qtbot.waitUntil(lambda: not RidePreview.of(panel.document).preparing, timeout=120_000)
    (key,) = keys(panel, "normal_g")
    steps = panel.document.undo_stack.count()
    start, end = t.place("normal_g", key.at, key.value), t.place("normal_g", 0.9, 2.0)
    said = drag(panel, start, end)
    assert re.match(r"Gz [−0-9.]+ g → [−0-9.]+ g at \d+ m\n", said), said
    (moved,) = keys(panel, "normal_g")
    assert moved.at == pytest.approx(0.9, abs=0.02)
    assert moved.value == pytest.approx(2.0, abs=0.1)
    assert panel.document.undo_stack.count() == steps + 1
    assert panel.document.undo_stack.undoText() == f"Move key of normal g of {NAME}"


def test_that_a_double_click_adds_a_key_and_delete_takes_it_away(panel: ForcesPanel) -> None:
    t = panel.timeline
    place = t.place("roll_rate", 0.75, 0.2)
    QTest.mouseDClick(t, LEFT, PLAIN, place.toPoint())
    settle()
    (key,) = keys(panel, "roll_rate")
    assert (key.at, key.value) == pytest.approx((0.75, 0.2), abs=0.02)
    QTest.mouseClick(t, LEFT, PLAIN, t.place("roll_rate", key.at, key.value).toPoint())
    QTest.keyClick(t, Qt.Key.Key_Delete)
    settle()
    assert keys(panel, "roll_rate") == ()


def test_that_a_value_typed_beside_the_name_is_set_at_the_cursor(panel: ForcesPanel) -> None:
    t = panel.timeline
    QTest.mouseClick(t, LEFT, PLAIN, t.place("lateral_g", 1.0, 0.3).toPoint())
    line = panel.values["lateral_g"].line
    QTest.mouseClick(line, LEFT)
    line.selectAll()
    QTest.keyClicks(line, "0.4")
    QTest.keyClick(line, Qt.Key.Key_Return)
    settle()
    (key,) = keys(panel, "lateral_g")
    assert key.at == pytest.approx(1.0, abs=0.01)
    assert key.value == 0.4


def test_that_the_key_button_adds_without_changing_the_curve_there(panel: ForcesPanel) -> None:
    t = panel.timeline
    QTest.mouseClick(t, LEFT, PLAIN, t.place("lateral_g", 0.4, 0.3).toPoint())
    section = force_section(panel.document.project, NAME)
    at = t.cursor_at
    before = function_values(section, "normal_g", 1.0, [at])[0]
    QTest.mouseClick(panel.key_buttons["normal_g"], LEFT)
    settle()
    added = keys(panel, "normal_g")[0]
    assert (added.at, added.value) == pytest.approx((at, before), rel=1e-3)
    QTest.mouseClick(panel.key_buttons["normal_g"], LEFT)
    settle()
    assert len(keys(panel, "normal_g")) == 1


def test_that_the_menu_of_a_key_changes_its_transition(panel: ForcesPanel) -> None:
    menu = panel.menu_for("normal_g", 0)
    next(action for action in menu.actions() if action.text() == "Sine").trigger()
    settle()
    assert keys(panel, "normal_g")[0].transition == "sine"


def test_that_a_key_stays_between_its_neighbours(panel: ForcesPanel) -> None:
    project, number = add_key(panel.document.project, NAME, "normal_g", 1.2, 1.0)
    assert number == 1
    moved = set_key(project, NAME, "normal_g", 1, {"at": 0.1})
    first, second = keys_of(force_section(moved, NAME), "normal_g")
    assert first.at < second.at < first.at + 0.01


def test_that_what_is_drawn_is_what_the_riders_feel(panel: ForcesPanel) -> None:
    """The curve of normal g against the load on the built track at the height of the riders, over distance."""
    fields = {
        "friction": 0.0,
        "drag": 0.0,
        "over": "distance",
        "extent": 20.0,
        "normal_g": ({"at": 12.0, "value": 2.5, "transition": "quintic"},),
    }
    project = set_section(panel.document.project, NAME, fields)
    assert project.track is not None
    built = build_track(project.track)
    section = force_section(project, NAME)
    start = entry_values(section, built)
    assert start["normal_g"] == pytest.approx(1.0, abs=1e-6)
    span = built.sections[1]
    s = np.linspace(span.s0 + 0.2, span.s1 - 0.2, 400)
    at = np.linspace(span.s0, span.s1, 4000)
    state = built.centreline.state(at)
    line = state.curve[:, 0] + section.line_height * state.up
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    z = line[:, 2]
    line_speed = np.sqrt(20.0**2 - 2.0 * 9.81 * (z - z[0]))
    ratio = np.gradient(along, at)
    speed = line_speed / ratio
    rate = speed * np.gradient(speed, at)
    loads = heartline_loads(
        built,
        s,
        np.interp(s, at, speed),
        np.interp(s, at, rate),
        section.line_height,
        np.array([0, 0, -9.81]),
    )
    drawn = function_values(section, "normal_g", start["normal_g"], np.interp(s, at, along))
    assert np.abs(loads[:, 2] - drawn).max() < 0.01
