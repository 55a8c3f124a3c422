"""The motion that a train begins its ride with, as a load: what comes to rest in the moving train rests under it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..multibody.acceleration_kernels import acceleration_rhs
from ..multibody.arrays import GAMMA, GCOL, GROW, int_line
from ..multibody.compile import State, System
from ..multibody.constraint_kernels import constraints, jacobian_times
from .assemble import change_factor, smallest_change
from .ldl import Factor

NEXT, LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


@dataclass(frozen=True)
class Carried:
    """How the bodies of a train are carried along, in world axes.

    at (nb, 3) m: where they were for what follows; velocity (nb, 3) m/s, spin (nb, 3) rad/s; swept (nb, 3) m/s^2 and
    turned (nb, 3) rad/s^2: the accelerations that bends of the track make of that; gain (nb,) 1/s: the speed that the
    cars of each body's row gain in a second, over their speed; paths (ng,) m/s: speeds along the paths.
    """

    at: Array
    velocity: Array
    spin: Array
    swept: Array
    turned: Array
    gain: Array
    paths: Array

    def lines(self, system: System, r: Array, p: Array) -> tuple[Array, Array]:
        """Velocities and accelerations, two lines, of bodies in a pose r (nb + 1, 3) m, p (nb + 1, 4) that rest against
        the moving train."""
        layout, nb = system.layout, system.bodies
        A, off, gain = rotation_matrix(p[:nb]), r[:nb] - self.at, self.gain[:, None]
        apart = _cross(self.spin, off)
        velocity, turned = self.velocity + apart, self.turned + gain * self.spin
        swept = self.swept + _cross(turned, off) + _cross(self.spin, apart) + gain * self.velocity
        u, a, rigid = layout.line(), layout.line(), layout.rigid[:nb]
        u[rigid] = np.hstack([velocity, np.einsum("bji,bj->bi", A, self.spin)])
        a[rigid] = np.hstack([swept, np.einsum("bji,bj->bi", A, turned)])
        u[layout.paths] = self.paths
        return u, a

    def gaining(self, system: System, state: State, udot: Array) -> Carried:
        """The same with the accelerations (width,) that a train has in a state: what they do for the way of each row of
        coupled cars."""
        u, a = replace(self, gain=np.zeros_like(self.gain)).lines(system, state.r, state.p)
        u[system.layout.paths] = 0.0
        impulse, missing = system.mass_times(u[: system.coordinates]), (udot - a)[: system.coordinates]
        gain = np.zeros_like(self.gain)
        for row in {car.riding.consist for car in system.cars if car.riding is not None}:
            bodies = np.zeros(system.bodies, dtype=bool)
            for car in system.cars:
                if car.riding is not None and car.riding.consist == row:
                    bodies[slice(*car.bodies)] = True
            own = system.layout.rigid[:-1][bodies].ravel()
            gain[bodies] = (impulse[own] @ missing[own]) / (impulse[own] @ u[own])
        return replace(self, gain=gain)


def _cross(a: Array, b: Array) -> Array:
    """a x b of rows (n, 3): numpy's own takes ten times as long for what is asked a thousand times."""
    return a[:, NEXT] * b[:, LAST] - a[:, LAST] * b[:, NEXT]


def carried(system: System, X: Factor, state: State) -> Carried | None:
    """How a train that goes its way from an assembled state is carried; None where it stands.

    Each car as a rigid piece, its mechanisms as its paths turn them, its riders with the bodies that carry their seats.
    """
    nb, layout, S = system.bodies, system.layout, system.arrays
    cars = [car for car in system.cars if car.riding is not None]
    if not cars or system.speed == 0.0:
        return None
    A, rigid = rotation_matrix(state.p[:nb]), layout.rigid[:nb]
    motion = layout.rigid_of(state.u)
    velocity, spin = motion[:, :3].copy(), np.einsum("bij,bj->bi", A, motion[:, 3:])
    swept, turned = np.zeros((nb, 3)), np.zeros((nb, 3))
    for car in cars:
        assert car.riding is not None
        own, way = slice(*car.bodies), car.riding.way
        first, second = system.speed * way[0, 3:], system.speed**2 * way[1]
        arm = state.r[:nb][own] - car.riding.frame.position
        swept[own] = second[:3] + np.cross(second[3:], arm) + np.cross(first, np.cross(first, arm))
        turned[own] = second[3:]
    a, W = layout.line(), system.new_work()
    a[rigid] = np.hstack([swept, np.einsum("bji,bj->bi", A, turned)])
    constraints(S, W, state.time, state.r, state.p, state.path)
    change_factor(system, W, X, state)
    acceleration_rhs(S, W, state.u)
    missing = np.zeros(system.rows)
    jacobian_times(int_line(S, GROW), int_line(S, GCOL), W.gx, a, missing)
    a += smallest_change(system, W, X, missing - W.row[GAMMA])
    found = a[rigid]
    swept, turned = found[:, :3].copy(), np.einsum("bij,bj->bi", A, found[:, 3:])
    for seated in system.seated:
        seat, own = seated.seat, slice(*seated.bodies)
        arm, w = state.r[:nb][own] - state.r[seat], spin[seat]
        swept[own] = swept[seat] + np.cross(turned[seat], arm) + np.cross(w, np.cross(w, arm))
        turned[own] = turned[seat]
    return Carried(
        state.r[:nb].copy(), velocity, spin, swept, turned, np.zeros(nb), state.u[layout.paths].copy()
    )
