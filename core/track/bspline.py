"""B-splines with nothing but numpy: basis functions, collocation, power form.

The part of scipy that has them takes longer to load than a whole track takes to build.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
PANEL = 24  # columns eliminated at once


def basis(knots: Array, degree: int, places: Array, order: int = 0) -> tuple[Ints, Array]:
    """The basis functions that are not zero at places, or their derivatives of an order <= degree.

    knots (k,) nondecreasing; places (m,) within the span knots[degree] .. knots[-degree - 1]; at a knot the piece
    on its right counts, at the last one that on its left. Returns first (m,), the number of the first of degree + 1
    functions in a row, and their values (m, degree + 1).
    Source: de Boor 2001, ch. X, eqs. (8) and (12).
    """
    last = len(knots) - degree - 1
    span = np.clip(np.searchsorted(knots, places, side="right") - 1, degree, last - 1)
    # a repeated last knot has pieces of no width before it
    span = np.where(knots[span + 1] > knots[span], span, np.searchsorted(knots, knots[last]) - 1)
    values = np.ones((len(places), 1))
    for d in range(1, degree + 1):
        left = knots[span[:, None] + np.arange(1 - d, 1)]
        right = knots[span[:, None] + np.arange(1, d + 1)]
        share = values / (right - left)
        lowered, raised = np.zeros((len(places), d + 1)), np.zeros((len(places), d + 1))
        if d <= degree - order:
            lowered[:, :d] = (right - places[:, None]) * share
            raised[:, 1:] = (places[:, None] - left) * share
        else:
            lowered[:, :d] = -d * share
            raised[:, 1:] = d * share
        values = lowered + raised
    return span - degree, values


def solve_staircase(first: Ints, rows: Array, right: Array) -> Array:
    """Solve a square system whose rows are zero but for a few columns in a row, by orthogonal elimination.

    first (n,): column of rows[:, 0], nondecreasing; rows (n, w), zero where they would reach beyond the last column;
    right (n, q). Returns (n, q). Cost linear in n. Raises numpy's LinAlgError when the matrix is singular.
    """
    n, width = rows.shape
    scale = 1.0 / np.abs(rows).max(axis=1, keepdims=True)
    rows, right = rows * scale, right * scale
    reach = PANEL + width
    waiting = np.zeros((0, reach + right.shape[1]))
    panels = []
    for start in range(0, n, PANEL):
        a, b = np.searchsorted(first, (start, start + PANEL))
        own = np.zeros((b - a, reach + right.shape[1]))
        at = first[a:b, None] - start + np.arange(width)
        np.put_along_axis(own[:, :reach], at, rows[a:b], axis=1)
        own[:, reach:] = right[a:b]
        upper: Array = np.asarray(np.linalg.qr(np.vstack([waiting, own]), mode="r"))
        panels.append(upper[:PANEL])
        rest = upper[PANEL:reach]
        waiting = np.zeros((len(rest), reach + right.shape[1]))
        waiting[:, :width], waiting[:, reach:] = rest[:, PANEL:reach], rest[:, reach:]
    found = np.zeros((n + reach, right.shape[1]))
    for start, upper in zip(range(0, n, PANEL)[::-1], panels[::-1], strict=True):
        size = min(PANEL, n - start)
        known = upper[:size, size:reach] @ found[start + size : start + reach]
        found[start : start + size] = np.linalg.solve(upper[:size, :size], upper[:size, reach:] - known)
    return found[:n]


def solve_round(first: Ints, rows: Array, right: Array) -> Array:
    """Solve a square system whose rows reach over the last column back to column 0.

    first (n,): column (any integer, counted modulo n) of rows[:, 0]; rows (n, w); right (n, q), row i belonging to
    column i. Returns (n, q).
    """
    n, width = rows.shape
    columns = (first[:, None] + np.arange(width)) % n
    if n <= 2 * (width + PANEL):
        full = np.zeros((n, n))
        np.add.at(full, (np.arange(n)[:, None], columns), rows)
        return np.asarray(np.linalg.solve(full, right))
    # from both ends at once: 0, n-1, 1, n-2, .. turns the ring into a line
    order = np.empty(n, dtype=np.int64)
    order[0::2], order[1::2] = np.arange((n + 1) // 2), np.arange(n - 1, (n + 1) // 2 - 1, -1)
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    at = place[columns]
    begin = at.min(axis=1)
    wide = np.zeros((n, int((at - begin[:, None]).max()) + 1))
    np.put_along_axis(wide, at - begin[:, None], rows, axis=1)
    down = np.argsort(begin, kind="stable")
    return solve_staircase(begin[down], wide[down], right[down])[place]


def piecewise_coefficients(
    knots: Array, control: Array, degree: int, places: Array | None = None
) -> tuple[Array, Array]:
    """Power form of a B-spline curve, with pieces cut at the knots and at places (parameters, optional).

    knots (k,); control (c, d). Returns breaks (m+1,) and coef (m, degree + 1, d), ascending powers of (u - breaks[k]).
    """
    breaks = np.unique(knots[degree : len(knots) - degree])
    if places is not None:
        breaks = np.union1d(breaks, places)
    at = breaks[:-1]
    coef = np.empty((len(at), degree + 1, control.shape[1]))
    for order in range(degree + 1):
        first, values = basis(knots, degree, at, order)
        near = control[first[:, None] + np.arange(degree + 1)]
        coef[:, order] = np.einsum("mk,mkd->md", values, near) / factorial(order)
    return breaks, coef
