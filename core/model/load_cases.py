"""Load cases: who sits where, by name, kept with the project."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import Field

from ..base.errors import InputError
from ..base.fields import described
from ..base.frozen import Frozen, Name
from .assembly import Assembly, Seat
from .bodies import GROUND
from .carried import centre_on_body
from .loading import worst_pattern
from .placement import joined, placed_model

ADULT: Final = 75.0  # kg, who sits on a seat that has had nobody, unless a case says otherwise: chosen
PATTERNS: Final = {
    "full": "Every seat",
    "empty": "No seat",
    "half": "Every second seat",
    "eccentric": "Worst eccentric",
    "seats": "Named seats",
}


class LoadCase(Frozen):
    """Who sits on the seats of a train or rig, and what they weigh.

    A full rider on a seat that is taken stays, scaled to the mass of the case where it gives one; on others he is left
    out. "eccentric" takes the seats on one side: of a car the left or the right ones, whichever load it more aside; of
    anything else those that load their body most unevenly about its vertical axis (see `loading.worst_pattern`).
    """

    name: Name = described(..., "Name", "What the load case is called.")
    pattern: Literal["full", "empty", "half", "eccentric", "seats"] = described(
        "full", "Taken", "Which seats are taken.", words=PATTERNS
    )
    masses: tuple[Annotated[float, Field(ge=0.0, le=1000.0)], ...] = described(
        (), "Masses", "Of who sits there, from seat to seat (of named seats from one to the next) and again from the"
        " first; 0, and none at all, as the seat has it.",
        unit="kg", exclude_if=operator.not_,
    )  # fmt: skip
    seats: tuple[str, ...] = described(
        (),
        "Seats",
        "Paths of the seats that are taken.",
        when={"pattern": ("seats",)},
        exclude_if=operator.not_,
    )

    def with_seats(self, follow: Callable[[str], str | None]) -> LoadCase:
        """The case with its named seats called as `follow` calls them; those that it returns None for are left out,
        with who sits there."""
        news = [(follow(seat), mass) for seat, mass in self.named()]
        kept = [(seat, mass) for seat, mass in news if seat is not None]
        return self.model_copy(update=named_seats(dict(kept))) if self.seats else self

    def named(self) -> tuple[tuple[str, float], ...]:
        """Its named seats, each with the mass (kg) of who sits there, 0 as the seat has it."""
        return tuple(zip(self.seats, cycle(self.masses or (0.0,)), strict=False))


class Sitting(NamedTuple):
    """A seat in a load case. mass: of who sits there, kg, 0 where nobody does; of_seat: of who would as the seat has
    it; chosen: whether the case gives the mass."""

    seat: str
    mass: float
    of_seat: float
    chosen: bool


def named_seats(who: Mapping[str, float]) -> dict[str, Any]:
    """The fields of a load case in which so many kg sit on these seats, 0 as the seat has it, and nobody elsewhere."""
    masses = tuple(who.values()) if any(who.values()) else ()
    return {"pattern": "seats", "seats": tuple(who), "masses": masses}


def present(top: Assembly, case: LoadCase) -> LoadCase:
    """A load case without the named seats that a train or rig does not have (any more).

    Parameters
    ----------
    top
        The train or the rig.
    case
        The load case.

    Returns
    -------
    The load case.
    """
    seats = top.every("seat")
    return case.with_seats(lambda seat: seat if seat in seats else None)


def seating(top: Assembly, case: LoadCase) -> tuple[Sitting, ...]:
    """Every seat of a train or rig with who sits there.

    Parameters
    ----------
    top
        The train or the rig.
    case
        The load case.

    Returns
    -------
    The seats.

    Raises
    ------
    InputError
        As `loaded`.
    """
    seats = _seats(top)
    given, masses = _masses(top, seats, case)
    taken = _taken(top, seats, masses, case)
    theirs = _of_seats(top, seats)
    return tuple(
        Sitting(path, masses[path] if path in taken else 0.0, theirs[path], given[path] > 0.0)
        for path in seats
    )


def loaded(top: Assembly, case: LoadCase) -> Assembly:
    """A train or rig with the load of a case. Raises InputError for seats that there are not, and without any."""
    seats = _seats(top)
    _, masses = _masses(top, seats, case)
    taken = _taken(top, seats, masses, case)

    def change(prefix: str, at: Assembly) -> Assembly:
        sitting = {prefix + str(rider.seat): rider for rider in at.riders}
        children = []
        for child in at.children:
            if child.role != "rider":
                children.append(change(f"{prefix}{child.name}/", child))
            elif prefix + str(child.seat) in taken:
                children.append(_scaled(child, masses[prefix + str(child.seat)] / child.mass()))
        own = tuple(
            seat.model_copy(
                update={"passenger": masses[path] if path in taken and path not in sitting else 0.0}
            )
            if (path := prefix + seat.name) in seats
            else seat
            for seat in at.seats
        )
        update: dict[str, Any] = {"children": tuple(children), "seats": own}
        return at.model_copy(update=update)

    return change("", top)


def _seats(top: Assembly) -> dict[str, Seat]:
    """Seats that somebody rides on, by their paths."""
    seats = {path: seat for path, seat in top.every("seat").items() if seat.body != GROUND}
    if not seats:
        raise InputError(f"The {top.role} has no seat; add seats before load cases.")
    return seats


def _of_seats(top: Assembly, seats: dict[str, Seat]) -> dict[str, float]:
    """kg of who would sit on every seat as the project has it."""
    riders = {
        prefix + str(rider.seat): rider.mass() for prefix, at in top.walk() for rider in at.riders
    }  # fmt: skip
    return {path: riders.get(path, seat.passenger or ADULT) for path, seat in seats.items()}


def _masses(
    top: Assembly, seats: dict[str, Seat], case: LoadCase
) -> tuple[dict[str, float], dict[str, float]]:
    """kg that the case gives for every seat, 0 where it gives none, and kg of who would sit there."""
    turn = cycle(case.masses or (0.0,))
    named = dict(case.named())
    given = {path: named.get(path, 0.0) if case.pattern == "seats" else next(turn) for path in seats}
    theirs = _of_seats(top, seats)
    return given, {path: given[path] or theirs[path] for path in seats}


def _taken(top: Assembly, seats: dict[str, Seat], masses: dict[str, float], case: LoadCase) -> frozenset[str]:
    if case.pattern == "seats":
        unknown = next((path for path in case.seats if path not in seats), None)
        if unknown is not None:
            raise InputError(f"Load case '{case.name}': there is no seat '{unknown}'.")
        return frozenset(case.seats)
    if case.pattern == "half":
        return frozenset([*seats][::2])
    if case.pattern == "eccentric":
        return frozenset(_on_one_side(top, seats, masses))
    return frozenset(seats if case.pattern == "full" else ())


def _on_one_side(top: Assembly, seats: dict[str, Seat], masses: dict[str, float]) -> Iterator[str]:
    full = _with_all(top, "", masses)
    carriers: set[str] = set()
    for prefix, at in top.walk():
        for seat in at.seats:
            body = joined(prefix[:-1], seat.body)
            if seat.body == GROUND or body in carriers:
                continue
            carriers.add(body)
            if at.role != "car":
                yield from worst_pattern(full, body).taken
                continue
            frame = placed_model(at).frame(seat.body)
            aside = {
                prefix + one.name: masses[prefix + one.name]
                * float((frame.rotation @ centre_on_body(one))[1])
                for one in at.seats
                if one.body == seat.body
            }
            left, right = ([path for path, m in aside.items() if sign * m > 0.0] for sign in (1.0, -1.0))
            heavier = sum(aside[path] for path in left) >= -sum(aside[path] for path in right)
            yield from left if heavier else right


def _with_all(at: Assembly, prefix: str, masses: dict[str, float]) -> Assembly:
    """Everybody as a passenger."""
    seats = tuple(
        seat.model_copy(update={"passenger": masses.get(prefix + seat.name, 0.0)}) for seat in at.seats
    )
    children = tuple(
        _with_all(child, f"{prefix}{child.name}/", masses) for child in at.children if child.role != "rider"
    )
    return at.model_copy(update={"seats": seats, "children": children})


def _scaled(rider: Assembly, by: float) -> Assembly:
    """The same person, lighter or heavier all over."""
    if abs(by - 1.0) < 1e-12:
        return rider
    bodies = tuple(body.denser(by) for body in rider.bodies)
    return rider.model_copy(update={"bodies": bodies, "person": None})  # of whom it is not made any more
