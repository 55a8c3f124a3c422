"""A plain girder under axles that pass it: constant forces, masses that roll on it, sprung masses; deflection, moment,
stress, and the force of every axle, which the girder's motion changes.

The girder is a frame of beams as the steel of a ride is (`frame.SteelFrame`), and moves by the same method. Girder and
axles are one system of equations. At each step what the girder does of itself is known, and so is, by one solution a
axle, what a force at each axle adds; with the acceleration of the masses by backward differences of second order of
where they are, f = p - Z z, the forces of all axles follow from as many equations: (1 + Z N' S N) f = p - Z N' q_free,
N the girder's move under the axles, S its moves under forces. Nothing is iterated, and a mass that rolls on the girder
feels all of d^2/dt^2 w(x(t), t), as it is where the girder is.
"""

from __future__ import annotations

import csv
import io
import math
import numbers
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.frozen import told
from ..base.sentence import say
from ..structure.beams import Beam, Spring, assembled, lay_out
from ..structure.sections import Material, Section
from .frame import Footing, SteelFrame
from .members import forces_inside
from .ride import BLOCK, MOST, Newmark, lowest

BAYS = 60  # at least
FINE = 0.12  # of a bay, times beta of a beam on a foundation
STEPS, A_PERIOD = 4000, 200.0  # instants of a passage and of a period of the lowest mode, at least
ENOUGH = 40_000  # instants: a girder with so many periods in a passage moves as it does at rest
STIFF = 1e10  # of what holds a girder, times E I / l^3
SOLID = 1e6  # shear stiffness of a girder without give in shear, times 12 E I / h^2
THIN = 1e-6  # radius of gyration of a girder without rotary inertia, of a bay, squared

Supports = Literal["simple", "clamped", "cantilever", "free"]


@told
@dataclass(frozen=True)
class Girder:
    """A straight girder of constant section.

    length m; E Pa; I m^4; mass kg/m, 0 of a girder without one; fibre m: from the neutral axis to the fibre whose
    stress is asked for; supports: at both ends "simple" or "clamped", clamped at the beginning alone ("cantilever"),
    "free", or places (m) where it is held up; foundation N/m^2: of an elastic foundation under all of it; damping: part
    of critical, at its lowest frequency and at ten times that; shear N: k G A of a girder that gives in shear, else
    none. Rotary inertia is left out.
    """

    length: float
    E: float
    I: float
    mass: float
    fibre: float = 0.0
    supports: Supports | tuple[float, ...] = "simple"
    foundation: float = 0.0
    damping: float = 0.0
    shear: float | None = None


@told
@dataclass(frozen=True)
class Axle:
    """What rolls over a girder: force N, constant; mass kg that stays on the girder; sprung kg on a spring of stiffness
    N/m and damping N s/m above it; behind m: the first axle. Masses bring their weight."""

    force: float = 0.0
    behind: float = 0.0
    mass: float = 0.0
    sprung: float = 0.0
    stiffness: float = 0.0
    damping: float = 0.0


@told
@dataclass(frozen=True, eq=False)
class Passage:
    """What axles did to a girder, beyond its own weight.

    time (n,) s from when the first axle comes; x (n, axles) m where each is; at (k,) m: places of deflection (n, k) m
    downwards, moment (n, k) N m, sagging positive, and stress (n, k) Pa of the fibre, tension of a sagging girder
    positive; force (n, axles) N of each axle on the girder, 0 off it; under (n, axles) m: deflection under each; sprung
    (n, axles) m: where each sprung mass is, down from where it rests on a rigid girder; reactions (n, supports) N
    upwards; frequencies Hz, the lowest of the girder.
    """

    time: Array
    x: Array
    at: Array
    deflection: Array
    moment: Array
    stress: Array
    force: Array
    under: Array
    sprung: Array
    reactions: Array
    frequencies: Array

    def __repr__(self) -> str:
        return f"Passage({len(self.time)} instants, {self.x.shape[1]} axles, {len(self.at)} places)"


