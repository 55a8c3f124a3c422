"""A file for HDF5 to write, which does not survive a full disk."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any


class SwallowingFile(io.FileIO):
    """A file to write for HDF5: it is told that all is well, whatever happens.

    The first refusal is kept in `trouble`; what comes after it is thrown away. `check` raises it.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, "w+")
        self.trouble: OSError | None = None

    def check(self) -> None:
        """Raise the OSError that was kept, if there is one."""
        if self.trouble is not None:
            raise self.trouble

    def write(self, data: Any) -> int:
        size = memoryview(data).nbytes
        start = self.tell()
        try:
            done = 0
            while self.trouble is None and done < size:
                done += super().write(memoryview(data).cast("B")[done:])
        except OSError as error:
            self.trouble = error
        self.seek(start + size)
        return size

    def truncate(self, size: int | None = None) -> int:
        try:
            return super().truncate(size)
        except OSError as error:
            self.trouble = self.trouble or error
            return self.tell() if size is None else size

    def readinto(self, buffer: Any) -> int:
        """What was thrown away reads as zeros."""
        view = memoryview(buffer).cast("B")
        found = super().readinto(view)
        if self.trouble is not None:
            view[found:] = bytes(len(view) - found)
            return len(view)
        return found
