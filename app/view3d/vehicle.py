"""Cars as meshes: wheelsets, axles, frame, carbody with seats and restraints, made from the model itself.

What a body is, is read from how it is used: guided on a rail makes a wheelset, carrying seats a carbody. Shapes are
drawn in the frame of the car and then turned into the frame of each body.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...core.base.arrays import Array
from ...core.base.frames import rotation_matrix
from ...core.human.drawing import inertia_half_axes
from ...core.model.assembly import Assembly, Seat
from ...core.model.bodies import Body
from ...core.model.forces.ends import TwoPoints
from ..widgets.theme import Colours
from .mesh import (
    Part,
    bent_tube,
    box,
    capsule,
    ellipsoid,
    loft,
    merged,
    mixed,
    rod,
    solid,
)
from .seat_mesh import seat_part
from .skin import skin_part
from .track_mesh import RAIL_RADIUS

if TYPE_CHECKING:
    import pyvista as pv


WHEEL_RADIUS = 0.11  # m, running wheels on top of the rail
SMALL_WHEEL = 0.075  # m, guide and up-stop wheels
SEAT_FLOOR = 0.6  # m from the seat's origin (hips) down to the floor


def car_meshes(
    assembly: Assembly, colours: Colours, closed: Mapping[str, float | None] | None = None
) -> dict[str, pv.PolyData]:
    """A mesh for every body of a car or rig by its name, in the frame of the body (m).

    closed: the share of its way that the restraint of a seat has gone, by the name of the seat; open without.
    """
    closed = closed or {}
    out: dict[str, pv.PolyData] = {}
    for body in assembly.bodies:
        role = _role(body, assembly)
        if role == "wheelset":
            mesh = _wheelset(body, assembly, colours)
        elif role == "carbody":
            mesh = _carbody(body, assembly, colours, closed)
        elif role == "axle":
            mesh = _axle(body, assembly, colours)
        elif role == "frame":
            mesh = _frame(body, assembly, colours)
        else:
            out[body.name] = solid(_plain(body, assembly, colours, closed))
            continue
        turn = rotation_matrix(body.orientation)
        parts = [mesh.moved(shift=-np.asarray(body.position)).moved(turn.T)]
        parts += [skin_part(body.surfaces, mixed(colours.steel, "#20242a", 0.2))] if body.surfaces else []
        out[body.name] = solid(*parts)
    return out


def _wheel_bodies(assembly: Assembly) -> set[str]:
    return {g.body for g in assembly.guides if g.path != "centreline"}


def _neighbours(body: Body, assembly: Assembly) -> set[str]:
    pairs = [(j.body_i, j.body_j) for j in assembly.joints]
    return {b for a, b in pairs if a == body.name} | {a for a, b in pairs if b == body.name}


def _role(body: Body, assembly: Assembly) -> str:
    wheels = _wheel_bodies(assembly)
    if any(seat.body == body.name for seat in assembly.seats):
        return "plain" if _ridden(body, assembly) else "carbody"
    if body.name in wheels:
        return "wheelset"
    near = _neighbours(body, assembly)
    if len(near & wheels) >= 2:
        return "axle"
    seated = {seat.body for seat in assembly.seats}
    return "frame" if near & seated and wheels else "plain"


def joint_places(body: Body, assembly: Assembly) -> Array:
    """Points (k, 3) m where joints and elements between two points hold a body, in the body's frame."""
    points = [j.point_i for j in assembly.joints if j.body_i == body.name]
    points += [j.point_j for j in assembly.joints if j.body_j == body.name]
    for force in assembly.forces:
        if isinstance(force, TwoPoints):
            points += [force.point_i] if force.body_i == body.name else []
            points += [force.point_j] if force.body_j == body.name else []
    return np.array(points, dtype=float).reshape(-1, 3)


def _in_car(body: Body, points: Array) -> Array:
    placed: Array = np.asarray(body.position) + points @ rotation_matrix(body.orientation).T
    return placed


def _wheel(centre: Array, axis: Array, radius: float, width: float, colours: Colours) -> list[Part]:
    half = 0.5 * width * axis
    tyre = mixed(colours.base if colours.name == "dark" else colours.text, "#30343a", 0.6)
    hub = mixed(colours.steel, "#ffffff", 0.25)
    return [
        rod(centre - half, centre + half, radius, tyre, sides=14),
        rod(centre - 1.12 * half, centre + 1.12 * half, 0.55 * radius, hub, sides=10),
    ]


