"""What contacts put on a body over a run: their forces as vectors, made again from what is stored of each pair.

Of a pair the sizes of normal force and friction are stored, and with the poses the normal and the place follow.
Friction of bristles points against their deflection, which the run remembers, other friction against the slip.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..base.arrays import Array, Integers
from ..base.frames import rotation_matrix
from ..contact.many import depths
from ..contact.shapes import ELLIPSOID, SCRATCH, SPHERE
from ..multibody.compile import System
from ..multibody.contact_kernels import BENT, BENT_BY
from ..multibody.contact_pairs import Pair
from ..multibody.contact_places import Touching
from ..multibody.contact_points import Skin
from ..results.results import States
from ..results.spilled import release
from ..solver.contacts import TouchingPair, pairs_of

Placed = tuple[Array, Array]
SMALL = 1e-12
BLOCK = 1024  # instants


def contact_loads(
    system: System, states: States, touching: Touching, bodies: Sequence[str]
) -> dict[str, tuple[Array, Array]]:
    """Force (n, 3) N and moment about the centre of mass (n, 3) N m of contacts on some bodies, in their axes.

    touching: the pairs of the project that was run. Pairs that touch by points have no one place and are left out.
    """
    n, names = len(states.time), list(system.names)
    out = {body: (np.zeros((n, 3)), np.zeros((n, 3))) for body in bodies}
    met = _pairs_on(system, touching, out)
    columns = [kept.row for kept, _, _, _ in met]
    for first in range(0, n, BLOCK) if met else ():  # all pairs at some instants: rows of states lie together
        part = states.at(slice(first, first + BLOCK))
        force = part.spring_force[:, columns] != 0.0
        turns: dict[int, Array] = {}
        for k, (kept, pair, body, side) in enumerate(met):
            touch = np.flatnonzero(force[:, k])
            if not len(touch):
                continue
            own = names.index(body)
            if own not in turns:
                turns[own] = rotation_matrix(part.orientation[:, own])
            on_first, point = _force(system, part, touching, pair, kept, touch)
            turn, pushed = turns[own][touch], side * on_first
            pushed = np.einsum("nji,nj->ni", turn, pushed)
            arm = np.einsum("nji,nj->ni", turn, point - part.position[touch, own])
            out[body][0][first + touch] += pushed
            out[body][1][first + touch] += np.cross(arm, pushed)
        release(*vars(states).values())
    return out


def _pairs_on(
    system: System, touching: Touching, bodies: Collection[str]
) -> list[tuple[TouchingPair, Pair, str, float]]:
    """The pairs that some bodies have in one place, each with its body, and 1 for its first surface, -1 for its second;
    one between two of them for both."""
    found = []
    for kept in pairs_of(system):
        pair = touching.pairs.get(kept.name, (None, None))[0]
        if pair is None or pair.points is not None:
            continue
        for skin, side in ((pair.a, 1.0), (pair.b, -1.0)):
            (name,) = touching.bodies[skin.body : skin.body + 1] or ("",)
            if name in bodies:
                found.append((kept, pair, name, side))
    return found


def _force(
    system: System, states: States, touching: Touching, pair: Pair, kept: TouchingPair, touch: Integers
) -> tuple[Array, Array]:
    """Force (m, 3) N on the first surface of a pair at instants (m,), and the point (m, 3) m where it acts; world."""
    names = list(system.names)
    placed = [placed_over(states, names, touching.bodies, skin, touch) for skin in (pair.a, pair.b)]
    met = meetings(pair.a, pair.b, *placed)
    normal, point = met[:, 1:4], met[:, 4:7]
    load = np.abs(states.spring_force[touch, kept.row])[:, None] * normal
    friction = np.abs(states.spring_force[touch, kept.row + 1])
    if not friction.any():
        return load, point
    along = -_slip(states, names, touching, pair, point, touch)
    if kept.contact.element.friction in ("bristle", "tangential_spring"):  # type: ignore[attr-defined]
        m = kept.memory
        bent = states.memory[touch[:, None], m + BENT_BY + np.arange(3)]
        first = placed[0][1] @ pair.a.rotation.T  # the axes of the first body
        held = (states.memory[touch, m + BENT] > 0.0) & (np.linalg.norm(bent, axis=1) > SMALL)
        along = np.where(held[:, None], -np.einsum("nij,nj->ni", first, bent), along)
    along -= np.einsum("ni,ni->n", along, normal)[:, None] * normal
    size = np.linalg.norm(along, axis=1)
    return load + along * np.divide(friction, size, out=np.zeros_like(size), where=size > SMALL)[
        :, None
    ], point


def _slip(
    states: States, names: Sequence[str], touching: Touching, pair: Pair, point: Array, at: Integers
) -> Array:
    """Velocity (m, 3) m/s of the first body against the second where they touch."""
    found = []
    for skin in (pair.a, pair.b):
        if skin.body >= len(touching.bodies):
            found.append(np.zeros_like(point))
            continue
        k = list(names).index(touching.bodies[skin.body])
        turn = rotation_matrix(states.orientation[at, k])
        spin = np.einsum("nij,nj->ni", turn, states.angular_velocity[at, k])
        found.append(states.velocity[at, k] + np.cross(spin, point - states.position[at, k]))
    return np.asarray(found[0] - found[1])


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
