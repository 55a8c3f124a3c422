"""Unsaved work survives a crash: a copy in the person's data folder, with a lock that says who is still alive.

What is large and stays the same from edit to edit, the surfaces of imported structures, stands beside the copy in files
that are named by their content, and is written once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QTimer

from ...core.base.errors import InputError
from ...core.base.reading import read_file
from ...core.project.project import Project, parse_project, write_atomically
from ..document.document import Document
from ..widgets.settings import Settings
from .task import Task

LARGEST = 100_000_000  # bytes of a recovery file, which holds a project of at most 32 MB
SUFFIX, LOCK, DAMAGED, APART = ".recovery", ".lock", ".damaged", ".apart"
SHORT = 10_000  # characters that stay in the file


@dataclass(frozen=True)
class Left:
    """Work that a dead session left behind: its file, the project, the project's own file, when it was written."""

    file: Path
    project: Project
    path: Path | None
    written: float

    @property
    def when(self) -> str:
        try:
            return time.strftime("%d %B %Y, %H:%M", time.localtime(self.written))
        except (ValueError, OverflowError, OSError):  # no clock shows that
            return "an unknown day"


class Recovery(QObject):
    """Writes the recovery file of this session while there is unsaved work, and finds those of dead sessions."""

    def __init__(self, document: Document, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = settings
        self.unread: tuple[str, ...] = ()
        self._folder = settings.folder / "recovery"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.file = self._folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._lock = QLockFile(str(_lock_of(self.file)))
        self._lock.setStaleLockTime(0)  # only the death of its process makes a lock stale, never its age
        self._lock.tryLock(0)
        self._digests: dict[str, str] = {}  # of the texts that stand beside the file
        self._task = Task("recovery", lambda copy, _reporter: self._put(copy), self)
        self._task.finished.connect(lambda _: self._on_title())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._write_beside)
        document.project_changed.connect(lambda _: self._later())
        document.title_changed.connect(self._on_title)

    def left_behind(self) -> list[Left]:
        """Work of sessions that ended without closing, newest first.

        What cannot be read is kept, with a sentence in `unread`: as it is when a newer program may read it, else under
        another ending, so that it is told once.
        """
        found, unread = [], []
        files = {path.with_suffix(SUFFIX) for path in self._folder.iterdir() if path.suffix in (SUFFIX, LOCK)}
        for file in files - {self.file}:
            if _is_alive(file):
                continue
            if not file.exists() or not file.stat().st_size:
                self.forget(file)
                continue
            try:
                found.append(_read(file))
            except InputError as error:
                unread.append(f"{error} It is kept as {self._set_aside(file)}.")
        self.unread = tuple(unread)
        return sorted(found, key=lambda left: -left.written)

    def _set_aside(self, file: Path) -> Path:
        with contextlib.suppress(OSError):
            _lock_of(file).unlink()
        if _is_whole(file):
            return file
        with contextlib.suppress(OSError):
            return file.rename(file.with_suffix(SUFFIX + DAMAGED))
        return file

    def forget(self, file: Path) -> None:
        """Remove a recovery file, what stands beside it and its lock."""
        for path in (file, *_apart_of(file), _lock_of(file)):
            with contextlib.suppress(OSError):
                path.unlink()

    def write(self) -> None:
        """Write the recovery file now, when there is something to lose."""
        if self._document.is_modified:
            self._put(self._copy())

    def _write_beside(self) -> None:
        """The same beside the window: the disk may be slow."""
        if self._document.is_modified:
            self._task.ask(self._copy())

    def _copy(self) -> tuple[Project, Path | None]:
        return self._document.project, self._document.path

    def _put(self, copy: tuple[Project, Path | None]) -> None:
        project, path = copy
        digests: dict[str, str] = {}

        def apart(text: str) -> Any:
            if len(text) <= SHORT:
                return text
            digests[text] = self._kept_apart(text)
            return {APART: digests[text]}

        # a full disk must not stop the work that is being done; the next edit tries again
        with contextlib.suppress(OSError, InputError):
            content = {
                "path": None if path is None else str(path),
                "written": time.time(),
                "project": project.model_dump(mode="json", context={"apart": apart}),
            }
            write_atomically(self.file, json.dumps(content))
            self._digests = digests
            for left in _apart_of(self.file) - {_apart(self.file, digest) for digest in digests.values()}:
                left.unlink()

    def _kept_apart(self, text: str) -> str:
        """The digest of a text, which stands beside the recovery file when this returns."""
        digest = self._digests.get(text) or _digest(text)
        if not _apart(self.file, digest).exists():
            write_atomically(_apart(self.file, digest), text)
        return digest

    def close(self) -> None:
        """This session ends in order: nothing is left behind."""
        self._timer.stop()
        self._task.close()
        self._lock.unlock()
        self.forget(self.file)

    def _later(self) -> None:
        if not self._timer.isActive():
            self._timer.start(int(self._settings.recovery_seconds * 1000))

    def _on_title(self) -> None:
        if not self._document.is_modified:
            self._timer.stop()
            with contextlib.suppress(OSError):
                self.file.unlink()


def _lock_of(file: Path) -> Path:
    return file.with_suffix(LOCK)


def _apart(file: Path, digest: str) -> Path:
    return file.with_name(f"{file.stem}.{digest}{APART}")


def _apart_of(file: Path) -> set[Path]:
    """What stands beside a recovery file."""
    return {
        one for one in file.parent.iterdir() if one.suffix == APART and one.name.startswith(f"{file.stem}.")
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _is_alive(file: Path) -> bool:
    """Whether the session that writes this file still runs: its lock cannot be taken."""
    if _lock_of(file).exists() and not _lock_of(file).is_file():
        return False  # a folder or a pipe, which would keep us waiting, is nobody's lock
    lock = QLockFile(str(_lock_of(file)))
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        lock.unlock()
        return False
    return not lock.removeStaleLockFile()


def _read(file: Path) -> Left:
    """Raises InputError for what is no work left behind, or that of a newer program."""
    try:
        content = _content(file)
        path, project = content["path"], content["project"]
        written = float(content["written"])
        own = None if path is None else Path(str(path))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise InputError(f"The recovery file {file.name} is damaged and cannot be read.") from None
    return Left(file, parse_project(project, file.name), own, written if math.isfinite(written) else 0.0)


def _is_whole(file: Path) -> bool:
    """Whether a file has the form of a recovery file, whatever program its project is of."""
    try:
        content = _content(file)
    except (OSError, ValueError, RecursionError, InputError):
        return False
    return isinstance(content, dict) and isinstance(content.get("project"), dict)


def _content(file: Path) -> Any:
    """The data of a recovery file, with what stands beside it. Raises OSError or ValueError when it is damaged."""

    def put_back(data: dict[str, Any]) -> Any:
        digest = data.get(APART)
        if not isinstance(digest, str) or len(data) > 1:
            return data
        name = digest if digest.isalnum() else ""  # which leads nowhere else
        text = read_file(_apart(file, name), LARGEST, "a part of a recovery file").decode("ascii")
        if _digest(text) != digest:
            raise ValueError("damaged")
        return text

    return json.loads(read_file(file, LARGEST, "a recovery file"), object_hook=put_back)
