"""Files as Ansys writes them, for tests: `.full`, as much of an `.rst` as says where nodes are, nodes of a `.cdb`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.io import mmread
from scipy.sparse import csc_matrix, csr_matrix, triu

ARM = Path(__file__).parent / "arm"
WHOLE = -(1 << 31)  # flag of records of whole numbers
Change = Callable[[list[int]], None]


def record(values: np.ndarray) -> np.ndarray:
    """A record of whole numbers or of doubles, as words."""
    whole = np.issubdtype(values.dtype, np.integer)
    words = values.astype("<i4") if whole else values.astype("<f8").view("<i4")
    return np.concatenate([[len(words), WHOLE if whole else 0], words, [len(words)]]).astype("<i4")


def rows_of(matrix: csc_matrix) -> tuple[np.ndarray, int]:
    """The records of one triangle, row by row, its diagonal last, and how many terms there are."""
    upper = csr_matrix(triu(matrix))
    out = []
    for k in range(upper.shape[0]):
        own = slice(upper.indptr[k], upper.indptr[k + 1])
        order = np.argsort(upper.indices[own] == k, kind="stable")
        out += [record(upper.indices[own][order].astype(int) + 1), record(upper.data[own][order])]
    return np.concatenate(out), upper.nnz


def write_full(
    file: Path, K: csc_matrix, M: csc_matrix, nodes: list[int], kinds: int = 3, change: Change | None = None,
    held: int = 0,
) -> None:  # fmt: skip
    """A .full with `kinds` unknowns a node, in the order of the nodes; change: of its header; held: so many unknowns
    are said to be."""
    size = K.shape[0]
    standard = np.zeros(100, dtype=int)
    standard[0], standard[9] = 4, 825568816  # version 15.0, as letters
    tables = [record(np.arange(1, kinds + 1)), record(np.array(nodes))]
    (stiffness, k_terms), (mass, m_terms) = rows_of(K), rows_of(M)
    counts = np.full(len(nodes), kinds)
    numbers = np.r_[-np.arange(1, held + 1), np.zeros(size - held, dtype=int)]
    unknowns = np.concatenate([record(counts), record(numbers)])
    first = 103 + 163 + sum(map(len, tables))
    head = [0] * 160
    head[0], head[1], head[2], head[3], head[7], head[32] = -4, size, size, 2, kinds, len(nodes)
    head[8], head[33] = k_terms, m_terms
    head[18], head[26], head[35] = first, first + len(stiffness), first + len(stiffness) + len(mass)
    if change is not None:
        change(head)
    parts = [record(standard), record(np.array(head)), *tables, stiffness, mass, unknowns]
    np.concatenate(parts).astype("<i4").tofile(file)


def write_rst(file: Path, nodes: list[int], places: np.ndarray) -> None:
    """As much of a result file as says where its nodes are."""
    standard, head, shape = np.zeros(100, dtype=int), np.zeros(80, dtype=int), np.zeros(80, dtype=int)
    standard[0], head[0], head[15] = 12, 12, 103 + 83
    shape[3], shape[26] = len(nodes), 103 + 83 + 83
    rows = [record(np.r_[float(n), place, 0.0, 0.0, 0.0]) for n, place in zip(nodes, places, strict=True)]
    np.concatenate([record(standard), record(head), record(shape), *rows]).astype("<i4").tofile(file)


def write_cdb(file: Path, nodes: list[int], places: np.ndarray) -> None:
    """Nodes as CDWRITE writes them: zeros at the end of a line are left out."""
    lines = ["/PREP7", "ET, 1,186", f"NBLOCK,6,SOLID,{len(nodes)},{len(nodes)}", "(3i9,6e21.13e3)"]
    for number, place in zip(nodes, places.tolist(), strict=True):
        while place and place[-1] == 0.0:
            place.pop()
        lines.append(f"{number:9d}{0:9d}{0:9d}" + "".join(f"{x:21.13E}" for x in place))
    file.write_text("\n".join([*lines, "N,R5.3,LOC,       -1,", "FINISH"]))


def write_arm(folder: Path, hole: int) -> tuple[csc_matrix, csc_matrix, np.ndarray]:
    """The shared arm as model.full, model.rst and model.cdb, in an order of nodes as Ansys has it, numbered from 1 with
    one left out behind so many; its matrices and places (n, 3) m in the order of the numbers."""
    K, M = (csc_matrix(mmread(ARM / f"{name}.mtx.gz")) for name in "KM")
    places = np.loadtxt(ARM / "nodes.csv", delimiter=",", skiprows=1)[:, 1:4]
    order = list(range(len(places)))
    random.Random(3).shuffle(order)
    numbers = [k + 1 + (k > hole) for k in order]
    rows = (3 * np.array(order)[:, None] + np.arange(3)).ravel()
    write_full(folder / "model.full", K[rows][:, rows], M[rows][:, rows], numbers)
    write_rst(folder / "model.rst", numbers, places[order])
    write_cdb(folder / "model.cdb", numbers, places[order])
    return K, M, places
