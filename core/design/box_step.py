"""Linear least squares inside a box, for the design tools: every equation knows a few neighbouring points only."""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array

DAMPING = 1e-10  # of the largest diagonal entry; what no equation sees stays where it is
STEPS = 60
INWARDS = 0.1  # part of the width of the box the first guess keeps from its walls
SHORTER = 0.1  # by which the distance from the optimum is to shrink in a step
SHY = 0.995  # of the way to the nearest wall
ENOUGH = 1e-9  # of the first product of distances and pressures, at which the rest is rounding


def box_step(jacobian: Array, right: Array, low: Array, high: Array) -> Array:
    """The x (n,) within low <= x <= high (n,) for which |jacobian x - right| is least.

    jacobian (m, n), mostly zeros; right (m,); low < high. Primal-dual interior point method on the sparse normal
    equations. Source: Nocedal & Wright 2006, Numerical Optimization, 16.6.
    """
    from scipy.sparse import csc_array, diags_array  # not needed to show the window
    from scipy.sparse.linalg import splu

    rows = csc_array(jacobian)
    normal = csc_array(rows.T @ rows)
    size = max(float(normal.diagonal().max()), 1e-300)
    normal = csc_array(normal + diags_array(np.full(normal.shape[0], DAMPING * size)))
    slope: Array = -np.asarray(rows.T @ right)
    width = high - low
    x = np.clip(np.zeros(len(slope)), low + INWARDS * width, high - INWARDS * width)
    pressure = float(np.abs(normal @ x + slope).max()) + 1e-300
    from_low, from_high = np.full(len(x), pressure), np.full(len(x), pressure)
    first = pressure * float(width.max())
    for _ in range(STEPS):
        below, above = x - low, high - x
        gap = 0.5 * float(below @ from_low + above @ from_high) / len(x)
        if gap < ENOUGH * first:
            break
        aim = SHORTER * gap
        system = csc_array(normal + diags_array(from_low / below + from_high / above))
        move = splu(system).solve(-(normal @ x + slope) + aim / below - aim / above)
        low_move = (aim - from_low * move) / below - from_low
        high_move = (aim + from_high * move) / above - from_high
        parts = ((below, move), (above, -move), (from_low, low_move), (from_high, high_move))
        share = min(1.0, *(SHY / max(float((-change / value).max()), 1e-300) for value, change in parts))
        x = x + share * move
        from_low, from_high = from_low + share * low_move, from_high + share * high_move
    inside: Array = np.clip(x, low, high)
    return inside
