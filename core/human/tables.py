"""The tables of resources/human as rows, and numbers that carry their source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from ..base.delimited import records_of

Kind = Literal["measured", "inferred", "chosen"]
Row = dict[str, str]


@dataclass(frozen=True)
class Sourced:
    """A number (SI) with its unit, what kind of number it is and where it comes from."""

    value: float
    unit: str
    kind: Kind
    source: str


@cache
def rows(table: str) -> tuple[Row, ...]:
    """The rows of resources/human/<table>.csv by their column names; lines that begin with # are left out."""
    file = resources.files("ridewright.resources") / "human" / f"{table}.csv"
    return records_of(file.read_text(encoding="utf-8"))


@cache
def row(table: str, **wanted: str) -> Row:
    """The first row of a table whose columns hold what is wanted. Raises KeyError when there is none."""
    for found in rows(table):
        if all(found[column] == value for column, value in wanted.items()):
            return found
    raise KeyError(f"{table}: {wanted}")
