"""`ridewright ride-point`: the table, JSON and CSV say what the ride did."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from point_tools import straight

from ridewright.core.cli.program import main
from ridewright.core.pointmass.ride import ride_point
from ridewright.core.project.examples import load_example
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.track.devices.drive_tyres import DriveTyres
from ridewright.core.track.heartline import Heartline, HeartlinePoint


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A straight that rises, with tyres at its start: the train turns round on it."""
    track = straight(150.0, -0.2).track.model_copy(
        update={"devices": (DriveTyres(name="push", section="all", end=10.0, speed=9.0, acceleration=8.0),)}
    )
    settings = PointRideSettings(start=0.0, speed=1.0, mu=0.01, mass=2000.0)
    file = tmp_path / "slope.ridewright"
    save_project(Project(name="slope", track=track, point_ride=settings), file)
    return file


def test_that_the_command_tells_sections_devices_events_and_energy(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ride-point", str(project)]) == 0
    shown = capsys.readouterr().out
    for words in ("all", "push", "reverses at s = ", "friction", "Energy kJ"):
        assert words in shown
    assert main(["ride-point", str(project), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["events"][0]["kind"] == "turned"
    assert found["devices"][0]["speed_out"] == pytest.approx(9.0)
    assert found["sections"][0]["exit_speed"] is None
    assert abs(found["energy"]["residual"]) < 1e-6
    gained = (
        found["energy"]["kinetic_end"]
        - found["energy"]["kinetic_start"]
        + found["energy"]["potential_change"]
    )
    paid = found["energy"]["driven"] - found["energy"]["friction"] - found["energy"]["drag"]
    assert gained == pytest.approx(paid, rel=1e-9)


def test_that_the_csv_holds_every_sample(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ride.csv"
    assert main(["ride-point", str(project), "--csv", str(out)]) == 0
    rows = list(csv.DictReader(out.open()))
    described = load_project(project)
    assert described.track is not None
    from ridewright.core.track.build import build_track

    ride = ride_point(build_track(described.track, ride=False), described.point_ride)
    assert len(rows) == len(ride.s)
    assert float(rows[7]["speed_m_s"]) == pytest.approx(ride.speed[7])
    assert float(rows[-1]["gz"]) == pytest.approx(ride.g[-1, 2])


def test_that_a_wrong_device_is_one_sentence(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(project.read_text())
    data["track"]["devices"][0]["section"] = "elsewhere"
    project.write_text(json.dumps(data))
    assert main(["ride-point", str(project)]) == 2
    said = capsys.readouterr().err
    assert "'push'" in said
    assert "'elsewhere'" in said
    assert said.count("\n") == 1


def test_that_devices_heartline_and_settings_survive_the_file(tmp_path: Path) -> None:
    project = load_example("looping_star")
    line = Heartline(height=1.0, points=(HeartlinePoint(section="loop", offset=3.0, height=1.3),))
    track = project.track.model_copy(
        update={"heartline": line, "devices": (DriveTyres(name="a", section="station"),)}
    )
    settings = PointRideSettings(speed=21.0, friction="load", masses=7, train_length=12.0)
    changed = project.model_copy(update={"track": track, "point_ride": settings})
    save_project(changed, tmp_path / "p.ridewright")
    assert load_project(tmp_path / "p.ridewright") == changed


def test_that_a_project_without_a_track_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(Project(name="empty"), tmp_path / "empty.ridewright")
    assert main(["ride-point", str(tmp_path / "empty.ridewright")]) == 2
    assert "no track" in capsys.readouterr().err
