"""New elements with sensible first values, fitted to the assembly they are for."""

from __future__ import annotations

from typing import Any

from ..base.errors import InputError
from ..base.fields import references
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


def new_joint(holder: Assembly, kind: JointKind = "revolute") -> Joint:
    """A joint between the first body and the next one, or the ground, meeting at the second body's centre."""
    first, second = _first_two(holder)
    axes: dict[str, Any] = {}
    stand = JOINTS[kind].axes
    if stand in NEW_AXES:
        axes = dict(zip(("axis_i", "axis_j"), NEW_AXES[stand], strict=True))
    return Joint(name=f"{kind.capitalize()} joint", kind=kind, body_i=first, body_j=second, **axes)


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


def new_force(holder: Assembly, kind: str) -> Frozen:
    """A force element of a kind (see `core.model.forces.TYPES`), with the first values its type gives.

    Raises InputError when the holder lacks what it acts on, a revolute joint for an end stop for example.
    """
    made = TYPES[kind]
    fields: dict[str, Any] = dict(zip(made.bodies(), _first_two(holder), strict=False))
    for field in references(made.model, "joint"):
        fields[field] = _first(holder, "joint", made, tuple(kind for kind in JOINTS if made.fits(kind)))
    for field in references(made.model, "guide"):
        fields[field] = _first(holder, "guide", made)
    return made.model(kind=kind, name=made.word.capitalize(), **fields, **made.added)


def _first(holder: Assembly, what: str, made: ElementType, kinds: tuple[str, ...] = ()) -> str:
    for path, element in holder.every(what).items():
        if not kinds or element.kind in kinds:
            return path
    which = f"{', '.join(kinds[:-1])} or {kinds[-1]} {what}" if kinds else what
    such = f"such a {what}" if kinds else f"a {what}"
    raise InputError(
        f"This {made.word} needs something to act in, a {which}, and there is none; add {such} first."
    )
