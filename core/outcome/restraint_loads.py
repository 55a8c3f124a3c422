"""What restraints bear in a run: the forces of their pads on who sits freely behind them, summed up over a bar; the
largest pull of webbing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.finding import Finding
from ..base.sentence import say
from ..base.where import Where
from ..model.consistency import element_where
from ..model.restraints import RESTRAINTS
from ..results.results import Results, first_car_at
from .free_riders import RESTRAINT, free_riders, load_over_time


class RestraintLoad(NamedTuple):
    """A restraint in a run: its seats by their paths (several where they share a bar), what it is in words, the sum of
    the forces on its pads, or the largest pull of its webbing, (n,) N at the stored instants, and the force from which
    on its lock is not trusted (N)."""

    seats: tuple[str, ...]
    word: str
    load: Array
    holds: float | None


def restraint_loads(results: Results) -> tuple[RestraintLoad, ...]:
    """Every restraint that touched, or could touch, somebody in a run."""
    found: dict[tuple[str, str], RestraintLoad] = {}
    for one in free_riders(results):
        own, made = one.of_kind(RESTRAINT), one.restraint
        if not own or made is None:
            continue
        load = load_over_time(results, own)
        bar = (one.seat.rpartition("/")[0], made.get("shared") or f"seat {one.seat}")
        before = found.get(bar)
        seats, load = (
            ((one.seat,), load) if before is None else ((*before.seats, one.seat), before.load + load)
        )
        found[bar] = RestraintLoad(seats, RESTRAINTS[made["kind"]].word, load, made.get("holds"))
    return tuple(found.values())


def restraint_findings(results: Results) -> tuple[Finding, ...]:
    """Restraints that bore more than their locks are trusted with."""
    out = []
    for one in restraint_loads(results):
        k = int(np.argmax(one.load)) if len(one.load) else 0
        if one.holds is None or not len(one.load) or one.load[k] <= one.holds:
            continue
        time = float(results.states.time[k])
        text = say(
            "The {word} at '{seats}' bears {load:.0f N} at t = {time:.3f s}, more than the {holds:.0f N} that its"
            " lock is trusted with: it may open there, and what comes after is not known.",
            word=one.word.lower(), seats="', '".join(one.seats), load=float(one.load[k]), time=time, holds=one.holds,
        )  # fmt: skip
        where = _where(results, one.seats[0]).filled(Where(s=first_car_at(results, time), time=time))
        out.append(Finding(kind="restraint", message=text, where=where, value=float(one.load[k]), unit="N"))
    return tuple(out)


def _where(results: Results, seat: str) -> Where:
    path, _, name = seat.rpartition("/")
    rig = (results.provenance.get("project") or {}).get("scenario", {}).get("assembly")
    return element_where(path, "seats", name).under(*(("scenario", "assembly") if rig else ("train",)))
