"""Courses: bodies that move as they are told, at every instant, in place and turn.

A body on a course follows a curve whose parameter is time, as a guide follows the track along its length: the curve has
the body's place and two of its axes, six constraints hold the body there, one more makes the parameter the time. Any
turn can be told, somersaults too, which angles of yaw, pitch and roll cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frames import from_rotation_vector, multiply, rotation_matrix
from ..track.path import PathTable, path_table

APART = 1e-4  # s; told instants that are nearer to the one before than that are left out


@dataclass(frozen=True)
class Course:
    """Motion of a body from a time (s) on: place (m) and axes eta and zeta (world), quintics of the time since then."""

    begin: float
    path: PathTable

    @property
    def end(self) -> float:
        """s, behind which the body is not told any more."""
        return self.begin + self.path.length


def course(
    name: str,
    time: Array,
    start: tuple[Array, Array],
    motion: tuple[Array, Array, Array, Array],
) -> Course:
    """The course of a body whose velocities and accelerations are known at some instants.

    Between instants velocities follow the cubics through both ends with their rates, as those of a run do when it is
    read (`results.sampler`); places and turns are their integrals from the start on, so that accelerations are free of
    the rounding that places differ from them by. What that leaves of the places known otherwise is no more than the
    error of the steps between the instants.

    Parameters
    ----------
    name
        Of the body.
    time
        (n,) s, rising; those that follow on another within `APART` are left out.
    start
        Place (3,) m and Euler parameters (4,) at the first instant, world axes.
    motion
        Velocity (n, 3) m/s and acceleration (n, 3) m/s^2 of the centre of mass, world axes; angular velocity (n, 3)
        rad/s and acceleration (n, 3) rad/s^2, body axes.

    Returns
    -------
    The course, C2 in time.

    Raises
    ------
    InputError
        Where fewer than two instants are known.
    """
    kept = _apart(time)
    if len(kept) < 2:
        raise InputError(f"Nothing can follow the motion of '{name}', which is known at one instant only.")
    t = time[kept]
    v, a, w, dw = (values[kept] for values in motion)
    place, turn = np.array(start[0]), np.array(start[1])
    h = np.diff(t)[:, None]
    position = np.vstack([place, place + np.cumsum(_integral(h, v, a), axis=0)])
    # the axis itself turns: Magnus' second term
    turns = from_rotation_vector(_integral(h, w, dw) + h**2 / 12.0 * np.cross(w[:-1], w[1:]))
    A = rotation_matrix(_products(np.vstack([turn, turns])))
    values = [np.hstack([position, A[:, :, 1], A[:, :, 2]]), np.hstack([v, *_rates(A, w)])]
    values.append(np.hstack([a, *_second_rates(A, w, dw)]))
    known = np.stack(values, axis=1)
    return Course(float(t[0]), path_table(f"course of {name}", False, t - t[0], known[:-1], known[1:]))


def _apart(time: Array) -> Integers:
    kept, last = [], -np.inf
    for k, now in enumerate(time.tolist()):
        if now - last >= APART:
            kept.append(k)
            last = now
    if kept and kept[-1] != len(time) - 1:  # to the very end
        kept[max(len(kept) - 1, 1) :] = [len(time) - 1]
    return np.array(kept, dtype=np.int64)


def _integral(h: Array, value: Array, rate: Array) -> Array:
    """Over each interval h (n - 1, 1) of the cubics through values with their rates (n, 3)."""
    return h * (value[:-1] + value[1:]) / 2.0 + h**2 * (rate[:-1] - rate[1:]) / 12.0


def _products(turns: Array) -> Array:
    """The running products (n, 4) of turns, from the first on."""
    out, step = turns.copy(), 1
    while step < len(out):
        out[step:] = multiply(out[:-step], out[step:])
        step *= 2
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def _rates(A: Array, w: Array) -> list[Array]:
    """How fast axes eta and zeta of a body change, world axes."""
    return [np.einsum("nij,nj->ni", A, np.cross(w, axis)) for axis in np.eye(3)[1:]]


def _second_rates(A: Array, w: Array, dw: Array) -> list[Array]:
    return [
        np.einsum("nij,nj->ni", A, np.cross(dw, axis) + np.cross(w, np.cross(w, axis)))
        for axis in np.eye(3)[1:]
    ]
