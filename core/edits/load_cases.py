"""The load cases of a project: the usual ones, and the project as it is loaded by one."""

from __future__ import annotations

from collections.abc import Collection

from ..base.errors import InputError
from ..human.anthropometry import size_of
from ..model.load_cases import LoadCase, loaded
from ..model.person import Person
from ..project.project import Project
from .changes import changed
from .elements import set_assembly

CHILD = 8.0  # years, chosen: tall enough for most rides with an adult beside


def usual_cases() -> tuple[LoadCase, ...]:
    """Full, empty, half, worst eccentric, women and children.

    Returns
    -------
    The cases; in the last one sit a woman of the public's median and a girl of eight in turn (tables of `core.human`).
    """
    woman = size_of(Person(sex="female", stature_percentile="50", mass_percentile="50")).mass.value
    child = size_of(Person(sex="female", age=CHILD, scaling="child")).mass.value
    return (
        LoadCase(name="Full", pattern="full"),
        LoadCase(name="Empty", pattern="empty"),
        LoadCase(name="Half", pattern="half"),
        LoadCase(name="Worst eccentric", pattern="eccentric"),
        LoadCase(name="Women and children", pattern="full", masses=(round(woman, 1), round(child, 1))),
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
    case = next((one for one in project.load_cases if one.name == name), None)
    if case is None:
        known = ", ".join(one.name for one in project.load_cases) or "none"
        raise InputError(f"The project has no load case '{name}'; it has {known}.")
    top = project.assembly
    if top is None:
        raise InputError("The project has neither a train nor a rig that could be loaded.")
    made = loaded(top, case)
    return set_assembly(project, (), {"children": made.children, "seats": made.seats})
