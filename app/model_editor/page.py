"""A page of the inspector as plain values: groups of fields bound to edits of the project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...core.base.fields import FieldSpec, model_of_rows, specs_of
from ...core.base.frozen import Frozen
from ...core.model.law_curves import LawCurve
from ...core.project.project import Project
from ..document.selection import Selection


@dataclass(frozen=True)
class Field:
    """A field of a page: how it is shown, its value in a project, the edit that changes it, its choices.

    change returns the project and, when the selection goes along (a renaming), the new selection. step: the name
    of the undo step. end: "i" or "j" of a point on one of the two bodies that something joins.
    """

    spec: FieldSpec
    get: Callable[[Project], Any]
    change: Callable[[Project, Any], tuple[Project, Selection | None]]
    step: str
    choices: tuple[str | None, ...] = ()
    end: str = ""


@dataclass(frozen=True)
class Group:
    """Fields under one heading; notes are sentences shown below them. folded: until somebody opens it."""

    title: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...] = ()
    folded: bool = False


@dataclass(frozen=True)
class Page:
    """Everything about one selection: heading, what it is, the icon, its groups; model: show what moves; law: curves of
    force over travel that are drawn above the fields."""

    title: str
    kind: str
    icon: str
    groups: tuple[Group, ...]
    model: bool = False
    law: tuple[LawCurve, ...] = ()

    @property
    def signature(self) -> tuple[Any, ...]:
        """Equal for pages that differ only in values and in words."""
        groups = (
            (g.title, len(g.notes), tuple((f.spec.name, f.spec.unit, f.spec.title) for f in g.fields))
            for g in self.groups
        )
        return bool(self.law), *groups


def plain(
    spec: FieldSpec,
    edit: Callable[[Project, dict[str, Any]], Project],
    holder: Callable[[Project], Any],
    of: str,
    choices: tuple[str, ...] = (),
) -> Field:
    """A field that reads an attribute of what `holder` returns and writes it by `edit`; of: whose it is, in words."""

    if spec.entry == "rows" and spec.row:
        return _rows(spec, edit, holder, of)

    def change(project: Project, value: Any) -> tuple[Project, None]:
        emptied = {spec.instead_of: None} if spec.instead_of and value is not None else {}
        return edit(project, {spec.name: value, **emptied}), None

    nothing = (None,) if choices and spec.empty else ()
    return Field(
        spec,
        lambda project: getattr(holder(project), spec.name),
        change,
        f"Change {spec.title.lower()} of {of}",
        (*nothing, *choices) or tuple(spec.words),
    )


def _rows(
    spec: FieldSpec,
    edit: Callable[[Project, dict[str, Any]], Project],
    holder: Callable[[Project], Any],
    of: str,
) -> Field:
    """A list of descriptions that hold nothing but numbers, as rows of these."""

    def numbers(project: Project) -> tuple[tuple[float, ...], ...]:
        return tuple(tuple(value for _, value in row) for row in getattr(holder(project), spec.name))

    def change(project: Project, rows: Any) -> tuple[Project, None]:
        names = [one.name for one in specs_of(model_of_rows(type(holder(project)), spec.name))]
        made = [dict(zip(names, row, strict=True)) for row in rows]
        return edit(project, {spec.name: made}), None

    return Field(spec, numbers, change, f"Change {spec.title.lower()} of {of}", ())


def fields_of(
    project: Project,
    edit: Callable[[Project, dict[str, Any]], Project],
    holder: Callable[[Project], Any],
    of: str,
    choices: Callable[[FieldSpec], tuple[str, ...]] = lambda spec: (),
    kind_of: Callable[[str], str] | None = None,
) -> tuple[Field, ...]:
    """The fields of what `holder` returns that mean something as it is, each in the unit that holds for it.

    choices: names that a field may refer to; kind_of: the value of a field, or the kind of the joint it names, on which
    the unit of another depends.
    """
    shown: Frozen = holder(project)
    value_of = kind_of or (lambda name: str(getattr(shown, name)))
    found: list[Field] = []
    for spec in specs_of(type(shown)):
        if not spec.applies(shown):
            continue
        if spec.entry == "group" and getattr(shown, spec.name) is None:
            continue
        if spec.entry == "group":
            found += _inside(project, spec, edit, holder, of)
        else:
            found.append(plain(spec.fitted(value_of), edit, holder, of, choices(spec)))
    return tuple(found)


def _inside(
    project: Project,
    outer: FieldSpec,
    edit: Callable[[Project, dict[str, Any]], Project],
    holder: Callable[[Project], Any],
    of: str,
) -> tuple[Field, ...]:
    """The fields of a description inside another one, under its title."""

    def inner(p: Project) -> Any:
        return getattr(holder(p), outer.name)

    def changed(p: Project, values: dict[str, Any]) -> Project:
        return edit(p, {outer.name: {**dict(inner(p)), **values}})

    fields = fields_of(project, changed, inner, f"{outer.title.lower()} of {of}")
    return tuple(replace(f, spec=replace(f.spec, group=f.spec.group or outer.title)) for f in fields)


def grouped(fields: Sequence[Field], notes: tuple[str, ...] = (), title: str = "") -> tuple[Group, ...]:
    """Fields under the headings their descriptions give them; those without come first, under `title`."""
    headings = dict.fromkeys(field.spec.group for field in fields)
    groups = [Group(title, tuple(f for f in fields if not f.spec.group), notes)]
    groups += [Group(head, tuple(f for f in fields if f.spec.group == head)) for head in headings if head]
    return tuple(groups)
