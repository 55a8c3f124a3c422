"""Kinks of rails: a joint of known shape is found where it is, and costs what its curvature says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.cli.program import main
from ridewright.core.edits.changes import set_scenario
from ridewright.core.pointmass.rail_kinks import BASE, kink_findings, rail_kinks
from ridewright.core.project.examples import load_example
from ridewright.core.project.project import save_project
from ridewright.core.track.as_built import RailsAsBuilt
from ridewright.core.track.build import build_track
from ridewright.core.track.deviation import LEFT, deviation


def test_that_a_joint_is_found_and_costs_its_curvature_times_the_square_of_the_speed() -> None:
    """(1 - (x / r)^2)^3 of a depth h bends by 6 h / r^2 at its middle, and nothing is left of that over a base."""
    track = load_example("straight").track
    assert track is not None
    rails = RailsAsBuilt(joint_spacing=40.0, joint_reach=0.4, joint_dip=0.001)
    built = build_track(track.model_copy(update={"as_built": rails}))
    away = deviation(rails, built.length, track.closed)
    assert away is not None
    depth = away.of(LEFT, np.array([60.0]))[0, 0, 1]
    s = np.linspace(0.0, 100.0, 50)
    found = rail_kinks(built, s, np.full(50, 20.0), 0.01)
    (one,) = [k for k in found if k.rail == "left rail" and k.way in ("up", "down") and abs(k.s - 60.0) < 0.1]
    assert one.cost == pytest.approx(400.0 * 6.0 * abs(depth) / 0.4**2 / 9.81, rel=0.03)
    assert one.way == ("down" if depth > 0.0 else "up")
    assert {round(k.s / 40.0 - 0.5, 1) % 1.0 for k in found if k.cost > 0.5 * found[0].cost} <= {0.0}
    assert all(k.s < 100.0 + BASE for k in found)
    assert kink_findings(found)[0].s == found[0].s


def test_that_rails_as_drawn_have_no_kinks_and_the_command_lists_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_project(set_scenario(load_example("straight"), {"speed": 20.0}), tmp_path / "p.ridewright")
    line = [
        "check",
        str(tmp_path / "p.ridewright"),
        "--kinks",
        "--set",
        "track.as_built.joint_spacing=12",
        "--json",
    ]
    assert main([*line, "--set", "track.as_built.joint_dip=0"]) == 0
    assert json.loads(capsys.readouterr().out)["kinks"] == []
    assert main(line) == 0
    told = json.loads(capsys.readouterr().out)["kinks"]
    assert told
    assert [one["cost"] for one in told] == sorted((one["cost"] for one in told), reverse=True)
