"""`ridewright cross-check`: what it prints, writes and returns."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from ridewright.core.cli import main
from ridewright.core.project.examples import example_path

needs_exudyn = pytest.mark.skipif(find_spec("exudyn") is None, reason="exudyn is not installed")


@needs_exudyn
def test_that_the_command_tells_what_agrees_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "check"
    project = str(example_path("spatial_double_pendulum"))
    assert main(["cross-check", project, "--duration", "0.2", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert "Both engines agree within their own errors." in text
    assert text == (out / "cross-check.txt").read_text(encoding="utf-8")
    data = json.loads((out / "cross-check.json").read_text(encoding="utf-8"))
    assert data["agrees"] is True
    assert data["duration"] == pytest.approx(0.2)
    assert {one["quantity"] for one in data["agreements"]} >= {"place", "velocity", "force at the joint"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--with", "adams"], "'adams' is no other engine"),
        (["--step", "2"], "a step of 2 s: must be"),
        (["--duration", "-1"], "duration"),
    ],
)
def test_that_bad_input_is_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cross-check", str(example_path("double_pendulum")), *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1
