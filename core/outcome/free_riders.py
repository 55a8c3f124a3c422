"""What seat and restraint do to riders who sit freely: gap, load and slip of every part, and airtime as felt.

Read off the stored instants, as `touches`. A part is a padded surface of the seat, or all pads of the restraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ..base.arrays import Array
from ..base.frozen import Frozen
from ..model.forces.base import SEGMENT
from ..model.placement import joined
from ..model.restraints import RESTRAINTS
from ..model.seats import Padding
from ..model.webbing import belt_name
from ..results.once import once_a_run
from ..results.results import Results, first_car_at
from .touches import Touches, is_pair, met_of, out_of_touch, spans_of, touches_of

RESTRAINT = "restraint"
SHINS = ("Left Calf:", "Right Calf:")  # come against the edge of a pan that nobody sits on
SLIDING = 0.98  # share of what friction can hold, from which on what moves along a surface slides


class Part(NamedTuple):
    """A part that holds somebody: its name, what kind of part of the seat it is or `RESTRAINT`, its coefficient of
    friction, and the rows of its pairs, or of the segments of its webbing, among the outputs of force elements."""

    name: str
    kind: str
    friction: float
    rows: tuple[int, ...]
    webbing: bool = False


@dataclass(frozen=True)
class FreeRider:
    """Somebody whom only seat and restraint hold: paths of rider and seat, its parts, the restraint as data or None,
    and the rows of what sits on the pan, shins left out."""

    rider: str
    seat: str
    parts: tuple[Part, ...]
    restraint: dict[str, Any] | None
    sits: tuple[int, ...]

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """The rows of all parts of a kind."""
        return tuple(row for part in self.parts if part.kind == kind for row in part.rows)


class PartSummary(Touches):
    """What a part did: as any pairs of surfaces, and all of its pairs together.

    kind: of the part; load (N): the largest sum of their normal forces, with its time (s) and place (m, of the first
    car); without (s): the whole time without contact after the first one; slid (m): the longest way that a segment slid
    along it, or webbing over the body.
    """

    kind: str
    load: float
    load_time: float
    load_arc_length: float | None
    without: float
    slid: float


class FreeRiderSummary(Frozen):
    """A rider who sits freely: seat, airtime as felt and the parts by name.

    airtime (s): the whole time without contact with the seat pan after the first one, None for a seat without a pan;
    longest (s): of one time, from when (s) and where (m, of the first car); gap (m): the widest to the pan.
    """

    seat: str
    airtime: float | None
    longest: float | None
    longest_from: float | None
    arc_length: float | None
    gap: float | None
    parts: dict[str, PartSummary] = Field(default_factory=dict)


@once_a_run
def free_riders(results: Results) -> tuple[FreeRider, ...]:
    """Every rider of a run whom a seat with parts or a restraint may touch, in the order of the assembly."""
    names = results.names.springs
    known = {name: k for k, name in enumerate(names) if is_pair(results, k)}
    found = []
    for path, seat, rider in _seated(results.provenance.get("project")):
        parts: list[Part] = []
        sits: tuple[int, ...] = ()
        for name, kind, padding, surfaces in _parts(seat):
            heads = tuple(f"{path} {surface}, {rider.rpartition('/')[2]} " for surface in surfaces)
            rows = tuple(row for pair, row in known.items() if pair.startswith(heads))
            if kind == "pan":
                shins = tuple(head + shin for head in heads for shin in SHINS)
                sits = tuple(row for row in rows if not names[row].startswith(shins))
            if rows:
                parts.append(Part(name, kind, padding.friction, rows))
        parts += _belts(names, path, seat, rider)
        if parts:
            found.append(FreeRider(rider, path, tuple(parts), seat.get("restraint"), sits))
    return tuple(found)


def _belts(names: Sequence[str], path: str, seat: dict[str, Any], rider: str) -> Iterator[Part]:
    """The belt over who sits on a seat, as a part of it."""
    made = seat.get("restraint")
    if made and made.get("webbing"):
        word = RESTRAINTS[made["kind"]].word
        belt = joined(path.rpartition("/")[0], belt_name(seat["name"], word, rider.rpartition("/")[2]))
        rows = tuple(k for k, name in enumerate(names) if name.startswith(f"{belt} {SEGMENT.format('')}"))
        if rows:
            yield Part(word, RESTRAINT, 0.0, rows, webbing=True)


def _seated(data: Any) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Path of a seat, the seat and the path of who sits there, of what a run moved, in the JSON data of its project."""
    if isinstance(data, dict):
        rig = (data.get("scenario") or {}).get("assembly")
        yield from _below("", rig or data.get("train") or {})


def _below(prefix: str, at: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], str]]:
    seats = {seat["name"]: seat for seat in at.get("seats", ())}
    for child in at.get("children", ()):
        seat = seats.get(child.get("seat"))
        if seat is not None:
            yield joined(prefix, seat["name"]), seat, joined(prefix, child["name"])
        yield from _below(joined(prefix, child["name"]), child)


