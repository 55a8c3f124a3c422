"""Problems of a project: what is wrong, where it leads, and the way out where one is known."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from ...core.edits.places import section_named, section_points
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from .selection import NOTHING, Selection, exists

if TYPE_CHECKING:
    from ...core.design.ways_out import Achieved

Severity = Literal["error", "warning", "note"]
BUILD: Final = "Track geometry"  # source of the problem that the track cannot be built
# the words in which messages of the track name their places
SECTION = re.compile(r"[Ss]ection '([^']+)'")
POINT = re.compile(r"point (\d+)")


@dataclass(frozen=True)
class Fix:
    """A known way out of a problem: what the undo step says, and the edit.

    measured: what it achieves, by the project before and after it; such a way out is tried before it is offered, and
    only if it is worth it. outcome: what came of that ("0.352 to 0.120 1/m"), known: what else, for who wants to know.
    """

    label: str
    edit: Callable[[Project], Project] = field(compare=False)
    measured: Callable[[Project, Project], Achieved] | None = field(default=None, compare=False)
    outcome: str = ""
    known: str = ""

    @property
    def text(self) -> str:
        """What the button says."""
        return f"{self.label}: {self.outcome}" if self.outcome else self.label


@dataclass(frozen=True)
class Problem:
    """Something to look at: how bad, one sentence, what it is about and where (s in m), who found it, and a way out."""

    severity: Severity
    text: str
    where: Selection | None = None
    s: float | None = None
    source: str = ""
    fix: Fix | None = None


def build_problem(project: Project, fault: str, good: BuiltTrack | None, source: str = BUILD) -> Problem:
    """The problem that a track cannot be built: its sentence, the section and point it names, and where that was in the
    last shape that could be built (`good`)."""
    where = _named(project, fault)
    return Problem("error", fault, None if where is NOTHING else where, _place(project, where, good), source)


def _named(project: Project, fault: str) -> Selection:
    """What a message about the track names: a point, else a section, else nothing."""
    section, point = SECTION.search(fault), POINT.search(fault)
    if section is None or project.track is None:
        return NOTHING
    name = section.group(1)
    if point is not None:
        found = Selection("points", (name,), (int(point.group(1)) - 1,))
        if exists(found, project):
            return found
    found = Selection("section", (name,))
    return found if exists(found, project) else NOTHING


def _place(project: Project, where: Selection, good: BuiltTrack | None) -> float | None:
    """Arc length (m) on the last good shape nearest to what is meant; None without either."""
    if good is None or not where.path or project.track is None:
        return None
    if where.kind == "points":
        point = section_points(section_named(project.track, where.path[0]))[where.indices[0]]
        s = np.linspace(0.0, good.length, 2001)
        away = np.linalg.norm(good.centreline.position(s) - np.asarray(point.position), axis=1)
        return float(s[int(np.argmin(away))])
    return next((span.s0 for span in good.sections if span.name == where.path[0]), None)
