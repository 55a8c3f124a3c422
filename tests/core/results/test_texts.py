"""Texts of HDF5 files: read as written, and refused before a damaged length costs memory."""

from __future__ import annotations

from pathlib import Path

import h5py
import pytest

from ridewright.core.results.texts import texts

WORDS = ("Car", "", "Sitzplatz hinten links, äöü", "x" * 5000)


def _written(path: Path) -> tuple[int, int]:
    """A file with texts; where their references stand and how long one is."""
    with h5py.File(path, "w") as file:
        file.create_dataset("some", data=list(WORDS), dtype=h5py.string_dtype("utf-8"))
        file.create_dataset("one", data="alone", dtype=h5py.string_dtype("utf-8"))
        file.create_dataset("none", data=[], dtype=h5py.string_dtype("utf-8"))
    with h5py.File(path, "r") as file:
        data = file["some"]
        return data.id.get_offset(), data.id.get_storage_size() // len(WORDS)


def test_that_texts_are_read_as_they_were_written(tmp_path: Path) -> None:
    _written(tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r") as file:
        assert [texts(file[name]) for name in ("some", "one", "none")] == [WORDS, ("alone",), ()]


@pytest.mark.parametrize("byte", [2, 3])
def test_that_a_length_beyond_the_file_is_refused_before_it_costs_memory(byte: int, tmp_path: Path) -> None:
    place, each = _written(tmp_path / "a.h5")
    content = bytearray((tmp_path / "a.h5").read_bytes())
    content[place + 2 * each + byte] = 0x7F  # 8 MB or 2 GB
    (tmp_path / "a.h5").write_bytes(content)
    with h5py.File(tmp_path / "a.h5", "r") as file, pytest.raises(ValueError, match="longer than their file"):
        texts(file["some"])
