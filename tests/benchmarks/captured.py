"""A state in the middle of the Looping Star ride, with the kernels of a step ready to be called on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from ridewright.core.base.arrays import Array
from ridewright.core.multibody.arrays import GCOL, GROW, PHIDOT, int_line
from ridewright.core.multibody.compile import compile_system
from ridewright.core.multibody.constraint_kernels import constraints, velocity_residual
from ridewright.core.multibody.force_kernels import forces
from ridewright.core.multibody.tangent_kernels import tangent
from ridewright.core.project.examples import load_example
from ridewright.core.solver import genalpha, integration, newton, scheme
from ridewright.core.solver.engine import Engine
from ridewright.core.solver.integration import Memory
from ridewright.core.solver.kkt import add_constraint_force, move
from ridewright.core.solver.ldl import factorise, scatter, solve_pair, solve_parts, stored
from ridewright.core.solver.written_step import new_log
from ridewright.core.track.build import build_track

PLACE = 8.0  # s into the ride
STEP = 4e-3  # s, the step the tangent is made for; the ride's mean


@njit(nogil=True)
def constraints_times(n, S, W, Y):  # type: ignore[no-untyped-def]
    """Constraint residuals, Jacobian and velocity residuals, n times."""
    for _ in range(n):
        constraints(S, W, Y.clock[0], Y.r[0], Y.p[0], Y.L[0])
        velocity_residual(S, W, Y.v[integration.U], W.row[PHIDOT])


@njit(nogil=True)
def forces_times(n, S, W, Y):  # type: ignore[no-untyped-def]
    """Forces and the constraint force, n times."""
    for _ in range(n):
        forces(S, W, Y.v[integration.U], Y.l[integration.LAM])
        res = Y.v[integration.RES]
        res[:] = 0.0
        add_constraint_force(int_line(S, GROW), int_line(S, GCOL), W.gx, Y.l[integration.LAM], res)


@njit(nogil=True)
def tangent_times(n, S, W, Y, cM, cC):  # type: ignore[no-untyped-def]
    """The tangent, n times."""
    for _ in range(n):
        tangent(S, W, Y.v[integration.U], Y.l[integration.LAM], cM, cC, 1.0, Y.Hs)


@njit(nogil=True)
def scatter_times(n, S, W, X, Y):  # type: ignore[no-untyped-def]
    """Matrix entries put into the storage of the factorisation, n times."""
    for _ in range(n):
        scatter(
            X,
            int_line(S, GROW),
            int_line(S, GCOL),
            W.gx,
            W.Hd,
            W.Ho,
            Y.Hs,
            Y.l[integration.REG],
            newton.NEWTON_EPSILON,
        )


@njit(nogil=True)
def scatter_factorise_times(n, S, W, X, Y):  # type: ignore[no-untyped-def]
    """The same, and factorised, n times; returns how often that went well."""
    done = 0
    for _ in range(n):
        scatter_times(1, S, W, X, Y)
        if factorise(X):
            done += 1
    return done


@njit(nogil=True)
def solve_times(n, X, nu, b, c, x, y):  # type: ignore[no-untyped-def]
    """One right-hand side solved, n times."""
    for _ in range(n):
        solve_parts(X, nu, b, c, x, y)


@njit(nogil=True)
def solve_pair_times(n, X, nu, b, c, x, y):  # type: ignore[no-untyped-def]
    """Two right-hand sides solved in one pass, n times."""
    for _ in range(n):
        solve_pair(X, nu, b, c, x, y, b, c, x, y)


@njit(nogil=True)
def move_times(n, S, Y, dx):  # type: ignore[no-untyped-def]
    """The pose moved from the start to the end of the step, n times."""
    for _ in range(n):
        move(S, Y.r[0], Y.p[0], Y.L[0], dx, Y.r[1], Y.p[1], Y.L[1])


@dataclass
class CapturedRide:
    """The engine, its memory at the captured instant, and the figures of the ride up to there."""

    engine: Engine
    memory: Memory

    @property
    def unknowns(self) -> int:
        """Velocity unknowns and rows."""
        return self.engine.system.coordinates + self.engine.system.rows

    @property
    def fill(self) -> int:
        """Entries of L below the diagonal."""
        return int(self.engine.factor.col[-1])

    def coefficients(self) -> tuple[float, float]:
        """What mass and damping are multiplied with in the tangent of a step."""
        am, af, g, b = scheme.parameters(self.engine.settings.rho_infinity)
        return (1.0 - am) / ((1.0 - af) * b * STEP * STEP), g / (b * STEP)

    def evaluate(self) -> None:
        """Constraints, forces and tangent at the captured instant."""
        S, W, Y = self.engine.system.arrays, self.engine.work, self.memory
        constraints_times(1, S, W, Y)
        forces_times(1, S, W, Y)
        tangent_times(1, S, W, Y, *self.coefficients())

    def load_matrix(self, times: int = 1) -> None:
        """Scatter the matrix into the storage of the factorisation."""
        scatter_times(times, self.engine.system.arrays, self.engine.work, self.engine.factor, self.memory)

    def load_and_factorise(self, times: int = 1) -> None:
        """Scatter and factorise."""
        done = scatter_factorise_times(
            times, self.engine.system.arrays, self.engine.work, self.engine.factor, self.memory
        )
        if done != times:
            raise ArithmeticError("the captured matrix has a zero pivot")

    def dense_matrix(self) -> Array:
        """K (n, n), velocities first, from the storage before factorising."""
        self.load_matrix()
        X = self.engine.factor
        n = len(X.perm)
        K = np.diag(X.D[:n])
        i, j = stored(X)
        K[i, j] = K[j, i] = X.L[:-1]
        out = np.empty_like(K)
        out[np.ix_(X.perm, X.perm)] = K
        return out

    def solve_with_ldl(self, b: Array, times: int = 1) -> Array:
        """Solution (n,) for a right-hand side (n,) with the present factorisation."""
        nu = self.engine.system.coordinates
        x, y = np.empty(nu), np.empty(self.engine.system.rows)
        solve_times(times, self.engine.factor, nu, b[:nu], b[nu:], x, y)
        return np.concatenate([x, y])

    def solve_pairs(self, b: Array, times: int) -> None:
        """The same with two right-hand sides at once."""
        nu = self.engine.system.coordinates
        x, y = np.empty(nu), np.empty(self.engine.system.rows)
        solve_pair_times(times, self.engine.factor, nu, b[:nu], b[nu:], x, y)

    def flops(self) -> int:
        """Multiplications and additions of one factorisation."""
        X = self.engine.factor
        counts = np.diff(X.col)
        return int((counts * (counts + 3)).sum())


def captured_ride() -> CapturedRide:
    """Ride to the captured instant and evaluate everything there."""
    project = load_example("looping_star")
    assert project.track is not None
    system = compile_system(project, built=build_track(project.track))
    engine = Engine.prepare(system, project.settings)
    Y, P, log = engine.memory(), engine.limits(PLACE), new_log(system, 1024)
    never = np.full(len(system.guides), np.inf)
    while True:
        code = genalpha.advance(system.arrays, engine.work, engine.factor, Y, P, log, never, 0, 1 << 30)
        if code != integration.FULL:
            break
        Y.counts[integration.LOGGED] = 0
    if code != integration.FINISHED:
        raise ArithmeticError(f"the ride stopped with code {code}")
    ride = CapturedRide(engine, Y)
    ride.evaluate()
    ride.load_and_factorise()
    return ride
