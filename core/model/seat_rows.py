"""The rows of seats of a train, counted from the front."""

from __future__ import annotations

from dataclasses import dataclass

from .assembly import Assembly
from .placement import placed_model

SAME_ROW = 0.3  # m along the train


@dataclass(frozen=True)
class SeatPlace:
    """A seat: its car, its name, how far left of the middle it is (m), and the path of who sits there ("" nobody)."""

    car: str
    seat: str
    left: float
    rider: str


@dataclass(frozen=True)
class SeatRow:
    """A row of seats from left to right; number from 1 at the front; behind: metres behind the first car's origin."""

    number: int
    car: str
    behind: float
    seats: tuple[SeatPlace, ...]

    @property
    def riders(self) -> tuple[str, ...]:
        """Paths of those who sit there, from left to right."""
        return tuple(seat.rider for seat in self.seats if seat.rider)


def seat_rows(train: Assembly) -> tuple[SeatRow, ...]:
    """The rows of all seats of a train's cars, front row first; of seats that stand in parts of a car as well."""
    drawn = placed_model(train)
    rows: list[SeatRow] = []
    for car in train.children:
        found: list[tuple[float, SeatPlace]] = []
        for prefix, holder in car.walk():
            path = f"{car.name}/{prefix}"
            on = {rider.seat: f"{path}{rider.name}" for rider in holder.riders}
            for seat in holder.seats:
                frame = drawn.at(path[:-1], seat.body)
                x, y, _ = frame.point(seat.position)
                position = SeatPlace(car.name, seat.name, float(y), on.get(seat.name, ""))
                found.append((-float(x), position))
        found.sort(key=lambda one: one[0])
        groups: list[list[tuple[float, SeatPlace]]] = []
        for behind, position in found:
            if not groups or behind - groups[-1][0][0] > SAME_ROW:
                groups.append([])
            groups[-1].append((behind, position))
        for group in groups:
            seats = tuple(position for _, position in sorted(group, key=lambda one: -one[1].left))
            rows.append(SeatRow(len(rows) + 1, car.name, group[0][0], seats))
    return tuple(rows)
