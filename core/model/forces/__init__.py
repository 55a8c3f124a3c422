"""Force elements: one file a type. Every file of this folder that has a TYPE is one (see `core.model.forces.base`)."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Any, Union

from pydantic import Field

from ..laws import Law
from .base import ElementType, ForceElement, Use


def _found() -> dict[str, ElementType]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    types: list[ElementType] = [m.TYPE for m in modules if hasattr(m, "TYPE")]
    return {made.kind: made for made in sorted(types, key=lambda made: made.word.lower())}


TYPES = _found()
if TYPE_CHECKING:
    Force = ForceElement
else:
    Force = Annotated[Union[tuple(made.model for made in TYPES.values())], Field(discriminator="kind")]  # noqa: UP007


def type_of(element: Any) -> ElementType | None:
    """The type of a force element; None for anything else."""
    return TYPES.get(element.kind) if isinstance(element, ForceElement) else None


def laws() -> tuple[Law, ...]:
    """All laws that types use, each once: those that stand in the types' files and the common ones."""
    from .. import laws as common

    modules = [common, *(import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__))]
    found = {id(value): value for m in modules for value in vars(m).values() if isinstance(value, Law)}
    return tuple(sorted(found.values(), key=lambda law: law.name))


__all__ = ["TYPES", "ElementType", "Force", "ForceElement", "Use", "laws", "type_of"]
