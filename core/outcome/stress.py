"""Stress of flexible bodies over a run, from the stored participation of their modes; static load cases beside it.

Load cases are the practice that the transient is compared with (Blaauw, section 3): forces and moments at one interface
over the run, in the axes of the body; the box around them; its 64 corners, times a factor, as static loads with the
other interface clamped.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import rotation_matrix
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.flexible import Flexible, built_of
from ridewright.core.project.project import Project
from ridewright.core.results.results import Results
from ridewright.core.structure.stress import Superposition, corner_cases, held_under_loads, superposition

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BodyStress:
    """Stress of one flexible body over a run: time (n,) s, modal coordinates (n, modes) m."""

    results: Results
    flexible: Flexible
    time: Array
    modal: Array

    @cached_property
    def superposition(self) -> Superposition:
        """What each modal coordinate makes at every spot."""
        structure, pieces = built_of(self.flexible.description)
        return superposition(structure, pieces, self.flexible.floating.shapes)

    def loads(self, node: str) -> Array:
        """Forces (N) and moments (N m) on the body at an interface (n, 6), in the body's axes. Raises InputError when
        there is no such interface."""
        s, names = self.results.states, self.results.names
        joint = f"{self.flexible.name}/{node}"
        if joint not in names.joints:
            known = ", ".join(f"'{end.node}'" for end in self.flexible.ends)
            raise InputError(
                f"'{self.flexible.name}' has no interface at node '{node}'; it has some at {known}."
            )
        A = rotation_matrix(s.orientation[:, names.bodies.index(self.flexible.name)])
        on = -s.reactions[:, names.joints.index(joint)].reshape(-1, 2, 3)
        out: Array = np.einsum("nba,nkb->nka", A, on).reshape(-1, 6)
        return out

    def cases(self, loaded: str, clamped: str, factor: float = 1.0) -> LoadCases:
        """The 64 static load cases of an interface, with another one clamped. Raises InputError for the same one, or
        one that is not there."""
        if loaded == clamped:
            raise InputError(f"Interface '{loaded}' cannot be loaded and clamped; name two.")
        loads = self.loads(loaded)
        self.loads(clamped)
        structure, pieces = built_of(self.flexible.description)
        unit = superposition(structure, pieces, held_under_loads(structure, loaded, clamped))
        low, high = loads.min(axis=0), loads.max(axis=0)
        return LoadCases(low, high, factor * unit.envelope(corner_cases(low, high)).worst)


@dataclass(frozen=True)
class LoadCases:
    """Of static load cases: the box (6,) of forces (N) and moments (N m), largest von Mises stress (spots,) Pa."""

    low: Array
    high: Array
    worst: Array


def stress_of(results: Results) -> tuple[BodyStress, ...]:
    """The stress of every flexible body of a run. Raises InputError when it has none."""
    if not results.names.flexible:
        raise InputError("The run has no flexible body, and so no stress; give the results of one that has.")
    project = Project.model_validate(results.provenance["project"])
    speed = results.provenance.get("start_speed")
    found = {one.name: one for one in compile_system(project, speed=speed).flexible}
    out, first = [], 0
    for name, modes in results.names.flexible.items():
        if name not in found or len(found[name].floating.inertia) != modes:
            raise InputError(f"The run's flexible body '{name}' is not that of the project stored with it.")
        q = results.states.modal[:, first : first + modes]
        out.append(BodyStress(results, found[name], results.states.time, q))
        first += modes
    return tuple(out)
