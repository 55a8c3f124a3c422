"""Where two surfaces of a contact meet over a run, made again from the poses that are stored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.arrays import Array, Integers
from ..base.frames import rotation_matrix
from ..contact.many import depths
from ..contact.shapes import ELLIPSOID, SCRATCH, SPHERE
from ..multibody.contact_points import Skin
from ..results.results import States

Placed = tuple[Array, Array]


def placed_over(
    states: States, names: Sequence[str], bodies: Sequence[str], skin: Skin, at: Integers
) -> Placed:
    """Middle (m, 3) m and axes (m, 3, 3) of a surface at some instants; bodies: names by the numbers that skins have
    them by, names: as states have them."""
    if skin.body >= len(bodies):  # the ground stays where it is
        return np.tile(skin.position, (len(at), 1)), np.tile(skin.rotation, (len(at), 1, 1))
    body = list(names).index(bodies[skin.body])
    turn = rotation_matrix(states.orientation[at, body])
    return states.position[at, body] + turn @ skin.position, turn @ skin.rotation


def meetings(a: Skin, b: Skin, placed_a: Placed, placed_b: Placed) -> Array:
    """Depth (m), unit normal from b towards a and point (m) where two surfaces meet in m poses, (m, 7), see
    `contact.shapes`; each is placed by its middle (m, 3) m and its axes (m, 3, 3)."""
    if a.kind == SPHERE and b.kind == ELLIPSOID:  # the order that the closed forms are written for
        found = meetings(b, a, placed_b, placed_a)
        found[:, 1:4] *= -1.0
        return found
    (ca, Ra), (cb, Rb) = placed_a, placed_b
    apart, turn, m = np.einsum("mji,mj->mi", Ra, cb - ca), Ra.transpose(0, 2, 1) @ Rb, len(ca)
    found, zero = np.zeros((m, 7)), np.zeros(3)
    depths(
        a.kind, np.full(m, b.kind), zero, np.eye(3).ravel(), np.array(a.sizes), apart,
        np.ascontiguousarray(turn).reshape(m, 9), np.tile(b.sizes, (m, 1)), zero, np.zeros((SCRATCH, 9)), np.zeros(7),
        found,
    )  # fmt: skip
    found[:, 1:4] = np.einsum("mij,mj->mi", Ra, found[:, 1:4])
    found[:, 4:7] = ca + np.einsum("mij,mj->mi", Ra, found[:, 4:7])
    return found
