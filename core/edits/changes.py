"""Making a changed copy of a frozen description, checked, with faults told in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ..base.errors import InputError
from ..base.frozen import Frozen
from ..model.assembly import Assembly
from ..project.point_settings import CHOICES
from ..project.point_train import ridden_settings
from ..project.project import Project, sentence
from ..project.scenario import Ride, Rig
from ..track.description import Track

M = TypeVar("M", bound=Frozen)


def changed(model: M, where: str, fields: Mapping[str, Any]) -> M:
    """A copy of a description with some fields replaced, checked as if it had been read from a file.

    Parameters
    ----------
    model
        The description.
    where
        What the sentence of a refusal begins with.
    fields
        New values by the names of their fields, in SI as in a file.

    Returns
    -------
    The copy; everything else is as in `model`.

    Raises
    ------
    InputError
        When the new values are not allowed.
    """
    try:
        return type(model).model_validate({**dict(model), **fields})
    except ValidationError as error:
        raise InputError(sentence(error, where)) from None


def the_track(project: Project) -> Track:
    """The track of a project; InputError when it has none."""
    if project.track is None:
        raise InputError("This project has no track; add one in the Track menu.")
    return project.track


def the_train(project: Project) -> Assembly:
    """The train of a project; InputError when it has none."""
    if project.train is None:
        raise InputError("This project has no train; insert a vehicle from the library.")
    return project.train


def set_project(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change fields of the project itself.

    Parameters
    ----------
    fields
        Name, notes, gravity (m/s^2), ...

    Returns
    -------
    The changed project.
    """
    return changed(project, "Project", fields)


def set_track(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change fields of the track.

    Parameters
    ----------
    fields
        Name, closed, gauge (m), frame, clearance, table_step (m), sections.

    Returns
    -------
    The changed project.
    """
    track = changed(the_track(project), "Track", fields)
    return changed(project, "Project", {"track": track})


def set_clearance(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the clearance envelope.

    Parameters
    ----------
    fields
        Half_width, height_above, depth_below (m).

    Returns
    -------
    The changed project.
    """
    clearance = changed(the_track(project).clearance, "Clearance envelope", fields)
    return set_track(project, {"clearance": clearance})


def set_as_built(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change how the rails deviate from the drawing.

    Parameters
    ----------
    fields
        Quality, scale, shortest and longest wave (m), seed, joints, survey, cutoff (m).

    Returns
    -------
    The changed project.
    """
    rails = changed(the_track(project).as_built, "Rails as built", fields)
    return set_track(project, {"as_built": rails})


def set_steelwork(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the rules that the steel of the track is made by, and what acts on it.

    Parameters
    ----------
    fields
        Spacing (m), spines, columns, footing (m), actions, ...

    Returns
    -------
    The changed project.
    """
    return set_project(project, {"steelwork": changed(project.steelwork, "Steelwork", fields)})


def set_scenario(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change fields of the scenario, of a ride or of a rig.

    Parameters
    ----------
    fields
        Start (m), speed (m/s or None), duration (s), ...

    Returns
    -------
    The changed project.
    """
    where = {Ride: "Ride", Rig: "Rig"}[type(project.scenario)]
    return changed(project, "Project", {"scenario": changed(project.scenario, where, fields)})


def set_settings(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change fields of the solver settings.

    Parameters
    ----------
    fields
        Values by name, in SI.

    Returns
    -------
    The changed project.
    """
    return changed(project, "Project", {"settings": changed(project.settings, "Solver settings", fields)})


def set_evaluation(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change the rider assessment.

    Parameters
    ----------
    fields
        Restraint, standards, editions.

    Returns
    -------
    The changed project.
    """
    return changed(project, "Project", {"evaluation": changed(project.evaluation, "Evaluation", fields)})


def set_point_ride(project: Project, fields: Mapping[str, Any]) -> Project:
    """Change fields of the point ride.

    Parameters
    ----------
    fields
        Values by name, in SI. Typing what otherwise follows from the vehicle (mass, length, masses; losses) or from
        the run (start, speed) makes it hold; what is not typed of the same kind stays what the ride had.

    Returns
    -------
    The changed project.
    """
    shown, fields = ridden_settings(project), dict(fields)
    typed: dict[str, Any] = {}
    for choice, names in CHOICES.items():
        if any(getattr(shown, name) != fields.get(name, getattr(shown, name)) for name in names):
            typed |= {name: getattr(shown, name) for name in names} | {choice: "given"}
        elif fields.get(choice) == "given" and getattr(shown, choice) != "given":
            typed |= {name: getattr(shown, name) for name in names}
        if typed.get(choice) != "given" and choice not in fields:
            fields = {name: value for name, value in fields.items() if name not in names}
    made = changed(project.point_ride, "Point ride", {**typed, **fields})
    return changed(project, "Project", {"point_ride": made})


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The wanted name, or the first free one that begins with it.

    Parameters
    ----------
    wanted
        As one would call it.
    taken
        Names that are in use.

    Returns
    -------
    `wanted`, or wanted with the next free number behind it: "Frame" -> "Frame 2" -> "Frame 3".
    """
    names = set(taken)
    if wanted not in names:
        return wanted
    stem, _, tail = wanted.rpartition(" ")
    base = stem if stem and tail.isdigit() else wanted
    number = 2
    while f"{base} {number}" in names:
        number += 1
    return f"{base} {number}"
