"""Matrices of finite-element programs in forms of their own: Nastran's op4 (read by pyyeti) and what CalculiX stores
with `*FREQUENCY, SOLVER=MATRIXSTORAGE`."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.reading import read_file

LARGEST = 512 * 10**6  # bytes of a matrix file that is read
MAX_UNKNOWNS = 500_000  # unknowns
MAX_ENTRIES = 20_000_000  # of a matrix
REAL = (1, 2)  # types of op4: single and double precision
DIRECTIONS = "xyz"


def read_op4(file: Path, letter: str, sizes: tuple[int, ...], table: Path) -> csc_matrix:
    """The matrix of an op4 file whose name begins with a letter (K, M), or its only one; sizes: unknowns it may have
    for the nodes of a table. Raises InputError naming the file: not readable, other sizes, no or several such ones."""
    try:
        from pyyeti.nastran import op4
    except ImportError:
        raise InputError(
            f'{file}: matrices of Nastran (op4) need pyyeti: pip install "ridewright[nastran]".'
        ) from None
    read_file(file, LARGEST, "a matrix")
    try:
        with warnings.catch_warnings(action="ignore"):
            names, shapes, _, kinds = op4.dir(str(file), verbose=False)
            which = _wanted(file, [str(name).upper() for name in names], letter)
            _check_size(file, tuple(int(n) for n in shapes[which]), int(kinds[which]), sizes, table)
            every = op4.load(str(file), into="list", sparse=(True, csc_matrix))[1]
        found = csc_matrix(every[which], dtype=np.float64)
    except InputError:
        raise
    except Exception:  # whatever its reader stumbles over
        raise InputError(f"{file}: this is no readable op4 file; write it again.") from None
    if not np.isfinite(found.data).all():
        raise InputError(f"{file}: holds what is no number; write it again.")
    return found


def _wanted(file: Path, names: list[str], letter: str) -> int:
    """The number of the matrix that is meant."""
    own = [k for k, name in enumerate(names) if name.startswith(letter)] if len(names) > 1 else [0]
    if not names or len(own) != 1:
        listed = ", ".join(names[:8]) or "none"
        raise InputError(
            f"{file}: of the matrices in it ({listed}) one is to have a name that begins with {letter}; write that one"
            " alone."
        )
    return own[0]


def _check_size(file: Path, shape: tuple[int, ...], kind: int, sizes: tuple[int, ...], table: Path) -> None:
    """Refuse what its head says is not wanted, before it is read."""
    if len(shape) != 2 or shape[0] != shape[1] or kind not in REAL:
        raise InputError(
            f"{file}: {' by '.join(map(str, shape))}, of type {kind}; write a square, real matrix."
        )
    if shape[0] not in sizes:
        raise InputError(
            f"{file}: {shape[0]} unknowns are neither three nor six for each of the {sizes[0] // 3} nodes of"
            f" {table.name}; export matrices and nodes of the same model."
        )
    if shape[0] > MAX_UNKNOWNS:
        raise InputError(f"{file}: {shape[0]} unknowns are more than can be reduced here ({MAX_UNKNOWNS}).")


def read_calculix(file: Path, numbers: Integers, table: Path) -> csc_matrix:
    """A matrix of CalculiX, its unknowns put in the order of the nodes of a table, whose numbers (rising) are given.

    The names of the unknowns stand in the file of the same name that ends in .dof. Raises InputError naming the file:
    not readable, other nodes, nodes that are held.
    """
    order = _order(file.with_suffix(".dof"), numbers, table)
    size = len(order)
    if size > MAX_UNKNOWNS:
        raise InputError(f"{file}: {size} unknowns are more than can be reduced here ({MAX_UNKNOWNS}).")
    rows = _rows(file, 3)
    at = rows[:, :2].T - 1.0
    if not len(rows) or not np.all((at >= 0.0) & (at < size) & (at == np.floor(at))) or np.any(at[0] > at[1]):
        raise InputError(f"{file}: an entry lies outside the upper half of {size} unknowns; write it again.")
    (i, j), values = order[at.astype(np.int64)], rows[:, 2]
    other = i != j
    i, j, values = np.r_[i, j[other]], np.r_[j, i[other]], np.r_[values, values[other]]
    return csc_matrix(coo_matrix((values, (i, j)), shape=(size, size)))


def _order(file: Path, numbers: Integers, table: Path) -> Integers:
    """Where every unknown of a .dof file, node.direction line by line, stands in the order of the nodes."""
    content = read_file(file, LARGEST, "a list of unknowns")
    try:
        words = content.decode("ascii").split()
        pairs = np.array([word.split(".") for word in words], dtype=np.int64).reshape(len(words), 2)
    except (ValueError, OverflowError):
        raise InputError(f"{file}: this is no list of unknowns (node.direction); write it again.") from None
    node, way = np.searchsorted(numbers, pairs[:, 0]), pairs[:, 1] - 1
    known = numbers[np.minimum(node, len(numbers) - 1)] == pairs[:, 0]
    wrong = np.flatnonzero(~known | (way < 0) | (way > 2))
    if len(wrong):
        raise InputError(
            f"{file}: unknown {words[wrong[0]]} belongs to no node of {table.name}, along x, y or z; export matrices"
            " and nodes of the same model, of solids."
        )
    order = np.asarray(3 * node + way, dtype=np.int64)
    times = np.bincount(order, minlength=3 * len(numbers))
    if np.any(times != 1):
        k = int(np.flatnonzero(times != 1)[0])
        where = f"node {numbers[k // 3]} along {DIRECTIONS[k % 3]}"
        if times[k]:
            raise InputError(f"{file}: {where} is in it twice; write the matrices again.")
        raise InputError(
            f"{file}: {where} is not in it; leave nodes without elements out of {table.name}, and what holds nodes"
            " (*BOUNDARY, equations) out of the input, and write the matrices again."
        )
    return order


def _rows(file: Path, columns: int) -> Array:
    """The numbers of a file, so many a line."""
    content = read_file(file, LARGEST, "a matrix")
    try:
        with warnings.catch_warnings(action="ignore"):
            rows = np.loadtxt(io.BytesIO(content), ndmin=2, encoding="latin-1", max_rows=MAX_ENTRIES + 1)
    except ValueError:
        raise InputError(f"{file}: a row of it is not two numbers and a value; write it again.") from None
    if len(rows) > MAX_ENTRIES or (len(rows) and rows.shape[1] != columns) or not np.isfinite(rows).all():
        raise InputError(
            f"{file}: is to have rows of row, column and value, at most {MAX_ENTRIES}; write it again."
        )
    return np.asarray(rows, dtype=np.float64)
