"""The first project, read and built in a thread while Qt starts and the window is made.

Everything without Qt is imported here, before PySide6 is: its import hook and a second thread that imports the same
modules do not go together.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from ...core.project.examples import load_example
from ...core.project.project import Project, load_project
from ...core.track.build import BuiltTrack, build_track

FIRST = "looping_star"


@dataclass(frozen=True)
class Fetched:
    """A project as read and its built track, None when it has none."""

    project: Project
    built: BuiltTrack | None


class Prefetch:
    """Reads and builds the project in `path`, or the example for None."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._found: Fetched | None = None
        self._thread = threading.Thread(target=self._fetch, name="prefetch", daemon=True)
        self._thread.start()

    def result(self) -> Fetched | None:
        """What was fetched; waits for it. None when it cannot be used: opening it the usual way says why."""
        self._thread.join()
        return self._found

    def _fetch(self) -> None:
        # Whatever goes wrong here goes wrong again where the project is opened, and is told there.
        if self.path is not None and self.path.is_fifo():
            return
        try:
            project = load_example(FIRST) if self.path is None else load_project(self.path)
            built = None if project.track is None else build_track(project.track, ride=False)
        except Exception:
            return
        self._found = Fetched(project, built)
