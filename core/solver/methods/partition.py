"""Coordinate partitioning (Wehage & Haug 1982): integrate independent coordinates, solve for the dependent ones.

Coordinates x (nu,) are measured from a reference pose: displacements, rotation vectors in body axes and path
coordinates, pose = reference o exp(x). QR factorisation of the Jacobian with column pivoting splits them: the first
`rank` pivots are dependent, as in the elimination with full pivoting of the source; a second one on the rows leaves
out rows that others imply. At every evaluation Newton's method finds the dependent coordinates from Phi = 0, and the
dependent velocities follow from dPhi/dt = 0, so that no constraint can drift and nothing needs stabilising. When the
dependent coordinates get sensitive to the independent ones, or a body has turned far from the reference pose, the
coordinates are split anew.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import qr

from ...base.arrays import Array, Integers
from ...base.frames import skew
from ...multibody.arrays import GCOL, GROW, PHI, PHIDOT, int_line
from ...multibody.constraint_kernels import constraints, velocity_residual
from ...multibody.device_kernels import keep_devices
from ...multibody.force_kernels import Z_NOW, Z_RATE, keep_elements
from .. import integration
from ..engine import Engine
from ..integration import Memory
from ..kkt import move
from .fixed import FARTHEST
from .rates import Moving, Rates, Spare, form_of, rates

RANK = 1e-9  # share of the largest pivot below which a row counts as implied
CLOSED = 1e-12  # m or rad
ITERATIONS = 30
SENSITIVE = 2.0  # largest d x_dep / d x_ind, or its growth since the split, at which it is renewed: at 10 a
# double pendulum loses three digits, below 2 nothing is gained
FAR = 1.0  # rad from the reference pose


def split(G: Array) -> tuple[Integers, Integers, Integers]:
    """Independent columns, dependent columns and leading rows of a Jacobian G (m, nu).

    Dependent are the columns that QR with column pivoting takes first; the square block of leading rows and
    dependent columns is regular.
    """
    if G.shape[0] == 0:
        return np.arange(G.shape[1]), np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    R, columns = qr(G, mode="r", pivoting=True)
    pivots = np.abs(np.diag(R))
    rank = int(np.sum(pivots > RANK * pivots[0])) if pivots[0] > 0.0 else 0
    dependent = np.sort(columns[:rank])
    rows = np.empty(0, dtype=np.int64)
    if rank:
        rows = np.sort(qr(G[:, dependent].T, mode="r", pivoting=True)[1][:rank])
    return np.sort(columns[rank:]).astype(np.int64), dependent.astype(np.int64), rows.astype(np.int64)


def rate_of_rotation_vector(x: Array, omega: Array) -> Array:
    """dx/dt (..., 3) of rotation vectors x with body-axes angular velocities omega, p = p0 o exp(x).

    dx/dt = omega + 1/2 x cross omega + (1 - |x|/2 cot(|x|/2)) / |x|^2 x cross (x cross omega) (Bortz 1971).
    """
    square = np.sum(x * x, axis=-1, keepdims=True)
    half = 0.5 * np.sqrt(square)
    near = half < 1e-2
    safe = np.where(near, 1.0, half)
    c = np.where(near, 1.0 / 12.0 + square / 720.0, (1.0 - safe / np.tan(safe)) / (4.0 * safe * safe))
    turn = np.cross(x, omega)
    return np.asarray(omega + 0.5 * turn + c * np.cross(x, turn))


def angular_velocity_matrix(x: Array) -> Array:
    """T (n, 3, 3) with omega = T dx/dt for rotation vectors x (n, 3): the inverse of rate_of_rotation_vector."""
    square = np.sum(x * x, axis=-1)[:, None, None]
    angle = np.sqrt(square)
    near = angle < 1e-2
    safe = np.where(near, 1.0, angle)
    a = np.where(near, 0.5 - square / 24.0, (1.0 - np.cos(safe)) / safe**2)
    b = np.where(near, 1.0 / 6.0 - square / 120.0, (safe - np.sin(safe)) / safe**3)
    X = skew(x)
    return np.asarray(np.eye(3) - a * X + b * X @ X)


class PartitionedEquations:
    """y = (independent coordinates, independent velocities, internal unknowns), see `flat.Equations`.

    Raises ArithmeticError where the dependent coordinates cannot be found.
    """

    def __init__(self, engine: Engine, memory: Memory, rebase_every_step: bool) -> None:
        """rebase_every_step: take each step's start as its reference pose (free for one-step methods at a
        fixed step, a restart for the others)."""
        self.engine, self.memory, self.eager = engine, memory, rebase_every_step
        S, system = engine.system.arrays, engine.system
        row, col = int_line(S, GROW), int_line(S, GCOL)
        self.width = system.layout.width
        self.entry = (
            np.repeat(np.arange(system.rows), np.diff(row)) * self.width + col if system.rows else col
        )
        self.form = form_of(engine.settings, 1.0)
        self.rate_p = np.zeros((system.bodies, 4))
        self.calls, self.splits, self.growth = 0, 0, 1.0
        self.r, self.p, self.L = memory.r[0].copy(), memory.p[0].copy(), memory.L[0].copy()
        self.x = np.zeros(system.coordinates)
        self.free = self.bound = self.lead = np.empty(0, dtype=np.int64)

    def _jacobian(self) -> Array:
        e = self.engine
        flat = np.bincount(self.entry, weights=e.work.gx, minlength=e.system.rows * self.width)
        square = flat.reshape(e.system.rows, self.width)
        return np.asarray(square[:, : e.system.coordinates], dtype=np.float64)

    def _pose(self, t: float) -> None:
        """Constraints at the pose of self.x, kept in the second places of the memory."""
        Y, e = self.memory, self.engine
        move(e.system.arrays, self.r, self.p, self.L, self.x, Y.r[1], Y.p[1], Y.L[1])
        constraints(e.system.arrays, e.work, t, Y.r[1], Y.p[1], Y.L[1])

    def _close(self, t: float) -> Array:
        """Newton's method for the dependent coordinates; returns the Jacobian there."""
        spins, row = self.engine.system.layout.spins, self.engine.work.row
        for _ in range(ITERATIONS):
            self._pose(t)
            G = self._jacobian()
            if np.max(np.abs(row[PHI, self.lead]), initial=0.0) <= CLOSED:
                return G
            T = angular_velocity_matrix(self.x[spins])
            by_x = G.copy()
            for turn, by_turn in zip(spins, T, strict=True):
                by_x[:, turn] = G[:, turn] @ by_turn
            change = np.linalg.solve(by_x[np.ix_(self.lead, self.bound)], row[PHI, self.lead])
            if not np.max(np.abs(change)) < 1e3:
                break
            self.x[self.bound] -= change
        raise ArithmeticError("the dependent coordinates cannot be found")

    def _velocities(self, G: Array, independent: Array) -> Array:
        """All velocities (width,) that satisfy the velocity constraints."""
        e = self.engine
        u: Array = self.memory.v[integration.U1]
        u[:] = 0.0
        u[self.free] = independent
        velocity_residual(e.system.arrays, e.work, u, e.work.row[PHIDOT])
        if len(self.bound):
            u[self.bound] = -np.linalg.solve(G[np.ix_(self.lead, self.bound)], e.work.row[PHIDOT, self.lead])
        return u

    def start(self, t: float) -> Array:
        """Split the coordinates at the present state of the memory, which becomes the reference pose."""
        Y = self.memory
        self.r[:], self.p[:], self.L[:], self.x[:] = Y.r[0], Y.p[0], Y.L[0], 0.0
        self._pose(t)
        G = self._jacobian()
        self.free, self.bound, self.lead = split(G)
        self.splits += 1
        self.growth = self._sensitivity(G)
        return np.concatenate([np.zeros(len(self.free)), Y.v[integration.U, self.free], Y.z[Z_NOW]])

    def _sensitivity(self, G: Array) -> float:
        if not len(self.bound) or not len(self.free):
            return 1.0
        rows = G[self.lead]
        change = np.linalg.solve(rows[:, self.bound], rows[:, self.free])
        return float(np.max(np.abs(change)))

    def rates(self, t: float, y: Array) -> Array:
        """dy/dt; accelerations and multipliers stay in the memory's lines of the step's end."""
        Y, e, n = self.memory, self.engine, len(self.free)
        self.calls += 1
        if not np.all(np.abs(y) < FARTHEST):
            raise ArithmeticError("the state has left all bounds")
        self.x[self.free] = y[:n]
        try:
            u = self._velocities(self._close(t), y[n : 2 * n])
        except np.linalg.LinAlgError as error:
            raise ArithmeticError("the dependent coordinates cannot be found") from error
        e.work.z[Z_NOW] = y[2 * n :]
        udot = Y.v[integration.UDOT1]
        if not rates(
            e.system.arrays, e.work, e.factor, Spare(Y.l[integration.REG], Y.Hs), self.form, t,
            Moving(Y.r[1], Y.p[1], Y.L[1], u), Rates(self.rate_p, udot, Y.l[integration.LAM1]),
        ):  # fmt: skip
            raise ArithmeticError("no accelerations")
        spins = e.system.layout.spins
        rate = u[: e.system.coordinates].copy()
        rate[spins] = rate_of_rotation_vector(self.x[spins], u[spins])
        return np.concatenate([rate[self.free], udot[self.free], e.work.z[Z_RATE]])

    def show(self, t: float, y: Array) -> None:
        """Write state, accelerations and multipliers at y into the memory."""
        self.rates(t, y)
        Y = self.memory
        Y.r[0], Y.p[0], Y.L[0] = Y.r[1], Y.p[1], Y.L[1]
        Y.v[integration.U], Y.v[integration.UDOT] = Y.v[integration.U1], Y.v[integration.UDOT1]
        Y.l[integration.LAM] = Y.l[integration.LAM1]
        Y.z[Z_NOW] = self.engine.work.z[Z_NOW]
        S, W = self.engine.system.arrays, self.engine.work
        keep_elements(S, W)
        keep_devices(S, W, t, Y.v[integration.U])

    def settle(self, t: float, y: Array) -> tuple[Array, bool]:
        """Split anew where it is due."""
        self.show(t, y)
        far = np.max(np.abs(self.x[self.engine.system.layout.spins]), initial=0.0) > FAR
        worse = self._sensitivity(self._jacobian()) > SENSITIVE * max(1.0, self.growth)
        if far or worse:
            return self.start(t), True
        if self.eager:
            return self._rebased(), True
        return y, False

    def _rebased(self) -> Array:
        """The same split measured from the present pose."""
        Y = self.memory
        self.r[:], self.p[:], self.L[:], self.x[:] = Y.r[0], Y.p[0], Y.L[0], 0.0
        return np.concatenate([np.zeros(len(self.free)), Y.v[integration.U, self.free], Y.z[Z_NOW]])
