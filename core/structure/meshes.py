"""Meshes of solids from files of Gmsh, Abaqus, CalculiX, Nastran and others that meshio reads, checked with places."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.reading import read_file
from .matrices import FARTHEST, MOST
from .mesh_ties import FileTie, one_block_of_nodes, ties_in
from .model import Array, Ints
from .solids import KINDS, Material, Solid, needed
from .ties import Tie

LARGEST = 512 * 10**6  # bytes of a mesh file that is read
FORMATS = {
    ".inp": "abaqus",
    ".msh": "gmsh",
    ".bdf": "nastran",
    ".nas": "nastran",
    ".vtu": "vtu",
    ".vtk": "vtk",
}
LINEAR = ("tetra", "hexahedron", "wedge", "pyramid")
LARGE = 500.0  # m: no structure of a ride, but one of half a metre in millimetres
SMALL = 5e-3  # m: no structure of a ride, but one of five metres in kilometres
LEAST_E, MOST_E = 1e8, 2e12  # Pa
LEAST_DENSITY, MOST_DENSITY = 10.0, 3e4  # kg/m^3


@dataclass(frozen=True)
class Mesh:
    """A solid, and nodes by the names of sets in its file. from_file (n,): which node each of the file became, -1 for
    one without elements; ties: those of the file, by name."""

    solid: Solid
    sets: dict[str, Ints] = field(default_factory=dict)
    from_file: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    ties: Mapping[str, Tie] = field(default_factory=dict)


def read_mesh(file: Path, material: Material) -> Mesh:
    """A mesh of second-order tetrahedra and hexahedra, lengths in m.

    Nodes without elements are left out. Raises InputError naming the file and the fault: unreadable, no solids,
    elements of first order, places that are none, other units of length or material, ties that are not read.
    """
    check_material(material)
    form, text = _text_of(file)
    tied = ties_in(file, form, text)
    found = _read(file, form, text)
    points = np.asarray(found.points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 3 or not np.all(np.abs(points) < FARTHEST):
        raise InputError(
            f"{file}: a node has no place within {FARTHEST:g} m of the origin; give x, y and z in metres."
        )
    cells = _cells(file, found, len(points))
    used = np.unique(np.concatenate([c.ravel() for c in cells.values()]))
    if 3 * len(used) > MOST:
        raise InputError(
            f"{file}: {3 * len(used)} unknowns are more than can be reduced here ({MOST}); mesh it more coarsely."
        )
    number = np.full(len(points), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    solid = Solid(points[used], {kind: number[c] for kind, c in cells.items()}, material, used)
    _check_size(file, solid)
    ties = {one.name: _tie(file, one, points, number) for one in tied}
    return Mesh(solid, _sets(found, number), number, ties)


def tie_names(file: Path) -> tuple[str, ...]:
    """The names of the ties of a mesh file, which can be its interfaces. Raises InputError as `read_mesh`."""
    return tuple(one.name for one in ties_in(file, *_text_of(file)))


def _text_of(file: Path) -> tuple[str, str]:
    """The format of a mesh file and what stands in it."""
    form = _form(file)
    return form, read_file(file, LARGEST, "a mesh").decode("latin-1").replace("\r\n", "\n")


def _tie(file: Path, one: FileTie, points: Array, number: Ints) -> Tie:
    """A tie of the file, of the nodes of elements. Raises InputError for others."""
    lost = next((node for node in one.nodes if number[node] < 0), None)
    if lost is not None:
        where = ", ".join(f"{x:.4g}" for x in points[lost])
        raise InputError(
            f"{file}: line {one.line}: {one.name} ties a node at ({where}) m, which no element has; take it out."
        )
    own = int(number[one.reference])
    nodes = dict.fromkeys(int(number[node]) for node in one.nodes)
    if own >= 0 and one.kind == "averaging":
        raise InputError(
            f"{file}: line {one.line}: {one.name} moves a node of an element; give the mean a node of its own."
        )
    if own >= 0:
        nodes[own] = None
    weights = one.weights if len(nodes) == len(one.nodes) else ()
    x, y, z = (float(c) for c in points[one.reference])
    return Tie(one.name, (x, y, z), tuple(nodes), one.kind, weights)


def check_material(material: Material) -> None:
    """Raise InputError for figures that no material has, as other units make them."""
    if not LEAST_E <= material.E <= MOST_E:
        raise InputError(
            f"Young's modulus {material.E:g} Pa: must be from {LEAST_E:g} to {MOST_E:g} Pa; steel has 2.1e11 (210,000"
            " MPa)."
        )
    if not 0.0 <= material.poisson < 0.5:
        raise InputError(f"Poisson's ratio {material.poisson:g}: must be from 0 to below 0.5; steel has 0.3.")
    if not LEAST_DENSITY <= material.density <= MOST_DENSITY:
        raise InputError(
            f"Density {material.density:g} kg/m^3: must be from {LEAST_DENSITY:g} to {MOST_DENSITY:g}; steel has 7850"
            " (7.85e-9 t/mm^3)."
        )


def _form(file: Path) -> str:
    """The format that meshio calls a file's. Raises InputError for another."""
    form = FORMATS.get(file.suffix.lower())
    if form is None:
        raise InputError(
            f"{file}: meshes are read from files ending in {', '.join(FORMATS)}; export it as one of them."
        )
    return form


