"""A swinging ride from a template: programmed, run, and its seats read off the map, with mouse and keyboard."""

from __future__ import annotations

import numpy as np
from mouse_and_keyboard import choose, settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QTableWidget

from ridewright.app.document.document import Selection
from ridewright.app.model_editor.programme_entry import ProgrammeDialog, ProgrammeEntry
from ridewright.app.plots.seat_map import colour_of
from ridewright.app.shell.main_window import JUDGE
from ridewright.core.edits.changes import set_scenario, set_settings
from tests.app.settling import until_drawn

LEFT = Qt.MouseButton.LeftButton


def _type(table: QTableWidget, row: int, column: int, text: str) -> None:
    spot = table.visualItemRect(table.item(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=spot)
    QTest.mouseDClick(table.viewport(), LEFT, pos=spot)
    QTest.keyClick(table.focusWidget() or table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(table.focusWidget() or table, text)
    QTest.keyClick(table.focusWidget() or table, Qt.Key.Key_Return)
    settle()


def test_that_a_frisbee_is_made_programmed_run_and_its_seats_are_read(
    qtbot, studio, wait_for_run, unexpected
) -> None:
    document = studio.document
    choose(studio, "File", "New from template", "Frisbee")
    assert document.project.name == "Frisbee"
    assert len(document.project.assembly.seats) == 24

    # the programme: an amplitude of 60 degrees, typed into the table; the angle follows
    document.select(Selection("force", ("Swing drive",)))
    inspector = studio.panels["inspector"]
    qtbot.waitUntil(lambda: inspector.findChild(ProgrammeEntry) is not None, timeout=10_000)
    entry = inspector.findChild(ProgrammeEntry)
    inspector.ensureWidgetVisible(entry.button)
    settle()
    QTest.mouseClick(entry.button, LEFT)
    qtbot.waitUntil(lambda: any(d.isVisible() for d in studio.findChildren(ProgrammeDialog)), timeout=10_000)
    dialog = next(d for d in studio.findChildren(ProgrammeDialog) if d.isVisible())
    qtbot.waitUntil(lambda: dialog.plot.preview is not None, timeout=20_000)
    before = float(np.abs(dialog.plot.preview.angle).max())
    _type(dialog.table, 0, 1, "60")
    assert dialog.phases[0].amplitude == np.pi / 3.0
    qtbot.waitUntil(lambda: float(np.abs(dialog.plot.preview.angle).max()) < 0.7 * before, timeout=20_000)
    _type(dialog.table, 0, 1, "-5")
    assert "Amplitude" in dialog.message.text() or "amplitude" in dialog.message.text()
    assert dialog.phases[0].amplitude == np.pi / 3.0
    add = next(b for b in dialog.findChildren(QPushButton) if b.text() == "Add phase")
    QTest.mouseClick(add, LEFT)
    assert [phase.mode for phase in dialog.phases] == ["swing", "off", "swing", "brake"]
    QTest.mouseClick(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok), LEFT)
    settle()
    drive = next(f for f in document.project.assembly.forces if f.name == "Swing drive")
    assert drive.programme[0].amplitude == np.pi / 3.0
    assert len(drive.programme) == 4
    document.undo_stack.undo()
    settle()
    assert len(document.project.assembly.forces[0].programme) == 3
    document.undo_stack.redo()

    project = set_settings(set_scenario(document.project, {"duration": 8.0}), {"sample_rate": 100.0})
    document.apply("Shorter", project)
    studio.activateWindow()
    qtbot.waitUntil(studio.isActiveWindow, timeout=20_000)
    QTest.keyClick(studio, Qt.Key.Key_F5)
    assert studio.runner.running
    wait_for_run(studio.runner)
    run = document.current_run
    assert run is not None, (unexpected, document.problems)
    assert run.results.status.complete

    # the seats: assessed beside the window, coloured, one clicked
    studio.show_panel("seats")
    panel = studio.panels["seats"]
    qtbot.waitUntil(lambda: panel.assessment.seats(run) is not None, timeout=120_000)
    qtbot.waitUntil(
        lambda: len(panel.map.spots) == 24 and panel.map.spots[0].margin is not None, timeout=20_000
    )
    settle()
    spot = next(s for s in panel.map.spots if s.seat == "Seat 9")
    place = panel.map.place_of("Seat 9").toPoint()
    QTest.mouseClick(panel.map, LEFT, pos=place)
    settle()
    assert panel.map.current == "Seat 9"
    assert document.selection == Selection("seat", ("Seat 9",))
    found = {one.seat: one for one in panel.assessment.seats(run)}["Seat 9"]
    assert studio.playback.time == np.clip(0.5 * sum(found.governing.time), 0.0, run.duration)
    assert "Seat 9" in panel.said.text()
    assert studio.workspaces.now.id == JUDGE  # where peaks are judged, with the map in another size
    until_drawn(qtbot, panel)
    place = panel.map.place_of("Seat 9").toPoint()
    picture = panel.map.grab().toImage()
    near = {
        picture.pixelColor(place.x() + x, place.y() + y).name() for x in range(-6, 7) for y in range(-6, 7)
    }
    assert colour_of(spot.margin).name() in near
    QTest.keyClick(panel.map, Qt.Key.Key_Right)
    settle()
    assert panel.map.current == "Seat 10"

    # the same seats where riders are judged: list of criteria and table of runs
    studio.show_panel("injury")
    injury = studio.panels["injury"]
    qtbot.waitUntil(lambda: injury.pages.currentIndex() == 1, timeout=20_000)
    worst = min(one.margin for one in panel.assessment.seats(run) if one.margin is not None)
    assert injury.model.row(injury.model.index(0, 0)).result.margin == worst
    qtbot.waitUntil(
        lambda: bool(injury.detail.grid.panes) or injury.detail.pages.currentIndex() > 0, timeout=20_000
    )
    studio.show_panel("run")
    table = studio.panels["run"].table
    qtbot.waitUntil(lambda: "checks" in table.item(0, table.columnCount() - 1).text(), timeout=20_000)
    assert " g" in table.item(0, 5).text()
    assert not unexpected


def test_that_every_template_is_in_the_menu(studio) -> None:
    for title, name in (
        ("Pirate ship", "Pirate ship"),
        ("Looping boat", "Looping boat"),
        ("Double arm", "Double arm"),
    ):
        choose(studio, "File", "New from template", title)
        assert studio.document.project.name == name
