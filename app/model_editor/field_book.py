"""How fields are shown: labels, units and help from resources/fields, ranges from the descriptions themselves."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

import annotated_types

from core.base.frozen import Frozen


@dataclass(frozen=True)
class FieldSpec:
    """One field of a description as a person sees it.

    name: of the field; label, help; type: which kind of entry; unit: SI unit inside; words: what the choices are
    called; axes: labels of the components of a vector; empty: what no value means; columns: heading and SI unit of
    each column of rows; low, high: range in SI, exclusive where the flag says so.
    """

    name: str
    label: str
    type: str
    help: str = ""
    unit: str = ""
    slide_unit: str = ""
    empty: str = ""
    words: dict[str, str] = field(default_factory=dict)
    axes: tuple[str, ...] = ("x", "y", "z")
    columns: tuple[tuple[str, str], ...] = ()
    low: float | None = None
    high: float | None = None
    low_open: bool = False


@cache
def _book() -> dict[str, dict[str, Any]]:
    text = (resources.files("resources") / "fields" / "fields.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _specs(group: str, model: type[Frozen]) -> dict[str, FieldSpec]:
    made = {}
    for name, row in _book()[group].items():
        if name not in model.model_fields:
            continue
        values = dict(row)
        if "axes" in values:
            values["axes"] = tuple(values["axes"])
        if "columns" in values:
            values["columns"] = tuple((head, unit) for head, unit in values["columns"])
        made[name] = FieldSpec(name=name, **values, **_range(model, name))
    return made


def specs_of(group: str, model: type[Frozen]) -> tuple[FieldSpec, ...]:
    """The fields of a description in the order they are shown; group: its heading in the field book."""
    return tuple(_specs(group, model).values())


def _range(model: type[Frozen], name: str) -> dict[str, Any]:
    """The limits a description puts on a number, or on each number of a vector."""
    out: dict[str, Any] = {}
    for mark in _marks(model.model_fields[name].annotation, list(model.model_fields[name].metadata)):
        if isinstance(mark, annotated_types.Ge):
            out["low"] = float(mark.ge)  # type: ignore[arg-type]
        elif isinstance(mark, annotated_types.Gt):
            out["low"], out["low_open"] = float(mark.gt), True  # type: ignore[arg-type]
        elif isinstance(mark, annotated_types.Le):
            out["high"] = float(mark.le)  # type: ignore[arg-type]
        elif isinstance(mark, annotated_types.Lt):
            out["high"] = float(mark.lt)  # type: ignore[arg-type]
    return out


def _marks(annotation: Any, found: list[Any]) -> list[Any]:
    """Constraints in an annotation, those inside Optional, tuple and Annotated included."""
    out: list[Any] = []
    for mark in found:
        out += getattr(mark, "metadata", None) or [mark]
    for mark in getattr(annotation, "__metadata__", ()):
        out += getattr(mark, "metadata", None) or [mark]
    for part in getattr(annotation, "__args__", ()):
        out += _marks(part, [])
    return out
