"""Seats and restraints from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ridewright.core.cli.program import main

EXAMPLE = str(Path(__file__).parents[3] / "resources" / "examples" / "straight.ridewright")


def test_that_a_seat_is_put_and_its_fit_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seated, out = (str(tmp_path / name) for name in ("a.ridewright", "b.ridewright"))
    assert main(["human", "--height", "1.0", "--into", EXAMPLE, "--out", seated]) == 0
    capsys.readouterr()
    assert (
        main(["put-seat", seated, "--on", "*", "--seat", "pirate_ship", "--shared", "Bench", "--out", out])
        == 0
    )
    assert "above the foot rest" in capsys.readouterr().out
    assert main(["fit", out, "--json"]) == 0
    (*_, child) = json.loads(capsys.readouterr().out)
    assert child["restraint"] == "Lap bar"
    assert 0.0 < child["locked"] <= 1.0
    assert {one["kind"] for one in child["misfits"]} >= {"feet in the air"}
    assert main(["fit", out]) == 0
    assert "does not fit" in capsys.readouterr().out


def test_that_bad_input_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.ridewright")
    assert main(["put-seat", EXAMPLE, "--on", "Car/Throne", "--seat", "child", "--out", out]) == 2
    assert "has no seat 'Throne'" in capsys.readouterr().err
    assert main(["put-seat", EXAMPLE, "--on", "Nowhere/Left seat", "--seat", "child", "--out", out]) == 2
    assert "Nowhere" in capsys.readouterr().err
    assert main(["fit", EXAMPLE]) == 2
    assert "ridewright put-seat" in capsys.readouterr().err
