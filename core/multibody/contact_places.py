"""Where the surfaces of contacts meet in a given pose: what is drawn of them, and which pairs there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import located
from ..contact.common_normal import between
from ..contact.shapes import ELLIPSOID, SCRATCH, SPHERE
from ..model.forces import ForceElement, type_of
from ..project.project import Project
from ..track.build import BuiltTrack
from .contact_pairs import Expansion, LeftOut, Pair
from .contact_points import Skin
from .course import Course
from .flatten import flatten
from .rows import Pose, joint_geometries


class Spot(NamedTuple):
    """A place where two surfaces meet: depth (m, negative for a gap), unit normal (3,) on the first, point (3,) m half
    way between the two surfaces; both in world axes."""

    depth: float
    normal: Array
    point: Array


@dataclass(frozen=True)
class Touching:
    """What the contacts of a project can make touch: the pairs with their contacts, by the names of their outputs, and
    what is left out, with reasons; bodies: names by the numbers that the pairs have them by."""

    pairs: dict[str, tuple[Pair, ForceElement]]
    left_out: tuple[LeftOut, ...]
    bodies: tuple[str, ...] = ()


def touching_of(
    project: Project,
    built: BuiltTrack | None = None,
    *,
    only: Collection[str] | None = None,
    courses: Mapping[str, Course] | None = None,
) -> Touching:
    """The pairs of a project's enabled contacts.

    Parameters
    ----------
    project
        A ride or a rig.
    built
        Its track, built here if it is not at hand.
    only, courses
        As of `compile_system`: the bodies to take, and those that move as told.

    Returns
    -------
    The pairs, with what is needed to place them at any pose.

    Raises
    ------
    InputError
        As `compile_system`.
    """
    flat = flatten(project, built, 0.0, only, courses)
    pose = Pose(flat)
    expansion = Expansion(flat, joint_geometries(flat.joints, pose))
    pairs = {}
    for placed in flat.forces:
        found = type_of(placed.element)
        if found is not None and found.place == "surfaces" and placed.element.enabled:
            with located(placed.where):
                pairs.update({pair.name: (pair, placed.element) for pair in expansion.add(placed)})
    return Touching(pairs, tuple(expansion.left_out), tuple(flat.names))


def spots_of(pair: Pair, position: Array, rotation: Array) -> list[Spot]:
    """Where a pair meets: one place, or of a pair that touches by points every one that is inside, or else the nearest.

    position (nb, 3) m and rotation (nb, 3, 3) of all bodies. The normal points from the second surface of the pair to
    the first.
    """
    if pair.points is None:
        return [_spot(pair.a, pair.b, position, rotation)]
    found = [_spot(_point(pair.a, location), pair.b, position, rotation) for location in pair.points[0]]
    inside = [spot for spot in found if spot.depth > 0.0]
    return inside or [max(found, key=lambda spot: spot.depth)]


def _point(skin: Skin, position: Array) -> Skin:
    return Skin(skin.name, skin.body, SPHERE, position, np.eye(3), (0.0, 0.0, 0.0), 0.0, 0.0)


def _spot(a: Skin, b: Skin, position: Array, rotation: Array) -> Spot:
    swapped = a.kind == SPHERE and b.kind == ELLIPSOID  # the order that the closed forms are written for
    first, second = (b, a) if swapped else (a, b)
    T, out = np.zeros((SCRATCH, 9)), np.zeros(7)
    (ca, Ra, sa), (cb, Rb, sb) = (_placed(skin, position, rotation) for skin in (first, second))
    between(first.kind, second.kind, ca, Ra, sa, cb, Rb, sb, np.zeros(3), T, out)
    return Spot(float(out[0]), -out[1:4] if swapped else out[1:4], out[4:7])


def _placed(skin: Skin, position: Array, rotation: Array) -> tuple[Array, Array, Array]:
    """Centre, rotation (9,) row by row and sizes of a surface in the world."""
    if skin.body >= len(position):
        return skin.position, skin.rotation.ravel(), np.array(skin.sizes)
    A = rotation[skin.body]
    return position[skin.body] + A @ skin.position, (A @ skin.rotation).ravel(), np.array(skin.sizes)
