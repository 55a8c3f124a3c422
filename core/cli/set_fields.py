"""`--set key=value`: change fields of a project from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from ..base.errors import InputError
from ..base.reading import natural
from ..edits.riders import made_anew
from ..project.project import Project, parse_project
from ..project.versions import current_field

SHOWN = 120  # characters of the assignments in a message


def set_fields(project: Project, assignments: Iterable[str]) -> Project:
    """A project with some fields changed.

    assignments: texts "a.b.0.c=value": the dotted path of a field in the project file (list entries counted from
    0), and its new value in JSON, or plain text; names that fields had in older files are understood. A rider of whom
    another person is asked for is made anew. Raises InputError for an unknown field or a value it cannot take.
    """
    assignments = tuple(assignments)
    if not assignments:
        return project
    data = project.model_dump(mode="json")
    for assignment in assignments:
        path, equals, text = assignment.partition("=")
        _complete(data, project, path.strip().split("."))
        if not equals or not path.strip():
            raise InputError(f"--set {assignment}: expected key=value, such as settings.tolerance=1e-4.")
        _set(data, path.strip(), _value(text), assignment)
    shown = " ".join(assignments)
    made = parse_project(data, f"--set {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}")
    return made_anew(project, made)


def _complete(data: dict[str, Any], model: Any, keys: list[str]) -> None:
    """Put in what files have only where it is set, along a path."""
    for key in keys:
        if not isinstance(model, BaseModel) or key not in type(model).model_fields:
            return
        model = getattr(model, key)
        if key not in data:
            data[key] = to_jsonable_python(model)
        data = data[key]


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _set(data: dict[str, Any], path: str, value: Any, assignment: str) -> None:
    node: Any = data
    parts = path.split(".")
    for depth, part in enumerate(parts):
        key = _key(node, part, ".".join(parts[:depth]) or "the project", assignment)
        if depth == len(parts) - 1:
            node[key] = value
        else:
            node = node[key]


def _key(node: Any, part: str, where: str, assignment: str) -> Any:
    if isinstance(node, dict):
        field = current_field(part, node)
        if field in node:
            return field
        raise InputError(f"--set {assignment}: {where} has no field '{part}'; it has {', '.join(node)}.")
    if isinstance(node, list):
        if (index := natural(part)) is not None and index < len(node):
            return index
        raise InputError(
            f"--set {assignment}: {where} has {len(node)} entries, counted from 0; '{part}' is none."
        )
    raise InputError(f"--set {assignment}: {where} is {json.dumps(node)} and has no field '{part}'.")
