"""Couplings of a train: their forces, extensions and angles over the ride."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array
from ..project.project import Project
from ..results.results import Results
from .chart import Level
from .recipe import Recipe, Source

MANY = 6  # couplings, more are told apart in the map of forces only
#: key of the channel, title, unit, quantity, and the field of a coupling that bounds it with its word.
SIGNALS = (
    ("force", "Force, tension positive", "N", "force", ("rating", "rated")),
    ("extension", "Extension beyond the free length", "m", "extension", None),
    ("yaw_i", "Swing against the rear car, to the left", "rad", "angle", ("swing", "free")),
)


def coupling_names(project: Project, results: Results) -> tuple[str, ...]:
    """The couplings of a run from the front."""
    every = () if project.train is None else tuple(one.name for one in project.train.couplings)
    return tuple(name for name in every if f"coupling/{name}/force" in results.channels)


def coupling_recipes(project: Project, names: tuple[str, ...]) -> tuple[Recipe, ...]:
    """Plots of couplings, with rated forces and free swing where they have some.

    Parameters
    ----------
    project
        Whose train it is.
    names
        Of the couplings.

    Returns
    -------
    Force, extension and swing, as recipes for any number of runs.
    """
    return tuple(
        Recipe(
            key, title, unit,
            tuple(Source(f"coupling/{name}/{key}", 0, name if len(names) > 1 else "") for name in names),
            quantity, levels=() if bound is None else _levels(project, *bound),
        )
        for key, title, unit, quantity, bound in SIGNALS
    )  # fmt: skip


def few(names: tuple[str, ...]) -> tuple[str, ...]:
    """Couplings that curves can tell apart: of a longer train the first, the middle and the last."""
    return names if len(names) <= MANY else (names[0], names[len(names) // 2], names[-1])


def _levels(project: Project, field: str, word: str) -> tuple[Level, ...]:
    assert project.train is not None
    found = {getattr(one, field) for one in project.train.couplings} - {None}
    return tuple(Level(s * v, word if s > 0.0 else "") for v in sorted(found) for s in (1.0, -1.0))


@dataclass(frozen=True, eq=False)
class CouplingForces:
    """Forces (k, n) N of couplings by name, tension positive, at times (n,) s."""

    names: tuple[str, ...]
    time: Array
    force: Array

    @classmethod
    def of(cls, results: Results, names: tuple[str, ...]) -> CouplingForces:
        """Those of a run."""
        force = np.stack([results.channels[f"coupling/{name}/force"].values for name in names])
        return cls(names, results.sample_time, force)

    @property
    def most(self) -> float:
        """The largest force (N) of all."""
        return float(np.abs(self.force).max(initial=0.0))

    def peak(self, row: int, tension: bool) -> int:
        """Sample of the largest tension or compression of a coupling."""
        values = self.force[row]
        return int(np.argmax(values) if tension else np.argmin(values))

    def largest(self) -> tuple[int, int]:
        """Coupling and sample of the largest force of all."""
        row = int(np.argmax(np.abs(self.force).max(axis=1)))
        return row, int(np.argmax(np.abs(self.force[row])))
