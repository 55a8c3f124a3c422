"""Specific force, what an accelerometer fixed to a body feels, and non-compensated acceleration (NCA), the lateral part
of it that the bank of a curve does not take away.

Relation to what the rider feels. Take a level curve to the left, centripetal acceleration a_c towards the left
(horizontal), and a carbody leaned into the curve by psi = phi + theta: its left axis is
eta = cos(psi) left - sin(psi) up. Gravity is -g up, so the lateral specific force is

    eta . (a - g_vec) = a_c cos(psi) - g sin(psi) = NCA.

NCA is therefore g times Gy in a left curve and minus g times Gy in a right curve: positive means that the seat pushes
the rider towards the centre of the curve (not enough bank). On hills and dips, where the path also curves vertically,
the formula lacks that part; `nca_of_body` uses the whole acceleration and is right everywhere.

Project signs: cant and roll are positive when the left side is raised (right-handed about the forward axis), so a left
curve is banked by negative cant and psi = -(cant + roll) for centripetal acceleration counted positive to the left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array
from .errors import InputError
from .frames import conjugate, multiply, rotation_matrix

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


def nca(
    centripetal: ArrayLike, torsion_angle: ArrayLike, roll_angle: ArrayLike = 0.0, gravity: float = 9.81
) -> Array:
    """Non-compensated acceleration in a curve.

    NCA = a_c cos(phi + theta) - g sin(phi + theta).

    centripetal a_c (n,) or scalar, m/s^2 (= v^2 / R); torsion_angle phi, bank of the track, and roll_angle theta of the
    carbody against the chassis, rad, both positive when they lean towards the side to which a_c is counted positive;
    gravity m/s^2. Returns m/s^2, positive towards the side of positive a_c. Arguments broadcast.
    Source: Viegas 2016, eq. 3.1.
    """
    a_c = np.asarray(centripetal, dtype=np.float64)
    angle = np.asarray(torsion_angle, dtype=np.float64) + np.asarray(roll_angle, dtype=np.float64)
    return np.asarray(a_c * np.cos(angle) - gravity * np.sin(angle), dtype=np.float64)


def lateral_load_in_curve(
    centripetal_left: ArrayLike, cant: ArrayLike, roll: ArrayLike = 0.0, gravity: float = 9.81
) -> Array:
    """Gy of a rider in a level curve, from eq. 3.1 in the signs of the project.

    centripetal_left m/s^2, positive in a left curve; cant of the track and roll of the carbody against the chassis,
    rad, positive when the left side is raised; gravity m/s^2. Returns Gy in g, positive to the left. Arguments
    broadcast.
    Source: Viegas 2016, eq. 3.1 with phi + theta = -(cant + roll), see the head of this module.
    """
    return nca(centripetal_left, -np.asarray(cant), -np.asarray(roll), gravity) / gravity


def nca_of_body(acceleration_world: ArrayLike, orientation: ArrayLike, gravity_vec: ArrayLike) -> Array:
    """Lateral specific force of a carbody: NCA without the assumption of a level curve.

    acceleration_world (n, 3) m/s^2 in world axes; orientation (n, 4) Euler parameters of A_WB; gravity_vec (3,) m/s^2.
    Returns (n,) m/s^2, positive to the left of the carbody; equals `nca` in a level left curve and its negative in a
    level right curve. Raises InputError as `specific_force`.
    """
    felt: Array = specific_force(acceleration_world, orientation, gravity_vec, g=1.0)[:, 1]
    return felt


def lateral_in_plane(acceleration_world: ArrayLike, left: ArrayLike, gravity_vec: ArrayLike) -> Array:
    """Lateral specific force in a plane that does not tilt with the carbody, such as that of the rails.

    acceleration_world (n, 3) m/s^2; left (n, 3) unit vectors of the plane towards the left; gravity_vec (3,) m/s^2; all
    in world axes. Returns (n,) m/s^2, positive to the left. With the acceleration of the carbody and the left
    axis of the track this is the NCA a rider would feel if the carbody did not tilt; `nca_of_body` less this is
    what the tilting does.
    Raises InputError when the shapes do not fit.
    """
    a = np.atleast_2d(np.asarray(acceleration_world, dtype=np.float64))
    axis = np.atleast_2d(np.asarray(left, dtype=np.float64))
    if a.ndim != 2 or a.shape[1] != 3 or axis.shape != a.shape:
        raise InputError(
            f"Acceleration and left axis need three columns and as many rows, found {a.shape} and {axis.shape}."
        )
    return np.asarray(np.einsum("ni,ni->n", a - np.asarray(gravity_vec, dtype=np.float64), axis))


def roll_between(orientation_chassis: ArrayLike, orientation_carbody: ArrayLike) -> Array:
    """Roll angle of the carbody against the chassis about the chassis' forward axis.

    orientation_chassis, orientation_carbody (n, 4) Euler parameters of A_WB of each body. Returns (n,) rad in (-pi,
    pi], positive when the left side of the carbody is raised: the twist about xi, 2 atan2(e1, e0), of the relative
    rotation, which is the roll itself when nothing else turns and stays smooth when the bodies also pitch or yaw a
    little.
    Raises InputError for wrong shapes or Euler parameters not of unit length.
    """
    p = unit_quaternions(orientation_chassis)
    q = unit_quaternions(orientation_carbody)
    if p.shape != q.shape:
        raise InputError(
            f"Chassis and carbody need as many orientations, found {p.shape[0]} and {q.shape[0]}."
        )
    e0, e1 = multiply(conjugate(p), q).T[:2]
    sign = np.where(e0 < 0.0, -1.0, 1.0)
    return np.asarray(2.0 * np.arctan2(sign * e1, sign * e0), dtype=np.float64)
