"""A page of the inspector as plain values: groups of fields bound to edits of the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from app.document.selection import Selection
from app.model_editor.field_book import FieldSpec
from core.project.project import Project


@dataclass(frozen=True)
class Field:
    """A field of a page: how it is shown, its value in a project, the edit that changes it, its choices.

    change returns the project and, when the selection goes along (a renaming), the new selection. step: the name
    of the undo step.
    """

    spec: FieldSpec
    get: Callable[[Project], Any]
    change: Callable[[Project, Any], tuple[Project, Selection | None]]
    step: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Fields under one heading; notes are sentences shown below them."""

    title: str
    fields: tuple[Field, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """Everything about one selection: heading, what it is, the icon, its groups; model: show what moves."""

    title: str
    kind: str
    icon: str
    groups: tuple[Group, ...]
    model: bool = False

    @property
    def signature(self) -> tuple[Any, ...]:
        """Equal for pages that differ only in values and in words."""
        return tuple(
            (g.title, len(g.notes), tuple((f.spec.name, f.spec.unit, f.spec.label) for f in g.fields))
            for g in self.groups
        )


def plain(
    spec: FieldSpec,
    edit: Callable[[Project, dict[str, Any]], Project],
    holder: Callable[[Project], Any],
    of: str,
    choices: tuple[str, ...] = (),
) -> Field:
    """A field that reads an attribute of what `holder` returns and writes it by `edit`; of: whose it is, in words."""
    return Field(
        spec,
        lambda project: getattr(holder(project), spec.name),
        lambda project, value: (edit(project, {spec.name: value}), None),
        f"Change {spec.label.lower()} of {of}",
        choices or tuple(spec.words),
    )
