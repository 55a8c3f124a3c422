"""What the commands show: progress, tables, JSON."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import numpy as np
import pytest

from ridewright.core.base.text_table import significant, text_table
from ridewright.core.cli import main
from ridewright.core.cli.progress import ProgressLine, clock_text
from ridewright.core.cli.set_fields import set_fields
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.project.project import load_project, save_project
from ridewright.core.results.file import write_results

SAMPLES = Path(__file__).parents[1] / "damaged"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((0.25, 10.0, 40.0, 90.0), "ridewright: t = 10.00 of 40.00 s   25 %  about 1:30 left"),
        ((0.25, 10.0, None, 90.0), "ridewright: t = 10.00 s   25 %  about 1:30 left"),
        ((0.0, 0.0, 40.0, None), "ridewright: t = 0.00 of 40.00 s    0 %"),
        ((1.0, 40.0, 40.0, 99.0), "ridewright: t = 40.00 of 40.00 s  100 %"),
        ((1.7, 40.0, 40.0, 99.0), "ridewright: t = 40.00 of 40.00 s  100 %"),
    ],
)
def test_that_the_progress_line_has_time_percentage_and_estimate(arguments, text) -> None:
    assert ProgressLine.line(*arguments) == text


def test_that_durations_read_as_clocks() -> None:
    assert [clock_text(s) for s in (0.4, 59.6, 61, 3599.7, 7325)] == [
        "0:00",
        "1:00",
        "1:01",
        "1:00:00",
        "2:02:05",
    ]


def test_that_a_terminal_gets_one_line_rewritten_and_taken_away(monkeypatch) -> None:
    clock = iter([1.0, 2.0, 2.01, 3.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    stream = Terminal()
    line = ProgressLine(stream)
    for step in (1, 2, 3, 4):
        line.report(step / 5, float(step), 5.0)
    line.close()
    written = stream.getvalue()
    assert "\n" not in written
    assert written.count("t = ") == 3  # the third came 10 ms after the second
    last = written.rsplit("\r", 2)
    assert last[1].strip() == ""
    assert len(last[1]) >= len(last[0].rsplit("\r", 1)[-1])


def test_that_a_log_file_gets_lines_at_long_intervals(monkeypatch) -> None:
    clock = iter([0.5, 1.0, 5.0, 11.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    stream = io.StringIO()
    line = ProgressLine(stream)
    for step in (1, 2, 3, 4):
        line.report(step / 5, float(step), 5.0)
    line.close()
    assert [text.split()[3] for text in stream.getvalue().splitlines()] == ["1.00", "4.00"]


def test_that_compiling_is_said_to_be_that_and_does_not_count_in_the_time_left(monkeypatch) -> None:
    """A minute of compiling, then a ride of 20 s of which a quarter is done after 5 s."""
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    stream = Terminal()
    line = ProgressLine(stream)
    for done in (0, 7):
        clock[0] = 30.0 * bool(done)
        line.prepare(done, 21)
    said = stream.getvalue()
    assert "compiling the solver" in said
    assert "7 of 21 parts" in said
    assert "left" not in said
    for step in range(11):
        clock[0] = 60.0 + 0.5 * step
        line.report(step / 40, 0.5 * step, 20.0)
    left = re.findall(r"about 0:(\d\d) left", stream.getvalue())
    assert (
        15 <= int(left[-1]) < 30
    )  # with what follows a ride; by the time since the start it were three minutes


def test_that_table_columns_line_up() -> None:
    text = text_table([("a", "long cell", "x"), ("longer", "b"), ("c", "d", "y")])
    assert text == "  a       long cell  x\n  longer  b\n  c       d          y"


def test_that_schema_prints_json_schema(capsys) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["version"]["const"] == 2
    assert {"Track", "Assembly", "Rig", "Ride", "SolverSettings"} <= set(schema["$defs"])


def test_that_info_shows_what_the_file_holds(make_results, tmp_path, capsys) -> None:
    results = make_results()
    path = tmp_path / "results.h5"
    write_results(results, path)
    assert main(["info", str(path), "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert info["model"]["degrees_of_freedom"] == 3
    assert info["model"]["redundant"] == ["roll: spare row"]
    assert info["time"]["instants"] == 400
    assert info["time"]["sample_rate"] == pytest.approx(1000.0, rel=1e-9)
    assert set(info["channels"]) == set(results.channels)
    speed = info["channels"]["car/car 1/speed"]
    assert (speed["least"], speed["largest"], speed["unit"]) == (11.0, 12.0, "m/s")
    assert info["project"] == "Small ride"
    assert "project" not in info["provenance"]
    assert info["provenance"]["steps"] == 812
    assert main(["info", str(path)]) == 0
    text = capsys.readouterr().out
    for name in (*results.channels, "car 1/körper", "roll: spare row", "812"):
        assert name in text


def _record(path: Path) -> History:
    time = np.arange(2000) / 1000.0
    pulse = np.where((time > 0.5) & (time < 0.53), np.sin(np.pi * (time - 0.5) / 0.03), 0.0)
    acceleration = np.column_stack([30.0 * pulse, 0.1 * np.sin(5 * time), np.ones_like(time)])
    rows = "\n".join(
        f"{t:.4f},{a[0]:.9f},{a[1]:.9f},{a[2]:.9f}" for t, a in zip(time, acceleration, strict=True)
    )
    path.write_text("t,ax (g),ay (g),az (g)\n" + rows + "\n")
    return History(time, np.round(acceleration, 9), body="head")


def test_that_criteria_prints_what_the_library_computes(tmp_path, capsys) -> None:
    expected = evaluate_history(_record(tmp_path / "ride.csv"))
    assert main(["criteria", str(tmp_path / "ride.csv"), "--json", "--body", "head"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["sample_rate"] == pytest.approx(1000.0)
    assert [c["criterion"] for c in printed["criteria"]] == [r.criterion for r in expected]
    for c, r in zip(printed["criteria"], expected, strict=True):
        assert (c["value"] is None) == (r.value is None)
        if r.value is not None:
            assert c["value"] == pytest.approx(r.value, rel=1e-6)
    hic = next(c for c in printed["criteria"] if c["criterion"] == "hic15")
    assert 0.5 < hic["time"][0] < hic["time"][1] < 0.53
    assert main(["criteria", str(tmp_path / "ride.csv")]) == 0
    text = capsys.readouterr().out
    assert "HIC15" in text
    assert f"{significant(hic['value'])}" in text


def test_that_the_unit_can_be_stated(tmp_path, capsys) -> None:
    _record(tmp_path / "ride.csv")
    bare = (tmp_path / "ride.csv").read_text().replace(" (g)", "")
    (tmp_path / "bare.csv").write_text(bare)
    values = []
    for unit in ("g", "m/s2"):
        assert main(["criteria", str(tmp_path / "bare.csv"), "--json", "--unit", unit, "--with-gravity"]) == 0
        criteria = json.loads(capsys.readouterr().out)["criteria"]
        values.append(next(c["value"] for c in criteria if c["criterion"] == "hic15"))
    assert values[1] == pytest.approx(values[0] / 9.81**2.5, rel=1e-3)


def test_that_check_reports_track_and_model(tmp_path, capsys) -> None:
    project = set_fields(
        load_project(SAMPLES / "ride.ridewright"), ["train.cars.0.forces.4.free_length=0.25"]
    )
    save_project(project, tmp_path / "p.ridewright")
    assert main(["check", str(tmp_path / "p.ridewright"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["project"] == project.name
    # Station of 20 m and a hill over a chord of 41 m; an arc is longer than its chord, here by a little.
    assert 61.0 < report["track"]["length"] < 63.0
    assert set(report["model"]) == {"car car 1"}
    (finding,) = report["model"]["car car 1"]
    assert (finding["kind"], finding["element"]) == ("load as drawn", "car 1/strut")
    assert main(["check", str(tmp_path / "p.ridewright")]) == 0
    text = capsys.readouterr().out
    assert f"{report['track']['length']:.2f} m" in text
    assert finding["message"] in text
    for found in report["track"]["findings"]:
        assert found["message"] in text


def test_that_check_of_a_rig_says_there_is_no_track(capsys) -> None:
    assert main(["check", str(SAMPLES / "rig.ridewright")]) == 0
    assert "no track" in capsys.readouterr().out
    assert main(["check", str(SAMPLES / "rig.ridewright"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["track"] is None


def test_that_help_and_version_end_well(capsys) -> None:
    for arguments in (["--help"], ["--version"], ["simulate", "--help"]):
        with pytest.raises(SystemExit) as ending:
            main(arguments)
        assert ending.value.code == 0
    out = capsys.readouterr().out
    for command in (
        "simulate",
        "check",
        "import-track",
        "export-table",
        "criteria",
        "info",
        "schema",
        "examples",
    ):
        assert command in out
