"""The load cases of a project: the usual ones, and the project as it is loaded by one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from ..base.errors import InputError
from ..human.anthropometry import size_of
from ..model.load_cases import LoadCase, loaded, named_seats, present, seating
from ..model.person import Person
from ..project.project import Project
from .changes import changed, free_name
from .elements import set_assembly

CHILD = 8.0  # years, chosen: tall enough for most rides with an adult beside
NOTHING = "The project has neither a train nor a rig that could be loaded."
WOMAN, GIRL = "Woman, median", f"Girl of {CHILD:g}"
#: Who may be chosen for a seat by name: of the public, by the tables of `core.human`.
KINDS = {
    "Man, median": Person(sex="male", stature_percentile="50", mass_percentile="50"),
    WOMAN: Person(sex="female", stature_percentile="50", mass_percentile="50"),
    "Man, 95th percentile": Person(sex="male", stature_percentile="95", mass_percentile="95"),
    "Woman, 5th percentile": Person(sex="female", stature_percentile="5", mass_percentile="5"),
    "Girl of 12": Person(sex="female", age=12.0, scaling="child"),
    GIRL: Person(sex="female", age=CHILD, scaling="child"),
}


@cache
def passenger_kinds() -> Mapping[str, float]:
    """Who may be chosen for a seat: kg by name, to a tenth."""
    return MappingProxyType({name: round(size_of(person).mass.value, 1) for name, person in KINDS.items()})


def usual_cases() -> tuple[LoadCase, ...]:
    """Full, empty, half, worst eccentric, women and children.

    Returns
    -------
    The cases; in the last one sit a woman of the public's median and a girl of eight in turn (tables of `core.human`).
    """
    kinds = passenger_kinds()
    return (
        LoadCase(name="Full", pattern="full"),
        LoadCase(name="Empty", pattern="empty"),
        LoadCase(name="Half", pattern="half"),
        LoadCase(name="Worst eccentric", pattern="eccentric"),
        LoadCase(name="Women and children", pattern="full", masses=(kinds[WOMAN], kinds[GIRL])),
    )


def set_load_cases(project: Project, cases: Collection[LoadCase]) -> Project:
    """Keep load cases with the project, in place of those that it has.

    Parameters
    ----------
    cases
        Each with a name of its own; none deletes them.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For two of one name, and for seats that there are not.
    """
    made = changed(project, "Load cases", {"load_cases": tuple(cases)})
    for case in made.load_cases:
        with_load_case(made, case.name)
    return made


def add_load_case(project: Project) -> tuple[Project, str]:
    """One more load case, with every seat taken, and what it is called."""
    name = free_name("Load case", [case.name for case in project.load_cases])
    return _with(project, (*project.load_cases, LoadCase(name=name)), name), name


def duplicate_load_case(project: Project, name: str) -> tuple[Project, str]:
    """The same load case again behind itself, and what the copy is called."""
    case = load_case_of(project, name)
    new = free_name(name, [one.name for one in project.load_cases])
    copied = case.model_copy(update={"name": new})
    rows = [row for one in project.load_cases for row in ((one, copied) if one is case else (one,))]
    return _with(project, rows, new), new


def change_load_case(project: Project, name: str, fields: Mapping[str, Any]) -> Project:
    """Change fields of a load case, its name among them; None: without it. Named seats stay only while it is they
    that are taken. Raises InputError for what cannot be."""
    case = load_case_of(project, name)
    fields = {"seats": ()} | dict(fields) if fields.get("pattern", "seats") != "seats" else dict(fields)
    made = changed(case, f"Load case '{name}'", fields)
    return _with(project, [made if one is case else one for one in project.load_cases], made.name)


def _with(project: Project, cases: Collection[LoadCase], name: str) -> Project:
    """The project with these load cases, of which one is tried: what is wrong with another does not matter now."""
    made = changed(project, "Load cases", {"load_cases": tuple(cases)})
    with_load_case(made, name)
    return made


def delete_load_case(project: Project, name: str) -> Project:
    """The project without one of its load cases."""
    case = load_case_of(project, name)
    return changed(
        project, "Load cases", {"load_cases": tuple(c for c in project.load_cases if c is not case)}
    )


def seat_load_case(project: Project, name: str, who: Mapping[str, float | None]) -> Project:
    """Say who sits on some seats in a load case, which has named seats from then on.

    Parameters
    ----------
    name
        Of one of its load cases.
    who
        By the path of the seat: kg, 0 as the seat has it, None: nobody.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For a case or a seat that there is not.
    """
    top = project.assembly
    if top is None:
        raise InputError(NOTHING)
    now: dict[str, float | None] = {
        one.seat: (one.mass if one.chosen else 0.0) if one.mass else None
        for one in seating(top, present(top, load_case_of(project, name)))
    }
    unknown = next((seat for seat in who if seat not in now), None)
    if unknown is not None:
        raise InputError(f"Load case '{name}': there is no seat '{unknown}'.")
    taken = {seat: mass for seat, mass in (now | dict(who)).items() if mass is not None}
    return change_load_case(project, name, named_seats(taken))


def load_case_of(project: Project, name: str) -> LoadCase:
    """A load case by its name; InputError for one that there is not."""
    case = next((one for one in project.load_cases if one.name == name), None)
    if case is None:
        known = ", ".join(one.name for one in project.load_cases) or "none"
        raise InputError(f"The project has no load case '{name}'; it has {known}.")
    return case


def with_load_case(project: Project, name: str) -> Project:
    """The project with the seats taken as a load case says.

    Parameters
    ----------
    name
        Of one of its load cases.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For a case that there is not, and a project without seats.
    """
    case = load_case_of(project, name)
    top = project.assembly
    if top is None:
        raise InputError(NOTHING)
    made = loaded(top, case)
    return set_assembly(project, (), {"children": made.children, "seats": made.seats})
