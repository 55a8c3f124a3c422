"""The pictures of a run: every one is drawn, carries units, and shows the signals it says it shows."""

from __future__ import annotations

import sys
import types
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.image import imread

from ridewright.app.shell import headless, pictures
from ridewright.core.outcome.summary import summarise
from ridewright.core.project.project import load_project
from ridewright.core.results.results import Names
from ridewright.core.track.build import build_track

PROJECT = load_project(Path(__file__).parents[1] / "core" / "damaged" / "ride.ridewright")
ALL = {"track", "speed_energy", "nca_roll", "rider_loads", "head", "g_duration", "violations"}


def test_that_a_ride_gets_every_picture(make_results, tmp_path) -> None:
    results = make_results()
    files = pictures.draw_pictures(
        results, summarise(PROJECT, results), build_track(PROJECT.track), tmp_path / "p"
    )
    assert {file.stem for file in files} == ALL
    for file in files:
        image = imread(file)
        assert image.shape[:2] == (
            round(pictures.WIDE[1] * pictures.DPI),
            round(pictures.WIDE[0] * pictures.DPI),
        )
        # Lines and letters, not an empty sheet.
        assert 0.01 < float(np.mean(image[..., :3].min(axis=-1) < 0.9)) < 0.6, file.stem


def test_that_a_rig_without_riders_gets_what_it_has(make_results, tmp_path) -> None:
    results = make_results()
    bare = replace(results, channels={}, names=Names(**{**vars(results.names), "riders": {}}))
    files = pictures.draw_pictures(bare, summarise(PROJECT, bare), None, tmp_path)
    assert {file.stem for file in files} == {"violations"}


def test_that_a_run_of_a_few_steps_still_gets_its_pictures(make_results, tmp_path) -> None:
    results = make_results(instants=3, duration=0.005)
    files = pictures.draw_pictures(results, summarise(PROJECT, results), build_track(PROJECT.track), tmp_path)
    assert {"track", "speed_energy", "violations"} <= {file.stem for file in files}


@pytest.mark.parametrize("name", sorted(ALL))
def test_that_every_axis_says_its_unit(name: str, make_results) -> None:
    results = make_results()
    draw = dict(pictures._pictures(results, summarise(PROJECT, results), build_track(PROJECT.track)))[name]
    figure = Figure()
    draw(figure)
    assert figure.get_suptitle().startswith("Small ride")
    for axes in figure.axes:
        place = axes.get_subplotspec()
        if place is not None and place.is_last_row():
            assert " / " in axes.get_xlabel()
        if place is None or place.is_first_col():
            assert " / " in axes.get_ylabel() or axes.get_ylabel() == "ratio"


def test_that_the_lines_are_the_signals(make_results) -> None:
    results = make_results()
    summary = summarise(PROJECT, results)
    figure = Figure()
    pictures.draw_speed_and_energy(figure, results, summary, "car 1")
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), results.channels["car/car 1/speed"].values)
    kinetic = {line.get_label(): line.get_ydata() for line in figure.axes[1].lines}["kinetic"]
    assert kinetic == pytest.approx(results.energy.kinetic / 1000.0)
    figure = Figure()
    pictures.draw_head(figure, results, summary, "car 1/rider")
    hic = next(c for c in summary.riders["car 1/rider"]["head"].criteria if c.criterion == "hic36")
    shown = figure.axes[1].get_xlim()
    assert shown[0] <= hic.time[0] < hic.time[1] <= shown[1]
    assert any(
        f"HIC36 = {hic.value:.3g}" in text.get_text() for text in figure.axes[0].get_legend().get_texts()
    )


def test_that_the_headless_run_says_where_everything_is(make_results, tmp_path, monkeypatch, capsys) -> None:
    engine = types.ModuleType("ridewright.core.run.simulate")
    engine.simulate = lambda project, **_: make_results()
    monkeypatch.setitem(sys.modules, "ridewright.core.run.simulate", engine)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert headless.main(["--out", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    for name in ("results.h5", "summary.json", "track.png", "head.png"):
        assert (tmp_path / "out" / name).is_file()
        assert str(tmp_path / "out" / name) in out


def test_that_an_unknown_example_is_refused_in_one_sentence(tmp_path, capsys) -> None:
    assert headless.main(["--example", "no such ride", "--out", str(tmp_path)]) == 2
    assert "ridewright: no example is called" in capsys.readouterr().err
