"""Assemblies: bodies with what connects them, seats, and other assemblies inside; rig, train, car and rider are roles.

Names are paths: "Frame" is a body of the assembly itself, "Car 2/Frame" one of its child "Car 2". Joints, guides,
drivers, force elements and seats may name bodies, joints and guides at any level below the assembly that holds them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from ..base.fields import AXES, described
from ..base.frozen import Frozen, Name, Named, Quat, Vec3, unit_quaternion
from .bodies import GROUND, RESERVED_NAMES, SEAT, Body
from .couplings import Coupling
from .couplings.checks import check_couplings
from .drivers import Driver
from .flexible import FlexibleBody
from .forces import TYPES, Force
from .guides import Guide
from .joints import TYPES as JOINTS
from .joints import Joint
from .person import Person
from .references import LISTS, WORDS, references
from .restraints import Restraint
from .seats import SeatShape
from .surfaces import Surface, check_names

Role = Literal["rig", "train", "car", "rider", "subassembly"]
#: The bodies of a rider by which it is judged.
JUDGED: Final = ("head", "upper_torso", "pelvis")
_UNTURNED: Final = (1.0, 0.0, 0.0, 0.0)
_OWN_FIELDS: Final = {
    "offset": "car",
    "seat": "rider",
    "person": "rider",
    **dict.fromkeys(JUDGED, "rider"),
    "couplings": "train",
}
RIDER = {"role": ("rider",)}
#: Where the centre of mass of a seated adult is from the hip, m: chosen.
SEATED_CENTRE: Final[Vec3] = (0.1, 0.0, 0.2)


class Seat(Frozen):
    """A seat for a rider: a frame on a body (xi forward, eta left, zeta up)."""

    name: Name = described(..., "Name", "What the seat is called; references to it follow.")
    body: str = described(..., "Body", "The body the seat is fixed to.", refers_to="body")
    position: Vec3 = described(
        ..., "Position", "In the axes of that body, from its centre of mass.", unit="m", axes=AXES
    )
    orientation: Quat = described(
        _UNTURNED,
        "Orientation",
        "Yaw, then pitch, then roll from the axes of the body to those of the seat.",
        unit="1",
    )
    assessed: bool = described(
        False, "Assessed", "The loads at this seat are assessed, with or without somebody on it.",
        exclude_if=operator.not_,
    )  # fmt: skip
    passenger: Annotated[float, Field(ge=0.0, le=1000.0)] = described(
        0.0, "Passenger", "Mass of who sits there, where no full rider does; 0 leaves the seat empty.", unit="kg",
        exclude_if=operator.not_,
    )  # fmt: skip
    passenger_centre: Vec3 = described(
        SEATED_CENTRE, "Passenger's centre of mass", "From the seat, in its axes.", unit="m", axes=AXES,
        exclude_if=partial(operator.eq, SEATED_CENTRE),
    )  # fmt: skip
    shape: SeatShape | None = described(
        None, "Seat", "What it is made of; generated riders are fitted to it.", exclude_if=operator.not_,
        entry="hidden",
    )  # fmt: skip
    restraint: Restraint | None = described(
        None, "Restraint", "What closes onto who sits there.", exclude_if=operator.not_, entry="hidden"
    )

    _unit = field_validator("orientation")(unit_quaternion)


MassKind = Literal["body", "beam", "coupling", "rider", "passenger"]


class MassRow(NamedTuple):
    """What weighs, by its path from an assembly (of a passenger that of the seat), and how much (kg)."""

    kind: MassKind
    name: str
    mass: float


class Assembly(Named):
    """Bodies with their joints, guides, drivers, force elements, seats, and assemblies inside (`children`).

    role: "rig" (test rig) and "train" (cars, first car first) stand at the top; a "car" has x forward, y left, z up and
    its origin on the track's rail plane, between the rails; a "rider" is a mechanism of body segments in the frame of
    its `seat`, a seat of the assembly that holds it; a "subassembly" is any other part of an assembly.
    """

    name: Name = described(..., "Name", "What it is called; references to it follow.")
    role: Role = described(
        "subassembly",
        "Role",
        "What it stands for.",
        words={
            "rig": "Test rig",
            "train": "Train",
            "car": "Car",
            "rider": "Rider",
            "subassembly": "Subassembly",
        },
        entry="hidden",
    )
    description: str = described("", "Description", "What it is, or where its numbers come from.")
    position: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Position",
        "Of its frame in the assembly that holds it.",
        unit="m",
        when={"role": ("subassembly",)},
    )
    orientation: Quat = described(
        _UNTURNED,
        "Orientation",
        "Yaw, then pitch, then roll from the axes of the assembly that holds it.",
        unit="1",
        when={"role": ("subassembly",)},
    )
    offset: Annotated[float, Field(ge=0.0)] = described(
        0.0,
        "Behind the first car",
        "How far its origin lies behind that of the first car, along the track.",
        unit="m",
        when={"role": ("car",)},
    )
    seat: str | None = described(
        None,
        "Seat",
        "A seat of the assembly it sits in; taking a neighbour's seat swaps the two.",
        refers_to="seat",
        when=RIDER,
    )
    head: str | None = described(
        None, "Head", "Segment by which head injury is assessed.", refers_to="segment", when=RIDER
    )
    upper_torso: str | None = described(
        None, "Upper torso", "Segment at which the rider loads are measured.", refers_to="segment", when=RIDER
    )
    pelvis: str | None = described(None, "Pelvis", "Segment that sits.", refers_to="segment", when=RIDER)
    person: Person | None = described(
        None, "Person", "What a generated rider was made from; nothing once a segment was edited by hand.", when=RIDER,
        exclude_if=operator.not_,
    )  # fmt: skip
    bodies: tuple[Body, ...] = described((), "Bodies", "Rigid bodies of its own.")
    joints: tuple[Joint, ...] = described((), "Joints", "Kinematic joints.")
    guides: tuple[Guide, ...] = described((), "Guides", "Bodies that follow the track.")
    drivers: tuple[Driver, ...] = described((), "Drivers", "Prescribed motions.")
    forces: tuple[Force, ...] = described((), "Force elements", "Springs, dampers, stops, applied loads.")
    flexibles: tuple[FlexibleBody, ...] = described(
        (), "Flexible bodies", "Bodies that bend, joined to others at interfaces.", exclude_if=operator.not_
    )
    seats: tuple[Seat, ...] = described((), "Seats", "Where riders sit.")
    couplings: tuple[Coupling, ...] = described(
        (), "Couplings", "What joins neighbouring cars of a train.", when={"role": ("train",)}
    )
    children: tuple[Assembly, ...] = described((), "Assemblies", "Cars, riders and other assemblies inside.")
    surfaces: tuple[Surface, ...] = described(
        (), "Surfaces of the ground", "Floors and walls that stand still, in world axes.", exclude_if=operator.not_,
        when={"role": ("rig", "train")},
    )  # fmt: skip

    _unit = field_validator("orientation")(unit_quaternion)
    _named = field_validator("surfaces")(check_names)

    def walk(self) -> Iterator[tuple[str, Assembly]]:
        """This assembly and all inside it, holders first, with what stands before the names of their elements: "" for
        its own, "Car 1/", "Car 1/Rider/", ..."""
        yield "", self
        for child in self.children:
            for prefix, inner in child.walk():
                yield f"{child.name}/{prefix}", inner

    def every(self, kind: str) -> dict[str, Any]:
        """All elements of a kind (see `references.LISTS`) by their paths from here, holders' first."""
        attribute = LISTS[kind]
        return {
            prefix + element.name: element for prefix, at in self.walk() for element in getattr(at, attribute)
        }

    def at(self, path: Iterable[str]) -> Assembly | None:
        """The assembly at a path, this one at the empty path; None when there is none."""
        found: Assembly | None = self
        for name in path:
            found = next((child for child in found.children if child.name == name), None) if found else None
        return found

    def with_role(self, *roles: str) -> dict[str, Assembly]:
        """All assemblies of some roles by their paths, this one (path "") included."""
        return {prefix[:-1]: at for prefix, at in self.walk() if at.role in roles}

    def each(self, change: Callable[[Assembly], dict[str, Any]]) -> Assembly:
        """A copy with fields replaced in this assembly and in all inside it, which is not checked again."""
        children = tuple(child.each(change) for child in self.children)
        return self.model_copy(update={"children": children, **change(self)})

    @property
    def riders(self) -> tuple[Assembly, ...]:
        """The riders on seats of this assembly itself."""
        return tuple(child for child in self.children if child.role == "rider")

    def mass(self) -> float:
        """Mass (kg) of all bodies, flexible ones, riders and passengers, without couplings; see `masses`."""
        return float(sum(row.mass for row in self.mass_rows()))

    def mass_rows(self) -> Iterator[MassRow]:
        """What weighs, without couplings: own bodies and beams one by one, each rider whole, each passenger.

        Beams that include the bodies at their interfaces weigh less by these.
        """
        bodies = self.every("body")
        riders = dict.fromkeys((path for path in self.with_role("rider") if path), 0.0)
        whose: dict[str, str | None] = {}  # rider that has the bodies of an assembly, by its path
        for path, body in bodies.items():
            holder = path.rpartition("/")[0]
            if holder not in whose:
                whose[holder] = next((rider for rider in _and_above(holder) if rider in riders), None)
            rider = whose[holder]
            if rider is None:
                yield MassRow("body", path, body.mass)
            else:
                riders[rider] += body.mass
        for prefix, at in self.walk():
            for one in at.flexibles:
                ends = [
                    bodies[prefix + end.body].mass for end in one.interfaces if prefix + end.body in bodies
                ]
                yield MassRow(
                    "beam", prefix + one.name, one.mass() - (sum(ends) if one.includes_bodies else 0.0)
                )
        for path, own in riders.items():
            yield MassRow("rider", path, own)
        for prefix, at in self.walk():
            for seat in at.passengers():
                yield MassRow("passenger", prefix + seat.name, seat.passenger)

    def passengers(self) -> Iterator[Seat]:
        """Its own seats with a passenger: none where a full rider sits, nor on the ground."""
        taken = {rider.seat for rider in self.riders}
        for seat in self.seats:
            if seat.passenger > 0.0 and seat.name not in taken and seat.body != GROUND:
                yield seat

    def own(self, kind: str) -> dict[str, Any]:
        """All elements of a kind by their paths, without those of riders inside."""
        riders = tuple(f"{path}/" for path in self.with_role("rider") if path)
        return {path: element for path, element in self.every(kind).items() if not path.startswith(riders)}

    @model_validator(mode="after")
    def _consistent(self) -> Assembly:
        for attribute in LISTS.values():
            roles = {child.role for child in self.children}
            inside = f"{roles.pop()}s" if len(roles) == 1 else "assemblies"
            what = {"forces": "force elements", "children": inside}.get(attribute, attribute)
            twice = _doubled(element.name for element in getattr(self, attribute))
            if twice is not None:
                raise ValueError(f"two {what} are named '{twice}'; give each its own name")
        self._check_role()
        known: dict[str, dict[str, Any]] = {
            kind: self.every(kind) for kind in ("body", "joint", "guide", "assembly")
        }
        self._check_references(known)
        check_couplings(self)
        self._check_seats(known["body"])
        self._check_drivers(known)
        return self

    def _check_role(self) -> None:
        for field, role in _OWN_FIELDS.items():
            if self.role != role and getattr(self, field) != type(self).model_fields[field].default:
                raise ValueError(f"'{self.name}' is a {self.role} and has no {field}; only a {role} has")
        if self.role != "subassembly" and self.role != "car" and self._moved():
            raise ValueError(f"'{self.name}' is a {self.role}; it has no position or orientation of its own")
        if self.surfaces and self.role not in ("rig", "train"):
            raise ValueError(
                f"'{self.name}' is a {self.role} and has no surfaces of the ground; give them to one of its bodies"
            )
        for child in self.children:
            if child.name in RESERVED_NAMES:
                raise ValueError(f"'{child.name}' is reserved; choose another name")
            if child.role in ("rig", "train"):
                raise ValueError(
                    f"'{child.name}' is a {child.role}, which cannot be a part of another assembly"
                )
        if self.role == "train":
            self._check_train()
        elif not self.own("body"):
            raise ValueError(f"'{self.name}' has no bodies; a {self.role} needs at least one")
        if self.role == "rider":
            for field in ("seat", *JUDGED):
                if getattr(self, field) is None:
                    raise ValueError(f"rider '{self.name}' has no {field}; name one")
            bodies = self.every("body")
            for field in JUDGED:
                if getattr(self, field) not in bodies:
                    raise ValueError(f"{field} is '{getattr(self, field)}', which is no body of this rider")

    def _moved(self) -> bool:
        return self.position != (0.0, 0.0, 0.0) or self.orientation != _UNTURNED

    def _check_train(self) -> None:
        if not self.children:
            raise ValueError("the train has no cars; a train needs at least one")
        for car in self.children:
            if car.role != "car":
                raise ValueError(f"'{car.name}' is a {car.role}; a train is made of cars")
            if car._moved():
                raise ValueError(
                    f"car '{car.name}' stands where its offset says and has no position or orientation"
                )
        first = self.children[0]
        if first.offset != 0.0:
            raise ValueError(f"the first car '{first.name}' must have offset 0; the others count from it")
        for ahead, behind in pairwise(self.children):
            if behind.offset <= ahead.offset:
                raise ValueError(
                    f"car '{behind.name}' must lie behind '{ahead.name}': its offset must be larger than"
                    f" {ahead.offset}"
                )

    def _check_references(self, known: dict[str, dict[str, Any]]) -> None:
        bodies = {*known["body"], SEAT if self.role == "rider" else GROUND}
        for kind in ("joint", "guide", "force", "coupling", "flexible"):
            for element in getattr(self, LISTS[kind]):
                owner = f"{WORDS[kind]} '{element.name}'"
                named = references(element)
                for _, what, path in named:
                    if path not in (bodies if what == "body" else known[what]):
                        raise ValueError(f"{owner} refers to {what} '{path}', which does not exist")
                ends = [path for _, what, path in named if what == "body"]
                if kind == "flexible" and set(ends) == {GROUND}:
                    raise ValueError(f"{owner} is fixed to the ground alone; join it to a body")
                if kind == "flexible" and element.name in {*(body.name for body in self.bodies), *(
                    child.name for child in self.children
                )}:  # fmt: skip
                    raise ValueError(f"{owner} has the name of a body or an assembly; give it its own")
                if len(ends) == 2 and ends[0] == ends[1]:
                    raise ValueError(f"{owner} joins '{ends[0]}' to itself")
                if kind == "guide" and ends[0] == GROUND:
                    raise ValueError(f"{owner} guides the ground; name a body")
        for force in self.forces:
            for _, what, path in references(force):
                if what == "joint" and not TYPES[force.kind].fits(known[what][path].kind):
                    kind = known[what][path].kind
                    raise ValueError(f"force element '{force.name}' cannot act in the {kind} joint '{path}'")

    def _check_seats(self, bodies: dict[str, Body]) -> None:
        for seat in self.seats:
            if seat.body not in bodies and seat.body != GROUND:
                raise ValueError(f"seat '{seat.name}' is on body '{seat.body}', which does not exist")
            if any(seat.body.startswith(f"{rider.name}/") for rider in self.riders):
                raise ValueError(
                    f"seat '{seat.name}' is on '{seat.body}' of a rider; name a body that carries seats"
                )
        taken = _doubled(str(rider.seat) for rider in self.riders)
        if taken is not None:
            raise ValueError(f"two riders sit on seat '{taken}'; put one of them elsewhere")
        seats = {seat.name for seat in self.seats}
        for rider in self.riders:
            if rider.seat not in seats:
                raise ValueError(f"rider '{rider.name}' sits on seat '{rider.seat}', which does not exist")

    def _check_drivers(self, known: dict[str, dict[str, Any]]) -> None:
        driven: dict[tuple[str, str], str] = {}
        for d in self.drivers:
            other = driven.setdefault((d.target, d.coordinate), d.name)
            if other != d.name:
                raise ValueError(
                    f"drivers '{other}' and '{d.name}' both drive the {d.coordinate} of '{d.target}'; remove one"
                )
            ((_, kind, target),) = references(d)
            element = known[kind].get(target)
            if kind != "joint":
                if element is None:
                    raise ValueError(f"driver '{d.name}' drives {kind} '{target}', which does not exist")
                continue
            if element is not None and element.locked:
                raise ValueError(f"driver '{d.name}' drives joint '{target}', which is locked")
            allowed = tuple(kind for kind, made in JOINTS.items() if d.coordinate in made.driven)
            if element is None or element.kind not in allowed:
                raise ValueError(
                    f"driver '{d.name}' drives the {d.coordinate} of '{target}', which is no"
                    f" {' or '.join(allowed)} joint"
                )


def _doubled(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _and_above(path: str) -> Iterator[str]:
    """A path and those that hold it, the nearest first, without the top."""
    while path:
        yield path
        path = path.rpartition("/")[0]
