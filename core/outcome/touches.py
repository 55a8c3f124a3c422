"""What contacts did in a run: how often surfaces met, how hard, how fast, for how long, and how far apart they were.

Read off the stored instants, between which depth and force go in straight lines. Steps end where surfaces meet, so that
the speed of an impact is the rate of the gap in the last stored step before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.frozen import Frozen
from ..model.outputs import SLIPS
from ..results.results import Results, first_car_at

PULLS = 1e-12  # m, in place of a depth, of what pulls


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


@dataclass(frozen=True)
class _Pair:
    """A pair over the stored instants: depth (n,) m, negative a gap, nan where it is not measured; force (n,) N."""

    name: str
    depth: Array
    force: Array

    @property
    def inside(self) -> NDArray[np.bool_]:
        return np.asarray(self.depth > 0.0)


def touches_of_pairs(results: Results) -> dict[str, Touches]:
    """Of every pair of surfaces of a run that may touch, by name."""
    return {pair.name: _touches(results, [pair]) for pair in _pairs(results)}


def touches_of_riders(results: Results) -> dict[str, Touches]:
    """Of every rider whom something outside may touch: all of those pairs together."""
    pairs, out = _pairs(results), {}
    for rider in results.names.riders:
        own = [pair for pair in pairs if _outside(pair.name, rider)]
        if own:
            out[rider] = _touches(results, own)
    return out


def touches_of(results: Results, rows: Iterable[int]) -> Touches:
    """Of the pairs in some rows of the outputs, all of them together."""
    return _touches(results, depth_and_force(results, rows))


def depth_and_force(results: Results, rows: Iterable[int]) -> list[_Pair]:
    """The pairs in some rows of the outputs. A segment of a belt counts as one that touches while it pulls."""
    names, states = results.names.springs, results.states
    found = []
    for k in rows:
        depth, force = states.spring_length[:, k], np.abs(states.spring_force[:, k])
        if not is_pair(results, k):
            depth = np.where(force > 0.0, PULLS, np.nan)
        found.append(_Pair(names[k], depth, force))
    return found


def is_pair(results: Results, row: int) -> bool:
    """Whether a row of the outputs is that of a pair of surfaces."""
    return results.names.springs[row] + SLIPS in results.names.springs


def out_of_touch(pairs: Iterable[_Pair]) -> NDArray[np.bool_]:
    """Whether (n,) none of some pairs touches, after the first one has."""
    inside: NDArray[np.bool_] = np.any([pair.inside for pair in pairs], axis=0)
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


def _pairs(results: Results) -> list[_Pair]:
    rows = {name: k for k, name in enumerate(results.names.springs)}
    return depth_and_force(results, (k for name, k in rows.items() if name + SLIPS in rows))


def _outside(pair: str, rider: str) -> bool:
    """Whether one of the two surfaces of a pair is a rider's and the other one is not: "contact: one on other"."""
    surfaces, own = pair.partition(": ")[2], f"{rider}/"
    return surfaces.startswith(own) != (f" on {own}" in surfaces)


def _touches(results: Results, pairs: list[_Pair]) -> Touches:
    time = results.states.time
    inside = np.any([pair.inside for pair in pairs], axis=0)
    hardest = max(pairs, key=lambda pair: float(pair.force.max()))
    k = int(np.argmax(hardest.force))
    impacts = [impact for pair in pairs for impact in _impacts(time, pair)]
    speed, speed_time = max(impacts, default=(None, None))
    begins = np.flatnonzero(inside & ~np.concatenate([[False], inside[:-1]]))
    longest, since, gap = _longest_gap(time, out_of_touch(pairs), pairs)
    return Touches(
        count=sum(_count(pair.inside) for pair in pairs),
        first=float(time[begins[0]]) if len(begins) else None,
        force=float(hardest.force[k]),
        force_time=float(time[k]),
        arc_length=first_car_at(results, float(time[k])),
        pair=hardest.name,
        deepest=max(0.0, max(float(np.nanmax(pair.depth, initial=0.0)) for pair in pairs)),
        speed=speed,
        speed_time=speed_time,
        impulse=float(sum(np.trapezoid(pair.force, time) for pair in pairs)),
        longest=longest,
        longest_from=since,
        apart=gap,
    )


def _count(inside: NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(inside[1:] & ~inside[:-1])) + int(inside[0])


def _impacts(time: Array, pair: _Pair) -> Iterable[tuple[float, float]]:
    """Speed (m/s) at which a pair meets, and when (s), each time."""
    inside, depth = pair.inside, pair.depth
    for k in np.flatnonzero(inside[1:] & ~inside[:-1]):
        # of the way to the touch: the step that ends at it begins at k, or ends at k with the depth of rounding
        a, b = (k - 1, k) if k > 0 and abs(depth[k]) < 1e-9 else (k, k + 1)
        rate = float((depth[b] - depth[a]) / (time[b] - time[a]))
        if math.isfinite(rate):
            yield rate, float(time[k + 1])


def _longest_gap(
    time: Array, out: NDArray[np.bool_], pairs: list[_Pair]
) -> tuple[float | None, float | None, float | None]:
    """Longest time (s) without contact after the first one, when it began (s), and how far (m) the nearest pair was
    apart in any such time."""
    spans = spans_of(time, out)
    if not spans:
        return None, None, None
    length, since = max(spans)
    gaps = np.stack([-pair.depth for pair in pairs])[:, out]
    known = np.where(np.isfinite(gaps), gaps, np.inf).min(axis=0)
    known = known[np.isfinite(known)]
    return length, since, float(max(known.max(), 0.0)) if len(known) else None
