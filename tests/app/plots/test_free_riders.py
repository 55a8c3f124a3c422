"""What seat and restraint do to a free rider, in the plots of loads and seats and on the track."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.plots.loads import LoadsPanel
from ridewright.app.plots.seats import SeatsPanel
from ridewright.app.view3d.colouring import BY_KEY, along_track
from ridewright.app.widgets.settings import Settings
from ridewright.core.edits.seats import put_seat
from ridewright.core.project.examples import load_example
from ridewright.core.track.build import build_track

PAN = "Car/Left seat Pan, Rider Pelvis: Car/Rider/Pelvis/Skin on Car/Carbody/Left seat Pan"
BAR = "Car/Left seat Lap bar, bar, Rider Thigh: Car/Rider/Thigh/Skin on Car/Carbody/Left seat Lap bar, bar"
OFF, GAP, BEARS = (2.0, 3.0), 0.012, 345.0  # s, m, N


@pytest.fixture
def lifted(document: Document, playback: Playback, make_run: Callable[..., Run]) -> Run:
    """A run in which the rider is off the pan for a second, and the lap bar bears."""
    run = make_run()
    project = put_seat(load_example("looping_star"), ("Car",), "Left seat", "sit_down")
    time = run.results.states.time
    off = (time >= OFF[0]) & (time <= OFF[1])
    depth, force = np.zeros((len(time), 4)), np.zeros((len(time), 4))
    depth[:, 0], force[:, 0] = np.where(off, -GAP, 0.01), np.where(off, 0.0, 700.0)
    depth[:, 2], force[:, 2] = np.where(off, 0.004, -0.02), np.where(off, BEARS, 0.0)
    results = replace(
        run.results,
        names=replace(run.results.names, springs=(PAN, f"{PAN} slip", BAR, f"{BAR} slip")),
        states=replace(run.results.states, spring_length=depth, spring_force=force),
        provenance={"project": project.model_dump(mode="json")},
    )
    made = Run("Run 1", results, project)
    document.start_from(project)
    document.add_run(made)
    playback.set_duration(made.duration)
    return made


def test_that_rider_loads_draw_gap_and_load_of_pan_and_bar(
    lifted: Run, document: Document, playback: Playback, settings: Settings, shown: Callable[..., LoadsPanel]
) -> None:
    panel = shown(LoadsPanel(document, playback, settings))
    charts = {chart.key: chart for chart in panel.grid.contents()}
    assert {curve.label for curve in charts["gap"].curves} == {"pan", "lap bar"}
    pan, bar = charts["gap"].curves[0], charts["load"].curves[1]
    assert pan.values.max() == pytest.approx(GAP)
    assert bar.values.max() == pytest.approx(BEARS)
    assert "pressure" not in charts  # chosen in the menu
    panel.show_plot("slip", True)
    assert "slip" in {chart.key for chart in panel.make_contents()}


def test_that_the_panel_of_seats_draws_them_for_the_chosen_seat(
    qtbot: QtBot, lifted: Run, document: Document, playback: Playback, settings: Settings,
    shown: Callable[..., SeatsPanel],
) -> None:  # fmt: skip
    panel = shown(SeatsPanel(document, playback, settings), height=700)
    keys = [chart.key for chart in panel.grid.contents()]
    assert keys[:2] == ["gap", "load"]
    assert [spot.seat for spot in panel.map.spots] == ["Car/Left seat"]
    told = "Car/Left seat: off the pan for"
    qtbot.waitUntil(lambda: panel.said.text().startswith(told), timeout=20_000)
    assert "by up to 12.0 mm, restraint bears up to 345 N; its rider is judged in Injury" in panel.said.text()


def test_that_the_track_is_coloured_by_airtime_as_felt(lifted: Run) -> None:
    built = build_track(lifted.project.track)
    place = lifted.results.channels["car/Car/arc_length"].values
    middle = float(np.interp(sum(OFF) / 2.0, lifted.results.sample_time, place))
    before = float(np.interp(OFF[0] - 0.5, lifted.results.sample_time, place))
    values = along_track(BY_KEY["airtime"], np.array([before, middle]), built, lifted.results)
    assert values == pytest.approx([0.0, GAP])
