"""Edits of generated riders: made for a person, made anew, and how far one is from what would be made now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ..base.errors import InputError
from ..base.frames import from_rotation_vector, multiply, rotation_matrix
from ..base.frozen import Vec3
from ..human import make
from ..human.anthropometry import of_stature
from ..human.shape import segments
from ..model.assembly import Assembly
from ..model.bodies import GROUND, SEAT
from ..model.joints import Joint
from ..model.person import Person
from ..model.seats import SeatShape
from ..project.project import Project
from .changes import changed
from .elements import Path, assembly_at, delete_element, free_seats, set_assembly
from .remaking import MADE, adjusted_seat, made_fields, reseated, seat_shape, shape_of
from .train import add_rider

#: Whom a new rider stands for until one is asked for.
MEDIAN = Person(stature_percentile="50", mass_percentile="50")


def make_rider(
    project: Project, owner: Path, person: Person, seat: str | None = None
) -> tuple[Project, Path]:
    """Seat a rider made for a person.

    Parameters
    ----------
    owner
        Path of the car.
    person
        Stature (m), mass (kg), age, sex and posture; what is left open follows from percentiles.
    seat
        Its name; None for the first free one.

    Returns
    -------
    The project and the path of the rider.

    Raises
    ------
    InputError
        When no seat is free or no body can be made.
    """
    free = free_seats(assembly_at(project, owner))
    if seat is None and not free:
        raise InputError(f"'{'/'.join(owner) or 'The rig'}' has no free seat; add a seat first.")
    where = seat or free[0]
    project = adjusted_seat(project, owner, where, person)
    shape = shape_of(assembly_at(project, owner), where)
    return add_rider(project, owner, make.rider(person, where, shape=shape), seat)


def seat_person(project: Project, where: str, person: Person) -> tuple[Project, Path]:
    """Seat a rider made for a person in the place of who sits there.

    Parameters
    ----------
    where
        Path of the seat, such as "Car 1/Left seat".
    person
        As `make_rider`.

    Returns
    -------
    The project and the path of the rider.

    Raises
    ------
    InputError
        When there is no such seat or no body can be made.
    """
    seats = () if project.assembly is None else tuple(project.assembly.every("seat"))
    if where not in seats:
        raise InputError(f"There is no seat '{where}'; choose among {', '.join(seats) or 'none'}.")
    *owner, name = where.split("/")
    for rider in assembly_at(project, tuple(owner)).riders:
        if rider.seat == name:
            project = delete_element(project, "assembly", (*owner, rider.name))
    return make_rider(project, tuple(owner), person, name)


class Segments(NamedTuple):
    """Names of the segments of a mechanism that a rider is known by."""

    pelvis: str
    upper_torso: str
    head: str


def seat_mechanism(
    project: Project,
    owner: Path,
    body: Assembly,
    known_by: Segments,
    seat: str | None = None,
    yaw: float = 0.0,
) -> tuple[Project, Path]:
    """Seat a mechanism that comes from elsewhere, its pelvis rigid on the seat where that of a median adult is.

    Parameters
    ----------
    owner
        Path of the car.
    body
        Bodies with joints and force elements, z up; what joins them to the ground is left out.
    known_by
        The segment that sits, and those whose loads are measured.
    seat
        Its name; None for the first free one.
    yaw
        rad about the vertical, of a body that does not look along x.

    Returns
    -------
    The project and the path of the rider.

    Raises
    ------
    InputError
        When no seat is free, or the mechanism has no such segment.
    """
    for name in known_by:
        if name not in {one.name for one in body.bodies}:
            there = ", ".join(one.name for one in body.bodies)
            raise InputError(f"There is no segment '{name}'; choose among {there}.")
    free = free_seats(assembly_at(project, owner))
    if seat is None and not free:
        raise InputError(f"'{'/'.join(owner) or 'The rig'}' has no free seat; add a seat first.")
    where = seat or free[0]
    usual = make.rider(MEDIAN, where, shape=shape_of(assembly_at(project, owner), where))
    point = next(one.position for one in usual.bodies if one.name == usual.pelvis)
    at = np.array(point)
    sits = next(np.array(one.position) for one in body.bodies if one.name == known_by.pelvis)
    turn = from_rotation_vector((0.0, 0.0, yaw))
    about = rotation_matrix(turn)
    placed = tuple(
        one.model_copy(
            update={
                "position": tuple((at + about @ (np.array(one.position) - sits)).tolist()),
                "orientation": tuple(multiply(turn, one.orientation).tolist()),
            }
        )
        for one in body.bodies
    )
    held = Joint(name=make.ON_SEAT, kind="rigid", body_i=SEAT, point_i=point, body_j=known_by.pelvis)
    kept = tuple(one for one in body.joints if GROUND not in (one.body_i, one.body_j))
    gone = {one.name for one in body.joints} - {one.name for one in kept}
    rider = Assembly(
        name="Rider", role="rider", description=body.description, seat=where, pelvis=known_by.pelvis,
        upper_torso=known_by.upper_torso, head=known_by.head, bodies=placed, joints=(held, *kept),
        forces=tuple(one for one in body.forces if getattr(one, "joint", "") not in gone),
    )  # fmt: skip
    return add_rider(project, owner, rider, seat)


def set_person(project: Project, path: Path, fields: Mapping[str, Any]) -> Project:
    """Ask for another person: bodies and joints are made anew; force elements changed by hand stay as they are.

    Parameters
    ----------
    path
        Of the rider.
    fields
        Values by name, in SI. A value takes the place of its percentile and the other way round; an age makes a
        child of somebody, and so does a stature below those of adults, which comes with the mass of such a child.

    Returns
    -------
    The changed project.
    """
    rider = assembly_at(project, path)
    before = _person(rider)
    after = changed(before, f"Rider '{rider.name}'", _completed(before, fields))
    return reseated(project, path, after, seat_shape(project, path))


def _completed(before: Person, fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is changed with the fields that go along with it, unless they are given too."""
    found = dict(fields)
    stature = found.get("stature")
    if isinstance(stature, int | float) and "scaling" not in found:
        along = of_stature(before, stature)
        weighed = found.get("mass") is not None or bool(found.get("mass_percentile"))
        found |= {name: along[name] for name in along if not (weighed and name.startswith("mass"))}
    for what in ("stature", "mass"):
        if found.get(what) is not None:
            found.setdefault(f"{what}_percentile", "")
        elif found.get(f"{what}_percentile"):
            found.setdefault(what, None)
    if found.get("age") is not None and before.age is None:
        found.setdefault("scaling", "child")
    return found


