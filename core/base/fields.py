"""What a person is told of a field of a description: title, help, SI unit, and what it refers to.

It stands with the field itself, so that the inspector, the report, the plots and the JSON Schema say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from pydantic.fields import FieldInfo

from core.base.frozen import Frozen

AXES = ("ξ", "η", "ζ")  # of a body

Positive = Annotated[float, Field(gt=0.0)]
NonNegative = Annotated[float, Field(ge=0.0)]


def described(
    default: Any,
    title: str,
    help: str = "",
    *,
    unit: str = "",
    slide_unit: str = "",
    entry: str = "",
    refers_to: str = "",
    empty: str = "",
    words: Mapping[str, str] | None = None,
    axes: tuple[str, ...] = (),
    columns: tuple[tuple[str, str], ...] = (),
    **more: Any,
) -> Any:
    """A field of a pydantic model with what a person is told of it; `...` as default makes it required.

    title: the label, without unit; help: one sentence; unit: of the stored number, SI (slide_unit: where it acts in a
    joint that slides); entry: how it is edited where its type does not say so ("number", "optional", "vector",
    "direction", "angles", "text", "long_text", "choice", "flag", "rows", "function", "functions"); refers_to: "body",
    "joint", "guide" or "seat" when the text is a name of one; empty: what no value means; words: what the choices are
    called; axes: labels of the components of a vector; columns: heading and SI unit of each column of rows. more:
    arguments of pydantic.Field, such as limits.
    """
    extra: dict[str, Any] = {
        "unit": unit, "slide_unit": slide_unit, "entry": entry, "refers_to": refers_to, "empty": empty,
        "words": dict(words or {}), "axes": list(axes), "columns": [list(c) for c in columns],
    }  # fmt: skip
    kept: dict[str, Any] = {key: value for key, value in extra.items() if value}
    return Field(default, title=title, description=help or None, json_schema_extra=kept or None, **more)


def told(field: FieldInfo, key: str, otherwise: Any = "") -> Any:
    """One of the keyword arguments of `described` of a field."""
    extra = field.json_schema_extra
    return extra.get(key, otherwise) if isinstance(extra, dict) else otherwise


def references(model: type[Frozen], what: str) -> tuple[str, ...]:
    """Names of the fields of a description that hold the name of a body, joint, guide or seat, as `what` says."""
    return tuple(name for name, field in model.model_fields.items() if told(field, "refers_to") == what)
