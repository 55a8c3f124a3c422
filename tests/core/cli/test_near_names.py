"""What was meant is named before all there is, and options are called as they were typed."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ridewright.core.cli import main

RIDE = str(Path(__file__).parents[1] / "damaged" / "ride.ridewright")
CASES = {
    "command": (["simulat", "x"], "'simulat'; the nearest is simulate; choose from simulate, "),
    "no command near": (["zzz"], "'zzz'; choose from simulate, "),
    "example": (["example", "looping_str", "--out", "x"], "the nearest is looping_star; there are andrews"),
    "example as a file": (["check", "looping_star"], "'ridewright example looping_star --out FILE' copies"),
    "duration": (["simulate", RIDE, "--out", "x", "--duration", "5kg"], "--duration 5kg: "),
}


@pytest.mark.parametrize("case", CASES)
def test_that_a_refusal_leads_to_what_was_meant(
    case: str, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, said = CASES[case]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "--set" not in error
    assert not list(tmp_path.iterdir())


def test_that_a_place_that_takes_no_files_is_not_said_to_be_missing(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As /proc answers whoever makes a file there."""

    def refused(*_: object, **__: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr("tempfile.mkstemp", refused)
    assert main(["example", "looping_star", "--out", str(tmp_path / "x")]) == 2
    assert "no file can be made there" in capsys.readouterr().err
