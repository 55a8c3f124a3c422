"""New elements with sensible first values, fitted to the assembly they are for."""

from __future__ import annotations

from typing import Any, Final

from core.base.errors import InputError
from core.base.frozen import Frozen
from core.edits.elements import elements_of
from core.model.assembly import Assembly, Seat
from core.model.bodies import GROUND, SEAT, Body
from core.model.drivers import Driver
from core.model.forces.air_drag import AirDrag
from core.model.forces.force import AppliedForce
from core.model.forces.joint_stop import JointStop
from core.model.forces.rolling_resistance import RollingResistance
from core.model.forces.rotational_spring import RotationalSpring
from core.model.forces.spring import SpringDamper
from core.model.forces.torque import AppliedTorque
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
    if kind in NEEDS_AXES:
        axes = {"axis_i": LATERAL, "axis_j": (1.0, 0.0, 0.0) if kind == "universal" else LATERAL}
    return Joint(name=f"{kind.capitalize()} joint", kind=kind, body_i=first, body_j=second, **axes)


def new_guide(holder: Assembly) -> Guide:
    """A guide of the first body's centre along the centreline."""
    return Guide(name="Guide", body=_first_two(holder)[0])


def new_driver(holder: Assembly) -> Driver:
    """A driver of the first joint that can be driven, else of the first body's height."""
    coordinate_of: dict[str, Any] = {
        "revolute": "angle",
        "cylindrical": "angle",
        "universal": "angle",
        "prismatic": "slide",
        "distance": "length",
    }
    driven = {d.target for d in elements_of(holder, "driver")}
    for path, joint in holder.every("joint").items():
        if joint.kind in coordinate_of and path not in driven and not joint.locked:
            return Driver(
                name="Driver", target=path, coordinate=coordinate_of[joint.kind], function=constant(0.0)
            )
    return Driver(name="Driver", target=_first_two(holder)[0], coordinate="z", function=constant(0.0))


def new_seat(holder: Assembly) -> Seat:
    """A seat on the last body."""
    return Seat(name="Seat", body=[*holder.own("body")][-1], position=(0.0, 0.0, 0.0))


def new_force(holder: Assembly, kind: str) -> Frozen:
    """A force element of a kind, without effect until its values are set.

    Raises InputError when the holder lacks what it acts on, a revolute joint for an end stop for example.
    """
    first, second = _first_two(holder)
    if kind == "spring":
        return SpringDamper(name="Spring", body_i=first, body_j=second, point_i=(0.0, 0.0, 0.1))
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
    guide = next(iter(holder.every("guide")), None)
    if guide is None:
        raise InputError("Rolling resistance acts at a guide and there is none; add a guide first.")
    return RollingResistance(name="Rolling resistance", guide=guide)


def _joint_for(holder: Assembly, kind: str, kinds: tuple[str, ...]) -> str:
    for path, joint in holder.every("joint").items():
        if joint.kind in kinds:
            return path
    what = {"rotational_spring": "A rotational spring", "joint_stop": "An end stop"}[kind]
    allowed = ", ".join(kinds[:-1]) + " or " + kinds[-1]
    raise InputError(f"{what} acts in a {allowed} joint and there is none; add such a joint first.")
