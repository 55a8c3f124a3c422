"""The search for postures in which a limb gets far: within the limits of the joints, as seat and restraint let them.

Postures are drawn evenly over the ranges of all joints from the pelvis on. For each direction from the limb's resting
joint the farthest one that seat and pads allow is kept, and the kept ones are varied again and again: what gets
farther in any direction takes the place of what was kept there (Mouret & Clune 2015, "Illuminating search spaces by
mapping elites"). All of it is done for thousands of postures at once, with the same numbers every time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..base.frames import from_rotation_vector, rotation_matrix
from ..contact.many import depths
from ..contact.shapes import BOX, ELLIPSOID, PLANE, SCRATCH
from ..model.person import Person
from ..model.seats import SeatShape
from ..model.solids import Solids
from ..model.surfaces import Box, Surface
from . import posture
from .figure import Figure
from .fit import SIDES
from .joints import limits
from .make import posed
from .posture import base_name
from .shape import Segment, segments

GIVE: Final = 0.03  # m, how deep flesh and padding let somebody lean into seat or pads
ROWS, COLUMNS = 36, 72  # directions from pole to pole and around
CELL: Final = math.pi / ROWS
#: Segments of each limb from the trunk outwards.
LIMBS: Final = {
    "head": ("Neck", "Head"),
    **{f"{side.lower()}arm": (f"{side}Arm", f"{side}Forearm", f"{side}Hand") for side in SIDES},
    **{f"{side.lower()}leg": (f"{side}Thigh", f"{side}Calf", f"{side}Foot") for side in SIDES},
}
TRUNK: Final = ("Abdomen", "Thorax")
OUTER: Final = 2  # segments of a limb, counted from its end, by which it is seen
HINGES: Final = ("elbow", "knee", "ankle")  # turned about y alone
STILL: Final = ("wrist",)
HOLDING: Final = ("pan", "back", "side", "headrest", "leg_rest", "foot_rest")
#: Pan and back of a seat that does not say what it is made of, where the library's vehicles have them (m).
STOCK: Final = (
    Box(name="Pan", position=(0.1, 0.0, posture.PAN - 0.05), half_sizes=(0.22, 0.24, 0.05)),
    Box(name="Back", position=(posture.BACK - 0.05, 0.0, 0.25), half_sizes=(0.05, 0.24, 0.4)),
)
DRAWN: Final = 16_000  # postures of a limb that are drawn evenly
ROUNDS, VARIED = 30, 6_000  # rounds in which kept ones are varied, and how many each time
BEYOND: Final = 0.1  # of a range, by which joints are drawn beyond their ends, where they stay
LEANS: Final = 5  # parts of the way of a lean at which it is looked at
SMALLEST, LARGEST = 0.01, 0.5  # of a range, by which joints are varied

Placed = tuple[Array, Array]  # centre of mass (3,) m and axes (3, 3)


class Balls(NamedTuple):
    """What a limb reaches: its name, its resting joint (3,) m, and balls that lie farthest out, centres (n, 3) m and
    radii (n,) m; in the frame of the seat."""

    name: str
    origin: Array
    centres: Array
    radii: Array


def cells_of(away: Array, far: Array) -> tuple[Integers, Integers]:
    """Row and column of the direction of places (n, 3) m from a joint, so far (n,) m away."""
    polar = np.arccos(np.clip(away[:, 2] / np.maximum(far, 1e-12), -1.0, 1.0))
    around = np.mod(np.arctan2(away[:, 1], away[:, 0]), 2.0 * math.pi)
    row = np.minimum((polar / CELL).astype(np.int64), ROWS - 1)
    column = np.minimum((around * COLUMNS / (2.0 * math.pi)).astype(np.int64), COLUMNS - 1)
    return row, column


class Reaching:
    """Somebody on a seat whose postures are being tried."""

    def __init__(self, person: Person, shape: SeatShape | None, pads: tuple[Surface, ...]) -> None:
        made = segments(person)
        turned, placed = posed(person, made, shape)
        self.figure = Figure(made, turned)
        for name, one in placed.items():
            self.figure.at[name] = one.position, rotation_matrix(one.orientation)
        parts = STOCK if shape is None else [part.placed for part in shape.parts if part.kind in HOLDING]
        self.solids = Solids.of((*parts, *pads))
        # a body lies in soft parts as it sits already
        self.let = {name: GIVE + max(0.0, self.figure.depth(name, self.solids)) for name in self.figure.names}

    def limbs(self, fineness: float) -> Iterator[Balls]:
        """What every limb reaches; fineness: how many times as many postures as usual are tried."""
        for name, chain in LIMBS.items():
            yield _Limb(self, name, chain).found(fineness)


class _Limb:
    """A limb with the joints from the pelvis to its end. Postures are turns (p, j, 3) rad of these."""

    def __init__(self, of: Reaching, name: str, chain: tuple[str, ...]) -> None:
        figure = of.figure
        self.of, self.name = of, name
        self.chain = (*TRUNK, *chain) if figure.segments[chain[0]].parent == "Thorax" else chain
        self.segments = [figure.segments[one] for one in self.chain]
        over = self.segments[0].parent
        assert over is not None
        self.base: Placed = figure.at[over]
        self.over: list[Segment] = [figure.segments[over], *self.segments[:-1]]
        self.origin = figure.joint(chain[0])
        self.rest = np.array([figure.turned[one.joint_name] for one in self.segments])
        ends = [_range(one.joint_name, turn) for one, turn in zip(self.segments, self.rest, strict=True)]
        self.low, self.high = (np.array([end[k] for end in ends]) for k in (0, 1))
        self.capsules = [_capsule(one) for one in self.segments[-OUTER:]]
        radii = [radius for _, radius in self.capsules]
        #: Of each outer segment in each direction: how far it gets (m), its ball there, and the posture.
        self.far = np.zeros((OUTER, ROWS * COLUMNS))
        self.ball = np.zeros((OUTER, ROWS * COLUMNS, 3))
        self.turns = np.zeros((OUTER, ROWS * COLUMNS, len(self.chain), 3))
        self.radii = np.array(radii)

    def found(self, fineness: float) -> Balls:
        chance = np.random.default_rng(1)
        self.keep(self.rest[None])
        self.keep(self._drawn(chance, max(8, round(DRAWN * fineness))))
        for _ in range(round(ROUNDS * min(1.0, max(4.0 * fineness, 0.3)))):
            self.keep(self._varied(chance, max(8, round(VARIED * fineness))))
        kept = self.far > 0.0
        radii = np.broadcast_to(self.radii[:, None], kept.shape)[kept]
        return Balls(self.name, self.origin, self.ball[kept], radii)

    def _drawn(self, chance: np.random.Generator, count: int) -> Array:
        """Postures (p, j, 3) over all ranges, some of them at the very ends; the trunk leans any share of the way."""
        share = chance.random((count, *self.low.shape))
        share = np.clip(share + BEYOND * (2.0 * share - 1.0), 0.0, 1.0)
        turns = self.low + share * (self.high - self.low)
        trunk = [k for k, name in enumerate(self.chain) if name in TRUNK]
        lean = chance.random((count, 1, 1))
        turns[:, trunk] = self.rest[trunk] + lean * (turns[:, trunk] - self.rest[trunk])
        return np.asarray(turns)

    def _varied(self, chance: np.random.Generator, count: int) -> Array:
        """Postures of those kept, each with some of its joints turned a little or a lot."""
        which, cell = np.nonzero(self.far > 0.0)
        pick = chance.integers(len(cell), size=count)
        turns = self.turns[which[pick], cell[pick]]
        size = np.exp(chance.uniform(math.log(SMALLEST), math.log(LARGEST), (count, 1, 1)))
        some = chance.random(turns.shape) < 0.5
        moved = turns + some * size * chance.standard_normal(turns.shape) * (self.high - self.low)
        return np.asarray(np.clip(moved, self.low, self.high))

    def keep(self, turns: Array) -> None:
        """Keep of postures what gets farther than anything before in a direction, where nothing is in its way."""
        placed = self._placed(turns)
        better = np.zeros(len(turns), dtype=bool)
        seen = []
        for k, (along, radius) in enumerate(self.capsules):
            one, (centre, axes) = self.segments[k - OUTER], placed[k - OUTER]
            balls = centre[:, None] + np.einsum("pij,bj->pbi", axes, one.middle - one.centre + along)
            away = balls - self.origin
            far = np.linalg.norm(away, axis=2)
            row, column = cells_of(away.reshape(-1, 3), far.ravel())
            cell, far = (row * COLUMNS + column).reshape(far.shape), far + radius
            better |= (far > self.far[k][cell]).any(axis=1)
            seen.append((balls, far, cell))
        number = np.flatnonzero(better)
        number = number[self._clear([(centre[number], axes[number]) for centre, axes in placed])]
        number = number[self._leans(turns[number])]
        for k, (balls, far, cell) in enumerate(seen):
            own_far, own_cell = far[number].ravel(), cell[number].ravel()
            order = np.argsort(own_far)  # the farthest is written last
            order = order[own_far[order] > self.far[k][own_cell[order]]]
            at = own_cell[order]
            self.far[k][at] = own_far[order]
            self.ball[k][at] = balls[number].reshape(-1, 3)[order]
            self.turns[k][at] = turns[number][order // far.shape[1]]

    def _leans(self, turns: Array) -> NDArray[np.bool_]:
        """Whether the trunk comes to postures (p,) straight from where it rests, with nothing in its way: who is held
        by a vest does not get before it."""
        free = np.ones(len(turns), dtype=bool)
        if self.chain[0] not in TRUNK:
            return free
        trunk = slice(0, len(TRUNK))
        for share in np.arange(1, LEANS) / LEANS:
            at = np.flatnonzero(free)
            part = self.rest[trunk] + share * (turns[at, trunk] - self.rest[trunk])
            free[at] = self._clear(self._placed(part))
        return free

    def _placed(self, turns: Array) -> list[Placed]:
        """Centres of mass (p, 3) m and axes (p, 3, 3) of the first segments of the chain, as many as are turned."""
        centre = np.broadcast_to(self.base[0], (len(turns), 3))
        axes = np.broadcast_to(self.base[1], (len(turns), 3, 3))
        found: list[Placed] = []
        for k, (one, over) in enumerate(zip(self.segments, self.over, strict=True)):
            if k == turns.shape[1]:
                break
            assert one.joint is not None
            joint = centre + axes @ (one.joint - over.centre)
            axes = axes @ rotation_matrix(from_rotation_vector(turns[:, k]))
            centre = joint + axes @ (one.centre - one.joint)
            found.append((centre, axes))
        return found

    def _clear(self, placed: list[Placed]) -> NDArray[np.bool_]:
        """Which postures (p,) have no segment deeper in seat or pads than flesh and padding give."""
        free = np.ones(len(placed[0][0]), dtype=bool)
        for one, (centre, axes) in zip(self.segments, placed, strict=False):
            middle = centre + axes @ (one.middle - one.centre)
            for k in range(len(self.of.solids.kinds)):
                ask = np.flatnonzero(free & self._near(one, middle, k))
                if len(ask):
                    free[ask] = self._depth(one, middle[ask], axes[ask], k) <= self.of.let[one.name]
        return free

    def _near(self, one: Segment, middle: Array, k: int) -> NDArray[np.bool_]:
        """Whether a segment with its middle there (p, 3) may lie too deep in a solid at all."""
        solids, deep = self.of.solids, float(one.half.max()) - self.of.let[one.name]
        kind, sizes = solids.kinds[k], solids.sizes[k]
        if kind == PLANE:
            return np.ones(len(middle), dtype=bool)
        away = (middle - solids.centres[k]) @ solids.axes[k].reshape(3, 3)
        if kind == BOX:
            outside = np.linalg.norm(np.maximum(np.abs(away) - sizes, 0.0), axis=1)
            return np.asarray(outside < deep)
        around = float(sizes.max()) if kind == ELLIPSOID else float(sizes.sum())
        return np.asarray(np.linalg.norm(away, axis=1) < around + deep)

    def _depth(self, one: Segment, middle: Array, axes: Array, k: int) -> Array:
        """How deep (p,) m a segment in several places lies in a solid: seen from the segment."""
        solids, n = self.of.solids, len(middle)
        apart = np.einsum("pji,pj->pi", axes, solids.centres[k] - middle)
        turn = axes.transpose(0, 2, 1) @ solids.axes[k].reshape(3, 3)
        found, zero = np.zeros((n, 7)), np.zeros(3)
        depths(
            ELLIPSOID, np.full(n, solids.kinds[k]), zero, np.eye(3).ravel(), one.half, apart,
            np.ascontiguousarray(turn).reshape(n, 9), np.tile(solids.sizes[k], (n, 1)), zero, np.zeros((SCRATCH, 9)),
            np.zeros(7), found,
        )  # fmt: skip
        return found[:, 0]


def _range(joint: str, rest: Array) -> tuple[Array, Array]:
    """Lower and upper rotation vector (3,) rad of a joint."""
    lower, upper = (np.array(end) for end in limits(joint))
    if base_name(joint) in STILL:
        return rest, rest.copy()
    if base_name(joint) in HINGES:
        low, high = rest.copy(), rest.copy()
        low[1], high[1] = lower[1], upper[1]
        return low, high
    return np.minimum(lower, rest), np.maximum(upper, rest)


def _capsule(one: Segment) -> tuple[Array, float]:
    """Centres (b, 3) m, from the middle of the skin, and radius (m) of balls along a segment: of the capsule as long as
    its ellipsoid, as thick as that is on the average."""
    long = int(np.argmax(one.half))
    across = np.delete(one.half, long)
    radius = float(math.sqrt(across[0] * across[1]))
    way = max(0.0, float(one.half[long]) - radius)
    places = np.zeros((max(2, math.ceil(2.0 * way / radius) + 1), 3))
    places[:, long] = np.linspace(-way, way, len(places))
    return places, radius