def _parts(seat: dict[str, Any]) -> Iterator[tuple[str, str, Padding, tuple[str, ...]]]:
    """Name, kind, padding and surfaces of what a seat holds somebody by, see `core.human.seated`."""
    for part in (seat.get("shape") or {}).get("parts", ()):
        name = part["surface"]["name"]
        yield name, part["kind"], Padding(**part.get("padding", {})), (name,)
    made = seat.get("restraint")
    if made:
        word = RESTRAINTS[made["kind"]].word
        pads = tuple(f"{word}, {pad['name'].lower()}" for pad in made["pads"])
        yield word, RESTRAINT, Padding(**made.get("padding", {})), pads


# -- over the stored instants


def gap_over_time(results: Results, rows: tuple[int, ...]) -> Array:
    """Gap (n,) m between a rider and the nearest of some surfaces, negative where one is pressed in."""
    deepest = np.fmax.reduce(results.states.spring_length[:, list(rows)], axis=1)
    return np.asarray(-deepest)


def load_over_time(results: Results, rows: tuple[int, ...]) -> Array:
    """Sum of the sizes of normal forces, (n,) N; the largest pull of webbing."""
    sizes = np.abs(results.states.spring_force[:, list(rows)])
    return np.asarray(sizes.sum(axis=1) if is_pair(results, rows[0]) else sizes.max(axis=1))


def slip_over_time(results: Results, part: Part) -> Array:
    """How far the segment that slid furthest along a part has slid, (n,) m: its way while friction gives way; of
    webbing how far it has passed over the point where that is most, back and forth."""
    if part.webbing:
        return _passed(results, part)
    ways = (_slid(results, row, part.friction) for row in met_of(results, part.rows))
    still = np.zeros(len(results.states.time))
    return np.asarray(max(ways, key=lambda way: float(way[-1]), default=still))


def _passed(results: Results, part: Part) -> Array:
    belt, time = (
        results.names.springs[part.rows[0]].removesuffix(f" {SEGMENT.format(1)}"),
        results.states.time,
    )
    found = [
        np.abs(np.diff(channel.values, prepend=channel.values[:1])).cumsum()
        for name, channel in results.channels.items()
        if name.startswith(f"belt/{belt}/slip ")
    ]
    if not found:  # it runs over as over rollers, or the run is of before slip was kept
        return np.zeros(len(time))
    return np.asarray(np.interp(time, results.sample_time, max(found, key=lambda way: float(way[-1]))))


def _slid(results: Results, row: int, friction: float) -> Array:
    states = results.states
    normal, along = np.abs(states.spring_force[:, row]), np.abs(states.spring_force[:, row + 1])
    slides = (normal > 0.0) & (along >= SLIDING * friction * normal)
    speed = np.where(slides, np.abs(np.nan_to_num(states.spring_length[:, row + 1])), 0.0)
    steps = 0.5 * (speed[1:] + speed[:-1]) * np.diff(states.time)
    return np.concatenate([[0.0], np.cumsum(steps)])


def felt_airtime(results: Results, rider: FreeRider) -> Array | None:
    """The gap to the seat pan while nothing of a rider but shins touches it.

    Parameters
    ----------
    results
        A run.
    rider
        Who sits freely.

    Returns
    -------
    (n,) m, 0 while something touches; None without a pan.
    """
    rows = rider.sits
    if not rows:
        return None
    return np.where(_off(results, rows), np.maximum(gap_over_time(results, rows), 0.0), 0.0)


def _off(results: Results, rows: tuple[int, ...]) -> NDArray[np.bool_]:
    return out_of_touch(results, rows)


# -- in figures


@once_a_run
def free_rider_summaries(results: Results) -> dict[str, FreeRiderSummary]:
    """What seat and restraint did to every free rider of a run, by the rider's path."""
    return {one.rider: _summary(results, one) for one in free_riders(results)}


def _summary(results: Results, one: FreeRider) -> FreeRiderSummary:
    rows, time = one.sits, results.states.time
    airtime = longest = since = gap = None
    if rows:
        spans = spans_of(time, _off(results, rows))
        airtime = sum(length for length, _ in spans)
        longest, since = max(spans, default=(0.0, None))
        felt = felt_airtime(results, one)
        gap = None if felt is None else float(felt.max(initial=0.0))
    return FreeRiderSummary(
        seat=one.seat, airtime=airtime, longest=longest, longest_from=since,
        arc_length=None if since is None else first_car_at(results, since), gap=gap,
        parts={part.name: _of_part(results, part) for part in one.parts},
    )  # fmt: skip


def _of_part(results: Results, part: Part) -> PartSummary:
    time, load = results.states.time, load_over_time(results, part.rows)
    k = int(np.argmax(load))
    return PartSummary(
        **dict(touches_of(results, part.rows)),
        kind=part.kind,
        load=float(load[k]),
        load_time=float(time[k]),
        load_arc_length=first_car_at(results, float(time[k])),
        without=sum(length for length, _ in spans_of(time, _off(results, part.rows))),
        slid=float(slip_over_time(results, part)[-1]),
    )
