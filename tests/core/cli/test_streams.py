"""Terminals that are poor, full, closed or gone: the program says what it can and never blames itself."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ridewright.core.base.text_table import plain_cell
from ridewright.core.project.examples import example_path
from ridewright.core.results.file import read_results

RECORD = "t,ax (g),ay (g),az (g)\n" + "".join(f"{k / 100},{k % 7 / 10},0,1\n" for k in range(600))
PROGRAM = [sys.executable, "-m", "ridewright.core.cli"]


def said(*arguments: str, **how: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PROGRAM, *arguments], check=False, **{"capture_output": True, **how})  # type: ignore


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "Fahrt é.csv"
    path.write_text(RECORD, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["limits"],
        pytest.param(["limits", "astm_f2291"], marks=pytest.mark.nightly),
        pytest.param(["criteria"], marks=pytest.mark.nightly),
        pytest.param(["criteria", "--json"], marks=pytest.mark.nightly),
    ],
)
def test_that_a_terminal_without_the_characters_gets_their_codes(arguments: list[str], record: str) -> None:
    poor = {**os.environ, "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    if arguments[0] == "criteria":
        arguments = [*arguments, record]
    done = said(*arguments, env=poor)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("ascii")
    if "--json" in arguments:
        assert json.loads(text)["file"] == record
    wrong = said("criteria", "Müßig ☃.csv", env=poor)
    assert wrong.returncode == 2
    assert b"does not exist" in wrong.stderr


@pytest.mark.parametrize(
    "arguments", [["limits"], pytest.param(["criteria"], marks=pytest.mark.nightly), ["schema"]]
)
def test_that_a_full_output_is_no_fault_of_the_program(arguments: list[str], record: str) -> None:
    if arguments == ["criteria"]:
        arguments = ["criteria", record]
    with Path("/dev/full").open("wb") as full:
        done = said(*arguments, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert b"no space left" in done.stderr
    assert b"fault" not in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "closed",
    [
        pytest.param(">&-", marks=pytest.mark.nightly),
        pytest.param("2>&-", marks=pytest.mark.nightly),
        ">&- 2>&-",
        pytest.param("<&-", marks=pytest.mark.nightly),
    ],
)
def test_that_closed_streams_are_no_fault_of_the_program(closed: str, record: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    project = example_path("planar_pendulum")
    for command in (f"criteria '{record}'", f"simulate '{project}' --duration 0.2 --out '{out}'"):
        done = subprocess.run(
            ["sh", "-c", f"'{sys.executable}' -m ridewright.core.cli {command} {closed}"],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
    assert read_results(out / "results.h5").status.complete


def test_that_a_terminal_that_is_closed_does_not_take_the_run_with_it(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    run = subprocess.Popen(
        [*PROGRAM, "simulate", str(example_path("looping_star")), "--out", str(tmp_path)],
        stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    until = time.monotonic() + 240.0
    while b"t = " not in shown and time.monotonic() < until:
        shown += os.read(master, 1000)
    os.close(master)
    run.send_signal(signal.SIGHUP)
    assert run.wait(120.0) in (1, 2)
    results = read_results(tmp_path / "results.h5")
    assert results.states.time[-1] > 0.0
    assert not list(tmp_path.glob("*.part"))


def test_that_no_cell_of_a_table_is_a_formula() -> None:
    for text in ("=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-cmd()", "\t=1", '=HYPERLINK("x")'):
        assert plain_cell(text) == f"'{text}"
    for text in ("+Gz", "-Gx", "-1.5", "+.5", "-", "", "a=b", "Looping"):
        assert plain_cell(text) == text
