"""Sparse LDL^T of the saddle-point matrix of constrained motion, ordered once, factorised often.

The matrix is K = [[H, -G^T], [-G, -E]] with H from `tangent` (bodies, springs, path coordinates), G the
constraint Jacobian and a tiny diagonal E. Its order comes from `ordering`: for a tree of bodies there is no fill
beyond parent and child, and the cost is linear in their number.

E_cc = epsilon (G H_diag^-1 G^T)_cc bounds the pivots of rows that others already imply, for good or in a passing
pose: their multipliers come out as the smallest that fit, and the Newton iterations remove the error E makes.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, kernel
from .ordering import Pattern

N = NDArray[
    np.uint32
]  # unsigned: indexing needs no check for negative numbers, which takes as long as the work
EPSILON = 1e-10
# with signed ones sums of unsigned numbers are signed
ONE, TWO, THREE, FOUR, FIVE, SIX = (np.uint32(k) for k in range(1, 7))


class Factor(NamedTuple):
    """Pattern and storage of one factorisation; n unknowns (velocities, then rows).

    Pivots of one unit (the unknowns of a body, the rows of a joint) make a panel: below it all its columns have the
    same rows, so that what is done to these is done to whole columns, and an index is read once for all of them.
    """

    perm: Integers  # (n,) original index of each pivot
    place: N  # (n,) and the pivot of each original index
    col: N  # (n + 1,) column starts in L: first the rest of the column inside its panel, then what is below
    panel: N  # (panels + 1,) first pivots of the panels
    below: N  # (panels + 1,) where their rows begin
    rows: N  # positions of the rows below the panels, rising
    block: N  # (panels + 1,) where their blocks begin
    blocks: N  # (blocks, 4) rows first to end of a panel that are pivots of another one, where in `into` its rows from
    #        the first on stand, and how many rows that other one has, its own among them
    into: N  # places of rows among those of the other panel
    at: Integers  # places of all matrix entries: lower parts of blocks, pairs, path coordinates, Jacobian, rows;
    #        a negative place -1 - k is the diagonal of pivot k
    at_first: Integers  # (6,) starts of these groups
    sizes: Integers  # (bodies,) of the blocks
    pairs: Integers  # (pairs, 2) rows and columns of the blocks between two bodies, 0 with the ground
    pivot: Integers  # (width,) where the slots of bodies have their pivots, -1 for others
    D: Array  # (n + 1,) pivots
    inverse: Array  # (n + 1,) one over each
    L: Array  # (nnz + 1,); the last takes what belongs to the ground
    x: Array  # (n + 1,) right-hand side / solution in pivot order
    pair: Array  # (n + 1, 2) two of them


def symbolic(p: Pattern, order: list[int]) -> Factor:
    """Fill pattern, storage and the places of all matrix entries for an elimination order."""
    n, nu = len(order), p.layout.coordinates
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    i, j = (position[k] for k in p.entries())
    panel, below = _panels(p, order, np.minimum(i, j), np.maximum(i, j))
    width, depth = np.diff(panel), np.array([len(rows) for rows in below], dtype=np.int64)
    first = np.repeat(panel[:-1], width)
    counts = first + np.repeat(width + depth, width) - np.arange(n) - 1
    rows = np.concatenate([*below, np.zeros(0, dtype=np.int64)])
    begin, col = _starts(depth), _starts(counts)
    keys = np.repeat(np.arange(len(width)), depth) * n + rows
    of = np.repeat(np.arange(len(width)), width)

    def inside(k: Integers, i: Integers) -> Integers:
        """The places of pivots i among the rows of panels k, its own first."""
        found = np.searchsorted(keys, k * n + i) - begin[k] + width[k]
        return np.where(of[i] == k, i - panel[k], found)

    def at(i: Integers, j: Integers) -> Integers:
        """Where entries of the matrix are stored."""
        a, b = np.minimum(position[i], position[j]), np.maximum(position[i], position[j])
        k = of[a]
        return np.where(a == b, -1 - a, col[a + 1] - width[k] - depth[k] + inside(k, b))

    own, shared = p.own(), p.shared()
    row, joined = p.jacobian()
    kept = joined < nu
    jacobian = np.full(len(row), col[-1])
    jacobian[kept] = at(row[kept], joined[kept])
    along = range(p.layout.paths.start, p.layout.paths.stop)
    groups = (at(own.i, own.j), at(shared.i, shared.j), -1 - position[along], jacobian, -1 - position[nu:])
    sizes, ground = p.layout.sizes, p.layout.bodies
    pivot = np.full(p.layout.width, -1)
    pivot[:nu] = position[:nu]
    pivot[along] = -1
    block, blocks, into = _blocks(begin, rows, of, inside, width + depth)
    return Factor(
        perm=np.array(order, dtype=np.int64),
        place=position.astype(np.uint32),
        col=col.astype(np.uint32),
        panel=panel.astype(np.uint32),
        below=begin.astype(np.uint32),
        rows=rows.astype(np.uint32),
        block=block.astype(np.uint32),
        blocks=blocks.astype(np.uint32),
        into=into.astype(np.uint32),
        at=np.concatenate(groups).astype(np.int64),
        at_first=_starts([len(group) for group in groups]),
        sizes=sizes[:ground].copy(),
        pairs=np.array(
            [[sizes[i], sizes[j]] if max(i, j) < ground else [0, 0] for i, j in p.pairs], dtype=np.int64
        ).reshape(-1, 2),
        pivot=pivot,
        D=np.zeros(n + 1),
        inverse=np.zeros(n + 1),
        L=np.zeros(col[-1] + 1),
        x=np.zeros(n + 1),
        pair=np.zeros((n + 1, 2)),
    )


def _panels(p: Pattern, order: list[int], low: Integers, high: Integers) -> tuple[Integers, list[Integers]]:
    """First pivots of the panels (panels + 1,), and the rows below each; low, high: places of the matrix entries."""
    n = len(order)
    unit_of = np.empty(n, dtype=np.int64)
    for number, unit in enumerate(p.units()):
        unit_of[unit] = number
    panel = np.concatenate([[0], np.flatnonzero(np.diff(unit_of[order])) + 1, [n]]).astype(np.int64)
    of = np.repeat(np.arange(len(panel) - 1), np.diff(panel))
    sets: list[set[int]] = [set() for _ in panel[1:]]
    apart = of[low] != of[high]
    for k, i in zip(of[low[apart]].tolist(), high[apart].tolist(), strict=True):
        sets[k].add(i)
    for rows in sets:
        if rows:
            parent = int(of[min(rows)])
            sets[parent].update(i for i in rows if i >= panel[parent + 1])
    return panel, [np.array(sorted(rows), dtype=np.int64) for rows in sets]


def _blocks(
    begin: Integers,
    rows: Integers,
    of: Integers,
    inside: Callable[[Integers, Integers], Integers],
    sizes: Integers,
) -> tuple[Integers, Integers, Integers]:
    """`block`, `blocks` and `into` of a Factor."""
    counts, blocks, into, used = [], [], [np.zeros(0, dtype=np.int64)], 0
    for k in range(len(begin) - 1):
        own = rows[begin[k] : begin[k + 1]]
        others = of[own]
        cuts = [0, *(np.flatnonzero(np.diff(others)) + 1).tolist(), len(own)] if len(own) else [0]
        for a, b in pairwise(cuts):
            into.append(inside(others[a], own[a:]))
            blocks.append((a, b, used, sizes[others[a]]))
            used += len(own) - a
        counts.append(len(cuts) - 1)
    return _starts(counts), np.array(blocks, dtype=np.int64).reshape(-1, 4), np.concatenate(into)


def stored(X: Factor) -> tuple[Integers, Integers]:
    """Row and column (nnz,), as pivots, of what stands in `L`."""
    i, j = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for number, (a, b) in enumerate(pairwise(X.panel.tolist())):
        rows = X.rows[X.below[number] : X.below[number + 1]].astype(np.int64)
        for k in range(a, b):
            i.append(np.concatenate([np.arange(k + 1, b), rows]))
            j.append(np.full(len(i[-1]), k))
    return np.concatenate(i), np.concatenate(j)


def _starts(counts: Integers | list[int]) -> Integers:
    """Where groups begin that lie behind one another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


