"""Plots as pictures and tables."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.plots.loads import LoadsPanel
from ridewright.app.widgets import dialogs, theme
from ridewright.app.widgets.settings import Settings
from ridewright.core.base.errors import InputError
from tests.app.settling import until_drawn


@pytest.fixture
def loads(
    with_run: Document, playback: Playback, settings: Settings, shown: Callable[..., QWidget]
) -> LoadsPanel:
    panel = LoadsPanel(with_run, playback, settings)
    shown(panel)
    return panel


def read_table(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return head, np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])


def test_that_the_table_holds_the_samples_of_every_curve_with_units(
    loads: LoadsPanel, tmp_path: Path
) -> None:
    loads.save_table(tmp_path / "loads.csv")
    head, rows = read_table(tmp_path / "loads.csv")
    run = loads.document.current_run
    assert run is not None
    assert head[:2] == ["time [s]", "arc length [m]"]
    assert rows[:, 0] == pytest.approx(run.results.sample_time)
    assert rows[:, 1] == pytest.approx(5.0 + 11.0 * run.results.sample_time)
    gz = run.results.channels["rider/Car/Rider/head/acceleration"].values[:, 2]
    assert rows[:, head.index("Gz up, head, as computed, Run 1 [g]")] == pytest.approx(gz, rel=1e-8)
    assert rows[:, head.index("Speed, Run 1 [m/s]")] == pytest.approx(
        run.results.channels["car/Car/speed"].values, rel=1e-8
    )


def test_that_the_table_of_a_stretch_holds_only_it_in_the_units_shown(
    loads: LoadsPanel, settings: Settings, tmp_path: Path, qtbot: object
) -> None:
    settings.units = "US"
    loads.set_abscissa("place")
    loads.grid.show_stretch(10.0, 15.0)
    loads.save_table(tmp_path / "part.csv", stretch=True)
    head, rows = read_table(tmp_path / "part.csv")
    assert head[1] == "arc length [ft]"
    place = rows[:, 1] * 0.3048
    assert place.min() == pytest.approx(10.0, abs=0.012)
    assert place.max() == pytest.approx(15.0, abs=0.012)
    settings.units = "SI"


def test_that_a_shorter_run_leaves_its_cells_empty_after_its_end(
    loads: LoadsPanel, with_run: Document, make_run: Callable[..., Run], tmp_path: Path, qtbot: object
) -> None:
    with_run.add_run(make_run("Short", 3, duration=1.0))
    until_drawn(qtbot, loads)
    loads.save_table(tmp_path / "two.csv")
    head, rows = read_table(tmp_path / "two.csv")
    short = rows[:, head.index("Gz up, head, as computed, Short [g]")]
    after = rows[:, 0] > 1.0 + 1e-9
    assert after.sum() > 900
    assert np.isnan(short[after]).all()
    assert np.isfinite(short[~after]).all()
    assert np.isfinite(rows[:, head.index("Gz up, head, as computed, Run 1 [g]")]).all()


def test_that_the_picture_has_twice_the_pixels_and_the_colours_of_the_curves(
    loads: LoadsPanel, tmp_path: Path
) -> None:
    path = tmp_path / "loads.png"
    loads.save_picture(path)
    picture = QImage(str(path))
    assert picture.width() == 2 * loads.grid.sheet.width()
    assert picture.height() > 2 * loads.grid.sheet.height()
    wanted = QColor(theme.current().series[0])
    found = 0
    for x in range(0, picture.width(), 3):
        for y in range(0, picture.height(), 3):
            colour = picture.pixelColor(x, y)
            # a screen of 16 bits keeps colours to within 8 levels
            found += all(abs(a - b) <= 8 for a, b in zip(colour.getRgb(), wanted.getRgb(), strict=True))
    assert found > 200


def test_that_the_drawing_is_made_of_lines(loads: LoadsPanel, tmp_path: Path) -> None:
    path = tmp_path / "loads.svg"
    loads.save_picture(path)
    text = path.read_text(encoding="utf-8")
    assert QSvgRenderer(str(path)).isValid()
    assert text.count("<path") + text.count("<polyline") > 20
    assert "<image" not in text


def test_that_a_file_that_cannot_be_written_is_said_and_nothing_is_left(
    loads: LoadsPanel, tmp_path: Path, unexpected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("kept")
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: blocked / "loads.csv")
    loads.ask_table(False)
    assert len(unexpected) == 1
    assert "Not saved" in unexpected[0]
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == ["file"]


def test_that_nothing_to_save_is_said(
    document: Document, playback: Playback, settings: Settings, qtbot: object, tmp_path: Path
) -> None:
    panel = LoadsPanel(document, playback, settings)
    qtbot.addWidget(panel)  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="run the project first"):
        panel.save_table(tmp_path / "none.csv")
