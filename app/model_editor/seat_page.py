"""What the inspector shows of seats as things: what one is made of, its restraint, and how who sits there fits."""

from __future__ import annotations

from typing import Any

from ...core.base.fields import FieldSpec, described, spec_of
from ...core.base.frozen import Frozen
from ...core.edits.changes import changed
from ...core.edits.elements import assembly_at, element_at
from ...core.edits.seats import NONE, put_seat
from ...core.human.findings import fit_at
from ...core.model.assembly import Seat
from ...core.model.library import Kind, list_library
from ...core.model.restraints import Restraint
from ...core.project.project import Project
from ..widgets import units
from .page import Group, fields_of, grouped

PADDING = spec_of(Restraint, "padding").title


class MadeOf(Frozen):
    """What a place to sit is, by the titles of the library."""

    shape: str | None = described(
        None, "Seat", "What it is made of; a generated rider there is fitted to it.", entry="choice",
        empty="not said",
    )  # fmt: skip
    restraint: str | None = described(
        None, "Restraint", "What closes onto who sits there.", entry="choice", empty="none"
    )


def seat_groups(project: Project, path: tuple[str, ...]) -> tuple[Group, ...]:
    """The groups of a seat's page about what it is made of and what restrains."""
    seat: Seat = element_at(project, "seat", path)
    shown = (*_choices(project, path), *_adjusts(project, path))
    made = Group("Made of", shown, (_fit_note(project, path),))
    if seat.restraint is None:
        return (made,)

    def edit(p: Project, values: dict[str, Any]) -> Project:
        old = element_at(p, "seat", path).restraint
        return put_seat(p, path[:-1], path[-1], restraint=changed(old, f"Restraint of '{path[-1]}'", values))

    fields = fields_of(
        project, edit, lambda p: element_at(p, "seat", path).restraint, f"the restraint of {path[-1]}"
    )
    shown = tuple(f for f in fields if f.spec.name not in ("name", "source"))
    if seat.restraint.webbing is not None:  # in place of which pads would push
        shown = tuple(f for f in shown if f.spec.group != PADDING)
    return made, *grouped(shown, title="Restraint")


def _adjusts(project: Project, path: tuple[str, ...]) -> tuple[Any, ...]:
    """Whether the seat is adjusted to who sits there, where something of it can be."""
    shape = element_at(project, "seat", path).shape
    if shape is None or not any(part.adjustable for part in shape.parts):
        return ()

    def edit(p: Project, values: dict[str, Any]) -> Project:
        old = element_at(p, "seat", path).shape
        return put_seat(p, path[:-1], path[-1], changed(old, f"Seat '{path[-1]}'", values))

    fields = fields_of(project, edit, lambda p: element_at(p, "seat", path).shape, path[-1])
    return tuple(field for field in fields if field.spec.name == "to_fit")


def _choices(project: Project, path: tuple[str, ...]) -> tuple[Any, ...]:
    titles: dict[str, dict[str, str]] = {
        kind: {entry.title: entry.key for entry in list_library((kind,))} for kind in _KINDS.values()
    }

    def holder(p: Project) -> MadeOf:
        seat: Seat = element_at(p, "seat", path)
        return MadeOf(
            shape=seat.shape.name if seat.shape else None,
            restraint=seat.restraint.name if seat.restraint else None,
        )

    def edit(p: Project, values: dict[str, Any]) -> Project:
        now = dict(holder(p))
        keys = {
            name: NONE if title is None else titles[_KINDS[name]][title]
            for name, title in values.items()
            if title != now[name]
        }
        return put_seat(p, path[:-1], path[-1], **keys) if keys else p

    def choices(spec: FieldSpec) -> tuple[str, ...]:
        own = getattr(holder(project), spec.name)
        return tuple(dict.fromkeys((*titles[_KINDS[spec.name]], *((own,) if own else ()))))

    return fields_of(project, edit, holder, path[-1], choices)


_KINDS: dict[str, Kind] = {"shape": "seat", "restraint": "restraint"}


def _fit_note(project: Project, path: tuple[str, ...]) -> str:
    holder = assembly_at(project, path[:-1])
    rider = next((one.name for one in holder.riders if one.seat == path[-1]), None)
    if rider is None:
        return "Nobody sits there."
    assert project.assembly is not None
    found = fit_at(project.assembly, (*path[:-1], rider))
    return units.in_units(found.said) if found else "How riders fit is told once it says what it is made of."