def passage(
    girder: Girder,
    axles: Sequence[Axle],
    speed: float,
    *,
    at: Collection[float] | None = None,
    after: float = 0.0,
    rate: float | None = None,
    slowly: bool = False,
    gravity: float = 9.81,
    acceleration: float = 0.0,
    lifts: bool = False,
) -> Passage:
    """Axles that pass a girder, from when the first one comes until the last one has left or all stand; before and
    behind the girder they roll on a level that does not give.

    Parameters
    ----------
    girder, axles
        What is passed, and what passes it.
    speed
        m/s, when the first one comes.
    at
        Places (m) where deflection, moment and stress are kept; the middle by default.
    after
        s, how long the girder is looked at after the last axle has left, or has come to a stand.
    rate
        Instants a second (1/s); by default as many as the passage and the girder's periods ask for.
    slowly
        Without inertia.
    gravity
        m/s^2.
    acceleration
        m/s^2 along the girder, constant; axles that it brakes to a stand remain there. What it takes to brake them is
        along the girder, and bends it not.
    lifts
        Whether masses leave the girder where they would have to be pulled, and come down again without rebound; else
        they are held down.

    Returns
    -------
    What both did to each other, beyond the girder's own weight.

    Raises
    ------
    InputError
        For what is no girder, no axle, no speed, and for too many instants.
    """
    _check_girder(girder, () if at is None else tuple(at))
    places = (0.5 * girder.length,) if at is None else tuple(at)
    _check_axles(axles, speed, gravity, after, acceleration)
    steel = _frame(girder, places)
    frequencies = lowest(steel)[0] if girder.mass > 0.0 else np.zeros(0)
    behind = np.array([one.behind for one in axles])
    rolls = _until(girder.length + float(behind.max()), speed, acceleration)
    time = np.linspace(0.0, rolls + after, _instants(rolls + after, rate, frequencies))
    gone = time if acceleration >= 0.0 else np.minimum(time, -speed / acceleration)
    x = (speed * gone + 0.5 * acceleration * gone**2)[:, None] - behind
    step = float(time[1])
    moving = None if slowly else Newmark(steel, step, float(frequencies[0]) if len(frequencies) else 1.0)
    rolling = _Rolling.begin(axles, step, gravity, slowly, lifts)
    nodes = np.array([int(np.argmin(np.abs(steel.stations - one))) for one in places], dtype=np.int64)
    parts = [
        _block(steel, moving, rolling, x[first : first + BLOCK], nodes, first == 0)
        for first in range(0, len(time), BLOCK)
    ]
    deflection, moment, force, under, sprung, reactions = (
        np.concatenate(one) for one in zip(*parts, strict=True)
    )
    stress = moment * girder.fibre / girder.I
    return Passage(
        time,
        x,
        steel.stations[nodes],
        deflection,
        moment,
        stress,
        force,
        under,
        sprung,
        reactions,
        frequencies,
    )


def _block(
    steel: SteelFrame, moving: Newmark | None, rolling: _Rolling, x: Array, nodes: Integers, begins: bool
) -> tuple[Array, ...]:
    """Some instants with the axles at x (n, axles) m: deflection and moment at nodes, force, deflection under the axles
    and place of the sprung masses, reactions."""
    n, axles = x.shape
    length = steel.stations[-1]
    on = (x >= 0.0) & (x <= length)
    point = np.zeros((n * axles, 3))
    point[:, 0] = np.clip(x, 0.0, length).ravel()
    down = np.zeros_like(point)
    down[:, 2] = -1.0 * on.ravel()
    beams, ends = steel.loads(point[:, 0], point, down)
    beams, ends = beams.reshape(n, axles), ends.reshape(n, axles, 12)
    at = steel.structure.unknowns[[piece.ends for piece in steel.pieces]].reshape(-1, 12)[beams]
    Q = np.zeros((steel.structure.size, n))
    force, under, sprung = (np.zeros((n, axles)) for _ in range(3))
    for k in range(n):
        own, q, z = np.flatnonzero(on[k]), np.zeros(len(Q)), np.zeros(axles)
        if begins and k == 0 and moving is not None:  # at rest
            force[k, own] = rolling.weight[own]
            continue
        N = np.zeros((len(Q), len(own)))
        for column, axle in enumerate(own):
            N[at[k, axle], column] = ends[k, axle]
        p, Z = rolling.ahead()
        f: Array = p[own]
        if Z[own].any():
            q = q if moving is None else moving.ahead(q)
            S = (steel if moving is None else moving).factor.solve(N)
            f, z[own] = rolling.pressing(f, Z[own], N.T @ q, N.T @ S)
            q = q + S @ f
        else:
            q = steel.factor.solve(N @ f) if moving is None else moving.ahead(N @ f)
            z[own] = N.T @ q
        under[k, own], force[k, own] = N.T @ q, f
        if moving is not None:
            moving.go_to(q)
        sprung[k] = rolling.go_to(z)
        Q[:, k] = q
    inside = forces_inside(steel, Q, beams, ends * force[..., None])
    last = len(steel.pieces) - 1
    moment = 0.0 - 0.5 * (inside[np.maximum(nodes - 1, 0), 1, 4] + inside[np.minimum(nodes, last), 0, 4])
    moment[nodes == 0] = -inside[0, 0, 4]
    moment[nodes == last + 1] = -inside[last, 1, 4]
    level = steel.structure.unknowns[:, 2]
    feet = [foot.node for foot in steel.footings]
    return (
        0.0 - Q[level[nodes]].T,
        moment.T,
        force,
        under,
        sprung,
        0.0 - steel.springs[:, 2] * Q[level[feet]].T,
    )


