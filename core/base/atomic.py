"""Files appear whole or not at all: written under a temporary name, then renamed."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.base.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path` to write to; when the block ends well it takes the place of `path`.

    Folders are made as needed. When the block fails, `path` is left as it was. A link stays: what it leads to is
    replaced. Raises InputError when the file system refuses.
    """
    part: Path | None = None
    try:
        path = path.resolve() if path.is_symlink() else path
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        part = Path(name)
        # mkstemp lets only the owner read; the file is to be like any other in its folder.
        os.fchmod(handle, 0o666 & ~_mask())
        os.close(handle)
        yield part
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


class SwallowingFile(io.FileIO):
    """A file to write for a library that does not survive a full disk: it is told that all is well.

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


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
