"""Arrays of long runs in a file instead of in memory; everything else takes them for ordinary arrays.

A minute of riding leaves a hundred megabytes behind. They are written through to a temporary file that is mapped in
their place, and `release` ends that they take memory until they are read again. The file has no name, and its room,
taken before anything is written, is free again when the last array is gone. Where a disk is full or not there the
arrays are in memory, as all others.
"""

from __future__ import annotations

import math
import mmap
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.arrays import Array

SMALL = 1 << 22  # bytes that are not worth a file
ROOM = 1 << 26  # bytes of a file that grows, at least: taking them costs nothing, moving what is there does
MOVED, PIECE = 1024, 1 << 24  # rows, and bytes, moved at once
DISK = "/var/tmp"  # where the usual place is memory, this is not


def zeros(rows: int, *tails: tuple[int, ...]) -> tuple[Array, ...]:
    """Arrays of zeros (rows, *tail), together in a file when they are large."""
    return _parts(_flat(rows * _width(tails)), rows, tails)


def longer(arrays: Sequence[Array], rows: int) -> tuple[Array, ...]:
    """The same arrays (n, ...), made together by this module, with `rows` > n rows, zeros behind what is there.

    Those given must not be written to again. What they have room for is there already: every time that they are moved
    it doubles, and in a file it is ROOM at least, so that short runs are moved once.
    """
    n, tails = len(arrays[0]), [array.shape[1:] for array in arrays]
    whole: Any = arrays[0].base
    if isinstance(whole, np.ndarray) and whole.ndim == 1 and whole.size >= rows * _width(tails) > 0:
        return _parts(whole, rows, tails)
    room = 2 * rows * _width(tails)
    moved = _parts(_flat(max(room, ROOM // 8) if 8 * room > SMALL else room), rows, tails)
    some = max(1, min(MOVED, PIECE // max(1, 8 * _width(tails))))
    for begin in range(0, n, some):
        for old, new in zip(arrays, moved, strict=True):
            new[begin : min(begin + some, n)] = old[begin : begin + some]
        release(*arrays, *moved)
    return moved


def release(*arrays: Array) -> None:
    """Let what is in memory of arrays in files go; it is read again when it is wanted."""
    if sys.platform != "linux":  # where nothing is in a file, see _flat
        return
    for mapping in {id(found): found for found in map(behind, arrays) if found is not None}.values():
        mapping.madvise(mmap.MADV_DONTNEED)


def taken(array: Array, *where: int) -> Array:
    """What stands at one place of every row of an array (n, ...), copied some rows at a time: a column of an array in a
    file brings all of it into memory."""
    out = np.empty((len(array), *array.shape[1 + len(where) :]))
    for begin in range(0, len(array), MOVED):
        rows = slice(begin, begin + MOVED)
        picked: Any = (rows, *where)
        out[rows] = array[picked]
        release(array)
    return out


def behind(array: Array) -> mmap.mmap | None:
    """The mapped file that an array or a view of one is in."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return base if isinstance(base, mmap.mmap) else None


def _flat(size: int) -> Array:
    """Zeros (size,), in a file if they are worth it and there is room for one."""
    if 8 * size > SMALL and sys.platform == "linux":
        folder = DISK if "TMPDIR" not in os.environ and os.access(DISK, os.W_OK) else None
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                # a full disk says so here, not by a signal later
                os.posix_fallocate(file.fileno(), 0, 8 * size)  # noqa: TID251 - on Linux, as asked above
                return np.memmap(file, np.float64, "r+", shape=(size,)).view(np.ndarray)
        except OSError:
            pass
    return np.zeros(size)


def _parts(whole: Array, rows: int, tails: Sequence[tuple[int, ...]]) -> tuple[Array, ...]:
    """Arrays (rows, *tail) side by side in a flat one, each with as much room as there is for all."""
    room = whole.size // max(1, _width(tails))
    starts = np.cumsum([0, *(room * math.prod(tail) for tail in tails)]).tolist()
    spans = zip(starts, tails, strict=False)
    return tuple(whole[at : at + rows * math.prod(tail)].reshape(rows, *tail) for at, tail in spans)


def _width(tails: Sequence[tuple[int, ...]]) -> int:
    """Numbers in a row of all arrays."""
    return sum(math.prod(tail) for tail in tails)