@kernel
def scatter(X, g_row, g_col, gx, Hd, Ho, Hs, E, epsilon):
    """Put H, -G and -E into the storage of X; E (m,) receives the regularisation of this matrix."""
    L, D, at = X.L, X.D, X.at
    L[:] = 0.0
    D[:] = 0.0
    sizes, pairs, pivot = X.sizes, X.pairs, X.pivot
    a = 0
    for b in range(sizes.shape[0]):
        for r in range(sizes[b]):
            for c in range(r + 1):
                if at[a] < 0:
                    D[-1 - at[a]] += Hd[b, r, c]
                else:
                    L[at[a]] += Hd[b, r, c]
                a += 1
    for k in range(pairs.shape[0]):
        for r in range(pairs[k, 0]):
            for c in range(pairs[k, 1]):
                L[at[a]] += Ho[k, r, c]
                a += 1
    for g in range(Hs.shape[0]):
        D[-1 - at[a]] += Hs[g]
        a += 1
    own = X.at_first[4]
    for row in range(g_row.shape[0] - 1):
        e = 0.0
        for q in range(g_row[row], g_row[row + 1]):
            L[at[a + q]] -= gx[q]
            k = pivot[g_col[q]]
            if k >= 0:
                e += gx[q] * gx[q] / D[k]
        if e == 0.0:  # a row on a path coordinate only
            e = 1e-6
        E[row] = epsilon * e
        D[-1 - at[own + row]] -= E[row]


