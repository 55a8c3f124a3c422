"""Saving what is large beside the window."""

from __future__ import annotations

from pathlib import Path

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


def write(project: Project, path: Path) -> None:
    """Write a project; the file is there when this returns. Raises InputError as `save_project`."""
    if is_large(project):
        meanwhile(lambda: save_project(project, path), failing="Writing the file failed")
    else:
        save_project(project, path)
