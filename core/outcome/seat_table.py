"""The columns of the table of seats: command line and report show these, in this order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .free_riders import RESTRAINT
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
    if not seat.loads and not seat.note:
        return "not marked as assessed"
    return seat.note or "no limit" if seat.governing is None else seat.governing.title


def _loads(axis: str) -> Callable[[SeatAssessment], Span | None]:
    return lambda seat: seat.loads.get(axis)


def _airtime(seat: SeatAssessment) -> float | None:
    return None if seat.free is None else seat.free.airtime


def _gap(seat: SeatAssessment) -> float | None:
    return None if seat.free is None or seat.free.gap is None else 1e3 * seat.free.gap


def _restraint(seat: SeatAssessment) -> float | None:
    """The largest load (N) of what restrains; None without a restraint that could touch somebody."""
    parts = [] if seat.free is None else seat.free.parts.values()
    return max((part.load for part in parts if part.kind == RESTRAINT), default=None)


COLUMNS: tuple[SeatColumn, ...] = (
    SeatColumn("seat", "Seat", "", lambda seat: seat.seat),
    *(SeatColumn(axis.lower(), axis, "g", _loads(axis), spans=True) for axis in AXES),
    SeatColumn("margin", "Margin", "%", lambda seat: seat.margin),
    SeatColumn("criterion", "Governed by", "", _governing, share=1.0),
    SeatColumn("time", "At", "s", lambda seat: None if seat.governing is None else seat.governing.moment),
)
#: Of riders who sit freely, behind the others where there are some.
FREE_COLUMNS: tuple[SeatColumn, ...] = (
    SeatColumn("airtime", "Off the pan", "s", _airtime),
    SeatColumn("gap", "by up to", "mm", _gap, decimals=1),
    SeatColumn("restraint_load", "Restraint bears", "N", _restraint, decimals=0),
)


def columns_of(seats: Sequence[SeatAssessment]) -> tuple[SeatColumn, ...]:
    """The columns that some seats have something for."""
    return (*COLUMNS, *FREE_COLUMNS) if any(seat.free is not None for seat in seats) else COLUMNS
