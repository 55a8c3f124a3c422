"""What the panel has worked out beside the window: what a study takes, and what has come of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...core.base.errors import InputError
from ...core.project.project import Project
from ...core.studies.estimate import Estimate, estimate
from ...core.studies.front import Front, front_of
from ...core.studies.store import Store, Table
from ...core.studies.study import Study
from ..widgets import units


@dataclass(frozen=True)
class Asked:
    """A study to be estimated."""

    study: Study
    project: Project


def estimated(asked: Asked) -> Estimate | str:
    """What a study takes, or why it cannot be run."""
    try:
        return estimate(asked.study, asked.project)
    except InputError as error:
        return units.told(error)


@dataclass(frozen=True)
class Shown:
    """The runs in a folder, and of a search the best of them."""

    table: Table
    front: Front | None


def shown_in(folder: Path) -> Shown | str:
    """The runs in a folder, or why they cannot be shown."""
    try:
        table = Store.open(folder).table()
    except InputError as error:
        return units.told(error)
    return Shown(table, None if table.study.optimise is None else front_of(table))


def clock(seconds: float) -> str:
    """A duration in words."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
