"""The page of several things of a kind: what they have in common, changed for all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...core.project.project import Project
from ..document.selection import MANY, Selection
from ..widgets.number_entry import SEVERAL
from .page import Field, Page, grouped

Change = Callable[[Project, Any], tuple[Project, Selection | None]]
PLAIN = ("number", "optional", "flag", "choice")  # entries that can show that values differ
WHOLE = ("vector", "direction", "angles", "long_text")  # those of one value, shown where all have the same
NAMED = 6  # of them are named under the title


def common_page(project: Project, selection: Selection, pages: Sequence[Page]) -> Page:
    """One page of the pages of everything that is selected."""
    title = f"{len(pages)} {MANY[selection.kind]}"
    fields = []
    for same in fields_in_common(
        project, [[f for group in page.groups for f in group.fields] for page in pages]
    ):
        step = f"Change {same[0].spec.title.lower()} of {title}"
        fields.append(replace(common_field(same, step), change=_of_each(selection, same)))
    note = "What they have in common; a value given here goes to all of them."
    if not fields:
        note = "They have no field in common that could be changed for all of them."
    names = ", ".join(page.title for page in pages[:NAMED]) + (", …" if len(pages) > NAMED else "")
    return Page(title, names, pages[0].icon, grouped(fields, (note,)))


def fields_in_common(project: Project, every: Sequence[Sequence[Field]]) -> Iterator[list[Field]]:
    """The fields that all of several things have and that can be given to all of them, each as many times."""
    others = [{f.spec.name: f for f in fields} for fields in every[1:]]
    for field in every[0]:
        same = [field, *(other[field.spec.name] for other in others if field.spec.name in other)]
        if len(same) == len(every) and _fits(project, same):
            yield same


def _fits(project: Project, same: Sequence[Field]) -> bool:
    """Whether a field means the same in all pages and can be given to all of them."""
    spec = same[0].spec
    if spec.name == "name" or any(f.spec != spec or f.choices != same[0].choices for f in same[1:]):
        return False
    first = same[0].get(project)
    return spec.entry in PLAIN or (spec.entry in WHOLE and all(f.get(project) == first for f in same[1:]))


def common_field(same: Sequence[Field], step: str) -> Field:
    """A field of several things as one, whose value goes to all of them; step: the name of the undo step."""

    def get(project: Project) -> Any:
        first, *rest = (field.get(project) for field in same)
        return first if all(value == first for value in rest) else SEVERAL

    def change(project: Project, value: Any) -> tuple[Project, None]:
        for field in same:
            project, _ = field.change(project, value)
        return project, None

    return replace(same[0], get=get, change=change, step=step, end="")


def _of_each(selection: Selection, same: Sequence[Field]) -> Change:
    def change(project: Project, value: Any) -> tuple[Project, Selection | None]:
        there = []  # a change may go along with another name
        for one, field in zip(selection.each, same, strict=True):
            project, moved = field.change(project, value)
            there.append(one.path if moved is None else moved.path)
        after = replace(selection, path=there[0], also=tuple(there[1:]))
        return project, None if after == selection else after

    return change
