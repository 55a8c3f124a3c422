"""Any field of a project by its path in the project file: `scenario.speed`, `track.sections.3.points.*.cant`.

Levels are separated by dots. An entry of a list is named by its number, counted from 0, by its name where entries
have names (in brackets when the name holds a dot: `train.children.[Car 1.2].offset`), or by `*`: every entry that has
the rest of the path.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..base.errors import InputError
from ..base.fields import spec_of, told
from ..base.frozen import Frozen
from ..base.reading import natural
from ..project.project import Project
from ..project.versions import current_field
from .changes import changed, set_point_ride
from .riders import made_anew

Keys = tuple[str | int, ...]
LEVEL = re.compile(r"\[([^\]]*)\]|([^.\[\]]+)")
MAX_NAMED = 12  # entries that a message lists


@dataclass(frozen=True)
class FieldPlace:
    """A field found in a project: keys to it, its path as text, title, SI unit ("" for none), value now."""

    keys: Keys
    path: str
    title: str
    unit: str
    value: Any


def field_at(project: Project, path: str) -> tuple[FieldPlace, ...]:
    """The fields a path leads to.

    Parameters
    ----------
    path
        Such as "scenario.speed"; with `*` as many fields as there are.

    Returns
    -------
    Where each field is, with its title and unit.

    Raises
    ------
    InputError
        When there is none.
    """
    levels = levels_of(path)
    if not levels:
        raise InputError(f"'{path}': is no path of a field; write one like scenario.speed.")
    found = _resolve(project, list(levels), (), path)
    if not found:
        raise InputError(f"'{path}': nothing in the project has that field.")
    return tuple(_place(project, keys) for keys in found)


def levels_of(path: str) -> tuple[str, ...]:
    """The levels of a path, none for what is no path."""
    return tuple(a or b for a, b in LEVEL.findall(path)) if not LEVEL.sub("", path).strip(".") else ()


def set_field(project: Project, path: str, value: Any) -> Project:
    """The project with the field at a path set to a value.

    Parameters
    ----------
    path
        Such as "scenario.speed"; with `*` all the fields that it leads to.
    value
        In SI.

    Returns
    -------
    The changed project.

    Raises
    ------
    InputError
        For a path that is no field and for a value the field cannot take.
    """
    return change_fields(project, path, lambda _: value)


def change_fields(project: Project, path: str, change: Callable[[Any], Any]) -> Project:
    """The project with every field at a path set to change(value now)."""
    positions = field_at(project, path)
    return _made(project, {position.keys: change(position.value) for position in positions})


def _made(project: Project, values: Mapping[Keys, Any]) -> Project:
    typed = {
        str(keys[1]): value for keys, value in values.items() if len(keys) == 2 and keys[0] == "point_ride"
    }
    if typed:  # what is typed there has to hold instead of what follows from the train
        return set_point_ride(project, typed)
    made: Project = _rebuilt(project, values, "")
    return made_anew(project, made)


def _resolve(node: Any, levels: list[str], done: Keys, path: str) -> list[Keys]:
    """Keys of everything the levels lead to from a node."""
    if not levels:
        return [done]
    level, rest = levels[0], levels[1:]
    where = _text(done) or "the project"
    if isinstance(node, Frozen):
        fields = dict(node)
        name = current_field(level, fields)
        if name not in fields:
            raise InputError(f"'{path}': {where} has no field '{level}'; it has {', '.join(fields)}.")
        return _resolve(fields[name], rest, (*done, name), path)
    if isinstance(node, tuple):
        if level == "*":
            return _every(node, rest, done, path)
        index = _entry(node, level)
        if index is not None:
            return _resolve(node[index], rest, (*done, index), path)
        names = [entry.name for entry in node if hasattr(entry, "name")][:MAX_NAMED]
        named = f" named {', '.join(names)}" if names else ""
        raise InputError(
            f"'{path}': {where} has {len(node)} entries, counted from 0{named}; '{level}' is none of them."
        )
    shown = "empty" if node is None else repr(node)
    raise InputError(f"'{path}': {where} is {shown} and has no field '{level}'.")


def _every(node: tuple[Any, ...], rest: list[str], done: Keys, path: str) -> list[Keys]:
    found: list[Keys] = []
    for index, entry in enumerate(node):
        try:
            found += _resolve(entry, rest, (*done, index), path)
        except InputError:  # entries of other kinds have other fields
            continue
    return found


def _entry(node: tuple[Any, ...], level: str) -> int | None:
    if (index := natural(level)) is not None:
        return index if index < len(node) else None
    return next((k for k, entry in enumerate(node) if getattr(entry, "name", None) == level), None)


def _text(keys: Keys) -> str:
    return ".".join(str(key) for key in keys)


def _place(project: Project, keys: Keys) -> FieldPlace:
    node: Any = project
    owner: type[Frozen] = type(project)
    name = str(keys[0])
    for key in keys:
        if isinstance(node, Frozen):
            owner, name = type(node), str(key)
            node = getattr(node, name)
        else:
            node = node[key]
    spec = spec_of(owner, name)
    # what people see may be another unit of the same quantity; the number in the file has the first one
    return FieldPlace(
        keys, _text(keys), spec.title or name, str(told(owner.model_fields[name], "unit")), node
    )


def _rebuilt(node: Any, values: Mapping[Keys, Any], where: str) -> Any:
    """A copy of a node with what the keys lead to replaced, every description on the way checked again."""
    if () in values:
        return values[()]
    inner: dict[str | int, dict[Keys, Any]] = {}
    for keys, value in values.items():
        inner.setdefault(keys[0], {})[keys[1:]] = value
    if isinstance(node, tuple):
        return tuple(
            _rebuilt(entry, inner[k], f"{where}.{k}") if k in inner else entry for k, entry in enumerate(node)
        )
    fields = {
        str(key): _rebuilt(getattr(node, str(key)), part, f"{where}.{key}".strip("."))
        for key, part in inner.items()
    }
    return changed(node, where or "Project", fields)
