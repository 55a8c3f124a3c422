"""`ridewright design`: the tools from the command line change the project, or refuse in one sentence."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.cli import main
from ridewright.core.project.project import Project, load_project, save_project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track
from ridewright.core.track.elements.camelback import CamelbackSection

GIVEN = {"start_from": "given", "losses_from": "given"}


def ring(closed: bool = True) -> Project:
    angles = 2.0 * np.pi * np.arange(20 if closed else 17) / 20
    points = [
        ControlPoint(x=30.0 * np.cos(a), y=30.0 * np.sin(a), z=5.0 + 0.04 * (-1) ** k, cant=0.0)
        for k, a in enumerate(angles.tolist())
    ]
    track = Track(name="ring", closed=closed, sections=(SplineSection(name="ring", points=tuple(points)),))
    project = Project(name="ring", track=track)
    return project.model_copy(
        update={"point_ride": project.point_ride.model_copy(update={"speed": 14.0} | GIVEN)}
    )


def saved(tmp_path: Path, project: Project) -> str:
    save_project(project, tmp_path / "in.ridewright")
    return str(tmp_path / "in.ridewright")


def test_that_every_tool_writes_a_project_that_builds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out.ridewright")
    file = saved(tmp_path, ring())
    assert main(["design", "smooth", file, "--out", out, "--tube", "0.1"]) == 0
    assert "sharpest after" in capsys.readouterr().out
    assert main(["design", "bank", out, "--out", out]) == 0
    assert "largest roll speed" in capsys.readouterr().out
    banked = load_project(out).track
    assert banked is not None
    cant = np.degrees(build_track(banked).centreline.cant(np.linspace(5.0, 180.0, 30)))
    assert np.all(cant < -20.0)
    assert main(["design", "close", saved(tmp_path, ring(closed=False)), "--out", out, "--gy", "2"]) == 0
    assert load_project(out).track.closed  # type: ignore[union-attr]


def test_that_a_launch_is_added(tmp_path: Path) -> None:
    run = StraightSection(name="run", start=(0.0, 0.0, 1.0), end=(80.0, 0.0, 1.0), cant=0.0)
    file = saved(tmp_path, Project(name="p", track=Track(name="t", sections=(run,))))
    out = str(tmp_path / "out.ridewright")
    assert main(["design", "launch", file, "--out", out, "--sections", "run", "--speed", "25"]) == 0
    assert [d.kind for d in load_project(out).track.devices] == ["launch"]  # type: ignore[union-attr]


def test_that_entry_speeds_follow_the_ride(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hill = CamelbackSection(name="hill", entry_speed=15.0, height=8.0)
    run = StraightSection(name="run", start=(0.0, 0.0, 1.0), end=(30.0, 0.0, 1.0), cant=0.0)
    project = Project(name="p", track=Track(name="t", sections=(run, hill)))
    settings = project.point_ride.model_copy(update={"speed": 20.0, "mu": 0.0, "drag": 0.0} | GIVEN)
    file = saved(tmp_path, project.model_copy(update={"point_ride": settings}))
    out = str(tmp_path / "out.ridewright")
    assert main(["design", "speeds", file, "--out", out]) == 0
    assert "hill: drawn for 20.00 m/s instead of 15.00 m/s" in capsys.readouterr().out
    assert main(["design", "speeds", out, "--out", out]) == 0
    assert "every element" in capsys.readouterr().out


def test_that_supports_are_written_as_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "legs.csv"
    assert main(["design", "supports", saved(tmp_path, ring()), "--out", str(table), "--spacing", "10"]) == 0
    rows = list(csv.DictReader(table.open()))
    assert f"{len({row['s_m'] for row in rows})} supports" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["smooth", "--tube", "9"], "--tube"),
        (["smooth", "--sections", "x"], "no section 'x'"),
        (["bank", "--lateral", "nan"], "--lateral"),
        (["close"], "closed circuit already"),
        (["launch"], "--speed"),
        (["iron"], "invalid choice: 'iron'"),
    ],
)
def test_that_wrong_arguments_are_refused(
    arguments: list[str], named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = saved(tmp_path, ring())
    out = tmp_path / "out.ridewright"
    tool, *rest = arguments
    assert main(["design", tool, file, "--out", str(out), *rest]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert named in line
    assert not out.exists()
