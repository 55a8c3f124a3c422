"""Files appear whole or not at all: written under a temporary name, then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary file beside `path` to write to; when the block ends well it takes the place of `path`.

    Folders are made as needed. When the block fails, `path` is left as it was. Raises InputError when the file
    system refuses.
    """
    part: Path | None = None
    try:
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


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
