"""What does not fit of riders and their seats: each misfit a finding at the rider or the seat."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.errors import InputError
from ..base.finding import Finding
from ..base.sentence import say
from ..model.assembly import Assembly, Seat
from ..model.consistency import element_where, top_path
from ..model.placement import joined


def seat_findings(top: Assembly) -> tuple[Finding, ...]:
    """Misfits of all generated riders on seats that say what they are made of, and of restraints closed onto anybody.

    Riders whose segments were changed by hand are not fitted; their restraints are closed all the same.
    """
    found: list[Finding] = []
    for prefix, holder in top.walk():
        seats = {seat.name: seat for seat in holder.seats}
        for rider in holder.riders:
            seat = seats[str(rider.seat)]
            found += _of(top, prefix[:-1], holder, rider, seat)
    return tuple(found)


def _of(top: Assembly, path: str, holder: Assembly, rider: Assembly, seat: Seat) -> Iterator[Finding]:
    if seat.shape is None and seat.restraint is None:
        return
    from .closing import restraint_misfits  # with kernels, for those who have seats
    from .fit import Misfit, fit

    misfits: list[Misfit] = []
    if seat.shape is not None and rider.person is not None and rider.person.posture == "seated":
        try:
            misfits += fit(rider.person, seat.shape).misfits
        except InputError:  # of whom no body can be made: said where riders are made
            return
    if seat.restraint is not None:
        misfits += restraint_misfits(holder, seat)
    where = element_where(path, "children", rider.name).under(*top_path(top))
    for one in misfits:
        message = say(
            "'{rider}' on '{seat}': {what}.",
            rider=joined(path, rider.name),
            seat=seat.name,
            what=one.sentence,
        )
        yield Finding(kind=one.kind, message=message, where=where, value=one.amount, unit="m")
