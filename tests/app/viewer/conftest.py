"""The 3D panel on a real window, and a short run of the Looping Star."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.widgets.settings import Settings
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate
from tests.app.settling import until_exposed


@pytest.fixture(scope="session")
def short_ride() -> Project:
    """The first 60 m of the Looping Star."""
    project = load_example("looping_star")
    scenario = project.scenario.model_copy(update={"end_place": 60.0})
    return project.model_copy(update={"scenario": scenario})


@pytest.fixture(scope="session")
def short_results(short_ride: Project) -> Results:
    return simulate(short_ride)


@pytest.fixture(params=["painted", pytest.param("interactor", marks=pytest.mark.nightly)])
def surface(request: pytest.FixtureRequest) -> str:
    """Every test of the view is one of both widgets, the slower one of them in `make nightly`."""
    return str(request.param)


@pytest.fixture
def panel(
    qtbot: QtBot, document: Document, playback: Playback, settings: Settings, surface: str
) -> Iterator[ViewerPanel]:
    """The viewer with the Looping Star, shown at 800 x 600, drawn in low quality."""
    settings.quality = "low"
    settings.surface = surface
    made = ViewerPanel(document, playback, settings)
    made.resize(800, 600)
    qtbot.addWidget(made)
    made.show()
    until_exposed(qtbot, made)
    qtbot.waitUntil(
        lambda: made.scene.track.mesh is not None and len(made.plotter.frame_times) > 0, timeout=60_000
    )
    yield made
    made.close_scene()
    gc.collect()  # here and not in a worker thread: VTK objects belong to this one


@pytest.fixture
def panel_with_run(
    panel: ViewerPanel,
    document: Document,
    playback: Playback,
    short_ride: Project,
    short_results: Results,
    qtbot: QtBot,
) -> ViewerPanel:
    """The viewer with a short run that is shown."""
    document.add_run(Run("Run", short_results, short_ride))
    assert document.current_run is not None
    playback.set_duration(document.current_run.duration)
    qtbot.waitUntil(lambda: panel.scene.results is short_results)
    return panel
