"""Commands that write several files: nothing is put beside a device or a pipe, and nothing is half written."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from ridewright.core.cli import main

RIDE = str(Path(__file__).parents[1] / "damaged" / "ride.ridewright")
LINES = {
    "table": ("export-table", RIDE, "--out"),
    "rails": ("export-track", RIDE, "--format", "table", "--spacing", "1"),
    "nl2": ("export-track", RIDE, "--format", "nl2"),
    "nl2elem": ("export-track", RIDE, "--format", "nl2elem"),
}


@pytest.mark.parametrize("kind", LINES)
def test_that_nothing_is_put_beside_a_device_or_pipe(kind: str, tmp_path: Path) -> None:
    link, pipe = tmp_path / "out.csv", tmp_path / "pipe"
    link.symlink_to("/dev/null")
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert main([*LINES[kind], str(link)]) == 0
    assert main([*LINES[kind], str(pipe)]) == 0
    reader.join(20.0)
    assert len(read[0].splitlines()) > 20  # both rails, where there are two
    assert {path.name for path in tmp_path.iterdir()} == {"out.csv", "pipe"}


@pytest.mark.parametrize("kind", ["nl2", "nl2elem"])
def test_that_a_name_without_room_for_its_side_file_is_refused_before_anything_is_written(
    kind: str, tmp_path: Path, capsys
) -> None:
    assert main([*LINES[kind], str(tmp_path / ("n" * 245))]) == 2
    assert "too long for its side file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["n" * 246 + ".csv", "a\nb.csv"])
def test_that_files_of_any_name_are_imported(name: str, tmp_path: Path) -> None:
    assert main([*LINES["nl2"], str(tmp_path / "track.csv")]) == 0
    shutil.copy(tmp_path / "track.csv", tmp_path / name)
    assert main(["import-track", str(tmp_path / name), "--out", str(tmp_path / "p.ridewright")]) == 0
