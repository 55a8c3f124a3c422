"""The adjustments of a seat, set for who sits there: as little as it takes, part by part.

Parts that move alike, such as a back with its headrest, are one adjustment. Each in turn is looked at over its whole
way from where it is drawn; the first setting with the least misfits, of seat and restraint, is taken.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..base.frames import rotation_matrix
from ..model.person import Person
from ..model.restraints import RESTRAINTS, Restraint
from ..model.seats import SeatPart, SeatShape
from .closing import closing, fault_of
from .fit import fit
from .posture import base_name
from .shape import segments

# what moves the rest of the body least; others come last
ORDER: Final = ("foot_rest", "headrest", "pan", "back")
LOOKS: Final = 4  # settings that are looked at beside that at 0
FINE: Final = 16.0  # parts of its way to which a setting is found; teeth are no finer
BETTER: Final = 1e-3  # m, by which misfits must become less for a part to be moved


def adjusted(person: Person, shape: SeatShape, restraint: Restraint | None = None) -> SeatShape:
    """A seat as it is adjusted to a person; the same where nothing of it can be, or is to be.

    Raises InputError as `fit` where no body can be made.
    """
    if not shape.to_fit:
        return shape
    found = shape
    for names in _groups(shape):
        found = found.set_to(0.0, names)
    for names in _groups(shape):
        cost = _misfit(person, found, restraint)
        if cost == 0.0:
            break
        found = _set(person, found, restraint, names, cost)
    return found


def _groups(shape: SeatShape) -> list[tuple[str, ...]]:
    """Names of the parts that move alike, of every adjustment."""
    groups: dict[tuple[object, ...], list[SeatPart]] = {}
    for part in shape.parts:
        if part.adjustable:
            groups.setdefault((part.travel, part.turn, part.pivot), []).append(part)
    ranked = sorted(groups.values(), key=lambda parts: min(_rank(part) for part in parts))
    return [tuple(part.name for part in parts) for parts in ranked]


def _rank(part: SeatPart) -> int:
    return ORDER.index(part.kind) if part.kind in ORDER else len(ORDER)


def _set(
    person: Person, shape: SeatShape, restraint: Restraint | None, names: tuple[str, ...], cost: float
) -> SeatShape:
    """A seat with one adjustment set, from 0, where the misfits are `cost` (m)."""

    from scipy.optimize import minimize_scalar  # not needed to show the window

    def misfit(setting: float) -> float:
        return _misfit(person, shape.set_to(setting, names), restraint)

    looks = np.linspace(0.0, 1.0, LOOKS + 1)
    costs = [cost]
    while costs[-1] > 0.0 and len(costs) <= LOOKS:
        costs.append(misfit(float(looks[len(costs)])))
    k = int(np.argmin(costs))
    low, best, least = float(looks[max(k - 1, 0)]), float(looks[k]), costs[k]
    if least > 0.0:  # what is on either side of the best of them
        beyond = float(looks[min(k + 1, LOOKS)])
        found = minimize_scalar(misfit, bounds=(low, beyond), method="bounded", options={"xatol": 1.0 / FINE})
        if found.fun < least:
            best, least = float(found.x), float(found.fun)
    if least > cost - BETTER:
        return shape
    while best - low > 1.0 / FINE:  # no farther than it takes
        middle = 0.5 * (low + best)
        low, best = (low, middle) if misfit(middle) <= least else (middle, best)
    return shape.set_to(best, names)


def _misfit(person: Person, shape: SeatShape, restraint: Restraint | None) -> float:
    """What does not fit (m), all of it together; hands go where the rest of the body lets them."""
    found = fit(person, shape, arms=False)
    total = sum(one.amount for one in found.misfits)
    if restraint is None or restraint.shared:
        return total
    holds, skins = RESTRAINTS[restraint.kind].holds, []
    for one in segments(person):
        if base_name(one.name) in holds:
            at = found.placed[one.name]
            turn = rotation_matrix(at.orientation)
            place = at.position + turn @ (one.middle - one.centre)
            skins.append((tuple(one.half.tolist()), tuple(place.tolist()), tuple(turn.ravel().tolist())))
    made = closing(((restraint, tuple(skins)),))
    return total + fault_of(restraint, made.locked, made.gaps[0])[1]