@inner
def _factorise_panel(X, a, b):
    """The pivots a to b of one panel, from which everything has been taken. Returns False for one that is zero."""
    L, D, col = X.L, X.D, X.col
    for k in range(a, b):
        if D[k] == 0.0 or not math.isfinite(D[k]):
            return False
        inverse = 1.0 / D[k]
        X.inverse[k] = inverse
        begin, end = col[k], col[k + ONE]
        for other in range(k + ONE, b):
            to, after = col[other], begin + (other - k)
            f = L[after - ONE] * inverse
            D[other] -= f * L[after - ONE]
            for q in range(end - after):
                L[to + q] -= f * L[after + q]
        for q in range(begin, end):
            L[q] *= inverse
    return True


@inner
def _subtract(L, D, col, a, b, rest, j, to, into, at):
    """Take from a column j, stored from `to` on, what the columns a to b of a panel bring; rest: how many rows they
    have from j on, whose places in it stand in `into` from `at` on. Nothing is cut out (see _forwards)."""
    k = a
    while k + SIX <= b:
        p0, p1, p2 = col[k + ONE] - rest, col[k + TWO] - rest, col[k + THREE] - rest
        p3, p4, p5 = col[k + FOUR] - rest, col[k + FIVE] - rest, col[k + SIX] - rest
        f0, f1, f2 = L[p0] * D[k], L[p1] * D[k + ONE], L[p2] * D[k + TWO]
        f3, f4, f5 = L[p3] * D[k + THREE], L[p4] * D[k + FOUR], L[p5] * D[k + FIVE]
        k += SIX
        if f0 == f1 == f2 == f3 == f4 == f5 == 0.0:  # bodies that may touch, and do not
            continue
        D[j] -= (f0 * L[p0] + f1 * L[p1] + f2 * L[p2]) + (f3 * L[p3] + f4 * L[p4] + f5 * L[p5])
        for q in range(ONE, rest):
            x = f0 * L[p0 + q] + f1 * L[p1 + q] + f2 * L[p2 + q]
            L[to + into[at + q]] -= x + (f3 * L[p3 + q] + f4 * L[p4 + q] + f5 * L[p5 + q])
    while k + THREE <= b:
        p0, p1, p2 = col[k + ONE] - rest, col[k + TWO] - rest, col[k + THREE] - rest
        f0, f1, f2 = L[p0] * D[k], L[p1] * D[k + ONE], L[p2] * D[k + TWO]
        D[j] -= f0 * L[p0] + f1 * L[p1] + f2 * L[p2]
        for q in range(ONE, rest):
            L[to + into[at + q]] -= f0 * L[p0 + q] + f1 * L[p1 + q] + f2 * L[p2 + q]
        k += THREE
    while k < b:
        p0 = col[k + ONE] - rest
        f0 = L[p0] * D[k]
        D[j] -= f0 * L[p0]
        for q in range(ONE, rest):
            L[to + into[at + q]] -= f0 * L[p0 + q]
        k += ONE


