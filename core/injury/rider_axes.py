"""Rider axes: what an accelerometer fixed to a body feels, and the six named directions.

+Gx is acceleration of the rider forward (eyeballs in), +Gy to the left, +Gz headward (eyeballs down); a rider sitting
still feels +1 Gz. Body axes (xi forward, eta left, zeta up) and rider axes are the same axes.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix

Direction = Literal["+Gx", "-Gx", "+Gy", "-Gy", "+Gz", "-Gz"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)

#: Euler parameters further from unit length than this are a mistake, not drift of an integrator.
QUATERNION_TOLERANCE = 1e-3


def specific_force(
    acceleration_world: ArrayLike, orientation: ArrayLike, gravity_vec: ArrayLike, g: float | None = None
) -> Array:
    """What an accelerometer fixed to a body feels, in g, in the axes of the body.

    f_B = A_WB^T (a_W - g_W) / g.

    acceleration_world (n, 3) m/s^2, of the point that carries the accelerometer, in world axes; orientation (n, 4)
    Euler parameters (e0, e1, e2, e3) of A_WB; gravity_vec (3,) m/s^2 in world axes, e.g. (0, 0, -9.81); g the unit in
    m/s^2, by default the length of gravity_vec. Returns (n, 3): Gx, Gy, Gz with gravity in.
    Raises InputError for wrong shapes, Euler parameters more than 1e-3 from unit length, or no g to divide by.
    Source: definition; Viegas 2016, Fig. 4.6 for the names of the axes.
    """
    a = np.atleast_2d(np.asarray(acceleration_world, dtype=np.float64))
    gravity = np.asarray(gravity_vec, dtype=np.float64)
    if a.ndim != 2 or a.shape[1] != 3:
        raise InputError(f"The acceleration must have three columns (x, y, z), found shape {a.shape}.")
    if gravity.shape != (3,) or not np.isfinite(gravity).all():
        raise InputError(f"The gravity vector must be three finite numbers, found {gravity_vec!r}.")
    unit = float(np.linalg.norm(gravity)) if g is None else float(g)
    if not unit > 0.0:
        raise InputError("Without gravity the unit g is not defined; pass g in m/s^2, for example g=9.81.")
    rotation = rotation_matrix(unit_quaternions(orientation))
    if rotation.shape[0] != a.shape[0]:
        raise InputError(f"There are {a.shape[0]} accelerations but {rotation.shape[0]} orientations.")
    return np.asarray(np.einsum("nji,nj->ni", rotation, a - gravity) / unit, dtype=np.float64)


def unit_quaternions(orientation: ArrayLike) -> Array:
    """Euler parameters (n, 4) scaled to unit length; InputError when one is more than 1e-3 off."""
    e = np.atleast_2d(np.asarray(orientation, dtype=np.float64))
    if e.ndim != 2 or e.shape[1] != 4:
        raise InputError(f"The orientation must have four columns (e0, e1, e2, e3), found shape {e.shape}.")
    length = np.linalg.norm(e, axis=1)
    bad = ~(np.abs(length - 1.0) <= QUATERNION_TOLERANCE)
    if bad.any():
        k = int(np.argmax(bad))
        raise InputError(
            f"The Euler parameters of sample {k + 1} have length {length[k]:.6g}; they must have length 1."
        )
    return np.asarray(e / length[:, None], dtype=np.float64)


def directional(acceleration: Array, direction: Direction) -> Array:
    """Signal that is positive when the rider is loaded in one direction.

    acceleration (n, 3) in g, rider axes; direction e.g. "-Gz". Returns (n,) in g: the component, or its negative for a
    direction with a minus sign. Raises InputError for an unknown direction.
    """
    if direction not in DIRECTIONS:
        raise InputError(f"Unknown direction {direction!r}; allowed are {', '.join(DIRECTIONS)}.")
    component = acceleration[:, "xyz".index(direction[2])]
    return np.ascontiguousarray(component if direction[0] == "+" else -component)
