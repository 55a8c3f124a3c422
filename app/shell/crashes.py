"""What Python can still say when the process dies of a fault below it (a segmentation fault): kept in a file of this
process, which the next start finds and tells of."""

from __future__ import annotations

import faulthandler
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from PySide6.QtCore import QLockFile

from ..widgets.faults import watch

_open: list[tuple[IO[str], Path, QLockFile]] = []


def keep(folder: Path) -> list[Path]:
    """Keep in `folder` what a fault of this process leaves; returns those that earlier ones left, once."""
    left = _left_behind(folder)
    with suppress(OSError):
        file = folder / f"fault-{os.getpid()}.txt"
        lock = QLockFile(str(file.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            stream = file.open("w", encoding="utf-8")
            faulthandler.enable(stream)
            _open.append((stream, file, lock))
    return left


def forget() -> None:
    """The process ends as it should: nothing is kept of it."""
    while _open:
        stream, file, lock = _open.pop()
        faulthandler.disable()
        stream.close()
        with suppress(OSError):
            file.unlink()
        lock.unlock()
    watch()


def _left_behind(folder: Path) -> list[Path]:
    found = []
    for file in sorted(folder.glob("fault-*.txt")):
        lock = QLockFile(str(file.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if not lock.tryLock(0):
            continue  # it is alive
        with suppress(OSError):
            if file.stat().st_size == 0:  # killed, or the machine was switched off
                file.unlink()
            else:
                found.append(file.rename(file.with_name(file.name.replace("fault-", "crash-"))))
        lock.unlock()
    return found
