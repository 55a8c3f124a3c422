"""What contacts did in a run: how often surfaces met, how hard, how fast, for how long, and how far apart they were.

Read off the stored instants, between which depth and force go in straight lines; the largest force is the summit of the
parabola through that of an instant and its neighbours. Steps end where surfaces meet, so that the speed of an impact is
the rate of the gap in the last stored step before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..base.frozen import Frozen
from ..model.outputs import SLIPS
from ..results.once import once_a_run
from ..results.results import Results, first_car_at

PULLS = 1e-12  # m, in place of a depth, of what pulls
ROUNDED = 1e-9  # m, the depth at which a step ends on a touch
TOGETHER = 64  # pairs whose columns are read at once


class Touches(Frozen):
    """What a pair of surfaces did, or all pairs of a rider with what is not his.

    count: how often it met, what touches at the start included; first: when (s), None when never; force (N): the
    largest, of one pair, with its time (s), place on the track (m, of the first car, None off one) and pair; deepest
    (m); speed (m/s): the fastest impact, with its time, None where nothing met after the start; impulse (N s) of all
    normal forces; longest (s), from when (s): the longest time without contact between two contacts, or up to the end
    of the run, None where there was none; apart (m): the widest gap in between, None where gaps are not measured.
    """

    count: int
    first: float | None
    force: float
    force_time: float
    arc_length: float | None
    pair: str
    deepest: float
    speed: float | None
    speed_time: float | None
    impulse: float
    longest: float | None
    longest_from: float | None
    apart: float | None


class _Fact(NamedTuple):
    """What one pair did, or a segment of a belt: how often it met and at which stored instant first; largest force (N)
    and its instant; deepest (m); impulse (N s); speed (m/s) and time (s) of the fastest impact, or neither."""

    row: int
    times: int
    first: int
    force: float
    at: int
    deepest: float
    impulse: float
    impact: tuple[float, float] | None


def touches_of_pairs(results: Results) -> dict[str, Touches]:
    """Of every pair of surfaces of a run that may touch, by name."""
    return {results.names.springs[row]: _touches(results, [fact]) for row, fact in _facts(results).items()}


def touches_of_riders(results: Results) -> dict[str, Touches]:
    """Of every rider whom something outside may touch: all of those pairs together."""
    names, facts, out = results.names, _facts(results), {}
    for rider in names.riders:
        own = [fact for row, fact in facts.items() if _outside(names.springs[row], rider)]
        if own:
            out[rider] = _touches(results, own)
    return out


def touches_of(results: Results, rows: Iterable[int]) -> Touches:
    """Of the pairs in some rows of the outputs, all of them together."""
    known = _facts(results)
    return _touches(results, [known[k] if k in known else next(_found(results, [k])) for k in rows])


def is_pair(results: Results, row: int) -> bool:
    """Whether a row of the outputs is that of a pair of surfaces."""
    return row in _rows(results)


def inside_of(results: Results, rows: Iterable[int]) -> NDArray[np.bool_]:
    """Whether (n,) any of the pairs in some rows touches."""
    return np.asarray((_depths(results, met_of(results, rows)) > 0.0).any(axis=0))


def met_of(results: Results, rows: Iterable[int]) -> list[int]:
    """Those of some rows whose pairs touch in the run."""
    known = _facts(results)
    return [row for row in rows if row not in known or known[row].times]


def out_of_touch(results: Results, rows: Iterable[int]) -> NDArray[np.bool_]:
    """Whether (n,) none of the pairs in some rows touches, after the first one has."""
    inside = inside_of(results, rows)
    out: NDArray[np.bool_] = np.logical_not(inside)
    out[: int(np.argmax(inside)) if inside.any() else len(inside)] = False
    return out


def spans_of(time: Array, out: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """How long (s) each time lasted in which something was so, and when (s) it began: from the last instant before."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], out, [False]]).astype(np.int8)))
    last = len(time) - 1
    return [
        (float(time[min(b, last)] - time[max(a - 1, 0)]), float(time[max(a - 1, 0)]))
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]


@once_a_run
def _rows(results: Results) -> frozenset[int]:
    """The rows of all pairs of surfaces."""
    known = set(results.names.springs)
    return frozenset(k for k, name in enumerate(results.names.springs) if name + SLIPS in known)


@once_a_run
def _facts(results: Results) -> dict[int, _Fact]:
    """What every pair did, by its row."""
    rows = sorted(_rows(results))
    parts = (rows[first : first + TOGETHER] for first in range(0, len(rows), TOGETHER))
    return {fact.row: fact for part in parts for fact in _found(results, part)}


