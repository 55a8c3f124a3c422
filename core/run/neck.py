"""What the neck carries: force and moment between the head and the rest of the rider at the upper neck joint.

The load is that of a cut through the neck at the joint: the joint's own reaction and the springs that stand for
muscles and ligaments beside it. It follows from the motion of the head (Newton and Euler), less what acts on the head
beside the neck: springs from outside the rider, and all contacts, such as those with a headrest or the own chest. A
joint alone would leave out the muscles: a hinge carries no moment about its axis, and flexion would always be zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..model.bodies import GROUND
from ..model.forces import ForceElement, type_of
from ..model.forces.ends import TwoPoints
from ..model.joints import Joint
from ..model.placement import PlacedModel, joined, placed_model
from ..multibody.compile import System
from ..project.project import Project
from ..results.results import States
from ..results.spilled import taken
from ..solver.contacts import touched_heads

#: From rider axes (forward, left, up) to those of SAE J1733 (forward, right, down).
TO_SAE = np.array([1.0, -1.0, -1.0])


class Moving(Protocol):
    """What is needed of the motion of the head: `results.sampler.Motion` has it."""

    @property
    def orientation(self) -> Array: ...
    @property
    def angular_velocity(self) -> Array: ...
    @property
    def angular_acceleration(self) -> Array: ...
    @property
    def acceleration(self) -> Array: ...


class Pull(NamedTuple):
    """A spring from outside the rider on the head: its full name, its point on the head (body axes, m), and the body it
    hangs on, or GROUND, with the point there (m)."""

    name: str
    on_head: Array
    body: str
    anchor: Array


#: The path of an assembly, a joint or force element of it, and the bodies that it connects.
_Touching = tuple[str, Joint | ForceElement, tuple[str, ...]]


@dataclass(frozen=True)
class NeckCut:
    """Where a rider's neck is cut: point (3,) m on the head (body axes, from its centre of mass), mass kg and
    inertia tensor (3, 3) kg m^2 of the head, and the springs from outside the rider that pull on the
    head."""

    rider: str
    point: Array
    mass: float
    inertia: Array
    outside: tuple[Pull, ...]


def neck_cuts(project: Project) -> dict[str, NeckCut]:
    """Riders whose neck load can be told, by their full name.

    Left out are riders whose head hangs on more than one joint, on none, or on what is not theirs, and those with
    anything but contacts and elements between two points applied to the head from outside: there the motion of the head
    alone does not give the load.
    """
    if project.assembly is None:
        return {}
    drawn = placed_model(project.assembly)
    heads = {
        joined(path, str(drawn.assemblies[path].head)): path for path in project.assembly.with_role("rider")
    }
    touching: dict[str, list[_Touching]] = {head: [] for head in heads}
    for path, part in drawn.assemblies.items():
        elements: tuple[Joint | ForceElement, ...] = (*part.joints, *part.forces)
        for element in elements:
            if isinstance(element, ForceElement) and not element.enabled:
                continue
            bodies = drawn.connected(path, element)
            for head in heads.keys() & set(bodies):
                touching[head].append((path, element, bodies))
    cuts = {path: _cut(drawn, path, head, touching[head]) for head, path in heads.items()}
    return {path: cut for path, cut in cuts.items() if cut is not None}


def _cut(drawn: PlacedModel, rider: str, head: str, touching: list[_Touching]) -> NeckCut | None:
    own = f"{rider}/"
    points: list[Array] = []
    outside: list[Pull] = []
    for path, element, bodies in touching:
        inside = all(body.startswith(own) for body in bodies)
        if isinstance(element, Joint):
            if not inside:
                return None
            points.append(np.array(element.point_i if bodies[0] == head else element.point_j))
            continue
        made = type_of(element)
        if (made is not None and made.place == "surfaces") or (len(bodies) > 1 and inside):
            continue  # what contacts put on the head is read off their pairs
        if not isinstance(element, TwoPoints) or made is None or made.place != "points":
            return None
        ends = [
            (body, on.point(point))
            for name, point in ((element.body_i, element.point_i), (element.body_j, element.point_j))
            for body, on in [drawn.anchor(path, name)]
        ]
        (_, on_head), (body, anchor) = ends if ends[0][0] == head else ends[::-1]
        outside.append(Pull(joined(path, element.name), on_head, body, anchor))
    if len(points) != 1:
        return None
    segment = drawn.bodies[head]
    return NeckCut(rider, points[0], segment.mass, segment.inertia_tensor(), tuple(outside))


def neck_load(
    cut: NeckCut, head: Moving, gravity: Array, outside: tuple[Array, Array]
) -> tuple[Array, Array]:
    """Force (n, 3) N and moment (n, 3) N m that the neck puts on the head at the cut, SAE J211/J1733 signs.

    head: motion of the head; gravity (3,) m/s^2, world; outside: force and moment about the centre of mass (n, 3) in
    head axes from springs outside the rider (`outside_loads`). Fx positive when the neck pushes the head forward, Fy to
    the right, Fz in tension; Mx, My, Mz about the axes forward, right, down: My positive in flexion (chin to chest).
    Source: Newton and Euler for the head; signs of SAE J1733 (load cell, upper neck).
    """
    turn = rotation_matrix(head.orientation)
    total = cut.mass * np.einsum("nji,nj->ni", turn, head.acceleration - gravity)
    spin = head.angular_velocity @ cut.inertia
    about_centre = head.angular_acceleration @ cut.inertia + np.cross(head.angular_velocity, spin)
    force = total - outside[0]
    moment = about_centre - outside[1] - np.cross(cut.point, force)
    return TO_SAE * force, TO_SAE * moment


def outside_loads(cuts: Sequence[NeckCut], system: System, states: States) -> dict[str, tuple[Array, Array]]:
    """Force (n, 3) N and moment about the head's centre of mass (n, 3) N m, head axes, of springs on the heads of
    riders from outside and of all contacts of the heads.

    At the stored instants. Zero arrays where there is none.
    """
    found = {rider: (k, body) for k, (rider, body) in enumerate(touched_heads(system).items())}
    none = np.zeros((len(states.time), 3))
    loads = {}
    for cut in cuts:
        pushed = (none, none)
        if cut.rider in found:
            k, body = found[cut.rider]
            pushed = _pushed(taken(states.head_contact, k), taken(states.orientation, body))
        loads[cut.rider] = _pulled(cut, system, states, pushed)
    return loads


def _pushed(load: Array, orientation: Array) -> tuple[Array, Array]:
    """Force and moment (n, 3) of contacts on a head in its axes."""
    return np.einsum("nji,nj->ni", rotation_matrix(orientation), load[:, :3]), load[:, 3:]


def _pulled(cut: NeckCut, system: System, states: States, pushed: tuple[Array, Array]) -> tuple[Array, Array]:
    """What contacts do to a head, and the springs on it."""
    force, moment = pushed
    if not cut.outside:
        return force, moment
    force, moment, n = force.copy(), moment.copy(), len(states.time)
    index = {name: k for k, name in enumerate(system.names)}
    head = index[system.riders[cut.rider]["head"]]
    turn, centre = rotation_matrix(taken(states.orientation, head)), taken(states.position, head)
    for spring in cut.outside:
        if spring.body == GROUND:
            end = np.broadcast_to(spring.anchor, (n, 3))
        else:
            carrier = index[spring.body]
            end = (
                taken(states.position, carrier)
                + rotation_matrix(taken(states.orientation, carrier)) @ spring.anchor
            )
        line = end - centre - turn @ spring.on_head
        length = np.linalg.norm(line, axis=1, keepdims=True)
        pull = taken(states.spring_force, system.elements.index(spring.name))[:, None]
        pulled = np.einsum("nji,nj->ni", turn, line / np.maximum(length, 1e-12)) * pull
        force += pulled
        moment += np.cross(spring.on_head, pulled)
    return force, moment
