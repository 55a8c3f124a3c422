"""The playback strip by mouse and keyboard, and films that can be read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from ridewright.app.document.document import Document
from ridewright.app.document.playback import Playback
from ridewright.app.document.runs import Run
from ridewright.app.view3d import playback_strip
from ridewright.app.view3d.cameras import CameraRig
from ridewright.app.view3d.film import FilmJob, FilmPlan, FilmScene, Footage
from ridewright.app.view3d.film_dialog import FilmDialog
from ridewright.app.view3d.film_files import NO_FFMPEG
from ridewright.app.view3d.panel import ViewerPanel
from ridewright.app.view3d.playback_strip import PlaybackStrip
from ridewright.app.widgets import theme
from ridewright.app.widgets.settings import Settings
from ridewright.core.base.errors import InputError
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.track.build import build_track

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def strip(
    qtbot: QtBot,
    document: Document,
    playback: Playback,
    settings: Settings,
    short_ride: Project,
    short_results: Results,
) -> PlaybackStrip:
    made = PlaybackStrip(document, playback, settings)
    made.resize(1000, 48)
    qtbot.addWidget(made)
    made.show()
    assert not made.play.isEnabled()
    document.add_run(Run("Run", short_results, short_ride))
    playback.set_duration(document.current_run.duration)
    return made


def test_that_buttons_and_keys_move_the_time(strip: PlaybackStrip, playback: Playback, qtbot: QtBot) -> None:
    qtbot.mouseClick(strip.to_end, LEFT)
    assert playback.time == playback.duration
    qtbot.mouseClick(strip.to_start, LEFT)
    qtbot.mouseClick(strip.step_forward, LEFT)
    assert playback.time == pytest.approx(1 / 60)
    strip.timeline.setFocus()
    qtbot.keyClick(strip.timeline, Qt.Key.Key_Right)
    assert playback.time == pytest.approx(2 / 60)
    qtbot.mouseClick(strip.play, LEFT)
    assert playback.playing
    qtbot.waitUntil(lambda: playback.time > 0.2)
    qtbot.mouseClick(strip.play, LEFT)
    assert not playback.playing
    qtbot.mouseClick(strip.reverse, LEFT)
    assert playback.rate == -1.0
    strip.rate.activated.emit(1)
    assert playback.rate == -0.25


def test_that_the_timeline_scrubs_and_loops(strip: PlaybackStrip, playback: Playback, qtbot: QtBot) -> None:
    line = strip.timeline
    x = round(line.x_of(0.5 * playback.duration))
    qtbot.mousePress(line, LEFT, pos=QPoint(x, 15))
    assert playback.time == pytest.approx(0.5 * playback.duration, abs=0.02)
    qtbot.mouseMove(line, QPoint(x + 100, 15))
    qtbot.mouseRelease(line, LEFT, pos=QPoint(x + 100, 15))
    assert playback.time > 0.55 * playback.duration
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mousePress(line, LEFT, shift, QPoint(x - 100, 15))
    qtbot.mouseMove(line, QPoint(x, 15))
    qtbot.mouseRelease(line, LEFT, shift, QPoint(x, 15))
    assert playback.loop == pytest.approx((line.time_at(x - 100), line.time_at(x)), abs=0.01)
    assert strip.loop.isChecked()
    qtbot.mouseClick(strip.loop, LEFT)
    assert playback.loop is None


def test_that_readings_show_the_time_in_the_chosen_units(
    strip: PlaybackStrip, playback: Playback, settings: Settings, short_results: Results
) -> None:
    playback.seek(0.5)
    k = round(0.5 * 1000)
    speed = float(short_results.channels["car/Car/speed"].values[k])
    assert strip.readings()["v"] == f"v {speed:.1f} m/s"
    assert strip.readings()["t"] == "0.50 s"
    settings.units = "US"
    assert strip.readings()["v"] == f"v {speed / 0.3048:.1f} ft/s"


def test_that_readings_are_taken_once_a_run_in_a_turn_of_their_own(
    strip: PlaybackStrip, document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[object] = []
    make = playback_strip.Readings
    monkeypatch.setattr(playback_strip, "Readings", lambda results: (taken.append(results), make(results))[1])
    first = document.current_run
    other = Run("Other", replace(first.results), first.project)
    qtbot.waitUntil(lambda: strip.timeline._curve is not None)
    document.add_run(other)
    assert strip.timeline._curve is None  # not that of the run before
    assert taken == []
    qtbot.waitUntil(lambda: strip.timeline._curve is not None)
    document.drop_run(first)
    qtbot.waitUntil(lambda: not strip._reads._due)
    assert [one is other.results for one in taken] == [True]


def footage(project: Project, results: Results, mode: str = "ride") -> Footage:
    rig = CameraRig()
    rig.mode = mode
    return Footage(project, build_track(project.track), results, rig, theme.DARK, "speed", "low")


def test_that_a_film_shows_the_margins_it_is_given(short_ride: Project, short_results: Results) -> None:
    margins = ((np.array([0.0, 500.0]), np.array([-0.1, 0.4])),)
    plain = footage(short_ride, short_results)
    film = FilmScene(replace(plain, colour_by="margin", margins=margins), 192, 128, captions=False)
    try:
        assert film.scene.scale is not None
        assert film.scene.scale.quantity.key == "margin"
    finally:
        film.screen.close()


def test_that_a_bar_of_time_runs_along_the_whole_film_and_a_clean_one_has_nothing_over_it(
    short_ride: Project, short_results: Results
) -> None:
    of = footage(short_ride, short_results, "side")
    accent = QColor(theme.DARK.accent)
    for captions in (True, False):
        film = FilmScene(of, 256, 144, captions=captions, span=(0.5, 1.5))
        try:
            for time, share in ((0.5, 0.0), (1.0, 0.5), (1.5, 1.0)):
                picture = film.picture(time)
                done = sum(picture.pixelColor(x, 143) == accent for x in range(256))
                assert done == pytest.approx(256 * share if captions else 0.0, abs=1)
            if not captions:
                assert picture == film.screen.draw()
        finally:
            film.screen.close()


def run_to_end(job: FilmJob, qtbot: QtBot) -> None:
    job.start()
    qtbot.waitUntil(lambda: not job.running, timeout=60_000)


@pytest.mark.parametrize("ending", [".mp4", ".ogv"])
def test_that_a_film_has_the_frames_that_were_asked_for(
    ending: str, short_ride: Project, short_results: Results, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / f"ride{ending}"
    plan = FilmPlan(path, 0.5, 1.0, 192, 128, fps=20)
    job = FilmJob(plan, footage(short_ride, short_results))
    shares: list[float] = []
    job.progressed.connect(shares.append)
    with qtbot.waitSignal(job.finished, timeout=60_000):
        job.start()
    assert len(plan.times) == 10
    assert len(shares) == 10
    assert shares[-1] == 1.0
    reader = imageio_ffmpeg.read_frames(str(path))
    meta = next(reader)
    assert tuple(meta["size"]) == (192, 128)
    frames = list(reader)
    assert len(frames) == 10
    assert frames[0] != frames[-1]  # the train has moved
    film = FilmScene(footage(short_ride, short_results), 192, 128, captions=True, span=(0.5, 1.0))
    try:
        drawn = film.picture(0.5).convertToFormat(QImage.Format.Format_RGB888)
    finally:
        film.screen.close()
    shown, wanted = (
        np.frombuffer(one, np.uint8).reshape(128, 192, 3) for one in (frames[0], drawn.constBits())
    )
    assert np.abs(shown.astype(float) - wanted).mean() < 6.0  # upright, in its colours
    assert list(tmp_path.iterdir()) == [path]


def test_that_a_cancelled_film_leaves_nothing(
    short_ride: Project, short_results: Results, tmp_path: Path, qtbot: QtBot
) -> None:
    job = FilmJob(FilmPlan(tmp_path / "ride.mp4", 0.0, 2.0, 192, 128), footage(short_ride, short_results))
    with qtbot.waitSignal(job.progressed, timeout=60_000):
        job.start()
    job.cancel()
    assert not job.running
    assert list(tmp_path.iterdir()) == []


def test_that_a_film_that_cannot_be_written_says_why(
    short_ride: Project, short_results: Results, tmp_path: Path, qtbot: QtBot
) -> None:
    job = FilmJob(
        FilmPlan(tmp_path / "no" / "ride.mp4", 0.0, 1.0, 192, 128), footage(short_ride, short_results)
    )
    with qtbot.waitSignal(job.failed, timeout=60_000) as caught:
        job.start()
    assert "does not exist" in caught.args[0]


def test_that_impossible_films_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="end after its start"):
        FilmPlan(tmp_path / "a.mp4", 2.0, 2.0)
    with pytest.raises(InputError, match="even"):
        FilmPlan(tmp_path / "a.mp4", 0.0, 2.0, width=641)


def test_that_the_film_dialog_makes_a_film(
    panel_with_run: ViewerPanel, document: Document, settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = FilmDialog(panel_with_run.plotter, panel_with_run.coloured_by, document, settings)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.path.setText(str(tmp_path / "mine"))
    dialog.pixels.setCurrentIndex(2)
    dialog.end.setValue(0.1)
    qtbot.mouseClick(dialog.make, LEFT)
    assert dialog.close_button.text() == "Cancel"
    qtbot.waitUntil(lambda: dialog.job is None, timeout=60_000)
    assert (tmp_path / "mine.mp4").is_file()
    assert "Saved" in dialog.note.text()


def test_that_without_ffmpeg_the_dialog_says_how_to_get_it_and_films_without(
    panel_with_run: ViewerPanel,
    document: Document,
    settings: Settings,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> str:
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", missing)
    dialog = FilmDialog(panel_with_run.plotter, panel_with_run.coloured_by, document, settings)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.path.text().endswith(".ogv")
    assert dialog.note.text() == NO_FFMPEG
    dialog.path.setText(str(tmp_path / "mine.mp4"))
    dialog.pixels.setCurrentIndex(2)
    dialog.end.setValue(0.1)
    qtbot.mouseClick(dialog.make, LEFT)
    assert dialog.job is None
    assert not (tmp_path / "mine.mp4").exists()
    dialog.path.setText(str(tmp_path / "mine"))
    qtbot.mouseClick(dialog.make, LEFT)
    qtbot.waitUntil(lambda: dialog.job is None, timeout=60_000)
    assert (tmp_path / "mine.ogv").stat().st_size > 1000
