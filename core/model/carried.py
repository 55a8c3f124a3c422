"""What bodies carry besides themselves: passengers on seats, and rotors of motors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..base.frozen import Quat, Vec3
from .assembly import Assembly, Seat
from .bodies import GROUND, Body
from .joints import Joint
from .masses import passengers_of
from .placement import joined, placed_model

# Radius of gyration of a seated adult about every axis through the centre of mass, m: 4 to 7 kg m^2 at 75 kg (Santschi,
# DuBois & Omoto 1963, sitting); next to that of a ring of seats, it does not matter.
GYRATION = 0.27
ADDED = "passengers"


def with_passengers(top: Assembly) -> Assembly:
    """The assembly with one body, held rigidly, for all passengers on the seats of each body; itself without any.

    Seats on which a full rider sits have no passenger besides. It is not checked again.
    """
    if not any(seat.passenger for seat in top.every("seat").values()):
        return top
    return top.each(_of_assembly)


def passengers_on(assembly: Assembly) -> dict[str, list[Seat]]:
    """The seats of an assembly that have a passenger, by the body that carries them."""
    out: dict[str, list[Seat]] = {}
    for seat in passengers_of(assembly):
        out.setdefault(seat.body, []).append(seat)
    return out


def centre_on_body(seat: Seat) -> Array:
    """The centre of mass (3,) m of who sits on a seat, in the axes of its body."""
    at: Array = np.asarray(seat.position) + rotation_matrix(seat.orientation) @ np.asarray(
        seat.passenger_centre
    )
    return at


def mass_of(seats: list[Seat]) -> tuple[float, Array, Array]:
    """Mass (kg), centre of mass (3,) m and inertia tensor about it (3, 3) kg m^2 of passengers, in the axes of their
    body."""
    mass = np.array([seat.passenger for seat in seats])
    positions = np.array([centre_on_body(seat) for seat in seats])
    centre = mass @ positions / mass.sum()
    tensor = np.sum(mass) * GYRATION**2 * np.eye(3)
    for m, r in zip(mass, positions - centre, strict=True):
        tensor += m * (np.dot(r, r) * np.eye(3) - np.outer(r, r))
    return float(mass.sum()), centre, tensor


def _of_assembly(assembly: Assembly) -> dict[str, Any]:
    found = passengers_on(assembly)
    if not found:
        return {}
    drawn = placed_model(assembly)
    bodies, joints = list(assembly.bodies), list(assembly.joints)
    for carrier, seats in found.items():
        mass, centre, tensor = mass_of(seats)
        frame, own = drawn.frame(carrier), drawn.bodies[carrier]
        name = _free(f"{carrier.rpartition('/')[2]} {ADDED}", {body.name for body in bodies})
        spin = np.asarray(own.angular_velocity)
        holder = drawn.origin(carrier.rpartition("/")[0]).rotation
        velocity = holder @ np.asarray(own.velocity) + frame.direction(np.cross(spin, centre))
        bodies.append(
            Body(
                name=name, mass=mass, inertia=vec(np.diag(tensor)), products=vec(-tensor[[0, 0, 1], [1, 2, 2]]),
                position=vec(frame.point(centre)), orientation=_quat(drawn.orientation[carrier]),
                velocity=vec(velocity), angular_velocity=own.angular_velocity, part="passengers on seats",
            )
        )  # fmt: skip
        held = _free(name, {joint.name for joint in joints})
        joints.append(Joint(name=held, kind="rigid", body_i=carrier, point_i=vec(centre), body_j=name))
    # who sits there is a body now, and no passenger any more
    empty = tuple(
        seat.model_copy(update={"passenger": 0.0}) if seat in found.get(seat.body, ()) else seat
        for seat in assembly.seats
    )
    return {"bodies": tuple(bodies), "joints": tuple(joints), "seats": empty}


def with_rotors(top: Assembly) -> Assembly:
    """The assembly with the rotor inertia of its motors, times the square of their ratios, on the body that each turns;
    itself without any. It is not checked again."""
    extra: dict[str, Array] = {}
    for prefix, assembly in top.walk():
        for motor in assembly.forces:
            if motor.axial_inertia == 0.0 or not motor.enabled:
                continue
            holder, _, name = joined(prefix[:-1], str(motor.joint)).rpartition("/")  # type: ignore[attr-defined]
            at = top.at(holder.split("/")) if holder else top
            assert at is not None
            joint = next(one for one in at.joints if one.name == name)
            on, axis = (
                (joint.body_j, joint.axis_j) if joint.body_j != GROUND else (joint.body_i, joint.axis_i)
            )
            a = np.asarray(axis, dtype=np.float64)
            a /= np.linalg.norm(a)
            path = joined(holder, on)
            added = motor.axial_inertia * np.outer(a, a)
            extra[path] = extra.get(path, np.zeros((3, 3))) + added
    return _with_inertia(top, "", extra) if extra else top


def _with_inertia(assembly: Assembly, prefix: str, extra: dict[str, Array]) -> Assembly:
    bodies = tuple(
        body if prefix + body.name not in extra else _heavier(body, extra[prefix + body.name])
        for body in assembly.bodies
    )
    children = tuple(_with_inertia(child, f"{prefix}{child.name}/", extra) for child in assembly.children)
    return assembly.model_copy(update={"bodies": bodies, "children": children})


def _heavier(body: Body, added: Array) -> Body:
    tensor = body.inertia_tensor() + added
    products = vec(-tensor[[0, 0, 1], [1, 2, 2]])
    return body.model_copy(update={"inertia": vec(np.diag(tensor)), "products": products})


def _free(name: str, taken: set[str]) -> str:
    k, made = 2, name
    while made in taken:
        made, k = f"{name} {k}", k + 1
    return made


def vec(values: Array) -> Vec3:
    """Three numbers of an array as a description holds them, without minus before zero."""
    x, y, z = (float(v) + 0.0 for v in values)
    return (x, y, z)


def _quat(values: Array) -> Quat:
    a, b, c, d = (float(v) for v in values)
    return (a, b, c, d)
