"""Butcher tableaux of the explicit Runge-Kutta methods."""

from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853

from ...base.arrays import Array

# rows of a, then b; the instants c are the row sums (Hairer, Norsett & Wanner 1993, ch. II)
TABLEAUX: dict[str, list[list[float]]] = {
    "euler": [[1.0]],
    "rk2": [[0.5], [0.0, 1.0]],
    "bogacki_shampine": [[1 / 2], [0.0, 3 / 4], [2 / 9, 1 / 3, 4 / 9]],
    "rk4": [[1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]],
    "dopri5": [
        [1 / 5],
        [3 / 40, 9 / 40],
        [44 / 45, -56 / 15, 32 / 9],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
        [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ],
    "dopri8": [
        *([float(x) for x in row[:k]] for k, row in enumerate(DOP853.A) if k),
        list(map(float, DOP853.B)),
    ],
}


def tableau(method: str) -> Array:
    """Tableau (stages + 1, stages) of a fixed-step method: stage weights, the last row those of the result.

    method: a key of TABLEAUX. "dopri8" is the solution of order 8 of Dormand & Prince's pair as scipy's DOP853
    holds it (Hairer, Norsett & Wanner 1993, section II.10).
    """
    rows = TABLEAUX[method]
    stages = len(rows)
    out = np.zeros((stages + 1, stages))
    for k, row in enumerate(rows):
        out[k + 1, : len(row)] = row
    return out
