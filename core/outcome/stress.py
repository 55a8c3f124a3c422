"""Stress of flexible bodies over a run, from the stored participation of their modes; static load cases beside it.

Load cases are the practice that the transient is compared with (Blaauw, section 2): forces and moments at one interface
over the run, or over that of the same ride with the body rigid, in the axes of the body; the box around them; its 64
corners, times a factor, as static loads with the other interface clamped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..model.flexible import FlexibleBody
from ..model.frame_checks import beam_faults
from ..multibody.compile import compile_system
from ..multibody.flexible import Flexible, built_of, surface_of
from ..project.project import parse_project
from ..results.results import Results
from ..structure.beams import lines
from ..structure.skin import Skin, skin_at_rest, skin_of
from ..structure.stress import (
    Envelope,
    Superposition,
    corner_cases,
    held_under_loads,
    superposition,
)
from ..structure.surface import Surface
from .rigid import RigidRun

AT_ONCE = 2_000_000  # points times instants whose stress is looked at together
FRAMES = 3  # interfaces of a body between which load cases are made
WITHOUT_ELEMENTS = "it was imported as matrices, without elements; import its mesh"


@dataclass(frozen=True)
class Where:
    """Where a spot is: on which beam or at which node, where there, and its place (3,) m as drawn."""

    part: str
    there: str
    place: tuple[float, float, float]


@dataclass(frozen=True)
class BodyStress:
    """Stress of one flexible body over a run: time (n,) s, modal coordinates (n, modes) m."""

    results: Results
    flexible: Flexible
    time: Array
    modal: Array

    def __repr__(self) -> str:
        return f"BodyStress({self.flexible.name!r}, {len(self.time)} instants, {self.modal.shape[1]} coordinates)"

    @cached_property
    def superposition(self) -> Superposition | Surface:
        """What each modal coordinate makes at every spot of beams, or node of an imported surface. Raises InputError
        for an imported structure without elements."""
        description = self.flexible.description
        if description.imported is None:
            structure, pieces = built_of(description)
            return superposition(structure, pieces, self.flexible.floating.shapes)
        if not self.known:
            raise InputError(f"'{self.flexible.name}' has no stress: {WITHOUT_ELEMENTS}.")
        return surface_of(description.imported)

    @cached_property
    def outside(self) -> Skin | Surface | None:
        """What is drawn of it, see `outside`."""
        return outside(self.flexible.description, self.flexible.floating.shapes)

    @property
    def known(self) -> bool:
        """Whether its stress is known."""
        given = self.flexible.description.imported
        return given is None or (given.surface is not None and given.surface.stressed)

    @property
    def signed(self) -> str:
        """What the range over time is of: the normal stress of beams, von Mises stress of solids with a sign."""
        return "normal" if self.flexible.description.imported is None else "signed von Mises"

    @property
    def places(self) -> Array:
        """Places (spots, 3) m as drawn."""
        found = self.superposition
        if isinstance(found, Superposition):
            return np.array([spot.place for spot in found.spots])
        return found.points.astype(np.float64)

    def spot(self, k: int) -> Where:
        """Where a spot is."""
        found = self.superposition
        if not isinstance(found, Superposition):
            x, y, z = (float(c) for c in found.points[k])
            return Where(f"node {found.labels[k]}", f"{x:.4g}, {y:.4g}, {z:.4g} m", (x, y, z))
        spot = found.spots[k]
        beam = self.flexible.description.beams[spot.beam]
        signs = " ".join("+" if sign > 0 else "-" for sign in spot.corner)
        return Where(f"{beam.start} - {beam.end}", f"at {spot.along:.3g} m, {signs}", spot.place)

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

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Interfaces between which load cases are made, the loaded one first: those of a body with few."""
        return tuple(permutations([end.node for end in self.flexible.ends][:FRAMES], 2))

    def cases(
        self, loaded: str, clamped: str, factor: float = 1.0, rigid: RigidRun | None = None
    ) -> LoadCases:
        """The 64 static load cases of an interface, with another one clamped; rigid: the run whose forces are taken in
        place of the body's own. Raises InputError for the same one, or one that is not there."""
        if loaded == clamped:
            raise InputError(f"Interface '{loaded}' cannot be loaded and clamped; name two.")
        loads = self.loads(loaded)
        self.loads(clamped)
        if rigid is not None:
            loads = rigid.loads(self.flexible.name, loaded)
        low, high = loads.min(axis=0), loads.max(axis=0)
        corners = corner_cases(low, high)
        description = self.flexible.description
        if description.imported is not None:
            # exact: its modes span all unit motions of its interfaces
            units = self.flexible.floating.held_under_loads(loaded, clamped)
            worst = self.superposition.envelope(corners @ units.T).worst
            return LoadCases(loaded, clamped, factor, low, high, factor * worst)
        unit, _ = self._under_loads(loaded, clamped)
        return LoadCases(loaded, clamped, factor, low, high, factor * unit.envelope(corners).worst)

    def worst_outside(self, envelope: Envelope) -> Array:
        """Largest von Mises stress (points,) Pa of the run at the points of `outside`; envelope: of its spots, which
        those points are where it is imported."""
        skin = self.outside
        if not isinstance(skin, Skin):
            return envelope.worst
        out: Array = np.zeros(len(skin.points))
        each = max(1, AT_ONCE // len(out))
        for first in range(0, len(self.modal), each):
            out = np.maximum(out, skin.von_mises(self.modal[first : first + each].T).max(axis=1))
        return out

    def cases_outside(self, cases: LoadCases) -> Array:
        """Largest von Mises stress (points,) Pa of its load cases at the points of `outside`."""
        description = self.flexible.description
        if description.imported is not None:
            return cases.worst
        _, skin = self._under_loads(cases.loaded, cases.clamped)
        corners = corner_cases(cases.low, cases.high)
        return np.asarray(cases.factor * skin.von_mises(corners.T).max(axis=1), dtype=np.float64)

    @cached_property
    def _units(self) -> dict[tuple[str, str], tuple[Superposition, Skin]]:
        return {}

    def _under_loads(self, loaded: str, clamped: str) -> tuple[Superposition, Skin]:
        """Beams under unit forces and moments (6) at one interface with another one clamped: stress at their spots, and
        their skin. The table of load cases and their picture ask for the same."""
        if (loaded, clamped) not in self._units:
            description = self.flexible.description
            structure, pieces = built_of(description)
            units = held_under_loads(structure, loaded, clamped)
            stress = superposition(structure, pieces, units)
            rounded = [beam.section.shape == "tube" for beam in description.beams]
            self._units[loaded, clamped] = stress, skin_of(structure, pieces, units, rounded, stress)
        return self._units[loaded, clamped]


@dataclass(frozen=True)
class LoadCases:
    """Of static load cases: the interface that is loaded, the one that is clamped, the factor, the box (6,) of forces
    (N) and moments (N m) without it, largest von Mises stress (spots,) Pa with it."""

    loaded: str
    clamped: str
    factor: float
    low: Array
    high: Array
    worst: Array


def outside(description: FlexibleBody, shapes: Array | None) -> Skin | Surface | None:
    """The outside of a body under modal coordinates whose displacements are `shapes` (unknowns, modes); without any, of
    a frame the beams that can be drawn, whether the whole can be built or not. None for one that was imported before
    nodes were kept, and where no beam can be drawn. Raises InputError for what cannot be built."""
    if description.imported is not None:
        return surface_of(description.imported) if description.imported.surface is not None else None
    rounded = [beam.section.shape == "tube" for beam in description.beams]
    if shapes is not None:
        return skin_of(*built_of(description), shapes, rounded)
    faulty = beam_faults(description)
    kept = [k for k in range(len(rounded)) if k not in faulty]
    if not kept:
        return None
    nodes = {node.name: node.position for node in description.nodes}
    drawn = lines(nodes, [description.beams[k].made() for k in kept])
    skin = skin_at_rest(drawn, [rounded[k] for k in kept])
    return replace(skin, beams=np.array(kept)[skin.beams])


def stress_of(results: Results) -> tuple[BodyStress, ...]:
    """The stress of every flexible body of a run. Raises InputError when it has none, and when its modal coordinates or
    the project stored with it are damaged."""
    if not results.names.flexible:
        raise InputError("The run has no flexible body, and so no stress; give the results of one that has.")
    project = parse_project(results.provenance.get("project"), "the project stored with the run")
    speed = results.provenance.get("start_speed")
    found = {one.name: one for one in compile_system(project, speed=speed).flexible}
    modal, out, first = results.states.modal, [], 0
    wanted = sum(results.names.flexible.values())
    if modal.shape != (len(results.states.time), wanted):
        raise InputError(
            f"The run has {' by '.join(map(str, modal.shape))} modal coordinates where its {len(found)} flexible bodies"
            f" have {len(results.states.time)} by {wanted}; it is damaged, simulate it again."
        )
    if not np.isfinite(modal).all():
        raise InputError(
            "The run has modal coordinates that are no finite numbers; it is damaged, simulate it again."
        )
    for name, modes in results.names.flexible.items():
        if name not in found or len(found[name].floating.inertia) != modes:
            raise InputError(f"The run's flexible body '{name}' is not that of the project stored with it.")
        q = modal[:, first : first + modes]
        out.append(BodyStress(results, found[name], results.states.time, q))
        first += modes
    return tuple(out)
