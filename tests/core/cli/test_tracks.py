"""`import-track` and `export-table`: tracks in and out, and the examples."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.bundled import example_names, example_path
from ridewright.core.cli import main
from ridewright.core.exchange.thesis_table import read_thesis_table
from ridewright.core.project.point_settings import PointRideSettings
from ridewright.core.project.project import load_project, save_project
from ridewright.core.track.build import build_track

SAMPLES = Path(__file__).parents[1] / "damaged"
RADIUS = 30.0


def _circle(rows: int = 240) -> tuple[np.ndarray, np.ndarray]:
    """Positions (z up) and left vectors of a level circle driven counter-clockwise, height 5 m."""
    angle = 2.0 * np.pi * np.arange(rows) / rows
    out = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(rows)])
    return RADIUS * out + [0.0, 0.0, 5.0], -out


def _nl2(positions: np.ndarray, left: np.ndarray) -> str:
    """Rows of a NoLimits 2 CSV: y up, so that z-up (x, y, z) is written as (x, z, -y)."""

    def y_up(v: np.ndarray) -> list[float]:
        return [v[0], v[2], -v[1]]

    header = '"No."\t' + "\t".join(f'"{n}{c}"' for n in ("Pos", "Front", "Left", "Up") for c in "XYZ")
    rows = [header]
    for k, (p, across) in enumerate(zip(positions, left, strict=True)):
        up = np.array([0.0, 0.0, 1.0])
        front = np.cross(across, up)
        cells = [*y_up(p), *y_up(front), *y_up(across), *y_up(up)]
        rows.append(f"{k + 1}\t" + "\t".join(f"{c:.6f}" for c in cells))
    return "\n".join(rows) + "\n"


def test_that_a_nolimits_circle_comes_in_with_its_length_and_its_centre_on_the_left(tmp_path, capsys) -> None:
    (tmp_path / "ring.csv").write_text(_nl2(*_circle()))
    assert main(["import-track", str(tmp_path / "ring.csv"), "--out", str(tmp_path / "ring.ridewright")]) == 0
    assert "closed" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "ring.ridewright"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["track"]
    assert report["closed"] is True
    # The fit may be 5 mm off the rows.
    assert report["length"] == pytest.approx(2.0 * np.pi * RADIUS, abs=0.05)
    assert report["left_rail_length"] == pytest.approx(2.0 * np.pi * (RADIUS - 0.5), abs=0.05)
    assert report["right_rail_length"] == pytest.approx(2.0 * np.pi * (RADIUS + 0.5), abs=0.05)
    assert report["highest"]["value"] == pytest.approx(5.0, abs=0.005)
    project = load_project(tmp_path / "ring.ridewright")
    assert project.name == "ring"
    assert str(tmp_path) not in (tmp_path / "ring.ridewright").read_text()


def test_that_rows_with_n_and_b_come_in_too(tmp_path, capsys) -> None:
    positions, left = _circle()
    up = np.tile([0.0, 0.0, 1.0], (len(left), 1))
    np.savetxt(tmp_path / "ring.txt", np.column_stack([positions, left, up]))
    options = ["--closed", "--name", "Ring of rows", "--gauge", "1.2", "--tolerance", "0.002"]
    target = str(tmp_path / "p.ridewright")
    assert main(["import-track", str(tmp_path / "ring.txt"), "--out", target, *options]) == 0
    project = load_project(target)
    assert project.track is not None
    assert (project.name, project.track.gauge, project.track.closed) == ("Ring of rows", 1.2, True)
    capsys.readouterr()
    assert main(["check", target, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)["track"]
    assert report["right_rail_length"] == pytest.approx(2.0 * np.pi * (RADIUS + 0.6), abs=0.05)


def test_that_the_tables_of_both_rails_are_written(tmp_path, capsys) -> None:
    out = tmp_path / "tables" / "oval.txt"
    assert main(["export-table", str(SAMPLES / "ride.ridewright"), "--out", str(out), "--step", "0.5"]) == 0
    shown = capsys.readouterr().out
    tables = [read_thesis_table(tmp_path / "tables" / f"oval.{side}.txt") for side in ("left", "right")]
    for table, y in zip(tables, (0.5, -0.5), strict=True):
        assert table.shape[1] == 37
        assert table[1, 0] - table[0, 0] == pytest.approx(0.5)
        # The track starts at the origin along x: the left rail lies half a gauge to +y.
        assert table[0, 1:4] == pytest.approx([0.0, y, 0.0], abs=1e-12)
        # d1 is the unit tangent everywhere.
        assert np.abs(np.linalg.norm(table[:, 4:7], axis=1) - 1.0).max() < 1e-8
        assert f"({len(table)} rows" in shown


def test_that_a_track_goes_out_and_comes_back_by_its_ending(tmp_path, capsys) -> None:
    project = str(SAMPLES / "ride.ridewright")
    for ending in ("csv", "nl2elem", "dxf", "obj", "glb", "profile.csv", "txt"):
        assert main(["export-track", project, str(tmp_path / f"oval.{ending}"), "--spacing", "1.0"]) == 0
        shown = capsys.readouterr().out
        assert f"written: {tmp_path}" in shown
        assert "1 m apart" in shown or "rows" in shown
    original = load_project(project).track
    assert original is not None
    for ending, names in (("csv", "rows"), ("nl2elem", "vertices")):
        target = tmp_path / f"{ending}.ridewright"
        assert main(["import-track", str(tmp_path / f"oval.{ending}"), "--out", str(target)]) == 0
        assert "Section borders and devices were read from" in capsys.readouterr().out, names
        track = load_project(target).track
        assert track is not None
        assert [s.name for s in track.sections] == [s.name for s in original.sections]
        assert "Section borders" in load_project(target).notes


@pytest.mark.parametrize("height", ["0", "-2.5", "1.4"])
def test_that_a_heartline_may_lie_on_the_rails_or_below(height: str, tmp_path: Path, capsys) -> None:
    """The heights out and in again cancel: the rails come back where they were."""
    source = str(SAMPLES / "ride.ridewright")
    for k, name in enumerate(("out.nl2elem", "back.ridewright")):
        line = (
            ["export-track", source, str(tmp_path / name)]
            if k == 0
            else ["import-track", str(tmp_path / "out.nl2elem"), "--out", str(tmp_path / name)]
        )
        assert main([*line, f"--heartline={height}"]) == 0, capsys.readouterr().err
    old, new = (build_track(load_project(p).track).centreline for p in (source, tmp_path / "back.ridewright"))
    assert np.abs(old.position([0.0]) - new.position([0.0])).max() < 0.01


def test_that_a_kexedit_project_comes_in_with_what_was_found(tmp_path, capsys) -> None:
    source = example_path("veloci2").parent / "kex" / "shuttle.kex"
    assert (
        main(["import-track", str(source), "--out", str(tmp_path / "p.ridewright"), "--name", "Shuttle"]) == 0
    )
    shown = capsys.readouterr().out
    assert "Left out, because a track here is one line" in shown
    track = load_project(tmp_path / "p.ridewright").track
    assert track is not None
    assert track.name == "Shuttle"
    assert str(source.parent) not in (tmp_path / "p.ridewright").read_text()


def test_that_the_profile_can_carry_the_point_ride(tmp_path, capsys) -> None:
    """Without losses v^2 / 2 + g z is the same in every row, z from the shape and v from the ride."""
    ride = PointRideSettings(speed=26.5, mu=0.0, drag=0.0, line="rail", points_from="given")
    source = load_project(example_path("looping_star")).model_copy(update={"point_ride": ride})
    save_project(source, tmp_path / "p.ridewright")
    project, out = str(tmp_path / "p.ridewright"), tmp_path / "p.profile.csv"
    assert main(["export-track", project, str(out), "--ride", "--spacing", "2"]) == 0
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[-7:] == ["time_s", "speed_m_per_s", "acceleration_m_per_s2", "g_forward", "g_left", "g_up",
                                  "roll_rate_rad_per_s"]  # fmt: skip
    ridden = [row for row in rows if row["speed_m_per_s"]]
    assert len(ridden) >= len(rows) - 1
    height, speed = (np.array([float(row[name]) for row in ridden]) for name in ("z_m", "speed_m_per_s"))
    energy = 0.5 * speed**2 + 9.81 * height
    assert np.ptp(height) > 30.0
    assert np.abs(energy - 0.5 * 26.5**2).max() < 0.5
    capsys.readouterr()
    assert main(["export-track", project, str(tmp_path / "p.dxf"), "--ride"]) == 2
    assert "--ride: DXF polylines takes no ride; name the file *.profile.csv" in capsys.readouterr().err


def test_that_wrong_exports_are_refused_with_a_sentence(tmp_path, capsys) -> None:
    project = str(SAMPLES / "ride.ridewright")
    for arguments, message in (
        ([project, str(tmp_path / "t.step")], "says no format to write"),
        ([project, str(tmp_path / "t.dxf"), "--spacing", "-1"], "--spacing -1: expected a length"),
        ([project, str(tmp_path / "t.dxf"), "--format", "kex"], "invalid choice"),
        ([str(tmp_path / "no.ridewright"), str(tmp_path / "t.dxf")], "no.ridewright"),
    ):
        assert main(["export-track", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_that_every_bundled_example_is_listed_and_reads(tmp_path, capsys) -> None:
    assert main(["examples", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert tuple(listed) == example_names()
    for name, note in listed.items():
        assert note.endswith("."), f"example {name} does not say in a whole sentence what it is: {note}"
        target = tmp_path / f"{name}.ridewright"
        assert main(["example", name, "--out", str(target)]) == 0
        assert load_project(target).name
