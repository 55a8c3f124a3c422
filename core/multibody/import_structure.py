"""A structure of a finite-element program as a flexible body: read, checked, tied, reduced."""

from __future__ import annotations

import json
import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError
from scipy.sparse import csc_matrix, csr_matrix, diags

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.reading import read_file
from ..base.sentence import say
from ..model.assembly import Assembly
from ..model.flexible import FlexibleBody, Interface, Node
from ..model.placement import placed_model
from ..project.project import sentence
from ..structure.decks import PointMass
from ..structure.floating import Cloud, cloud_of_body, cloud_of_matrices, floating
from ..structure.matrices import FARTHEST, nodes_of, read_structure
from ..structure.meshes import Mesh, read_mesh, within
from ..structure.model import Structure, check_structure
from ..structure.nastran_results import FoundModes, read_op2_modes
from ..structure.reduction import Reduced, check_frames, craig_bampton
from ..structure.reduction_error import FoundMode, ModeError, beside, compared
from ..structure.solids import Material, structure_of
from ..structure.stiffening import Meshed
from ..structure.surface import points_of_nodes, surface_of_solid
from ..structure.ties import Tie, Tied, tie
from .flexible import imported_of

LARGEST = 16 * 10**6  # bytes of a list of interfaces
MAX_MODES = 60
SCALES = ((1000.0, "millimetres"), (100.0, "centimetres"), (1.0 / 0.0254, "inches"))
MIN_OFF = 5.0  # m: nearer, a node may be on a body
NEARER = 0.2  # of that distance, and of that of the bodies from the origin
HEAVIEST = 1e6  # kg
NO_LIST = "no list of interfaces; each needs a name, a position of three numbers and its nodes."


@dataclass(frozen=True)
class Source:
    """A structure that was read: by which files (words), its mesh where one is known, and modes that another program
    found for it, by their file."""

    whole: Structure
    words: str
    mesh: Mesh | None = None
    found: tuple[Path, FoundModes] | None = None


@dataclass(frozen=True)
class Made:
    """A flexible body, and what there is to say of it: unknowns before, first free frequency Hz, and where it was
    compared with the whole, the modes with its first interface held; those of another program; notes on what was read
    of a mesh and what was left out; by interface the mass (kg) and moment (kg m^2) that a body there has of it."""

    body: FlexibleBody
    unknowns: int
    first: float
    errors: tuple[ModeError, ...] = ()
    found: tuple[FoundMode, ...] = ()
    notes: tuple[str, ...] = ()
    hubs: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """Mass, size of the reduction, first frequency and what is drawn, as one line."""
        given = self.body.imported
        assert given is not None
        assert given.surface is not None
        drawn = (
            "with their stress"
            if given.surface.stressed
            else "without stress, for which a mesh is needed, and without geometric stiffening"
        )
        notes = "".join(f"; {note}" for note in self.notes)
        return (
            f"{self.body.name}: {self.body.mass():.6g} kg, {len(given.modal_mass)} modal coordinates of"
            f" {self.unknowns} unknowns, free modes from {self.first:.5g} Hz; {given.surface.points} nodes are drawn"
            f" {drawn}{notes}"
        )


def bodies_of(top: Assembly | None) -> dict[str, Vec3]:
    """The places (3,) m of the bodies of an assembly by their paths, in its frame."""
    if top is None:
        return {}
    drawn = placed_model(top)
    out = {}
    for path in drawn.bodies:
        x, y, z = drawn.position[path].tolist()
        out[path] = (x, y, z)
    return out


@dataclass(frozen=True)
class Wanted:
    """What is to be imported: a mesh with its material, or without one the matrices of stiffness and mass with their
    table of nodes; the list of interfaces, without one the ties of the mesh; body by interface; internal modes;
    name; whether the reduced body is compared with the whole; with matrices, a file of modes to compare with; places of
    bodies by name, to see that the structure is of their size; whether the material was asked for, which is refused
    where the mesh has its own."""

    file: Path
    material: Material | None
    mass: Path
    nodes: Path
    frames: Path | None
    joined: Mapping[str, str]
    modes: int
    name: str
    check: bool = False
    results: Path | None = None
    bodies: Mapping[str, Vec3] = field(default_factory=dict)
    asked: bool = False


