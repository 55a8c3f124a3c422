"""Files of Ansys: stiffness and mass of an assembled `.full`, places of nodes of a result file (`.rst`) or of a `.cdb`.

A binary file is a row of records: how many words of four bytes, a word of flags, the words, how many again; they begin
at places (in words) that the header names (Ansys, Guide to Interfacing with Ansys: Format of Binary Data Files). Read
here: Ansys's own package (ansys-mapdl-reader 0.56) gives the same matrices, but ends the program at damaged files, and
brings VTK.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.reading import read_file
from .matrix_files import DIRECTIONS, LARGEST, MAX_ENTRIES, MAX_UNKNOWNS

WORDS = 1 << 31  # flag of records of whole numbers; others are of doubles
PACKED = ~WORDS & 0xFFFFFFFF  # flags of records that are packed in some way, or in single precision
HEADER = 103  # words before the second record
FULL, RESULTS = 4, 12  # what the first word of a file says it is
ASSEMBLED = -4  # a .full whose matrices are assembled row by row
KINDS = {(1, 2, 3): 3, (1, 2, 3, 4, 5, 6): 6}  # unknowns of nodes: ux, uy, uz, and turns about them
BLOCK = re.compile(r"^NBLOCK\b", re.IGNORECASE)
FORMAT = re.compile(r"\(\s*(\d{1,9})i(\d{1,9})\s*,\s*(\d{1,9})e(\d{1,9})", re.IGNORECASE)


class _DamagedError(Exception):
    """The records do not follow one another as they should."""


@dataclass(frozen=True)
class _Records:
    """The words (n,) of four bytes of a file."""

    words: NDArray[np.int32]

    def at(self, index: int) -> tuple[NDArray[np.int32], bool, int]:
        """The words of the record at a place, whether they are whole numbers, and the place of the next one."""
        if not 0 <= index < len(self.words) - 2:
            raise _DamagedError
        size, flags = int(self.words[index]), int(self.words[index + 1]) & 0xFFFFFFFF
        end = index + 2 + size
        if size < 0 or end >= len(self.words) or int(self.words[end]) != size or flags & PACKED:
            raise _DamagedError
        return self.words[index + 2 : end], bool(flags & WORDS), end + 1

    def numbers(self, index: int) -> tuple[Integers, int]:
        """A record of whole numbers, and the place of the next one."""
        found, whole, after = self.at(index)
        if not whole:
            raise _DamagedError
        return found.astype(np.int64), after

    def doubles(self, index: int) -> tuple[Array, int]:
        """A record of doubles, and the place of the next one."""
        found, whole, after = self.at(index)
        if whole or len(found) % 2:
            raise _DamagedError
        return found.view("<f8"), after


class _Head(NamedTuple):
    """Of a .full: equations, places of stiffness, mass and unknowns, terms of each matrix, constraint equations, and
    whether the mass is lumped or the matrices are unsymmetric."""

    size: int
    stiffness: int
    mass: int
    unknowns: int
    terms: tuple[int, int]
    equations: int
    lumped: bool
    unsymmetric: bool


def read_full(file: Path, letter: str, numbers: Integers, table: Path) -> csc_matrix:
    """Stiffness (K) or mass (M) of a .full file, three or six unknowns for each node of a table in their order, whose
    numbers (rising) are given; what a node does not have is zero.

    Raises InputError naming the file: not readable, other nodes, nodes that are held or bound by equations.
    """
    try:
        records = _records(file, FULL, "a .full file")
        head = _head(file, records)
        order, each = _order(file, records, head, numbers, table)
        rows, columns, values = _terms(records, head, letter)
    except (_DamagedError, OverflowError):
        raise InputError(
            f"{file}: this is no .full file that can be read; it is damaged, or packed. Write it again, with the mass"
            " (MODAL)."
        ) from None
    if not np.isfinite(values).all():
        raise InputError(f"{file}: holds what is no number; write it again.")
    rows, columns = order[rows], order[columns]
    other = rows != columns
    i, j, values = np.r_[rows, columns[other]], np.r_[columns, rows[other]], np.r_[values, values[other]]
    return csc_matrix(coo_matrix((values, (i, j)), shape=(each * len(numbers),) * 2))


def _records(file: Path, kind: int, what: str) -> _Records:
    content = read_file(file, LARGEST, what)
    found = _Records(np.frombuffer(content[: len(content) // 4 * 4], dtype="<i4"))
    first, _ = found.numbers(0)
    if len(first) != HEADER - 3 or first[0] != kind:
        raise _DamagedError
    return found


def _head(file: Path, records: _Records) -> _Head:
    """Raises InputError for matrices that are not such as are wanted."""
    h, _ = records.numbers(HEADER)
    if len(h) < 80 or h[0] != ASSEMBLED:
        raise _DamagedError
    terms = _long(h[8], h[9]), _long(h[33], h[21])
    stiffness, mass, unknowns = _long(h[18], h[19]), _long(h[26], h[27]), _long(h[35], h[36])
    head = _Head(int(h[1]), stiffness, mass, unknowns, terms, int(h[20]), bool(h[10]), bool(h[13]))
    if head.lumped or head.unsymmetric:
        what = (
            "a lumped mass; write it with LUMPM,OFF"
            if head.lumped
            else "unsymmetric matrices; write symmetric ones"
        )
        raise InputError(f"{file}: has {what}.")
    if head.equations > 0:
        raise InputError(
            f"{file}: {head.equations} constraint equations bind its nodes (CE, CERIG, remote points, contacts), and"
            " Ansys has worked them into the matrices; write it without them, and tie interfaces here."
        )
    if not 0 < head.size <= MAX_UNKNOWNS or max(terms) > MAX_ENTRIES:
        raise InputError(
            f"{file}: {head.size} unknowns with {max(terms)} entries are none, or more than can be reduced here"
            f" ({MAX_UNKNOWNS} with {MAX_ENTRIES})."
        )
    return head


def _long(low: int, high: int) -> int:
    return (int(low) & 0xFFFFFFFF) + (int(high) << 32)


def _order(
    file: Path, records: _Records, head: _Head, numbers: Integers, table: Path
) -> tuple[Integers, int]:
    """Where every unknown stands in the order of the nodes of a table, and how many a node has there."""
    kinds, position = records.numbers(HEADER + 3 + len(records.numbers(HEADER)[0]))
    nodes, _ = records.numbers(position)
    counts, position = records.numbers(head.unknowns)
    held, _ = records.numbers(position)
    each = KINDS.get(tuple(kinds.tolist()), 0)
    if len(counts) != len(nodes) or len(held) != head.size or counts.sum() != head.size or counts.min() < 1:
        raise _DamagedError
    if not each or not np.isin(counts, (3, each)).all():
        raise InputError(
            f"{file}: its nodes have unknowns of the kinds {', '.join(map(str, kinds[:10].tolist()))}; displacements"
            " along x, y, z (1 to 3), and turns about them (4 to 6), are what can be reduced here."
        )
    of = np.repeat(np.arange(len(nodes)), counts)
    way = np.arange(head.size) - np.repeat(np.cumsum(counts) - counts, counts)
    if np.any(held < 0):
        first = int(np.flatnonzero(held < 0)[0])
        where = (
            f"node {nodes[of[first]]} {'along' if way[first] < 3 else 'about'} {DIRECTIONS[way[first] % 3]}"
        )
        raise InputError(
            f"{file}: {int(np.count_nonzero(held < 0))} unknowns are held, {where} first, and Ansys leaves them out of"
            " the matrices; write it without supports (D)."
        )
    at = np.searchsorted(numbers, nodes)
    known = numbers[np.minimum(at, len(numbers) - 1)] == nodes
    if not known.all() or len(np.unique(at)) < len(at):
        raise InputError(
            f"{file}: node {nodes[np.argmin(known)]} is not in {table.name}, or twice in the matrices; export both of"
            " the same model."
        )
    if len(nodes) < len(numbers):
        lost = int(np.setdiff1d(numbers, nodes)[0])
        raise InputError(
            f"{file}: node {lost} of {table.name} is not in it; leave nodes without elements out."
        )
    return np.asarray(each * at[of] + way, dtype=np.int64), each


def _terms(records: _Records, head: _Head, letter: str) -> tuple[Integers, Integers, Array]:
    """Rows, columns and values of the entries of one triangle: of every equation a record of columns, counted from 1,
    and one of values."""
    position, wanted = (head.stiffness, head.terms[0]) if letter == "K" else (head.mass, head.terms[1])
    if not position or not wanted:
        raise _DamagedError
    counts, columns, values = [], [], []
    for _ in range(head.size):
        own, position = records.numbers(position)
        numbers, position = records.doubles(position)
        if len(own) != len(numbers):
            raise _DamagedError
        counts.append(len(own))
        columns.append(own)
        values.append(numbers)
    found = np.concatenate(columns) - 1
    rows = np.repeat(np.arange(head.size), counts)
    if len(found) != wanted or found.min() < 0 or found.max() >= head.size or np.any(found < rows):
        raise _DamagedError
    return rows, found, np.concatenate(values)


def read_nodes(file: Path) -> tuple[Integers, Array]:
    """The numbers of the nodes of a result file (`.rst`) or a `.cdb`, and their places (n, 3), as the file has them.

    Raises InputError naming the file, and of a .cdb the line, that cannot be read.
    """
    if file.suffix.lower() == ".cdb":
        return _nodes_of_cdb(file)
    try:
        records = _records(file, RESULTS, "a result file")
        head, _ = records.numbers(HEADER)
        if len(head) < 47:
            raise _DamagedError
        shape, _ = records.numbers(_long(head[15], head[46]))
        if len(shape) < 28:
            raise _DamagedError
        count, position = int(shape[3]), _long(shape[26], shape[27]) or int(shape[8])
        if not 0 < count <= MAX_UNKNOWNS:
            raise _DamagedError
        rows = np.zeros((count, 4))
        for k in range(count):
            one, position = records.doubles(position)
            if len(one) < 4:
                raise _DamagedError
            rows[k] = one[:4]
    except (_DamagedError, OverflowError):
        raise InputError(
            f"{file}: this is no result file (.rst) whose nodes can be read; it is damaged, or packed (/FCOMP). Give"
            " the .cdb (CDWRITE) or a table of nodes."
        ) from None
    if not np.all(np.abs(rows) < LARGEST):
        raise InputError(f"{file}: holds a place that is no number; write it again.")
    return rows[:, 0].astype(np.int64), rows[:, 1:]


def _nodes_of_cdb(file: Path) -> tuple[Integers, Array]:
    """Of the blocks NBLOCK, whose fields have the widths that the line below their head says."""
    lines = read_file(file, LARGEST, "a .cdb file").decode("latin-1").splitlines()
    numbers, positions = [], []
    at = [k for k, line in enumerate(lines) if BLOCK.match(line)]
    for k in at:
        form = FORMAT.search(lines[k + 1]) if k + 1 < len(lines) else None
        if form is None:
            raise InputError(
                f"{file}: line {k + 2} does not say the widths of the fields of nodes; write it again."
            )
        count, wide, _, broad = (int(word) for word in form.groups())
        for number, line in enumerate(lines[k + 2 :], k + 3):
            if not line[:wide].strip().isdigit():  # ends with N,R5... or -1
                break
            start = count * wide
            fields = [line[start + c * broad : start + (c + 1) * broad].strip() for c in range(3)]
            try:
                positions.append([float(field or 0.0) for field in fields])  # zeros at the end are left out
            except ValueError:
                raise InputError(f"{file}: line {number} is no node; write it again.") from None
            numbers.append(int(line[:wide]))
    if not numbers:
        raise InputError(f"{file}: has no nodes (NBLOCK); write it by CDWRITE,DB.")
    return np.array(numbers, dtype=np.int64), np.array(positions)
