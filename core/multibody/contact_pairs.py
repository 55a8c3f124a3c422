"""Which surfaces a contact makes touch: its two sides expanded to pairs once, and why some are left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import rotation_matrix
from ..contact.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, RIM, SPHERE
from ..model import surfaces as s
from ..model.bodies import GROUND
from ..model.joints import TYPES as JOINTS
from ..model.joints.base import JointGeometry
from ..model.solids import KINDS, sizes_of
from .contact_points import Skin, points_on
from .flatten import Flat, Placed

ROUND = (SPHERE, CAPSULE)
MAX_PAIRS, MAX_POINTS = 10_000, 200_000  # of all contacts: a pair takes some 40 kB and 0.2 ms a step


@dataclass(frozen=True)
class Pair:
    """Two surfaces that may touch; points: places (n, 3) m on the first in the axes of its body, and the share of the
    stiffness that each has, (n,), where they touch by points."""

    name: str
    a: Skin
    b: Skin
    points: tuple[Array, Array] | None = None


APART = "the joints between them keep them"  # so and so far apart


@dataclass(frozen=True)
class LeftOut:
    """Two surfaces that a contact does not make touch, and why."""

    name: str
    why: str


def skin_of(surface: Any, path: str, body: int) -> Skin:
    """A surface as the kernels see it."""
    kind, sizes, radius = KINDS[type(surface)], sizes_of(surface), math.inf
    if isinstance(surface, s.Ellipsoid):
        radius = float(np.prod(sizes)) ** (1.0 / 3.0)
    elif not isinstance(surface, s.Box | s.Plane):
        radius = sizes[0]
    position, rotation = np.array(surface.position), rotation_matrix(np.array(surface.orientation))
    bound = s.bounding_radius(surface)
    return Skin(f"{path}/{surface.name}", body, kind, position, rotation, sizes, bound, radius)


class Expansion:
    """The pairs of all contacts of a system; `add` expands one more. Raises InputError for surfaces there are none of,
    and for pairs that two contacts name."""

    def __init__(self, flat: Flat, joints: dict[str, JointGeometry]) -> None:
        self.flat, self.joints = flat, joints
        self.left_out: list[LeftOut] = []
        self._owner: dict[frozenset[str], str] = {}
        self._pairs = self._points = 0
        nb = len(flat.bodies)
        self._fixed = list(range(nb + 1))
        self._linked: dict[int, list[tuple[int, Array, Array]]] = {b: [] for b in range(nb + 1)}
        self._neighbours: set[frozenset[int]] = set()
        for g in joints.values():
            i, j = g.i % (nb + 1), g.j % (nb + 1)
            self._neighbours.add(frozenset((i, j)))
            if JOINTS[g.kind].rigid:
                self._fixed = [self._fixed[i] if of == self._fixed[j] else of for of in self._fixed]
            if JOINTS[g.kind].moves == "none":  # keeps a point of each body in one place
                self._linked[i].append((j, g.point_i, g.point_j))
                self._linked[j].append((i, g.point_j, g.point_i))

    def add(self, placed: Placed[Any]) -> list[Pair]:
        """The pairs of one contact, under its name; none where the joints between bodies of these sizes keep all of its
        surfaces apart, which is told in `left_out`. Raises InputError for one that could have none at any size."""
        e = placed.element
        found: list[Pair] = []
        reasons: list[str] = []
        sides = [self._side(placed, "i"), self._side(placed, "j")]
        self._refuse_many(placed, len(sides[0]), len(sides[1]))
        grouped = e.group_i is not None or e.group_j is not None
        for first, second in itertools.product(*sides):
            name = f"{first.name} on {second.name}"
            key = frozenset((first.name, second.name))
            if first.name == second.name or (
                e.group_i == e.group_j and e.group_i and first.name > second.name
            ):
                continue
            why = self._against(first, second, grouped, e)
            if why:
                self.left_out.append(LeftOut(f"{placed.name}: {name}", why))
                reasons.append(why)
                continue
            other = self._owner.setdefault(key, placed.name)
            if other != placed.name:
                raise InputError(
                    f"Contacts '{other}' and '{placed.name}' both make '{first.name}' and '{second.name}' touch;"
                    " leave the pair to one of them."
                )
            found += self._kinds(e, f"{placed.name}: {name}", first, second)
        if not found and not any(why.startswith(APART) for why in reasons):
            raise InputError(
                f"Contact '{placed.name}' has no pair of surfaces that can touch"
                + (f": {reasons[-1]}." if reasons else ".")
            )
        return found

    def _refuse_many(self, placed: Placed[Any], first: int, second: int) -> None:
        """Refuse what would take all memory, before any pair is made."""
        e = placed.element
        pairs = first * (first - 1) // 2 if e.group_i and e.group_i == e.group_j else first * second
        self._pairs += pairs
        self._points += pairs * e.points if e.method != "normal" else 0
        for count, maximum, what in (
            (self._pairs, MAX_PAIRS, "pairs of surfaces"),
            (self._points, MAX_POINTS, "points on them"),
        ):
            if count > maximum:
                raise InputError(
                    f"Contact '{placed.name}' brings the contacts to {count} {what} to be looked at; {maximum} are"
                    " allowed. Name fewer bodies, or those that can meet in contacts of their own."
                )

    def _side(self, placed: Placed[Any], side: str) -> list[Skin]:
        e, nb = placed.element, len(self.flat.bodies)
        body, group, wanted = (getattr(e, f"{what}_{side}") for what in ("body", "group", "surface"))
        if body is not None:
            numbers = [placed.bodies[body].body % (nb + 1)]
        else:
            prefix = f"{placed.scope}{group}/"
            numbers = [k for k, name in enumerate(self.flat.names) if name.startswith(prefix)]
        every = [
            skin_of(surface, self._path(number), number)
            for number in numbers
            for surface in self._surfaces(number)
            if wanted is None or surface.name == wanted
        ]
        if not every:
            what = "no surface" if wanted is None else f"no surface '{wanted}'"
            raise InputError(
                f"Contact '{placed.name}': there is {what} on '{body if body is not None else group}'; add it there or"
                " name another."
            )
        return every

    def _path(self, number: int) -> str:
        return GROUND if number == len(self.flat.bodies) else self.flat.names[number]

    def _surfaces(self, number: int) -> tuple[s.SurfaceBase, ...]:
        ground = number == len(self.flat.bodies)
        return self.flat.ground if ground else self.flat.bodies[number].surfaces

    def _against(self, a: Skin, b: Skin, grouped: bool, e: Any) -> str:
        """Why two surfaces cannot touch; empty when they can."""
        if a.body == b.body:
            return "they are on one body"
        if self._fixed[a.body] == self._fixed[b.body]:
            return "their bodies are fixed to one another"
        if grouped and frozenset((a.body, b.body)) in self._neighbours:
            return "a joint holds their bodies together"
        if a.kind == PLANE and b.kind == PLANE:
            return "planes do not touch planes"
        by_points = e.method != "normal"
        if by_points and a.kind == PLANE:
            return "a plane has no points on it; make it the second side"
        flat = {a.kind, b.kind} <= {BOX, CYLINDER}
        if flat and not by_points:
            return "flat touches flat in no one point; choose the method of points"
        apart = self._min_distance(a, b) - a.bound - b.bound - e.thickness
        if apart > 0.0:
            return f"{APART} {apart:.3g} m apart"
        return ""

    def _min_distance(self, a: Skin, b: Skin) -> float:
        """A bound of the distance of two centres by the links of the joints between them, 0 where there is none: of a
        chain the longest link less all others."""
        paths: dict[int, tuple[Array, list[float]]] = {a.body: (a.position, [])}
        waiting = [a.body]
        for body in waiting:
            at, links = paths[body]
            for other, here, there in self._linked[body]:
                if other not in paths:
                    paths[other] = there, [*links, float(np.linalg.norm(here - at))]
                    waiting.append(other)
        if b.body not in paths:
            return 0.0
        at, links = paths[b.body]
        links = [*links, float(np.linalg.norm(b.position - at))]
        return max(0.0, 2.0 * max(links) - sum(links))

    def _kinds(self, e: Any, name: str, first: Skin, second: Skin) -> Iterator[Pair]:
        """A pair in the order of the kernels, in several parts where it touches in several places."""
        if e.method != "normal":
            positions, share = points_on(first, e.points, weighted=e.method == "weighted_points")
            yield Pair(name, first, second, (positions, share))
            return
        a, b = (second, first) if _rank(second) < _rank(first) else (first, second)
        if b.kind != PLANE:
            yield Pair(name, a, b)
            return
        for part in _parts(a):
            yield Pair(f"{name}{part.name.removeprefix(a.name)}", part, b)


def _rank(skin: Skin) -> int:
    return {ELLIPSOID: 0, SPHERE: 1, CAPSULE: 2, CYLINDER: 3, BOX: 3, PLANE: 4}[skin.kind]


def _parts(skin: Skin) -> Iterator[Skin]:
    """What of a surface can lie on a plane: the ends of a capsule, the rims of a cylinder, the corners of a box."""
    if skin.kind in (CAPSULE, CYLINDER) and skin.sizes[1] > 0.0:
        kind = SPHERE if skin.kind == CAPSULE else RIM
        for sign, which in ((1.0, "upper"), (-1.0, "lower")):
            position = skin.position + sign * skin.sizes[1] * skin.rotation[:, 2]
            r = skin.sizes[0]
            yield replace(
                skin,
                name=f"{skin.name}, {which} end",
                kind=kind,
                position=position,
                sizes=(r, 0.0, 0.0),
                bound=r,
            )
    elif skin.kind == CAPSULE:
        yield replace(skin, kind=SPHERE)
    elif skin.kind == BOX:
        for number, signs in enumerate(itertools.product((-1.0, 1.0), repeat=3)):
            position = skin.position + skin.rotation @ (np.array(signs) * skin.sizes)
            yield replace(
                skin, name=f"{skin.name}, corner {number + 1}", kind=SPHERE, position=position, sizes=(0.0, 0.0, 0.0),
                bound=0.0,
            )  # fmt: skip
    else:
        yield skin
