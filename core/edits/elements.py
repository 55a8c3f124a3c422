"""Edits of the parts of cars, rigs and riders: change, rename, delete, duplicate, put in another order.

An element is named by its kind and a path: (car, name), (RIG, name) for a rig on the bench, and (car, rider, name)
for a part of a rider. Renaming carries every reference along; deleting takes with it what cannot exist without.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from core.base.errors import InputError
from core.base.frozen import Frozen
from core.edits.changes import changed, free_name, the_train
from core.model.assembly import Assembly, Car, Occupant
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
from core.project.project import Project
from core.project.scenario import Rig

RIG: Final = "rig"  # stands for the car in paths of a rig's elements
Kind = Literal["body", "joint", "guide", "driver", "force", "seat", "occupant"]
Path = tuple[str, ...]
Holder = Assembly | Occupant
LISTS: Final[dict[str, str]] = {
    "body": "bodies",
    "joint": "joints",
    "guide": "guides",
    "driver": "drivers",
    "force": "forces",
    "seat": "seats",
    "occupant": "occupants",
}
WORDS: Final[dict[str, str]] = {
    "body": "body",
    "joint": "joint",
    "guide": "guide",
    "driver": "driver",
    "force": "force element",
    "seat": "seat",
    "occupant": "rider",
}
JOINT_COORDINATES = ("angle", "angle_j", "slide", "length")
BODY_COORDINATES = ("x", "y", "z")


def assembly_at(project: Project, name: str) -> Assembly:
    """The car called `name`, or the assembly of a rig for RIG; InputError when there is none."""
    if name == RIG:
        if isinstance(project.scenario, Rig):
            return project.scenario.assembly
        raise InputError("This project is a ride and has no rig.")
    for car in the_train(project).cars:
        if car.name == name:
            return car
    raise InputError(f"The train has no car '{name}'.")


def holder_at(project: Project, path: Path) -> Holder:
    """The car, rig or rider at a path: (car,), (RIG,) or (car, rider)."""
    assembly = assembly_at(project, path[0])
    if len(path) == 1:
        return assembly
    for rider in assembly.occupants:
        if rider.name == path[1]:
            return rider
    raise InputError(f"'{path[0]}' has no rider '{path[1]}'.")


def elements_of(holder: Holder, kind: str) -> tuple[Any, ...]:
    """All elements of a kind in a car, rig or rider; empty for kinds a rider has not."""
    found: tuple[Any, ...] = getattr(holder, LISTS[kind], ())
    return found


def element_at(project: Project, kind: str, path: Path) -> Any:
    """The element of a kind at a path; InputError when it does not exist."""
    holder = holder_at(project, path[:-1])
    for element in elements_of(holder, kind):
        if element.name == path[-1]:
            return element
    raise InputError(f"'{'/'.join(path[:-1])}' has no {WORDS[kind]} '{path[-1]}'.")


def with_assembly(project: Project, name: str, assembly: Assembly) -> Project:
    """The project with a car (or the rig's assembly) replaced; the car may have another name."""
    if name == RIG:
        scenario = changed(project.scenario, "Rig", {"assembly": assembly})
        return changed(project, "Project", {"scenario": scenario})
    train = the_train(project)
    cars = tuple(assembly if car.name == name else car for car in train.cars)
    return changed(project, "Project", {"train": changed(train, "Train", {"cars": cars})})


def set_holder(project: Project, path: Path, fields: Mapping[str, Any]) -> Project:
    """Change fields of a car, rig or rider; the whole of it is checked again."""
    holder = holder_at(project, path)
    where = "Rig" if path == (RIG,) else f"'{'/'.join(path)}'"
    made: Any = changed(holder, where, fields)
    if len(path) == 2:
        assembly = assembly_at(project, path[0])
        riders = tuple(made if r.name == path[1] else r for r in assembly.occupants)
        made = changed(assembly, f"'{path[0]}'", {"occupants": riders})
    return with_assembly(project, path[0], made)


def set_element(project: Project, kind: str, path: Path, fields: Mapping[str, Any]) -> Project:
    """Change fields of an element other than its name.

    Raises InputError when a value is not allowed or something it refers to does not exist.
    """
    if "name" in fields:
        raise InputError("Give an element another name by renaming it, so that references to it follow.")
    old = element_at(project, kind, path)
    new = changed(old, f"{WORDS[kind].capitalize()} '{path[-1]}'", fields)
    return _put(project, kind, path, new)


def _put(project: Project, kind: str, path: Path, new: Frozen) -> Project:
    if kind == "occupant":
        return set_holder(project, path, dict(new))
    owner = path[:-1]
    rows = elements_of(holder_at(project, owner), kind)
    return set_holder(project, owner, {LISTS[kind]: tuple(new if e.name == path[-1] else e for e in rows)})


def add_element(project: Project, kind: str, owner: Path, element: Frozen) -> tuple[Project, Path]:
    """Add an element to a car, rig or rider; a name in use gets a number. Returns the project and its path."""
    holder = holder_at(project, owner)
    if LISTS[kind] not in type(holder).model_fields:
        raise InputError(f"A rider has no {LISTS[kind]} of its own; add it to the car.")
    rows = elements_of(holder, kind)
    name = free_name(str(getattr(element, "name", "")), (e.name for e in rows))
    named = element.model_copy(update={"name": name})
    return set_holder(project, owner, {LISTS[kind]: (*rows, named)}), (*owner, name)


def duplicate_element(project: Project, kind: str, path: Path) -> tuple[Project, Path]:
    """Add a copy of an element to the same holder under a new name.

    A copied rider takes the first free seat; InputError when all are taken. A copied seat is moved aside by its
    width (0.6 m to the right).
    """
    element = element_at(project, kind, path)
    if kind == "occupant":
        assembly = assembly_at(project, path[0])
        taken = {rider.seat for rider in assembly.occupants}
        free = [seat.name for seat in assembly.seats if seat.name not in taken]
        if not free:
            raise InputError(f"All seats of '{path[0]}' are taken; add a seat first.")
        element = element.model_copy(update={"seat": free[0]})
    if kind == "seat":
        x, y, z = element.position
        element = element.model_copy(update={"position": (x, y - 0.6, z)})
    return add_element(project, kind, path[:-1], element)


def move_element(project: Project, kind: str, path: Path, to: int) -> Project:
    """Put an element at place `to` (from 0) among its kind."""
    rows = list(elements_of(holder_at(project, path[:-1]), kind))
    element = element_at(project, kind, path)
    rows.remove(element)
    rows.insert(to, element)
    return set_holder(project, path[:-1], {LISTS[kind]: tuple(rows)})


def rename_element(project: Project, kind: str, path: Path, name: str) -> tuple[Project, Path]:
    """Give an element another name and change every reference to it. Returns the project and the new path."""
    element_at(project, kind, path)
    owner = path[:-1]
    holder = holder_at(project, owner)
    old = path[-1]
    if name == old:
        return project, path
    fields: dict[str, Any] = {}
    for listed, attribute in LISTS.items():
        if attribute not in type(holder).model_fields:
            continue
        rows = []
        for element in elements_of(holder, listed):
            update = _renamed_references(element, kind, old, name)
            if listed == kind and element.name == old:
                update["name"] = name
            # model_copy would accept any name; the element is checked like one that was read
            where = f"{WORDS[listed].capitalize()} '{element.name}'"
            rows.append(changed(element, where, update) if update else element)
        fields[attribute] = tuple(rows)
    if isinstance(holder, Occupant) and kind == "body":
        for role in ("head", "upper_torso", "pelvis"):
            if getattr(holder, role) == old:
                fields[role] = name
    return set_holder(project, owner, fields), (*owner, name)


def _renamed_references(element: Any, kind: str, old: str, new: str) -> dict[str, Any]:
    return {field: new for field in _references(element, kind) if getattr(element, field) == old}


def _references(element: Any, kind: str) -> tuple[str, ...]:
    """Fields of an element that name an element of `kind`."""
    if kind == "body":
        if isinstance(element, Driver):
            return ("target",) if element.coordinate in BODY_COORDINATES else ()
        if isinstance(element, Occupant):
            return ()
        return tuple(f for f in ("body_i", "body_j", "body") if f in type(element).model_fields)
    if kind == "joint":
        if isinstance(element, Driver):
            return ("target",) if element.coordinate in JOINT_COORDINATES else ()
        return ("joint",) if isinstance(element, RotationalSpring | JointStop) else ()
    if kind == "guide":
        if isinstance(element, Driver):
            return ("target",) if element.coordinate == "arc_length" else ()
        return ("guide",) if isinstance(element, RollingResistance) else ()
    if kind == "seat":
        return ("seat",) if isinstance(element, Occupant) else ()
    return ()


def dependants(project: Project, kind: str, path: Path) -> tuple[tuple[str, str], ...]:
    """What cannot exist without an element, as (kind, name) in the same holder, indirect ones included."""
    holder = holder_at(project, path[:-1])
    gone: list[tuple[str, str]] = [(kind, path[-1])]
    at = 0
    while at < len(gone):
        its_kind, its_name = gone[at]
        at += 1
        for listed in LISTS:
            for element in elements_of(holder, listed):
                entry = (listed, str(element.name))
                if entry not in gone and any(
                    getattr(element, field) == its_name for field in _references(element, its_kind)
                ):
                    gone.append(entry)
    return tuple(gone[1:])


def delete_element(project: Project, kind: str, path: Path) -> Project:
    """Delete an element and everything that cannot exist without it (see `dependants`).

    Raises InputError for the last body of a car or rig and for the segments by which a rider is judged.
    """
    element_at(project, kind, path)
    holder = holder_at(project, path[:-1])
    gone = {(kind, path[-1]), *dependants(project, kind, path)}
    if kind == "body":
        if len(elements_of(holder, "body")) == 1:
            raise InputError(
                f"'{path[-1]}' is the last body of '{'/'.join(path[:-1])}'; delete that instead."
            )
        if isinstance(holder, Occupant) and path[-1] in (holder.head, holder.upper_torso, holder.pelvis):
            raise InputError(f"A rider is judged by '{path[-1]}'; choose another segment for it first.")
    fields: dict[str, Any] = {}
    for listed, attribute in LISTS.items():
        rows = elements_of(holder, listed)
        kept = tuple(e for e in rows if (listed, e.name) not in gone)
        if len(kept) < len(rows):
            fields[attribute] = kept
    return set_holder(project, path[:-1], fields)


def element_word(element: Any) -> str:
    """What an element is called in the field: "spring-damper", "revolute joint", "end stop", ..."""
    words: dict[Any, str] = {
        SpringDamper: "spring-damper",
        RotationalSpring: "rotational spring",
        JointStop: "end stop",
        AppliedForce: "applied force",
        AppliedTorque: "applied torque",
        AirDrag: "air drag",
        RollingResistance: "rolling resistance",
        Car: "car",
        Occupant: "rider",
        Driver: "driver",
    }
    return words.get(type(element), type(element).__name__.lower())
