"""From cars, seats and riders to one list of bodies with indices, placed in the world as drawn.

Names become paths: "Car 1/Frame", "Car 1/Rider/Head"; a rig's bodies keep their own names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.base.errors import InputError
from core.base.frames import from_matrix, multiply, rotation_matrix
from core.model.assembly import Assembly, Car, Occupant
from core.model.bodies import GROUND, SEAT, Body
from core.model.drivers import Driver
from core.model.elements import Force
from core.model.guides import Guide
from core.model.joints import Joint
from core.project.project import Project
from core.project.scenario import Ride, Rig
from core.track.build import BuiltTrack

Array = NDArray[np.float64]
T = TypeVar("T")


@dataclass(frozen=True)
class Local:
    """How an element's own frame sits on a body: a seat's offset, or nothing."""

    body: int
    position: Array
    rotation: Array

    def point(self, s: tuple[float, float, float]) -> Array:
        out: Array = self.position + self.rotation @ np.asarray(s)
        return out

    def direction(self, a: tuple[float, float, float]) -> Array:
        out: Array = self.rotation @ np.asarray(a)
        return out


@dataclass(frozen=True)
class Placed(Generic[T]):
    """A described element under its full name, with the bodies its own names mean."""

    name: str
    element: T
    bodies: dict[str, Local]
    scope: str


@dataclass(frozen=True)
class CarRange:
    """A car of the train: first and end number of its bodies, its riders' included, and of its guides."""

    name: str
    bodies: tuple[int, int]
    guides: tuple[int, int]


@dataclass
class Flat:
    """All bodies and elements of a scenario, placed in the world. Body number nb is the ground."""

    names: list[str] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    position: list[Array] = field(default_factory=list)
    orientation: list[Array] = field(default_factory=list)
    velocity: list[Array] = field(default_factory=list)
    angular_velocity: list[Array] = field(default_factory=list)
    joints: list[Placed[Joint]] = field(default_factory=list)
    guides: list[Placed[Guide]] = field(default_factory=list)
    drivers: list[Placed[Driver]] = field(default_factory=list)
    forces: list[Placed[Force]] = field(default_factory=list)
    riders: dict[str, dict[str, str]] = field(default_factory=dict)
    car_bodies: dict[str, list[int]] = field(default_factory=dict)
    cars: list[CarRange] = field(default_factory=list)


@dataclass(frozen=True)
class _Carried:
    """Rigid motion of a frame that carries bodies: velocity (m/s) of the point `at` (m), angular velocity
    (rad/s), all in world axes."""

    at: Array
    velocity: Array
    omega: Array


def flatten(
    project: Project, built: BuiltTrack | None, speed: float, cars: tuple[Car, ...] | None = None
) -> Flat:
    """Place everything of the scenario in the world.

    built: the track of a ride; speed (m/s): what the origin of each car starts with along the track; its bodies start
    as if they were one with the moving track frame; cars: these of the train only. Raises InputError when the scenario
    has nothing to move or the train does not stand on the track.
    """
    flat = Flat()
    if isinstance(project.scenario, Rig):
        _add_assembly(flat, project.scenario.assembly, "", np.zeros(3), np.eye(3), None, "rig")
    elif isinstance(project.scenario, Ride):
        if project.train is None or built is None:
            raise InputError(f"{project.name}: a ride needs a track and a train; add what is missing.")
        for car in project.train.cars if cars is None else cars:
            s = project.scenario.start - car.offset
            if not built.track.closed and not 0.0 <= s <= built.length:
                raise InputError(
                    f"Car '{car.name}' would start at {s:.2f} m, off the track (0 to {built.length:.2f} m);"
                    " change the start place or the car's offset."
                )
            t, left, up = (axis[0] for axis in built.frame_at([s]))
            origin = built.centreline.position([s])[0]
            moving = [axis[0] for axis in built.moving_frame([s], "canted")]
            omega = 0.5 * speed * sum((np.cross(axis[0], axis[1]) for axis in moving), np.zeros(3))
            carried = _Carried(origin, speed * t, omega)
            body, guide = len(flat.names), len(flat.guides)
            _add_assembly(
                flat, car, car.name + "/", origin, np.column_stack([t, left, up]), carried, car.name
            )
            flat.cars.append(CarRange(car.name, (body, len(flat.names)), (guide, len(flat.guides))))
    return flat


def _add_bodies(
    flat: Flat, bodies: tuple[Body, ...], prefix: str, origin: Array, frame: Array, carried: _Carried | None
) -> dict[str, Local]:
    local: dict[str, Local] = {}
    turn = from_matrix(frame)
    for body in bodies:
        local[body.name] = Local(len(flat.bodies), np.zeros(3), np.eye(3))
        flat.names.append(prefix + body.name)
        flat.bodies.append(body)
        position = origin + frame @ np.asarray(body.position)
        p = multiply(turn, np.asarray(body.orientation))
        p /= np.linalg.norm(p)
        flat.position.append(position)
        flat.orientation.append(p)
        if carried is None:
            flat.velocity.append(frame @ np.asarray(body.velocity))
            flat.angular_velocity.append(np.asarray(body.angular_velocity))
        else:
            flat.velocity.append(carried.velocity + np.cross(carried.omega, position - carried.at))
            flat.angular_velocity.append(rotation_matrix(p).T @ carried.omega)
    return local


def _add_assembly(
    flat: Flat,
    assembly: Assembly,
    prefix: str,
    origin: Array,
    frame: Array,
    carried: _Carried | None,
    group: str,
) -> None:
    ground = Local(-1, np.zeros(3), np.eye(3))
    local = _add_bodies(flat, assembly.bodies, prefix, origin, frame, carried)
    flat.car_bodies[group] = [x.body for x in local.values()]
    scope = {**local, GROUND: ground}
    flat.joints += [Placed(prefix + j.name, j, scope, prefix) for j in assembly.joints]
    flat.guides += [Placed(prefix + g.name, g, scope, prefix) for g in assembly.guides]
    flat.drivers += [Placed(prefix + d.name, d, scope, prefix) for d in assembly.drivers]
    flat.forces += [Placed(prefix + f.name, f, scope, prefix) for f in assembly.forces]
    seats = {seat.name: seat for seat in assembly.seats}
    for rider in assembly.occupants:
        seat = seats[rider.seat]
        base = scope[seat.body]
        at = Local(base.body, np.asarray(seat.position), rotation_matrix(seat.orientation))
        _add_occupant(flat, rider, prefix + rider.name + "/", at, carried)


def _add_occupant(flat: Flat, rider: Occupant, prefix: str, seat: Local, carried: _Carried | None) -> None:
    if seat.body < 0:
        origin, frame = seat.position, seat.rotation
    else:
        A = rotation_matrix(flat.orientation[seat.body])
        origin, frame = flat.position[seat.body] + A @ seat.position, A @ seat.rotation
    scope = {**_add_bodies(flat, rider.bodies, prefix, origin, frame, carried), SEAT: seat}
    flat.joints += [Placed(prefix + j.name, j, scope, prefix) for j in rider.joints]
    flat.forces += [Placed(prefix + f.name, f, scope, prefix) for f in rider.forces]
    flat.riders[prefix[:-1]] = {
        "head": prefix + rider.head,
        "upper_torso": prefix + rider.upper_torso,
        "pelvis": prefix + rider.pelvis,
    }
