"""The Kinks panel by mouse: found beside the window; a row and a peak of the curve lead to the place on the track."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.core.design.rail_kinks import costs_of
from ridewright.core.edits.changes import set_scenario
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.track.as_built import RailsAsBuilt
from tests.app.mouse_and_keyboard import click
from tests.app.settling import until_drawn


def with_joints(spacing: float) -> Project:
    project = set_scenario(load_example("straight"), {"speed": 20.0})
    rails = RailsAsBuilt(joint_spacing=spacing, joint_dip=0.001)
    assert project.track is not None
    return project.model_copy(update={"track": project.track.model_copy(update={"as_built": rails})})


@pytest.fixture
def panel(qtbot: QtBot, studio: MainWindow):
    studio.document.start_from(with_joints(12.0))
    studio.show_panel("kinks")
    found = studio.panels["kinks"]
    until_drawn(qtbot, found)
    return found


def asked(qtbot: QtBot, panel) -> None:
    click(panel.button)
    qtbot.waitUntil(lambda: not panel.inquiry.running, timeout=60_000)


def test_that_kinks_are_found_beside_the_window_and_rows_and_peaks_lead_to_their_places(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    assert "in g" in panel.note.text()
    asked(qtbot, panel)
    expected = costs_of(studio.document.project)
    assert panel.table.rowCount() == len(expected.kinks) > 5
    worst = expected.kinks[0]
    assert panel.table.item(0, 0).text() == f"{worst.cost:.1f} g"
    assert panel.table.item(0, 2).text() == worst.rail
    assert panel.note.text().startswith(f"{len(expected.kinks)} kinks cost 1 g or more")
    panel.table.selectRow(3)
    assert studio.document.selection.kind == "place"
    assert studio.document.selection.s == pytest.approx(expected.kinks[3].s)
    panel.chart.clicked.emit((worst.s + 0.3, 0.0))  # where a click in the curve is, near its highest peak
    assert studio.document.selection.s == pytest.approx(worst.s, abs=0.05)


def test_that_rails_without_kinks_say_so_an_edit_makes_them_old_and_no_track_is_told(
    qtbot: QtBot, studio: MainWindow, panel
) -> None:
    studio.document.start_from(with_joints(0.0))
    qtbot.waitUntil(panel.button.isEnabled, timeout=30_000)
    asked(qtbot, panel)
    assert panel.table.rowCount() == 0
    assert "no kinks that cost 1 g" in panel.note.text()
    studio.document.apply("Joints", with_joints(12.0))
    qtbot.waitUntil(lambda: "changed since" in panel.note.text(), timeout=30_000)
    studio.document.start_from(load_example("double_pendulum"))
    qtbot.waitUntil(lambda: "has no track" in panel.note.text(), timeout=30_000)
    assert not panel.button.isEnabled()
