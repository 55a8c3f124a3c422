"""Changes with a name, which are more than one field: losses, bank of a section, who sits where, suspension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.wording import worded
from ..edits.changes import the_track, the_train
from ..edits.elements import assembly_at, delete_element, set_assembly
from ..edits.load_cases import with_load_case
from ..edits.places import section_named
from ..edits.riders import make_rider, set_person
from ..edits.seats import put_seat
from ..edits.sections import set_section
from ..edits.train import set_losses
from ..model.assembly import Assembly
from ..model.person import Person
from ..model.seat_rows import seat_rows
from ..outcome.origin.changes import with_suspension
from ..project.project import Project
from ..track.description import SplineSection

#: Load patterns by word.
PATTERNS = ("all", "none", "front row", "back row", "front half", "back half", "left side", "right side")


@dataclass(frozen=True)
class NamedEdit:
    """title: what it does, for a person; unit: SI unit of its number, "" when it takes words; target: what the target
    is, "" for none; apply(project, target, value in SI) -> project, raising InputError."""

    title: str
    unit: str
    target: str
    apply: Callable[[Project, str, Any], Project]


def _path(target: str) -> tuple[str, ...]:
    return tuple(part for part in target.split("/") if part)


def _rolling(project: Project, target: str, value: Any) -> Project:
    return set_losses(project, _path(target), {"rolling": value})


def _drag_area(project: Project, target: str, value: Any) -> Project:
    return set_losses(project, _path(target), {"drag_area": value})


def _stiffness(project: Project, target: str, value: Any) -> Project:
    return with_suspension(project, stiffness=value)


def _damping(project: Project, target: str, value: Any) -> Project:
    return with_suspension(project, damping=value)


def _bank(project: Project, target: str, value: Any) -> Project:
    """More cant all over a section, as it is described: at its points, or its own cant or bank."""
    section = section_named(the_track(project), target)
    if isinstance(section, SplineSection):
        points = tuple(
            p if p.cant is None else p.model_copy(update={"cant": p.cant + value}) for p in section.points
        )
        rolls = tuple(p.model_copy(update={"cant": p.cant + value}) for p in section.roll_points)
        if points == section.points and rolls == section.roll_points and value != 0.0:
            raise InputError(
                f"Section '{target}' prescribes no cant that could be changed; give a point one."
            )
        return set_section(project, target, {"points": points, "roll_points": rolls})
    for name in ("bank", "cant"):
        given = getattr(section, name, None)
        if isinstance(given, float):
            return set_section(project, target, {name: given + value})
    raise InputError(f"Section '{target}' prescribes no cant that could be changed; give it one.")


def _riders(project: Project) -> dict[str, Assembly]:
    train = the_train(project)
    return {path: rider for path, rider in train.with_role("rider").items() if path}


def _on_board(project: Project, target: str, value: Any) -> Project:
    """Only some of the riders: by a word of `PATTERNS` or by their paths."""
    there = _riders(project)
    kept = set(_pattern(project, value)) if isinstance(value, str) else set(value)
    unknown = sorted(kept - there.keys())
    if unknown:
        raise InputError(
            f"The train has no rider '{unknown[0]}'; it has {', '.join(sorted(there)) or 'none'}."
        )
    for path in there:
        if path not in kept:
            project = delete_element(project, "assembly", _path(path))
    return project


def _pattern(project: Project, word: str) -> tuple[str, ...]:
    rows = [row for row in seat_rows(the_train(project)) if row.riders]
    every = tuple(rider for row in rows for rider in row.riders)
    half = (len(rows) + 1) // 2
    chosen = {
        "all": every,
        "none": (),
        "front row": rows[0].riders if rows else (),
        "back row": rows[-1].riders if rows else (),
        "front half": tuple(rider for row in rows[:half] for rider in row.riders),
        "back half": tuple(rider for row in rows[len(rows) - half :] for rider in row.riders),
        "left side": tuple(s.rider for row in rows for s in row.seats if s.rider and s.left >= 0.0),
        "right side": tuple(s.rider for row in rows for s in row.seats if s.rider and s.left <= 0.0),
    }.get(word)
    if chosen is None:
        raise InputError(f"'{word}' is no load pattern; write {', '.join(PATTERNS)}, or a list of riders.")
    return chosen


def _named(project: Project, target: str) -> dict[str, Assembly]:
    """The riders a target names: one by its path, or all."""
    there = _riders(project)
    if target in ("", "*"):
        if not there:
            raise InputError("The train has no rider; seat one first.")
        return there
    if target not in there:
        raise InputError(f"The train has no rider '{target}'; it has {', '.join(sorted(there)) or 'none'}.")
    return {target: there[target]}


def _rider_mass(project: Project, target: str, value: Any) -> Project:
    """Mass and inertia of every segment multiplied: the same person, denser."""
    if not value > 0.0:
        raise InputError(f"A rider's mass cannot be multiplied by {value:g}; take more than 0.")
    for path, rider in _named(project, target).items():
        bodies = tuple(body.denser(value) for body in rider.bodies)
        project = set_assembly(project, _path(path), {"bodies": bodies})
    return project


def _person(field: str) -> Callable[[Project, str, Any], Project]:
    def apply(project: Project, target: str, value: Any) -> Project:
        for path in _named(project, target):
            assembly_at(project, _path(path))
            project = set_person(project, _path(path), {field: value})
        return project

    return apply


def _seats_of(project: Project, target: str) -> list[str]:
    """The seats a target names: one by its path, or all."""
    top = project.assembly
    there = [] if top is None else [*top.every("seat")]
    if target == "*" and there:
        return there
    if target not in there:
        raise InputError(f"There is no seat '{target}'; there are {', '.join(there) or 'none'}.")
    return [target]


def _passenger(project: Project, target: str, value: Any) -> Project:
    """Somebody, as JSON of a person, made and seated in the place of who sits there."""
    try:
        person = Person.model_validate_json(value)
    except ValidationError as error:
        raise InputError(f"No person can be made of {value!r}: {worded(error.errors()[0])}.") from None
    for seat in _seats_of(project, target):
        owner, _, name = seat.rpartition("/")
        for rider in assembly_at(project, _path(owner)).riders:
            if rider.seat == name:
                project = delete_element(project, "assembly", (*_path(owner), rider.name))
        project, _ = make_rider(project, _path(owner), person, name)
    return project


def _seat(project: Project, target: str, value: Any) -> Project:
    for seat in _seats_of(project, target):
        owner, _, name = seat.rpartition("/")
        project = put_seat(project, _path(owner), name, str(value))
    return project


def _restraint(project: Project, target: str, value: Any) -> Project:
    for seat in _seats_of(project, target):
        owner, _, name = seat.rpartition("/")
        project = put_seat(project, _path(owner), name, restraint=str(value))
    return project


def _load_case(project: Project, target: str, value: Any) -> Project:
    return with_load_case(project, str(value))


EDITS: dict[str, NamedEdit] = {
    "rolling resistance": NamedEdit("Rolling resistance of the train or a car", "1", "car", _rolling),
    "drag area": NamedEdit(
        "Drag coefficient times frontal area of the train or a car", "m^2", "car", _drag_area
    ),
    "bank": NamedEdit("Cant added all over a section", "rad", "section", _bank),
    "suspension stiffness": NamedEdit(
        "Stiffness of every spring of the cars, multiplied", "1", "", _stiffness
    ),
    "suspension damping": NamedEdit("Damping of every damper of the cars, multiplied", "1", "", _damping),
    "riders on board": NamedEdit("Which riders are on board", "", "", _on_board),
    "rider mass": NamedEdit("Mass and inertia of riders, multiplied", "1", "rider", _rider_mass),
    "person mass": NamedEdit("Mass of a generated rider, made anew", "kg", "rider", _person("mass")),
    "person stature": NamedEdit("Stature of a generated rider, made anew", "m", "rider", _person("stature")),
    "passenger": NamedEdit("Who sits on a seat, as JSON of a person", "", "seat", _passenger),
    "seat": NamedEdit("Seat of the library, with its usual restraint", "", "seat", _seat),
    "restraint": NamedEdit("Restraint of the library", "", "seat", _restraint),
    "load case": NamedEdit("Load case of the project, by its name", "", "", _load_case),
}


def named_edit(name: str, where: str) -> NamedEdit:
    """The edit of a name. Raises InputError naming those there are."""
    found = EDITS.get(name)
    if found is None:
        raise InputError(f"{where}: there is no edit '{name}'; there are {', '.join(EDITS)}.")
    return found
