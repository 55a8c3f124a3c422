"""Fatigue of a detail of steel under ranges of stress: EN 1993-1-9:2005, 7.1 and 8, with Miner's sum.

A detail of category C stands 2 million cycles of the range C. In double logarithm its strength falls with slope 3 to 5
million cycles, there it is D = (2/5)^(1/3) C = 0.737 C, then with slope 5 to 100 million, L = (5/100)^(1/5) D = 0.549
D; ranges below L do no harm. The strength is divided, the ranges are multiplied by partial factors (table 3.1, clause
3(7)). Ranges are counted by rainflow (ASTM E1049-85, 5.4.4), half cycles as halves; a ride that is repeated makes one
more cycle between its highest and lowest value where these do not follow one another in it, which counting two rides
behind one another takes in.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError

AT_CATEGORY, AT_KNEE, AT_CUT = 2e6, 5e6, 1e8  # cycles
STEEP, SHALLOW = 3.0, 5.0
KNEE = (AT_CATEGORY / AT_KNEE) ** (1.0 / STEEP)  # of the category
CUT = KNEE * (AT_KNEE / AT_CUT) ** (1.0 / SHALLOW)
CUT_OF_NODE = (AT_CATEGORY / AT_CUT) ** (1.0 / SHALLOW)


class Detail(NamedTuple):
    """A detail: category (Pa), partial factor of its strength and of the ranges; node: of a lattice, whose strength
    falls with slope 5 from the first cycle on (table 8.7)."""

    category: float
    strength_factor: float = 1.15
    load_factor: float = 1.0
    node: bool = False


class Fatigue(NamedTuple):
    """Of one ride: ranges (k,) Pa and how often each comes (k,), the damage they do (1 is the end), the largest range
    (Pa), and the range that would do the same damage, coming once a ride (Pa; 0 where there is none)."""

    ranges: Array
    cycles: Array
    damage: float
    largest: float
    equivalent: float

    def rides(self) -> float:
        """How many rides the detail stands; inf where none does harm."""
        return 1.0 / self.damage if self.damage > 0.0 else np.inf


def cycles_to_failure(ranges: Array, detail: Detail) -> Array:
    """How many cycles of ranges (k,) Pa a detail stands (k,); inf below its cut-off."""
    strength = detail.category / detail.strength_factor
    x = np.maximum(np.asarray(ranges, dtype=np.float64) * detail.load_factor / strength, 1e-12)
    if detail.node:
        return np.where(x >= CUT_OF_NODE, AT_CATEGORY * x**-SHALLOW, np.inf)
    steep = AT_CATEGORY * x**-STEEP
    shallow = AT_KNEE * (x / KNEE) ** -SHALLOW
    out: Array = np.where(x >= KNEE, steep, np.where(x >= CUT, shallow, np.inf))
    return out


def check_counting() -> None:
    """Raises InputError where the package `rainflow` is not installed."""
    if find_spec("rainflow") is None:
        raise InputError(
            "Fatigue needs the package rainflow; install it with: pip install 'ridewright[report]'."
        )


def counted(stress: Array) -> tuple[Array, Array]:
    """Ranges (k,) in the unit of the stress (n,) of one ride that is repeated without end, and cycles a ride (k,).

    The history is begun at its highest value, as a loop: then every range closes. Raises InputError where the package
    `rainflow` is not installed.
    """
    check_counting()
    import rainflow

    top = int(np.argmax(stress))
    loop = np.concatenate([stress[top:], stress[: top + 1]])
    loop = loop[np.concatenate([[True], np.diff(loop) != 0.0])]
    turns = np.diff(loop[:-1]) * np.diff(loop[1:]) < 0.0
    loop = loop[
        np.concatenate([[True], turns, [True]])[: len(loop)]
    ]  # else the package looks for them, one by one
    found = np.array([(rng, count) for rng, _, count, _, _ in rainflow.extract_cycles(loop.tolist())])
    found = found.reshape(-1, 2)
    return found[:, 0], found[:, 1]


def fatigue(stress: Array, detail: Detail) -> Fatigue:
    """Damage that one ride does to a detail.

    Parameters
    ----------
    stress
        (n,) Pa at the detail, over the ride.
    detail
        Its category and partial factors.

    Returns
    -------
    Ranges and how often each comes, the damage they do, and the one range that would do the same.

    Raises
    ------
    InputError
        As `counted`.
    """
    ranges, cycles = counted(stress)
    lasting = cycles_to_failure(ranges, detail)
    damage = float(np.sum(cycles / lasting))
    equivalent = 0.0
    if damage > 0.0:
        strength = detail.category / detail.strength_factor / detail.load_factor
        steep = strength * (AT_CATEGORY * damage) ** (1.0 / STEEP)
        if detail.node:
            equivalent = strength * (AT_CATEGORY * damage) ** (1.0 / SHALLOW)
        elif steep >= KNEE * strength:
            equivalent = steep
        else:
            equivalent = KNEE * strength * (AT_KNEE * damage) ** (1.0 / SHALLOW)
    return Fatigue(ranges, cycles, damage, float(np.ptp(stress)), equivalent)
