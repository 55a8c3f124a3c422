"""A finished run, kept beside the project it was made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...core.base.evaluation import EvaluationOptions
from ...core.project.project import Project
from ...core.results.results import Results

if TYPE_CHECKING:
    from ...core.injury.history import History  # its package holds compiled kernels, slow to load


@dataclass(frozen=True, eq=False)
class Measured:
    """A measured ride: name of the file, the record in rider axes on its own clock, whose it is, and where it lies.

    rider "<car>/<occupant>"; part "head", "upper_torso" or "pelvis"; offset (s): simulated time = measured time +
    offset; match: how well it lies there, in words, "" when it was not laid over a run.
    """

    file: str
    history: History = field(repr=False)
    rider: str
    part: str
    offset: float = 0.0
    match: str = ""


@dataclass(frozen=True, eq=False)
class Run:
    """One run: its name, results, the project as it was, and the number of its colour among theme.series.

    measured: the record, for a measured ride, of which there are loads on a rider and no motion; file: where its
    results are kept, None while they are not.
    """

    name: str
    results: Results = field(repr=False)
    project: Project = field(repr=False)
    colour: int = 0
    measured: Measured | None = None
    file: Path | None = None

    @property
    def unsaved(self) -> bool:
        """Whether closing would lose results that nothing but riding again brings back."""
        return self.measured is None and self.file is None

    def judged_by(self, evaluation: EvaluationOptions) -> Project:
        """The project that was run, with riders judged as the open project says now: that needs no new run."""
        return self.project.model_copy(update={"evaluation": evaluation})

    @property
    def duration(self) -> float:
        """Time of the last stored instant (s)."""
        time = self.results.states.time if self.measured is None else self.results.sample_time
        return float(time[-1]) if len(time) else 0.0


def differs(a: Project, b: Project) -> bool:
    """Whether two projects would run differently: anything but name and notes."""
    return any(
        getattr(a, part) is not getattr(b, part) and getattr(a, part) != getattr(b, part)
        for part in ("track", "train", "scenario", "settings", "gravity")
    )
