"""The element sections: what a person can lay besides splines, straights and tables. One file a kind; every file of
this folder that has a KIND is one (see `core.track.elements.base`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import Field

from .base import CutPlace, Element, ElementEntry, ElementKind, Halves, RiddenElement, StartPose

GROUPS = ("Curves", "Hills", "Inversions", "Forces")  # of the Insert menu, in order; others come behind them


def _found() -> dict[str, ElementKind]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    kinds: list[ElementKind] = [m.KIND for m in modules if hasattr(m, "KIND")]
    return {made.kind: made for made in kinds}


def _offered() -> tuple[ElementEntry, ...]:
    entries = [ElementEntry(sized, made.model) for made in KINDS.values() for sized in made.menu]
    order = {group: k for k, group in enumerate(GROUPS)}
    return tuple(
        sorted(entries, key=lambda e: (order.get(e.group, len(order)), e.group, e.sized.rank, e.title))
    )


KINDS = _found()
ELEMENTS = _offered()
if TYPE_CHECKING:
    AnyElement = Element
else:
    AnyElement = Annotated[Union[tuple(made.model for made in KINDS.values())], Field(discriminator="kind")]  # noqa: UP007


def kind_of(section: Any) -> ElementKind | None:
    """The kind of an element section; None for other sections."""
    return KINDS.get(section.kind) if isinstance(section, Element) else None


def element_entry(id: str) -> ElementEntry:
    """The entry of the Insert menu called `id`; KeyError when there is none."""
    for entry in ELEMENTS:
        if entry.id == id:
            return entry
    raise KeyError(id)


def entry_of(section: Element) -> ElementEntry:
    """The first entry of the Insert menu that makes sections of the kind of this one."""
    return next(entry for entry in ELEMENTS if entry.model is type(section))


def name_by_direction(section: Element, title: str = "") -> str:
    """What a section is called by what it is and where it goes: "Left turn", "Crest"; the title where its kind has no
    such names, "" without one."""
    return entry_of(section).sized.called.get(str(getattr(section, "direction", "")), title)


__all__ = [
    "ELEMENTS",
    "KINDS",
    "AnyElement",
    "CutPlace",
    "Element",
    "ElementEntry",
    "ElementKind",
    "Halves",
    "RiddenElement",
    "StartPose",
    "element_entry",
    "entry_of",
    "kind_of",
    "name_by_direction",
]
