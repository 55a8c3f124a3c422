"""Contacts lowered to the tables of their kernels, and the directory by which these find all they work on."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..contact.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SCRATCH, SPHERE
from ..model.forces import ElementType, Use
from ..model.outputs import SLIPS
from . import contact_kernels as c
from .contact_pairs import Expansion, LeftOut, Pair
from .contact_points import Skin
from .contact_sweep import SWEEP
from .flatten import Flat, Placed

if TYPE_CHECKING:
    from .layout import Layout

FRICTION = {"none": c.NONE, "smooth": c.SMOOTH, "bristle": c.BRISTLE, "tangential_spring": c.SPRING}
UNKNOWNS = 2  # of an element: lost in its normal forces, taken by its friction
OUT = 7


@dataclass(frozen=True)
class Lowered:
    """One contact with its pairs and the law of each."""

    placed: Placed[Any]
    type: ElementType
    pairs: list[Pair]
    uses: list[Use]


@dataclass
class Contacts:
    """All contacts of a system of so many bodies; worth (J): one unit of their internal unknowns."""

    bodies: int = 0
    elements: list[Lowered] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    worth: float = 1.0

    def names(self) -> list[str]:
        """Names of the rows of outputs, two a pair."""
        return [name for e in self.elements for p in e.pairs for name in (p.name, p.name + SLIPS)]

    def start(self) -> list[float]:
        """What the pairs remember at the start: nothing."""
        return [0.0] * sum(_memory(e) * len(e.pairs) for e in self.elements)

    def lay(
        self, couples: dict[tuple[int, int], int], memory: int, unknowns: int, rows: int
    ) -> tuple[Integers, Array]:
        """Tables of integers and of numbers, one behind the other; couples gets the pairs of bodies. memory, unknowns,
        rows: from where on theirs are."""
        surfaces: list[list[int]] = []
        what: list[list[float]] = []
        pairs: list[list[int]] = []
        numbers: list[list[float]] = []
        spots: list[list[int]] = []
        weights: list[float] = []
        through: list[tuple[float, float]] = []
        parameters: list[float] = []
        known: dict[tuple[str, int], int] = {}

        def surface(skin: Skin) -> int:
            key = (skin.name, skin.kind)
            if key not in known:
                known[key] = len(surfaces)
                surfaces.append([skin.kind, skin.body])
                what.append([*skin.position, *skin.rotation.ravel(), *skin.sizes, skin.bound])
            return known[key]

        for number, e in enumerate(self.elements):
            d, size = e.placed.element, _memory(e)
            for pair, use in zip(e.pairs, e.uses, strict=True):
                a, b = surface(pair.a), surface(pair.b)
                i, j = pair.a.body, pair.b.body
                couple = couples.setdefault((max(i, j), min(i, j)), len(couples))
                first = len(spots)
                if pair.points is None:
                    spots.append([a, b, 0])
                    weights.append(1.0)
                else:
                    for position, share in zip(*pair.points, strict=True):
                        at = len(surfaces)
                        surfaces.append([SPHERE, i])
                        what.append([*position, *np.eye(3).ravel(), 0.0, 0.0, 0.0, 0.0])
                        swapped = pair.b.kind == ELLIPSOID
                        spots.append([b, at, 1] if swapped else [at, b, 0])
                        weights.append(float(share))
                pairs.append([
                    a, b, i, j, couple, c.law_number(use.law), FRICTION[d.friction], len(parameters),
                    len(parameters) + len(use.parameters), memory, memory + size, unknowns + UNKNOWNS * number, first,
                    len(spots), int(d.law == "permanent"), int(_jumps(d)),
                ])  # fmt: skip
                through += [_through(pair)] * (len(spots) - first)
                parameters += use.parameters
                memory += size
                minimum = getattr(d, "least_speed", 0.0)
                numbers.append([
                    d.thickness, d.friction_coefficient, d.slip_speed, d.tangential_stiffness, d.tangential_damping,
                    minimum, self.worth, 0.0, 0.0,
                ])  # fmt: skip
        header = np.zeros(c.HEADER, dtype=np.int64)
        slots = self.bodies + 1
        positions = np.cumsum([c.HEADER, slots, *(len(x) * w for x, w in (
            (surfaces, c.SURFACE_COLUMNS), (pairs, c.PAIR_COLUMNS), (spots, c.SPOT_COLUMNS)
        ))])  # fmt: skip
        state = np.zeros((len(spots), c.SPOT_NUMBERS))
        state[:, c.WEIGHT], state[:, [c.THROUGH, c.BOTH]] = weights, np.reshape(through, (-1, 2))
        floats = [
            np.array(parameters), np.array(what).ravel(), np.array(numbers).ravel(), state.ravel(),
            np.zeros(SCRATCH * 9 + OUT), np.tile([0.0, 0.0, 0.0, *np.eye(3).ravel()], len(surfaces)),
            np.zeros(SWEEP * 9), np.zeros(len(surfaces) * c.KNOWN_NUMBERS),
        ]  # fmt: skip
        ends = np.concatenate([[0], np.cumsum([len(x) for x in floats])])
        # parameters come first: P0 counts from the start of the numbers
        header[[c.BODIES, c.FIRST_EL]] = self.bodies, rows
        header[[c.SURFACES, c.PAIRS, c.SPOTS]] = len(surfaces), len(pairs), len(spots)
        header[[c.AT_SLOTS, c.AT_SURFACES, c.AT_PAIRS, c.AT_SPOTS]] = positions[:4]
        header[[c.F_SURFACES, c.F_PAIRS, c.F_SPOTS, c.F_SCRATCH, c.F_WORLD, c.F_SWEEP, c.F_KNOWN]] = ends[1:8]
        tables = [np.array(x, dtype=np.int64).ravel() for x in (surfaces, pairs, spots)]
        return np.concatenate([header, np.zeros(slots, dtype=np.int64), *tables]), np.concatenate(floats)


def _memory(e: Lowered) -> int:
    return c.BENT_MEMORY if e.placed.element.friction in ("bristle", "tangential_spring") else c.PLAIN_MEMORY


def _jumps(e: Any) -> bool:
    """Whether a force is there at once where surfaces touch: of a dashpot along the normal, or of one along the surface
    that friction does not bound."""
    dashpot = e.law == "spring_dashpot" or (e.law == "general" and e.damping_depth == 0.0)
    along = e.friction == "tangential_spring" and e.tangential_damping > 0.0
    return bool((dashpot and e.damping > 0.0) or along)


def _through(pair: Pair) -> tuple[float, float]:
    """How deep (m) a pair may be while the side that it pushes to is beyond doubt: half of what is thinner, or, of a
    plane with edges, as deep or wide as that is; and how deep it is where the middles of both have met."""
    if pair.b.kind == PLANE:
        return float(np.min(np.array(pair.b.sizes) * (2.0, 2.0, 1.0))), math.inf
    if pair.points is not None:
        return 0.5 * _half(pair.b), math.inf
    halves = _half(pair.a), _half(pair.b)
    return min(halves), sum(halves)


def _half(skin: Skin) -> float:
    a, b, c = skin.sizes
    if skin.kind in (SPHERE, CAPSULE):
        return a
    return {ELLIPSOID: min(a, b, c), BOX: min(a, b, c), CYLINDER: min(a, b)}[skin.kind]


def lower(placed: Placed[Any], type: ElementType, use: Use, expansion: Expansion) -> Lowered:
    """A contact with its pairs. Raises InputError, see `Expansion`."""
    e = placed.element
    if e.method != "normal" and e.friction in ("bristle", "tangential_spring"):
        raise InputError(
            f"Contact '{placed.name}': points on a surface have smoothed friction or none; choose that, or the common"
            " normal."
        )
    pairs = expansion.add(placed)
    return Lowered(placed, type, pairs, [_fitted(use, e, pair) for pair in pairs])


def _fitted(use: Use, e: Any, pair: Pair) -> Use:
    """The law with the stiffness that follows from materials or pad and from the radii of a pair.

    Two round solids: k = 4/(3 (s_i + s_j)) sqrt(R), s = (1 - nu^2)/E, 1/R = 1/R_i + 1/R_j, n = 1.5 (Hertz; eq. 5.14 of
    Spicka 2020 prints no root). A pad of thickness t and modulus E on what is rigid, under a round of radius R: as a
    foundation of springs, k = pi R E/t, n = 2 (Johnson 1985, section 4.3).
    """
    if e.stiffness_from == "given" or e.law == "table":
        return use
    radius = 1.0 / max(1.0 / pair.a.radius + 1.0 / pair.b.radius, 1e-300)
    if not radius < 1e6:
        raise InputError(
            f"Contact '{pair.name}' has no round side to find a stiffness from; give the stiffness itself."
        )
    if e.stiffness_from == "pad":
        k, n = math.pi * radius * e.pad_modulus / e.pad_thickness, 2.0
    else:
        soft = (1.0 - e.poisson_i**2) / e.modulus_i + (1.0 - e.poisson_j**2) / e.modulus_j
        k, n = 4.0 / (3.0 * soft) * math.sqrt(radius), 1.5
    return Use(use.law, (k, n, *use.parameters[2:]))


def spans_of(touch: Integers) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Of each contact in the tables where its memory and its internal unknowns begin and end."""
    at, count = touch[c.AT_PAIRS], touch[c.PAIRS]
    pairs = touch[at : at + count * c.PAIR_COLUMNS].reshape(count, c.PAIR_COLUMNS)
    found: dict[int, tuple[int, int]] = {}
    for first, end, unknown in pairs[:, [c.M0, c.M1, c.Z_AT]].tolist():
        found[unknown] = (found.get(unknown, (first, end))[0], end)
    return [(memory, (unknown, unknown + UNKNOWNS)) for unknown, memory in found.items()]


def place_bodies(touch: Integers, layout: Layout) -> None:
    """Write where the velocities of the bodies lie into the tables."""
    at = touch[c.AT_SLOTS]
    touch[at : at + layout.bodies + 1] = layout.slots


def contacts_of(flat: Flat, expansion: Expansion, lowered: list[Lowered]) -> Contacts:
    """All contacts of a system."""
    worth = 9.81 * sum(body.mass for body in flat.bodies)  # J: all of it lifted by a metre
    return Contacts(len(flat.bodies), lowered, expansion.left_out, worth)
