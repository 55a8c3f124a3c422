"""A train with its couplings lowered to bodies, joints and force elements.

| model | becomes |
|---|---|
| bar | a distance joint |
| spring_bar | a draft gear between the two points |
| coupler without mass | one coupler element with internal unknowns |
| coupler with mass | a block and a shank in each car, prismatic and pin joints, gears, pin springs and a knuckle |

What a coupling is made of is called after it: its force element or joint has its name, bodies stand in an assembly of
that name in each car, the rest has an addition behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import conjugate, multiply
from ..base.frozen import Quat, Vec3
from .assembly import Assembly
from .bodies import Body
from .couplings import Bar, CarCoupler, Coupling, SpringBar
from .forces import Force
from .forces.bushing import Bushing
from .forces.coupler import Coupler, CouplerEnd, CouplerParts
from .forces.draft_gear import DraftGear
from .forces.gear import Gear
from .forces.rotational_spring import RotationalSpring
from .joints import Joint
from .placement import PlacedModel, placed_model

LINE = 1.0  # m, by which the line of a draft gear is drawn longer, so that it has a direction at any travel
BLOCK, SHANK = "Block", "Shank"
COINCIDE = 1e-9  # m; points nearer than that have no direction between them
SIDES = ("i", "j")
AHEAD: Quat = (1.0, 0.0, 0.0, 0.0)
BACK: Quat = (0.0, 0.0, 0.0, 1.0)


class Lowered(NamedTuple):
    """What a coupling adds: joints and force elements of the train, and an assembly for each of some cars."""

    joints: tuple[Joint, ...] = ()
    forces: tuple[Force, ...] = ()
    parts: tuple[tuple[str, Assembly], ...] = ()


def with_couplings(train: Assembly) -> Assembly:
    """The train as its equations have it; itself where it has no couplings. It is not checked again."""
    if not train.couplings:
        return train
    drawn = placed_model(train)
    made = [lowered(drawn, coupling) for coupling in train.couplings]
    parts = [part for one in made for part in one.parts]
    cars = tuple(
        car.model_copy(
            update={"children": (*car.children, *(part for name, part in parts if name == car.name))}
        )
        for car in train.children
    )
    return train.model_copy(
        update={
            "children": cars if parts else train.children,
            "joints": (*train.joints, *(joint for one in made for joint in one.joints)),
            "forces": (*train.forces, *(force for one in made for force in one.forces)),
            "couplings": (),
        }
    )


def straight_length(drawn: PlacedModel, coupling: Coupling) -> float:
    """How far the two points of a coupling are apart (m) on straight level track."""
    ends = _ends(drawn, coupling)
    return float(np.linalg.norm(ends[1] - ends[0]))


def free_length(drawn: PlacedModel, coupling: Coupling) -> float:
    """The distance of its points (m) at which a coupling has no force; the length of a bar."""
    if isinstance(coupling, CouplerParts):
        return coupling.free_length
    return coupling.length or straight_length(drawn, coupling)


def coincident(drawn: PlacedModel, coupling: Coupling) -> str:
    """A sentence about a bar without a length of its own whose points coincide as drawn; empty for any other."""
    if isinstance(coupling, CouplerParts) or free_length(drawn, coupling) > COINCIDE:
        return ""
    return (
        f"Coupling '{coupling.name}': its points coincide as drawn, so that its bar has no length;"
        " give it one, or move a point."
    )


def coupling_axes(drawn: PlacedModel, coupling: Coupling, side: int) -> Quat:
    """The axes of an end against its body: x along the car, from the first car of the coupling to the second; z up."""
    cars = [car.name for car in drawn.assemblies[""].children]
    first, second = coupling.cars
    along = np.array(AHEAD if cars.index(first) > cars.index(second) else BACK)
    body = (coupling.body_i, coupling.body_j)[side]
    return _quat(multiply(conjugate(drawn.orientation[body]), along))


def lowered(drawn: PlacedModel, coupling: Coupling) -> Lowered:
    """What a coupling of the train `drawn` is made of."""
    where: dict[str, Any] = {
        field: getattr(coupling, field) for field in ("name", "body_i", "point_i", "body_j", "point_j")
    }
    if isinstance(coupling, Bar | SpringBar) and (words := coincident(drawn, coupling)):
        raise InputError(words)
    if isinstance(coupling, Bar):
        return Lowered(joints=(Joint(kind="distance", length=free_length(drawn, coupling), **where),))
    if isinstance(coupling, SpringBar):
        gear = DraftGear(**where, free_length=free_length(drawn, coupling), **_fields(coupling, Gear))
        return Lowered(forces=(gear,))
    axes = [coupling_axes(drawn, coupling, side) for side in (0, 1)]
    if not coupling.inertia:
        parts = _fields(coupling, CouplerParts)
        element = Coupler(**where, orientation=axes[0], orientation_j=axes[1], rates=coupling.rates, **parts)
        return Lowered(forces=(element,))
    return _with_mass(drawn, coupling)


def parts_of_coupler(coupling: CarCoupler) -> Iterator[tuple[str, str]]:
    """Names of the gear and of the pin's spring of each end of a coupler with mass."""
    for side in SIDES:
        yield f"{coupling.name} gear {side}", f"{coupling.name} shank {side}"