def imported(wanted: Wanted) -> Made:
    """What is wanted, read and reduced. Raises InputError as `flexible_of` and what it reads."""
    if wanted.material is None:
        source = source_of_matrices(wanted.file, wanted.mass, wanted.nodes, wanted.results)
    elif wanted.results is not None:
        raise InputError(
            f"{wanted.results}: modes of another program are compared with its matrices; leave it out."
        )
    else:
        source = source_of_mesh(wanted.file, wanted.material)
        mesh = source.mesh
        if wanted.asked and mesh is not None and mesh.own == sum(map(len, mesh.solid.cells.values())):
            raise InputError(
                f"{wanted.file}: every element has a material of the file; leave the given one out, or take those of"
                " the file out of it."
            )
    made = flexible_of(source, wanted.frames, wanted.joined, wanted.modes, wanted.name, wanted.check)
    check_scale(made.body, wanted.bodies, str(wanted.file))
    return made


def check_scale(body: FlexibleBody, bodies: Mapping[str, Vec3], where: str) -> None:
    """Raise InputError for a structure of another unit of length, as the places of the bodies say that it is joined to,
    or its own mass."""
    joined = [(node.position, bodies[end.body]) for node in body.nodes for end in body.interfaces
              if end.node == node.name and end.body in bodies]  # fmt: skip
    if joined:
        at, there = (np.array(positions) for positions in zip(*joined, strict=True))

        def away(factor: float) -> float:
            return float(np.linalg.norm(at / factor - there, axis=1).max())

        off, (factor, unit) = away(1.0), min(SCALES, key=lambda scale: away(scale[0]))
        if off > MIN_OFF and away(factor) < NEARER * min(off, float(np.linalg.norm(there, axis=1).max())):
            raise InputError(
                say(
                    "{where}: its interfaces are up to {off:.4g m} from the bodies they are joined to, and would be"
                    " at them if its lengths were in {unit}; give it in metres.",
                    where=where,
                    off=off,
                    unit=unit,
                )
            )
    mass = body.mass()
    if not mass <= HEAVIEST:
        raise InputError(
            say(
                "{where}: weighs {mass:.3g kg}, which no structure of a ride does; its lengths may be"
                " in millimetres, or its density in other units.",
                where=where,
                mass=mass,
            )
        )


def source_of_matrices(stiffness: Path, mass: Path, nodes: Path, results: Path | None = None) -> Source:
    """A structure of matrices and a table of nodes, with modes of an op2 file. Raises InputError as `read_structure`
    and `read_op2_modes`."""
    found = None if results is None else (results, read_op2_modes(results, nodes_of(stiffness, nodes)[0]))
    return Source(read_structure(stiffness, mass, nodes), f"{stiffness.name}, {mass.name}", found=found)


def source_of_mesh(file: Path, material: Material) -> Source:
    """A mesh of solids with the masses at its nodes; material: where the file names none. Raises InputError naming the
    file, what is wrong in it and where."""
    mesh = read_mesh(file, material)
    try:
        whole = structure_of(mesh.solid)
        for fault in check_structure(whole):
            raise InputError(fault)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    weight: Array = np.zeros(whole.size)
    for at, one in mesh.masses:
        if isinstance(at, int):
            weight[whole.unknowns[at, :3]] += one.mass
    if weight.any():
        whole = replace(whole, M=csc_matrix(whole.M + diags(weight)))
    return Source(whole, file.name, mesh)


