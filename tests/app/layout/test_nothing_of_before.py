"""A project that has not been run says the same in every panel, whatever was run before it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mouse_and_keyboard import settle
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.panels import PLACES
from ridewright.app.work.runner import Runner
from ridewright.core.project.examples import load_example
from tests.app.settling import is_drawn

TAKES_PART = ("log",)  # tells what has happened, in all projects


def _said(qtbot: QtBot, window: MainWindow) -> dict[str, list[str]]:
    """The visible texts of every panel."""
    found = {}
    for place in PLACES:
        if place.id in TAKES_PART:
            continue
        window.show_panel(place.id)
        QTest.qWait(150)
        panel = window.panels[place.id]
        qtbot.waitUntil(lambda panel=panel: is_drawn(panel))
        labels = panel.findChildren(QLabel)
        found[place.id] = [label.text() for label in labels if label.isVisible() and label.text()]
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["looping_star", "spatial_pendulum", "ten_cars"])
def test_that_nothing_is_left_of_the_runs_of_another_project(
    qtbot: QtBot, studio: MainWindow, wait_for_run: Callable[[Runner], None], name: str
) -> None:
    fresh = load_example("looping_star")
    _said(qtbot, studio)  # all panels are made
    studio.document.start_from(fresh)
    before = _said(qtbot, studio)
    project = load_example(name)
    scenario = project.scenario.model_copy(update={"duration": 1.0})
    studio.document.start_from(project.model_copy(update={"scenario": scenario}))
    QTest.keyClick(studio, Qt.Key.Key_F5)
    wait_for_run(studio.runner)
    assert _said(qtbot, studio) != before
    studio.document.start_from(fresh)
    settle()
    assert _said(qtbot, studio) == before
