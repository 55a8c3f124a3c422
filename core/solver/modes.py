"""Linearisation: small motions about a state, their frequencies, damping and shapes.

Independent coordinates y span the null space of the constraint Jacobian at the state (columns Z with Z^T M Z = 1);
the pose that belongs to y is the constrained one nearest to the state moved by Z y. The accelerations of the
constrained equations of motion, differenced centrally by y and by its rates, give the matrix of the first-order
system. About a moving state this is the frozen linearisation: curvature, gyroscopic and rail terms are those of that
instant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from core.multibody.arrays import BODY, GCOL, GROW, PHI, PHIDOT, RR, count, int_line, reals
from core.multibody.compile import State, System, compile_system
from core.multibody.constraint_kernels import constraints, velocity_residual
from core.multibody.device_kernels import ACTIVE
from core.multibody.tangent_kernels import tangent
from core.project import Project
from core.solver.assemble import assemble
from core.solver.equilibrium import Equilibrium, static_equilibrium
from core.solver.kkt import SWEEPS, consistent_acceleration, dense_jacobian, move, new_factor
from core.solver.ldl import EPSILON, Factor, factorise, scatter, solve_parts

Array = NDArray[np.float64]
STEP = 1e-6
ZERO = 1e-3  # 1/s below which a pole counts as a free motion


@dataclass(frozen=True)
class Mode:
    """One mode. pole (real, imag) 1/s, imag >= 0; frequency |pole| / 2 pi (Hz); damping -real/|pole| (1: a decay
    without swing); shape: complex velocities (bodies, 6) (m, rad in body axes), largest entry 1; where: the bodies
    that move most, most first."""

    pole: complex
    frequency: float
    damping: float
    shape: NDArray[np.complex128]
    where: tuple[str, ...]

    @property
    def kind(self) -> str:
        if abs(self.pole) < ZERO:
            return "free"
        if self.pole.real > ZERO:
            return "unstable"
        return "swing" if self.pole.imag > ZERO else "decay"


class _Linear:
    """Poses and accelerations in the independent coordinates of a state."""

    def __init__(self, system: System, X: Factor, state: State, lam: Array) -> None:
        self.system, self.X, self.state, self.lam = system, X, state, lam
        self.W = system.new_work()
        self.W.device[:, ACTIVE] = 0.0  # free to roll
        S = system.arrays
        constraints(S, self.W, state.time, state.r, state.p, state.path)
        G = dense_jacobian(system, self.W)
        body = reals(S, BODY)
        self.M = np.concatenate([body[:, [0, 0, 0, 1, 2, 3]].ravel(), np.zeros(len(system.guides))])
        nu = system.coordinates
        Z = null_space(G, rcond=1e-9) if len(G) else np.eye(nu)
        # mass-orthonormal, so that y has the scale of sqrt(kg) m
        low = np.linalg.cholesky(Z.T @ (self.M[:, None] * Z))
        self.Z = np.linalg.solve(low, Z.T).T
        self.P = (self.M[:, None] * self.Z).T

    def _close(self, violation: Array) -> Array:
        """Smallest mass-weighted change that undoes a violation at the pose of the last `constraints`."""
        system, W, X = self.system, self.W, self.X
        Hs, E = np.zeros(len(system.guides)), np.zeros(system.rows)
        zero = np.zeros(system.coordinates + 6)
        tangent(system.arrays, W, zero, self.lam, 1.0, 0.0, 0.0, Hs)
        scatter(
            X, int_line(system.arrays, GROW), int_line(system.arrays, GCOL), W.gx, W.Hd, W.Ho, Hs, E, EPSILON
        )
        factorise(X)
        d, lam = np.zeros(system.coordinates + 6), np.zeros(system.rows)
        solve_parts(X, system.coordinates, zero, violation, d, lam)
        return d

    def acceleration(self, y: Array, rate: Array) -> Array:
        """Second rates of y at pose y and velocity of the state plus Z rate."""
        system, S, W, s = self.system, self.system.arrays, self.W, self.state
        nb, ng, nu = system.bodies, len(system.guides), system.coordinates
        dx = np.zeros(nu + 6)
        dx[:nu] = self.Z @ y
        r, p, path = s.r.copy(), s.p.copy(), s.path.copy()
        move(nb, ng, nu, s.r, s.p, s.path, dx, r, p, path)
        for _ in range(3):
            constraints(S, W, s.time, r, p, path)
            if np.max(np.abs(W.row[PHI]), initial=0.0) < 1e-14:
                break
            move(nb, ng, nu, r, p, path, self._close(W.row[PHI].copy()), r, p, path)
        constraints(S, W, s.time, r, p, path)
        u = s.u.copy()
        u[:nu] += self.Z @ rate
        velocity_residual(S, W, u, W.row[PHIDOT])
        u += self._close(W.row[PHIDOT].copy())
        udot, lam = np.zeros(nu + 6), self.lam.copy()
        for _ in range(2 if count(S, RR) else 1):
            consistent_acceleration(
                S, W, self.X, np.zeros(system.rows), np.zeros(ng), u, 0.0, 0.0, 0.0, SWEEPS, udot, lam
            )
        return np.asarray(self.P @ udot[:nu])


def linearise(system: System, X: Factor, state: State, lam: Array) -> tuple[Array, Array, Array]:
    """Linear equations y'' = -K y - C y' of small motions about an assembled state.

    Returns K (n, n) 1/s^2, C (n, n) 1/s and Z (coordinates, n): velocities = Z y'.
    """
    linear = _Linear(system, X, state, lam)
    n = linear.Z.shape[1]
    K, C = np.zeros((n, n)), np.zeros((n, n))
    zero = np.zeros(n)
    for k in range(n):
        e = np.zeros(n)
        e[k] = STEP
        K[:, k] = -(linear.acceleration(e, zero) - linear.acceleration(-e, zero)) / (2.0 * STEP)
        C[:, k] = -(linear.acceleration(zero, e) - linear.acceleration(zero, -e)) / (2.0 * STEP)
    return K, C, linear.Z


def modes_of(system: System, X: Factor, state: State, lam: Array) -> tuple[Mode, ...]:
    """Modes about a state, slowest first; of a conjugate pair the one with imag >= 0 is given."""
    K, C, Z = linearise(system, X, state, lam)
    n = len(K)
    if n == 0:
        return ()
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -C]])
    poles, vectors = np.linalg.eig(A)
    out = []
    for k in np.argsort(np.abs(poles)):
        pole = complex(poles[k])
        if pole.imag < -1e-9 * abs(pole):
            continue
        motion = (Z @ vectors[:n, k])[: 6 * system.bodies].reshape(system.bodies, 6)
        if abs(pole) > ZERO and np.max(np.abs(motion)) < 1e-12:
            motion = (Z @ vectors[n:, k])[: 6 * system.bodies].reshape(system.bodies, 6)
        largest = motion.ravel()[np.argmax(np.abs(motion))]
        shape = motion / largest if abs(largest) > 0.0 else motion
        order = np.argsort(-np.abs(shape).max(axis=1))[:4]
        where = tuple(system.names[b] for b in order if np.abs(shape[b]).max() > 0.2)
        size = abs(pole)
        out.append(Mode(pole, size / (2 * np.pi), -pole.real / size if size > ZERO else 0.0, shape, where))
    return tuple(out)


def modes_at_rest(project: Project) -> tuple[System, Equilibrium, tuple[Mode, ...]]:
    """Static equilibrium of a project's scenario at its start (a train held at its place, then free to roll) and
    the modes about it. Raises InputError when it cannot be assembled or does not come to rest."""
    system = compile_system(project, speed=0.0)
    X = new_factor(system)
    state, _ = assemble(system, X)
    at_rest = static_equilibrium(system, X, state)
    return system, at_rest, modes_of(system, X, at_rest.state, at_rest.lam)


def modes_dict(system: System, equilibrium: Equilibrium, modes: tuple[Mode, ...]) -> dict[str, Any]:
    """JSON-able summary: equilibrium figures and per mode pole, frequency, damping, kind, shape by body."""
    return {
        "equilibrium": {
            "steps": equilibrium.steps,
            "unbalanced": equilibrium.unbalanced,
            "moved": equilibrium.moved,
        },
        "modes": [
            {
                "kind": m.kind,
                "pole": [m.pole.real, m.pole.imag],
                "frequency_hz": m.frequency,
                "damping": m.damping,
                "where": list(m.where),
                "shape": {
                    system.names[b]: {"real": m.shape[b].real.tolist(), "imag": m.shape[b].imag.tolist()}
                    for b in range(system.bodies)
                    if np.abs(m.shape[b]).max() > 1e-3
                },
            }
            for m in modes
        ],
    }
