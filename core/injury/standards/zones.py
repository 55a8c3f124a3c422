"""Which class of restraint the loads Gx and Gz demand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import Array, Integers
from ..criteria.base import Signals
from ..filters import FilterName
from ..intervals import Interval
from .rules import RuleValue
from .table import ZoneBox, ZoneRule


def demanded_class(rule: ZoneRule, gx: Array, gz: Array) -> Integers:
    """Class of restraint demanded by each pair of loads.

    gx, gz (n,) g. Returns (n,): the class of the first zone of the rule that holds the point, 0 for none. Ranges are
    half open, low <= Gx < high and low < Gz <= high, so that zones that share a border do not overlap; of an edge
    that two polygons share one has it.
    """
    demanded = np.zeros(gx.shape, dtype=np.int64)
    for zone in rule.zones:
        inside = np.zeros(gx.shape, dtype=np.bool_)
        for box in zone.boxes:
            inside |= _in_box(box, rule.slope, gx, gz)
        demanded[inside & (demanded == 0)] = zone.restraint_class
    return demanded


def _in_box(box: ZoneBox, slope: float | None, gx: Array, gz: Array) -> NDArray[np.bool_]:
    inside = np.ones(gx.shape, dtype=np.bool_)
    if box.gx[0] is not None:
        inside &= gx >= box.gx[0]
    if box.gx[1] is not None:
        inside &= gx < box.gx[1]
    if box.gz[0] is not None:
        inside &= gz > box.gz[0]
    if box.gz[1] is not None:
        inside &= gz <= box.gz[1]
    if slope is not None and box.side == "right":
        inside &= gx >= slope * gz
    elif slope is not None and box.side == "left":
        inside &= gx < slope * gz
    for a, b, c in box.half_planes:
        inside &= a * gx + b * gz > c
    return inside & _in_polygon(box.corners, gx, gz) if box.corners else inside


def _in_polygon(corners: tuple[tuple[float, float], ...], gx: Array, gz: Array) -> NDArray[np.bool_]:
    """Whether points lie within a polygon, by how often a ray crosses its edges; of a shared edge one side has it."""
    inside = np.zeros(gx.shape, dtype=np.bool_)
    for (x0, z0), (x1, z1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        if z0 == z1:
            continue
        crosses = (gz > min(z0, z1)) & (gz <= max(z0, z1))
        inside ^= crosses & (gx < x0 + (gz - z0) * (x1 - x0) / (z1 - z0))
    return inside


def find_class(rule: ZoneRule, signals: Signals, name: FilterName) -> RuleValue:
    """Highest class demanded for as long as the rule says, and where; exceeded are the stretches above the class
    built in. A stretch lasts from its first to its last sample."""
    time, acceleration = signals.history.time, signals.acceleration(name)
    demanded = demanded_class(rule, acceleration[:, 0], acceleration[:, 2])
    built_in = signals.options.restraint_class
    limit = float(built_in) if built_in is not None else 0.0
    exceeded: tuple[Interval, ...] = ()
    highest = max(zone.restraint_class for zone in rule.zones)
    if built_in is not None:
        above = (_held(time, demanded >= one, rule.hold_of(one)) for one in range(built_in + 1, highest + 1))
        exceeded = _merged(stretch for stretches in above for stretch in stretches)
    for needed in range(highest, 0, -1):
        stretches = _held(time, demanded >= needed, rule.hold_of(needed))
        if stretches:
            longest = max(stretches, key=lambda pair: pair[1] - pair[0])
            many = "one stretch of" if len(stretches) == 1 else f"{len(stretches)} stretches, the longest"
            note = f"{many} {longest[1] - longest[0]:.3g} s"
            return RuleValue(
                float(needed), limit, longest, exceeded, "; ".join(filter(None, (note, rule.remark)))
            )
    whole = (float(time[0]), float(time[-1]))
    return RuleValue(0.0, limit, whole, exceeded, f"no class is demanded for {rule.hold:g} s")


def _merged(stretches: Iterable[Interval]) -> tuple[Interval, ...]:
    """Stretches in their order, those that overlap as one."""
    found: list[Interval] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def _held(time: Array, high: NDArray[np.bool_], hold: float) -> list[Interval]:
    """Stretches of samples, one after the other, that last at least a time."""
    change = np.diff(np.concatenate([[0], high.astype(np.int8), [0]]))
    first, last = np.flatnonzero(change == 1), np.flatnonzero(change == -1) - 1
    long = time[last] - time[first] >= hold * (1.0 - 1e-9)
    return [(float(time[a]), float(time[b])) for a, b in zip(first[long], last[long], strict=True)]
