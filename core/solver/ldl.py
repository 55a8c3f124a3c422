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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..jit.decorators import inner, kernel
from .ordering import Pattern

N = NDArray[np.uint32]  # unsigned: indexing needs no check for negative numbers
EPSILON = 1e-10


class Factor(NamedTuple):
    """Pattern and storage of one factorisation; n unknowns (velocities, then rows)."""

    perm: Integers  # (n,) original index of each pivot
    col: Integers  # (n + 1,) column starts in rows
    rows: N  # (nnz,) row positions below the diagonal, rising
    left: Integers  # (n + 1,) starts in left_of
    left_of: N  # (k, 2) columns k < j with L_jk != 0, and where L_jk is stored
    at: Integers  # places of all matrix entries: lower parts of blocks, pairs, path coordinates, Jacobian, rows;
    #        a negative place -1 - k is the diagonal of pivot k
    at_first: Integers  # (6,) starts of these groups
    sizes: Integers  # (bodies,) of the blocks
    pairs: Integers  # (pairs, 2) rows and columns of the blocks between two bodies, 0 with the ground
    pivot: Integers  # (width,) where the slots of bodies have their pivots, -1 for others
    D: Array  # (n + 1,) pivots
    L: Array  # (nnz + 1,); the last takes what belongs to the ground
    x: Array  # (2, n + 1) scratch and right-hand side / solution in pivot order
    pair: Array  # (n + 1, 2) two of them


def symbolic(p: Pattern, order: list[int]) -> Factor:
    """Fill pattern, storage and the places of all matrix entries for an elimination order."""
    n, nu = len(order), p.layout.coordinates
    position = np.empty(n, dtype=np.int64)
    position[order] = np.arange(n)
    i, j = (position[k] for k in p.entries())
    below: list[set[int]] = [set() for _ in range(n)]
    for a, b in zip(np.minimum(i, j).tolist(), np.maximum(i, j).tolist(), strict=True):
        if a != b:
            below[a].add(b)
    for k in range(n):
        if below[k]:
            parent = min(below[k])
            below[parent] |= below[k] - {parent}
    counts = np.array([len(one) for one in below])
    rows = np.array([i for one in below for i in sorted(one)], dtype=np.int64)
    column = np.repeat(np.arange(n), counts)
    keys, nnz = column * n + rows, len(rows)
    by_row = np.lexsort((column, rows))

    def at(i: Integers, j: Integers) -> Integers:
        """Where entries of the matrix are stored."""
        a, b = np.minimum(position[i], position[j]), np.maximum(position[i], position[j])
        return np.where(a == b, -1 - a, np.searchsorted(keys, a * n + b))

    own, shared = p.own(), p.shared()
    row, joined = p.jacobian()
    kept = joined < nu
    jacobian = np.full(len(row), nnz)
    jacobian[kept] = at(row[kept], joined[kept])
    along = range(p.layout.paths.start, p.layout.paths.stop)
    groups = (at(own.i, own.j), at(shared.i, shared.j), -1 - position[along], jacobian, -1 - position[nu:])
    sizes, ground = p.layout.sizes, p.layout.bodies
    pivot = np.full(p.layout.width, -1)
    pivot[:nu] = position[:nu]
    pivot[along] = -1
    return Factor(
        perm=np.array(order, dtype=np.int64),
        col=_starts(counts),
        rows=rows.astype(np.uint32),
        left=_starts(np.bincount(rows, minlength=n)),
        left_of=np.column_stack([column[by_row], by_row]).astype(np.uint32),
        at=np.concatenate(groups).astype(np.int64),
        at_first=_starts([len(group) for group in groups]),
        sizes=sizes[:ground].copy(),
        pairs=np.array(
            [[sizes[i], sizes[j]] if max(i, j) < ground else [0, 0] for i, j in p.pairs], dtype=np.int64
        ).reshape(-1, 2),
        pivot=pivot,
        D=np.zeros(n + 1),
        L=np.zeros(nnz + 1),
        x=np.zeros((2, n + 1)),
        pair=np.zeros((n + 1, 2)),
    )


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


@kernel
def factorise(X):
    """LDL^T in place (left-looking, static order). Returns False when a pivot is zero or not finite."""
    n = X.perm.shape[0]
    w, L, D, rows, col, left, left_of = X.x[0], X.L, X.D, X.rows, X.col, X.left, X.left_of
    for j in range(n):
        a, b = col[j], col[j + 1]
        d = D[j]
        for q in range(a, b):
            w[rows[q]] = L[q]
        for e in range(left[j], left[j + 1]):
            k, at = left_of[e, 0], left_of[e, 1]
            l = L[at]
            f = l * D[k]
            d -= l * f
            for q in range(at + 1, col[k + 1]):
                w[rows[q]] -= f * L[q]
        if d == 0.0 or not math.isfinite(d):
            return False
        D[j] = d
        inverse = 1.0 / d
        for q in range(a, b):
            L[q] = w[rows[q]] * inverse
    return True


@inner
def solve(X):
    """X.x[1] <- K^-1 X.x[1], in pivot order."""
    n = X.perm.shape[0]
    x, L, D, rows, col = X.x[1], X.L, X.D, X.rows, X.col
    for j in range(n):
        y = x[j]
        if y != 0.0:
            for q in range(col[j], col[j + 1]):
                x[rows[q]] -= L[q] * y
    for j in range(n):
        x[j] /= D[j]
    for j in range(n - 1, -1, -1):
        y = x[j]
        for q in range(col[j], col[j + 1]):
            y -= L[q] * x[rows[q]]
        x[j] = y


@kernel
def solve_parts(X, nu, velocity_part, row_part, velocity_out, row_out):
    """Solve K (velocity_out, row_out) = (velocity_part, row_part); parts (>= nu,) and (m,)."""
    x = X.x[1]
    for k in range(X.perm.shape[0]):
        i = X.perm[k]
        x[k] = velocity_part[i] if i < nu else row_part[i - nu]
    solve(X)
    for k in range(X.perm.shape[0]):
        i = X.perm[k]
        if i < nu:
            velocity_out[i] = x[k]
        else:
            row_out[i - nu] = x[k]


@kernel
def solve_pair(
    X, nu, velocity_a, row_a, velocity_out_a, row_out_a, velocity_b, row_b, velocity_out_b, row_out_b
):
    """As solve_parts for two right-hand sides a and b in one pass through L."""
    x, L, D, rows, col, perm = X.pair, X.L, X.D, X.rows, X.col, X.perm
    n = perm.shape[0]
    for k in range(n):
        i = perm[k]
        if i < nu:
            x[k, 0], x[k, 1] = velocity_a[i], velocity_b[i]
        else:
            x[k, 0], x[k, 1] = row_a[i - nu], row_b[i - nu]
    for j in range(n):
        a, b = x[j, 0], x[j, 1]
        for q in range(col[j], col[j + 1]):
            i = rows[q]
            x[i, 0] -= L[q] * a
            x[i, 1] -= L[q] * b
    for j in range(n - 1, -1, -1):
        a, b = x[j, 0] / D[j], x[j, 1] / D[j]
        for q in range(col[j], col[j + 1]):
            i = rows[q]
            a -= L[q] * x[i, 0]
            b -= L[q] * x[i, 1]
        x[j, 0], x[j, 1] = a, b
    for k in range(n):
        i = perm[k]
        if i < nu:
            velocity_out_a[i], velocity_out_b[i] = x[k, 0], x[k, 1]
        else:
            row_out_a[i - nu], row_out_b[i - nu] = x[k, 0], x[k, 1]
