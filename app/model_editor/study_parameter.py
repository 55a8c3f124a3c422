"""From a field of the inspector to the parameter of a study: which field of the project file it is."""

from __future__ import annotations

from typing import Any

from ...core.base.errors import InputError
from ...core.base.frozen import Frozen
from ...core.edits.field_paths import field_at, set_field
from ...core.project.project import Project
from ...core.studies.study import Parameter
from ..document.selection import Selection
from .page import Field

#: Fields that are shown as one and are many: the edit of a study that sets them.
NAMED = {"rolling": "rolling resistance", "drag_area": "drag area"}
SPREAD = 0.1  # of the value, to both sides
MAX_FIELDS = 200  # fields one parameter may reach


def parameter_of(project: Project, selection: Selection, field: Field) -> Parameter | None:
    """A parameter about the value a field has now, 10 % to both sides; None for a field without a number.

    What the field changes is found by changing it, so that it holds for every page there is.
    """
    value = field.get(project)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    name = field.spec.title
    owner = selection.path[-1] if selection.path else ""
    name = f"{name} of {owner}" if owner else name
    low, high = _range(field, float(value))
    if field.spec.name in NAMED:
        target = "/".join(selection.path)
        edit = NAMED[field.spec.name]
        return Parameter(name=name, edit=edit, target=target, low=low, high=high)
    paths = _reached(project, field, float(value), low, high)
    if not paths:
        return None
    unit = field_at(project, paths[0])[0].unit
    unit = "" if unit in ("", "1") else unit
    if unit.startswith("rad"):
        unit = unit.replace("rad", "deg")
        low, high = (x * 57.29577951308232 for x in (low, high))
    where: Any = paths[0] if len(paths) == 1 else paths
    return Parameter(name=name, field=where, unit=unit, low=_short(low), high=_short(high))


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _range(field: Field, value: float) -> tuple[float, float]:
    span = SPREAD * abs(value) or SPREAD
    low, high = value - span, value + span
    spec = field.spec
    if spec.low is not None:
        low = max(low, spec.low)
    if spec.high is not None:
        high = min(high, spec.high)
    return (low, high) if low < high else (value - span, value + span)


def _reached(project: Project, field: Field, value: float, low: float, high: float) -> tuple[str, ...]:
    """Paths of the fields that take the value."""
    for trial in (0.5 * (value + high), 0.5 * (value + low)):
        try:
            made, _ = field.change(project, trial)
        except InputError:
            continue
        paths = tuple(
            ".".join(map(str, keys)) for keys, new in _differences(project, made, ()) if new == trial
        )
        # a study has to reach by these paths what the inspector did, with all that follows from it
        if 0 < len(paths) <= MAX_FIELDS and _set(project, paths, trial) == made:
            return paths
    return ()


def _set(project: Project, paths: tuple[str, ...], value: float) -> Project | None:
    try:
        for path in paths:
            project = set_field(project, path, value)
    except InputError:
        return None
    return project


def _differences(old: Any, new: Any, keys: tuple[str | int, ...]) -> list[tuple[tuple[str | int, ...], Any]]:
    """Keys to what differs, with what it is now."""
    if old is new or old == new:
        return []
    if isinstance(old, Frozen) and type(old) is type(new):
        fields = dict(old)
        return [d for name in fields for d in _differences(fields[name], getattr(new, name), (*keys, name))]
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [d for k, (a, b) in pairs for d in _differences(a, b, (*keys, k))]
    return [(keys, new)]
