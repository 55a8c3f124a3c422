"""The report of a measured ride: of the file that `criteria` judges, with the same verdicts, without a motion."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="draws the report")

from ridewright.core.cli import main


def _record(path: Path, level: float) -> Path:
    """Twelve seconds at 500 samples a second, with 2 s at a level (g) upwards."""
    t = np.arange(6000) / 500.0
    up = 1.0 + (level - 1.0) * np.clip(np.minimum(t - 4.0, 7.0 - t), 0.0, 0.5) * 2.0
    rows = [f"{a:.3f},{0.1 * np.sin(a):.5f},0.02,{z:.5f}" for a, z in zip(t, up, strict=True)]
    path.write_text("t,ax,ay,az\n" + "\n".join(rows) + "\n")
    return path


def _report(tmp_path: Path, *options: str, level: float = 2.0) -> dict:
    record = _record(tmp_path / "rec.csv", level)
    out = tmp_path / "r.json"
    assert main(["report", str(record), "--unit", "g", "--no-pdf", "--json", str(out), *options]) == 0
    return json.loads(out.read_text(encoding="utf-8"))


def test_that_a_measured_ride_has_a_report_with_the_verdicts_of_criteria(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _report(tmp_path, "--author", "A. Engineer")
    assert found["title"]["subtitle"] == "Report on a measured ride"
    assert found["title"]["verdict"]["tone"] == "inside"
    assert [one["id"] for one in found["sections"]] == [
        "summary", "loads", "limits", "record", "provenance", "glossary",
    ]  # fmt: skip
    words = json.dumps(found)
    assert all(word not in words for word in ("integrated", "Moving mass", "as computed", "Losses:"))
    outside = _report(tmp_path, level=9.0)
    assert outside["title"]["verdict"]["tone"] == "outside"
    capsys.readouterr()
    assert main(["criteria", str(tmp_path / "rec.csv"), "--unit", "g", "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)["criteria"]
    limits = next(one for one in outside["sections"] if one["id"] == "limits")
    checks = next(block for block in limits["blocks"] if block.get("id") == "limit_checks")
    worst = min(one["margin"] for one in judged if one.get("margin") is not None)
    at = [column["key"] for column in checks["columns"]].index("margin")
    assert checks["rows"][0][at]["value"] == pytest.approx(100.0 * worst)


def test_that_options_of_runs_and_of_measured_rides_are_not_mixed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = _record(tmp_path / "rec.csv", 2.0)
    assert main(["report", str(record), "--no-pdf", "--uncertainty"]) == 2
    assert "--uncertainty is for runs" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "x.ridewright"), "--no-pdf", "--unit", "g"]) == 2
    assert "--unit is for measured rides (.csv, .txt)" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none.csv"), "--no-pdf", "--json", str(tmp_path / "r.json")]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert not (tmp_path / "r.json").exists()
