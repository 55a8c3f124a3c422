"""Which class of restraint the loads Gx and Gz demand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import Array, Integers
from ..criteria.base import Signals
from ..filters import FilterName
from ..intervals import Interval
from .rules import RuleValue
from .table import ZoneBox, ZoneRule

#: The figure is meant for what a design computes.
FOR_DESIGN = "the figure is for accelerations of the design, for measured ones it is not binding"


def demanded_class(rule: ZoneRule, gx: Array, gz: Array) -> Integers:
    """Class of restraint demanded by each pair of loads.

    gx, gz (n,) g. Returns (n,): the class of the first zone of the rule that holds the point, 0 for none. Ranges are
    half open, low <= Gx < high and low < Gz <= high, so that zones that share a border do not overlap.
    """
    demanded = np.zeros(gx.shape, dtype=np.int64)
    for zone in rule.zones:
        inside = np.zeros(gx.shape, dtype=np.bool_)
        for box in zone.boxes:
            inside |= _in_box(box, rule.slope, gx, gz)
        demanded[inside & (demanded == 0)] = zone.restraint_class
    return demanded


def _in_box(box: ZoneBox, slope: float, gx: Array, gz: Array) -> NDArray[np.bool_]:
    inside = np.ones(gx.shape, dtype=np.bool_)
    if box.gx[0] is not None:
        inside &= gx >= box.gx[0]
    if box.gx[1] is not None:
        inside &= gx < box.gx[1]
    if box.gz[0] is not None:
        inside &= gz > box.gz[0]
    if box.gz[1] is not None:
        inside &= gz <= box.gz[1]
    if box.side == "right":
        inside &= gx >= slope * gz
    elif box.side == "left":
        inside &= gx < slope * gz
    return inside


def find_class(rule: ZoneRule, signals: Signals, name: FilterName) -> RuleValue:
    """Highest class demanded for as long as the rule says, and where; exceeded are the stretches above the class
    built in. A stretch lasts from its first to its last sample."""
    time, acceleration = signals.history.time, signals.acceleration(name)
    demanded = demanded_class(rule, acceleration[:, 0], acceleration[:, 2])
    built_in = signals.options.restraint_class
    limit = float(built_in) if built_in is not None else 0.0
    exceeded: tuple[Interval, ...] = ()
    if built_in is not None and built_in < 5:
        exceeded = tuple(_held(time, demanded > built_in, rule.hold))
    for needed in range(5, 0, -1):
        stretches = _held(time, demanded >= needed, rule.hold)
        if stretches:
            longest = max(stretches, key=lambda pair: pair[1] - pair[0])
            many = "one stretch of" if len(stretches) == 1 else f"{len(stretches)} stretches, the longest"
            note = f"{many} {longest[1] - longest[0]:.3g} s"
            return RuleValue(float(needed), limit, longest, exceeded, f"{note}; {FOR_DESIGN}")
    whole = (float(time[0]), float(time[-1]))
    return RuleValue(0.0, limit, whole, exceeded, f"no class is demanded for {rule.hold:g} s")


def _held(time: Array, high: NDArray[np.bool_], hold: float) -> list[Interval]:
    """Stretches of samples, one after the other, that last at least a time."""
    change = np.diff(np.concatenate([[0], high.astype(np.int8), [0]]))
    first, last = np.flatnonzero(change == 1), np.flatnonzero(change == -1) - 1
    long = time[last] - time[first] >= hold * (1.0 - 1e-9)
    return [(float(time[a]), float(time[b])) for a, b in zip(first[long], last[long], strict=True)]
