"""One body in z-x-z Euler angles beside Euler parameters, to show where the angles are singular.

A = Rz(phi) Rx(theta) Rz(psi), theta between the body's zeta and the world's z. The rates of phi and psi contain
1 / sin(theta): at theta = 0 or pi both angles turn about the same axis, the angles of an orientation are not unique
and their equations break down; near it phi and psi must rush past each other. Euler parameters have no such place
(Nikravesh 1988, section 6.1; Spicka 2020, section 3.2).

The body is free, or hangs on a ball joint; either way its rotation obeys I omega' = moment - omega x I omega about
its centre of mass or the joint.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...base.arrays import Array
from ...base.errors import InputError
from ...base.frames import from_matrix, multiply, rotation_matrix, skew
from .tableaux import tableau

Moment = Callable[[Array], Array]
Coordinates = Literal["euler_angles", "euler_parameters"]


def matrix_of_angles(angles: ArrayLike) -> Array:
    """A (3, 3), body to world, of z-x-z angles (phi, theta, psi) (3,) in rad."""
    phi, theta, psi = np.asarray(angles, dtype=np.float64)
    turns = [[np.cos(x / 2.0), 0.0, 0.0, np.sin(x / 2.0)] for x in (phi, psi)]
    nod = [np.cos(theta / 2.0), np.sin(theta / 2.0), 0.0, 0.0]
    return rotation_matrix(multiply(multiply(turns[0], nod), turns[1]))


def angles_of_matrix(A: ArrayLike) -> Array:
    """z-x-z angles (phi, theta, psi) (3,) in rad with theta in (0, pi) of A (3, 3).

    Raises InputError where theta is 0 or pi to rounding: phi and psi are not unique there.
    """
    m = np.asarray(A, dtype=np.float64)
    sine = float(np.hypot(m[0, 2], m[1, 2]))
    if sine < 1e-12:
        raise InputError(
            "The body's zeta axis lies along the world's z: z-x-z Euler angles are not unique there; turn it or use"
            " Euler parameters."
        )
    return np.array([np.arctan2(m[0, 2], -m[1, 2]), np.arctan2(sine, m[2, 2]), np.arctan2(m[2, 0], m[2, 1])])


def angle_rates(angles: ArrayLike, omega: ArrayLike) -> Array:
    """Rates (phi', theta', psi') (3,) in rad/s for the angular velocity omega (3,) in body axes (rad/s).

    Raises ZeroDivisionError at theta = 0 exactly.
    """
    _, theta, psi = np.asarray(angles, dtype=np.float64).tolist()
    x, y, z = np.asarray(omega, dtype=np.float64).tolist()
    sine, cosine = math.sin(psi), math.cos(psi)
    phi_rate = (x * sine + y * cosine) / math.sin(theta)
    return np.array([phi_rate, x * cosine - y * sine, z - phi_rate * math.cos(theta)])


def hung_on_joint(
    mass: float, inertia: ArrayLike, joint: ArrayLike, gravity: ArrayLike
) -> tuple[Array, Moment]:
    """Inertia (3, 3) kg m^2 about a ball joint, and the moment (N m, body axes) of gravity about it.

    mass kg; inertia (3,): principal moments about the centre of mass; joint (3,): its place in body axes (m);
    gravity (3,): world, m/s^2.
    """
    centre = -np.asarray(joint, dtype=np.float64)
    weight = mass * np.asarray(gravity, dtype=np.float64)
    arm = skew(centre)
    about = np.diag(np.asarray(inertia, dtype=np.float64)) - mass * arm @ arm

    def moment(A: Array) -> Array:
        return np.asarray(np.cross(centre, A.T @ weight))

    return about, moment


def turn_body(
    inertia: ArrayLike,
    start: ArrayLike,
    omega: ArrayLike,
    duration: float,
    step: float,
    coordinates: Coordinates,
    moment: Moment | None = None,
    method: str = "rk4",
) -> tuple[Array, Array]:
    """Orientations (n + 1, 3, 3) and angular velocities (n + 1, 3) of a turning body at 0, step, ..., n step.

    inertia (3, 3) or (3,) kg m^2; start (3, 3): A at t = 0; omega (3,) rad/s in body axes; duration, step s;
    moment: function A -> (3,) N m in body axes, None for a free body; method: an explicit one of `tableaux`. Raises
    InputError for a start at the singular place of Euler angles.
    """
    J = np.asarray(inertia, dtype=np.float64)
    J = np.diag(J) if J.ndim == 1 else J
    A0, angles = np.asarray(start, dtype=np.float64), coordinates == "euler_angles"
    q0 = angles_of_matrix(A0) if angles else from_matrix(A0)
    table, inverse = tableau(method), np.linalg.inv(J)
    n = round(duration / step)
    y = np.concatenate([q0, np.asarray(omega, dtype=np.float64)])
    stages = np.zeros((table.shape[1], len(y)))
    out_A, out_w = np.empty((n + 1, 3, 3)), np.empty((n + 1, 3))

    def pose(q: Array) -> Array:
        return matrix_of_angles(q) if angles else rotation_matrix(q / np.linalg.norm(q))

    def rates(y: Array) -> Array:
        q, w = y[:-3], y[-3:]
        torque = np.zeros(3) if moment is None else moment(pose(q))
        turn = angle_rates(q, w) if angles else 0.5 * multiply(q, [0.0, *w])
        return np.concatenate([turn, inverse @ (torque - np.cross(w, J @ w))])

    for k in range(n + 1):
        out_A[k], out_w[k] = pose(y[:-3]), y[-3:]
        for s in range(len(stages)):
            stages[s] = rates(y + step * table[s, :s] @ stages[:s])
        y = y + step * table[-1] @ stages
        if not angles:
            y[:-3] /= np.linalg.norm(y[:-3])
    return out_A, out_w
