"""Quintic interpolating splines with the end conditions a track needs."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.arrays import Array

if TYPE_CHECKING:
    from scipy.interpolate import BSpline
    from scipy.sparse import csc_array

DEGREE = 5
NOT_A_KNOT_POINTS = 6  # fewer points than this at a free end: natural end conditions instead


def open_spline(u: Array, points: Array, start: Array | None, end: Array | None) -> tuple[Array, Array]:
    """C4 quintic curve through points at parameters u, with prescribed or free ends.

    u (n,) increasing; points (n, 3), n >= 2. start, end: (m, 3) derivatives with respect to u of order 1..m
    at that end (m = 3 for a join with three matching derivatives) or None for a free end, which is
    not-a-knot when there are enough points and natural otherwise. Every derivative beyond the second needs
    one more knot, placed inside the first interval, so that the curve stays C4 in its interior.
    Returns breaks and coef as `power_form`.
    """
    from scipy.interpolate import make_interp_spline  # not needed to show the window

    n = len(u)
    if n == 2 and start is None and end is None:
        coef = np.zeros((1, DEGREE + 1, 3))
        coef[0, 0], coef[0, 1] = points[0], (points[1] - points[0]) / (u[1] - u[0])
        return u.copy(), coef
    inner = list(u[1:-1])
    conditions: list[list[tuple[int, Array]]] = []
    for is_end, known in ((False, start), (True, end)):
        if known is not None:
            conditions.append([(order + 1, value) for order, value in enumerate(known)])
        elif n >= NOT_A_KNOT_POINTS:
            inner = inner[:-2] if is_end else inner[2:]
            conditions.append([])
        else:
            conditions.append([(3, np.zeros(3)), (4, np.zeros(3))])
    extra_start = 0 if start is None else len(start) - 2
    extra_end = 0 if end is None else len(end) - 2
    if n == 2:
        count = extra_start + extra_end
        inner += list(u[0] + (u[1] - u[0]) * np.arange(1, count + 1) / (count + 1))
    else:
        inner += [u[0] + (u[1] - u[0]) * (i + 1) / (extra_start + 1) for i in range(extra_start)]
        inner += [u[-1] - (u[-1] - u[-2]) * (i + 1) / (extra_end + 1) for i in range(extra_end)]
    knots = np.concatenate([np.full(DEGREE + 1, u[0]), np.sort(inner), np.full(DEGREE + 1, u[-1])])
    ends: Any = tuple(known or None for known in conditions)  # scipy's stubs know scalars only
    curve = make_interp_spline(u, points, k=DEGREE, t=knots, bc_type=ends)
    return power_form(curve, np.union1d(knots, u))


def periodic_basis(u: Array) -> tuple[Array, int]:
    """Knot vector of the periodic quintic spline with breaks u (n+1,), and the number n of its free coefficients."""
    n = len(u) - 1
    period = u[-1] - u[0]
    turns = -(-DEGREE // n) + 1
    laps = [u[:-1] + period * k for k in range(-turns, turns + 2)]
    line = np.concatenate(laps)
    first = turns * n
    return line[first - DEGREE : first + n + DEGREE + 1], n


def design_matrix(knots: Array, n: int, positions: Array, order: int = 0) -> csc_array:
    """Values of the n free basis functions at positions (m,), or of their derivatives of an order, as a matrix (m, n).

    The columns of a periodic basis are folded: the function that begins in the next lap is that of this one.
    """
    from scipy.interpolate import BSpline
    from scipy.sparse import csc_array

    count = len(knots) - DEGREE - 1
    each = np.arange(count)
    lowered, degree = csc_array((np.ones(count), (each, each)), shape=(count, count)), DEGREE
    for _ in range(
        order
    ):  # a derivative: the spline of one degree less through differences of the coefficients
        share = degree / (knots[degree + 1 : -1] - knots[1 : -degree - 1])
        row = np.arange(len(share))
        entries = (np.append(-share, share), (np.append(row, row), np.append(row, row + 1)))
        lowered = csc_array(csc_array(entries, shape=(len(row), len(row) + 1)) @ lowered)
        knots, degree = knots[1:-1], degree - 1
    fold = csc_array((np.ones(count), (each, each % n)), shape=(count, n))
    return csc_array(BSpline.design_matrix(positions, knots, degree) @ lowered @ fold)


def closed_spline(u: Array, points: Array) -> tuple[Array, Array]:
    """Periodic C4 quintic curve through points.

    u (n+1,): parameters of the points and of the return to the first one; points (n, 3), n >= 3.
    Returns breaks and coef as `power_form`.

    The equations are solved with pivots. scipy's own periodic interpolation (1.17) takes the two corners off its banded
    matrix, which may be singular without them: of 4 and of 7 uneven points its curve misses them all.
    """
    from scipy.interpolate import BSpline
    from scipy.sparse.linalg import splu

    knots, n = periodic_basis(u)
    free = splu(design_matrix(knots, n, u[:-1])).solve(points)
    return power_form(BSpline(knots, free[np.arange(len(knots) - DEGREE - 1) % n], DEGREE), u)


def power_form(curve: BSpline, breaks: Array) -> tuple[Array, Array]:
    """Power form of a spline curve in d dimensions, its pieces cut at breaks (m+1,), among which are its knots.

    Returns breaks and coef (m, 6, d), ascending powers of (u - breaks[k]).
    """
    coef = [curve(breaks[:-1], order) / factorial(order) for order in range(DEGREE + 1)]
    return breaks, np.stack(coef, axis=1)
