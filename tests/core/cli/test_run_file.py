"""Every command that reads a run says the same of a file that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from ridewright.core.cli import main

READERS = ("info", "seats", "stress", "report", "origin", "steelwork", "contact-peaks")


@pytest.mark.parametrize("name", ["cut.h5", "missing.h5"])
def test_that_all_commands_say_the_same_of_a_results_file_that_is_none(
    name: str, tmp_path: Path, capsys
) -> None:
    file = tmp_path / name
    if name == "cut.h5":
        file.write_bytes(b"\x89HDF\r\n\x1a\n cut off")
    said = set()
    for command in READERS:
        assert main([command, str(file)]) == 2
        said.add(capsys.readouterr().err)
    assert len(said) == 1
    assert ("not a results file, or cut off" if name == "cut.h5" else "does not exist") in said.pop()
