"""What restraints bear in a run: the forces of their pads on who sits freely behind them, summed up over a bar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.finding import Finding
from ..base.sentence import say
from ..base.where import Where
from ..model.consistency import element_where
from ..model.outputs import SLIPS
from ..model.restraints import RESTRAINTS
from ..results.results import Results, first_car_at


class RestraintLoad(NamedTuple):
    """A restraint in a run: its seats by their paths (several where they share a bar), what it is in words, the sum of
    the forces on its pads (n,) N at the stored instants, and the force from which on its lock is not trusted (N)."""

    seats: tuple[str, ...]
    word: str
    load: Array
    holds: float | None


def restraint_loads(results: Results) -> tuple[RestraintLoad, ...]:
    """Every restraint that touched, or could touch, somebody in a run."""
    names = results.names.springs
    rows = {name: k for k, name in enumerate(names) if name + SLIPS in names}
    found: dict[tuple[str, str], RestraintLoad] = {}
    for path, seat in _seats(results.provenance.get("project")):
        made = seat["restraint"]
        word = RESTRAINTS[made["kind"]].word
        own = [k for name, k in rows.items() if name.startswith(f"{path} {word}, ")]
        if not own:
            continue
        load = np.abs(results.states.spring_force[:, own]).sum(axis=1)
        bar = (path.rpartition("/")[0], made.get("shared") or f"seat {path}")
        before = found.get(bar)
        seats, load = ((path,), load) if before is None else ((*before.seats, path), before.load + load)
        found[bar] = RestraintLoad(seats, word, load, made.get("holds"))
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


def _seats(data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The seats with a restraint of what a run moved, by their paths, in the JSON data of its project."""
    if isinstance(data, dict):
        rig = (data.get("scenario") or {}).get("assembly")
        yield from _below("", rig or data.get("train") or {})


def _below(prefix: str, at: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for seat in at.get("seats", ()):
        if seat.get("restraint"):
            yield prefix + seat["name"], seat
    for child in at.get("children", ()):
        yield from _below(f"{prefix}{child['name']}/", child)