def _wheelset(body: Body, assembly: Assembly, colours: Colours) -> Part:
    """Running, guide and up-stop wheels around the rail in a plate outside of it."""
    centre = np.asarray(body.position)
    side = 1.0 if centre[1] >= 0.0 else -1.0
    y, z = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    parts: list[Part] = []
    for x in (-0.15, 0.15):
        ahead = np.array([x, 0.0, 0.0])
        top = centre + ahead + (RAIL_RADIUS + WHEEL_RADIUS) * z
        parts += _wheel(top, y, WHEEL_RADIUS, 0.085, colours)
        low = centre + 0.6 * ahead - (RAIL_RADIUS + SMALL_WHEEL) * z
        parts += _wheel(low, y, SMALL_WHEEL, 0.07, colours)
        out = centre + 0.75 * ahead + side * (RAIL_RADIUS + SMALL_WHEEL) * y
        parts += _wheel(out, z, SMALL_WHEEL, 0.06, colours)
    steel = colours.steel
    plate = centre + side * 0.24 * y + 0.02 * z
    parts.append(box(plate, [0.26, 0.016, 0.2], steel))
    parts.append(box(centre + side * 0.12 * y + 0.2 * z, [0.07, 0.13, 0.02], steel))
    parts.append(box(centre + side * 0.14 * y - 0.145 * z, [0.05, 0.1, 0.018], steel))
    return merged(parts)


def _axle(body: Body, assembly: Assembly, colours: Colours) -> Part:
    """A tube across the track between the wheelsets."""
    centre = np.asarray(body.position)
    wheels = {
        b.name: b for b in assembly.bodies if b.name in _wheel_bodies(assembly) & _neighbours(body, assembly)
    }
    reach = max((abs(w.position[1] - centre[1]) for w in wheels.values()), default=0.5)
    ends = [centre + np.array([0.0, side * (reach - 0.02), 0.055]) for side in (1.0, -1.0)]
    steel = mixed(colours.steel, "#20242a", 0.35)
    hub = [
        rod(
            centre + np.array([0, s * 0.16, 0.055]),
            centre + np.array([0, s * 0.08, 0.055]),
            0.085,
            colours.steel,
        )
        for s in (1, -1)
    ]
    return merged([rod(ends[0], ends[1], 0.05, steel, sides=12), *hub])


def _frame(body: Body, assembly: Assembly, colours: Colours) -> Part:
    """Two long beams with cross members, and posts up to joints that lie high above."""
    centre = np.asarray(body.position)
    places = _in_car(body, joint_places(body, assembly))
    low = places[np.abs(places[:, 2] - centre[2]) < 0.4] if len(places) else places
    rear = min([-0.9, *low[:, 0].tolist()]) if len(low) else -0.9
    front = max([0.9, *low[:, 0].tolist()]) if len(low) else 0.9
    steel = mixed(colours.steel, "#20242a", 0.2)
    z = centre[2] + 0.03
    tip = front + 0.28
    parts = [
        bent_tube([[rear - 0.12, s * 0.3, z], [front, s * 0.3, z], [tip, s * 0.2, z]], 0.055, steel)
        for s in (1.0, -1.0)
    ]
    for x in np.linspace(rear, front, 4):
        parts.append(rod([x, -0.3, z], [x, 0.3, z], 0.04, steel))
    parts.append(rod([tip, -0.2, z], [tip, 0.2, z], 0.05, steel))
    for place in places[places[:, 2] - centre[2] > 0.4]:
        ahead = 0.24 if place[0] >= 0.0 else -0.24
        top = place + np.array([ahead, 0.0, 0.0])
        parts += [
            capsule([top[0] + 0.02, s * 0.22, z], top, 0.045, 0.04, steel, sides=10) for s in (1.0, -1.0)
        ]
        parts.append(rod(top - [-0.04, 0, 0], place - [0.5 * ahead, 0, 0], 0.05, steel, sides=20))
    return merged(parts)


def _carbody(body: Body, assembly: Assembly, colours: Colours, closed: Mapping[str, float | None]) -> Part:
    """Floor, low sides, a nose and a tail around the seats, with a mast to a joint above."""
    seats = [s for s in assembly.seats if s.body == body.name]
    spots = _in_car(body, np.array([s.position for s in seats]))
    turn = rotation_matrix(body.orientation)
    floor = float(spots[:, 2].min()) - SEAT_FLOOR
    rear, front = float(spots[:, 0].min()) - 0.42, float(spots[:, 0].max()) + 0.68
    middle = float(0.5 * (spots[:, 1].max() + spots[:, 1].min()))
    wide = float(np.abs(spots[:, 1] - middle).max()) + 0.32
    paint, trim = colours.body, mixed(colours.body, "#ffffff", 0.55)
    dark = mixed(colours.body, "#11151a", 0.7)
    x = np.array([rear - 0.5, rear - 0.48, rear - 0.1, front, front + 0.2, front + 0.25])
    half = wide * np.array([0.0, 0.55, 0.96, 1.0, 0.62, 0.0])
    lift = np.array([0.05, 0.05, 0.0, 0.0, 0.03, 0.03])
    parts = [
        loft(
            np.stack([x, np.full(6, middle), floor - 0.07 + lift], axis=1),
            half, 0.075 * np.array([0, 1, 1, 1, 1, 0]), dark, u=(0, 1, 0), v=(0, 0, 1), exponent=6.0, sides=20,
        )
    ]  # fmt: skip
    parts.append(_nose(front, middle, wide, floor, paint))
    parts.append(_tail(rear, middle, wide, floor, paint))
    for side in (1.0, -1.0):
        wall = np.array([rear - 0.12, rear - 0.1, rear + 0.5, front - 0.25, front + 0.04, front + 0.05])
        high = np.array([0.0, 0.2, 0.12, 0.12, 0.17, 0.0])
        centres = np.stack([wall, np.full(6, middle + side * (wide - 0.02)), floor - 0.02 + high], axis=1)
        parts.append(
            loft(
                centres, 0.035 * np.sign(high), high, paint, u=(0, 1, 0), v=(0, 0, 1), exponent=3.0, sides=14
            )
        )
        y, z = middle + side * (wide + 0.016), floor + 0.04
        line = [[rear, y, z], [front, y, z]]
        parts.append(bent_tube(line, 0.016, trim))
    places = _in_car(body, joint_places(body, assembly))
    for place in places[places[:, 2] > floor + 0.75]:
        mast = [place[0] - 0.02, place[1], floor + 0.35]
        parts.append(capsule(mast, place, 0.085, 0.065, dark))
        parts.append(capsule(place - [0.1, 0, 0], place - [-0.04, 0, 0], 0.062, 0.062, trim, sides=20))
    for spot, seat in zip(spots, seats, strict=True):
        made = seat_part(seat, closed.get(seat.name, 0.0))
        parts.append(made.moved(turn @ rotation_matrix(seat.orientation), spot))
    return merged(parts)


