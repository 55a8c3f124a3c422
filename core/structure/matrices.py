"""Stiffness and mass of a finite-element program as files: Matrix Market matrices and a table of nodes."""

from __future__ import annotations

import csv
import zlib
from pathlib import Path

import numpy as np
from scipy.io import mmread
from scipy.sparse import csc_matrix, issparse

from core.base.errors import InputError
from core.structure.model import NONE, Array, Structure, check_structure

LARGEST = 512 * 1024 * 1024  # bytes of a matrix file that is read


def read_structure(stiffness: Path, mass: Path, nodes: Path) -> Structure:
    """A structure of nodes with three unknowns each (x, y, z in the order of the nodes), or six (and turns about them).

    stiffness, mass: Matrix Market, also with .gz, SI units; nodes: CSV with columns node, x, y, z in m. Raises
    InputError naming the file and the fault: unreadable, other sizes, no symmetry, held or loose parts.
    """
    places = _nodes(nodes)
    K, M = _matrix(stiffness), _matrix(mass)
    for file, matrix in ((stiffness, K), (mass, M)):
        if matrix.shape[0] not in (3 * len(places), 6 * len(places)):
            raise InputError(
                f"{file}: {matrix.shape[0]} unknowns are neither three nor six for each of the {len(places)} nodes of"
                f" {nodes.name}; export matrices and nodes of the same model."
            )
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


def _matrix(file: Path) -> csc_matrix:
    try:
        if file.stat().st_size > LARGEST:
            raise InputError(
                f"{file}: larger than {LARGEST // 1024**2} MB; reduce the model in the program it comes from."
            )
        matrix = mmread(str(file))  # not an open file: of one that is no matrix scipy ends the program
    except (OSError, ValueError, EOFError, OverflowError, MemoryError, TypeError, zlib.error) as error:
        raise InputError(f"{file}: this is no readable Matrix Market matrix; export it again.") from error
    if not issparse(matrix) or matrix.shape[0] != matrix.shape[1] or np.iscomplexobj(matrix.data):
        raise InputError(
            f"{file}: a square, real, sparse matrix is needed; found {' by '.join(map(str, matrix.shape))}."
        )
    return csc_matrix(matrix, dtype=np.float64)


def _nodes(file: Path) -> Array:
    found: dict[int, list[float]] = {}
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            for k, row in enumerate(csv.reader(stream)):
                if k == 0 and row and not row[0].strip().isdigit():
                    continue
                try:
                    number, place = int(row[0]), [float(x) for x in row[1:4]]
                except (ValueError, IndexError):
                    raise InputError(
                        f"{file}: line {k + 1} is no node; four columns are needed: node, x, y, z."
                    ) from None
                if len(place) < 3 or not np.all(np.isfinite(place)):
                    raise InputError(f"{file}: line {k + 1} has no place; give x, y and z in metres.")
                if number in found:
                    raise InputError(f"{file}: line {k + 1} has node {number} a second time; keep one.")
                found[number] = place
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: this is no readable table of nodes.") from error
    first = min(found, default=0)
    missing = next((n for n in range(first, first + len(found)) if n not in found), None)
    if not found or missing is not None:
        what = "it has no nodes" if not found else f"node {missing} is missing"
        raise InputError(f"{file}: {what}; the matrices need all nodes, numbered on.")
    return np.array([found[n] for n in sorted(found)])
