"""Arrays of long runs in a file instead of in memory; everything else takes them for ordinary arrays.

A minute of riding leaves a hundred megabytes behind. Rows that are complete are written to a temporary file, which
takes their place in memory: it is read where the arrays are, and `release` ends that it takes memory. The file has no
name, and its room is free again when the last array is gone. A disk that is full or not there never ends a run: the
rows stay in memory then, as those of all other arrays.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SMALL = 1 << 22  # bytes that are not worth a file
# bytes that arrays which grow have room for until they are moved; none are taken before they are used
ROOM = 1 << 29
MOVED = 1024  # rows moved at once
WRITTEN = 1 << 21  # bytes written at once, or a multiple: what a system keeps in large pages
MANY = 512  # parts written at once
FIXED = 0x10  # MAP_FIXED of Linux, macOS and the BSDs
DISK = "/var/tmp"  # where the usual place is memory, this is not


class _Mapping(mmap.mmap):
    """The memory of some arrays with a common first axis, each on pages of its own, of which a file takes the place."""

    tails: tuple[tuple[int, ...], ...]
    room: int  # rows
    places: tuple[int, ...]  # where each array begins (bytes)
    kept: list[int]  # bytes of each array that are in the file
    file: IO[bytes] | None = None
    refused = False

    @classmethod
    def of(cls, room: int, tails: Sequence[tuple[int, ...]]) -> _Mapping | None:
        """Memory for arrays of zeros, None where no file can take its place."""
        if not hasattr(os, "pwritev") or not hasattr(mmap, "MADV_DONTNEED") or sys.maxsize < 1 << 32:
            return None
        pages = [-(-room * _width([tail]) // mmap.PAGESIZE) for tail in tails]
        places = tuple(mmap.PAGESIZE * sum(pages[:k]) for k in range(len(pages)))
        try:
            new = cls(-1, mmap.PAGESIZE * sum(pages), flags=mmap.MAP_PRIVATE)
        except (OSError, ValueError, OverflowError):
            return None
        new.tails, new.room, new.places, new.kept = tuple(tails), room, places, [0] * len(places)
        return new

    def __del__(self) -> None:
        if self.file is not None:
            self.file.close()

    def arrays(self, rows: int) -> tuple[Array, ...]:
        """The first rows of every array."""
        pairs = zip(self.tails, self.places, strict=True)
        return tuple(np.ndarray((rows, *tail), buffer=self, offset=place) for tail, place in pairs)

    def keep(self, rows: int) -> None:
        """Let the file take the place of the first rows of every array, as many as fill pages.

        Less than `WRITTEN` bytes wait for more rows, if there are to be more.
        """
        pages = [rows * _width([tail]) // mmap.PAGESIZE for tail in self.tails]
        ends = [max(mmap.PAGESIZE * n, before) for n, before in zip(pages, self.kept, strict=True)]
        done = sum(self.kept)
        left = sum(ends) - done
        if rows < self.room:
            left = left // WRITTEN * WRITTEN
        if self.refused or left == 0:
            return
        parts, kept = [], []
        for place, before, end in zip(self.places, self.kept, ends, strict=True):
            kept.append(before + min(end - before, left))
            left -= kept[-1] - before
            if kept[-1] > before:
                parts.append((place + before, place + kept[-1]))
        try:
            self.file = self.file or _temporary()
            self._write(parts, done)
            for begin, end in parts:
                self._map(begin, end, done)
                done += end - begin
            self.kept = kept
        except OSError:
            self.refused = True

    def release(self) -> None:
        """Let go of what was read of the file."""
        for place, kept in zip(self.places, self.kept, strict=True):
            if kept:
                self.madvise(mmap.MADV_DONTNEED, place, kept)

    def _write(self, parts: Sequence[tuple[int, int]], offset: int) -> None:
        assert self.file is not None
        with memoryview(self) as memory:
            waiting = [memory[begin:end] for begin, end in parts]
            while waiting:
                done = os.pwritev(self.file.fileno(), waiting[:MANY], offset)
                offset += done
                while waiting and done >= len(waiting[0]):
                    done -= len(waiting.pop(0))
                if waiting:
                    waiting[0] = waiting[0][done:]

    def _map(self, begin: int, end: int, offset: int) -> None:
        """Put a part of the file in the place of memory. Python's own mmap only finds a new place for it."""
        assert self.file is not None
        address = ctypes.addressof(ctypes.c_char.from_buffer(self, begin))
        access, how = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | FIXED
        if _system_mmap()(address, end - begin, access, how, self.file.fileno(), offset) != address:
            raise OSError(ctypes.get_errno(), "no mapping")


def zeros(rows: int, *tails: tuple[int, ...]) -> tuple[Array, ...]:
    """Arrays of zeros (rows, *tail); when they are large together, ones that `keep` is of use for."""
    mapping = _Mapping.of(rows, tails) if rows * _width(tails) > SMALL else None
    return tuple(np.zeros((rows, *tail)) for tail in tails) if mapping is None else mapping.arrays(rows)


def longer(arrays: Sequence[Array], rows: int) -> tuple[Array, ...]:
    """The same arrays (n, ...) with at least `rows` > n rows, zeros behind what is there.

    Those given must not be written to again. What they have room for is there already; moved they are seldom.
    """
    n = len(arrays[0])
    mapping = _behind(arrays[0])
    if mapping is not None and rows <= mapping.room:
        return mapping.arrays(rows)
    tails = [array.shape[1:] for array in arrays]
    mapping = _Mapping.of(max(2 * rows, ROOM // _width(tails)), tails)
    in_memory = (np.zeros((max(rows, 2 * n), *tail)) for tail in tails)
    moved = tuple(in_memory) if mapping is None else mapping.arrays(rows)
    for begin in range(0, n, MOVED):
        end = min(begin + MOVED, n)
        for old, new in zip(arrays, moved, strict=True):
            new[begin:end] = old[begin:end]
        keep(end, *moved)
        release(*arrays)
    return moved


def keep(rows: int, *arrays: Array) -> None:
    """Put the first rows of arrays from `zeros` or `longer` on disk, where they can go; they have their values then."""
    for mapping in _all_behind(arrays):
        mapping.keep(rows)


def release(*arrays: Array) -> None:
    """Let what is in memory of rows on disk go; it is read again when it is wanted."""
    for mapping in _all_behind(arrays):
        mapping.release()


def _width(tails: Sequence[tuple[int, ...]]) -> int:
    """Bytes of a row of all arrays."""
    return 8 * sum(math.prod(tail) for tail in tails)


def _temporary() -> IO[bytes]:
    """A file without a name, on a disk if that can be told."""
    folder = DISK if "TMPDIR" not in os.environ and os.access(DISK, os.W_OK) else None
    return tempfile.TemporaryFile(dir=folder, buffering=0)


@cache
def _system_mmap() -> Any:
    function = ctypes.CDLL(None, use_errno=True).mmap
    number, whole = ctypes.c_int, ctypes.c_size_t
    function.argtypes = [ctypes.c_void_p, whole, number, number, number, ctypes.c_int64]
    function.restype = ctypes.c_void_p
    return function


def _behind(array: Array) -> _Mapping | None:
    """What an array or a view of one is in."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    return base if isinstance(base, _Mapping) else None


def _all_behind(arrays: Sequence[Array]) -> list[_Mapping]:
    found = [mapping for mapping in map(_behind, arrays) if mapping is not None]
    return list({id(mapping): mapping for mapping in found}.values())