@dataclass
class _Rolling:
    """Masses of axles, and where they were at the last two instants: z, of the sprung ones from where they rest, and
    rates v, each (2, 2, axles): now and before; on the girder and above the spring."""

    axles: Sequence[Axle]
    step: float
    weight: Array
    still: bool
    z: Array
    v: Array
    lifts: bool

    @classmethod
    def begin(cls, axles: Sequence[Axle], step: float, gravity: float, still: bool, lifts: bool) -> _Rolling:
        weight = np.array([one.force + gravity * (one.mass + one.sprung) for one in axles])
        none = np.zeros((2, 2, len(axles)))
        return cls(axles, step, weight, still, none, none, lifts)

    def _of(self, name: str) -> Array:
        return np.array([getattr(one, name) for one in self.axles], dtype=np.float64)

    def _known(self) -> tuple[Array, Array]:
        """What v and acceleration one step on are without 3 z / 2h and 9 z / 4h^2, each (2, axles)."""
        h = 2.0 * self.step
        rate = (self.z[1] - 4.0 * self.z[0]) / h
        return rate, (3.0 * rate + self.v[1] - 4.0 * self.v[0]) / h

    def _follows(self) -> tuple[Array, Array]:
        """Where the sprung masses are one step on, for where the axles are: g, z = g[0] + g[1] z of the axle."""
        k, c, m = self._of("stiffness"), self._of("damping"), self._of("sprung")
        rate, acc = self._known()
        first, second = 1.5 / self.step, 2.25 / self.step**2
        stiff = m * second + k + c * first
        stiff = np.where(stiff > 0.0, stiff, 1.0)
        return (c * (rate[0] - rate[1]) - m * acc[1]) / stiff, (k + c * first) / stiff

    def ahead(self) -> tuple[Array, Array]:
        """p and Z (axles,): the force of each axle one step on is p - Z z."""
        if self.still:
            return self.weight, np.zeros(len(self.axles))
        second, (_, acc), (g0, g1) = 2.25 / self.step**2, self._known(), self._follows()
        m, ms = self._of("mass"), self._of("sprung")
        return (
            self.weight - m * acc[0] - ms * (acc[1] + second * g0),
            (m + ms * g1) * second,
        )

    def pressing(self, p: Array, Z: Array, free: Array, gives: Array) -> tuple[Array, Array]:
        """Forces of axles f = p - Z z on a girder that is at free + gives f under them (m), and where these are; what
        may lift and would have to be pulled is at z = p / Z, above it."""
        on = np.ones(len(p), dtype=bool)
        for _ in range(2 * len(p) + 1):
            borne = np.where(on, Z, 0.0)[:, None] * gives
            equations = np.eye(len(p)) + borne
            f = np.asarray(np.linalg.solve(equations, np.where(on, p - Z * free, 0.0)), dtype=np.float64)
            z: Array = free + gives @ f
            stays = (Z == 0.0) | (p - Z * z >= 0.0) | (not self.lifts)
            if np.array_equal(stays, on):
                break
            on = stays
        above: Array = np.where(on, z, p / np.where(Z > 0.0, Z, 1.0))
        return f, above

    def go_to(self, z: Array) -> Array:
        """One step on, to axles at z (axles,) m; returns where the sprung masses are."""
        if self.still:
            return np.where(self._of("sprung") > 0.0, z, 0.0)
        g0, g1 = self._follows()
        rate, _ = self._known()
        now = np.array([z, g0 + g1 * z])
        self.v = np.array([1.5 / self.step * now + rate, self.v[0]])
        self.z = np.array([now, self.z[0]])
        out: Array = now[1]
        return out


