"""Files are read up to a size; what has no end is refused before it fills the memory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ridewright.core.base import reading
from ridewright.core.base.errors import InputError
from ridewright.core.base.reading import natural, never_wait, read_file
from ridewright.core.cli import main

ZEROS = Path("/dev/zero")


def test_that_a_file_is_read_up_to_its_size(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"12345")
    assert read_file(file, 5, "a word") == b"12345"
    with pytest.raises(InputError, match=r"x: larger than 4e-06 MB; this is not a word"):
        read_file(file, 4, "a word")
    for missing, why in (
        (tmp_path / "y", "does not exist"),
        (tmp_path, "it is a folder"),
        (Path("a\0"), "not a file"),
    ):
        with pytest.raises(InputError, match=why):
            read_file(missing, 4, "a word")


def test_that_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b"words")
    os.close(write)
    assert read_file(Path(f"/dev/fd/{read}"), 100, "a word") == b"words"
    os.close(read)


@pytest.mark.skipif(not ZEROS.exists(), reason="no such device")
@pytest.mark.parametrize("line", [("check",), ("import-track", "--out", "x"), ("criteria",),
                                  ("import-track", "--format", "nl2elem", "--out", "x"),
                                  ("import-track", "--format", "kex", "--out", "x")])  # fmt: skip
def test_that_what_has_no_end_is_refused(line: tuple[str, ...], capsys) -> None:
    assert main([line[0], str(ZEROS), *line[1:]]) == 2
    assert "larger than" in capsys.readouterr().err


def test_that_a_row_of_a_million_cells_is_refused_at_once(tmp_path: Path, capsys) -> None:
    """Names of columns are looked up one by one: two million took a minute."""
    file = tmp_path / "record.csv"
    file.write_text("t;ax;ay;az;" + "0;" * 1_000_000 + "\n1;0;0;1\n")
    assert main(["criteria", str(file)]) == 2
    assert "1000005 columns (allowed 1000)" in capsys.readouterr().err


def test_that_a_window_waits_for_no_pipe(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reading, "_waiting", [True])
    os.mkfifo(tmp_path / "pipe")
    never_wait()
    with pytest.raises(InputError, match="is a pipe"):
        read_file(tmp_path / "pipe", 10, "a word")


def test_that_a_pipe_among_the_tables_is_left_out(tmp_path: Path, monkeypatch, capsys) -> None:
    os.mkfifo(tmp_path / "own.json")
    monkeypatch.setenv("RIDEWRIGHT_LIMITS", str(tmp_path))
    assert main(["limits"]) == 0
    assert "own.json: is a pipe" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("0012", 12), ("999999999", 999_999_999), ("1000000000", None), ("9" * 5000, None), ("²", None),
        ("٣", None), ("", None), ("-1", None), ("+1", None), (" 1", None), ("1_0", None), ("1.0", None),
    ],
)  # fmt: skip
def test_that_only_a_few_plain_digits_are_a_number(text: str, number: int | None) -> None:
    assert natural(text) == number
