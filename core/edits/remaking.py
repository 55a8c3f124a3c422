"""Generated riders made anew for another person or another seat; what was changed by hand of their forces stays."""

from __future__ import annotations

from typing import Any

from ..base.errors import InputError
from ..human import make
from ..model.assembly import Assembly
from ..model.person import Person
from ..model.seats import SeatShape
from ..project.project import Project
from .elements import Path, assembly_at, set_assembly, set_element

MADE = ("bodies", "joints", "forces")


def shape_of(holder: Assembly, seat: str | None) -> SeatShape | None:
    """What a seat of an assembly is made of; None where that is not said."""
    return next((one.shape for one in holder.seats if one.name == seat), None)


def seat_shape(project: Project, path: Path) -> SeatShape | None:
    """What the seat of the rider at a path is made of."""
    return shape_of(assembly_at(project, path[:-1]), assembly_at(project, path).seat)


def remade(rider: Assembly, person: Person, shape: SeatShape | None, was: SeatShape | None) -> dict[str, Any]:
    """The fields of a generated rider that another person has, or who sits on another seat.

    shape: what the seat is made of; was: that of the seat the rider was made on. Force elements that were changed by
    hand stay as they are.
    """
    made = make.rider(person, str(rider.seat), rider.name, shape)
    try:
        before = (
            () if rider.person is None else make.rider(rider.person, str(rider.seat), rider.name, was).forces
        )
    except InputError:  # a file may ask for somebody of whom no body can be made
        before = rider.forces
    plain = {force.name: force for force in before}
    there = {force.name for force in made.forces}
    joints = {joint.name for joint in made.joints}
    kept = {
        force.name: force
        for force in rider.forces
        if force != plain.get(force.name)
        and (force.name in there or getattr(force, "joint", None) in (None, *joints))
    }
    forces = [kept.pop(force.name, force) for force in made.forces] + [*kept.values()]
    return {**made_fields(made), "forces": tuple(forces)}


def made_fields(made: Assembly) -> dict[str, Any]:
    """What is made of a rider: bodies, joints, forces, and for whom."""
    return {
        name: getattr(made, name)
        for name in (*MADE, "person", "head", "upper_torso", "pelvis", "description")
    }


def refitted(project: Project, path: Path, was: SeatShape | None) -> Project:
    """A project whose rider at a path, where it was generated, sits on its seat as that is made now.

    was: the seat that the rider was fitted to.
    """
    rider = assembly_at(project, path)
    if rider.person is None or seat_shape(project, path) == was:
        return project
    return reseated(project, path, rider.person, was)


def reseated(project: Project, path: Path, person: Person, was: SeatShape | None) -> Project:
    """A project whose generated rider at a path is a person, on a seat that is adjusted to that person first.

    was: the seat that the rider was fitted to.
    """
    rider = assembly_at(project, path)
    made = adjusted_seat(project, path[:-1], str(rider.seat), person)
    return set_assembly(made, path, remade(rider, person, seat_shape(made, path), was))


def adjusted_seat(project: Project, owner: Path, name: str, person: Person) -> Project:
    """A project in which a seat is adjusted to a person, where it has adjustments."""
    seat = next((one for one in assembly_at(project, owner).seats if one.name == name), None)
    shape = None if seat is None else seat.shape
    if seat is None or shape is None or person.posture != "seated":
        return project
    if not any(part.adjustable for part in shape.parts):
        return project
    from ..human.adjusting import adjusted  # takes kernels, which most who make riders do not need

    found = adjusted(person, shape, seat.restraint)
    return project if found == shape else set_element(project, "seat", (*owner, name), {"shape": found})
