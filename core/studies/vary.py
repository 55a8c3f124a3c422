"""A row of values into a project: every parameter changes the base in its turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import InputError
from ..base.units import unit_size
from ..edits.field_paths import change_fields, field_at
from ..project.project import Project
from .named_edits import named_edit
from .plan import bounds
from .study import Parameter, Study, Where


def with_values(study: Study, base: Project, values: Sequence[float]) -> Project:
    """The project of one run: the base with a row of values, one for each parameter in their order. Raises InputError
    naming the parameter and its value when the model refuses it."""
    project = base
    for parameter, value in zip(study.parameters, values, strict=True):
        project = _varied(project, parameter, value)
    return project


def _varied(project: Project, parameter: Parameter, value: float) -> Project:
    try:
        if not parameter.levels:
            return _changed(project, parameter, float(value))
        for change in parameter.levels[int(value)].changes:
            project = _changed(project, change, change.value)
    except InputError as error:
        unit = f" {parameter.unit}" if parameter.unit else ""
        raise InputError(f"'{parameter.name}' = {parameter.shown(value)}{unit}: {error}") from None
    return project


def _changed(project: Project, where: Where, value: Any) -> Project:
    if where.edit is not None:
        edit = named_edit(where.edit, where.edit)
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        if numeric != bool(edit.unit):
            raise InputError(f"{where.edit} takes {'a number' if edit.unit else 'words'}, found {value!r}.")
        size = unit_size(where.unit, edit.unit, where.edit) if numeric else 1.0
        return edit.apply(project, where.target, value * size if numeric else value)
    for path in where.fields_of:
        project = _at_path(project, where, path, value)
    return project


def _at_path(project: Project, where: Where, path: str, value: Any) -> Project:
    if where.how == "set":
        if isinstance(value, float):
            value = value * unit_size(where.unit, field_at(project, path)[0].unit, path)
        return change_fields(project, path, lambda _: value)
    positions = field_at(project, path)
    if where.how == "multiply" and where.unit not in ("", "1", "%"):
        raise InputError(f"{path}: what multiplies has no unit; leave '{where.unit}' out.")
    size = unit_size(where.unit, "1" if where.how == "multiply" else positions[0].unit, path)
    if not any(_numeric(position.value) for position in positions):
        raise InputError(f"{path}: holds no number that could be changed; let it be set.")

    def change(old: Any) -> Any:
        if isinstance(old, tuple):
            return tuple(change(part) for part in old)
        if not _numeric(old):  # empty stays empty
            return old
        return old * value * size if where.how == "multiply" else old + value * size

    return change_fields(project, path, change)


def _numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_numeric(part) for part in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_study(study: Study, base: Project | None) -> None:
    """See that every parameter reaches something and that the model takes its ends.

    Raises InputError naming the parameter: a path that is no field, a value the model refuses, a parameter that
    changes nothing.
    """
    if base is None:
        return
    for parameter in study.parameters:
        made = [_varied(base, parameter, value) for value in _ends(parameter)]
        if all(project == base for project in made):
            raise InputError(
                f"{study.name}: parameter '{parameter.name}' changes nothing of the base project; check where it goes."
            )


def _ends(parameter: Parameter) -> tuple[float, ...]:
    """Values that tell whether a parameter can be used: all of a few, the bounds, or the centre."""
    if parameter.levels:
        return tuple(float(k) for k in range(len(parameter.levels)))
    if parameter.values:
        return parameter.values
    if parameter.low is not None:
        return bounds(parameter)
    return () if parameter.mean is None else (parameter.mean, parameter.mean + (parameter.deviation or 0.0))
