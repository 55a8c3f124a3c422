"""Kinks, curvature jumps and reversals in the data a person gave, before any smoothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array


@dataclass(frozen=True)
class RowKink:
    """A row at which tabulated positions bend sharply: row index, excess turn (rad), curvature jump (1/m)."""

    row: int
    turn: float
    curvature_jump: float


def row_curvature(points: Array, closed: bool) -> tuple[Array, Array]:
    """Curvature vector (1/m) at every row from the two chords beside it, (n, 3), and the mean chord (n,).

    Open tables repeat the neighbour at both ends.
    """
    line = np.vstack([points[-1:], points, points[:1]]) if closed else points
    chords = np.diff(line, axis=0)
    width = np.linalg.norm(chords, axis=1)
    unit = chords / width[:, None]
    mean = 0.5 * (width[1:] + width[:-1])
    bend = np.diff(unit, axis=0) / mean[:, None]
    if closed:
        return bend, mean
    return np.vstack([bend[:1], bend, bend[-1:]]), np.concatenate([mean[:1], mean, mean[-1:]])


def row_kinks(points: Array, closed: bool, min_turn: float, min_jump: float) -> list[RowKink]:
    """Rows where the direction or the curvature of tabulated positions jumps.

    points (n, 3) m. The turn at a row is compared with the median of the two rows on either side of it: the excess
    (rad) is the kink; the curvatures (1/m) before and after, each extrapolated to the row from two and four rows
    away, are compared: the difference is the jump. Of neighbouring rows only the worst is kept.
    """
    bend, mean = row_curvature(points, closed)
    n = len(points)
    if n < 9:
        return []

    def moved(k: int) -> Array:
        index = np.arange(n) + k
        return np.asarray(bend[index % n if closed else index.clip(0, n - 1)])

    around = np.median(np.stack([moved(-2), moved(-1), moved(1), moved(2)]), axis=0)
    turn = np.linalg.norm(bend - around, axis=1) * mean
    before = 2.0 * moved(-2) - moved(-4)
    after = 2.0 * moved(2) - moved(4)
    jump = np.linalg.norm(after - before, axis=1)
    found: list[RowKink] = []
    for row in np.flatnonzero((turn > min_turn) | (jump > min_jump)).tolist():
        kink = RowKink(row, float(turn[row]), float(jump[row]))
        if found and row - found[-1].row <= 4:
            old = found[-1]
            worse = kink.turn / min_turn + kink.curvature_jump / min_jump > (
                old.turn / min_turn + old.curvature_jump / min_jump
            )
            found[-1] = kink if worse else old
        else:
            found.append(kink)
    return found


def chord_turns(points: Array, closed: bool) -> Array:
    """Angle (rad) between the chords before and after every point, (n,); 0 at the ends of an open course."""
    line = np.vstack([points[-1:], points, points[:1]]) if closed else points
    chords = np.diff(line, axis=0)
    a, b = chords[:-1], chords[1:]
    angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.sum(a * b, axis=1))
    return angle if closed else np.concatenate([[0.0], angle, [0.0]])
