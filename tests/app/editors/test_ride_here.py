"""What the inspector tells of the ride in a section: as the preview has it, in the units in use, as it changes."""

from __future__ import annotations

import numpy as np
import pytest
from building import insert
from mouse_and_keyboard import choose, press, settle, type_into
from PySide6.QtCore import Qt

from ridewright.app.model_editor.ride_here import STRAIGHT, UNKNOWN
from ridewright.app.shell.main_window import MainWindow
from ridewright.app.widgets import units
from ridewright.app.work.preview import RidePreview
from ridewright.core.edits.changes import set_point_ride
from ridewright.core.pointmass.columns import in_track_order


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def of_section(studio: MainWindow, qtbot: object, name: str) -> dict[tuple[str, str], str]:
    """What stands in the inspector's table when a section is selected."""
    document = studio.document
    qtbot.waitUntil(lambda: RidePreview.of(document).ride() is not None, timeout=60_000)  # type: ignore[attr-defined]
    studio.show_panel("sections")
    table = studio.panels["sections"].table
    row = next(k for k in range(table.rowCount()) if table.item(k, 0).text() == name)
    table.setCurrentCell(row, 0)
    settle()
    return {key: label.text() for key, label in studio.panels["inspector"].ride.cells.items()}


def test_that_entry_middle_and_exit_are_those_of_the_preview(qtbot, studio: MainWindow) -> None:
    said = of_section(studio, qtbot, "loop")
    built, ride = studio.document.built(), RidePreview.of(studio.document).ride()
    span = next(s for s in built.sections if s.name == "loop")
    place, sample = in_track_order(ride, built.length, True)
    for where, s in (("Entry", span.s0), ("Middle", 0.5 * (span.s0 + span.s1)), ("Exit", span.s1)):
        for key, values in (("speed", ride.speed), ("gz", ride.g[:, 2]), ("gy", ride.g[:, 1])):
            expected = float(np.interp(s, place, values[sample]))
            assert number(said[key, where]) == pytest.approx(
                expected, abs=0.051 if key == "speed" else 0.0051
            )
    bend = float(built.centreline.curvature(0.5 * (span.s0 + span.s1))[0])
    assert number(said["radius", "Middle"]) == pytest.approx(1.0 / bend, abs=0.051)
    units.use("US")
    studio.settings.units = "US"
    settle()
    feet = studio.panels["inspector"].ride.cells["radius", "Middle"].text()
    assert number(feet) == pytest.approx(1.0 / bend / 0.3048, abs=0.051)
    studio.settings.units = "SI"


def test_that_a_straight_has_no_radius_and_where_no_train_comes_no_speed(qtbot, studio: MainWindow) -> None:
    assert of_section(studio, qtbot, "station")["radius", "Middle"] == STRAIGHT
    choose(studio, "File", "New empty project")
    insert(studio, "Straight", Length="20")
    insert(studio, "Valley or crest", Radius="20", Angle_of_turn="40")
    insert(studio, "Straight", Length="60")
    changed = set_point_ride(studio.document.project, {"start_from": "given", "speed": 3.0})
    studio.document.apply("Start slowly", changed)
    preview, ride = RidePreview.of(studio.document), studio.panels["inspector"].ride
    qtbot.waitUntil(lambda: preview.ride() is not None, timeout=60_000)
    settle()
    assert not preview.ride().arrived
    assert ride.cells["speed", "Exit"].text() == UNKNOWN
    assert ride.cells["radius", "Exit"].text() == STRAIGHT
    assert ride.change.text() == "The train does not come here."


def test_that_a_typed_and_a_turned_value_tell_what_they_change(qtbot, studio: MainWindow) -> None:
    choose(studio, "File", "New empty project")
    insert(studio, "Straight", Length="30")
    insert(studio, "Valley or crest", Radius="20", Angle_of_turn="20")
    fast = set_point_ride(studio.document.project, {"start_from": "given", "speed": 15.0})
    studio.document.apply("Start fast", fast)
    inspector = studio.panels["inspector"]
    preview = RidePreview.of(studio.document)
    qtbot.waitUntil(lambda: preview.ride() is not None, timeout=60_000)
    type_into(inspector, "Radius", "30")
    settle()
    typed = inspector.ride.change.text()
    assert typed.startswith("Last step: G")
    assert " → " in typed
    line = inspector.entry("radius").line
    line.setFocus()
    changes = []
    for _ in range(3):  # steps that become one: what was before all of them is quoted
        for _ in range(2):
            press(line, Qt.Key.Key_Up)
        settle()
        was, _, now = inspector.ride.change.text().removeprefix("Last step: ").partition(" → ")
        changes.append(abs(number(now.split()[0]) - number(was.split()[1])))
    assert changes == sorted(changes)
    assert changes[-1] > changes[0]
