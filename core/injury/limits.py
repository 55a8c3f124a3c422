"""Limits as data: single values, curves of g against duration, and symptom tables.

Read from resources/limits or the user's folder (core.injury.limit_files).
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, ValidationError, model_validator

from ..base.arrays import Array
from ..base.errors import InputError, LimitTableError
from ..base.frozen import Frozen
from ..base.wording import worded
from .limit_files import (
    LimitFile,
    bundled_file,
    keep_fault,
    limit_file,
    once,
    read_limit_file,
    stamp,
)
from .rider_axes import Direction

Confidence = Literal["high", "medium", "low"]
Positive = Annotated[float, Field(gt=0.0)]


class LimitTable(Frozen):
    """What every limit file says about itself."""

    title: str
    source: str
    confidence: Confidence
    note: str = ""


class ScalarLimit(Frozen):
    """One limiting value with its source.

    unconfirmed: "as transcribed, not confirmed ..." where the value was not compared with the source it is named after.
    """

    id: str
    value: Positive
    unit: str
    source: str
    confidence: Confidence
    note: str = ""
    unconfirmed: str = ""


class ScalarLimits(LimitTable):
    """A file of single limiting values."""

    limits: tuple[ScalarLimit, ...]

    def get(self, limit_id: str) -> ScalarLimit:
        """The limit of that id; InputError naming the ids there are."""
        for limit in self.limits:
            if limit.id == limit_id:
                return limit
        raise LimitTableError(
            f"No limit {limit_id!r} in '{self.title}'; there are {', '.join(x.id for x in self.limits)}."
        )


class CurveSet(LimitTable):
    """Limit curves of g against duration, one per direction, as points (duration s, g)."""

    interpolation: Literal["linear", "semilog", "log-log"]
    curves: dict[Direction, tuple[tuple[float, float], ...]]

    @model_validator(mode="after")
    def _curves_make_sense(self) -> Self:
        for direction, points in self.curves.items():
            d = np.array(points)
            if d.size == 0 or (d <= 0.0).any() or (np.diff(d[:, 0]) <= 0.0).any():
                raise ValueError(f"curve {direction}: durations must increase and all numbers be positive")
        return self

    def limit(self, direction: Direction, duration: ArrayLike) -> Array:
        """Limit in g at durations in s; flat before the first and after the last point.

        "semilog" is straight in g over the logarithm of the duration. InputError without a curve for the direction.
        """
        if direction not in self.curves:
            raise InputError(f"'{self.title}' has no curve for {direction}; it has {', '.join(self.curves)}.")
        x, y = np.array(self.curves[direction]).T
        d = np.asarray(duration, dtype=np.float64)
        if self.interpolation == "linear":
            return np.asarray(np.interp(d, x, y))
        if self.interpolation == "semilog":
            return np.asarray(np.interp(np.log(d), np.log(x), y))
        return np.asarray(np.exp(np.interp(np.log(d), np.log(x), np.log(y))))


class SymptomBand(Frozen):
    """What was observed from one g to another."""

    from_g: float
    to_g: float | None
    symptoms: str


class SymptomTable(Frozen):
    """Symptoms in one direction, mildest first."""

    direction: Direction
    table: str
    bands: tuple[SymptomBand, ...] = Field(min_length=1)

    def band(self, level: float) -> SymptomBand | None:
        """The last band whose lower limit is reached at a level in g; None below the first."""
        reached = [band for band in self.bands if level >= band.from_g]
        return reached[-1] if reached else None


class SymptomTables(LimitTable):
    """A file of symptom tables; hold is the time in s that a level must last to count as sustained here."""

    hold: Positive
    tables: tuple[SymptomTable, ...]

    @model_validator(mode="after")
    def _one_for_each_direction(self) -> Self:
        given = [table.direction for table in self.tables]
        if sorted(given) != sorted(get_args(Direction)):
            raise ValueError(f"tables: give one for each of {', '.join(get_args(Direction))}")
        return self


T = TypeVar("T", bound=LimitTable)


@once
def load_limits(name: str, kind: type[T]) -> T:
    """A limit table, checked: the user's when there is one of that name, else the program's.

    name without ".json", e.g. "hic_3ms"; kind the class it must be: ScalarLimits, CurveSet, SymptomTables or another
    LimitTable. The sources of a user's table say that it is one.
    A user's table that does not fit gives way to the program's of the same name, and `limit_files.faults` names it.
    Raises InputError when the file does not exist, or does not fit and there is no other.
    """
    file = limit_file(name)
    try:
        table: T = _load(file, stamp(file), kind)
    except LimitTableError as error:
        if not file.user:
            raise
        keep_fault(file, str(error))
        own = bundled_file(name)
        if own is None:
            raise
        table = _load(own, stamp(own), kind)
    return table


def load_file(file: LimitFile, kind: type[T]) -> T:
    """The table in a file. Raises LimitTableError where it does not fit."""
    table: T = _load(file, stamp(file), kind)
    return table


@cache
def _load(file: LimitFile, _changed: tuple[int, int], kind: type[T]) -> T:
    """The table of a file; the time of its last change is part of the key, so that edits are seen."""
    text = read_limit_file(file)
    try:
        table = kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file"
        raise LimitTableError(f"Limit table {file.path}, {field}: {worded(first)}.") from None
    return _as_user_table(table, file) if file.user else table


def _as_user_table(table: T, file: LimitFile) -> T:
    """The table with its provenance: a user's table is never taken for one of the program."""
    marked = _marked(table.model_dump(), f"user table {file.path.name}: ")
    return type(table).model_validate(marked)


def _marked(data: Any, mark: str) -> Any:
    """Data with a mark before every source in it, however deep."""
    if isinstance(data, dict):
        return {
            key: mark + value if key == "source" and isinstance(value, str) else _marked(value, mark)
            for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return tuple(_marked(value, mark) for value in data)
    return data
