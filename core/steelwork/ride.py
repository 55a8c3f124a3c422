"""What a moving train does to the steel: the frame under forces that travel along it, step by step.

M q'' + C q' + K q = f(t) by Newmark's method with beta 1/4 and gamma 1/2 (average acceleration: of order 2, stable at
any step, without damping of its own), K + 2/h C + 4/h^2 M factorised once. Damping is Rayleigh's, C = a M + b K, as
much of critical as the frame has at its lowest frequency and at ten times that. Before the first instant the frame
rests under its own weight and the first loads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import eigsh, splu

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from .actions import G, of_weight
from .frame import SteelFrame
from .members import MemberForces, StressExtremes, forces_inside
from .rail_work import RailWork, WorkCount

RATE = 400.0  # 1/s: eight steps a period at 50 Hz
MOST = 200_000  # instants; of a hundred footings these are a gigabyte
BLOCK = 256  # instants whose loads and member forces are made at once
SLOW, FAST = 1.0, 10.0  # times the lowest frequency, where damping is as given


class TrainLoads(NamedTuple):
    """Forces on the track over instants: time (n,) s; s (n, k) m along the centreline where each acts, counted on over
    laps; point (n, k, 3) m; force (n, k, 3) N and moment (n, k, 3) N m, world axes."""

    time: Array
    s: Array
    point: Array
    force: Array
    moment: Array

    def at(self, time: Array) -> TrainLoads:
        """The same at other instants, straight between the given ones."""
        at = np.clip(np.searchsorted(self.time, time, side="right") - 1, 0, len(self.time) - 2)
        x = (time - self.time[at]) / (self.time[at + 1] - self.time[at])
        held = np.clip(x, 0.0, 1.0)

        def between(values: Array) -> Array:
            w = held.reshape(-1, *[1] * (values.ndim - 1))
            out: Array = (1.0 - w) * values[at] + w * values[at + 1]
            return out

        return TrainLoads(time, *(between(one) for one in self[1:]))


@dataclass(frozen=True, eq=False)
class SteelRide:
    """What came of it: time (n,) s; reactions (n, footings, 6) N and N m: what presses on the ground, weight of the
    steel included; dead (footings, 6): of the weight alone; deflection (n, nodes, 3) m of the nodes of the spine beyond
    that under the weight; members: largest stress of every beam; frequencies (k,) Hz, the lowest of the frame; balance:
    largest difference (N) between what the ground bears and load plus weight plus inertia; watched (watch, 2, 6, n):
    forces inside of the pieces `watch`, as `members.forces_inside`; extremes: where asked for, of every fibre, weight
    included; under (n, k, 3) m: where asked for, how the track moves under each load, beyond that under the weight."""

    frame: SteelFrame
    time: Array
    reactions: Array
    dead: Array
    deflection: Array
    members: MemberForces
    frequencies: Array
    balance: float
    watch: tuple[int, ...] = ()
    watched: Array = field(default_factory=lambda: np.zeros((0, 2, 6, 0)))
    extremes: StressExtremes | None = None
    under: Array = field(default_factory=lambda: np.zeros((0, 0, 3)))
    work: RailWork | None = None

    def __repr__(self) -> str:
        return f"SteelRide({len(self.time)} instants, {len(self.dead)} footings)"


def lowest(frame: SteelFrame, count: int = 6) -> tuple[Array, Array]:
    """The lowest frequencies (count,) Hz of a frame and their shapes (unknowns, count), of unit modal mass."""
    s = frame.structure
    count = min(count, s.size - 2)
    values, shapes = eigsh(csc_matrix(s.K), count, csc_matrix(s.M), sigma=0.0, v0=np.ones(s.size))
    order = np.argsort(values)
    return np.sqrt(np.maximum(values[order], 0.0)) / (2.0 * np.pi), shapes[:, order]


def rayleigh(lowest_hertz: float, damping: float) -> tuple[float, float]:
    """a (1/s) and b (s) of C = a M + b K that damp with `damping` at SLOW and FAST times a frequency."""
    slow, fast = 2.0 * np.pi * lowest_hertz * SLOW, 2.0 * np.pi * lowest_hertz * FAST
    return 2.0 * damping * slow * fast / (slow + fast), 2.0 * damping / (slow + fast)


class Newmark:
    """The state of the frame between two steps: displacements, rates and accelerations (unknowns,)."""

    def __init__(self, frame: SteelFrame, step: float, lowest_hertz: float) -> None:
        self.step, (self.a, self.b) = step, rayleigh(lowest_hertz, frame.damping)
        self.M, self.K = csc_matrix(frame.structure.M), csc_matrix(frame.structure.K)
        h = step
        self.factor = splu(
            csc_matrix((1.0 + 2.0 / h * self.b) * self.K + (4.0 / h**2 + 2.0 / h * self.a) * self.M)
        )
        self.lifted = self.M @ frame.structure.rigid_motions()[:, 2]
        self.q = self.v = self.acc = np.zeros(frame.structure.size)

    def ahead(self, force: Array) -> Array:
        """Displacements (unknowns,) one step on under a force (unknowns,) then."""
        gone = 2.0 / self.step * self.q + self.v
        known = self.M @ (2.0 / self.step * (gone + self.v) + self.acc + self.a * gone)
        out: Array = self.factor.solve(force + known + self.b * (self.K @ gone))
        return out

    def go_to(self, q: Array) -> None:
        """One step on, to displacements (unknowns,)."""
        h = self.step
        v = 2.0 / h * (q - self.q) - self.v
        self.acc = 2.0 / h * (v - self.v) - self.acc
        self.q, self.v = q, v

    @property
    def inertia(self) -> float:
        """Force (N) upwards that mass and the damping by it take."""
        return float(self.lifted @ (self.acc + self.a * self.v))


def ride_over(
    frame: SteelFrame,
    loads: TrainLoads,
    rate: float = RATE,
    *,
    slowly: bool = False,
    watch: Sequence[int] = (),
    extremes: bool = False,
    under: bool = False,
    on_block: Callable[[float], None] | None = None,
) -> SteelRide:
    """The frame while loads travel along it, at `rate` instants a second (1/s).

    slowly: without inertia and damping, each instant at rest by itself. watch: pieces of beams whose forces inside are
    kept over time. extremes: keep those of every fibre. under: how the track moves under the loads, and their work.
    on_block: told from time to time which share (0 to 1) is done; what it raises ends the ride. Raises InputError for a
    rate that is not above zero and for more than MOST instants. Source: Newmark 1959.
    """
    if rate <= 0.0:
        raise InputError(say("The rate must be above zero, found {rate:g} a second.", rate=rate))
    count = max(2, int(np.ceil((loads.time[-1] - loads.time[0]) * rate)) + 1)
    if count > MOST:
        raise InputError(
            say(
                "{time:.0f s} of ride in {count} steps are too many; take at most {most} by a lower rate, or end the"
                " ride earlier.",
                time=float(np.ptp(loads.time)), count=count, most=MOST,
            )
        )  # fmt: skip
    time = np.linspace(loads.time[0], loads.time[-1], count)
    s = frame.structure
    rest, frequencies = of_weight(frame), lowest(frame)[0]
    moving = None if slowly else Newmark(frame, float(time[1] - time[0]), float(frequencies[0]))
    bays = frame.pieces[: len(frame.stations) - 1]
    spine = s.unknowns[[bays[0].ends[0], *(piece.ends[1] for piece in bays)]][:, :3]
    kept = StressExtremes.none(frame) if extremes else None
    members, watched = MemberForces.none(frame), np.empty((len(watch), 2, 6, count))
    reactions, deflection = np.empty((count, len(frame.footings), 6)), np.empty((count, len(spine), 3))
    below = np.empty((count, loads.s.shape[1], 3)) if under else np.zeros((0, 0, 3))
    work = WorkCount(frame, float(time[1] - time[0]), (0.0, 0.0) if moving is None else (moving.a, moving.b))
    up, off = s.rigid_motions()[:, 2], 0.0
    for first in range(0, count, BLOCK):
        if on_block is not None:
            on_block(first / count)
        now = loads.at(time[first : first + BLOCK])
        rows = slice(first, first + len(now.time))
        beams, ends, f = _block(frame, now)
        Q, V, inertia = _moves(frame, moving, f, first == 0)
        deflection[rows] = np.moveaxis(Q[spine], -1, 0)
        if under:
            below[rows] = moved_under(frame, now, Q)
            work.with_block(beams, ends, Q, V)
        Q += work.damping[1] * V  # what damps bears, too
        reactions[rows] = rest.reactions + np.moveaxis(frame.reactions(Q), -1, 0)
        inside = rest.inside[..., None] + forces_inside(frame, Q, beams, ends)
        members = members.with_block(frame, inside, now.time)
        kept = None if kept is None else kept.with_block(inside)
        watched[..., rows] = inside[list(watch)]
        on_it = up @ f - G * frame.mass - inertia
        off = max(off, float(np.abs(reactions[rows, :, 2].sum(axis=1) - on_it).max()))
    return SteelRide(
        frame, time, reactions, rest.reactions, deflection, members, frequencies, off, tuple(watch), watched, kept,
        below, work.total() if under else None,
    )  # fmt: skip


def _moves(frame: SteelFrame, moving: Newmark | None, f: Array, begins: bool) -> tuple[Array, Array, Array]:
    """Displacements under forces f (unknowns, n), their rates, and inertia (n,) N upwards; begins: the first instant is
    at rest."""
    if moving is None:
        return frame.moves(f), np.zeros_like(f), np.zeros(f.shape[1])
    Q, V, inertia = np.empty_like(f), np.empty_like(f), np.empty(f.shape[1])
    for k in range(f.shape[1]):
        if k == 0 and begins:
            moving.q = frame.factor.solve(f[:, 0])
        else:
            moving.go_to(moving.ahead(f[:, k]))
        Q[:, k], V[:, k], inertia[k] = moving.q, moving.v, moving.inertia
    return Q, V, inertia


def moved_under(frame: SteelFrame, loads: TrainLoads, Q: Array) -> Array:
    """How the track moves where loads stand (n, k, 3) m, of moves Q (unknowns, n): by the loads on the ends of beams
    that a force of 1 N along each axis makes there, as its work is theirs."""
    n, k = loads.s.shape
    nodes = np.array([piece.ends for piece in frame.pieces[: len(frame.stations) - 1]])
    out = np.empty((n, k, 3))
    for axis in range(3):
        one = np.zeros((n * k, 3))
        one[:, axis] = 1.0
        beams, ends = frame.loads(loads.s.ravel(), loads.point.reshape(-1, 3), one)
        at = frame.structure.unknowns[nodes[beams]].reshape(n, k, 12)
        moves = Q[at, np.arange(n)[:, None, None]]
        out[..., axis] = np.sum(ends.reshape(n, k, 12) * moves, axis=-1)
    return out


def _block(frame: SteelFrame, loads: TrainLoads) -> tuple[Integers, Array, Array]:
    """Beams (n, k) that the loads of some instants act on, loads on their ends (n, k, 12), and all of them as vectors
    (unknowns, n)."""
    n, k = loads.s.shape
    beams, ends = frame.loads(
        loads.s.ravel(), loads.point.reshape(-1, 3), loads.force.reshape(-1, 3), loads.moment.reshape(-1, 3)
    )
    nodes = np.array([piece.ends for piece in frame.pieces[: len(frame.stations) - 1]])
    at = frame.structure.unknowns[nodes[beams]].reshape(n, -1)
    out = np.zeros((frame.structure.size, n))
    np.add.at(out, (at, np.arange(n)[:, None]), ends.reshape(n, -1))
    return beams.reshape(n, k), ends.reshape(n, k, 12), out
