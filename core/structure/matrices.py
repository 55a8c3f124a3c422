"""Stiffness and mass of a finite-element program as files: Matrix Market matrices and a table of nodes."""

from __future__ import annotations

import csv
import io
import zlib
from pathlib import Path

import numpy as np
from scipy.io import mminfo, mmread
from scipy.sparse import csc_matrix

from core.base.errors import InputError
from core.base.reading import read_file
from core.structure.model import NONE, Array, Structure, check_structure

LARGEST = 512 * 10**6  # bytes of a matrix file that is read
LARGEST_TABLE = 64 * 10**6  # bytes of a table of nodes
MOST = 500_000  # unknowns
MOST_ENTRIES = 60_000_000  # of a matrix
NODE_COLUMNS = 4
FARTHEST = 1e5  # m from the origin


UNREADABLE = (OSError, ValueError, EOFError, OverflowError, MemoryError, TypeError, IndexError, zlib.error)


def read_structure(stiffness: Path, mass: Path, nodes: Path) -> Structure:
    """A structure of nodes with three unknowns each (x, y, z in the order of the nodes), or six (and turns about them).

    stiffness, mass: Matrix Market, also with .gz, SI units; nodes: CSV with columns node, x, y, z in m. Raises
    InputError naming the file and the fault: unreadable, other sizes, no symmetry, held or loose parts.
    """
    places = _nodes(nodes)
    K, M = (_matrix(file, len(places), nodes) for file in (stiffness, mass))
    if K.shape != M.shape:
        raise InputError(
            f"{mass}: {M.shape[0]} unknowns, but {K.shape[0]} in {stiffness.name}; export both together."
        )
    each = K.shape[0] // len(places)
    unknowns = np.full((len(places), 6), NONE, dtype=np.int64)
    unknowns[:, :each] = np.arange(K.shape[0]).reshape(-1, each)
    made = Structure(places, unknowns, K, M)
    for sentence in check_structure(made):
        raise InputError(f"{stiffness}: {sentence}")
    return made


def _matrix(file: Path, nodes: int, table: Path) -> csc_matrix:
    """A matrix for so many nodes. What it says of itself is looked at before it is read: a few bytes may promise more
    than the machine has."""
    if not file.is_file():
        raise InputError(f"{file}: there is no such file; name a Matrix Market matrix.")
    if file.stat().st_size > LARGEST:
        raise InputError(
            f"{file}: larger than {LARGEST // 10**6} MB; reduce the model in the program it comes from."
        )
    try:
        rows, columns, entries, form, field, _ = mminfo(str(file))
    except UNREADABLE as error:
        raise InputError(f"{file}: this is no readable Matrix Market matrix; export it again.") from error
    if form != "coordinate" or rows != columns or field not in ("real", "integer", "double"):
        raise InputError(
            f"{file}: a square, real, sparse matrix is needed; found {rows} by {columns}, {field}, {form}."
        )
    if rows not in (3 * nodes, 6 * nodes):
        raise InputError(
            f"{file}: {rows} unknowns are neither three nor six for each of the {nodes} nodes of {table.name}; export"
            " matrices and nodes of the same model."
        )
    if rows > MOST or entries > MOST_ENTRIES:
        raise InputError(
            f"{file}: {rows} unknowns with {entries} entries are more than can be reduced here ({MOST} with"
            f" {MOST_ENTRIES}); reduce the model in the program it comes from."
        )
    try:
        # not an open file: of one that is no matrix scipy ends the program
        return csc_matrix(mmread(str(file)), dtype=np.float64)
    except UNREADABLE as error:
        raise InputError(f"{file}: this is no readable Matrix Market matrix; export it again.") from error


def _nodes(file: Path) -> Array:
    found: dict[int, list[float]] = {}
    try:
        text = read_file(file, LARGEST_TABLE, "a table of nodes").decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{file}: this is no readable table of nodes.") from error
    if len(rows) > MOST // 3 + 2:
        raise InputError(f"{file}: {len(rows)} rows are more nodes than can be reduced here ({MOST // 3}).")
    for k, row in enumerate(rows):
        if not row or (k == 0 and not row[0].strip().isdigit()):
            continue
        try:
            number, place = int(row[0]), [float(x) for x in row[1:NODE_COLUMNS]]
        except (ValueError, IndexError):
            raise InputError(
                f"{file}: line {k + 1} is no node; four columns are needed: node, x, y, z."
            ) from None
        if len(place) < 3 or not np.all(np.abs(place) < FARTHEST):
            raise InputError(
                f"{file}: line {k + 1} has no place; give x, y and z in metres, below {FARTHEST:g} m."
            )
        if number in found:
            raise InputError(f"{file}: line {k + 1} has node {number} a second time; keep one.")
        found[number] = place
    first = min(found, default=0)
    missing = next((n for n in range(first, first + len(found)) if n not in found), None)
    if not found or missing is not None:
        what = "it has no nodes" if not found else f"node {missing} is missing"
        raise InputError(f"{file}: {what}; the matrices need all nodes, numbered on.")
    return np.array([found[n] for n in sorted(found)])
