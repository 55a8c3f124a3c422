"""Edits of the lists that stand as tables in an element: rows changed, added, deleted, several at once.

A list is one that its description marks with what a row is called (`row` of `described`). Rows of one list may name
those of another, as beams name nodes; a name that changes is carried along, and rows go with what they name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..base.errors import InputError
from ..base.fields import FieldSpec, lists_of, model_of_rows, references, specs_of
from ..base.frozen import Frozen
from ..project.project import Project
from .changes import changed, free_name
from .elements import element_at, set_element

Path = tuple[str, ...]
Lists = dict[str, list[Any]]


def list_of(element: Frozen, name: str) -> FieldSpec:
    """One of the lists of an element; InputError where it has none of that name."""
    found = next((spec for spec in lists_of(type(element)) if spec.name == name), None)
    if found is None:
        raise InputError(f"There is no list '{name}' here that could be edited.")
    return found


def row_title(row: Frozen, k: int) -> str:
    """What a row is called: its name, else what it names ("A - B"), else its number, counted from 1."""
    named = getattr(row, "name", "")
    refers = [str(getattr(row, spec.name)) for spec in specs_of(type(row)) if spec.refers_to]
    return str(named or " - ".join(refers) or k + 1)


def set_rows(
    project: Project, kind: str, path: Path, name: str, chosen: Collection[int], values: Mapping[str, Any]
) -> Project:
    """Change fields of some rows of the list `name` of an element; rows that name a renamed one follow.

    Raises InputError for a value that is not allowed, and a name given to several.
    """
    element = element_at(project, kind, path)
    spec, lists = list_of(element, name), _lists(element)
    if "name" in values and len(chosen) > 1:
        raise InputError(f"Several {spec.title.lower()} cannot have the same name; give each its own.")
    for k in chosen:
        old = lists[name][k]
        lists[name][k] = new = changed(
            old, f"{spec.row.capitalize()} '{row_title(old, k)}' of '{path[-1]}'", values
        )
        if "name" in values and new.name != old.name:
            for rows, i, field in _naming(lists, spec.row, {old.name}):
                rows[i] = rows[i].model_copy(update={field: new.name})
    return _put(project, kind, path, lists)


def add_rows(
    project: Project, kind: str, path: Path, name: str, rows: Sequence[Frozen], at: int | None = None
) -> tuple[Project, tuple[int, ...]]:
    """Add rows to a list of an element behind number `at`, or at the end; a name in use gets a number. Returns the
    project and their numbers."""
    element = element_at(project, kind, path)
    list_of(element, name)
    lists = _lists(element)
    first = len(lists[name]) if at is None else at + 1
    for k, row in enumerate(rows):
        if "name" in type(row).model_fields:
            taken = [one.name for one in lists[name]]
            row = row.model_copy(update={"name": free_name(row.name, taken)})  # type: ignore[attr-defined]
        lists[name].insert(first + k, row)
    return _put(project, kind, path, lists), tuple(range(first, first + len(rows)))


def new_row(element: Frozen, name: str, bodies: Sequence[str]) -> Frozen:
    """A new row of a list whose rows name bodies: of the first of some bodies that none of them names yet."""
    made = model_of_rows(type(element), name)
    fields = references(made, "body")
    taken = {getattr(row, field) for row in getattr(element, name) for field in fields}
    taken |= {getattr(element, field) for field in references(type(element), "body")}
    body = next((one for one in bodies if one not in taken), bodies[0])
    return made(**dict.fromkeys(fields, body))


def duplicate_rows(
    project: Project, kind: str, path: Path, name: str, chosen: Collection[int]
) -> tuple[Project, tuple[int, ...]]:
    """Copy rows of a list behind the last of them. Returns the project and the numbers of the copies."""
    rows = _lists(element_at(project, kind, path))[name]
    return add_rows(project, kind, path, name, [rows[k] for k in sorted(chosen)], max(chosen))


def delete_rows(project: Project, kind: str, path: Path, name: str, chosen: Collection[int]) -> Project:
    """Delete rows of a list, and those of other lists that name them (see `rows_with`)."""
    element = element_at(project, kind, path)
    gone, lists = rows_with(element, name, chosen), _lists(element)
    left = {
        field: [row for k, row in enumerate(rows) if k not in gone.get(field, ())]
        for field, rows in lists.items()
    }
    return _put(project, kind, path, left)


def rows_with(element: Frozen, name: str, chosen: Collection[int]) -> dict[str, set[int]]:
    """The rows that go when some of the list `name` do, those that name them included; numbers by list."""
    spec, lists = list_of(element, name), _lists(element)
    names = {getattr(lists[name][k], "name", None) for k in chosen}
    gone = {name: set(chosen)}
    for rows, i, _ in _naming(lists, spec.row, names):
        field = next(field for field, own in lists.items() if own is rows)
        gone.setdefault(field, set()).add(i)
    return gone


def _lists(element: Frozen) -> Lists:
    return {spec.name: list(getattr(element, spec.name)) for spec in lists_of(type(element))}


def _naming(lists: Lists, what: str, names: Collection[str | None]) -> Iterator[tuple[list[Any], int, str]]:
    """Rows, by list and number, and their fields, that name one of the rows called `what`."""
    for rows in lists.values():
        for i, row in enumerate(rows):
            for field in references(type(row), what):
                if getattr(row, field) in names:
                    yield rows, i, field


def _put(project: Project, kind: str, path: Path, lists: Lists) -> Project:
    return set_element(project, kind, path, {name: tuple(rows) for name, rows in lists.items()})
