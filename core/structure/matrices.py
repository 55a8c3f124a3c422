"""Stiffness and mass of a finite-element program as files: Matrix Market matrices, or those of Nastran, CalculiX and
Ansys, and a table of nodes."""

from __future__ import annotations

import gzip
import io
import warnings
import zlib
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix
from scipy.sparse.linalg import ArpackNoConvergence, eigsh
from scipy.spatial import cKDTree

from ..base.arrays import Array, Integers
from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..base.reading import read_file
from ..base.sentence import say
from .ansys_files import read_full, read_nodes
from .matrix_files import LARGEST, MAX_ENTRIES, read_calculix, read_op4
from .matrix_files import MAX_UNKNOWNS as MAX_UNKNOWNS  # also of meshes
from .model import NONE, Structure, check_structure
from .nastran_results import read_op2_nodes

LARGEST_TABLE = 64 * 10**6  # bytes of a table of nodes
OP4, CALCULIX = (".op4",), (".sti", ".mas")
ANSYS = (".full",)
OF_PROGRAMS = {".rst": read_nodes, ".cdb": read_nodes, ".op2": read_op2_nodes}  # nodes
MATRIX_ENDINGS = (".mtx", ".mtx.gz", *OP4, ".sti", *ANSYS)
NODE_COLUMNS, MAX_COLUMNS = 4, 100  # what follows a place is left out
UNREADABLE = "this is no readable Matrix Market matrix"
LARGEST_NUMBER = 10**18  # of a node
FIELDS, FORMS = ("real", "integer", "double"), ("general", "symmetric")
STEPS = 40  # of the search for a negative stiffness
NEGATIVE = 1e-6  # of the stiffness of a node
FARTHEST = 1e5  # m from the origin
SLOWEST_SOUND, FASTEST_SOUND = (
    500.0,
    1e5,
)  # m/s, with room for what a mesh and added masses do to the estimate


def read_structure(stiffness: Path, mass: Path, nodes: Path) -> Structure:
    """A structure of nodes with three unknowns each (x, y, z in the order of the nodes), or six (and turns about them).

    stiffness, mass: Matrix Market, also with .gz, op4, .sti and .mas, or .full, SI units; nodes: CSV with columns node,
    x, y, z in m, or .rst, .cdb or .op2. Turns that have neither stiffness nor mass, as nodes of solids have in Nastran,
    are left out. Raises InputError naming the file and the fault: unreadable, other sizes, no symmetry, held or loose
    parts.
    """
    numbers, positions = nodes_of(stiffness, nodes)
    K, M = (_read(*each, numbers, nodes) for each in ((stiffness, "K"), (mass, "M")))
    if K.shape != M.shape:
        raise InputError(
            f"{mass}: {M.shape[0]} unknowns, but {K.shape[0]} in {stiffness.name}; export both together."
        )
    each = K.shape[0] // len(positions)
    there = np.ones((len(positions), each), dtype=bool)
    there[:, 3:] = ((abs(K) + abs(M)).sum(axis=0) > 0.0).reshape(-1, each)[:, 3:]
    kept = np.flatnonzero(there.ravel())
    unknowns = np.full((len(positions), 6), NONE, dtype=np.int64)
    unknowns[:, :each][there] = np.arange(len(kept))
    made = Structure(positions, unknowns, csc_matrix(K[kept][:, kept]), csc_matrix(M[kept][:, kept]))
    for sentence in check_structure(made):
        raise InputError(f"{stiffness}: {sentence}")
    _check_units(stiffness, made)
    _check_definite(stiffness, made)
    return made


def _read(file: Path, letter: str, numbers: Integers, table: Path) -> csc_matrix:
    """A matrix by the ending of its file."""
    ending, nodes = file.suffix.lower(), len(numbers)
    if ending in OP4:
        return read_op4(file, letter, (3 * nodes, 6 * nodes), table)
    if ending in CALCULIX:
        return read_calculix(file, numbers, table)
    if ending in ANSYS:
        return read_full(file, letter, numbers, table)
    return _matrix(file, nodes, table)


