"""Fields of seats, riders and cars, until their descriptions carry their own words."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from core.base import fields
from core.base.fields import FieldSpec
from core.base.frozen import Frozen


@cache
def _book() -> dict[str, dict[str, Any]]:
    text = (resources.files("resources") / "fields" / "fields.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def specs_of(model: type[Frozen]) -> tuple[FieldSpec, ...]:
    """The fields of a description in the order they are shown."""
    kind = model.model_fields.get("kind")
    group = kind.default if kind is not None and isinstance(kind.default, str) else model.__name__.lower()
    rows = _book().get(group)
    if rows is None or any(info.title for name, info in model.model_fields.items() if name != "kind"):
        return fields.specs_of(model)
    made = []
    for name, row in rows.items():
        values = {**row, "title": row["label"], "entry": row["type"]}
        spec = replace(
            fields.spec_of(model, name), **{k: v for k, v in values.items() if k not in ("label", "type")}
        )
        made.append(replace(spec, axes=tuple(spec.axes), columns=tuple(tuple(c) for c in spec.columns)))
    return tuple(made)
