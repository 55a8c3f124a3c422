"""The cache of compiled kernels follows the sources of all of them."""

from __future__ import annotations

import os
from pathlib import Path

import numba

import core
from core.kernel_cache import kernel_digest


def test_that_a_change_in_any_kernel_file_changes_the_folder(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    kernel, other = tmp_path / "room" / "k.py", tmp_path / "room" / "plain.py"
    kernel.write_text("@njit\ndef f(x):\n    return x\n")
    other.write_text("X = 1\n")
    before = kernel_digest(tmp_path)
    other.write_text("X = 2\n")
    assert kernel_digest(tmp_path) == before
    kernel.write_text("@njit\ndef f(x):\n    return 2 * x\n")
    assert kernel_digest(tmp_path) != before


def test_that_numba_keeps_this_program_s_kernels_in_the_folder_of_their_sources() -> None:
    digest = kernel_digest(Path(core.__file__).parent)
    given = os.environ["NUMBA_CACHE_DIR"]
    assert given == numba.config.CACHE_DIR
    assert given.endswith(digest) or not given.rpartition("/")[2].startswith("kernels-")
