"""What a project carries at rest: how far its bodies come from where they are drawn, and the loads of everything.

The equilibrium is that of `solver.rest`; loads are read off it as off an instant of a run, so that both say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..model.assembly import Assembly, Seat
from ..model.carried import centre_on_body, passengers_on
from ..model.outputs import output_rows, row_of
from ..model.placement import joined, placed_model
from ..multibody.compile import JointPoint, System
from ..multibody.constraint_kernels import constraints
from ..multibody.force_kernels import Z_NOW
from ..project.project import Project
from ..results.results import States
from ..solver.balance import Equilibrium
from ..solver.engine import start_internal
from ..solver.record import record
from ..solver.rest import at_rest, drives_in
from ..solver.written_step import new_log, places_of, write_forces
from .coupling_forces import coupling_forces

Kind = Literal["guide", "element", "coupling", "joint", "seat"]
KINDS: tuple[Kind, ...] = get_args(Kind)
BALANCED = 1e-6  # of the weight: what the balance leaves open


@dataclass(frozen=True)
class MovedBody:
    """How far a body comes to rest from where it is drawn: shift (3,) m of its centre of mass, world axes; turn (rad);
    bend (m): of a flexible body, the largest displacement that one of its modes makes."""

    name: str
    shift: Array
    turn: float
    bend: float


@dataclass(frozen=True)
class StaticLoad:
    """A load at rest.

    name: of the joint, guide, force element, coupling or rider (or seat) it is of; path: the same, of an element with
    several rows or pairs that of the element. load: its size in
    `unit`: of a force element or coupling with its sign, tension positive, of the others the amount of the force (N).
    at (3,) m: where it acts, world axes; force (3,) N: what acts there, on the first body of a joint, on what a guide
    guides, on a seat, on the first car of a coupling; world axes, none of a force element. parts (3,) N and moment
    (3,) N m: the same in the axes of that body or seat. travel: of a force element its coordinate beyond that without
    load, of a coupling its extension, in travel_unit.
    """

    kind: Kind
    name: str
    path: str
    load: float
    unit: str
    at: Array | None = None
    force: Array | None = None
    parts: Array | None = None
    moment: Array | None = None
    travel: float | None = None
    travel_unit: str = ""


@dataclass(frozen=True)
class StaticSolution:
    """A project at rest: its bodies and their loads; weight (N) of all bodies; holding: with how many newtons along the
    track cars are held at their place, by name; drives: those that are off for it."""

    system: System
    rest: Equilibrium
    bodies: tuple[MovedBody, ...]
    loads: tuple[StaticLoad, ...]
    weight: float
    holding: dict[str, float]
    drives: tuple[str, ...]

    @property
    def resolution(self) -> float:
        """Below this (N, N m) a load is what the balance leaves open, and none."""
        return BALANCED * max(self.weight, 1.0)

    def of(self, kind: Kind) -> tuple[StaticLoad, ...]:
        """The loads of a kind."""
        return tuple(load for load in self.loads if load.kind == kind)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self.of(kind))} of {kind}s" for kind in KINDS if self.of(kind))
        return f"StaticSolution({len(self.bodies)} bodies, {self.weight:.6g} N; loads: {counts})"


def static_loads(project: Project) -> StaticSolution:
    """Static equilibrium of a project's scenario at its start, drives off, and all loads in it.

    A train stands where its ride starts: the first car of each row of coupled cars is held there, the others hang on
    their couplings. Raises InputError when it cannot be assembled or does not come to rest.
    """
    system, _, rest = at_rest(project, each=False)
    states = _states(system, rest)
    top = project.assembly
    assert top is not None  # else nothing could be compiled
    weight = float(np.linalg.norm(project.gravity)) * float(system.inertia[system.layout.rigid[:-1, 0]].sum())
    loads = (
        *_guides(system, states),
        *_elements(top, system, states),
        *_couplings(project, system, states),
        *_joints(system, states),
        *_seats(project, top, system, states),
    )
    return StaticSolution(
        system, rest, _moved(system, rest), loads, weight, _holding(system, rest, weight), drives_in(project)
    )


def _states(system: System, rest: Equilibrium) -> States:
    """The pose of rest as the states of a run, of one instant."""
    log, state = new_log(system, 1), replace(rest.state, internal=rest.internal)
    W = system.new_work()
    constraints(system.arrays, W, state.time, state.r, state.p, state.path)
    start_internal(system, W, state, rest.lam)
    log.z[0] = W.z[Z_NOW]
    log.t[0], log.r[0], log.p[0], log.L[0] = state.time, state.r, state.p, state.path
    write_forces(system.arrays, W, places_of(system), log.u[0], rest.lam, log, 0)
    return record(system, log, 1)[0]


def _moved(system: System, rest: Equilibrium) -> tuple[MovedBody, ...]:
    drawn, state, n = system.start, rest.state, system.bodies
    before, after = rotation_matrix(drawn.p[:n]), rotation_matrix(state.p[:n])
    cosine = 0.5 * (np.einsum("bij,bij->b", before, after) - 1.0)
    # the sine as well: a cosine knows no small angles
    skew = np.einsum("bij,bkj->bik", after, before)
    sine = 0.5 * np.linalg.norm(
        [skew[:, 2, 1] - skew[:, 1, 2], skew[:, 0, 2] - skew[:, 2, 0], skew[:, 1, 0] - skew[:, 0, 1]], axis=0
    )
    turn = np.arctan2(sine, cosine)
    bend, at = {}, len(system.guides)
    for one in system.flexible:
        own = slice(at, at + len(one.floating.inertia))
        bend[one.body], at = float(np.abs(state.path[own]).max(initial=0.0)), own.stop
    return tuple(
        MovedBody(name, state.r[b] - drawn.r[b], float(turn[b]), bend.get(b, 0.0))
        for b, name in enumerate(system.names)
    )


def _holding(system: System, rest: Equilibrium, weight: float) -> dict[str, float]:
    """The force (N) along the track with which each car is held, of those that are."""
    found = {car.name: float(rest.holding[slice(*car.guides)].sum()) for car in system.cars}
    return {name: force for name, force in found.items() if abs(force) > BALANCED * weight}


def _reaction(system: System, states: States, one: JointPoint, row: int, kind: Kind) -> StaticLoad:
    """What is stored at a joint or guide; the ground has the axes of the world."""
    ground = one.body >= system.bodies
    A = np.eye(3) if ground else rotation_matrix(states.orientation[0, one.body])
    at = np.asarray(one.point) if ground else states.position[0, one.body] + A @ one.point
    force, moment = states.reactions[0, row, :3], states.reactions[0, row, 3:]
    size = float(np.linalg.norm(force))
    return StaticLoad(kind, one.name, one.name, size, "N", at, force.copy(), A.T @ force, A.T @ moment)


def _joints(system: System, states: States) -> list[StaticLoad]:
    return [_reaction(system, states, one, row, "joint") for row, one in enumerate(system.joints)]


def _guides(system: System, states: States) -> list[StaticLoad]:
    first = len(system.joints)
    return [_reaction(system, states, one, first + row, "guide") for row, one in enumerate(system.guides)]


def _elements(top: Assembly, system: System, states: States) -> list[StaticLoad]:
    """The rows of force elements; of what acts between surfaces those that touch."""
    rows, found = output_rows(top), []
    for k, name in enumerate(system.elements):
        row = row_of(rows, name)
        if row is None:  # of a coupling, which speaks for itself
            continue
        load, length = float(states.spring_force[0, k]), float(states.spring_length[0, k])
        if ": " in name and load == 0.0:
            continue
        found.append(
            StaticLoad(
                "element",
                name,
                row.path,
                load,
                row.load.unit,
                travel=length - row.origin,
                travel_unit=row.coordinate.unit,
            )
        )
    return found


def _couplings(project: Project, system: System, states: States) -> list[StaticLoad]:
    found = []
    for one in coupling_forces(project, system, states):
        first, second = (
            states.position[0, end.body] + rotation_matrix(states.orientation[0, end.body]) @ end.point
            for end in one.ends
        )
        line = second - first
        length = float(np.linalg.norm(line))
        force = float(one.force[0])
        pull = force * line / length if length > 0.0 else np.zeros(3)
        A = rotation_matrix(states.orientation[0, one.ends[0].body]) @ one.ends[0].axes
        found.append(
            StaticLoad(
                "coupling",
                one.coupling.name,
                one.coupling.name,
                force,
                "N",
                first,
                pull,
                A.T @ pull,
                None,
                length - one.free,
                "m",
            )
        )
    return found


def _seats(project: Project, top: Assembly, system: System, states: States) -> list[StaticLoad]:
    """What riders and passengers weigh on their seats: at rest a seat carries all that who sits there weighs."""
    drawn, index = placed_model(top), {name: k for k, name in enumerate(system.names)}
    gravity, found = np.array(project.gravity), []

    def add(name: str, holder: str, seat: Seat, mass: float, at: Array | None) -> None:
        body = joined(holder, seat.body)
        if body not in index:
            return
        b = index[body]
        A = rotation_matrix(states.orientation[0, b])
        place = states.position[0, b] + A @ centre_on_body(seat) if at is None else at
        force = mass * gravity
        parts = rotation_matrix(seat.orientation).T @ (A.T @ force)
        found.append(StaticLoad("seat", name, name, float(np.linalg.norm(force)), "N", place, force, parts))

    for path, part in drawn.assemblies.items():
        seats = {seat.name: seat for seat in part.seats}
        for rider in part.riders:
            name = joined(path, rider.name)
            own: dict[str, Any] = rider.every("body")
            rows = [index[joined(name, body)] for body in own]
            masses = np.array([body.mass for body in own.values()])
            if rider.seat in seats and masses.sum() > 0.0:
                centre = masses @ states.position[0, rows] / masses.sum()
                add(name, path, seats[rider.seat], float(masses.sum()), centre)
        for seated in passengers_on(part).values():
            for seat in seated:
                add(joined(path, seat.name), path, seat, seat.passenger, None)
    return found


def static_dict(found: StaticSolution) -> dict[str, Any]:
    """JSON-able summary in SI units: weight, what holds, bodies with shift, turn and bend, loads by kind."""

    def numbers(values: Array | None) -> list[float] | None:
        return None if values is None else [float(x) for x in values]

    return {
        "weight": found.weight,
        "holding": found.holding,
        "drives_off": list(found.drives),
        "equilibrium": {
            "steps": found.rest.steps,
            "unbalanced": found.rest.unbalanced,
            "moved": found.rest.moved,
        },
        "bodies": [
            {"name": one.name, "shift": numbers(one.shift), "turn": one.turn, "bend": one.bend}
            for one in found.bodies
        ],
        "loads": [
            {
                "kind": one.kind,
                "name": one.name,
                "load": one.load,
                "unit": one.unit,
                "at": numbers(one.at),
                "force": numbers(one.force),
                "parts": numbers(one.parts),
                "moment": numbers(one.moment),
                "travel": one.travel,
                "travel_unit": one.travel_unit,
            }
            for one in found.loads
        ],
    }