@kernel
def factorise(X):
    """LDL^T in place (right-looking, static order). Returns False when a pivot is zero or not finite.

    What a panel takes from a column behind it is summed over its own columns first, six or three of them at a time, as
    bodies and joints have them.
    """
    L, D, col, panel, below, rows, blocks, into = X.L, X.D, X.col, X.panel, X.below, X.rows, X.blocks, X.into
    for number in range(panel.shape[0] - 1):
        a, b = panel[number], panel[number + 1]
        if not _factorise_panel(X, a, b):
            return False
        first, depth = below[number], below[number + 1] - below[number]
        for e in range(X.block[number], X.block[number + 1]):
            start, at, size = blocks[e, 0], blocks[e, 2], blocks[e, 3]
            for c in range(start, blocks[e, 1]):
                j = rows[first + c]
                _subtract(L, D, col, a, b, depth - c, j, col[j + ONE] - size, into, at + c - start)
    return True


@inner
def solve(X):
    """X.x <- K^-1 X.x, in pivot order."""
    x, L, col, panel = X.x, X.L, X.col, X.panel
    for number in range(panel.shape[0] - 1):
        own = X.rows[X.below[number] : X.below[number + 1]]
        for j in range(panel[number], panel[number + 1]):
            y, i = x[j], j + 1
            column = L[col[j + 1] - own.shape[0] : col[j + 1]]
            for q in range(col[j], col[j + 1] - own.shape[0]):
                x[i] -= L[q] * y
                i += 1
            for r in range(own.shape[0]):
                x[own[r]] -= column[r] * y
    for number in range(panel.shape[0] - 2, -1, -1):
        own, j = X.rows[X.below[number] : X.below[number + 1]], panel[number + 1]
        while j > panel[number]:
            j -= 1
            y, i = x[j] * X.inverse[j], j + 1
            column = L[col[j + 1] - own.shape[0] : col[j + 1]]
            for q in range(col[j], col[j + 1] - own.shape[0]):
                y -= L[q] * x[i]
                i += 1
            for r in range(own.shape[0]):
                y -= column[r] * x[own[r]]
            x[j] = y


@inner
def _forwards(L, col, a, b, rows, first, depth, x):
    """L^-1 of two right-hand sides x (n + 1, 2) for the columns a to b of a panel, whose rows below stand in `rows`
    from `first` on. Places are counted from the ends of columns: to cut them out would take as long as the work."""
    k = a
    for j in range(a, b):
        u, v, i = x[j, 0], x[j, 1], j + ONE
        for q in range(col[j], col[j + ONE] - depth):
            x[i, 0] -= L[q] * u
            x[i, 1] -= L[q] * v
            i += ONE
    while k + THREE <= b:
        p0, p1, p2 = col[k + ONE] - depth, col[k + TWO] - depth, col[k + THREE] - depth
        u0, u1, u2 = x[k, 0], x[k + ONE, 0], x[k + TWO, 0]
        v0, v1, v2 = x[k, 1], x[k + ONE, 1], x[k + TWO, 1]
        for r in range(depth):
            i, l0, l1, l2 = rows[first + r], L[p0 + r], L[p1 + r], L[p2 + r]
            x[i, 0] -= l0 * u0 + l1 * u1 + l2 * u2
            x[i, 1] -= l0 * v0 + l1 * v1 + l2 * v2
        k += THREE
    while k < b:
        p0, u0, v0 = col[k + ONE] - depth, x[k, 0], x[k, 1]
        for r in range(depth):
            i = rows[first + r]
            x[i, 0] -= L[p0 + r] * u0
            x[i, 1] -= L[p0 + r] * v0
        k += ONE


