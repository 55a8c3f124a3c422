"""What a run of a study keeps of riders on some seats: how they fit, what it did to them, where they were lost."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from ..base.errors import InputError
from ..base.sentence import say
from ..model.placement import joined
from ..project.project import Project
from ..track.build import BuiltTrack

if TYPE_CHECKING:
    from ..results.results import Results

FIT: Final = "fit"  # texts by these names
LEFT: Final = "left"


def riders_at(project: Project, seats: Collection[str]) -> frozenset[str]:
    """Paths of the riders on some seats. Raises InputError for a seat that there is not."""
    top = project.assembly
    there = {} if top is None else top.every("seat")
    unknown = next((seat for seat in seats if seat not in there), None)
    if unknown is not None:
        raise InputError(f"There is no seat '{unknown}'; there are {', '.join(there) or 'none'}.")
    riders = {} if top is None else top.with_role("rider")
    return frozenset(
        path for path, rider in riders.items() if joined(path.rpartition("/")[0], str(rider.seat)) in seats
    )


def fit_numbers(project: Project, seats: Collection[str]) -> tuple[dict[str, float], dict[str, str]]:
    """How riders on some seats fit: the number of misfits, of them of those that keep anybody from riding, the widest
    gap (m) that a restraint leaves; and the misfits in words."""
    from ..human.findings import KEEPS_OUT, seat_fits

    riders_at(project, seats)
    fits = [one for one in seat_fits(project.assembly) if one.seat in seats] if project.assembly else []
    misfits = [misfit for one in fits for misfit in one.misfits]
    unfit = [misfit for misfit in misfits if misfit.kind in KEEPS_OUT]
    gaps = [one.gap for one in fits if one.gap is not None]
    numbers = {"misfits": float(len(misfits)), "unfit": float(len(unfit))}
    numbers |= {"restraint_gap": max(gaps)} if gaps else {}
    words = dict.fromkeys(str(misfit.sentence) for misfit in (*unfit, *misfits))
    return numbers, {FIT: "; ".join(words)}


def free_numbers(results: Results, seats: Collection[str]) -> dict[str, float]:
    """What seats and restraints did to free riders on some seats: longest airtime as felt (s), widest gap to the pan
    (m), largest load of a restraint (N), and whether one left the seat."""
    from ..outcome.free_riders import RESTRAINT, free_rider_summaries

    found = [one for one in free_rider_summaries(results).values() if one.seat in seats]
    out = {"left_the_seat": float(results.status.name == "rider lost")}
    every: dict[str, list[float | None]] = {
        "airtime": [one.airtime for one in found],
        "seat_gap": [one.gap for one in found],
        "restraint_load": [p.load for one in found for p in one.parts.values() if p.kind == RESTRAINT],
    }
    for name, values in every.items():
        known = [value for value in values if value is not None]
        out |= {name: max(known)} if known else {}
    return out


def left_words(results: Results, built: BuiltTrack | None) -> str:
    """When, and where on the track, a run ended because somebody left the seat."""
    from ..results.results import first_car_at

    time = float(results.states.time[-1])
    when, at = say("at t = {time:.1f s}", time=time), first_car_at(results, time)
    if built is None or at is None:
        return when
    s = float(built.centreline.wrap(at)[0])
    return say("{when}, s = {s:.0f m} in '{section}'", when=when, s=s, section=built.section_at(s))