def _nose(front: float, middle: float, wide: float, floor: float, paint: str) -> Part:
    x = front + np.array([0.0, 0.01, 0.07, 0.14, 0.21, 0.26, 0.28])
    half_y = wide * np.array([0.0, 0.98, 0.98, 0.92, 0.74, 0.45, 0.0])
    half_z = np.array([0.0, 0.26, 0.27, 0.25, 0.19, 0.11, 0.0])
    centres = np.stack([x, np.full(7, middle), floor - 0.09 + np.maximum(half_z, 0.1)], axis=1)
    return loft(centres, half_y, half_z, paint, u=(0, 1, 0), v=(0, 0, 1), exponent=3.2, sides=22)


def _tail(rear: float, middle: float, wide: float, floor: float, paint: str) -> Part:
    x = rear - np.array([0.5, 0.46, 0.3, 0.12, 0.01, 0.0])
    half_y = wide * np.array([0.0, 0.5, 0.82, 0.96, 0.97, 0.0])
    half_z = np.array([0.0, 0.08, 0.17, 0.21, 0.22, 0.0])
    centres = np.stack([x, np.full(6, middle), floor - 0.09 + np.maximum(half_z, 0.08)], axis=1)
    return loft(centres, half_y, half_z, paint, u=(0, 1, 0), v=(0, 0, 1), exponent=3.2, sides=22)


def _ridden(body: Body, assembly: Assembly) -> tuple[Seat, ...]:
    """The assessed seats of a body of a rig: those of a swinging ride."""
    if assembly.role not in ("rig", "subassembly"):
        return ()
    return tuple(seat for seat in assembly.seats if seat.assessed and seat.body == body.name)


def _rods(body: Body, assembly: Assembly, colours: Colours) -> list[Part]:
    """Rods from the centre of mass of a body to its joints, and the ellipsoid of inertia."""
    places = joint_places(body, assembly)
    half = inertia_half_axes(body)
    reach = float(np.linalg.norm(places, axis=1).max()) if len(places) else float(half.max())
    thick = max(0.035 * reach, 1e-4)
    parts: list[Part] = []
    for place in places:
        if np.linalg.norm(place) > 1.5 * thick:
            parts.append(capsule(np.zeros(3), place, thick, thick, colours.body, sides=10))
        parts.append(
            ellipsoid(place, [1.7 * thick] * 3, mixed(colours.body, "#ffffff", 0.4), rings=7, sides=10)
        )
    core = np.clip(half, 1.6 * thick, max(0.22 * reach, 2.0 * thick)) if len(places) else half
    return [*parts, ellipsoid(np.zeros(3), core, colours.body, rings=9, sides=14)]


def _plain(body: Body, assembly: Assembly, colours: Colours, closed: Mapping[str, float | None]) -> Part:
    """A body in its own frame: its surfaces, or without any what stands for it, and its seats."""
    parts = [skin_part(body.surfaces, colours.body)] if body.surfaces else _rods(body, assembly, colours)
    for seat in _ridden(body, assembly):
        at = np.asarray(seat.position)
        made = seat_part(seat, closed.get(seat.name, 0.0))
        parts.append(made.moved(rotation_matrix(seat.orientation), at))
        foot = at - np.array([0.0, 0.0, 0.3])
        if np.linalg.norm(foot) > 0.3:
            parts.append(capsule(np.zeros(3), foot, 0.05, 0.05, colours.body, sides=8))
    return merged(parts)
