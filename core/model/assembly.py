"""Assemblies: a car with its seats and riders, a train of cars, a rig on the bench."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from core.base.frozen import Frozen, Name, Quat, Vec3
from core.model.bodies import GROUND, SEAT, Body, unit_quaternion
from core.model.drivers import Driver
from core.model.elements import (
    AirDrag,
    AppliedForce,
    AppliedTorque,
    Force,
    JointStop,
    RollingResistance,
    RotationalSpring,
    SpringDamper,
)
from core.model.guides import Guide
from core.model.joints import Joint


def _doubled(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _check_names(what: str, names: Iterable[str]) -> None:
    twice = _doubled(names)
    if twice is not None:
        raise ValueError(f"two {what} are named '{twice}'; give each its own name")


def _check_references(
    bodies: set[str], joints: tuple[Joint, ...], guides: tuple[Guide, ...], forces: tuple[Force, ...]
) -> None:
    joint_of = {j.name: j for j in joints}
    guide_names = {g.name for g in guides}

    def need_body(owner: str, name: str) -> None:
        if name not in bodies:
            raise ValueError(f"{owner} refers to body '{name}', which does not exist")

    for joint in joints:
        need_body(f"joint '{joint.name}'", joint.body_i)
        need_body(f"joint '{joint.name}'", joint.body_j)
    for guide in guides:
        need_body(f"guide '{guide.name}'", guide.body)
        if guide.body == GROUND:
            raise ValueError(f"guide '{guide.name}' guides the ground; name a body")
    for force in forces:
        owner = f"force element '{force.name}'"
        match force:
            case SpringDamper():
                need_body(owner, force.body_i)
                need_body(owner, force.body_j)
                if force.body_i == force.body_j:
                    raise ValueError(f"{owner} joins '{force.body_i}' to itself")
            case AppliedForce() | AppliedTorque() | AirDrag():
                need_body(owner, force.body)
            case RotationalSpring() | JointStop():
                target = joint_of.get(force.joint)
                if target is None:
                    raise ValueError(f"{owner} refers to joint '{force.joint}', which does not exist")
                allowed: tuple[str, ...] = ("revolute", "cylindrical", "spherical", "universal")
                if isinstance(force, JointStop):
                    allowed = ("revolute", "cylindrical", "prismatic")
                if target.kind not in allowed:
                    raise ValueError(f"{owner} cannot act in the {target.kind} joint '{force.joint}'")
            case RollingResistance():
                if force.guide not in guide_names:
                    raise ValueError(f"{owner} refers to guide '{force.guide}', which does not exist")


class Occupant(Frozen):
    """A seated rider as a mechanism of body segments.

    Positions are in the seat's frame; the reserved body "seat" is what the seat is fixed to. `head`,
    `upper_torso` and `pelvis` name the segments whose accelerations are judged. `stature` (m) and
    `description` are for people.
    """

    name: Name
    seat: str
    bodies: tuple[Body, ...] = Field(min_length=1)
    joints: tuple[Joint, ...] = ()
    forces: tuple[Force, ...] = ()
    head: str
    upper_torso: str
    pelvis: str
    description: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> Occupant:
        _check_names("bodies", (b.name for b in self.bodies))
        _check_names("joints", (j.name for j in self.joints))
        _check_names("force elements", (f.name for f in self.forces))
        names = {b.name for b in self.bodies}
        for role in ("head", "upper_torso", "pelvis"):
            if getattr(self, role) not in names:
                raise ValueError(f"{role} is '{getattr(self, role)}', which is no body of this rider")
        _check_references(names | {SEAT}, self.joints, (), self.forces)
        return self


class Seat(Frozen):
    """A place for a rider: a frame on a body (xi forward, eta left, zeta up), position in m."""

    name: Name
    body: str
    position: Vec3
    orientation: Quat = (1.0, 0.0, 0.0, 0.0)

    _unit = field_validator("orientation")(unit_quaternion)


class Assembly(Frozen):
    """Bodies with their joints, guides, drivers, force elements, seats and riders, in one frame."""

    bodies: tuple[Body, ...] = Field(min_length=1)
    joints: tuple[Joint, ...] = ()
    guides: tuple[Guide, ...] = ()
    drivers: tuple[Driver, ...] = ()
    forces: tuple[Force, ...] = ()
    seats: tuple[Seat, ...] = ()
    occupants: tuple[Occupant, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Assembly:
        _check_names("bodies", (b.name for b in self.bodies))
        _check_names("joints", (j.name for j in self.joints))
        _check_names("guides", (g.name for g in self.guides))
        _check_names("drivers", (d.name for d in self.drivers))
        _check_names("force elements", (f.name for f in self.forces))
        _check_names("seats", (s.name for s in self.seats))
        _check_names("riders", (o.name for o in self.occupants))
        names = {b.name for b in self.bodies} | {GROUND}
        _check_references(names, self.joints, self.guides, self.forces)
        for seat in self.seats:
            if seat.body not in names:
                raise ValueError(f"seat '{seat.name}' is on body '{seat.body}', which does not exist")
        taken = _doubled(o.seat for o in self.occupants)
        if taken is not None:
            raise ValueError(f"two riders sit on seat '{taken}'; put one of them elsewhere")
        seats = {s.name for s in self.seats}
        for rider in self.occupants:
            if rider.seat not in seats:
                raise ValueError(f"rider '{rider.name}' sits on seat '{rider.seat}', which does not exist")
        self._check_drivers()
        return self

    def _check_drivers(self) -> None:
        joints = {j.name: j.kind for j in self.joints}
        allowed = {
            "angle": ("revolute", "cylindrical", "universal"),
            "angle_j": ("universal",),
            "slide": ("prismatic", "cylindrical"),
            "length": ("distance",),
        }
        locked = {j.name for j in self.joints if j.locked}
        driven: dict[tuple[str, str], str] = {}
        for d in self.drivers:
            other = driven.setdefault((d.target, d.coordinate), d.name)
            if other != d.name:
                raise ValueError(
                    f"drivers '{other}' and '{d.name}' both drive the {d.coordinate} of '{d.target}'; remove one"
                )
            if d.coordinate in allowed and d.target in locked:
                raise ValueError(f"driver '{d.name}' drives joint '{d.target}', which is locked")
            if d.coordinate in allowed:
                if joints.get(d.target) not in allowed[d.coordinate]:
                    kinds = " or ".join(allowed[d.coordinate])
                    raise ValueError(
                        f"driver '{d.name}' drives the {d.coordinate} of '{d.target}', which is no {kinds} joint"
                    )
            elif d.coordinate == "arc_length":
                if d.target not in {g.name for g in self.guides}:
                    raise ValueError(f"driver '{d.name}' drives guide '{d.target}', which does not exist")
            elif d.target not in {b.name for b in self.bodies}:
                raise ValueError(f"driver '{d.name}' drives body '{d.target}', which does not exist")


class Car(Assembly):
    """A car: its frame has x forward, y left, z up and its origin on the track's rail plane, between the rails.

    `offset` (m, >= 0) is how far the origin lies behind the first car's, along the track.
    """

    name: Name
    offset: Annotated[float, Field(ge=0.0)] = 0.0


class Train(Frozen):
    """The cars that ride together, first car first."""

    cars: tuple[Car, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _consistent(self) -> Train:
        _check_names("cars", (c.name for c in self.cars))
        if self.cars[0].offset != 0.0:
            raise ValueError(
                f"the first car '{self.cars[0].name}' must have offset 0; the others count from it"
            )
        for ahead, behind in pairwise(self.cars):
            if behind.offset <= ahead.offset:
                raise ValueError(
                    f"car '{behind.name}' must lie behind '{ahead.name}': its offset must be larger than"
                    f" {ahead.offset}"
                )
        return self
