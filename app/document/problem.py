"""Problems of a project: what is wrong, where it leads, and the way out where one is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ...core.base.errors import InputError
from ...core.base.finding import Finding, Severity, of_error
from ...core.base.sentence import say
from ...core.edits.places import section_named
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ...core.track.point_places import section_points
from .selection import Selection, selection_of

__all__ = ["BUILD", "Fix", "Problem", "Severity", "build_problem", "problem_of"]

if TYPE_CHECKING:
    from ...core.design.ways_out import Achieved

BUILD: Final = "Track geometry"  # source of the problem that the track cannot be built


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
        return (
            say("{label}: {outcome}", label=self.label, outcome=self.outcome) if self.outcome else self.label
        )


@dataclass(frozen=True)
class Problem:
    """A finding as the screen has it: how bad, one sentence, what it leads to and where (s in m), who found it, and a
    way out."""

    severity: Severity
    text: str
    where: Selection | None = None
    s: float | None = None
    source: str = ""
    fix: Fix | None = None


def problem_of(finding: Finding, project: Project, source: str, fix: Fix | None = None) -> Problem:
    """A finding of a project, with what it leads to there."""
    where = selection_of(finding.where, project)
    return Problem(finding.severity, finding.message, where, finding.s, source, fix)


def build_problem(
    project: Project, fault: InputError, good: BuiltTrack | None, source: str = BUILD
) -> Problem:
    """The problem that a track cannot be built: its sentence, the section or point it is about, and where that was in
    the last shape that could be built (`good`)."""
    found = problem_of(of_error("unbuilt", fault), project, source)
    return found if found.s is not None else replace(found, s=_place(project, found.where, good))


def _place(project: Project, where: Selection | None, good: BuiltTrack | None) -> float | None:
    """Arc length (m) on the last good shape nearest to what is meant; None without either."""
    if good is None or where is None or where.kind not in ("points", "section") or project.track is None:
        return None
    if where.kind == "points":
        point = section_points(section_named(project.track, where.path[0]))[where.indices[0]]
        s = np.linspace(0.0, good.length, 2001)
        away = np.linalg.norm(good.centreline.position(s) - np.asarray(point.position), axis=1)
        return float(s[int(np.argmin(away))])
    return next((span.s0 for span in good.sections if span.name == where.path[0]), None)