def _depths(results: Results, rows: list[int], at: Integers | slice = slice(None)) -> Array:
    """Depths (rows, n) m at some instants, negative for gaps, nan where they are not measured. A segment of a belt
    counts as one that touches while it pulls."""
    states = results.states
    some: Any = (at, rows) if isinstance(at, slice) else np.ix_(at, np.array(rows))
    depth = np.ascontiguousarray(states.spring_length[some].T)
    for k, row in enumerate(rows):
        if not is_pair(results, row):
            depth[k] = np.where(np.abs(states.spring_force[at, row]) > 0.0, PULLS, np.nan)
    return depth


def _found(results: Results, rows: list[int]) -> Iterator[_Fact]:
    time, depth = results.states.time, _depths(results, rows)
    force = np.abs(np.ascontiguousarray(results.states.spring_force[:, rows].T))
    at, impulse, inside = force.argmax(axis=1), np.trapezoid(force, time, axis=1), depth > 0.0
    deepest = np.fmax(np.fmax.reduce(depth, axis=1, initial=0.0), 0.0)
    for k, row in enumerate(rows):
        begins = np.flatnonzero(inside[k, 1:] & ~inside[k, :-1])
        begun = bool(inside[k, 0])
        first = 0 if begun or not len(begins) else int(begins[0]) + 1
        largest = _summit(time, force[k], int(at[k]))
        yield _Fact(
            row, len(begins) + begun, first, largest, int(at[k]), float(deepest[k]), float(impulse[k]),
            _impact(time, depth[k], begins),
        )  # fmt: skip


def _summit(time: Array, values: Array, at: int) -> float:
    """The largest value near that of an instant, the largest there is, by the parabola through it and its neighbours:
    of what is there at all three of them, as what begins or ends in between is no parabola."""
    x = float(values[at])
    if not 0 < at < len(values) - 1 or min(values[at - 1], values[at + 1]) <= 0.0:
        return x
    before, after = float(time[at] - time[at - 1]), float(time[at + 1] - time[at])
    rise, fall = (x - float(values[at - 1])) / before, (x - float(values[at + 1])) / after
    if rise + fall <= 0.0:
        return x
    slope, bend = (rise * after - fall * before) / (before + after), 2.0 * (rise + fall) / (before + after)
    return x + 0.5 * slope * slope / bend


def _outside(pair: str, rider: str) -> bool:
    """Whether one of the two surfaces of a pair is a rider's and the other one is not: "contact: one on other"."""
    surfaces, own = pair.partition(": ")[2], f"{rider}/"
    return surfaces.startswith(own) != (f" on {own}" in surfaces)


def _touches(results: Results, facts: list[_Fact]) -> Touches:
    time = results.states.time
    hardest = max(facts, key=lambda fact: fact.force)
    met = [fact for fact in facts if fact.times]
    speed, speed_time = max((fact.impact for fact in met if fact.impact), default=(None, None))
    longest, since, gap = _longest_gap(results, [fact.row for fact in facts]) if met else (None, None, None)
    return Touches(
        count=sum(fact.times for fact in met),
        first=min((float(time[fact.first]) for fact in met), default=None),
        force=hardest.force,
        force_time=float(time[hardest.at]),
        arc_length=first_car_at(results, float(time[hardest.at])),
        pair=results.names.springs[hardest.row],
        deepest=max(fact.deepest for fact in facts),
        speed=speed,
        speed_time=speed_time,
        impulse=sum(fact.impulse for fact in facts),
        longest=longest,
        longest_from=since,
        apart=gap,
    )


def _impact(time: Array, depth: Array, begins: Integers) -> tuple[float, float] | None:
    """Speed (m/s) at which a pair meets fastest, and when (s); begins: the instants before each time."""
    # of the way to the touch: the step that ends at it begins at k, or ends at k with the depth of rounding
    a = begins - ((begins > 0) & (np.abs(depth[begins]) < ROUNDED))
    rates = (depth[a + 1] - depth[a]) / (time[a + 1] - time[a])
    known = zip(rates.tolist(), time[begins + 1].tolist(), strict=True)
    return max((one for one in known if math.isfinite(one[0])), default=None)


def _longest_gap(results: Results, rows: list[int]) -> tuple[float | None, float | None, float | None]:
    """Longest time (s) without contact after the first one, when it began (s), and how far (m) the nearest pair was
    apart in any such time."""
    out = out_of_touch(results, rows)
    spans = spans_of(results.states.time, out)
    if not spans:
        return None, None, None
    length, since = max(spans)
    known = -np.fmax.reduce(_depths(results, rows, np.flatnonzero(out)), axis=0)
    known = known[np.isfinite(known)]
    return length, since, float(max(known.max(), 0.0)) if len(known) else None
