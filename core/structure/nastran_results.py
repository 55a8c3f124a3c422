"""What Nastran writes with PARAM,POST,-1 (op2, read by pyyeti): the nodes of a model and the modes it found."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.reading import read_file
from .model import DIRECTIONS

LARGEST = 512 * 10**6  # bytes
HOW = "run it with PARAM,POST,-1 and write it again"
FIXED_SYSTEM = 0.0  # number of the coordinate system that is the model's own


@dataclass(frozen=True)
class FoundModes:
    """Modes of another program: Hz (modes,), and shapes (nodes, 6, modes) of the nodes in their order: moves along and
    turns about the model's x, y and z, of any scale."""

    hertz: Array
    shapes: Array


def read_op2_nodes(file: Path) -> tuple[Integers, Array]:
    """The numbers of all nodes, in the order of the matrices, and their places (n, 3) in the model's units.

    Raises InputError naming the file: no nodes in it, unknowns that are of no node, displacements along axes of another
    coordinate system than the model's, nodes in another order than that of their numbers.
    """
    table = _contents(file).get("uset")
    if table is None or not len(table):
        raise InputError(f"{file}: has no table of nodes (BGPDT with EQEXIN); {HOW}.")
    rows = np.column_stack([table.index.get_level_values(k).to_numpy() for k in range(2)]).astype(np.int64)
    values = table[["x", "y", "z"]].to_numpy(dtype=np.float64)
    first = rows[:, 1] == 1
    if np.any(rows[:, 1] == 0):
        alone = rows[rows[:, 1] == 0][0, 0]
        raise InputError(f"{file}: unknown {alone} is a scalar point, not of a node; leave such points out.")
    systems = values[rows[:, 1] == 2, 0]  # how pyyeti lays the table out
    turned = np.flatnonzero(systems != FIXED_SYSTEM)
    if len(turned):
        raise InputError(
            f"{file}: node {rows[first][turned[0], 0]} moves along the axes of coordinate system"
            f" {systems[turned[0]]:.0f}; leave that field (CD) of its GRID blank and export again."
        )
    numbers = np.asarray(rows[first, 0])
    if np.any(np.diff(numbers) <= 0):
        raise InputError(
            f"{file}: its nodes are not in the order of their numbers, and matrices would be taken for those of other"
            " nodes; export again without resequencing (PARAM,NEWSEQ,-1, no SEQGP)."
        )
    return numbers, values[first]


def read_op2_modes(file: Path, numbers: Integers) -> FoundModes:
    """The modes of an op2 file, for nodes by their numbers. Raises InputError naming the file: none in it, a node that
    they do not move."""
    found = [table for key, tables in _contents(file).items() if key.startswith("oug") for table in tables]
    modes = [table for table in found if "Freq (Hz)" in getattr(getattr(table, "columns", None), "names", ())]
    if not modes:
        raise InputError(
            f"{file}: has no modes; ask for DISPLACEMENT(PLOT) = ALL of a run of modes (SOL 103), and {HOW}."
        )
    table = modes[-1]
    rows = table.index.get_level_values(0).to_numpy(), table.index.get_level_values(1).to_numpy()
    at = {pair: k for k, pair in enumerate(zip(*(each.tolist() for each in rows), strict=True))}
    order = [at.get((n, way), -1) for n in numbers.tolist() for way in range(1, DIRECTIONS + 1)]
    if -1 in order:
        raise InputError(
            f"{file}: its modes do not move node {numbers[order.index(-1) // DIRECTIONS]}; ask for"
            " DISPLACEMENT(PLOT) = ALL, of the model that the matrices are of."
        )
    hertz = np.asarray(table.columns.get_level_values("Freq (Hz)"), dtype=np.float64)
    shapes = np.asarray(table.to_numpy(dtype=np.float64)[order].reshape(len(numbers), DIRECTIONS, -1))
    if not (np.isfinite(hertz).all() and np.isfinite(shapes).all()):
        raise InputError(f"{file}: a mode in it holds what is no number; write it again.")
    return FoundModes(hertz, shapes)


def _contents(file: Path) -> dict[str, Any]:
    """Tables of an op2 file by their names."""
    try:
        from pyyeti.nastran import op2
    except ImportError:
        raise InputError(
            f'{file}: files of Nastran (op2) need pyyeti: pip install "ridewright[nastran]".'
        ) from None
    read_file(file, LARGEST, "a file of results")
    try:
        with warnings.catch_warnings(action="ignore"), op2.OP2(str(file)) as opened:
            return dict(opened.rdparampost(verbose=False, get_ougs=True, which="all"))
    except Exception:  # whatever its reader stumbles over
        raise InputError(f"{file}: this is no readable op2 file; {HOW}.") from None
