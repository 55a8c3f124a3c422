"""What a rule of a table found in a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.arrays import Array
from ..held_limit import HeldWorst
from ..intervals import Interval, merged


@dataclass(frozen=True)
class RuleValue:
    """Value and limit in one unit, time (start, end) s of the worst place, intervals of exceedance (s), a remark."""

    value: float
    limit: float
    time: Interval
    exceeded: tuple[Interval, ...] = ()
    note: str = ""


def max_used(found: Sequence[tuple[HeldWorst, str]], time: Array, otherwise: str) -> RuleValue:
    """The piece of a record (n,) s that uses most of a limit curve, with its remark; `otherwise` when there is none.

    found: the pieces held against their curves, each with its remark; exceedances of all of them count.
    """
    if not found:
        return RuleValue(0.0, 1.0, (float(time[0]), float(time[-1])), (), otherwise)
    worst, note = max(found, key=lambda piece: piece[0].used)
    exceeded = [interval for held, _ in found for interval in held.exceeded]
    return RuleValue(worst.used, 1.0, (worst.start, worst.end), merged(np.array(exceeded)), note)
