"""What a point that follows the heartline at a given speed feels, from the exact geometry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.track.build import BuiltTrack
from core.track.heartline import heartline_heights, heartline_law

Array = NDArray[np.float64]
G0 = 9.81  # m/s^2, the unit of g in this program


def heights(built: BuiltTrack, s: Array, height: float | None) -> Array:
    """Height (m) of the heartline with its first and second derivative by s, (n, 3): that of the track for None."""
    if height is not None:
        return np.column_stack([np.full(len(s), height), np.zeros((len(s), 2))])
    law = heartline_law(built.track.heartline, built.sections, built.length, built.track.closed)
    return heartline_heights(law, built.centreline.wrap(s))


def heartline_loads(
    built: BuiltTrack, s: Array, speed: Array, rate: Array, height: float | None, gravity: Array
) -> Array:
    """Specific force (n, 3) g along forward, left and up of the track at points `height` (m) above its middle.

    s (n,) m on the centreline; speed (n,) m/s = ds/dt and rate (n,) m/s^2 = its change in time; gravity (3,) m/s^2.
    The point is c(s) + h(s) * up(s), h the height or, for None, that of the track's heartline: its acceleration follows
    from the turn rate of the canted frame about the tangent, the curvature of the centreline and their derivatives.
    """
    state = built.centreline.state(s)
    t, k, k1 = state.curve[:, 1], state.curve[:, 2], state.curve[:, 3]
    left, up = state.left, state.up
    turn, turn1 = state.twist[:, 0:1], state.twist[:, 1:2]

    def dot(a: Array, b: Array) -> Array:
        product: Array = np.sum(a * b, axis=1, keepdims=True)
        return product

    # Darboux: t' = k, up' = -turn left - (k.up) t, left' = turn up - (k.left) t
    up1 = -turn * left - dot(k, up) * t
    left1 = turn * up - dot(k, left) * t
    up2 = -turn1 * left - turn * left1 - (dot(k1, up) + dot(k, up1)) * t - dot(k, up) * k
    h, h1, h2 = heights(built, s, height).T[:, :, None]
    path1 = t + h1 * up + h * up1
    path2 = k + h2 * up + 2.0 * h1 * up1 + h * up2
    felt = speed[:, None] ** 2 * path2 + rate[:, None] * path1 - gravity
    return np.column_stack([np.sum(felt * axis, axis=1) for axis in (t, left, up)]) / G0
