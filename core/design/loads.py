"""What a point that follows the heartline at a given speed feels, from the exact geometry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.track.build import BuiltTrack

Array = NDArray[np.float64]
G0 = 9.81  # m/s^2, the unit of g in this program


def heartline_loads(
    built: BuiltTrack, s: Array, speed: Array, rate: Array, height: float, gravity: Array
) -> Array:
    """Specific force (n, 3) g along forward, left and up of the track at points `height` (m) above its middle.

    s (n,) m on the centreline; speed (n,) m/s = ds/dt and rate (n,) m/s^2 = its change in time; gravity (3,) m/s^2.
    The point is c(s) + height * up(s): its acceleration is c'' etc. with the derivatives of up by s, which follow from
    the turn rate of the canted frame about the tangent and the curvature of the centreline.
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
    path1, path2 = t + height * up1, k + height * up2
    felt = speed[:, None] ** 2 * path2 + rate[:, None] * path1 - gravity
    return np.column_stack([np.sum(felt * axis, axis=1) for axis in (t, left, up)]) / G0
