"""How seats of a car may tilt or swing against what is guided: by hinges, as far as their stops let them.

A hinge counts where a seat hangs on its far side and nothing that is guided does. Its range is that of the joint stops
that act in it. Without one it goes all the way round, or stays as drawn where a rotational spring holds it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.frame import IDENTITY, Frame
from ..base.frames import from_rotation_vector, rotation_matrix
from ..base.sentence import Sentence, say, together
from ..model.bodies import GROUND
from ..model.forces import TYPES
from ..model.joints import TYPES as JOINTS
from ..model.joints import Joint
from ..model.placement import PlacedModel, joined

STEP: Final = math.radians(15.0)  # between tilts that are looked at
MOST: Final = 200  # tilts of a seat; of several hinges each is looked at in fewer


class Tilt(NamedTuple):
    """A seat tilted: by which rigid motion, as a frame in that of the train as drawn, and in words ("" as drawn)."""

    moved: Frame
    words: Sentence | str


class _Hinge(NamedTuple):
    """A hinge that carries a seat: name, a point (3,) m and unit axis (3,), range (rad) from the drawn pose, and how
    many bodies lie beyond it."""

    name: str
    point: Array
    axis: Array
    lower: float
    upper: float
    beyond: int


def tilts_of(drawn: PlacedModel, car: str, carrier: str) -> tuple[Tilt, ...]:
    """Every tilt of a seat on a body (path) of a car (path), the drawn one first."""
    still = (Tilt(IDENTITY, ""),)
    if carrier == GROUND:
        return still
    hinges = sorted(_hinges(drawn, car, carrier), key=lambda one: one.beyond)  # the nearest to the seat first
    if not hinges:
        return still
    finest = max(3, round(MOST ** (1.0 / len(hinges))))
    angles = [_angles(one, finest) for one in hinges]
    found = []
    for chosen in product(*angles):
        moved, words = IDENTITY, []
        for hinge, angle in zip(hinges, chosen, strict=True):
            turned = rotation_matrix(from_rotation_vector(angle * hinge.axis))
            moved = Frame(hinge.point - turned @ hinge.point, turned).inside(moved)
            if angle:
                words.append(say("{joint} at {angle:.0f deg}", joint=f"'{hinge.name}'", angle=angle))
        if words:
            found.append(Tilt(moved, together(", ", words)))
    return (*still, *found)


def _angles(hinge: _Hinge, most: int) -> Sequence[float]:
    """Angles (rad) at which a hinge is looked at: its ends, steps between them, and as drawn."""
    if hinge.upper - hinge.lower >= 2.0 * math.pi:
        count = min(round(2.0 * math.pi / STEP), most)
        return [math.remainder(2.0 * math.pi * k / count, 2.0 * math.pi) for k in range(count)]
    count = min(math.ceil((hinge.upper - hinge.lower) / STEP) + 1, most)
    return sorted({0.0, *np.linspace(hinge.lower, hinge.upper, count).tolist()})


def _hinges(drawn: PlacedModel, car: str, carrier: str) -> list[_Hinge]:
    own = {p: one for p, one in drawn.assemblies.items() if p == car or p.startswith(f"{car}/")}
    guided = {joined(p, guide.body) for p, one in own.items() for guide in one.guides}
    found = []
    for path, assembly in own.items():
        for joint in assembly.joints if assembly.role != "rider" else ():
            made = JOINTS[joint.kind]
            if joint.locked or (made.turns, made.moves) != ("axis", "none"):
                continue
            for body, sign in ((joint.body_j, 1.0), (joint.body_i, -1.0)):
                moved = drawn.beyond(path, joint, body)
                if carrier in moved and guided and not moved & guided:
                    lower, upper = _range(drawn, own, joint)
                    if upper > lower:
                        found.append(_made(drawn, path, joint, sign, (lower, upper), len(moved)))
    return found


def _made(
    drawn: PlacedModel, path: str, joint: Joint, sign: float, ends: tuple[float, float], beyond: int
) -> _Hinge:
    """A hinge of the assembly at a path, whose second body moves (sign 1) or whose first (-1)."""
    on = drawn.at(path, joint.body_j)
    assert joint.axis_j is not None
    axis = sign * on.direction(joint.axis_j)
    return _Hinge(joint.name, on.point(joint.point_j), axis / np.linalg.norm(axis), *ends, beyond)


def _range(drawn: PlacedModel, own: Iterable[str], joint: Joint) -> tuple[float, float]:
    """How far (rad, from the drawn pose) a hinge may turn."""
    acting = [
        force
        for holder in own
        for force in drawn.assemblies[holder].forces
        if joint in drawn.joints(holder, force)
    ]
    leaves = [(TYPES[force.kind].leaves, force) for force in acting]
    ranges = [of(force) for of, force in leaves if of is not None]
    stops = [(lower, upper) for lower, upper in ranges if upper > lower]
    if stops:
        return max(lower for lower, _ in stops), min(upper for _, upper in stops)
    return (0.0, 0.0) if ranges else (-math.pi, math.pi)