def _frame(girder: Girder, places: Sequence[float]) -> SteelFrame:
    """The girder as a frame, with nodes at places (m) and where it is held."""
    L, EI = girder.length, girder.E * girder.I
    held, clamped = _held(girder)
    bay = L / BAYS
    if girder.foundation > 0.0:
        bay = min(bay, FINE / (girder.foundation / (4.0 * EI)) ** 0.25)
    fixed = np.unique([0.0, L, *held, *places])
    fixed = fixed[np.concatenate([[True], np.diff(fixed) > 1e-9 * L])]
    fixed[-1] = L
    lines = [np.linspace(a, b, math.ceil((b - a) / bay - 1e-9), endpoint=False) for a, b in pairwise(fixed)]
    x = np.concatenate([*lines, [L]])
    h = float(np.diff(x).min())
    I = THIN * h**2
    E = EI / I
    shear = (girder.shear or SOLID * 12.0 * EI / h**2) / E
    section = Section(1.0, I, I, I, shear, shear)
    steel = Material(E, E, girder.mass)
    names = [f"track {k}" for k in range(len(x))]
    nodes = {name: (float(one), 0.0, 0.0) for name, one in zip(names, x, strict=True)}
    beams = tuple(Beam(a, b, section, steel, elements=1) for a, b in pairwise(names))
    push, turn = STIFF * EI / L**3, STIFF * EI / L
    bears = 0.5 * girder.foundation * (np.diff(x, prepend=0.0) + np.diff(x, append=L))
    springs = [
        Spring(a, None, (push, push, float(k), turn, 0.0, turn)) for a, k in zip(names, bears, strict=True)
    ]
    feet = [int(np.argmin(np.abs(x - one))) for one in held]
    ground = (0.0, 0.0, push, 0.0, turn if clamped else 0.0, 0.0)
    springs += [Spring(names[k], None, ground) for k in feet]
    footings = tuple(
        Footing(f"support {j + 1}", k, nodes[names[k]], 0, float(x[k])) for j, k in enumerate(feet)
    )
    members = tuple(f"bay {k + 1}" for k in range(len(beams)))
    tubes = np.tile([0.0, 0.0, girder.fibre], (len(beams), 3, 1))
    laid = lay_out(nodes, beams)
    structure, pieces = assembled(*laid, springs), tuple(laid[2])
    return SteelFrame(
        structure, beams, pieces, members, x, footings, ground, tubes, closed=False, damping=girder.damping
    )


def _held(girder: Girder) -> tuple[tuple[float, ...], bool]:
    """Where a girder is held up (m), and whether it cannot turn there."""
    if isinstance(girder.supports, str):
        ends = {
            "simple": (0.0, girder.length),
            "clamped": (0.0, girder.length),
            "cantilever": (0.0,),
            "free": (),
        }
        return ends[girder.supports], girder.supports in ("clamped", "cantilever")
    return tuple(sorted(girder.supports)), False


def _until(way: float, speed: float, acceleration: float) -> float:
    """When (s) the last axle has gone a way (m), or all stand before it has."""
    left = speed**2 + 2.0 * acceleration * way
    if left < 0.0:
        return -speed / acceleration
    return 2.0 * way / (speed + math.sqrt(left))


