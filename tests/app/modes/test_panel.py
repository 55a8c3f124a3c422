"""The Modes panel: what it lists, what swings in the 3D view, and what a change of the design does to it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ridewright.app.modes.panel import ModesPanel
from ridewright.app.modes.shapes import Asked, body_path, find, swing
from ridewright.app.shell.main_window import MainWindow
from ridewright.core.project.examples import load_example


def test_that_a_pendulum_swings_with_its_frequency_and_as_far_as_asked() -> None:
    project = load_example("planar_pendulum")
    found = find(Asked(project, None))
    assert found.trouble == ""
    mode = next(m for m in found.modes if m.kind == "swing")
    poses = swing(found, mode, 0.1)
    rest = found.position
    assert rest is not None
    places = np.array([poses.at(share)[0] for share in np.linspace(0.0, 1.0, 33)])
    assert np.abs(places - rest).max() == pytest.approx(0.1, rel=1e-3)
    assert np.abs(places[0] - places[-1]).max() < 1e-12  # one whole swing


def test_that_bodies_are_found_by_their_full_names() -> None:
    train = load_example("looping_star").assembly
    assert body_path(train, "Car/Frame") == ("Car", "Frame")
    assert body_path(train, "Car/Rider/Head") == ("Car", "Rider", "Head")
    assert body_path(train, "Car/Nobody") == ()


def test_that_trouble_is_told_in_the_panel(qtbot, document, playback) -> None:
    panel = ModesPanel(document, playback)
    qtbot.addWidget(panel)
    panel.about.setCurrentIndex(1)
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert "press F5" in panel.note.text()
    panel.shutdown()


def test_that_modes_are_listed_swing_and_lead_to_their_body(qtbot, studio: MainWindow) -> None:
    studio.document.start_from(load_example("ellipsoid_double_pendulum"))
    studio.actions_table.by_id["modes"].trigger()
    panel = studio.panels["modes"]
    qtbot.waitUntil(lambda: panel.table.rowCount() > 0, timeout=120_000)
    assert "All modes at rest" in panel.note.text()
    train = studio.viewer.scene.train
    drawn = train.position.copy()
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: np.abs(train.position - drawn).max() > 0.01, timeout=5_000)
    QTest.mouseClick(panel.animate, Qt.MouseButton.LeftButton)
    assert np.array_equal(train.position, drawn)
    panel.table.itemDoubleClicked.emit(panel.table.item(0, 0))
    assert studio.document.selection.kind == "body"
    project = studio.document.project
    studio.document.apply("Less gravity", project.model_copy(update={"gravity": (0.0, 0.0, -1.6)}))
    assert "changed since" in panel.note.text()
    assert not panel.isHidden()
