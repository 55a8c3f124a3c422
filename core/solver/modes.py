"""Linearisation: small motions about a state, their frequencies, damping and shapes.

Independent coordinates y span the null space of the constraint Jacobian at the state (columns Z with Z^T M Z = 1);
the pose that belongs to y is the constrained one nearest to the state moved by Z y. The accelerations of the
constrained equations of motion, differenced centrally by y and by its rates, give the matrix of the first-order
system. About a moving state this is the frozen linearisation: curvature, gyroscopic and rail terms are those of that
instant, and small motions are seen by an observer who turns with each body. So it is exact about steady motions (a
spinning top, a body going round a vertical axis), and a pole of a body that turns with w differs from what is seen from
the ground by i w. What nothing connects has modes of its own: each part is linearised for itself, all in the same
evaluations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise, starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..multibody.arrays import E_PATH, GCOL, GROW, PAIR, PHI, PHIDOT, count, int_line, ints
from ..multibody.compile import State, System, compile_system
from ..multibody.constraint_kernels import constraints, velocity_residual
from ..multibody.device_kernels import ACTIVE
from ..multibody.force_kernels import Z_NOW, Z_RATE
from ..multibody.layout import TURN
from ..multibody.tangent_kernels import tangent
from ..project.project import Project
from .balance import Equilibrium
from .contacts import kept_memory
from .engine import start_acceleration, start_internal
from .kkt import PLAIN_FORM, consistent_acceleration, move, new_factor
from .ldl import EPSILON, Factor, factorise, scatter, solve_parts
from .motion import moved, ready
from .rest import at_rest

SHORTEST = 1e-6  # s, of a run of which its start is wanted alone
STEP = 1e-6  # largest displacement (m or rad) of a difference
NAMED, MIN_SHARE = 4, 0.02  # bodies that are named as moving most, with at least this share of the energy
ZERO = 1e-3  # 1/s below which a pole counts as a free motion


@dataclass(frozen=True)
class Mode:
    """One mode. pole (real, imag) 1/s, imag >= 0; frequency |pole| / 2 pi (Hz); damping -real/|pole| (1: a decay
    without swing); shape: complex velocities (bodies, 6) (m, rad in body axes), largest entry 1; energy (bodies,): each
    body's share of the kinetic energy; participation (3,): share of the mass that the mode moves along x, y and z of
    the world, as its effective mass over that of all bodies; where: the bodies with most of the energy, most first;
    bend (modal coordinates,): of flexible bodies, as shape is of all."""

    pole: complex
    frequency: float
    damping: float
    shape: NDArray[np.complex128]
    energy: Array
    participation: Array
    where: tuple[str, ...]
    bend: NDArray[np.complex128] = field(default_factory=lambda: np.zeros(0, dtype=np.complex128))

    def __repr__(self) -> str:
        return (
            f"Mode({self.kind}, {self.frequency:.4g} Hz, damping {self.damping:.3g}: {', '.join(self.where)})"
        )

    @property
    def kind(self) -> str:
        if abs(self.pole) < ZERO:
            return "free"
        if self.pole.real > ZERO:
            return "unstable"
        return "swing" if self.pole.imag > ZERO else "decay"


class Part(NamedTuple):
    """Bodies and guides that are connected, linearised: small motions Z y in their slots of a line, with
    (y', v', x') = A (y, v, x), x the internal unknowns of elements whose rates occur."""

    slots: Integers
    Z: Array  # (slots, n)
    A: Array  # (2 n + internal unknowns, the same)


def connected_slots(system: System) -> list[Integers]:
    """The slots of the velocities of what constraints and force elements connect, part by part; the ground connects
    nothing."""
    layout, S = system.layout, system.arrays
    blocks, count = layout.blocks, len(layout.blocks) - 1
    block_of = np.searchsorted(blocks, np.arange(layout.coordinates), side="right") - 1
    row = np.repeat(np.arange(system.rows), np.diff(int_line(S, GROW)))
    column = int_line(S, GCOL)
    moving = column < layout.coordinates
    pairs = ints(S, PAIR)
    pairs = pairs[pairs.max(axis=1, initial=0) < layout.bodies]
    one = np.concatenate([block_of[column[moving]], pairs[:, 0]])
    other = np.concatenate([count + row[moving], pairs[:, 1]])
    size = count + system.rows
    graph = coo_matrix((np.ones(len(one)), (one, other)), shape=(size, size))
    label = connected_components(graph, directed=False)[1][:count]
    return [np.flatnonzero(label[block_of] == one) for one in dict.fromkeys(label.tolist())]


class _Linear:
    """Poses and accelerations in the independent coordinates of a state, those of all parts one behind the other."""

    def __init__(self, system: System, X: Factor, state: State, lam: Array) -> None:
        self.system, self.X, self.state, self.lam = system, X, state, lam
        self.W = system.new_work()
        self.W.device[:, ACTIVE] = 0.0  # free to roll
        S = system.arrays
        constraints(S, self.W, state.time, state.r, state.p, state.path)
        row, column = np.repeat(np.arange(system.rows), np.diff(int_line(S, GROW))), int_line(S, GCOL)
        G = coo_matrix((self.W.gx, (row, column)), shape=(system.rows, system.layout.width)).tocsc()
        self.parts: list[tuple[Integers, Array]] = []
        for slots in connected_slots(system):
            own = G[:, slots]
            rows: Array = own[np.unique(own.indices)].toarray()
            Z = null_space(rows, rcond=1e-9) if len(rows) else np.eye(len(slots))
            # mass-orthonormal, so that y has the scale of sqrt(kg) m
            low = np.linalg.cholesky(Z.T @ system.mass_times(Z, slots))
            self.parts.append((slots, np.linalg.solve(low, Z.T).T))
        start_internal(system, self.W, state, lam)
        self.x = self.W.z[Z_NOW].copy()
        self.unknowns = [_unknowns(system, set(slots.tolist())) for slots, _ in self.parts]
        ends = np.cumsum([0, *(Z.shape[1] for _, Z in self.parts)]).tolist()
        self.spans = list(starmap(slice, pairwise(ends)))
        turns = state.u[system.layout.spins]
        self.turns = turns, np.einsum("bij,bj->bi", rotation_matrix(state.p[: system.bodies]), turns)

    def _moved(self, y: Array) -> Array:
        """Z y (coordinates,)."""
        out = np.zeros(self.system.coordinates)
        for (slots, Z), span in zip(self.parts, self.spans, strict=True):
            out[slots] = Z @ y[span]
        return out

    def _along(self, motion: Array) -> Array:
        """Z^T M motion."""
        momentum = self.system.mass_times(motion)
        return np.concatenate([Z.T @ momentum[slots] for slots, Z in self.parts])

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

    def rates(self, y: Array, rate: Array, x: Array) -> tuple[Array, Array, Array]:
        """Rates of y, `rate` and x at pose y, velocity of the state plus Z rate, internal unknowns of it plus x."""
        system, S, W, s = self.system, self.system.arrays, self.W, self.state
        ng, nu, dx = len(system.guides), system.coordinates, system.layout.line()
        dx[:nu] = self._moved(y)
        r, p, path = s.r.copy(), s.p.copy(), s.path.copy()
        move(S, s.r, s.p, s.path, dx, r, p, path)
        for _ in range(3):
            constraints(S, W, s.time, r, p, path)
            if np.max(np.abs(W.row[PHI]), initial=0.0) < 1e-14:
                break
            move(S, r, p, path, self._close(W.row[PHI].copy()), r, p, path)
        constraints(S, W, s.time, r, p, path)
        u = s.u.copy()
        u[:nu] += self._moved(rate)
        velocity_residual(S, W, u, W.row[PHIDOT])
        u += self._close(W.row[PHIDOT].copy())
        udot, lam = system.layout.line(), self.lam.copy()
        W.z[Z_NOW], W.z_step[0] = self.x + x, 0.0
        for _ in range(2 if count(S, E_PATH) else 1):
            consistent_acceleration(
                S, W, self.X, np.zeros(system.rows), np.zeros(ng), u, PLAIN_FORM, udot, lam
            )
        du = (u - s.u)[:nu]
        turned = self._along(self._carried(dx[:nu], moments=True))
        return rate - turned, self._along(udot[:nu] - self._carried(du, moments=False)), W.z[Z_RATE].copy()


def _unknowns(system: System, slots: set[int]) -> list[int]:
    """The internal unknowns with rates of the elements between bodies of a part, by its slots."""
    found: list[int] = []
    for c in system.connectors:
        static = c.use is None or c.use.law.algebraic or c.use.algebraic
        own = [b for b in c.bodies if b < system.bodies]
        if not static and own and int(system.layout.rigid[own[0], 0]) in slots:
            found += range(*c.internal)
    return found


def linearise(system: System, X: Factor, state: State, lam: Array) -> tuple[Part, ...]:
    """Linear equations of small motions about an assembled state, for each connected part its own.

    One coordinate of every part is moved at a time, which costs as many evaluations as the largest part has.
    """
    linear = _Linear(system, X, state, lam)
    sizes = [span.stop - span.start for span in linear.spans]
    widths = [2 * n + len(x) for n, x in zip(sizes, linear.unknowns, strict=True)]
    matrices = [np.zeros((width, width)) for width in widths]
    for k in range(max(widths, default=0)):
        y, rate, x = np.zeros(sum(sizes)), np.zeros(sum(sizes)), np.zeros(len(linear.x))
        steps = []
        for (_, Z), span, n, own in zip(linear.parts, linear.spans, sizes, linear.unknowns, strict=True):
            step = STEP
            if k < 2 * n:
                step /= np.max(np.abs(Z[:, k % n]))
                (y if k < n else rate)[span.start + k % n] = step
            elif k < 2 * n + len(own):
                x[own[k - 2 * n]] = step
            steps.append(step)
        back = linear.rates(-y, -rate, -x)
        change = [(one - other) / 2.0 for one, other in zip(linear.rates(y, rate, x), back, strict=True)]
        for span, own, A, step in zip(linear.spans, linear.unknowns, matrices, steps, strict=True):
            if k < len(A):
                A[:, k] = np.concatenate([change[0][span], change[1][span], change[2][own]]) / step
    return tuple(Part(*part, A) for part, A in zip(linear.parts, matrices, strict=True))


def modes_of(
    system: System, X: Factor, state: State, lam: Array, lowest: int | None = None
) -> tuple[Mode, ...]:
    """Modes about a state, slowest first, the `lowest` so many if it is given; of a conjugate pair the one with
    imag >= 0 is given."""
    found: list[tuple[complex, Part, NDArray[np.complex128]]] = []
    for part in linearise(system, X, state, lam):
        poles, vectors = np.linalg.eig(part.A)
        found += [
            (complex(pole), part, vector)
            for pole, vector in zip(poles, vectors.T, strict=True)
            if pole.imag >= -1e-9 * abs(pole)
        ]
    found.sort(key=lambda entry: abs(entry[0]))
    return tuple(_mode(system, *entry) for entry in found[:lowest])


def _mode(system: System, pole: complex, part: Part, vector: NDArray[np.complex128]) -> Mode:
    line = np.zeros(system.layout.width, dtype=np.complex128)
    n = part.Z.shape[1]
    line[part.slots] = part.Z @ vector[:n]
    motion = system.layout.rigid_of(line)
    if abs(pole) > ZERO and np.max(np.abs(motion)) < 1e-12:
        line[part.slots] = part.Z @ vector[n : 2 * n]
        motion = system.layout.rigid_of(line)
    largest = motion.ravel()[np.argmax(np.abs(motion))]
    shape = motion / largest if abs(largest) > 0.0 else motion
    inertia = system.layout.rigid_of(system.inertia)
    energy = np.sum(inertia * np.abs(shape) ** 2, axis=1)
    for b, block in system.blocks.items():
        own = line[system.layout.block(b)] / (largest if abs(largest) > 0.0 else 1.0)
        energy[b] += float((own.conj() @ block @ own).real)
    whole = max(float(np.sum(energy)), 1e-300)
    pushed = np.abs(np.sum(inertia[:, :TURN] * shape[:, :TURN], axis=0)) ** 2
    order = np.argsort(-energy, kind="stable")[:NAMED]
    where = tuple(system.names[b] for b in order if energy[b] > MIN_SHARE * whole)
    size = abs(pole)
    damping = -pole.real / size + 0.0 if size > ZERO else 0.0
    return Mode(
        pole,
        size / (2 * np.pi),
        damping,
        shape,
        energy / whole,
        pushed / (whole * inertia[:, 0].sum()),
        where,
        line[system.layout.plain[len(system.guides) :]] / (largest if abs(largest) > 0.0 else 1.0),
    )


def modes_at_rest(
    project: Project, lowest: int | None = None
) -> tuple[System, Equilibrium, tuple[Mode, ...]]:
    """Modes about the static equilibrium of a project's scenario at its start, drives off (`rest.drives_in`).

    Parameters
    ----------
    project
        A ride or a rig; a train is held at its place, then free to roll.
    lowest
        How many of the slowest; None for all.

    Returns
    -------
    The compiled system, the equilibrium, and the modes about it, slowest first.

    Raises
    ------
    InputError
        When it cannot be assembled or does not come to rest.
    """
    system, X, rest = at_rest(project)
    return system, rest, modes_of(system, X, rest.state, rest.lam, lowest)


def modes_at(
    project: Project, time: float, lowest: int | None = None
) -> tuple[System, State, tuple[Mode, ...]]:
    """Modes about the state of a project's scenario at a time, by running it until then.

    Parameters
    ----------
    project
        A ride or a rig.
    time
        s after the start, from 0.
    lowest
        How many of the slowest; None for all.

    Returns
    -------
    The compiled system, the state, and the modes about it, slowest first.

    Raises
    ------
    InputError
        When the run cannot be made or ends before.
    """
    scenario = type(project.scenario).model_validate(
        {**dict(project.scenario), "duration": max(time, SHORTEST)}
    )
    run = moved(ready(project.model_copy(update={"scenario": scenario})))
    at, s = 0 if time == 0.0 else -1, run.record[0]
    reached = float(s.time[at])
    if reached < time * (1.0 - 1e-9):
        raise InputError(
            f"{project.name}: there is no state at t = {time:g} s, the run ends at t = {reached:.4g} s"
            f" ({run.status.message.rstrip('.')}); ask for an earlier time."
        )
    system = compile_system(project, speed=run.ready.speed)
    u = system.layout.line()
    u[system.layout.rigid[:-1]] = np.hstack([s.velocity[at], s.angular_velocity[at]])
    u[system.layout.paths] = s.path_speed[at]
    u[system.layout.plain[len(system.guides) :]] = s.modal_speed[at]
    state = State(
        reached,
        np.vstack([s.position[at], np.zeros(3)]),
        np.vstack([s.orientation[at], [1.0, 0.0, 0.0, 0.0]]),
        np.concatenate([s.path_coordinate[at], s.modal[at]]),
        u,
        s.internal[at].copy(),
        _remembered(system, s.memory[at]),
    )
    X = new_factor(system)
    _, lam = start_acceleration(system, system.new_work(), X, state)
    return system, state, modes_of(system, X, state, lam, lowest)


def _remembered(system: System, kept: Array) -> Array:
    """All that laws remember, of the numbers that are kept of an instant: bristles begin unbent, as stiff as ever."""
    memory: Array = system.new_work().memory.copy()
    memory[kept_memory(system)] = kept
    return memory


def modes_dict(system: System, about: Equilibrium | State, modes: tuple[Mode, ...]) -> dict[str, Any]:
    """JSON-able summary: equilibrium figures or the time (s) of a moving state, its pose (m, Euler parameters), and per
    mode pole, frequency, damping, kind, participation along x, y, z, shape and share of the energy by body."""
    if isinstance(about, State):
        state = about
        head: dict[str, Any] = {"time": about.time}
    else:
        state = about.state
        figures = {"steps": about.steps, "unbalanced": about.unbalanced, "moved": about.moved}
        head = {"equilibrium": figures}
    return {
        **head,
        "pose": {
            "bodies": {
                name: {"position": state.r[b].tolist(), "orientation": state.p[b].tolist()}
                for b, name in enumerate(system.names)
            },
            "guides": {guide.name: float(state.path[k]) for k, guide in enumerate(system.guides)},
        },
        "modes": [
            {
                "kind": m.kind,
                "pole": [m.pole.real, m.pole.imag],
                "frequency_hz": m.frequency,
                "damping": m.damping,
                "where": list(m.where),
                "energy": {system.names[b]: float(x) for b, x in enumerate(m.energy) if x > 1e-3},
                "participation": dict(zip("xyz", m.participation.tolist(), strict=True)),
                "shape": {
                    system.names[b]: {"real": m.shape[b].real.tolist(), "imag": m.shape[b].imag.tolist()}
                    for b in range(system.bodies)
                    if np.abs(m.shape[b]).max() > 1e-3
                },
            }
            for m in modes
        ],
    }
