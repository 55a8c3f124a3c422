"""Couplings between neighbouring cars of a train: one file a kind. Every file of this folder that has a TYPE is one
(see `core.model.couplings.base`).

A coupling is made of joints, force elements and bodies of the train, see `core.model.coupled`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from .base import CouplingBase, CouplingType


def _found() -> dict[str, CouplingType]:
    modules = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    types: list[CouplingType] = [m.TYPE for m in modules if hasattr(m, "TYPE")]
    return {made.kind: made for made in sorted(types, key=lambda made: made.word.lower())}


TYPES = _found()
_MODELS = tuple(made.model for made in TYPES.values())
if TYPE_CHECKING:
    Coupling = CouplingBase
else:
    Coupling = Annotated[Union[_MODELS], Field(discriminator="kind")]  # noqa: UP007


def coupling_type(coupling: CouplingBase) -> CouplingType:
    """The kind of a coupling."""
    return TYPES[coupling.kind]


__all__ = ["TYPES", "Coupling", "CouplingBase", "CouplingType", "coupling_type"]
