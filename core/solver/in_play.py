"""Cars whose couplings have play, while a train is assembled: held as they are drawn, one behind the other."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ..base.arrays import Array
from ..model.forces import ForceElement
from ..multibody.arrays import E_DISTANCE, E_FRAME, PAIR_AT, I, J, Work, ints, reals
from ..multibody.compile import System

IN_PLAY = 1e6  # N/m, about that of a draft gear
TINY = 1e-9  # m
TABLES = {"distance": E_DISTANCE, "frame": E_FRAME}


def hold_in_play(system: System, W: Work, stiffness: float) -> None:
    """Add a stiffness (N/m times that of the others) along each coupling that has play to W.Hd and W.Ho.

    Within its play nothing else holds a car to the one ahead, and the smallest change would drive it off along the
    track to spare its own springs.
    """
    cars = [range(*car.bodies) for car in system.cars]
    seen: Counter[str] = Counter()
    for one in system.connectors:
        table, e = TABLES.get(one.geometry), seen[one.geometry]
        seen[one.geometry] += 1
        if table is None or not _has_play(one.element) or any({*one.bodies} <= {*own} for own in cars):
            continue
        row, points = ints(system.arrays, table)[e], reals(system.arrays, table)[e, :6].reshape(2, 3)
        i, j = int(row[I]), int(row[J])
        way = W.r[i] + W.A[i] @ points[0] - W.r[j] - W.A[j] @ points[1]
        way /= max(float(np.linalg.norm(way)), TINY)
        at: list[Array] = [
            np.concatenate([way, np.cross(point, W.A[b].T @ way)])
            for b, point in zip((i, j), points, strict=True)
        ]
        for b, g in zip((i, j), at, strict=True):
            W.Hd[b, :6, :6] += stiffness * np.outer(g, g)
        W.Ho[row[PAIR_AT], :6, :6] -= stiffness * np.outer(*(at if i > j else at[::-1]))


def _has_play(element: ForceElement) -> bool:
    ends = (element, getattr(element, "end_i", None), getattr(element, "end_j", None))
    within = getattr(element, "knuckle_slack", 0.0) > 0.0
    return within or any(getattr(end, "slack", 0.0) > 0.0 for end in ends)
