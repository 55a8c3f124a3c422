"""What the neck carries: force and moment between the head and the rest of the rider at the upper neck joint.

The load is that of a cut through the neck at the joint: the joint's own reaction and the springs that stand for
muscles and ligaments beside it. It follows from the motion of the head (Newton and Euler), less what acts on the head
from outside the rider, such as a head rest. A joint alone would leave out the muscles: a hinge carries no moment about
its axis, and flexion would always be zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.base.frames import rotation_matrix
from core.model.assembly import Assembly, Occupant
from core.model.bodies import SEAT
from core.model.elements import AirDrag, AppliedForce, AppliedTorque, SpringDamper
from core.model.joints import Joint
from core.multibody.compile import System
from core.project.project import Project
from core.project.scenario import Rig
from core.results.results import States

Array = NDArray[np.float64]

#: From rider axes (forward, left, up) to those of SAE J1733 (forward, right, down).
TO_SAE = np.array([1.0, -1.0, -1.0])


class Moving(Protocol):
    """What is needed of the motion of the head: `core.solver.channels.Motion` has it."""

    @property
    def orientation(self) -> Array: ...
    @property
    def angular_velocity(self) -> Array: ...
    @property
    def angular_acceleration(self) -> Array: ...
    @property
    def acceleration(self) -> Array: ...


@dataclass(frozen=True)
class NeckCut:
    """Where a rider's neck is cut: point (3,) m on the head (body axes, from its centre of mass), mass kg and
    principal moments of inertia (3,) kg m^2 of the head, and the springs from outside the rider that pull on the
    head."""

    rider: str
    point: Array
    mass: float
    inertia: Array
    outside: tuple[SpringDamper, ...]


def neck_cuts(project: Project) -> dict[str, NeckCut]:
    """Riders whose neck load can be told, by their full name.

    Left out are riders whose head hangs on more than one joint, on none, or on the seat, and those with a force, a
    torque or drag applied to the head: there the motion of the head alone does not give the load.
    """
    groups: list[tuple[str, Assembly]] = []
    if isinstance(project.scenario, Rig):
        groups.append(("", project.scenario.assembly))
    elif project.train is not None:
        groups += [(f"{car.name}/", car) for car in project.train.cars]
    found: dict[str, NeckCut] = {}
    for prefix, assembly in groups:
        for rider in assembly.occupants:
            cut = _cut(prefix + rider.name, rider)
            if cut is not None:
                found[prefix + rider.name] = cut
    return found


def _cut(name: str, rider: Occupant) -> NeckCut | None:
    joints = [j for j in rider.joints if rider.head in (j.body_i, j.body_j)]
    applied = [
        f
        for f in rider.forces
        if isinstance(f, AppliedForce | AppliedTorque | AirDrag) and f.body == rider.head and f.enabled
    ]
    if len(joints) != 1 or SEAT in (joints[0].body_i, joints[0].body_j) or applied:
        return None
    joint: Joint = joints[0]
    point = joint.point_i if joint.body_i == rider.head else joint.point_j
    head = next(b for b in rider.bodies if b.name == rider.head)
    outside = tuple(
        f
        for f in rider.forces
        if isinstance(f, SpringDamper) and f.enabled and {f.body_i, f.body_j} == {rider.head, SEAT}
    )
    return NeckCut(name, np.array(point), head.mass, np.array(head.inertia), outside)


def neck_load(
    cut: NeckCut, head: Moving, gravity: Array, outside: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Force (n, 3) N and moment (n, 3) N m that the neck puts on the head at the cut, SAE J211/J1733 signs.

    head: motion of the head; gravity (3,) m/s^2, world; outside: force and moment about the centre of mass (n, 3) in
    head axes from springs outside the rider (`outside_load`). Fx positive when the neck pushes the head forward, Fy to
    the right, Fz in tension; Mx, My, Mz about the axes forward, right, down: My positive in flexion (chin to chest).
    Source: Newton and Euler for the head; signs of SAE J1733 (load cell, upper neck).
    """
    turn = rotation_matrix(head.orientation)
    total = cut.mass * np.einsum("nji,nj->ni", turn, head.acceleration - gravity)
    spin = cut.inertia * head.angular_velocity
    about_centre = cut.inertia * head.angular_acceleration + np.cross(head.angular_velocity, spin)
    force = total - outside[0]
    moment = about_centre - outside[1] - np.cross(cut.point, force)
    return TO_SAE * force, TO_SAE * moment


def outside_load(cut: NeckCut, project: Project, system: System, states: States) -> tuple[Array, Array]:
    """Force and moment about the head's centre of mass (n, 3), head axes, of springs between head and seat.

    At the stored instants. Zero arrays when the rider has none.
    """
    n = len(states.time)
    force, moment = np.zeros((n, 3)), np.zeros((n, 3))
    if not cut.outside:
        return force, moment
    index = {name: k for k, name in enumerate(system.names)}
    head = index[system.riders[cut.rider]["head"]]
    turn = rotation_matrix(states.orientation[:, head])
    car, rider = _found(project, cut.rider)
    seat = next(s for s in car.seats if s.name == rider.seat)
    prefix = cut.rider[: -len(rider.name)]
    carrier = index.get(prefix + seat.body)
    for spring in cut.outside:
        on_head, on_seat = spring.point_i, spring.point_j
        if spring.body_i == SEAT:
            on_head, on_seat = on_seat, on_head
        anchor = np.array(seat.position) + rotation_matrix(seat.orientation) @ np.array(on_seat)
        if carrier is None:
            end = np.broadcast_to(anchor, (n, 3))
        else:
            end = states.position[:, carrier] + rotation_matrix(states.orientation[:, carrier]) @ anchor
        arm = np.array(on_head)
        line = end - states.position[:, head] - turn @ arm
        length = np.linalg.norm(line, axis=1, keepdims=True)
        pull = states.spring_force[:, [system.elements.index(f"{cut.rider}/{spring.name}")]]
        pulled = np.einsum("nji,nj->ni", turn, line / np.maximum(length, 1e-12)) * pull
        force += pulled
        moment += np.cross(arm, pulled)
    return force, moment


def _found(project: Project, name: str) -> tuple[Assembly, Occupant]:
    if isinstance(project.scenario, Rig):
        group: Assembly = project.scenario.assembly
        return group, next(o for o in group.occupants if o.name == name)
    assert project.train is not None
    for car in project.train.cars:
        for rider in car.occupants:
            if f"{car.name}/{rider.name}" == name:
                return car, rider
    raise KeyError(name)
