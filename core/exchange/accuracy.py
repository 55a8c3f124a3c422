"""How far points, with their left vectors, lie from an exact track."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from ..base.arrays import Array
from ..track.build import BuiltTrack
from ..track.centreline import Centreline

NEWTON_STEPS = 6


@dataclass(frozen=True)
class Deviation:
    """Largest distance (m) and roll difference (rad) from a track, each with its arc length (m) on it."""

    distance: float
    distance_s: float
    roll: float
    roll_s: float

    def sentence(self, what: str) -> str:
        """The figures as a sentence about `what`."""
        return (
            f"{what} by at most {self.distance * 1000:.2f} mm (at s = {self.distance_s:.1f} m) and"
            f" {np.degrees(self.roll):.3f} deg of roll (at s = {self.roll_s:.1f} m)."
        )


def nearest_places(line: Centreline, points: Array, s: Array) -> Array:
    """Arc lengths (n,) m on the centreline next to points (n, 3), started from nearby guesses s (n,)."""
    at = s.astype(float)
    reach = 5.0
    for _ in range(NEWTON_STEPS):
        d = line.derivatives(at)
        gap = points - d[:, 0]
        slope = 1.0 - np.sum(gap * d[:, 2], axis=-1)
        step = np.sum(gap * d[:, 1], axis=-1) / np.maximum(slope, 0.2)
        at = at + np.clip(step, -reach, reach)
        if not line.closed:
            at = np.clip(at, 0.0, line.length)
    return line.wrap(at)


def deviation_from(built: BuiltTrack, points: Array, left: Array, s: Array) -> Deviation:
    """How far points (n, 3) m with left vectors (n, 3), thought to lie at s (n,) m, are off a track.

    The distance is to the nearest place of the exact centreline; the roll is the angle between the left vectors
    about its tangent.
    """
    at = nearest_places(built.centreline, points, s)
    state = built.centreline.state(at)
    away = np.linalg.norm(points - state.curve[:, 0], axis=-1)
    side = np.cross(state.tangent, state.left)
    angle = np.abs(np.arctan2(np.sum(left * side, -1), np.sum(left * state.left, -1)))
    i, j = int(np.argmax(away)), int(np.argmax(angle))
    return Deviation(float(away[i]), float(at[i]), float(angle[j]), float(at[j]))


def between_rows(
    positions: Array, left: Array, s: Array, closed: bool, length: float
) -> tuple[Array, Array, Array]:
    """Points, left vectors and arc lengths a reader of the rows gets in between, four places to a gap.

    positions, left (n, 3), s (n,): the rows as written; positions are interpolated by a cubic spline over s, left
    vectors linearly. length (m) of the track, where a closed one returns to its first row.
    """
    if closed:
        positions, left = np.vstack([positions, positions[:1]]), np.vstack([left, left[:1]])
        s = np.append(s, length)
    fractions = np.array([0.125, 0.375, 0.625, 0.875])
    at = (s[:-1, None] + np.diff(s)[:, None] * fractions).ravel()
    curve = CubicSpline(s, positions, bc_type="periodic" if closed else "not-a-knot")
    share = np.tile(fractions, len(s) - 1)[:, None]
    k = np.repeat(np.arange(len(s) - 1), len(fractions))
    return np.asarray(curve(at)), (1.0 - share) * left[k] + share * left[k + 1], at


def chord_error(built: BuiltTrack, s: Array) -> tuple[float, float]:
    """Largest distance (m) between the exact left or right rail and its polyline, and the place s (m) of it."""
    ends = np.append(s, built.length) if built.track.closed else s
    middle = 0.5 * (ends[:-1] + ends[1:])
    half = 0.5 * built.track.gauge
    worst = np.zeros(len(middle))
    at_ends, at_middle = built.centreline.state(ends), built.centreline.state(middle)
    for side in (half, -half):
        points = at_ends.curve[:, 0] + side * at_ends.left
        exact = at_middle.curve[:, 0] + side * at_middle.left
        chord = points[1:] - points[:-1]
        size = np.maximum(np.linalg.norm(chord, axis=1), 1e-12)
        off = np.linalg.norm(np.cross(exact - points[:-1], chord), axis=1) / size
        worst = np.maximum(worst, off)
    k = int(np.argmax(worst))
    return float(worst[k]), float(middle[k])
