"""How riders fit their seats and restraints: a row for each, and each misfit a finding at the rider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..base.errors import InputError
from ..base.finding import Finding
from ..base.sentence import Sentence, say, together
from ..model.assembly import Assembly, Seat
from ..model.bodies import GROUND, SEAT
from ..model.consistency import element_where, top_path
from ..model.placement import joined
from ..model.references import references
from .misfit import Misfit

#: Misfits with which nobody may ride: one is not held, or has no place.
KEEPS_OUT: Final = (
    "restraint open", "restraint in the body", "restraint loose", "no place", "nobody", "legs in another seat"
)  # fmt: skip


@dataclass(frozen=True)
class SeatFit:
    """A rider on a seat: paths of both, name of what it is made of ("" where it does not say), the restraint in words
    ("" none), the share of its way at which it is locked and the gap (m) it leaves (None without one, or without a
    skin), what does not fit."""

    rider: str
    seat: str
    made_of: str
    restraint: str
    locked: float | None
    gap: float | None
    misfits: tuple[Misfit, ...]

    @property
    def said(self) -> Sentence:
        """How this rider fits, in sentences: each misfit, and where the restraint is closed."""
        sentences = [say("{what}.", what=one.capital) for one in self.misfits]
        if not sentences and self.made_of:
            sentences = [say("{name} fits.", name=self.rider.rpartition("/")[2])]
        if self.locked is not None and self.gap is not None:
            sentences.append(
                say(
                    "{word}: closed by {share:.0f %}, {gap:.0f mm} before the body.",
                    word=self.restraint, share=self.locked, gap=max(self.gap, 0.0),
                )
            )  # fmt: skip
        return together(" ", sentences)


def seat_fits(top: Assembly) -> tuple[SeatFit, ...]:
    """All riders on seats that say what they are made of or what restrains, in the order of the assembly.

    A rider whose segments were changed by hand is not fitted to the seat; the restraint is closed all the same.
    """
    found: list[SeatFit] = []
    for prefix, holder in top.walk():
        seats = {seat.name: seat for seat in holder.seats}
        for rider in holder.riders:
            seat = seats[str(rider.seat)]
            if seat.shape is not None or seat.restraint is not None:
                found.append(_fit(top, prefix[:-1], holder, rider, seat))
    return tuple(found)


def fit_at(top: Assembly, rider: tuple[str, ...]) -> SeatFit | None:
    """That of the rider at a path; None on a seat that says nothing."""
    holder = top.at(rider[:-1])
    who = top.at(rider)
    seat = next((one for one in holder.seats if who and one.name == who.seat), None) if holder else None
    if holder is None or who is None or seat is None or (seat.shape is None and seat.restraint is None):
        return None
    return _fit(top, "/".join(rider[:-1]), holder, who, seat)


def _fit(top: Assembly, path: str, holder: Assembly, rider: Assembly, seat: Seat) -> SeatFit:
    from .closing import closed_on, gap_at, restraint_misfits  # with kernels, for those who have seats
    from .fit import fit
    from .legroom import legroom

    misfits: list[Misfit] = []
    if seat.shape is not None and rider.person is not None and rider.person.posture == "seated":
        try:
            misfits += fit(rider.person, seat.shape).misfits
        except InputError as error:  # of whom no body can be made
            misfits.append(Misfit("nobody", str(error).rstrip("."), 0.0))
    misfits += legroom(top, path, rider, seat)
    word, locked, gap = "", None, None
    if seat.restraint is not None:
        misfits += restraint_misfits(holder, seat)
        word, locked = seat.restraint.word, closed_on(holder, seat).locked
        gap = gap_at(holder, seat)
    return SeatFit(
        joined(path, rider.name), joined(path, seat.name), seat.shape.name if seat.shape else "", word, locked, gap,
        tuple(misfits),
    )  # fmt: skip


def seat_findings(top: Assembly) -> tuple[Finding, ...]:
    """What does not fit of all riders on such seats, each misfit at its rider, and riders whom nothing holds."""
    return (*_findings(top), *_unheld(top))


def _unheld(top: Assembly) -> Iterator[Finding]:
    """Riders on seats that say nothing, whom neither joint nor force element joins to anything else."""
    for prefix, holder in top.walk():
        plain = {seat.name for seat in holder.seats if seat.shape is None and seat.restraint is None}
        for rider in holder.riders:
            own = f"{prefix}{rider.name}/"
            fixed = any(SEAT in (joint.body_i, joint.body_j) for joint in rider.joints)
            if rider.seat not in plain or fixed or _joined(top, own):
                continue
            message = say(
                "Nothing holds '{rider}' on '{seat}': put a seat of the library there, or fix the pelvis to it.",
                rider=own[:-1], seat=f"{prefix}{rider.seat}",
            )  # fmt: skip
            where = element_where(prefix[:-1], "children", rider.name).under(*top_path(top))
            yield Finding(kind="nothing holds", message=message, where=where)


def _joined(top: Assembly, own: str) -> bool:
    """Whether something joins the bodies below a path to others."""
    for above, at in top.walk():
        for element in (*at.joints, *at.forces):
            ends = {
                path not in (GROUND, SEAT) and f"{above}{path}/".startswith(own)
                for _, kind, path in references(element)
                if kind in ("body", "assembly")
            }
            if len(ends) == 2:
                return True
    return False


def _findings(top: Assembly) -> Iterator[Finding]:
    for one in seat_fits(top):
        holder, _, name = one.rider.rpartition("/")
        where = element_where(holder, "children", name).under(*top_path(top))
        for misfit in one.misfits:
            message = say(
                "'{rider}' on '{seat}': {what}.", rider=one.rider, seat=one.seat, what=misfit.sentence
            )
            yield Finding(kind=misfit.kind, message=message, where=where, value=misfit.amount, unit="m")
