"""What a person is told of a field of a description: title, help, SI unit, and what it refers to.

It stands with the field itself, so that the inspector, the report, the plots and the JSON Schema say the same.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import Field
from pydantic.fields import FieldInfo

from .frozen import Frozen

AXES = ("ξ", "η", "ζ")  # of a body
DIMENSIONLESS = "1"
NUMBERS = (float, int)

Positive = Annotated[float, Field(gt=0.0)]
NonNegative = Annotated[float, Field(ge=0.0)]


def described(
    default: Any,
    title: str,
    help: str = "",
    *,
    unit: str = "",
    unit_by: tuple[str, Mapping[str, str]] | None = None,
    shown: str = "",
    entry: str = "",
    refers_to: str | tuple[str, ...] = "",
    empty: str = "",
    words: Mapping[str, str] | None = None,
    axes: tuple[str, ...] = (),
    columns: tuple[tuple[str, str], ...] = (),
    group: str = "",
    when: Mapping[str, tuple[Any, ...]] | None = None,
    instead_of: str = "",
    row: str = "",
    **more: Any,
) -> Any:
    """A field of a pydantic model with what a person is told of it; `...` as default makes it required.

    title: the label, without unit. help: one sentence. unit: of the stored number, SI; `DIMENSIONLESS` for a number
    without. unit_by: another field and the unit for some of its values, where it is not `unit` (for a field that
    names a joint what force elements act on in it counts: "angle", "slide" or "turn"). shown: another unit of the
    same quantity that people use for it. entry: how it is edited where its type does not say so (see `entry_of`),
    "hidden" for not at all. refers_to: "body", "joint", "guide", "seat", "assembly", "segment" (of the rider
    itself) or "section" when the text is a name of one, or several of these, or the `row` of another list of the
    description that holds the row. empty: what no value means. words: what the choices are called. axes: labels of
    the components of a vector. columns: heading and SI unit of each column of rows. group: heading it stands under
    with others. when: values of other fields with which it means something. instead_of: another field, which a
    value here empties. row: what a row is called of a list of descriptions that is edited as a table, or, with the
    entry "rows" where all their fields are numbers, as rows of these. more: arguments of pydantic.Field, such as
    limits.
    """
    extra = {
        "unit": unit,
        "unit_by": unit_by and [unit_by[0], dict(unit_by[1])],
        "shown": shown,
        "entry": entry,
        "refers_to": [refers_to] if isinstance(refers_to, str) and refers_to else list(refers_to),
        "empty": empty,
        "words": dict(words or {}),
        "axes": list(axes),
        "columns": [list(column) for column in columns],
        "group": group,
        "when": {name: list(values) for name, values in (when or {}).items()},
        "instead_of": instead_of,
        "row": row,
    }
    kept: dict[str, Any] = {key: value for key, value in extra.items() if value}
    return Field(default, title=title, description=help or None, json_schema_extra=kept or None, **more)


def told(field: FieldInfo, key: str, otherwise: Any = "") -> Any:
    """One of the keyword arguments of `described` of a field."""
    extra = field.json_schema_extra
    return extra.get(key, otherwise) if isinstance(extra, dict) else otherwise


def references(model: type[Frozen], what: str) -> tuple[str, ...]:
    """Names of the fields of a description that hold the name of a body, joint, guide or seat, as `what` says."""
    return tuple(name for name, field in model.model_fields.items() if what in told(field, "refers_to", ()))


@dataclass(frozen=True)
class FieldSpec:
    """One field of a description as it is shown and edited; see `described`.

    entry: which kind of entry, see `entry_of`; unit: the one it is shown by; low, high: range in SI, the lower limit
    itself excluded when low_open.
    """

    name: str
    title: str
    entry: str
    help: str = ""
    unit: str = ""
    unit_by: tuple[str, Mapping[str, str]] | None = None
    refers_to: tuple[str, ...] = ()
    empty: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    axes: tuple[str, ...] = ("x", "y", "z")
    columns: tuple[tuple[str, str], ...] = ()
    group: str = ""
    when: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    instead_of: str = ""
    row: str = ""
    low: float | None = None
    high: float | None = None
    low_open: bool = False

    def applies(self, element: Frozen) -> bool:
        """Whether the field means anything for a description as it is."""
        return all(getattr(element, name) in values for name, values in self.when.items())

    def fitted(self, value_of: Callable[[str], str]) -> FieldSpec:
        """With the unit that holds for one description; value_of: of another of its fields, or the kind of the joint
        that field names."""
        if self.unit_by is None:
            return self
        other, units = self.unit_by
        return replace(self, unit=units.get(value_of(other), self.unit))


@cache
def specs_of(model: type[Frozen]) -> tuple[FieldSpec, ...]:
    """The fields of a description that are edited one by one, in its order; parts and lists of parts are left out."""
    every = (_spec(name, info) for name, info in model.model_fields.items())
    return tuple(spec for spec in every if spec.entry not in ("", "hidden"))


@cache
def lists_of(model: type[Frozen]) -> tuple[FieldSpec, ...]:
    """The lists of a description that are edited as tables, in its order."""
    every = (_spec(name, info) for name, info in model.model_fields.items())
    return tuple(spec for spec in every if spec.row)


def model_of_rows(model: type[Frozen], name: str) -> type[Frozen]:
    """What the rows of one of `lists_of` are."""
    made: type[Frozen] = get_args(model.model_fields[name].annotation)[0]
    return made


def spec_of(model: type[Frozen], name: str) -> FieldSpec:
    """One field of a description, whether it is edited or not."""
    return _spec(name, model.model_fields[name])


def _spec(name: str, info: FieldInfo) -> FieldSpec:
    unit_by = told(info, "unit_by", None)
    axes = told(info, "axes", ())
    return FieldSpec(
        name=name,
        title=info.title or "",
        entry=entry_of(info),
        help=info.description or "",
        unit=told(info, "shown") or told(info, "unit"),
        unit_by=None if unit_by is None else (unit_by[0], unit_by[1]),
        refers_to=tuple(told(info, "refers_to", ())),
        empty=told(info, "empty"),
        words=told(info, "words", {}),
        axes=tuple(axes) or ("x", "y", "z"),
        columns=tuple((head, unit) for head, unit in told(info, "columns", ())) or _columns(info),
        group=told(info, "group"),
        when={key: tuple(values) for key, values in told(info, "when", {}).items()},
        instead_of=told(info, "instead_of"),
        row=told(info, "row"),
        **_range(info),
    )


def _columns(info: FieldInfo) -> tuple[tuple[str, str], ...]:
    """Heading and unit of each number of the descriptions that are typed as rows."""
    if told(info, "entry") != "rows":
        return ()
    return tuple((spec.title, spec.unit) for spec in specs_of(get_args(info.annotation)[0]))


def entry_of(info: FieldInfo) -> str:
    """How a field is edited: "number", "optional" (a number or nothing), "vector", "direction" (a vector or nothing),
    "angles" (Euler parameters shown as three angles), "numbers", "matrix", "rows" (columns), "text", "choice", "flag",
    or what the description says, such as "symmetric" (a matrix), "long_text", "function", "functions", "group" (the
    fields of the description it holds); "" when it is no single value."""
    stated: str = told(info, "entry")
    if stated:
        return stated
    if told(info, "refers_to"):
        return "choice"
    if told(info, "columns", ()):
        return "rows"
    kind, optional = _without_none(info.annotation)
    if kind is bool:
        return "flag"
    if kind in NUMBERS:
        return "optional" if optional else "number"
    if kind is str:
        return "text"
    if get_origin(kind) is Literal:
        return "choice" if len(get_args(kind)) > 1 else ""
    return _entry_of_tuple(kind, optional)


def _entry_of_tuple(kind: Any, optional: bool) -> str:
    parts = [_plain(part) for part in get_args(kind)]
    if get_origin(kind) is not tuple or Ellipsis in parts:
        return ""
    if all(part in NUMBERS for part in parts):
        if len(parts) == 3:
            return "direction" if optional else "vector"
        return "angles" if len(parts) == 4 else "numbers"
    inner = [_entry_of_tuple(part, False) for part in parts]
    return "matrix" if all(one in ("numbers", "vector") for one in inner) else ""


def _plain(annotation: Any) -> Any:
    return get_args(annotation)[0] if hasattr(annotation, "__metadata__") else annotation


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """An annotation without Annotated and Optional, and whether it may be None."""
    kind = _plain(annotation)
    if get_origin(kind) in (Union, types.UnionType):
        parts = [part for part in get_args(kind) if part is not types.NoneType]
        if len(parts) < len(get_args(kind)) and len(parts) == 1:
            return _plain(parts[0]), True
    return kind, False


def is_numeric(info: FieldInfo) -> bool:
    """Whether a field holds a number or numbers that have a unit, at whatever depth of tuples."""

    def found(annotation: Any) -> bool:
        kind = _plain(annotation)
        return kind in NUMBERS or any(
            found(part) for part in get_args(kind) if get_origin(kind) is not Literal
        )

    return found(info.annotation)


def _range(info: FieldInfo) -> dict[str, Any]:
    """The limits a description puts on a number, or on each number of a vector."""
    out: dict[str, Any] = {}
    for mark in _marks(info.annotation, list(info.metadata)):
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