def flexible_of(
    source: Source,
    frames: Path | Sequence[Tie] | None,
    joined: Mapping[str, str],
    modes: int,
    name: str,
    check: bool = False,
    hub: float = 0.0,
) -> Made:
    """The structure reduced to the interfaces of a file, or to given ones, that bodies are joined to; without any, to
    the ties of its mesh.

    joined: body by interface; modes: internal ones that are kept; check: compare with the whole; hub: share of what
    moves with each interface that is taken out of the mass, for a body there (see `Made.hubs`). Raises InputError for
    an interface that is not there, one that cannot be tied, and what cannot be reduced.
    """
    if not 0 <= modes <= MAX_MODES:
        raise InputError(f"{modes} modes cannot be kept: must be from 0 to {MAX_MODES}.")
    ties, where = _wanted_ties(source, frames, joined)
    whole = source.whole
    try:
        bare = tie(whole, ties)
        check_frames(bare.structure, tuple(joined))
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    tied, cloud, carried = _carrying(bare, source, ties, {})
    s = tied.structure
    hubs: dict[str, tuple[float, float]] = {}
    try:
        reduced = craig_bampton(s, tuple(joined), modes, centrifugal=True)
        if hub:
            hubs = {of: _moves_with(reduced, of, hub) for of in joined}
            tied, cloud, carried = _carrying(bare, source, ties, hubs)
        mesh = None if source.mesh is None else Meshed(source.mesh.solid, whole, tied, tuple(ties), carried)
        made = floating(reduced, cloud, mesh=mesh)
    except InputError as error:
        raise InputError(f"{source.words}: {error}") from None
    shapes = tied.T[: whole.size] @ made.shapes
    moves = shapes[whole.unknowns[:, :3]]
    surface = (
        points_of_nodes(whole.nodes, moves)
        if source.mesh is None
        else surface_of_solid(source.mesh.solid, moves)
    )
    positions = {name: s.nodes[s.frames[name]] for name in joined}
    words = f"{source.words}: {whole.size} unknowns, {modes} internal modes"
    notes = () if source.mesh is None else _notes(source.mesh)
    words = "; ".join((words, *notes))
    try:
        body = FlexibleBody(
            name=name,
            nodes=tuple(Node(name=node, position=tuple(positions[node].tolist())) for node in joined),
            interfaces=tuple(Interface(node=node, body=at) for node, at in joined.items()),
            imported=imported_of(made, positions, words, surface),
        )
    except ValidationError as error:
        raise InputError(sentence(error, "import-structure")) from None
    errors = compared(s, made, next(iter(joined))) if check else ()
    first = float(made.speeds[0]) / math.tau
    return Made(body, whole.size, first, errors, _beside(source, shapes, first), notes, hubs)


def _moves_with(reduced: Reduced, frame: str, share: float) -> tuple[float, float]:
    """A share of the mass (kg) and moment of inertia (kg m^2) that move with a frame at least, whatever else does."""
    own = reduced.own(frame)
    least = np.linalg.inv(np.linalg.inv(reduced.M)[own, own])
    size = np.repeat([np.trace(least[:3, :3]), np.trace(least[3:, 3:])], 3) / 3.0
    scale = np.sqrt(np.outer(size, size))
    within_all = max(float(np.linalg.eigvalsh(least / scale)[0]), 0.0)
    return share * within_all * float(size[0]), share * within_all * float(size[3])


def _carrying(
    tied: Tied, source: Source, ties: Sequence[Tie], hubs: Mapping[str, tuple[float, float]]
) -> tuple[Tied, Cloud, dict[str, slice]]:
    """A tied structure and its mass with the masses of the mesh that are at frames of ties and without those of hubs
    (kg, kg m^2, by frame), and which points they are by the name of the tie as it is called here."""
    cloud = cloud_of_matrices(source.whole, tied.T[: source.whole.size])
    carried: dict[str, slice] = {}
    masses = [*_masses_at(source, ties)]
    masses += [
        (of, PointMass(0, -kg, tuple(-moment * np.eye(3).ravel()))) for of, (kg, moment) in hubs.items()
    ]
    for frame, one in sorted(masses, key=lambda mass: mass[0]):  # those of one tie after one another
        s = tied.structure
        body = cloud_of_body(s, s.frames[frame], one.mass, np.reshape(one.inertia, (3, 3)), one.arm)
        first = len(cloud.places)
        cloud = cloud.joined(body)
        before = carried.get(frame)
        carried[frame] = slice(first if before is None else before.start, len(cloud.places))
        each = csr_matrix(body.moves)
        M = sum(each[c::3].T @ body.mass @ each[c::3] for c in range(3))
        tied = replace(tied, structure=replace(s, M=csc_matrix(s.M + M)))
    return tied, cloud, carried


