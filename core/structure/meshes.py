"""Meshes of solids from files of Gmsh, Abaqus, CalculiX, Nastran and others that meshio reads, checked with places."""

from __future__ import annotations

import contextlib
import io
import lzma
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import ParseError, fromstring

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.reading import natural, read_file
from ..base.sentence import say
from .abaqus_deck import read_abaqus
from .decks import Contents, Deck, FileMaterial, FileTie, PointMass
from .matrices import FARTHEST, MAX_UNKNOWNS
from .nastran_deck import read_nastran
from .solids import KINDS, Material, Solid, needed
from .ties import Tie

MAX_OPENED = 2 * 10**9  # bytes
PIECE = 1 << 20  # bytes that are opened at once
HEADERS = {"UInt32": 4, "UInt64": 8, "Int32": 4, "Int64": 8}


def check_vtu(file: Path, content: bytes) -> None:
    """Raise InputError for a file whose packed arrays open to more than `MAX_OPENED` bytes, or that has entities."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise InputError(f"{file}: defines entities, which no mesh does; export it again.")
    raw = re.search(rb"<AppendedData[^>]*encoding\s*=\s*.raw[^>]*>\s*_", content)
    end = content.rfind(b"</AppendedData>")
    try:
        root = fromstring(content if raw is None else content[: raw.end()] + content[end:])
    except ParseError:
        return  # meshio says what is wrong
    packed = root.get("compressor")
    if packed is None:
        return
    width = HEADERS.get(root.get("header_type", "UInt32"), 4)
    big = root.get("byte_order") == "BigEndian"
    coded = "".join((root.findtext("AppendedData") or "").split())[1:].encode("ascii", "replace")
    opened = 0
    for array in root.iter("DataArray"):
        data = "".join((array.text or "").split()).encode("ascii", "replace")
        if array.get("format") == "appended":
            first = natural(array.get("offset", "").strip()) or 0
            data = coded[first:] if raw is None else content[raw.end() + first : end]
        elif array.get("format") != "binary":
            continue
        plain = array.get("format") == "appended" and raw is not None
        for block in _blocks(data, width, big, plain):
            opened += _opened(block, packed == "vtkLZMADataCompressor", MAX_OPENED - opened)
            if opened > MAX_OPENED:
                raise InputError(
                    f"{file}: its arrays open to more than {MAX_OPENED / 1e9:g} GB; this is not a mesh that can be"
                    " reduced here."
                )


def _blocks(data: bytes, width: int, big: bool, plain: bool) -> Iterator[bytes]:
    """The blocks of an array that begins with its table: number of blocks, two sizes, packed size of each; plain: as
    they are, not as base64."""

    def cut(text: bytes, first: int, size: int) -> bytes:
        return (
            text[first : first + size]
            if plain
            else b64decode(text[first : first + 4 * ((size + 2) // 3)])[:size]
        )

    def number(k: int) -> int:
        return int.from_bytes(table[width * k : width * (k + 1)], "big" if big else "little")

    try:
        table = cut(data, 0, width)
        count = number(0)
        if count > len(data):
            return
        long = width * (3 + count)
        table = cut(data, 0, long)
        sizes = [number(k) for k in range(3, 3 + count)]
        body = cut(data, long if plain else 4 * ((long + 2) // 3), sum(sizes))
    except ValueError:
        return  # meshio says what is wrong
    at = 0
    for size in sizes:
        yield body[at : at + size]
        at += size


def _opened(block: bytes, by_lzma: bool, maximum: int) -> int:
    """How many bytes a block opens to, counted until there are more than `maximum`."""
    total = 0
    try:
        if by_lzma:
            lz = lzma.LZMADecompressor(memlimit=MAX_OPENED)
            data = lz.decompress(block, PIECE)
            while data and total <= maximum:
                total += len(data)
                data = b"" if lz.eof else lz.decompress(b"", PIECE)
            return total
        z = zlib.decompressobj()
        data = z.decompress(block, PIECE)
        while data and total <= maximum:
            total += len(data)
            data = z.decompress(z.unconsumed_tail, PIECE)
    except (zlib.error, lzma.LZMAError, EOFError, ValueError):
        pass  # meshio says what is wrong
    return total


LARGEST = 512 * 10**6  # bytes of a mesh file that is read
FORMATS = {
    ".inp": "abaqus",
    ".msh": "gmsh",
    ".bdf": "nastran",
    ".nas": "nastran",
    ".vtu": "vtu",
    ".vtk": "vtk",
}
SOLID = ("tetra", "hexahedron", "wedge", "pyramid", "polyhedron", "VTK_LAGRANGE_")
LINEAR = ("tetra", "hexahedron", "wedge", "pyramid")
LARGE = 500.0  # m: no structure of a ride, but one of half a metre in millimetres
SMALL = 5e-3  # m: no structure of a ride, but one of five metres in kilometres
MIN_E, MAX_E = 1e8, 2e12  # Pa
MIN_DENSITY, MAX_DENSITY = 10.0, 3e4  # kg/m^3


@dataclass(frozen=True)
class Mesh:
    """A solid, and nodes by the names of sets in its file. from_file (n,): which node each of the file became, -1 for
    one without elements; ties: those of the file, by name; masses: those of the file at a node of the solid, or by the
    name of the tie that is about their node; own: how many elements have a material of the file; left_out: what the
    file has besides, in words."""

    solid: Solid
    sets: dict[str, Integers] = field(default_factory=dict)
    from_file: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    ties: Mapping[str, Tie] = field(default_factory=dict)
    masses: tuple[tuple[int | str, PointMass], ...] = ()
    own: int = 0
    left_out: tuple[str, ...] = ()


def read_mesh(file: Path, material: Material) -> Mesh:
    """A mesh of second-order tetrahedra and hexahedra, lengths in m, with the materials, masses and ties of its file.

    Parameters
    ----------
    file
        .inp, .msh, .bdf, .vtu and what else is read here.
    material
        Of elements for which the file names none.

    Returns
    -------
    The mesh; nodes without elements are left out.

    Raises
    ------
    InputError
        Naming the file and the fault: unreadable, no solids, elements of first order, places that are none, other units
        of length or material, ties that are not read.
    """
    check_material(material)
    contents = _contents(file)
    points = contents.points
    if points.ndim != 2 or points.shape[1] != 3 or not np.all(np.abs(points) < FARTHEST):
        raise InputError(
            say(
                "{file}: a node has no place within {farthest:g m} of the origin; give x, y and z in metres.",
                file=file,
                farthest=FARTHEST,
            )
        )
    cells = _cells(file, contents, len(points))
    used = np.unique(np.concatenate([c.ravel() for c in cells.values()]))
    if 3 * len(used) > MAX_UNKNOWNS:
        raise InputError(
            f"{file}: {3 * len(used)} unknowns are more than can be reduced here ({MAX_UNKNOWNS});"
            " mesh it more coarsely."
        )
    number = np.full(len(points), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    materials, of, own = _materials(contents, material)
    solid = Solid(points[used], {kind: number[c] for kind, c in cells.items()}, material, used, materials, of)
    _check_size(file, solid)
    sets = {}
    for name, nodes in contents.sets.items():
        at = np.unique(number[nodes])
        sets[name] = at[at >= 0]
    masses = tuple((_carrier(one, contents.ties, number), one) for one in contents.masses)
    ties = {one.name: _tie(one, points, number) for one in contents.ties}
    left_out = tuple(f"{count} {name} ({first})" for name, (count, first) in contents.left_out.items())
    return Mesh(solid, sets, number, ties, masses, own, left_out)


def tie_names(file: Path) -> tuple[str, ...]:
    """The names of the ties of a mesh file, which can be its interfaces. Raises InputError as `read_mesh`."""
    return tuple(one.name for one in _contents(file).ties) if _form(file) in DECKS else ()


def _contents(file: Path) -> Contents:
    """What stands in a mesh file."""
    form = _form(file)
    if form in DECKS:
        return DECKS[form](Deck(file, form))
    return _by_meshio(file, form)


def _materials(contents: Contents, given: Material) -> tuple[tuple[Material, ...], dict[str, Integers], int]:
    """Materials of the elements, by kind which of them each has, and how many have one of the file; none where all have
    the given one."""
    solids = {kind: of for kind, of in contents.of.items() if kind in KINDS}
    own = sum(int(np.count_nonzero(of >= 0)) for of in solids.values())
    if not own:
        return (), {}, 0
    found = tuple(_checked(one) for one in contents.materials)
    return (*found, given), {kind: np.where(of >= 0, of, len(found)) for kind, of in solids.items()}, own


def _checked(one: FileMaterial) -> Material:
    material = Material(one.E, one.poisson, one.density)
    try:
        check_material(material)
    except InputError as error:
        raise InputError(f"{one.words}: {error} Export the mesh in m, kg and s.") from None
    return material


def _carrier(one: PointMass, ties: list[FileTie], number: Integers) -> int | str:
    """What carries a mass of the file: a node of the solid, or a tie by name."""
    tied = next((tie.name for tie in ties if tie.reference == one.node), None)
    if tied is not None:
        return tied
    if number[one.node] < 0:
        raise InputError(
            f"{one.words} is at a node that no element and no tie has; tie it to the mesh (RBE3, *COUPLING), or take it"
            " out."
        )
    if not one.small:
        raise InputError(
            f"{one.words} has an offset or moments of inertia, and the nodes of solids do not turn; tie it to the mesh"
            " by a node of its own (RBE3), or leave them out."
        )
    return int(number[one.node])


def _tie(one: FileTie, points: Array, number: Integers) -> Tie:
    """A tie of the file, of the nodes of elements. Raises InputError for others."""
    lost = next((node for node in one.nodes if number[node] < 0), None)
    if lost is not None:
        where = ", ".join(f"{x:.4g}" for x in points[lost])
        raise InputError(
            f"{one.where}{one.name} ties a node at ({where}) m, which no element has; take it out."
        )
    own = int(number[one.reference])
    nodes = dict.fromkeys(int(number[node]) for node in one.nodes)
    if own >= 0 and one.kind == "averaging":
        raise InputError(
            f"{one.where}{one.name} moves a node of an element; give the mean a node of its own."
        )
    if own >= 0:
        nodes[own] = None
    weights = one.weights if len(nodes) == len(one.nodes) else ()
    x, y, z = (float(c) for c in points[one.reference])
    return Tie(one.name, (x, y, z), tuple(nodes), one.kind, weights)


def check_material(material: Material) -> None:
    """Raise InputError for figures that no material has, as other units make them."""
    if not MIN_E <= material.E <= MAX_E:
        raise InputError(
            f"Young's modulus {material.E:g} Pa: must be from {MIN_E:g} to {MAX_E:g} Pa; steel has 2.1e11 (210,000"
            " MPa)."
        )
    if not 0.0 <= material.poisson < 0.5:
        raise InputError(f"Poisson's ratio {material.poisson:g}: must be from 0 to below 0.5; steel has 0.3.")
    if not MIN_DENSITY <= material.density <= MAX_DENSITY:
        raise InputError(
            f"Density {material.density:g} kg/m³: must be from {MIN_DENSITY:g} to {MAX_DENSITY:g}; steel has 7850"
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


DECKS = {"nastran": read_nastran, "abaqus": read_abaqus}


def _by_meshio(file: Path, form: str) -> Contents:
    """The file by meshio, which ends the program, or says anything, over a file that it cannot read."""
    needed("meshio")
    import meshio

    content = read_file(file, LARGEST, "a mesh")
    if form == "vtu":
        check_vtu(file, content)
    stated = io.StringIO()
    try:
        with contextlib.redirect_stdout(stated), contextlib.redirect_stderr(stated):
            found = meshio.read(file, form)
    except MemoryError:
        raise InputError(f"{file}: says that it holds more than fits into memory; export it again.") from None
    except (Exception, SystemExit) as error:
        words = _said_by_meshio(error, stated.getvalue())
        raise InputError(
            f"{file}: this is no readable {form} mesh{words and f' ({words})'}; it is damaged or another format, export"
            " it again."
        ) from None
    out = Contents(np.asarray(found.points, dtype=np.float64))
    tags = found.cell_data.get("gmsh:physical", []) if found.cell_data else []
    names = {int(tag): str(name) for name, (tag, _) in (found.field_data or {}).items()}
    for name, nodes in (found.point_sets or {}).items():
        out.sets[str(name)] = np.asarray(nodes, dtype=np.int64)
    for k, block in enumerate(found.cells):
        data, grouped = np.asarray(block.data, dtype=np.int64), False
        for tag in np.unique(tags[k]) if k < len(tags) else ():
            if int(tag) in names:
                grouped, at = True, np.unique(data[np.asarray(tags[k]) == tag])
                known = out.sets.get(names[int(tag)], np.zeros(0, dtype=np.int64))
                out.sets[names[int(tag)]] = np.union1d(known, at)
        out.cells[block.type] = (
            np.concatenate([out.cells[block.type], data]) if block.type in out.cells else data
        )
        if block.dim < 3 and not grouped:
            out.leave_out(f"elements of kind {block.type}", "not of solids", len(data))
    return out


def _said_by_meshio(error: BaseException, printed: str) -> str:
    """What meshio says of a file it cannot read, on the screen or in an error of its own; what it came to without
    expecting it is in the words of Python, and tells at most the place."""
    from meshio import ReadError

    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} of it, or of a line, is of no text"
    words = " ".join((printed or (str(error) if isinstance(error, ReadError) else "")).split())[:160]
    return f"meshio says: {words}" if words else ""


def _cells(file: Path, contents: Contents, count: int) -> dict[str, Integers]:
    solids = {kind: cells for kind, cells in contents.cells.items() if kind in KINDS}
    first_order = next((kind for kind in contents.cells if kind in LINEAR), None)
    if first_order is not None:
        raise InputError(
            f"{file}: has elements of kind {first_order}, which bend far too stiffly or are not known; mesh it with"
            " tetrahedra of 10 or hexahedra of 20 or 27 nodes."
        )
    if not sum(map(len, solids.values())):
        has = ", ".join(contents.cells or contents.left_out) or "none"
        raise InputError(
            f"{file}: has no solid elements (found: {has}); mesh it with tetrahedra of 10 or hexahedra of 20 or 27"
            " nodes."
        )
    other = next((kind for kind in contents.cells if kind.startswith(SOLID) and kind not in KINDS), None)
    if other is not None:
        raise InputError(
            f"{file}: has {len(contents.cells[other])} elements of kind {other}, without which it has holes; mesh it"
            " with tetrahedra of 10 or hexahedra of 20 or 27 nodes."
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


def within(nodes: Array, position: tuple[float, float, float], reach: float) -> Integers:
    """The nodes that lie near a position.

    Parameters
    ----------
    nodes
        (n, 3) m.
    position
        (3,) m.
    reach
        m.

    Returns
    -------
    Their numbers.
    """
    out: Integers = np.flatnonzero(np.linalg.norm(nodes - np.asarray(position), axis=1) <= reach)
    return out
