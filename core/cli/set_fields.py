"""`--set key=value`: change fields of a project from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from ..base.errors import InputError
from ..base.reading import natural
from ..edits.field_paths import MAX_NAMED, levels_of
from ..edits.riders import made_anew
from ..project.project import Project, parse_project
from ..project.versions import current_field

SHOWN = 120  # characters of the assignments in a message


def set_fields(project: Project, assignments: Iterable[str], asked: str = "") -> Project:
    """A project with some fields changed.

    assignments: texts "a.b.0.c=value": the path of a field in the project file as studies have it (entries of lists
    counted from 0, by their names, or `*` for all that have the rest), and its new value in JSON, or plain text; names
    that fields had in older files are understood. A rider of whom another person is asked for is made
    anew. asked: what was typed, where it was another option. Raises InputError for an unknown field or a value it
    cannot take.
    """
    assignments = tuple(assignments)
    if not assignments:
        return project
    data = project.model_dump(mode="json")
    for assignment in assignments:
        path, equals, text = assignment.partition("=")
        levels = levels_of(path.strip())
        if not equals or not levels:
            raise InputError(f"--set {assignment}: expected key=value, such as settings.tolerance=1e-4.")
        _set(data, project, levels, 0, (_value(text), assignment))
    shown = " ".join(assignments)
    asked = asked or f"--set {shown}"
    made = parse_project(data, asked if len(asked) <= SHOWN else asked[:SHOWN] + "...")
    return made_anew(project, made)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _set(node: Any, model: Any, levels: tuple[str, ...], depth: int, wanted: tuple[Any, str]) -> None:
    """Set what levels from a depth on lead to from a node of a file to a value. model: what the node was made of, None
    where it was not; wanted: the value, and how it was asked for."""
    level, where = levels[depth], ".".join(levels[:depth]) or "the project"
    if level == "*" and isinstance(node, list):
        _set_every(node, model, levels, depth, wanted)
        return
    if isinstance(model, BaseModel) and level in type(model).model_fields and level not in node:
        node[level] = to_jsonable_python(getattr(model, level))  # files have it only where it is set
    key = _key(node, level, where, wanted[1])
    if depth == len(levels) - 1:
        node[key] = wanted[0]
    else:
        _set(node[key], _below(model, key), levels, depth + 1, wanted)


def _set_every(
    node: list[Any], model: Any, levels: tuple[str, ...], depth: int, wanted: tuple[Any, str]
) -> None:
    """Set it in all entries of a list that have the rest of the path."""
    refused: InputError | None = None
    found = False
    for index in range(len(node)):
        try:
            _set(node, model, (*levels[:depth], str(index), *levels[depth + 1 :]), depth, wanted)
            found = True
        except InputError as error:  # entries of other kinds have other fields
            refused = error
    if not found:
        empty = f"--set {wanted[1]}: {'.'.join(levels[:depth])} is empty."
        raise refused or InputError(empty)


def _below(model: Any, key: str | int) -> Any:
    if isinstance(model, tuple):
        return model[key] if isinstance(key, int) and key < len(model) else None
    return getattr(model, str(key), None) if isinstance(model, BaseModel) else None


def _key(node: Any, part: str, where: str, assignment: str) -> Any:
    if isinstance(node, dict):
        field = current_field(part, node)
        if field in node:
            return field
        raise InputError(f"--set {assignment}: {where} has no field '{part}'; it has {', '.join(node)}.")
    if isinstance(node, list):
        names = [entry.get("name") if isinstance(entry, dict) else None for entry in node]
        index = names.index(part) if part in names else natural(part)
        if index is not None and index < len(node):
            return index
        named = [str(name) for name in names if name][:MAX_NAMED]
        said = f"; their names are {', '.join(named)}" if named else ""
        raise InputError(
            f"--set {assignment}: {where} has {len(node)} entries, counted from 0; '{part}' is none{said}."
        )
    raise InputError(f"--set {assignment}: {where} is {json.dumps(node)} and has no field '{part}'.")
