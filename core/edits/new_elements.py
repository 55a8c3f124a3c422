"""New elements with sensible first values, fitted to the car, rig or rider they are for."""

from __future__ import annotations

from typing import Any, Final

from core.base.errors import InputError
from core.base.frozen import Frozen
from core.edits.elements import Holder, elements_of
from core.model.assembly import Occupant, Seat
from core.model.bodies import GROUND, SEAT, Body
from core.model.drivers import Driver
from core.model.elements import (
    AirDrag,
    AppliedForce,
    AppliedTorque,
    JointStop,
    RollingResistance,
    RotationalSpring,
    SpringDamper,
)
from core.model.functions import constant
from core.model.guides import Guide
from core.model.joints import NEEDS_AXES, Joint, JointKind

FORCE_KINDS: Final = (
    "spring",
    "rotational_spring",
    "joint_stop",
    "force",
    "torque",
    "air_drag",
    "rolling_resistance",
)
LATERAL = (0.0, 1.0, 0.0)


def new_body(holder: Holder) -> Body:
    """A body of 100 kg, a metre above the first one (a rider's: 1 kg beside it)."""
    small = isinstance(holder, Occupant)
    x, y, z = elements_of(holder, "body")[0].position
    if small:
        return Body(name="Segment", mass=1.0, inertia=(0.005, 0.005, 0.005), position=(x, y + 0.2, z))
    return Body(name="Body", mass=100.0, inertia=(10.0, 10.0, 10.0), position=(x, y, z + 1.0))


def body_names(holder: Holder) -> tuple[str, ...]:
    """Names a joint or force may use: the bodies, and the ground (for a rider the seat)."""
    return (*(b.name for b in elements_of(holder, "body")), SEAT if isinstance(holder, Occupant) else GROUND)


def new_joint(holder: Holder, kind: JointKind = "revolute") -> Joint:
    """A joint between the first body and the next one, or the ground, meeting at the second body's centre."""
    names = body_names(holder)
    first = elements_of(holder, "body")[0]
    axes: dict[str, Any] = {}
    if kind in NEEDS_AXES:
        axes = {"axis_i": LATERAL, "axis_j": (1.0, 0.0, 0.0) if kind == "universal" else LATERAL}
    return Joint(name=f"{kind.capitalize()} joint", kind=kind, body_i=first.name, body_j=names[1], **axes)


def new_guide(holder: Holder) -> Guide:
    """A guide of the first body's centre along the centreline."""
    return Guide(name="Guide", body=elements_of(holder, "body")[0].name)


def new_driver(holder: Holder) -> Driver:
    """A driver of the first joint that can be driven, else of the first body's height."""
    coordinate_of: dict[str, Any] = {
        "revolute": "angle",
        "cylindrical": "angle",
        "universal": "angle",
        "prismatic": "slide",
        "distance": "length",
    }
    driven = {d.target for d in elements_of(holder, "driver")}
    for joint in elements_of(holder, "joint"):
        if joint.kind in coordinate_of and joint.name not in driven and not joint.locked:
            return Driver(
                name="Driver", target=joint.name, coordinate=coordinate_of[joint.kind], function=constant(0.0)
            )
    body = elements_of(holder, "body")[0]
    return Driver(name="Driver", target=body.name, coordinate="z", function=constant(0.0))


def new_seat(holder: Holder) -> Seat:
    """A seat on the last body."""
    return Seat(name="Seat", body=elements_of(holder, "body")[-1].name, position=(0.0, 0.0, 0.0))


def new_force(holder: Holder, kind: str) -> Frozen:
    """A force element of a kind, without effect until its values are set.

    Raises InputError when the holder lacks what it acts on, a revolute joint for an end stop for example.
    """
    names = body_names(holder)
    first = names[0]
    if kind == "spring":
        return SpringDamper(name="Spring", body_i=first, body_j=names[1], point_i=(0.0, 0.0, 0.1))
    if kind == "rotational_spring":
        return RotationalSpring(
            name="Rotational spring",
            joint=_joint_for(holder, kind, ("revolute", "cylindrical", "spherical", "universal")),
        )
    if kind == "joint_stop":
        joint = _joint_for(holder, kind, ("revolute", "cylindrical", "prismatic"))
        return JointStop(name="End stop", joint=joint, lower=-0.5, upper=0.5, stiffness=1000.0)
    if kind == "force":
        return AppliedForce(name="Force", body=first)
    if kind == "torque":
        return AppliedTorque(name="Torque", body=first)
    if kind == "air_drag":
        return AirDrag(name="Air drag", body=first)
    guides = elements_of(holder, "guide")
    if not guides:
        raise InputError("Rolling resistance acts at a guide and there is none; add a guide first.")
    return RollingResistance(name="Rolling resistance", guide=guides[0].name)


def _joint_for(holder: Holder, kind: str, kinds: tuple[str, ...]) -> str:
    for joint in elements_of(holder, "joint"):
        if joint.kind in kinds:
            return str(joint.name)
    what = {"rotational_spring": "A rotational spring", "joint_stop": "An end stop"}[kind]
    allowed = ", ".join(kinds[:-1]) + " or " + kinds[-1]
    raise InputError(f"{what} acts in a {allowed} joint and there is none; add such a joint first.")