def _read(file: Path, form: str, text: str) -> Any:
    """The file by meshio, which ends the program, or says anything, over a file that it cannot read."""
    needed("meshio")
    import meshio

    # of several blocks of nodes meshio keeps the last
    source = io.StringIO(one_block_of_nodes(text)) if form == "abaqus" else file
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return meshio.read(source, form)
    except MemoryError:
        raise InputError(f"{file}: says that it holds more than fits into memory; export it again.") from None
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split())[:80] if isinstance(error, meshio.ReadError) else ""
        raise InputError(
            f"{file}: this is no readable {form} mesh{f' ({said})' if said else ''}; it is damaged or another format,"
            " export it again."
        ) from None


def _cells(file: Path, found: Any, count: int) -> dict[str, Ints]:
    kinds: dict[str, list[Ints]] = {}
    for block in found.cells:
        kinds.setdefault(block.type, []).append(np.asarray(block.data, dtype=np.int64))
    solids = {kind: np.concatenate(blocks) for kind, blocks in kinds.items() if kind in KINDS}
    first_order = next((kind for kind in kinds if kind in LINEAR), None)
    if first_order is not None:
        raise InputError(
            f"{file}: has elements of kind {first_order}, which bend far too stiffly or are not known; mesh it with"
            " tetrahedra of 10 or hexahedra of 20 or 27 nodes."
        )
    if not sum(map(len, solids.values())):
        has = ", ".join(kinds) or "none"
        raise InputError(
            f"{file}: has no solid elements (found: {has}); mesh it with tetrahedra of 10 or hexahedra of 20 or 27"
            " nodes."
        )
    for kind, cells in solids.items():
        bad = np.flatnonzero((cells < 0).any(axis=1) | (cells >= count).any(axis=1))
        if len(bad):
            raise InputError(
                f"{file}: element {bad[0] + 1} of kind {kind} has a node that is not in the file; export mesh and nodes"
                " together."
            )
    return solids


def _check_size(file: Path, solid: Solid) -> None:
    extent = np.ptp(solid.nodes, axis=0)
    if not SMALL < extent.max() < LARGE:
        thousand = "millimetres" if extent.max() >= LARGE else "kilometres"
        size = " x ".join(f"{x:.4g}" for x in extent)
        raise InputError(
            f"{file}: the structure is {size} m large, as if its lengths were in {thousand}; give them in metres."
        )


def _sets(found: Any, number: Ints) -> dict[str, Ints]:
    """Nodes by name: sets of nodes, and those of the named groups of Gmsh."""
    out = {}
    for name, nodes in (found.point_sets or {}).items():
        at = np.unique(number[np.asarray(nodes, dtype=np.int64)])
        out[str(name)] = at[at >= 0]
    tags = found.cell_data.get("gmsh:physical", []) if found.cell_data else []
    names = {int(tag): str(name) for name, (tag, _) in (found.field_data or {}).items()}
    for block, tagged in zip(found.cells, tags, strict=False):
        for tag in np.unique(tagged):
            if int(tag) in names:
                at = np.unique(number[np.asarray(block.data)[np.asarray(tagged) == tag]])
                known = out.get(names[int(tag)], np.zeros(0, dtype=np.int64))
                out[names[int(tag)]] = np.union1d(known, at[at >= 0])
    return out


def within(nodes: Array, place: tuple[float, float, float], reach: float) -> Ints:
    """The nodes (numbers) that lie within a reach (m) of a place (3,) m."""
    out: Ints = np.flatnonzero(np.linalg.norm(nodes - np.asarray(place), axis=1) <= reach)
    return out
