"""Limits outside the injury panel: shaded stretches in the plots, and the track coloured by what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.plots.loads import LoadsPanel
from ridewright.app.plots.pane import Pane
from ridewright.app.view3d.colouring import BY_KEY, along_track, paint_values
from ridewright.app.widgets.settings import Settings
from ridewright.app.work.assessment import assessment_of, min_margins
from ridewright.app.work.task import end_tasks
from ridewright.core.outcome.rider_view import judge_riders
from tests.app.settling import until_drawn


@pytest.fixture
def wild(document: Document, playback: Playback, make_run: Callable[..., Run]) -> Document:
    """A document with a run that passes the limits of +Gz between 0.6 and 1.4 s."""
    run = make_run()
    time = run.results.sample_time
    channels = dict(run.results.channels)
    for part in ("pelvis", "upper_torso"):
        name = f"rider/Car/Rider/{part}/acceleration"
        values = np.zeros((len(time), 3))
        values[:, 2] = 1.0 + 7.0 * np.exp(-(((time - 1.0) / 0.3) ** 4))
        channels[name] = replace(channels[name], values=values)
    document.add_run(replace(run, results=replace(run.results, channels=channels)))
    playback.set_duration(2.0)
    yield document
    end_tasks(document)


def judged(document: Document, qtbot: object) -> None:
    run = document.current_run
    assert run is not None
    qtbot.waitUntil(lambda: assessment_of(document).judgement(run) is not None, timeout=60_000)  # type: ignore[attr-defined]


def test_that_stretches_beyond_a_limit_are_shaded_in_the_plot_of_their_axis(
    wild: Document, playback: Playback, settings: Settings, shown: Callable[..., QWidget], qtbot: object
) -> None:
    panel = LoadsPanel(wild, playback, settings)
    shown(panel)
    judged(wild, qtbot)
    qtbot.waitUntil(  # type: ignore[attr-defined]
        lambda: any(c.key == "gz" and c.spans for c in panel.grid.contents()), timeout=10_000
    )
    contents = {c.key: c for c in panel.grid.contents()}
    run = wild.current_run
    assert run is not None
    result = next(
        r.result
        for r in judge_riders(run.results).rows
        if r.result.criterion == "f2291_+Gz" and r.part == "pelvis"
    )
    start, end = result.exceeded[0]
    assert any(s.start <= start + 1e-9 and end <= s.end + 1e-9 for s in contents["gz"].spans)
    assert not contents["speed"].spans
    assert "F2291 +Gz (as transcribed)" in contents["gz"].note
    panel._limits.setChecked(False)
    assert not next(c for c in panel.grid.contents() if c.key == "gz").spans


def test_that_a_click_into_a_stretch_beyond_a_limit_is_one_on_a_peak(
    wild: Document, playback: Playback, settings: Settings, shown: Callable[..., QWidget], qtbot: object
) -> None:
    panel, peaks = LoadsPanel(wild, playback, settings), []
    shown(panel)
    judged(wild, qtbot)
    until_drawn(qtbot, panel)
    qtbot.waitUntil(lambda: any(c.key == "gz" and c.spans for c in panel.grid.contents()))  # type: ignore[attr-defined]
    until_drawn(qtbot, panel)
    playback.peak_shown.connect(lambda: peaks.append(playback.time))
    (pane,) = [one for one in panel.grid.panes if one.content.key == "gz"]
    for time, found in ((1.7, 0), (1.0, 1)):  # elsewhere the cursor is moved, and no more
        _click(qtbot, pane, time)
        qtbot.waitUntil(lambda time=time: abs(playback.time - time) < 0.02)  # type: ignore[attr-defined]
        assert len(peaks) == found
    panel._limits.setChecked(False)  # nothing is shaded
    until_drawn(qtbot, panel)
    panel._on_click("gz", 1.0)
    assert len(peaks) == 1


def _click(qtbot: object, pane: Pane, x: float) -> None:
    (_, _), (y0, y1) = pane.box.viewRange()
    at = pane.canvas.mapFromScene(pane.box.mapViewToScene(QPointF(x, 0.5 * (y0 + y1))))
    qtbot.mouseClick(pane.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)  # type: ignore[attr-defined]


def test_that_the_track_is_coloured_by_the_margin_of_the_criteria(wild: Document) -> None:
    run, built = wild.current_run, wild.built()
    assert run is not None
    assert built is not None
    margins = min_margins(run.results, wild.project.evaluation)
    place = np.arange(5.5, 26.0, 0.25)
    found = along_track(BY_KEY["margin"], place, built, run.results, margins)
    assert found is not None
    standards = ("f2291_+G", "f2291_-G", "f2291_egg", "en13814")
    least = min(
        r.result.margin
        for r in judge_riders(run.results).rows
        if r.result.margin is not None
        and r.part == "pelvis"
        and r.result.criterion.startswith(standards)
        and "after" not in r.result.criterion
    )
    assert least < 0.0
    assert np.nanmin(found) == pytest.approx(least, abs=0.01)
    # 11 m/s from 5 m on: the load is on between 0.6 and 1.4 s, and little later through the filter.
    assert 5.0 + 11.0 * 0.6 < place[np.nanargmin(found)] < 5.0 + 11.0 * 1.6
    paint, scale = paint_values(BY_KEY["margin"], found, (0, 0, 0))
    worst = paint[np.nanargmin(found)].astype(int)
    assert worst[0] > 2 * worst[2]  # red
    assert scale.low > np.nanmin(found)  # beyond the end of the scale: its last colour
    assert tuple(worst) == tuple(scale.colours[0])


def test_that_judging_answers_once_and_forgets_runs_that_are_gone(wild: Document, qtbot: object) -> None:
    assessment = assessment_of(wild)
    assert assessment is assessment_of(wild)
    run = wild.current_run
    assert run is not None
    judged(wild, qtbot)
    assert assessment.judgement(run) is assessment.judgement(run)
    told: list[Run] = []
    assessment.margined.connect(told.append)
    assert assessment.margins(run) is None
    qtbot.waitUntil(lambda: told == [run], timeout=60_000)  # type: ignore[attr-defined]
    assert len(assessment.margins(run) or ()) == 1
    wild.drop_run(run)
    assert not assessment._answers


def test_that_a_gentle_ride_is_not_as_red_as_a_hard_one() -> None:
    quantity = BY_KEY["gz"]
    gentle, scale = paint_values(quantity, np.array([1.0, 1.2]), (0, 0, 0))
    hard, wide = paint_values(quantity, np.array([1.0, 5.0]), (0, 0, 0))
    assert (scale.low, scale.high) == (-3.0, 3.0)
    assert (wide.low, wide.high) == (-5.0, 5.0)
    assert gentle[1].min() > 100  # pale
    assert hard[1].min() < 50
