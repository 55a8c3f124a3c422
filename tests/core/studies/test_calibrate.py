"""Calibration: a synthetic ride gives back what it was made with; what cannot be told apart is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ridewright.core import api
from ridewright.core.base.errors import InputError
from ridewright.core.edits.field_paths import set_field
from ridewright.core.edits.train import set_losses
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import Project
from ridewright.core.studies.calibrate import USUAL, Measured, calibrate, read_measured

STAR = load_example("looping_star")
TRUTH = {"friction": 0.0041, "drag": 1.3, "start speed": 27.2}


def truth() -> Project:
    made = set_field(STAR, "scenario.speed", TRUTH["start speed"])
    return set_losses(made, (), {"rolling": TRUTH["friction"], "drag_area": TRUTH["drag"]})


def measured(noise: float, seed: int = 3) -> Measured:
    ride = api.ride_point(truth())
    s = np.linspace(ride.s[0] + 1.0, ride.s[-1] - 1.0, 160)
    speed = np.interp(s, ride.s, ride.speed)
    return Measured(speed + noise * np.random.default_rng(seed).standard_normal(len(s)), s)


ALL = tuple(USUAL.values())


def test_that_a_ride_without_noise_gives_back_what_it_was_made_with() -> None:
    found = calibrate(STAR, measured(0.0), ALL)
    for one in found.fitted:
        assert one.value == pytest.approx(TRUTH[one.name], rel=2e-3), one
    assert found.rms < 1e-3
    assert [p.section for p in found.sections] == [s.name for s in STAR.track.sections if s.name]


@pytest.mark.nightly
def test_that_with_noise_the_interval_holds_the_truth_and_the_values_are_within_2_percent() -> None:
    found = calibrate(STAR, measured(0.02), ALL)
    for one in found.fitted:
        assert one.value == pytest.approx(TRUTH[one.name], rel=0.02), one
        assert one.low < TRUTH[one.name] < one.high
    assert found.rms == pytest.approx(0.02, rel=0.2)
    assert found.project.scenario.speed == found.fitted[2].value


def test_that_a_written_ride_is_read_back(tmp_path: Path) -> None:
    from ridewright.core.cli.ride_point import csv_text

    ride = api.ride_point(truth())
    (tmp_path / "ride.csv").write_text(csv_text(ride))
    read = read_measured(tmp_path / "ride.csv")
    np.testing.assert_allclose(read.speed, ride.speed, rtol=1e-9)
    (tmp_path / "bad.csv").write_text("speed_m_s,time_s\n1,0\nx,1\n")
    with pytest.raises(InputError, match="line 3, column speed_m_s: expected a number"):
        read_measured(tmp_path / "bad.csv")
    (tmp_path / "none.csv").write_text("v,t\n1,0\n")
    with pytest.raises(InputError, match="needs a header with speed_m_s and one of s_m, place_m and time_s"):
        read_measured(tmp_path / "none.csv")


def test_that_what_the_data_cannot_tell_apart_is_refused_by_name() -> None:
    # on a level track at nearly one speed the wheels and the air slow the train alike
    straight = set_losses(load_example("straight"), (), {"rolling": 0.004, "drag_area": 1.0})
    ride = api.ride_point(straight)
    s = np.linspace(ride.s[0], ride.s[0] + 40.0, 60)
    with pytest.raises(InputError, match="cannot tell 'friction' and 'drag' apart"):
        calibrate(straight, Measured(np.interp(s, ride.s, ride.speed), s), ALL[:2])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: Measured(np.ones(5), np.arange(5.0)),
            "5 measurements are too few for 3 parameters; take 24",
        ),
        (lambda: Measured(np.ones(50), np.linspace(0.0, 5000.0, 50)), "measurements go on to 5000.0 m"),
    ],
)
def test_that_too_little_and_too_much_is_refused(make: object, said: str) -> None:
    with pytest.raises(InputError, match=said):
        calibrate(STAR, make(), ALL)  # type: ignore[operator]


def test_that_positions_have_an_order() -> None:
    with pytest.raises(InputError, match="Measurement 3: its position is not behind"):
        Measured(np.ones(3), np.array([0.0, 2.0, 1.0]))


def test_that_the_command_fits_and_writes_the_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ridewright.core.cli import main
    from ridewright.core.cli.ride_point import csv_text
    from ridewright.core.project.project import save_project

    straight = set_losses(load_example("straight"), (), {"rolling": 0.006, "drag_area": 0.0})
    save_project(straight, tmp_path / "s.ridewright")
    (tmp_path / "ride.csv").write_text(csv_text(api.ride_point(straight)))
    told = ["study", "calibrate", str(tmp_path / "s.ridewright"), str(tmp_path / "ride.csv"), "--fit"]
    assert main([*told, "friction", "speed", "--out", str(tmp_path / "out.ridewright")]) == 0
    assert re.search(r"friction +0\.006 ", capsys.readouterr().out)
    assert api.open(tmp_path / "out.ridewright").train is not None
    assert main([*told, "wind"]) == 2
    assert "--fit wind: write friction, drag, speed, or a study file." in capsys.readouterr().err
