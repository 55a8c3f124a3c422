"""Panels are connected with what their places say."""

from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtCore import Signal

from ridewright.app.shell.main_window import MainWindow
from ridewright.app.shell.panels import PLACES, Place, Reached


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.id)
def test_that_a_place_names_signals_of_its_panel(place: Place) -> None:
    made = place.load()
    for signal in place.connects:
        assert isinstance(getattr(made, signal), Signal), signal


def test_that_all_that_can_be_reached_is_reached() -> None:
    assert {one for place in PLACES for one in place.connects.values()} == set(get_args(Reached))


def test_that_signals_of_a_panel_arrive(studio: MainWindow) -> None:
    problems = studio.panels["problems"]
    problems.refused.emit("That cannot be done.")
    problems.fixed.emit("That is done.")
    said = studio.log_panel.text.toPlainText()
    assert "That cannot be done." in said
    assert "That is done." in said
