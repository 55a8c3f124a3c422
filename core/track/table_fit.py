"""Smoothing of tabulated curves: a quintic (C4) spline as smooth as a stated tolerance allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import BSpline
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from ..base.arrays import Array
from .quintic import DEGREE, design_matrix, periodic_basis, power_form

KNOT_SPACING = 0.2  # m, rows closer than this share a knot
WEIGHT_RANGE = (-12.0, 8.0)  # decades of the smoothing weight that are searched; beyond, rounding shows
SEARCH_STEPS = 18
END_WEIGHT = 1e8  # the ends of an open table are held, so that neighbouring sections meet it


@dataclass(frozen=True)
class Smooth:
    """A fitted curve. breaks (m+1,); coef (m, 6, d) ascending; deviation (n,): distance of each row from it."""

    breaks: Array
    coef: Array
    deviation: Array


def _knots(u: Array, closed: bool) -> tuple[Array, int]:
    """Knot vector at the rows (thinned to KNOT_SPACING) and the number of free coefficients."""
    kept = [u[0]]
    for value in u[1:-1]:
        if value - kept[-1] >= KNOT_SPACING and u[-1] - value >= KNOT_SPACING:
            kept.append(value)
    kept.append(u[-1])
    breaks = np.asarray(kept)
    if closed:
        return periodic_basis(breaks)
    inner = breaks[1:-1]
    while len(inner) + DEGREE + 1 > len(u):  # not more coefficients than rows
        inner = np.delete(inner, [0, -1]) if len(inner) > 1 else inner[:0]
    ends = DEGREE + 1
    return np.concatenate([np.full(ends, u[0]), inner, np.full(ends, u[-1])]), len(inner) + ends


def _bending(knots: Array, n: int) -> csc_array:
    """Gram matrix of the third derivative: x' M x = integral of |f'''|^2 du."""
    breaks = np.unique(knots[DEGREE : len(knots) - DEGREE])
    node, weight = np.polynomial.legendre.leggauss(3)
    half = 0.5 * np.diff(breaks)
    positions = ((breaks[:-1] + half)[:, None] + half[:, None] * node).ravel()
    third = design_matrix(knots, n, positions, 3)
    return csc_array(third.T @ (third * (half[:, None] * weight).reshape(-1, 1)))


def smooth(u: Array, rows: Array, tolerance: float, closed: bool) -> Smooth:
    """Quintic spline curve with the least integral of |third derivative|^2 that stays within tolerance.

    u (n,) increasing parameters of the rows, one more (n+1,) for a closed curve: where it returns to row 0;
    rows (n, d); tolerance: largest distance between row i and the curve at u[i] (unit of the rows).
    The ends of an open curve are held at their rows. The weight of the smoothing is found by bisection on its
    logarithm.
    Source: smoothing spline of order three (Reinsch 1967) with reduced knots, quintic B-splines.
    """
    knots, n = _knots(u, closed)
    positions = u[:-1] if closed else u
    design = design_matrix(knots, n, positions)
    weight = np.ones(len(positions))
    if not closed:
        weight[[0, -1]] = END_WEIGHT
    normal = csc_array(design.T @ (design * weight[:, None]))
    bending = _bending(knots, n)
    tie = 10.0 ** WEIGHT_RANGE[0]
    centre = rows.mean(axis=0)
    start = splu(csc_array(normal + tie * bending)).solve(design.T @ (weight[:, None] * (rows - centre)))
    pull = bending @ start

    def at(decade: float) -> tuple[Array, Array]:
        # solved for the change against the start, which is small, so that rounding stays small too
        stiff = 10.0**decade
        change = splu(csc_array(normal + stiff * bending)).solve(-(stiff - tie) * pull)
        free = start + change
        return free, np.linalg.norm(design @ free - (rows - centre), axis=-1)

    low, high = WEIGHT_RANGE
    best, gap = at(low)
    for _ in range(SEARCH_STEPS):
        middle = 0.5 * (low + high)
        trial, away = at(middle)
        if away.max() <= tolerance:
            low, best, gap = middle, trial, away
        else:
            high = middle
    control = best + centre
    count = len(knots) - DEGREE - 1
    curve = BSpline(knots, control[np.arange(count) % n], DEGREE)
    return Smooth(*power_form(curve, np.unique(knots[DEGREE : len(knots) - DEGREE])), gap)
