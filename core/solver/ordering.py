"""In which order the unknowns of the saddle-point system are eliminated: found once for a topology.

Bodies, path coordinates and the rows of one joint are eliminated as units, smallest fill first, a unit only when its
pivots do not cancel in a representative state (so that a row follows a body that gives it a pivot, in every pose).
For a tree of bodies this gives no fill beyond parent and child, and costs what the number of bodies asks for.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise, starmap
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..jit.decorators import kernel
from ..multibody.layout import Layout

PIVOT_SHARE = 0.01


_NO_PLACES = np.zeros((2, 0), dtype=np.int64)


class Places(NamedTuple):
    """Places (n,) of blocks in the whole matrix: number of the block, row and column in it; row i, column j there."""

    block: Integers
    row: Integers
    column: Integers
    i: Integers
    j: Integers


@dataclass(frozen=True)
class Pattern:
    """What is coupled with what: blocks of unknowns, pairs of bodies and Jacobian pattern (see Arrays)."""

    layout: Layout
    pairs: tuple[tuple[int, int], ...]
    g_row: Integers
    g_col: Integers
    groups: tuple[tuple[int, int], ...]  # first and end row of each joint, guide or driver

    def own(self) -> Places:
        """The places of each body's own block on and below the diagonal, body by body, row by row."""
        sizes, slots = self.layout.sizes[:-1], self.layout.slots[:-1]
        corner = {n: np.stack(np.tril_indices(n)) for n in set(sizes.tolist())}
        row, column = np.concatenate([corner[n] for n in sizes.tolist()] or [_NO_PLACES], axis=1)
        body = np.repeat(np.arange(len(sizes)), sizes * (sizes + 1) // 2)
        return Places(body, row, column, slots[body] + row, slots[body] + column)

    def shared(self) -> Places:
        """The places of the block of each pair of bodies, pair by pair, row by row; none with the ground."""
        sizes, slots, ground = self.layout.sizes, self.layout.slots, self.layout.bodies
        joined = [k for k, pair in enumerate(self.pairs) if max(pair) < ground]
        i, j = np.array([self.pairs[k] for k in joined], dtype=np.int64).reshape(-1, 2).T
        inside = [np.indices((sizes[a], sizes[b])).reshape(2, -1) for a, b in zip(i, j, strict=True)]
        row, column = np.concatenate(inside or [_NO_PLACES], axis=1)
        each = sizes[i] * sizes[j]
        first, second = np.repeat(i, each), np.repeat(j, each)
        return Places(
            np.repeat(joined, each).astype(np.int64), row, column, slots[first] + row, slots[second] + column
        )

    def jacobian(self) -> tuple[Integers, Integers]:
        """Rows and columns of the whole matrix for the entries of the Jacobian, those of the ground among them."""
        rows = np.repeat(np.arange(len(self.g_row) - 1), np.diff(self.g_row))
        return self.layout.coordinates + rows, self.g_col.astype(np.int64)

    def entries(self) -> tuple[Integers, Integers]:
        """All structurally nonzero places i >= j of the matrix, each once; unknowns first, then rows."""
        n = self.layout.coordinates + len(self.g_row) - 1
        (row, column), own, shared = self.jacobian(), self.own(), self.shared()
        kept = column < self.layout.coordinates
        i = np.concatenate([np.arange(n), own.i, shared.i, row[kept]])
        j = np.concatenate([np.arange(n), own.j, shared.j, column[kept]])
        return np.divmod(np.unique(np.maximum(i, j) * n + np.minimum(i, j)), n)

    def units(self) -> list[range]:
        """Unknowns and rows that are eliminated together."""
        nu, blocks = self.layout.coordinates, self.layout.blocks.tolist()
        return [*starmap(range, pairwise(blocks)), *(range(nu + a, nu + b) for a, b in self.groups if b > a)]


@dataclass(frozen=True)
class Entries:
    """A symmetric matrix: rows, columns and values (n,) of its entries on and below the diagonal, which add up."""

    rows: Integers
    columns: Integers
    values: Array


def elimination_order(pattern: Pattern, matrix: Entries) -> list[int]:
    """Order of the unknowns for LDL^T without pivoting, from a representative matrix.

    Units are taken by smallest number of neighbours; a unit waits while one of its pivots has lost more than
    99 % of what went into it. Units that never qualify (redundant rows) come last.
    """
    blocks = _Blocks(pattern, matrix)
    waiting = set(range(len(blocks.units)))
    version = [0] * len(blocks.units)
    ready = [(blocks.degree(m), m, 0) for m in waiting if blocks.acceptable(m)]
    heapq.heapify(ready)
    order: list[int] = []
    while waiting:
        while ready and (ready[0][1] not in waiting or ready[0][2] != version[ready[0][1]]):
            heapq.heappop(ready)
        # only rows that others imply are left otherwise: best pivot first
        chosen = heapq.heappop(ready)[1] if ready else max(sorted(waiting), key=blocks.worst_pivot)
        order += blocks.units[chosen]
        waiting.discard(chosen)
        for m in blocks.eliminate(chosen):
            version[m] += 1
            if blocks.acceptable(m):
                heapq.heappush(ready, (blocks.degree(m), m, version[m]))
    return order


class _Blocks:
    """What is left of a matrix while its units are eliminated, as blocks between units that are coupled."""

    def __init__(self, pattern: Pattern, matrix: Entries) -> None:
        self.units = pattern.units()
        sizes = np.array([len(unit) for unit in self.units], dtype=np.int64)
        unit_of, place = np.empty(sizes.sum(), dtype=np.int64), np.empty(sizes.sum(), dtype=np.int64)
        for k, unit in enumerate(self.units):
            unit_of[unit], place[unit] = k, np.arange(len(unit))
        count = len(sizes)
        i, j = pattern.entries()
        a, b = unit_of[i], unit_of[j]
        keys = np.unique(np.concatenate([np.arange(count) * (count + 1), a * count + b, b * count + a]))
        one, other = np.divmod(keys, count)
        first = np.concatenate([[0], np.cumsum(sizes[one] * sizes[other])])
        values = np.zeros(first[-1])
        off = matrix.rows != matrix.columns
        mirrored = Entries(matrix.columns[off], matrix.rows[off], matrix.values[off])
        for i, j, entries in ((part.rows, part.columns, part.values) for part in (matrix, mirrored)):
            block = np.searchsorted(keys, unit_of[i] * count + unit_of[j])
            np.add.at(values, first[block] + place[i] * sizes[other[block]] + place[j], entries)
        self.near: list[dict[int, Array]] = [{} for _ in range(count)]
        for k, (u, v) in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
            self.near[u][v] = values[first[k] : first[k + 1]].reshape(sizes[u], sizes[v])
        self.weight = [np.abs(np.diag(self.near[k][k])).copy() for k in range(count)]

    def degree(self, m: int) -> int:
        """Number of unknowns that a unit is coupled with."""
        return sum(len(self.units[k]) for k in self.near[m]) - len(self.units[m])

    def worst_pivot(self, m: int) -> float:
        """Smallest share of a unit's diagonal that is left."""
        left = np.abs(np.diag(self.near[m][m])) / (self.weight[m] + 1e-300)
        return float(left.min())

    def acceptable(self, m: int) -> bool:
        """Whether no pivot of a unit has cancelled, or does while the unit is eliminated."""
        return bool(_holds(self.near[m][m].copy(), self.weight[m].copy()))

    def eliminate(self, chosen: int) -> list[int]:
        """Take a unit out; returns the units that this changes."""
        around = sorted(self.near[chosen].keys() - {chosen})
        members = [chosen, *around]
        first = np.cumsum([0, *(len(self.units[m]) for m in members)])
        spans = dict(zip(members, map(slice, first[:-1].tolist(), first[1:].tolist()), strict=True))
        K, weight = np.zeros((first[-1], first[-1])), np.concatenate([self.weight[m] for m in members])
        for a in members:
            for b, block in self.near[a].items():
                if b in spans:
                    K[spans[a], spans[b]] = block
        _take_out(K, weight, len(self.units[chosen]))
        for a in around:
            del self.near[a][chosen]
            self.weight[a] = weight[spans[a]]
            for b in around:
                self.near[a][b] = K[spans[a], spans[b]].copy()
        self.near[chosen] = {}
        return around


@kernel
def _holds(block, size):
    """Whether no pivot of a block (n, n) has cancelled against what went into its diagonal, size (n,), or does while
    it is eliminated; both are overwritten."""
    n = size.shape[0]
    for k in range(n):
        if abs(block[k, k]) <= PIVOT_SHARE * size[k]:
            return False
        for i in range(k + 1, n):
            v = block[i, k] / block[k, k]
            size[i] += abs(v * block[i, k])
            for j in range(k + 1, n):
                block[i, j] -= v * block[j, k]
    return True


@kernel
def _take_out(K, weight, count):
    """Eliminate the first unknowns of K (n, n), symmetric; weight (n,): what went into each diagonal."""
    n = weight.shape[0]
    for k in range(count):
        if K[k, k] != 0.0:
            for i in range(k + 1, n):
                for j in range(k + 1, n):
                    K[i, j] -= K[i, k] * K[j, k] / K[k, k]
                weight[i] += K[i, k] * K[i, k] / abs(K[k, k])
