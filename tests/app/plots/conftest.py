"""Runs that no solver made, on the Looping Star, so that panels are tested on signals whose values are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.plots.stress import StressPanel
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.task import end_tasks
from ridewright.core.project.examples import load_example
from ridewright.core.results.results import Names, Results
from ridewright.core.run.simulate import simulate
from tests.app.settling import until_drawn, until_exposed

RIDER = "Car/Rider"
WHEEL = "Car/Front left wheel on rail"
PARTS = {"head": "Car/Rider/Head", "upper_torso": "Car/Rider/Upper Torso", "pelvis": "Car/Rider/Lower Torso"}


@pytest.fixture(scope="session")
def make_run(make_results: Callable[..., Results]) -> Callable[..., Run]:
    """A function that makes a run of the Looping Star: make_run(name, seed)."""
    project = load_example("looping_star")

    def make(name: str = "Run 1", seed: int = 7, **options: object) -> Run:
        made = make_results(seed=seed, **options)
        names = Names(
            bodies=("Car/Wheelset front left", "Car/Rider/Head"),
            guides=(WHEEL,),
            joints=("Car/Roll joint",),
            springs=("Car/Roll stop", "Car/Primary spring front left"),
            riders={RIDER: PARTS},
        )
        channels = {
            key.replace("car 1/rider", RIDER).replace("car/car 1", "car/Car"): channel
            for key, channel in made.channels.items()
        }
        return Run(name, replace(made, names=names, channels=channels), project)

    return make


@pytest.fixture
def with_run(document: Document, playback: Playback, make_run: Callable[..., Run]) -> Document:
    """The document with one run shown, and the playback as long as it."""
    document.add_run(make_run())
    assert document.current_run is not None
    playback.set_duration(document.current_run.duration)
    return document


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[[QWidget], QWidget]:
    """Show a panel at the size of a dock and let its events pass."""

    def show(panel: QWidget, width: int = 1280, height: int = 320) -> QWidget:
        qtbot.addWidget(panel)
        panel.resize(width, height)
        panel.show()
        until_exposed(qtbot, panel)
        until_drawn(qtbot, panel)
        return panel

    return show


@pytest.fixture(scope="session")
def swung() -> Run:
    """The pendulum ride with its flexible beam, for a short time."""
    project = load_example("swing_beam")
    project = project.model_copy(update={"scenario": project.scenario.model_copy(update={"duration": 0.8})})
    return Run("Run 1", simulate(project), project)


@pytest.fixture
def stress_panel(
    qtbot: QtBot, document: Document, playback: Playback, settings: Settings, swung: Run
) -> Iterator[StressPanel]:
    """The Stress panel with its hot spots."""
    document.start_from(swung.project)
    document.add_run(swung)
    playback.set_duration(swung.duration)
    made = StressPanel(document, playback, settings)
    made.resize(1200, 300)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.table.rowCount() > 0, timeout=60_000)
    yield made
    made.shutdown()
    end_tasks(made)
