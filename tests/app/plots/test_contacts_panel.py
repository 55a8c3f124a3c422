"""The Contacts panel by mouse: pairs, what left others out, going to the hardest touch, switching a contact off."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.document.selection import Selection
from ridewright.app.plots.contacts import ContactsPanel
from ridewright.app.view3d.playback_strip import PlaybackStrip
from ridewright.app.widgets.settings import Settings
from ridewright.core.base.errors import InputError
from ridewright.core.edits.elements import add_element, delete_element, set_element
from ridewright.core.edits.riders import make_rider
from ridewright.core.edits.seats import put_seat
from ridewright.core.model.forces import TYPES
from ridewright.core.model.person import Person
from ridewright.core.multibody.contact_places import touching_of
from ridewright.core.project.examples import load_example
from ridewright.core.run.simulate import simulate
from tests.app.settling import until_exposed

RUN = "Run 1"


@pytest.fixture(scope="module")
def run() -> Run:
    project = load_example("bouncing_ball")
    return Run(RUN, simulate(project), project)


@pytest.fixture
def panel(
    qtbot: QtBot, document: Document, playback: Playback, settings: Settings, run: Run
) -> ContactsPanel:
    document.start_from(run.project)
    document.add_run(run)
    playback.set_duration(run.duration)
    made = ContactsPanel(document, playback, settings)
    made.resize(1200, 300)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.table.rowCount() > 0)
    return made


def _click(qtbot: QtBot, panel: ContactsPanel, row: int, column: int = 0, *, twice: bool = False) -> None:
    at = panel.table.visualRect(panel.table.model().index(row, column)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    if twice:
        qtbot.mouseDClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_that_the_table_says_how_hard_a_pair_touched_and_a_double_click_goes_there(
    qtbot: QtBot, panel: ContactsPanel, playback: Playback, run: Run
) -> None:
    states = run.results.states
    row = run.results.names.springs.index(panel.pairs[0])
    force = states.spring_force[:, row]
    assert panel.table.item(0, 3).text() == f"{force.max() / 1e3:.2f} kN"
    touches = [event.time for event in run.results.events if event.kind == "touch"]
    assert panel.table.item(0, 5).text() == str(len(touches))
    assert panel.table.item(0, 6).text() == f"{touches[0]:.3f} s"
    marked = []
    panel.marked.connect(marked.append)
    panel.table.clearSelection()
    _click(qtbot, panel, 0, twice=True)
    assert marked[-1] == panel.pairs[0]
    assert playback.time == pytest.approx(states.time[int(np.argmax(force))])
    assert panel.document.selection.path == ("Contact",)


def test_that_a_contact_is_switched_off_with_one_step_and_back_by_undo(
    qtbot: QtBot, panel: ContactsPanel, document: Document
) -> None:
    before = document.project
    item = panel.table.item(0, 1)
    at = panel.table.visualItemRect(item)
    box = QPoint(at.left() + 12, at.center().y())
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=box)
    assert document.project.assembly is not None
    assert not document.project.assembly.forces[0].enabled
    assert document.undo_stack.undoText() == "Switch contact 'Contact' off"
    document.undo_stack.undo()
    assert document.project == before


def test_that_pairs_left_out_are_listed_with_the_reason(
    qtbot: QtBot, document: Document, playback: Playback, settings: Settings
) -> None:
    project = load_example("human_fall")
    inner = TYPES["contact"].model(name="Limbs", group_i="Body", group_j="Body")
    project, _ = add_element(project, "force", (), inner)
    document.start_from(project)
    panel = ContactsPanel(document, playback, settings)
    panel.resize(1200, 300)
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0)
    texts = [panel.table.item(row, 2).text() for row in range(panel.table.rowCount())]
    left = [text for text in texts if text.startswith("left out: ")]
    assert "left out: a joint holds their bodies together" in left
    assert len(panel.pairs) + len(left) == panel.table.rowCount()
    assert f"{len(left)} left out" in panel.said.text()
    assert panel.pages.currentIndex() == 1


def test_that_a_touch_is_marked_on_the_time_line_and_a_click_goes_to_it_exactly(
    qtbot: QtBot, document: Document, playback: Playback, settings: Settings, run: Run
) -> None:
    strip = PlaybackStrip(document, playback, settings)
    strip.resize(900, 90)
    qtbot.addWidget(strip)
    strip.show()
    document.start_from(run.project)
    document.add_run(run)
    playback.set_duration(run.duration)
    line = strip.timeline
    touch = next(event for event in run.results.events if event.kind == "touch")
    below = QPoint(round(line.x_of(touch.time)) - 2, 21)
    until_exposed(qtbot, strip)
    qtbot.mouseMove(line, QPoint(5, 5))
    qtbot.mouseMove(line, below)
    qtbot.waitUntil(lambda: "touch" in line.toolTip())
    assert line.toolTip().startswith(f"{touch.time:.3f} s: Contact")
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton, pos=below)
    assert playback.time == pytest.approx(touch.time, abs=1e-12)
    assert np.isfinite(line.x_of(playback.time))


def test_that_a_contact_that_cannot_be_built_is_told_in_the_panel(
    qtbot: QtBot, panel: ContactsPanel, document: Document
) -> None:
    document.remove_run(document.runs[0])
    (ball,) = document.project.assembly.every("body")
    document.apply("Bare", set_element(document.project, "body", tuple(ball.split("/")), {"surfaces": ()}))
    with pytest.raises(InputError) as fault:
        touching_of(document.project)
    qtbot.waitUntil(lambda: panel.empty.text() == str(fault.value), timeout=3000)
    assert panel.pages.currentIndex() == 0


def test_that_a_rig_which_goes_along_no_track_offers_no_arc_length(panel: ContactsPanel) -> None:
    panel.set_abscissa("place")
    buttons = {b.text(): b.defaultAction() for b in panel.findChildren(QToolButton) if b.defaultAction()}
    assert not buttons["Arc length"].isEnabled()
    assert buttons["Time"].isChecked()
    assert not buttons["Arc length"].isChecked()


def test_that_what_a_seat_touches_of_a_free_rider_is_listed_and_leads_to_the_rider(
    qtbot: QtBot, panel: ContactsPanel, document: Document
) -> None:
    document.remove_run(document.runs[0])
    project = delete_element(load_example("straight"), "assembly", ("Car", "Rider"))
    project = put_seat(project, ("Car",), "Left seat", "sit_down")
    person = Person(stature=1.76, mass=86.0, held=False)
    project, path = make_rider(project, ("Car",), person, "Left seat")
    document.apply("Seat", project)
    qtbot.waitUntil(lambda: panel.table.rowCount() > 20, timeout=10_000)
    rows = {panel.table.item(k, 0).text(): k for k in range(panel.table.rowCount())}
    pan = rows["Left seat Pan, Rider Left Thigh"]
    assert not panel.table.item(pan, 1).flags() & Qt.ItemFlag.ItemIsUserCheckable
    panel.table.scrollToItem(panel.table.item(pan, 0))
    _click(qtbot, panel, pan)
    assert document.selection == Selection("assembly", path)
