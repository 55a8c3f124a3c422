"""A finished run, kept beside the project it was made from."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.project import Project
from core.results import Results


@dataclass(frozen=True, eq=False)
class Run:
    """One run: its name, results, the project as it was, and the number of its colour among theme.series.

    measured: a measured ride, of which there are loads on a rider and no motion.
    """

    name: str
    results: Results = field(repr=False)
    project: Project = field(repr=False)
    colour: int = 0
    measured: bool = False

    @property
    def duration(self) -> float:
        """Time of the last stored instant (s)."""
        time = self.results.states.time
        return float(time[-1]) if len(time) else 0.0


def differs(a: Project, b: Project) -> bool:
    """Whether two projects would run differently: anything but name and notes."""
    return any(
        getattr(a, part) is not getattr(b, part) and getattr(a, part) != getattr(b, part)
        for part in ("track", "train", "scenario", "settings", "gravity")
    )
