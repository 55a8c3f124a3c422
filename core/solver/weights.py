"""What errors of a step count where: those of riders' limbs, by which nothing is judged, a part of all others."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..base.arrays import Array
from ..multibody.compile import System


def slot_weights(system: System, limb_tolerance: float) -> Array:
    """What an error counts in each velocity slot (width,): 1, and 1 / limb_tolerance in those of limbs."""
    out = np.ones(system.layout.width)
    for body in system.limbs:
        out[system.layout.block(body)] = 1.0 / limb_tolerance
    return out


def element_weights(system: System, limb_tolerance: float) -> Array:
    """The same for the output rows of force elements (rows,): less counts what acts on limbs and on no other part of a
    rider."""
    out, limbs = np.ones(len(system.elements)), set(system.limbs)
    inside = tuple(f"{rider}/" if rider else "" for rider in system.riders)
    trunk = {b for b, name in enumerate(system.names) if name.startswith(inside)} - limbs
    made = [connector for connector in system.connectors if connector.first >= 0]
    starts = [connector.first for connector in made]
    for connector, (first, end) in zip(made, pairwise([*starts, len(out)]), strict=True):
        if not limbs.isdisjoint(connector.bodies) and trunk.isdisjoint(connector.bodies):
            out[first:end] = 1.0 / limb_tolerance
    return out