def _masses_at(source: Source, ties: Sequence[Tie]) -> Iterator[tuple[str, PointMass]]:
    """The masses of a mesh that are at ties, by the name that the tie has here."""
    for of, one in () if source.mesh is None else source.mesh.masses:
        if isinstance(of, int):
            continue
        mesh_tie = source.mesh.ties[of]  # type: ignore[union-attr]
        here = next((t for t in ties if t.place == mesh_tie.place and t.nodes == mesh_tie.nodes), None)
        if here is None:
            raise InputError(
                f"{one.words} is at '{of}', whose nodes another interface holds; join '{of}' itself, or take it out."
            )
        yield here.frame, one


def _notes(mesh: Mesh) -> tuple[str, ...]:
    """What there is to say of a mesh: its materials and masses, and what was left out of it."""
    out, elements = [], sum(map(len, mesh.solid.cells.values()))
    if mesh.own:
        named = dict.fromkeys(
            f"{one.E / 1e9:.4g} GPa, {one.density:.4g} kg/m³"
            for k, one in enumerate(mesh.solid.materials)
            if any((of == k).any() for of in mesh.solid.of.values())
        )
        share = "" if mesh.own == elements else f" of {mesh.own} of {elements} elements, the rest as given"
        out.append(f"materials of the file{share}: {' and '.join(named)}")
    if mesh.masses:
        total = sum(one.mass for _, one in mesh.masses)
        out.append(f"{len(mesh.masses)} masses of the file: {total:.6g} kg")
    if mesh.left_out:
        out.append(f"left out: {', '.join(mesh.left_out)}")
    return tuple(out)


def _beside(source: Source, shapes: Array, first: float) -> tuple[FoundMode, ...]:
    """Modes of another program beside what the body, of rigid motions and these shapes, can do."""
    if source.found is None:
        return ()
    file, found = source.found
    try:
        return beside(source.whole, np.hstack([source.whole.rigid_motions(), shapes]), first, found)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def listed_ties(source: Source, frames: Path | None) -> list[Tie]:
    """The interfaces of a file, without one the ties of the mesh. Raises InputError as `read_ties`."""
    if frames is not None:
        return read_ties(frames, source)
    return [] if source.mesh is None else list(source.mesh.ties.values())


def _wanted_ties(
    source: Source, frames: Path | Sequence[Tie] | None, joined: Mapping[str, str]
) -> tuple[list[Tie], str]:
    """Ties of interfaces that bodies are joined to, with those of the mesh that hold nodes together besides, and the
    file they come from."""
    of_mesh = {} if source.mesh is None else source.mesh.ties
    if frames is None and not of_mesh:
        raise InputError(f"{source.words}: has no ties to be its interfaces; give a list of interfaces.")
    path = frames if isinstance(frames, Path) else None
    listed = [*frames] if isinstance(frames, Sequence) else listed_ties(source, frames)
    where = source.words if path is None else str(path)
    ties = [one for one in listed if one.frame in joined]
    missing = next((name for name in joined if name not in [one.frame for one in ties]), None)
    if missing is not None:
        known = ", ".join(f"'{one.frame}'" for one in listed)
        raise InputError(
            f"{where}: there is no interface '{missing}' to join; name one that is there: {known}."
        )
    names, taken = {one.frame for one in ties}, {node for one in ties for node in one.nodes}
    heavy = set() if source.mesh is None else {at for at, _ in source.mesh.masses}
    for one in of_mesh.values():  # a list of interfaces goes before what the mesh says of the same nodes
        if (one.kind == "rigid" or one.frame in heavy) and taken.isdisjoint(one.nodes):
            ties.append(replace(one, frame=free_of(one.frame, names)))
    return ties, where


