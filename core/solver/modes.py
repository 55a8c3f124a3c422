"""Linearisation: small motions about a state, their frequencies, damping and shapes.

Independent coordinates y span the null space of the constraint Jacobian at the state (columns Z with Z^T M Z = 1);
the pose that belongs to y is the constrained one nearest to the state moved by Z y. The accelerations of the
constrained equations of motion, differenced centrally by y and by its rates, give the matrix of the first-order
system. About a moving state this is the frozen linearisation: curvature, gyroscopic and rail terms are those of that
instant, and small motions are seen by an observer who turns with each body. So it is exact about steady motions (a
spinning top, a body going round a vertical axis), and a pole of a body that turns with w differs from what is seen from
the ground by i w.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from core.base.errors import InputError
from core.base.frames import rotation_matrix
from core.multibody.arrays import E_PATH, GCOL, GROW, PHI, PHIDOT, count, int_line
from core.multibody.compile import State, System, compile_system
from core.multibody.constraint_kernels import constraints, velocity_residual
from core.multibody.device_kernels import ACTIVE
from core.multibody.layout import TURN
from core.multibody.tangent_kernels import tangent
from core.project.project import Project
from core.solver.assemble import assemble
from core.solver.engine import start_acceleration
from core.solver.equilibrium import Equilibrium, static_equilibrium
from core.solver.kkt import SWEEPS, consistent_acceleration, dense_jacobian, move, new_factor
from core.solver.ldl import EPSILON, Factor, factorise, scatter, solve_parts
from core.solver.simulate import simulate

Array = NDArray[np.float64]
STEP = 1e-6  # largest displacement (m or rad) of a difference
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
        nu = system.coordinates
        self.M = system.inertia[:nu]
        Z = null_space(G, rcond=1e-9) if len(G) else np.eye(nu)
        # mass-orthonormal, so that y has the scale of sqrt(kg) m
        low = np.linalg.cholesky(Z.T @ (self.M[:, None] * Z))
        self.Z = np.linalg.solve(low, Z.T).T
        self.P = (self.M[:, None] * self.Z).T
        turns = state.u[system.layout.spins]
        self.turns = turns, np.einsum("bij,bj->bi", rotation_matrix(state.p[: system.bodies]), turns)

    def _close(self, violation: Array) -> Array:
        """Smallest mass-weighted change that undoes a violation at the pose of the last `constraints`."""
        system, W, X = self.system, self.W, self.X
        Hs, E = np.zeros(len(system.guides)), np.zeros(system.rows)
        zero = system.layout.line()
        tangent(system.arrays, W, zero, self.lam, 1.0, 0.0, 0.0, Hs)
        scatter(
            X, int_line(system.arrays, GROW), int_line(system.arrays, GCOL), W.gx, W.Hd, W.Ho, Hs, E, EPSILON
        )
        factorise(X)
        d, lam = system.layout.line(), np.zeros(system.rows)
        solve_parts(X, system.coordinates, zero, violation, d, lam)
        return d

    def _carried(self, d: Array, *, moments: bool) -> Array:
        """Rate (coordinates,) of a small motion d (coordinates,) that stands still in bodies that turn: world axes of
        positions turn against them, and body axes of turns (with moments; not of angular velocities) along."""
        body, world = self.turns
        out, rigid = np.zeros(len(d)), self.system.layout.rigid[:-1]
        out[rigid[:, :TURN]] = np.cross(world, d[rigid[:, :TURN]])
        if moments:
            out[rigid[:, TURN:]] = np.cross(body, d[rigid[:, TURN:]])
        return out

    def rates(self, y: Array, rate: Array) -> Array:
        """Rates (2 n,) of y and of `rate` at pose y and velocity of the state plus Z rate."""
        system, S, W, s = self.system, self.system.arrays, self.W, self.state
        ng, nu, dx = len(system.guides), system.coordinates, system.layout.line()
        dx[:nu] = self.Z @ y
        r, p, path = s.r.copy(), s.p.copy(), s.path.copy()
        move(S, s.r, s.p, s.path, dx, r, p, path)
        for _ in range(3):
            constraints(S, W, s.time, r, p, path)
            if np.max(np.abs(W.row[PHI]), initial=0.0) < 1e-14:
                break
            move(S, r, p, path, self._close(W.row[PHI].copy()), r, p, path)
        constraints(S, W, s.time, r, p, path)
        u = s.u.copy()
        u[:nu] += self.Z @ rate
        velocity_residual(S, W, u, W.row[PHIDOT])
        u += self._close(W.row[PHIDOT].copy())
        udot, lam = system.layout.line(), self.lam.copy()
        for _ in range(2 if count(S, E_PATH) else 1):
            consistent_acceleration(
                S, W, self.X, np.zeros(system.rows), np.zeros(ng), u, 0.0, 0.0, 0.0, SWEEPS, udot, lam
            )
        du = (u - s.u)[:nu]
        turned = self.P @ self._carried(dx[:nu], moments=True)
        return np.concatenate([rate - turned, self.P @ (udot[:nu] - self._carried(du, moments=False))])


def linearise(system: System, X: Factor, state: State, lam: Array) -> tuple[Array, Array]:
    """Linear equations (y', v') = A (y, v) of small motions about an assembled state.

    Returns A (2 n, 2 n) and Z (coordinates, n): displacements Z y, velocities Z v to first order.
    """
    linear = _Linear(system, X, state, lam)
    n = linear.Z.shape[1]
    A = np.zeros((2 * n, 2 * n))
    zero = np.zeros(n)
    for k in range(n):
        e = np.zeros(n)
        e[k] = STEP / np.max(np.abs(linear.Z[:, k]))
        for column, ahead, back in ((k, (e, zero), (-e, zero)), (n + k, (zero, e), (zero, -e))):
            A[:, column] = (linear.rates(*ahead) - linear.rates(*back)) / (2.0 * e[k])
    return A, linear.Z


def modes_of(system: System, X: Factor, state: State, lam: Array) -> tuple[Mode, ...]:
    """Modes about a state, slowest first; of a conjugate pair the one with imag >= 0 is given."""
    A, Z = linearise(system, X, state, lam)
    n = len(A) // 2
    if n == 0:
        return ()
    poles, vectors = np.linalg.eig(A)
    out = []
    for k in np.argsort(np.abs(poles)):
        pole = complex(poles[k])
        if pole.imag < -1e-9 * abs(pole):
            continue
        motion = system.layout.rigid_of(Z @ vectors[:n, k])
        if abs(pole) > ZERO and np.max(np.abs(motion)) < 1e-12:
            motion = system.layout.rigid_of(Z @ vectors[n:, k])
        largest = motion.ravel()[np.argmax(np.abs(motion))]
        shape = motion / largest if abs(largest) > 0.0 else motion
        order = np.argsort(-np.abs(shape).max(axis=1))[:4]
        where = tuple(system.names[b] for b in order if np.abs(shape[b]).max() > 0.2)
        size = abs(pole)
        out.append(
            Mode(pole, size / (2 * np.pi), -pole.real / size + 0.0 if size > ZERO else 0.0, shape, where)
        )
    return tuple(out)


def modes_at_rest(project: Project) -> tuple[System, Equilibrium, tuple[Mode, ...]]:
    """Static equilibrium of a project's scenario at its start (a train held at its place, then free to roll) and
    the modes about it. Raises InputError when it cannot be assembled or does not come to rest."""
    system = compile_system(project, speed=0.0)
    X = new_factor(system)
    state, _ = assemble(system, X)
    at_rest = static_equilibrium(system, X, state)
    return system, at_rest, modes_of(system, X, at_rest.state, at_rest.lam)


def modes_at(project: Project, time: float) -> tuple[System, State, tuple[Mode, ...]]:
    """The state of a project's scenario `time` (s) after its start, by running it until then, and the modes about it.

    Raises InputError when the run cannot be made or ends before.
    """
    scenario = type(project.scenario).model_validate({**dict(project.scenario), "duration": time})
    results = simulate(project.model_copy(update={"scenario": scenario}))
    s, reached = results.states, float(results.states.time[-1])
    if reached < time * (1.0 - 1e-9):
        raise InputError(
            f"{project.name}: there is no state at t = {time:g} s, the run ends at t = {reached:.4g} s"
            f" ({results.status.message.rstrip('.')}); ask for an earlier time."
        )
    system = compile_system(project, speed=results.provenance["start_speed"])
    u = system.layout.line()
    u[system.layout.rigid[:-1]] = np.hstack([s.velocity[-1], s.angular_velocity[-1]])
    u[system.layout.paths] = s.path_speed[-1]
    state = State(
        reached,
        np.vstack([s.position[-1], np.zeros(3)]),
        np.vstack([s.orientation[-1], [1.0, 0.0, 0.0, 0.0]]),
        s.path_coordinate[-1].copy(),
        u,
    )
    X = new_factor(system)
    _, lam = start_acceleration(system, system.new_work(), X, state)
    return system, state, modes_of(system, X, state, lam)


def modes_dict(system: System, about: Equilibrium | State, modes: tuple[Mode, ...]) -> dict[str, Any]:
    """JSON-able summary: equilibrium figures or the time (s) of a moving state, and per mode pole, frequency, damping,
    kind, shape by body."""
    if isinstance(about, State):
        head: dict[str, Any] = {"time": about.time}
    else:
        figures = {"steps": about.steps, "unbalanced": about.unbalanced, "moved": about.moved}
        head = {"equilibrium": figures}
    return {
        **head,
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
