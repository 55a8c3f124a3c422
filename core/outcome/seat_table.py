"""The columns of the table of seats: command line and report show these, in this order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .seats import AXES, SeatAssessment

Span = tuple[float, float]
Value = float | Span | str | None


@dataclass(frozen=True)
class SeatColumn:
    """A column: key for programs, title and unit for people, and its value at a seat: a number in that unit, the least
    and the largest of a history, a part of 1 where the unit is %, a text, or None where there is none.

    spans: whether values are of the least and the largest; decimals: of numbers; share: how much of the room that is
    left over a column of words takes on paper."""

    key: str
    title: str
    unit: str
    value: Callable[[SeatAssessment], Value]
    spans: bool = False
    decimals: int = 2
    share: float | None = None


def _governing(seat: SeatAssessment) -> str:
    return seat.note or "no limit" if seat.governing is None else seat.governing.title


def _loads(axis: str) -> Callable[[SeatAssessment], Span | None]:
    return lambda seat: seat.loads.get(axis)


COLUMNS: tuple[SeatColumn, ...] = (
    SeatColumn("seat", "Seat", "", lambda seat: seat.seat),
    *(SeatColumn(axis.lower(), axis, "g", _loads(axis), spans=True) for axis in AXES),
    SeatColumn("margin", "Margin", "%", lambda seat: seat.margin),
    SeatColumn("criterion", "Governed by", "", _governing, share=1.0),
    SeatColumn("time", "At", "s", lambda seat: None if seat.governing is None else seat.governing.moment),
)