def _check_definite(file: Path, s: Structure) -> None:
    """Refuse a stiffness that a motion takes energy out of. What stands out below zero is found in a few steps; where
    nothing does, the search does not end, and is given up."""
    scale = 1.0 / np.sqrt(s.K.diagonal())
    scaled = csc_matrix(s.K.multiply(scale[:, None]).multiply(scale))
    if s.size <= STEPS:
        values, found = np.linalg.eigh(scaled.toarray())
    else:
        start = np.random.default_rng(1).standard_normal(s.size)
        try:
            values, found = eigsh(scaled, 1, which="SA", v0=start, ncv=STEPS, maxiter=3, tol=1e-2)
        except ArpackNoConvergence:
            return
    if values[0] < -NEGATIVE:
        raise InputError(
            f"{file}: the stiffness is negative for a motion that is largest {s.max_moved(scale * found[:, 0])}, from"
            " which energy could be taken for ever; look for a spring or a material of negative stiffness there, and"
            " export it again."
        )


def _check_units(file: Path, s: Structure) -> None:
    """Refuse what units wrong by a thousand make: sound would run from node to node, in about the square root of mass
    over stiffness, at a speed that no material has."""
    own = s.unknowns[:, :3][np.all(s.unknowns[:, :3] != NONE, axis=1)].ravel()
    K, M = s.K.diagonal()[own], s.M.diagonal()[own]
    if len(s.nodes) < 2 or not np.any(M > 0.0):
        return
    gap = float(np.median(np.asarray(cKDTree(s.nodes).query(s.nodes, k=2)[0])[:, 1]))
    speed = gap * float(np.sqrt(np.median(K[M > 0.0] / M[M > 0.0])))
    if not SLOWEST_SOUND < speed < FASTEST_SOUND:
        raise InputError(
            say(
                "{file}: stiffness, mass and distances of nodes ({gap:.3g m}) belong to a material in which sound"
                " runs at about {speed:.2g m/s} (steel 5000 m/s), as if units were mixed; export in N/m, kg and m.",
                file=file,
                gap=gap,
                speed=speed,
            )
        )


def _matrix(file: Path, nodes: int, table: Path) -> csc_matrix:
    """A matrix for so many nodes. What it says of itself is looked at before it is read: a few bytes may promise more
    than the machine has. (Read here: of what is no matrix, scipy's reader ends the program.)"""
    stream = io.BytesIO(_unpacked(file))
    head = stream.readline(1000).decode("latin-1").lower().split()
    sizes = next((line for line in iter(stream.readline, b"") if line.strip() and line[:1] != b"%"), b"")
    try:
        rows, columns, entries = (int(word) for word in sizes.split())
    except ValueError:
        rows = columns = entries = -1
    if len(head) != 5 or head[:2] != ["%%matrixmarket", "matrix"] or rows < 0 or entries < 0:
        raise InputError(f"{file}: {UNREADABLE}; export it again as 'coordinate real symmetric'.")
    if head[2] != "coordinate" or rows != columns or head[3] not in FIELDS or head[4] not in FORMS:
        raise InputError(
            f"{file}: {rows} by {columns}, {' '.join(head[2:])[:60]}; export a square, real, sparse matrix, general or"
            " symmetric."
        )
    if rows not in (3 * nodes, 6 * nodes):
        raise InputError(
            f"{file}: {rows} unknowns are neither three nor six for each of the {nodes} nodes of {table.name}; export"
            " matrices and nodes of the same model."
        )
    if rows > MAX_UNKNOWNS or entries > MAX_ENTRIES:
        raise InputError(
            f"{file}: {rows} unknowns with {entries} entries are more than can be reduced here ({MAX_UNKNOWNS} with"
            f" {MAX_ENTRIES}); reduce the model in the program it comes from."
        )
    return _filled(file, stream, rows, entries, head[4] == "symmetric")


def _unpacked(file: Path) -> bytes:
    content = read_file(file, LARGEST, "a matrix")
    if content[:2] == b"\x1f\x8b":
        try:
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error):
            raise InputError(f"{file}: cannot be unpacked; it is cut or damaged, export it again.") from None
        if len(content) > LARGEST:
            raise InputError(f"{file}: larger than {LARGEST // 10**6} MB when it is unpacked.")
    return content


