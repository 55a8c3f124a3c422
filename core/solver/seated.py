"""Riders go with their seats when a model is assembled.

Constraints move bodies as little as possible, and riders sit on springs and contacts: left alone they would stay where
they are drawn, and as fast, while the car under them is moved onto its rails. So each rider takes part, as one rigid
piece, in what becomes of the body that carries its seat.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..base.frames import conjugate, multiply, rotation_matrix
from ..multibody.compile import State, System
from ..multibody.flatten import Seated


def seated_poses(system: System, r: Array, p: Array) -> tuple[Array, Array]:
    """Positions (nb + 1, 3) and Euler parameters (nb + 1, 4) with every rider of a car drawn where its seat now is."""
    start, r, p = system.start, r.copy(), p.copy()
    for seated in system.seated:
        seat, own = seated.seat, slice(*seated.bodies)
        turn = multiply(p[seat], conjugate(start.p[seat]))
        r[own] = r[seat] + (start.r[own] - start.r[seat]) @ rotation_matrix(turn).T
        p[own] = multiply(turn, start.p[own])
    return r, p


def seated_velocities(system: System, state: State, u: Array) -> Array:
    """Velocities u in the pose of a state, with those of every rider as its own against its seat at the start are, and
    as u has them of the body that carries the seat."""
    start, slots, out = system.start, system.layout.rigid, u.copy()
    before, now = rotation_matrix(start.p), rotation_matrix(state.p)
    for seated in system.seated:
        seat, own = seated.seat, np.arange(*seated.bodies)
        turn = now[seat] @ before[seat].T
        own_motion = _of_seat(start.u[slots[seat]], before, start.r, seated)
        moves = start.u[slots[own, :3]] - own_motion[0]
        spins = np.einsum("bij,bj->bi", before[own], start.u[slots[own, 3:]]) - own_motion[1]
        velocity, spin = _of_seat(u[slots[seat]], now, state.r, seated)
        out[slots[own, :3]] = velocity + moves @ turn.T
        out[slots[own, 3:]] = np.einsum("bji,bj->bi", now[own], spin + spins @ turn.T)
    return out


def _of_seat(u: Array, A: Array, r: Array, seated: Seated) -> tuple[Array, Array]:
    """Velocities (k, 3) of a rider's bodies and spin (3,), world axes, as parts of the body that carries its seat and
    has the velocities u (6,)."""
    spin = A[seated.seat] @ u[3:]
    return u[:3] + np.cross(spin, r[slice(*seated.bodies)] - r[seated.seat]), spin
