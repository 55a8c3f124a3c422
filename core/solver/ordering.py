"""In which order the unknowns of the saddle-point system are eliminated: found once for a topology.

Bodies, path coordinates and the rows of one joint are eliminated as units, smallest fill first, a unit only when its
pivots do not cancel in a representative state (so that a row follows a body that gives it a pivot, in every pose).
For a tree of bodies this gives no fill beyond parent and child, and costs what the number of bodies asks for.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise, starmap

import numpy as np

from ..base.arrays import Array, Integers
from ..multibody.layout import Layout

PIVOT_SHARE = 0.01


@dataclass(frozen=True)
class Pattern:
    """What is coupled with what: blocks of unknowns, pairs of bodies and Jacobian pattern (see Arrays)."""

    layout: Layout
    pairs: tuple[tuple[int, int], ...]
    g_row: Integers
    g_col: Integers
    groups: tuple[tuple[int, int], ...]  # first and end row of each joint, guide or driver

    def own(self) -> list[list[tuple[int, int]]]:
        """For every body the places (i >= j) of its own block, row by row."""
        spans = [self._slots(b) for b in range(self.layout.bodies)]
        return [[(r, c) for r in span for c in span if c <= r] for span in spans]

    def shared(self) -> list[list[tuple[int, int]]]:
        """For every pair of bodies the places of its block, row by row; none with the ground."""
        ground = self.layout.bodies
        return [
            [(r, c) for r in self._slots(i) for c in self._slots(j)] if max(i, j) < ground else []
            for i, j in self.pairs
        ]

    def _slots(self, body: int) -> range:
        block = self.layout.block(body)
        return range(block.start, block.stop)

    def entries(self) -> set[tuple[int, int]]:
        """All structurally nonzero places (i >= j) of the matrix; unknowns first, then rows."""
        nu = self.layout.coordinates
        out: set[tuple[int, int]] = {(k, k) for k in range(nu + len(self.g_row) - 1)}
        out |= {place for places in (*self.own(), *self.shared()) for place in places}
        for row in range(len(self.g_row) - 1):
            for q in range(self.g_row[row], self.g_row[row + 1]):
                if self.g_col[q] < nu:
                    out.add((nu + row, int(self.g_col[q])))
        return out

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
        count = sum(len(unit) for unit in self.units)
        unit_of, place = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
        for k, unit in enumerate(self.units):
            unit_of[unit], place[unit] = k, np.arange(len(unit))
        self.near: list[dict[int, Array]] = [
            {k: np.zeros((len(u), len(u)))} for k, u in enumerate(self.units)
        ]
        for i, j in pattern.entries():
            self._block(int(unit_of[i]), int(unit_of[j]))
        for i, j, value in zip(
            matrix.rows.tolist(), matrix.columns.tolist(), matrix.values.tolist(), strict=True
        ):
            a, b, p, q = unit_of[i], unit_of[j], place[i], place[j]
            self.near[a][b][p, q] += value
            if i != j:
                self.near[b][a][q, p] += value
        self.weight = [np.abs(np.diag(self.near[k][k])).copy() for k in range(len(self.units))]

    def _block(self, a: int, b: int) -> None:
        if b not in self.near[a]:
            self.near[a][b] = np.zeros((len(self.units[a]), len(self.units[b])))
            self.near[b][a] = np.zeros((len(self.units[b]), len(self.units[a])))

    def degree(self, m: int) -> int:
        """Number of unknowns that a unit is coupled with."""
        return sum(len(self.units[k]) for k in self.near[m]) - len(self.units[m])

    def worst_pivot(self, m: int) -> float:
        """Smallest share of a unit's diagonal that is left."""
        left = np.abs(np.diag(self.near[m][m])) / (self.weight[m] + 1e-300)
        return float(left.min())

    def acceptable(self, m: int) -> bool:
        """Whether no pivot of a unit has cancelled, or does while the unit is eliminated."""
        block, size = self.near[m][m].copy(), self.weight[m].copy()
        for k in range(len(size)):
            if abs(block[k, k]) <= PIVOT_SHARE * size[k]:
                return False
            v = block[k + 1 :, k] / block[k, k]
            size[k + 1 :] += np.abs(v * block[k + 1 :, k])
            block[k + 1 :, k + 1 :] -= np.outer(v, block[k + 1 :, k])
        return True

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
        for k in range(len(self.units[chosen])):
            if K[k, k] != 0.0:
                v = K[k + 1 :, k].copy()
                K[k + 1 :, k + 1 :] -= np.outer(v, v) / K[k, k]
                weight[k + 1 :] += v * v / abs(K[k, k])
        for a in around:
            del self.near[a][chosen]
            self.weight[a] = weight[spans[a]]
            for b in around:
                self.near[a][b] = K[spans[a], spans[b]].copy()
        self.near[chosen] = {}
        return around
