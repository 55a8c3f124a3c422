"""Sees when another program, or another studio, writes the file of the open project."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from .document import Document

PAUSE = 300  # ms after a change before looking: writers take a moment


def digest(path: Path | None) -> str:
    """A digest of a file, empty when there is none that can be read."""
    try:
        if path is None or not path.is_file():
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha1").hexdigest()
    except OSError:
        return ""


class FileWatch(QObject):
    """Says `changed` when the file of the document holds something else than the document read or wrote last, and
    `gone` when there is no file of that name any more."""

    changed = Signal()
    gone = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._document = document
        self._path: Path | None = None
        self._known = ""
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._look)
        for reported in (self._watcher.fileChanged, self._watcher.directoryChanged):
            reported.connect(lambda _path: self._timer.start())
        document.begun.connect(self.take_note)
        document.saved.connect(self.take_note)
        self.take_note()

    def take_note(self) -> None:
        """What the file holds now is known to the person."""
        path = self._document.path
        self._known = digest(path)
        if path != self._path:
            self._path = path
            if watched := [*self._watcher.files(), *self._watcher.directories()]:
                self._watcher.removePaths(watched)
        self._watch()

    def is_foreign(self) -> bool:
        """Whether the file holds something else than what was read or written last; one that is gone does not."""
        now = digest(self._document.path)
        return bool(now) and now != self._known

    def _watch(self) -> None:
        """A file that is replaced is another one: its folder is watched as well."""
        for path in () if self._path is None else (self._path, self._path.parent):
            if path.exists() and str(path) not in [*self._watcher.files(), *self._watcher.directories()]:
                self._watcher.addPath(str(path))

    def _look(self) -> None:
        self._watch()
        if self._known and self._path is not None and not self._path.is_file():
            self.gone.emit()
        elif self.is_foreign():
            self.changed.emit()