@inner
def _backwards(L, inverse, col, a, b, rows, first, depth, x):
    """And L^-T D^-1."""
    k = a
    while k + THREE <= b:
        p0, p1, p2 = col[k + ONE] - depth, col[k + TWO] - depth, col[k + THREE] - depth
        d0, d1, d2 = inverse[k], inverse[k + ONE], inverse[k + TWO]
        u0, u1, u2 = x[k, 0] * d0, x[k + ONE, 0] * d1, x[k + TWO, 0] * d2
        v0, v1, v2 = x[k, 1] * d0, x[k + ONE, 1] * d1, x[k + TWO, 1] * d2
        for r in range(depth):
            i, l0, l1, l2 = rows[first + r], L[p0 + r], L[p1 + r], L[p2 + r]
            u, v = x[i, 0], x[i, 1]
            u0, u1, u2 = u0 - l0 * u, u1 - l1 * u, u2 - l2 * u
            v0, v1, v2 = v0 - l0 * v, v1 - l1 * v, v2 - l2 * v
        x[k, 0], x[k + ONE, 0], x[k + TWO, 0] = u0, u1, u2
        x[k, 1], x[k + ONE, 1], x[k + TWO, 1] = v0, v1, v2
        k += THREE
    while k < b:
        p0, u0, v0 = col[k + ONE] - depth, x[k, 0] * inverse[k], x[k, 1] * inverse[k]
        for r in range(depth):
            i = rows[first + r]
            u0, v0 = u0 - L[p0 + r] * x[i, 0], v0 - L[p0 + r] * x[i, 1]
        x[k, 0], x[k, 1] = u0, v0
        k += ONE
    while k > a:
        k -= ONE
        u, v, i = x[k, 0], x[k, 1], k + ONE
        for q in range(col[k], col[k + ONE] - depth):
            u -= L[q] * x[i, 0]
            v -= L[q] * x[i, 1]
            i += ONE
        x[k, 0], x[k, 1] = u, v


@kernel
def solve_parts(X, nu, velocity_part, row_part, velocity_out, row_out):
    """Solve K (velocity_out, row_out) = (velocity_part, row_part); parts (>= nu,) and (m,)."""
    x, place = X.x, X.place
    m = place.shape[0] - nu
    for i in range(nu):
        x[place[i]] = velocity_part[i]
    for row in range(m):
        x[place[nu + row]] = row_part[row]
    solve(X)
    for i in range(nu):
        velocity_out[i] = x[place[i]]
    for row in range(m):
        row_out[row] = x[place[nu + row]]


@kernel
def solve_pair(
    X, nu, velocity_a, row_a, velocity_out_a, row_out_a, velocity_b, row_b, velocity_out_b, row_out_b
):
    """As solve_parts for two right-hand sides a and b in one pass through L."""
    x, L, rows, col, place, panel, below = X.pair, X.L, X.rows, X.col, X.place, X.panel, X.below
    m = place.shape[0] - nu
    for i in range(nu):
        k = place[i]
        x[k, 0], x[k, 1] = velocity_a[i], velocity_b[i]
    for row in range(m):
        k = place[nu + row]
        x[k, 0], x[k, 1] = row_a[row], row_b[row]
    panels = panel.shape[0] - 1
    for number in range(panels):
        first = below[number]
        _forwards(L, col, panel[number], panel[number + 1], rows, first, below[number + 1] - first, x)
    for number in range(panels - 1, -1, -1):
        first = below[number]
        _backwards(
            L, X.inverse, col, panel[number], panel[number + 1], rows, first, below[number + 1] - first, x
        )
    for i in range(nu):
        k = place[i]
        velocity_out_a[i], velocity_out_b[i] = x[k, 0], x[k, 1]
    for row in range(m):
        k = place[nu + row]
        row_out_a[row], row_out_b[row] = x[k, 0], x[k, 1]