def _with_mass(drawn: PlacedModel, coupling: CarCoupler) -> Lowered:
    joints: list[Joint] = []
    forces: list[Force] = []
    parts: list[tuple[str, Assembly]] = []
    tips: list[tuple[str, Vec3]] = []
    names = list(parts_of_coupler(coupling))
    for side, (end, car) in enumerate(zip((coupling.end_i, coupling.end_j), coupling.cars, strict=True)):
        body, point = (coupling.body_i, coupling.body_j)[side], (coupling.point_i, coupling.point_j)[side]
        axes = drawn.frame(body)
        # towards the other car, in the axes of the body
        to = _vector(axes.rotation.T @ _towards(drawn, coupling, side))
        tag, prefix = SIDES[side], f"{car}/{coupling.name}"
        parts.append((car, _end_bodies(drawn, coupling, side, end)))
        block, shank, half = f"{prefix}/{BLOCK}", f"{prefix}/{SHANK}", 0.5 * end.shank_length
        joints += [
            Joint(
                name=f"{coupling.name} slide {tag}", kind="prismatic", body_i=body, point_i=point, axis_i=to,
                body_j=block, axis_j=(1.0, 0.0, 0.0),
            ),
            Joint(
                name=f"{coupling.name} pin {tag}", kind="revolute", body_i=block, axis_i=(0.0, 0.0, 1.0),
                body_j=shank, point_j=(-half, 0.0, 0.0), axis_j=(0.0, 0.0, 1.0),
            ),
        ]  # fmt: skip
        behind = _vector(np.array(point) - LINE * np.array(to))
        gear, spring = names[side]
        forces += [
            DraftGear(
                name=gear, body_i=body, point_i=behind, body_j=block, free_length=LINE + end.rest_length,
                **_fields(end, Gear),
            ),
            RotationalSpring(
                name=spring, joint=f"{coupling.name} pin {tag}", stiffness=end.shank_stiffness,
                damping=end.shank_damping,
            ),
        ]  # fmt: skip
        tips.append((shank, (half, 0.0, 0.0)))
    (body_i, point_i), (body_j, point_j) = tips
    at: dict[str, Any] = {"body_i": body_i, "point_i": point_i, "body_j": body_j, "point_j": point_j}
    forces.append(_knuckle(coupling, at))
    return Lowered(tuple(joints), tuple(forces), tuple(parts))


def _knuckle(coupling: CarCoupler, at: dict[str, Any]) -> Force:
    if coupling.knuckle_length > 0.0 or coupling.knuckle_slack > 0.0:
        gear = _fields(coupling.knuckle, Gear)
        return DraftGear(name=coupling.name, free_length=coupling.knuckle_length, **at, **gear)
    k, c = coupling.knuckle_stiffness, coupling.knuckle_damping
    matrices: dict[str, Any] = {
        field: tuple(tuple(value * (r == s) * (r < 3) for s in range(6)) for r in range(6))
        for field, value in (("stiffness", k), ("damping", c))
    }
    return Bushing(name=coupling.name, **matrices, **at)


def _end_bodies(drawn: PlacedModel, coupling: CarCoupler, side: int, end: CouplerEnd) -> Assembly:
    """Block and shank of an end, as an assembly of its car that lies at the attachment, x towards the other car."""
    car = drawn.origin(coupling.cars[side])
    at = car.rotation.T @ (_ends(drawn, coupling)[side] - car.position)
    ahead = _towards(drawn, coupling, side)[0] > 0.0
    a, cube = end.shank_angle, coupling.block_mass * 0.02
    middle = 0.5 * end.shank_length
    shank = Body(
        name=SHANK, mass=coupling.shank_mass, inertia=(0.05 * coupling.shank_inertia, *(coupling.shank_inertia,) * 2),
        position=(end.rest_length + middle * np.cos(a), middle * np.sin(a), 0.0),
        orientation=(np.cos(0.5 * a), 0.0, 0.0, np.sin(0.5 * a)),
    )  # fmt: skip
    block = Body(
        name=BLOCK, mass=coupling.block_mass, inertia=(cube,) * 3, position=(end.rest_length, 0.0, 0.0)
    )
    return Assembly(
        name=coupling.name, position=_vector(at), orientation=AHEAD if ahead else BACK, bodies=(block, shank)
    )


def _towards(drawn: PlacedModel, coupling: Coupling, side: int) -> Array:
    """Unit vector along the cars from an end's own car to the other one, in the axes of the train."""
    cars = [car.name for car in drawn.assemblies[""].children]
    own, other = coupling.cars if side == 0 else coupling.cars[::-1]
    return np.array([1.0 if cars.index(own) > cars.index(other) else -1.0, 0.0, 0.0])


def _ends(drawn: PlacedModel, coupling: Coupling) -> tuple[Array, Array]:
    """Both points (3,) m of a coupling on straight level track."""
    i, j = drawn.frame(coupling.body_i), drawn.frame(coupling.body_j)
    return i.point(coupling.point_i), j.point(coupling.point_j)


def _fields(coupling: Any, model: Any) -> dict[str, Any]:
    return {name: getattr(coupling, name) for name in model.model_fields}


def _vector(value: Array) -> Vec3:
    x, y, z = (float(v) + 0.0 for v in value)
    return (x, y, z)


def _quat(value: Array) -> Quat:
    a, b, c, d = (float(v) + 0.0 for v in value)
    return (a, b, c, d)
