"""A finding: something of a project or of a run that a person should look at. One class for all who look."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, PlainValidator, model_serializer, model_validator

from .errors import InputError
from .frozen import Frozen, Vec3
from .sentence import Sentence
from .where import NOWHERE, Where

Severity = Literal["error", "warning", "note"]
RANK: Final[dict[Severity, int]] = {"note": 0, "warning": 1, "error": 2}


def _kept(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a text")
    return value


Said = Annotated[
    str, PlainValidator(_kept)
]  # pydantic would make plain text of a sentence that keeps its numbers


class Finding(Frozen):
    """What kind of thing it is, how bad, one sentence (`say`: its numbers are kept as values), where, and how large.

    value: the size of it in SI (m, rad, N, kg m^2), as `unit` says; None where it has none.
    """

    model_config = ConfigDict(extra="ignore")

    kind: str
    message: Said
    severity: Severity = "warning"
    where: Where = Field(default=NOWHERE)
    value: float | None = None
    unit: str = ""

    @property
    def s(self) -> float | None:
        """Arc length of the centreline (m), where it has a place on the track."""
        return self.where.s

    @property
    def time(self) -> float | None:
        """Instant of the run (s), where it has one."""
        return self.where.time

    @property
    def section(self) -> str:
        """The section of the track there; "" for none."""
        return self.where.section

    @property
    def position(self) -> Vec3 | None:
        """The place in the world (m), where it is known."""
        return self.where.position

    @property
    def element(self) -> str:
        """The path of the element of the model it is about, "Car 1/Axle"; "" for none."""
        return self.where.element

    @model_serializer
    def _written(self) -> dict[str, Any]:
        """Flat, the same in every file; arc_length (s of runs), element and row have their names from older files."""
        where, stated = self.where, self.message
        quantities = stated.quantities if isinstance(stated, Sentence) else {}
        return {
            "kind": self.kind,
            "severity": self.severity,
            "message": str(stated),
            "values": {name: {"value": one.value, "unit": one.unit} for name, one in quantities.items()},
            "value": self.value,
            "unit": self.unit,
            "path": where.dotted,
            "element": where.element,
            "row": where.row,
            "s": where.s,
            "arc_length": where.s,
            "position": where.position,
            "section": where.section,
            "time": where.time,
        }

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        """What was written, with its place in one value again."""
        if not isinstance(given, dict) or "where" in given:
            return given
        s = given.get("s", given.get("arc_length"))
        position = given.get("position")
        where = Where(
            keys_of(given.get("path", "")),
            s,
            position and tuple(position),
            given.get("section", ""),
            given.get("time"),
        )
        return {**{key: given[key] for key in given if key in cls.model_fields}, "where": where}


def keys_of(dotted: str) -> tuple[str | int, ...]:
    """The path that `Where.dotted` wrote."""
    keys: list[str | int] = []
    rest = dotted
    while rest:
        if rest.startswith("["):
            name, _, rest = rest[1:].partition("]")
            keys.append(name)
            rest = rest.removeprefix(".")
        else:
            name, _, rest = rest.partition(".")
            keys.append(int(name) if name.isdigit() else name)
    return tuple(keys)


def of_error(kind: str, error: InputError, severity: Severity = "error") -> Finding:
    """An error of input as a finding."""
    return Finding(kind=kind, severity=severity, message=error.said, where=error.where)