def _filled(file: Path, stream: io.BytesIO, size: int, entries: int, symmetric: bool) -> csc_matrix:
    """The matrix from its entries: row and column counted from 1, value."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of one without entries
            table = np.loadtxt(stream, ndmin=2, comments="%", encoding="latin-1", max_rows=entries + 1)
    except ValueError as error:
        raise InputError(f"{file}: {UNREADABLE}; a row of it is not two numbers and a value.") from error
    if table.shape != (entries, 3):
        found = f"{len(table)} rows" if len(table) <= entries else "more"
        raise InputError(f"{file}: is to have {entries} entries of row, column and value, and has {found}.")
    at = table[:, :2].T - 1.0
    if not np.all((at >= 0.0) & (at < size) & (at == np.floor(at))):
        raise InputError(f"{file}: an entry lies outside its {size} rows and columns; export it again.")
    (i, j), values = at.astype(np.int64), table[:, 2]
    if symmetric:
        other = i != j
        i, j, values = np.r_[i, j[other]], np.r_[j, i[other]], np.r_[values, values[other]]
    return csc_matrix(coo_matrix((values, (i, j)), shape=(size, size)))


def nodes_of(stiffness: Path, file: Path) -> tuple[Integers, Array]:
    """The numbers of the nodes of a matrix, rising, and their places (n, 3) m. Raises InputError naming the file."""
    kind = file.suffix.lower()
    holes = stiffness.suffix.lower() in (*CALCULIX, *ANSYS) or kind in OF_PROGRAMS
    found = _of_program(file) if kind in OF_PROGRAMS else _of_table(file)
    first = min(found, default=0)
    missing = next((n for n in range(first, first + len(found)) if n not in found), None)
    if not found or (missing is not None and not holes):
        what = "it has no nodes" if not found else f"node {missing} is missing"
        raise InputError(f"{file}: {what}; the matrices need all nodes, numbered on.")
    return np.array(sorted(found), dtype=np.int64), np.array([found[n] for n in sorted(found)])


def _of_program(file: Path) -> dict[int, list[float]]:
    """Places (m) of nodes by their numbers, of a file of Ansys or Nastran."""
    numbers, positions = OF_PROGRAMS[file.suffix.lower()](file)
    far = np.flatnonzero(~np.all(np.abs(positions) < FARTHEST, axis=1))
    if len(far):
        raise InputError(
            say(
                "{file}: node {numbers} lies beyond {farthest:g m}; export it in metres.",
                file=file,
                numbers=numbers[far[0]],
                farthest=FARTHEST,
            )
        )
    return dict(zip(numbers.tolist(), positions.tolist(), strict=True))


def _of_table(file: Path) -> dict[int, list[float]]:
    """The same of a table, line by line."""
    found: dict[int, list[float]] = {}
    table = table_of(text_of(file, LARGEST_TABLE, "a table of nodes"), str(file), most=LARGEST_TABLE)
    if len(table.rows) > MAX_UNKNOWNS // 3 + 2:
        raise InputError(
            f"{file}: {len(table.rows)} rows are more nodes than can be reduced here ({MAX_UNKNOWNS // 3})."
        )
    for row in table.rows:
        table.check_width(row, NODE_COLUMNS, MAX_COLUMNS, of="four columns: node, x, y, z")
        number = table.number(row, 0, "node")
        position = [table.number(row, k, ["node", "x", "y", "z"][k]) for k in range(1, NODE_COLUMNS)]
        if not np.all(np.abs(position) < FARTHEST):
            raise InputError(
                say(
                    "{row} has no place; give x, y and z in metres, below {farthest:g m}.",
                    row=table.place(row),
                    farthest=FARTHEST,
                )
            )
        if not abs(number) < LARGEST_NUMBER or number != int(number):
            raise InputError(
                f"{table.place(row)} has node number {row.cells[0][:24]}; number nodes from 1 to below"
                f" {LARGEST_NUMBER:g}."
            )
        number = int(number)
        if number in found:
            raise InputError(f"{table.place(row)} has node {number} a second time; keep one.")
        found[number] = position
    return found