def _instants(over: float, rate: float | None, frequencies: Array) -> int:
    if rate is None:
        rate = min(max([STEPS / over, *(A_PERIOD * frequencies[:1])]), ENOUGH / over)
    count = math.ceil(over * rate - 1e-9) + 1
    if count > MOST:
        raise InputError(
            say(
                "{time:.3g s} of passage in {count} steps are too many; take at most {most} by a lower rate.",
                time=over, count=count, most=MOST,
            )
        )  # fmt: skip
    return max(count, 3)


def _check_girder(girder: Girder, places: Sequence[float]) -> None:
    """Raises InputError for what is no girder, and for places that are not on it."""
    above = ["length", "E", "I"] if girder.shear is None else ["length", "E", "I", "shear"]
    for name in (*above, "mass", "fibre", "foundation", "damping"):
        _check(f"Girder: {name}", getattr(girder, name), above_zero=name in above)
    held = girder.supports
    if isinstance(held, str) and held not in get_args(Supports):
        raise InputError(
            f"Girder: supports '{held}': must be {', '.join(get_args(Supports))}, or places (m) where it is held up."
        )
    if not isinstance(held, str) and not isinstance(held, tuple | list):
        raise InputError("Girder: supports must be a word or places (m) where it is held up.")
    for name, some in (("held up", () if isinstance(held, str) else held), ("looked at", places)):
        for one in some:
            _check(f"Girder: place where it is {name}", one)
            if one > girder.length:
                raise InputError(
                    say(
                        "Girder: {name} at {one:g m}, and it is {length:g m} long.",
                        name=name, one=float(one), length=float(girder.length),
                    )
                )  # fmt: skip
    loose = held == "free" if isinstance(held, str) else len(set(held)) < 2
    if loose and girder.foundation == 0.0:
        raise InputError("Girder: nothing holds it; give supports, two places or more, or a foundation.")
    if girder.mass == 0.0 and girder.damping > 0.0:
        raise InputError(
            "Girder: without a mass it has no frequency that damping is a part of; give damping 0."
        )


def _check_axles(
    axles: Sequence[Axle], speed: float, gravity: float, after: float, acceleration: float
) -> None:
    """Raises InputError for no axle, axles that bring what they cannot have, and no speed."""
    _check("speed", speed, above_zero=True)
    _check("acceleration", acceleration, below_zero=True)
    _check("gravity", gravity)
    _check("after", after)
    if not axles:
        raise InputError("No axle passes the girder; give at least one.")
    for k, one in enumerate(axles, 1):
        _check(f"Axle {k}: force", one.force, below_zero=True)
        for name in ("behind", "mass", "sprung", "stiffness", "damping"):
            _check(f"Axle {k}: {name}", getattr(one, name))
        if one.sprung > 0.0 and one.stiffness == 0.0:
            raise InputError(f"Axle {k}: a sprung mass needs a spring; give its stiffness.")


def _check(name: str, value: object, *, above_zero: bool = False, below_zero: bool = False) -> None:
    """Raises InputError for what is no number, and for one that is too small."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise InputError(f"{name} must be a number, found {value!r:.60}.")
    if not below_zero and (value < 0.0 or (above_zero and value == 0.0)):
        raise InputError(f"{name} {value:g}: must be {'above zero' if above_zero else 'at least 0'}.")


def passage_csv(found: Passage) -> str:
    """Everything over time as a table for other programs, SI."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    heads, columns = ["time_s"], [found.time[:, None]]
    for name, values in (
        ("deflection_m", found.deflection),
        ("moment_Nm", found.moment),
        ("stress_Pa", found.stress),
    ):
        heads += [f"{name}_at_{one:g}" for one in found.at]
        columns.append(values)
    for name, values in (
        ("x_m", found.x), ("force_N", found.force), ("under_m", found.under), ("sprung_m", found.sprung),
    ):  # fmt: skip
        heads += [f"{name}_axle_{k + 1}" for k in range(values.shape[1])]
        columns.append(values)
    heads += [f"reaction_N_{k + 1}" for k in range(found.reactions.shape[1])]
    columns.append(found.reactions)
    write.writerow(heads)
    write.writerows([f"{value:.9g}" for value in row] for row in np.concatenate(columns, axis=1))
    return out.getvalue()
