"""Without the extra: one sentence on what to install, and nothing of it is loaded by the program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ridewright.core.cli import main
from ridewright.core.studies.requirements import needed

STUDY = """
format = "ridewright-study"
name = "s"
project = "example:straight"
ride = "preview"
parameters = [{name = "v", field = "scenario.speed", low = 9.0, high = 12.0}]
"""


def test_that_what_is_missing_is_told_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ridewright.core.studies.requirements.find_spec", lambda name: None)
    (tmp_path / "s.study.toml").write_text(STUDY)
    assert main(["study", "run", str(tmp_path / "s.study.toml"), "--out", str(tmp_path / "runs")]) == 2
    said = capsys.readouterr().err
    assert said == (
        'ridewright: distributed is not installed; studies need it: pip install "ridewright[studies]".\n'
    )
    assert not (tmp_path / "runs").exists()


def test_that_what_is_there_is_not_complained_about() -> None:
    needed("json")


def test_that_a_study_is_checked_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.study.toml").write_text(STUDY)
    assert main(["study", "check", str(tmp_path / "s.study.toml"), "--json", "--workers", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["runs"], found["workers"]) == (64, 1)
    assert found["whole"] == pytest.approx(64 * found["seconds"])


def test_that_the_program_starts_without_libraries_of_studies() -> None:
    code = (
        "import json, sys\nfrom ridewright.core.cli.program import parser\nparser()\n"
        "heavy = ('distributed', 'dask', 'SALib', 'pymoo', 'pandas', 'ridewright.core.studies.study')\n"
        "print(json.dumps([name for name in heavy if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
