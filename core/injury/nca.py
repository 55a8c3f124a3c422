"""Non-compensated acceleration: the part of the curve that the bank does not take away.

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

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import conjugate, multiply
from .rider_axes import specific_force, unit_quaternions


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
