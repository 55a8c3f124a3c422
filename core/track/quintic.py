"""Quintic interpolating splines with the end conditions a track needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bspline import basis, piecewise_coefficients, solve_round, solve_staircase

Array = NDArray[np.float64]
DEGREE = 5
NOT_A_KNOT_POINTS = 6  # fewer points than this at a free end: natural end conditions instead


def open_spline(u: Array, points: Array, start: Array | None, end: Array | None) -> tuple[Array, Array]:
    """C4 quintic curve through points at parameters u, with prescribed or free ends.

    u (n,) increasing; points (n, 3), n >= 2. start, end: (m, 3) derivatives with respect to u of order 1..m
    at that end (m = 3 for a join with three matching derivatives) or None for a free end, which is
    not-a-knot when there are enough points and natural otherwise. Every derivative beyond the second needs
    one more knot, placed inside the first interval, so that the curve stays C4 in its interior.
    Returns breaks and coef as `piecewise_coefficients`.
    """
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
    at_start, at_end = conditions
    wanted = [
        (u[:1], 0, points[:1]),
        *((u[:1], order, value[None]) for order, value in at_start),
        (u[1:-1], 0, points[1:-1]),
        *((u[-1:], order, value[None]) for order, value in at_end),
        (u[-1:], 0, points[-1:]),
    ]
    found = [basis(knots, DEGREE, places, order) for places, order, _ in wanted]
    first, rows = (np.concatenate(parts) for parts in zip(*found, strict=True))
    control = solve_staircase(first, rows, np.concatenate([value for *_, value in wanted]))
    return piecewise_coefficients(knots, control, DEGREE, u)


def periodic_basis(u: Array) -> tuple[Array, int]:
    """Knot vector of the periodic quintic spline with breaks u (n+1,), and the number n of its free coefficients."""
    n = len(u) - 1
    period = u[-1] - u[0]
    turns = -(-DEGREE // n) + 1
    laps = [u[:-1] + period * k for k in range(-turns, turns + 2)]
    line = np.concatenate(laps)
    first = turns * n
    return line[first - DEGREE : first + n + DEGREE + 1], n


def closed_spline(u: Array, points: Array) -> tuple[Array, Array]:
    """Periodic C4 quintic curve through points.

    u (n+1,): parameters of the points and of the return to the first one; points (n, 3), n >= 3.
    Returns breaks and coef as `piecewise_coefficients`.
    """
    knots, n = periodic_basis(u)
    first, rows = basis(knots, DEGREE, u[:-1])
    # the sixth function is zero at the knot it begins at
    free = solve_round(first, rows[:, :DEGREE], points)
    return piecewise_coefficients(knots, free[np.arange(n + DEGREE) % n], DEGREE)
