"""New elements with sensible first values, fitted to the assembly they are for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import InputError
from ..base.fields import references
from ..base.frame import IDENTITY, Frame
from ..base.frozen import Frozen
from ..model.assembly import Assembly, Seat
from ..model.bodies import GROUND, SEAT, Body
from ..model.drivers import Driver
from ..model.forces import TYPES, ElementType
from ..model.functions import constant
from ..model.guides import Guide
from ..model.joints import TYPES as JOINTS
from ..model.joints import Joint, JointKind
from ..model.joints.base import NEW_AXES
from .elements import elements_of
from .sizing import Ends, Surroundings


def new_body(holder: Assembly) -> Body:
    """A body of 100 kg, a metre above the first one (a rider's: 1 kg beside it)."""
    own = elements_of(holder, "body")
    x, y, z = own[0].position if own else (0.0, 0.0, 0.0)
    if holder.role == "rider":
        return Body(name="Segment", mass=1.0, inertia=(0.005, 0.005, 0.005), position=(x, y + 0.2, z))
    return Body(name="Body", mass=100.0, inertia=(10.0, 10.0, 10.0), position=(x, y, z + 1.0))


def new_assembly(holder: Assembly) -> Assembly:
    """A part of an assembly: one body, in a frame where the first body of the holder is."""
    own = elements_of(holder, "body")
    made = Body(name="Body", mass=100.0, inertia=(10.0, 10.0, 10.0), position=(0.0, 0.0, 0.0))
    return Assembly(name="Part", position=own[0].position if own else (0.0, 0.0, 0.0), bodies=(made,))


def new_car() -> Assembly:
    """A car from nothing: one body of 500 kg that follows the track as a whole; the rest is to be added."""
    body = Body(name="Car body", mass=500.0, inertia=(100.0, 300.0, 350.0), position=(0.0, 0.0, 0.5))
    wheels = Guide(name="Wheels", kind="full", body="Car body", point=(0.0, 0.0, -0.5))
    return Assembly(name="Car", role="car", bodies=(body,), guides=(wheels,))


def body_names(holder: Assembly) -> tuple[str, ...]:
    """Names a joint or force may use: the bodies at all levels, and the ground (for a rider the seat)."""
    return (*holder.every("body"), SEAT if holder.role == "rider" else GROUND)


def _first_two(holder: Assembly) -> tuple[str, str]:
    """What a new joint or spring joins: the first two bodies of the assembly itself, or the first of the first two
    assemblies in it, or the first body and the ground or seat."""
    own = [body.name for body in holder.bodies]
    of_children = [f"{child.name}/{body}" for child in holder.children for body in [*child.every("body")][:1]]
    found = [
        *own,
        *((SEAT if holder.role == "rider" else GROUND,) if len(own) == 1 else ()),
        *of_children,
        GROUND,
    ]
    return found[0], found[1]


def new_joint(
    holder: Assembly, kind: JointKind = "revolute", ends: Ends | None = None, world: Frame = IDENTITY
) -> Joint:
    """A joint between two points of bodies, by default of the first body and the next one, or the ground.

    It lies at the first point, a rod between both; by default at the second body's centre. Its axis is across the
    holder (y), the other one of two along it (x), each in the axes of its body as drawn.
    """
    around, made = Surroundings(holder, world), JOINTS[kind]
    rod = made.moves == "all"
    if ends is None:
        ends = around.between(*_first_two(holder))
        if not rod:
            at = ends.point_i if ends.body_j in (GROUND, SEAT) else ends.point_j
            ends = ends._replace(point_i=at)
    fields: dict[str, Any] = _on_bodies(around, ends if rod else ends._replace(point_j=ends.point_i))
    if made.axes in NEW_AXES:
        axes = NEW_AXES[made.axes]
        for end, body, axis in zip("ij", (ends.body_i, ends.body_j), axes, strict=True):
            fields[f"axis_{end}"] = around.along(body, np.array(axis))
    return Joint(name=f"{kind.capitalize()} joint", kind=kind, **fields)


def _on_bodies(around: Surroundings, ends: Ends) -> dict[str, Any]:
    """Bodies and points of what joins two, in the axes of each."""
    return {
        "body_i": ends.body_i, "point_i": around.on(ends.body_i, ends.point_i),
        "body_j": ends.body_j, "point_j": around.on(ends.body_j, ends.point_j),
    }  # fmt: skip


def new_guide(holder: Assembly) -> Guide:
    """A guide of the first body's centre along the centreline."""
    return Guide(name="Guide", body=_first_two(holder)[0])


def new_driver(holder: Assembly) -> Driver:
    """A driver of the first joint that can be driven, else of the first body's height."""
    driven = {d.target for d in elements_of(holder, "driver")}
    for path, joint in holder.every("joint").items():
        first = next(iter(joint.type.driven), None)
        if first is not None and path not in driven and not joint.locked:
            return Driver(name="Driver", target=path, coordinate=first, function=constant(0.0))
    return Driver(name="Driver", target=_first_two(holder)[0], coordinate="z", function=constant(0.0))


def new_seat(holder: Assembly) -> Seat:
    """A seat on the last body."""
    return Seat(name="Seat", body=[*holder.own("body")][-1], position=(0.0, 0.0, 0.0))


def new_force(holder: Assembly, kind: str, ends: Ends | None = None, world: Frame = IDENTITY) -> Frozen:
    """A force element of a kind (see `core.model.forces.TYPES`), with the first values its type gives, sized for the
    masses it is between (`core.edits.sizing`).

    ends: where it joins two bodies, by default the first one and the next, or the ground; world: the frame of the
    holder in that of the ground. Raises InputError when the holder lacks what it acts on, a revolute joint for an end
    stop for example.
    """
    made, around = TYPES[kind], Surroundings(holder, world)
    sizing = None
    if ends is not None and "point_j" not in made.model.model_fields:
        raise InputError(f"A {made.word} has no two points; add it in the project tree.")
    fields: dict[str, Any] = dict(zip(made.bodies(), _first_two(holder), strict=False))
    if "point_j" in made.model.model_fields:
        ends = ends or around.between(*_first_two(holder))
        sizing = around.sizing(ends)
        if made.place == "frames":  # both frames coincide as drawn
            ends = ends._replace(point_j=ends.point_i)
        fields |= _on_bodies(around, ends)
    for field in references(made.model, "joint"):
        fields[field] = _first(holder, "joint", made, tuple(kind for kind in JOINTS if made.fits(kind)))
        sizing = around.sizing_in(fields[field])
    for field in references(made.model, "guide"):
        fields[field] = _first(holder, "guide", made)
    if made.sized is not None and sizing is not None:
        fields |= made.sized(sizing)
    return made.model(kind=kind, name=made.word.capitalize(), **{**made.added, **fields})


def _first(holder: Assembly, what: str, made: ElementType, kinds: tuple[str, ...] = ()) -> str:
    for path, element in holder.every(what).items():
        if not kinds or element.kind in kinds:
            return path
    which = f"{', '.join(kinds[:-1])} or {kinds[-1]} {what}" if kinds else what
    such = f"such a {what}" if kinds else f"a {what}"
    raise InputError(
        f"This {made.word} needs something to act in, a {which}, and there is none; add {such} first."
    )
