"""What a run says of its contacts: pairs that begin too deep, the one that jams a step, when pairs touch and part."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.base.errors import InputError
from core.multibody.arrays import Work
from core.multibody.compile import System
from core.multibody.connectors import Connector
from core.results.results import States

Array = NDArray[np.float64]


def pairs_of(system: System) -> Iterator[tuple[Connector, int, str]]:
    """Every pair of the contacts of a system: its contact, its row of outputs (that of its friction is next), name."""
    touching = [c for c in system.connectors if c.geometry == "gap"]
    ends = [*(c.first for c in touching[1:]), len(system.elements)]
    for c, end in zip(touching, ends, strict=True):
        for row in range(c.first, end, 2):
            yield c, row, system.elements[row]


def check_start(system: System, W: Work) -> None:
    """Raises InputError for a pair that is deeper at the start, as the last forces have it, than its contact allows."""
    for c, row, name in pairs_of(system):
        allowed, depth = c.element.start_depth, float(W.el[row, 0])  # type: ignore[attr-defined]
        if depth > allowed + c.element.thickness:  # type: ignore[attr-defined]
            raise InputError(
                f"Contact '{name}': the surfaces begin {depth:.4g} m deep in one another, more than the {allowed:g} m that"
                " it allows at the start; move one of them away, or allow more."
            )


def stiffest(system: System, W: Work) -> str:
    """The name of the touching pair whose force rises most with the depth, as the last forces have it; "" for none."""
    touching = [(float(W.el[row, 4]), name) for _, row, name in pairs_of(system) if W.el[row, 0] > 0.0]
    return max(touching, default=(0.0, ""))[1]


def touches(system: System, states: States) -> list[tuple[float, str, str]]:
    """When pairs touch and part: time (s), what that is called, name of the pair.

    Steps end where that happens, so that the depth is nearly zero at a stored instant; between that and its neighbour it
    is taken for straight.
    """
    found = []
    for c, row, name in pairs_of(system):
        depth, time = states.spring_length[:, row], states.time
        inside = depth > 0.0
        for k in np.flatnonzero(inside[1:] != inside[:-1]):
            share = -depth[k] / (depth[k + 1] - depth[k])
            at = float(time[k] + share * (time[k + 1] - time[k]))
            found.append((at, c.type.events[0 if inside[k + 1] else 1], name))
    return found