def free_of(name: str, taken: Container[str]) -> str:
    """A name, or one like it that is not taken."""
    while name in taken:
        name += "'"
    return name


def interfaces_in(file: Path) -> tuple[str, ...]:
    """The names of the interfaces of a file. Raises InputError when it has none that can be told."""
    return tuple(str(row["name"]) for row in _rows(file) if isinstance(row, dict) and "name" in row)


def _rows(file: Path) -> list[Any]:
    """What a list of interfaces lists."""
    try:
        data = json.loads(read_file(file, LARGEST, "a list of interfaces").decode("utf-8-sig"))
        return list(data["interfaces"] if isinstance(data, dict) else data)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{file}: {NO_LIST}") from error


def read_ties(file: Path, source: Source) -> list[Tie]:
    """The interfaces of a file. Raises InputError naming what is wrong in it."""
    try:
        out = []
        for row in _rows(file):
            if "coupling" in row:
                out.append(_of_mesh(file, row, source))
                continue
            x, y, z = (float(value) for value in row["position"])
            kind = "averaging" if str(row.get("tie", "rigid")).startswith("averaging") else "rigid"
            nodes = _tied_nodes(file, row, (x, y, z), source)
            out.append(Tie(str(row["name"]), (x, y, z), nodes, kind))  # type: ignore[arg-type]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError(f"{file}: {NO_LIST}") from error
    far = next((one for one in out if not max(map(abs, one.place)) < FARTHEST), None)
    if far is not None:
        raise InputError(
            say(
                "{file}: the position of '{frame}' is no place within {farthest:g m} of the origin.",
                file=file,
                frame=far.frame,
                farthest=FARTHEST,
            )
        )
    if len({one.frame for one in out}) < len(out):
        raise InputError(f"{file}: two interfaces have the same name; give each its own.")
    return out


def _of_mesh(file: Path, row: Any, source: Source) -> Tie:
    """An interface that is a tie of the mesh."""
    name, ties = str(row["name"]), {} if source.mesh is None else source.mesh.ties
    if str(row["coupling"]) not in ties:
        known = ", ".join(f"'{one}'" for one in ties) or "none"
        raise InputError(
            f"{file}: interface '{name}' is the coupling '{row['coupling']}' of the mesh, whose couplings are: {known}."
        )
    return replace(ties[str(row["coupling"])], frame=name)


def _tied_nodes(
    file: Path, row: Any, position: tuple[float, float, float], source: Source
) -> tuple[int, ...]:
    """The nodes of an interface: by number, by the name of a set of the mesh, or within so many metres of its place."""
    name, mesh = str(row["name"]), source.mesh
    ways = [way for way in ("nodes", "set", "within") if way in row]
    if len(ways) != 1:
        raise InputError(
            f"{file}: interface '{name}' needs one of 'nodes', 'set' and 'within' to say what it holds, or 'coupling'."
        )
    if ways == ["within"]:
        return tuple(within(source.whole.nodes, position, float(row["within"])).tolist())
    if ways == ["set"]:
        sets = {} if mesh is None else mesh.sets
        if row["set"] not in sets:
            known = ", ".join(f"'{one}'" for one in sets) or "none"
            raise InputError(
                f"{file}: interface '{name}' is tied to set '{row['set']}', and the sets of the mesh are: {known}."
            )
        return tuple(sets[row["set"]].tolist())
    numbers = tuple(int(node) for node in row["nodes"])
    if mesh is None:
        return numbers
    lost = next((n for n in numbers if not 0 <= n < len(mesh.from_file) or mesh.from_file[n] < 0), None)
    if lost is not None:
        raise InputError(
            f"{file}: interface '{name}' is tied to node {lost}, which no element of the mesh has; nodes are counted"
            f" from 0, in the order of the file, to {len(mesh.from_file) - 1}."
        )
    return tuple(int(mesh.from_file[n]) for n in numbers)
