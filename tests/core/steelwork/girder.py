"""Straight girders as frames of their own, for closed forms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ridewright.core.base.arrays import Array
from ridewright.core.steelwork.frame import Footing, SteelFrame
from ridewright.core.steelwork.ride import TrainLoads
from ridewright.core.structure.beams import Beam, Spring, frame, lay_out
from ridewright.core.structure.sections import Material, Section

STIFF = 1e12  # N/m


def girder(
    section: Section,
    material: Material,
    length: float,
    bays: int,
    held: Sequence[int],
    ground: tuple[float, float, float, float, float, float],
    damping: float = 0.0,
) -> SteelFrame:
    """A straight line of beams along x, held by equal springs at the nodes `held`; no turn about x."""
    x = np.linspace(0.0, length, bays + 1)
    nodes = {f"track {k}": (float(at), 0.0, 0.0) for k, at in enumerate(x)}
    beams = tuple(Beam(f"track {k}", f"track {k + 1}", section, material, elements=1) for k in range(bays))
    springs = [Spring(f"track {k}", None, ground) for k in held]
    structure = frame(nodes, beams, springs)
    _, _, pieces = lay_out(nodes, beams)
    feet = tuple(Footing(f"foot {k}", k, nodes[f"track {k}"], 0, float(x[k])) for k in held)
    tubes = np.tile([0.0, 0.0, section.reach[1]], (bays, 3, 1))
    members = tuple(f"bay {k + 1}" for k in range(bays))
    return SteelFrame(
        structure, beams, tuple(pieces), members, x, feet, ground, tubes, closed=False, damping=damping
    )


def passing(
    force: float, speed: float, length: float, after: float = 0.0, places: Sequence[float] = (0.0,)
) -> TrainLoads:
    """Forces down (N) that pass a girder one behind the other, `places` (m) behind the first, until `after` s later;
    off the girder there are none."""
    time = np.linspace(0.0, (length + max(places)) / speed + after, 20001)
    s = speed * time[:, None] - np.asarray(places)
    point = np.zeros((*s.shape, 3))
    point[..., 0] = np.clip(s, 0.0, length)
    on = (s >= 0.0) & (s <= length)
    down = np.zeros_like(point)
    down[..., 2] = -force * on
    return TrainLoads(time, np.clip(s, 0.0, length), point, down, np.zeros_like(point))


def fryba(
    EI: float, mu: float, length: float, force: float, speed: float, x: float, time: Array, terms: int = 200
) -> Array:
    """Deflection (m) down at x of a simply supported Euler beam of mass mu a metre under a force that passes it."""
    out = np.zeros_like(time)
    for n in range(1, terms + 1):
        w, O = (n * np.pi / length) ** 2 * np.sqrt(EI / mu), n * np.pi * speed / length
        m = 0.5 * mu * length
        q = force / (m * (w**2 - O**2)) * (np.sin(O * time) - O / w * np.sin(w * time))
        out += q * np.sin(n * np.pi * x / length)
    return out
