"""Unsaved work survives a crash: a copy in the person's data folder, with a lock that says who is still alive."""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from app.document.document import Document
from app.widgets.settings import Settings
from core.base.errors import InputError
from core.project.project import Project, parse_project, write_atomically

SUFFIX, LOCK = ".recovery", ".lock"


@dataclass(frozen=True)
class Left:
    """Work that a dead session left behind: its file, the project, the project's own file, when it was written."""

    file: Path
    project: Project
    path: Path | None
    written: float

    @property
    def when(self) -> str:
        return time.strftime("%d %B %Y, %H:%M", time.localtime(self.written))


class Recovery(QObject):
    """Writes the recovery file of this session while there is unsaved work, and finds those of dead sessions."""

    def __init__(self, document: Document, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = settings
        self._folder = settings.folder / "recovery"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.file = self._folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}{SUFFIX}"
        self._lock = QLockFile(str(_lock_of(self.file)))
        self._lock.setStaleLockTime(0)  # only the death of its process makes a lock stale, never its age
        self._lock.tryLock(0)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.write)
        document.project_changed.connect(lambda _: self._later())
        document.title_changed.connect(self._on_title)

    def left_behind(self) -> list[Left]:
        """Work of sessions that ended without closing, newest first. What cannot be read is removed."""
        found = []
        files = {path.with_suffix(SUFFIX) for path in self._folder.iterdir() if path.suffix in (SUFFIX, LOCK)}
        for file in files - {self.file}:
            if _is_alive(file):
                continue
            left = _read(file)
            if left is None:
                self.forget(file)
            else:
                found.append(left)
        return sorted(found, key=lambda left: -left.written)

    def forget(self, file: Path) -> None:
        """Remove a recovery file and its lock."""
        for path in (file, _lock_of(file)):
            with contextlib.suppress(OSError):
                path.unlink()

    def write(self) -> None:
        """Write the recovery file now, when there is something to lose."""
        document = self._document
        if not document.is_modified:
            return
        content = {
            "path": None if document.path is None else str(document.path),
            "written": time.time(),
            "project": document.project.model_dump(mode="json"),
        }
        # a full disk must not stop the work that is being done; the next edit tries again
        with contextlib.suppress(OSError, InputError):
            write_atomically(self.file, json.dumps(content))

    def close(self) -> None:
        """This session ends in order: nothing is left behind."""
        self._timer.stop()
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


def _is_alive(file: Path) -> bool:
    """Whether the session that writes this file still runs: its lock cannot be taken."""
    lock = QLockFile(str(_lock_of(file)))
    lock.setStaleLockTime(0)
    if lock.tryLock(0):
        lock.unlock()
        return False
    return not lock.removeStaleLockFile()


def _read(file: Path) -> Left | None:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        path = content["path"]
        project = parse_project(content["project"], file.name)
        return Left(file, project, None if path is None else Path(path), float(content["written"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
