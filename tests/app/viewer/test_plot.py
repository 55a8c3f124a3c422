"""`plot` of the Python door: the studio's scene in a plotter of one's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ridewright.core import api as rw
from ridewright.core.results.results import Results

SMALL = (320, 200)


def pixels(what: rw.Project | Results, **fields: object) -> np.ndarray:
    plotter = rw.plot(what, size=SMALL, off_screen=True, **fields)
    try:
        return np.asarray(plotter.screenshot(return_img=True), dtype=float)[..., :3]
    finally:
        plotter.close()


@pytest.mark.nightly
def test_that_a_run_is_drawn_at_its_time_and_in_colour() -> None:
    run = rw.simulate(rw.edits.set_scenario(rw.example("looping_star"), {"duration": 1.5}))
    early, again, late = (pixels(run, time=t, view="follow") for t in (0.1, 0.1, 1.4))
    assert early.shape == (200, 320, 3)
    np.testing.assert_array_equal(early, again)
    assert np.abs(early - late).mean() > 1.0
    assert np.abs(pixels(run, colour="speed") - pixels(run)).max() > 40.0


def test_that_the_whole_track_fills_the_picture_and_stays_when_it_is_shown(tmp_path: Path) -> None:
    plotter = rw.plot(rw.example("looping_star"), size=SMALL, off_screen=True)
    seen = plotter.camera_position
    plotter.show(screenshot=str(tmp_path / "star.png"))
    assert plotter.camera_position == seen
    assert (tmp_path / "star.png").stat().st_size > 5_000
    inked = np.abs(pixels(rw.example("looping_star")) - 250.0).max(axis=2) > 80.0
    columns = np.flatnonzero(inked.any(axis=0))
    assert np.ptp(columns) > 0.8 * SMALL[0]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"view": "moon"}, "there is no view 'moon'; choose orbit"),
        ({"colour": "mood"}, "there is no colour 'mood'; choose plain"),
        ({"size": (4, 4)}, "from 64 to 8192 pixels each way"),
    ],
)
def test_that_what_is_not_there_is_refused(fields: dict[str, object], told: str) -> None:
    with pytest.raises(rw.InputError, match=told):
        rw.plot(rw.example("straight"), **fields)
