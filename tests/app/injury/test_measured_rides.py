"""Measured rides: the dialog recovers how a sensor sat and where the ride lies; it stands beside the runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.measured.dialog import MeasuredDialog
from ridewright.app.plots.loads import LoadsPanel
from ridewright.app.widgets import dialogs
from ridewright.app.widgets.settings import Settings
from ridewright.core.base.frames import from_rotation_vector, rotation_matrix
from ridewright.core.charts.chart import GOOD, WARN
from ridewright.core.outcome.rider_view import judge_part, rider_history
from tests.app.settling import until_drawn

LATE = 3.0  # s of rest in the record before the ride begins
TILT = (0.2, -0.15, 0.0)


@pytest.fixture
def ridden(document: Document, playback: Playback, make_run: Callable[..., Run]) -> Document:
    """A document with a run whose pelvis is shaken without a pattern that repeats."""
    run = make_run(duration=12.0)
    time = run.results.sample_time
    random = np.random.default_rng(5)
    load = np.zeros((len(time), 3))
    for at, size in zip(random.uniform(0.5, 11.5, 14), random.uniform(-1.5, 2.5, (14, 3)), strict=True):
        load += size * np.exp(-(((time - at) / 0.35) ** 2))[:, None]
    name = "rider/Car/Rider/pelvis/acceleration"
    channels = {
        **run.results.channels,
        name: replace(run.results.channels[name], values=load + np.array([0.0, 0.0, 1.0])),
    }
    document.add_run(replace(run, results=replace(run.results, channels=channels)))
    playback.set_duration(12.0)
    return document


@pytest.fixture
def record(ridden: Document, tmp_path: Path) -> Path:
    """The same ride as a tilted logger in m/s^2 with noise would have written it, after a rest."""
    run = ridden.current_run
    assert run is not None
    truth = run.results.channels["rider/Car/Rider/pelvis/acceleration"].values[::5]
    rest = np.tile([0.0, 0.0, 1.0], (round(200 * LATE), 1))
    turned = np.vstack([rest, truth]) @ rotation_matrix(from_rotation_vector(TILT))
    noisy = 9.81 * (turned + np.random.default_rng(2).normal(scale=0.004, size=turned.shape))
    path = tmp_path / "logger.csv"
    table = np.column_stack([np.arange(len(noisy)) / 200.0, noisy])
    header = "time (s),ax (m/s2),ay (m/s2),az (m/s2)"
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.6f")
    return path


def ready(dialog: MeasuredDialog, qtbot: object) -> None:
    qtbot.waitUntil(dialog.add.isEnabled, timeout=60_000)  # type: ignore[attr-defined]


@pytest.fixture
def dialog(ridden: Document, record: Path, qtbot: object) -> MeasuredDialog:
    made = MeasuredDialog(record, ridden)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.show()
    ready(made, qtbot)
    yield made
    made.close()


def test_that_the_sensor_is_turned_and_the_ride_found_in_time(
    dialog: MeasuredDialog, ridden: Document, qtbot: object
) -> None:
    prepared = dialog.prepared
    assert prepared is not None
    assert prepared.match is not None
    assert prepared.match.offset == pytest.approx(-LATE, abs=0.01)
    assert prepared.match.quality == "good"
    assert "ax: column 2" in dialog.about.text()
    assert prepared.rests.chosen is not None
    assert prepared.rests.chosen.end <= LATE
    assert prepared.history is not None
    run = ridden.current_run
    assert run is not None
    truth = rider_history(run.results, "Car/Rider", "pelvis")
    found = np.column_stack(
        [
            np.interp(truth.time, prepared.history.time - LATE, column)
            for column in prepared.history.acceleration.T
        ]
    )
    # The turn about the vertical is not known from gravity: 1.5 hundredths of a radian of it came from the tilt.
    assert np.abs(found - truth.acceleration).max() < 0.09


def test_that_a_measured_ride_is_laid_over_the_run_and_judged_by_the_same_code(
    dialog: MeasuredDialog, ridden: Document, qtbot: object
) -> None:
    first = ridden.current_run
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    assert dialog.made is not None
    ridden.add_run(dialog.made)
    kept = ridden.runs[-1]
    assert ridden.current_run is first
    assert ridden.compared == (kept,)
    assert not ridden.is_stale(kept)
    assert kept.measured is not None
    here = {r.criterion: r for r in judge_part(kept.results, "Car/Rider", "pelvis")}
    assert first is not None
    there = {r.criterion: r for r in judge_part(first.results, "Car/Rider", "pelvis")}
    for name in ("f2291_+Gz", "f2291_egg_GyGz", "en13814_+Gz"):
        assert here[name].value == pytest.approx(there[name].value, rel=0.03)
        assert here[name].time == pytest.approx(there[name].time, abs=0.05)


def test_that_the_part_a_measured_ride_is_of_is_shown_when_it_comes(
    dialog: MeasuredDialog, ridden: Document, playback: Playback, settings: Settings, qtbot: object
) -> None:
    panel = LoadsPanel(ridden, playback, settings)
    qtbot.addWidget(panel)  # type: ignore[attr-defined]
    panel.show()
    until_drawn(qtbot, panel)  # type: ignore[arg-type]
    part = panel._part
    part.setCurrentIndex(part.findData("head"))
    qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)  # type: ignore[attr-defined]
    assert dialog.made is not None
    ridden.add_run(dialog.made)
    qtbot.waitUntil(lambda: part.currentData() == "pelvis")  # type: ignore[attr-defined]
    part.setCurrentIndex(part.findData("head"))  # and it stays with what is chosen then
    panel.refresh()
    assert part.currentData() == "head"


def test_that_a_record_that_never_rests_is_shown_as_it_is_with_the_way_out(
    ridden: Document, record: Path, qtbot: object
) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    head, rows = lines[0], [line.split(",") for line in lines[1:]]
    shaken = [[t, *(str(float(v) + 2.0 * (-1) ** k) for v in rest)] for k, (t, *rest) in enumerate(rows)]
    record.write_text("\n".join([head, *(",".join(row) for row in shaken)]), encoding="utf-8")
    made = MeasuredDialog(record, ridden)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.show()
    qtbot.waitUntil(lambda: "rests" in made.about.text(), timeout=60_000)  # type: ignore[attr-defined]
    assert not made.add.isEnabled()
    assert made.grid.count == 3
    qtbot.mouseClick(made.choices.level, Qt.MouseButton.LeftButton, pos=made.choices.level.rect().center())  # type: ignore[attr-defined]
    made.choices.level.setChecked(False)
    ready(made, qtbot)
    assert made.prepared is not None
    assert made.prepared.history is not None
    made.close()


def test_that_a_damaged_file_is_refused_in_words(ridden: Document, record: Path, qtbot: object) -> None:
    lines = record.read_text(encoding="utf-8").splitlines()
    text = "\n".join(f"x{line}" if k % 5 == 1 else line for k, line in enumerate(lines))
    record.write_text(text, encoding="utf-8")
    made = MeasuredDialog(record, ridden)
    qtbot.addWidget(made)  # type: ignore[attr-defined]
    made.show()
    qtbot.waitUntil(lambda: "row 2" in made.about.text(), timeout=60_000)  # type: ignore[attr-defined]
    assert not made.add.isEnabled()
    made.close()


def test_that_the_loads_panel_draws_it_over_the_run_and_moves_it_in_time(
    dialog: MeasuredDialog,
    ridden: Document,
    playback: Playback,
    settings: Settings,
    shown: Callable[..., QWidget],
    qtbot: object,
) -> None:
    dialog.accept()
    assert dialog.made is not None
    ridden.add_run(dialog.made)
    settings.set_value("loads/part", "pelvis")
    panel = LoadsPanel(ridden, playback, settings)
    shown(panel)
    content = next(c for c in panel.grid.contents() if c.key == "gz")
    assert [curve.run for curve in content.curves] == ["Run 1", "logger"]
    assert panel._offset.isVisible()
    assert panel._offset.value() == pytest.approx(-LATE, abs=0.011)
    panel._offset.setValue(-2.5)
    qtbot.waitUntil(lambda: ridden.runs[-1].measured.offset == -2.5, timeout=5000)  # type: ignore[attr-defined]
    until_drawn(qtbot, panel)
    moved = next(c for c in panel.grid.contents() if c.key == "gz").curves[1]
    assert moved.time[0] == pytest.approx(-2.5)
    # shown itself, with the run beside it, it lies behind it all the same
    run, logger = ridden.runs[0], ridden.runs[-1]
    ridden.show_run(logger)
    ridden.compare(run, True)
    until_drawn(qtbot, panel)
    assert [one.name for one in panel.runs] == ["logger", "Run 1"]
    content = next(c for c in panel.grid.contents() if c.key == "gz")
    assert [curve.run for curve in content.curves] == ["Run 1", "logger"]
    ridden.show_run(run)
    # Over arc length there is nothing of a measured ride to draw.
    panel.set_abscissa("place")
    content = next(c for c in panel.grid.contents() if c.key == "gz")
    assert [curve.run for curve in content.curves] == ["Run 1"]


def test_that_a_measured_ride_stays_over_the_next_run(
    dialog: MeasuredDialog, ridden: Document, make_run: Callable[..., Run]
) -> None:
    dialog.accept()
    assert dialog.made is not None
    ridden.add_run(dialog.made)
    first = ridden.current_run
    measured = ridden.runs[-1]
    ridden.add_run(make_run("Run 2", 9))
    assert ridden.compared == (first, measured)


def test_that_the_command_opens_a_record_that_every_panel_can_show_without_a_run(
    studio: Any, record: Path, qtbot: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(dialog: MeasuredDialog) -> int:
        dialog.show()
        ready(dialog, qtbot)
        dialog.accept()
        return 1

    monkeypatch.setattr(dialogs, "file_to_open", lambda *_: record)
    monkeypatch.setattr(MeasuredDialog, "exec", answer)
    studio.actions_table.by_id["open_measured"].trigger()
    run = studio.document.current_run
    assert run is not None
    assert run.measured is not None
    assert studio.playback.duration == pytest.approx(run.results.sample_time[-1])
    for name in studio.docks:
        studio.show_panel(name)
        until_drawn(qtbot, studio)
    studio.playback.seek(5.0)
    studio.viewer.colour_by("margin")
    until_drawn(qtbot, studio)
    table = studio.panels["run"].table
    assert table.item(0, 2).text() == "measured"
    studio.refresh_actions()
    for name in ("report", "film", "save_results", "export_summary"):
        assert not studio.actions_table.by_id[name].isEnabled()
    injury = studio.panels["injury"]
    studio.show_panel("injury")
    qtbot.waitUntil(lambda: injury.model.rowCount() > 0, timeout=60_000)  # type: ignore[attr-defined]
    injury.detail.choose("origin")
    qtbot.waitUntil(lambda: "measured ride" in injury.detail.fault.text(), timeout=10_000)  # type: ignore[attr-defined]


def test_that_every_stretch_as_quiet_as_the_one_at_rest_is_marked(dialog: MeasuredDialog) -> None:
    prepared = dialog.prepared
    assert prepared is not None
    assert prepared.rests is not None
    assert prepared.rests.chosen is not None
    other = replace(prepared.rests.chosen, start=3.0, end=4.5)
    rests = replace(prepared.rests, candidates=(prepared.rests.chosen, other))
    assert prepared.history is not None
    dialog._draw(replace(prepared, rests=rests), prepared.history)
    colours = [span.colour for span in dialog.grid.panes[0].content.spans]
    assert colours == [GOOD, WARN]
