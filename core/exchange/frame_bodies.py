"""Bodies of a finished frame: meshes of solids, reduced to the nodes that they are joined to, and matrices.

    mesh, name, file[, E, nu, density]     .inp, .msh, .bdf or .vtu in m, beside the table; where it names no material
    tie, mesh, node, reach                 all of its nodes within so many metres of a node of the frame move with that
    body, name, node, node, ...            or: what another program has condensed
    stiffness, body, figures of a row      N/m and with rad: six for each node in its order, then its own coordinates
    mass, body, figures of a row           kg and with m

A mesh is reduced as Craig & Bampton (1968) do: how it gives between its ties is exact, its lowest modes with these held
and what its own weight and inertia bend are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..structure.meshes import read_mesh, within
from ..structure.model import check_structure
from ..structure.reduction import craig_bampton
from ..structure.solids import Material, structure_of
from ..structure.ties import Tie, tie

KINDS = ("mesh", "tie", "body", "stiffness", "mass")
KEPT = 8  # modes of a mesh with its ties held
Place = tuple[float, float, float]


@dataclass
class Bodies:
    """Records of bodies as they are read: the file and material of each mesh, its ties, nodes and rows of matrices."""

    folder: Path
    meshes: dict[str, tuple[str, Path, Material]] = field(default_factory=dict)
    ties: dict[str, list[tuple[str, float]]] = field(default_factory=dict)
    nodes: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[tuple[str, str], list[list[float]]] = field(default_factory=dict)

    def take(self, cells: Sequence[str], number: Callable[[str], float], place: str) -> None:
        """A record. number: of a cell. Raises InputError for what is none."""
        kind, names = cells[0].lower(), cells[1:]
        if len(names) < 2 or not all(names[:2]):
            raise InputError(f"{place}: a {kind} has a name and more behind it; found {len(names)} cells.")
        name, rest = names[0], list(names[1:])
        if kind == "body":
            self.nodes[name] = rest
        elif kind in ("stiffness", "mass"):
            self.rows.setdefault((kind, name), []).append([number(one) for one in rest])
        elif kind == "tie":
            if len(rest) != 2:
                raise InputError(f"{place}: a tie has the names of mesh and node, and its reach in m.")
            self.ties.setdefault(name, []).append((rest[0], number(rest[1])))
        else:
            figures = [number(one) for one in rest[1:]]
            if len(figures) > 3:
                raise InputError(f"{place}: behind its file a mesh has at most E, nu and density.")
            given = dict(zip(("E", "poisson", "density"), figures, strict=False))
            self.meshes[name] = (place, self.folder / rest[0], Material(**given))

    def data(self, places: Mapping[str, Place]) -> list[dict[str, Any]]:
        """The fields of all bodies; places: of the frame's nodes. Raises InputError for a mesh that is not read, and
        where one is not there that is named."""
        named = {*self.ties, *(name for _, name in self.rows)}
        for name in sorted(named - {*self.meshes, *self.nodes}):
            raise InputError(f"There is no mesh or body '{name}'; add its record.")
        made = [self._reduced(name, *one, places) for name, one in self.meshes.items()]
        return made + [
            {"name": name, "nodes": nodes, **{kind: self.rows.get((kind, name), []) for kind in ("stiffness", "mass")}}
            for name, nodes in self.nodes.items()
        ]  # fmt: skip

    def _reduced(
        self, name: str, place: str, file: Path, material: Material, places: Mapping[str, Place]
    ) -> dict[str, Any]:
        """A mesh in the unknowns of the nodes that it is tied to."""
        ties = self.ties.get(name, [])
        if not ties:
            raise InputError(f"{place}: the mesh '{name}' is tied to nothing; add: tie, {name}, node, reach.")
        if len({node for node, _ in ties}) < len(ties):
            raise InputError(f"{place}: the mesh '{name}' is tied to a node twice; keep one of both.")
        solid = read_mesh(file, material).solid
        try:
            whole = structure_of(solid)
            for fault in check_structure(whole):
                raise InputError(fault)
            made = tie(whole, [self._tie(solid.nodes, node, reach, places) for node, reach in ties]).structure
            reduced = craig_bampton(made, [node for node, _ in ties], KEPT)
        except InputError as error:
            raise InputError(f"{file}: {error.said}") from None
        return {
            "name": name, "nodes": [node for node, _ in ties], "stiffness": reduced.K.tolist(),
            "mass": reduced.M.tolist(),
        }  # fmt: skip

    def _tie(self, nodes: np.ndarray, node: str, reach: float, places: Mapping[str, Place]) -> Tie:
        if node not in places:
            raise InputError(f"it is tied to the node '{node}', which the frame has not; add it.")
        near = within(nodes, places[node], reach)
        return Tie(node, places[node], tuple(near.tolist()))
