"""Saving what is large beside the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from ...core.project.project import Project, save_project
from .meanwhile import meanwhile

LARGE = 1_000_000  # letters of packed surfaces; what has fewer is written within a frame or two


def is_large(project: Project) -> bool:
    """Whether a project takes more than a moment to be written."""
    top = project.assembly
    given = [] if top is None else [body.imported for body in top.every("flexible").values()]
    return (
        sum(len(one.surface.packed) for one in given if one is not None and one.surface is not None) > LARGE
    )


class Saver(QObject):
    """Writes projects to files. busy: one is being written; waiting_to_close: somebody wanted to close meanwhile."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.busy = self.waiting_to_close = False

    def write(self, project: Project, path: Path) -> None:
        """Write a project; the file is there when this returns. Raises InputError as `save_project`."""
        if not is_large(project):
            save_project(project, path)
            return
        self.busy = True
        try:
            meanwhile(lambda: save_project(project, path), failing="Writing the file failed")
        finally:
            self.busy = False