def made_anew(before: Project, after: Project) -> Project:
    """A project in whose fields something was changed, its riders made anew where another person was asked for."""
    top, old = after.assembly, before.assembly
    if top is None or old is None or top is old:
        return after
    was = {path: one for path, one in old.walk() if one.role == "rider"}
    for path, rider in list(top.walk()):
        earlier = was.get(path)
        if rider.role != "rider" or earlier is None or earlier.person is None or rider.person is None:
            continue
        now, then = dict(rider.person), dict(earlier.person)
        fields = {name: value for name, value in now.items() if value != then[name]}
        if fields and rider.bodies == earlier.bodies:
            place = tuple(path.rstrip("/").split("/"))
            after = set_person(set_assembly(after, place, {"person": earlier.person}), place, fields)
    return after


def renew(project: Project, path: Path) -> Project:
    """Make a rider anew from what was asked for, as this program makes it now; changes by hand are lost."""
    rider = assembly_at(project, path)
    made = make.rider(_person(rider), str(rider.seat), rider.name, seat_shape(project, path))
    return set_assembly(project, path, made_fields(made))


def pose_of(rider: Assembly, shape: SeatShape | None = None) -> dict[str, Vec3]:
    """Rotation vectors (rad) of all joints of a generated rider as asked for on a seat, by joint name."""
    person = _person(rider)
    return make.posed(person, segments(person), shape)[0]


def differences(rider: Assembly, shape: SeatShape | None = None) -> tuple[str, ...]:
    """What making a rider anew on a seat would change, a sentence each; none for a rider that was not generated."""
    if rider.person is None:
        return ()
    made = make.rider(rider.person, str(rider.seat), rider.name, shape)
    found = []
    for attribute in MADE:
        old = {element.name: element for element in getattr(rider, attribute)}
        new = {element.name: element for element in getattr(made, attribute)}
        found += [f"'{name}' goes" for name in old if name not in new]
        found += [f"'{name}' comes" for name in new if name not in old]
        for name in old.keys() & new.keys():
            fields = [
                f for f in type(new[name]).model_fields if getattr(old[name], f) != getattr(new[name], f)
            ]
            if fields:
                found.append(f"'{name}': {_change(old[name], new[name], fields[0])}{_more(len(fields) - 1)}")
    return tuple(sorted(found))


def _change(old: Any, new: Any, field: str) -> str:
    title = type(new).model_fields[field].title or field
    a, b = getattr(old, field), getattr(new, field)
    if isinstance(a, float) and isinstance(b, float):
        return f"{title.lower()} {a:g} becomes {b:g}"
    return f"{title.lower()} changes"


def _more(count: int) -> str:
    return f" and {count} more" if count > 0 else ""


def _person(rider: Assembly) -> Person:
    if rider.person is None:
        raise InputError(
            f"Rider '{rider.name}' was not generated, or was edited by hand since; make a new rider."
        )
    return rider.person
