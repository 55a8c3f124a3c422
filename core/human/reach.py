"""How far hands, feet and head of somebody who sits on a seat get: within the limits of the joints, as seat and closed
restraint let them.

Hips stay where the fit puts them. The trunk leans every way as far as back and pads let it; from each of these, joints
of the limb are turned evenly over their ranges (a Halton sequence, more of them at the ends). A posture counts that
lies nowhere deeper in seat or pads than flesh and padding give. What was reached is kept as balls at the outer ends of
the segments, which count as capsules there, and seen from the limb's resting joint it is filled up: a place counts as
within reach when something beyond it is. Sides of the car are not known and hold nobody back.

Of a man of the 95th percentile behind a lap bar, four times as many postures get 12 mm farther on the average of all
directions, and 50 to 110 mm in the twentieth part of them where it matters most, at the ends of what joints allow.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from ..base.arrays import Array, Integers
from ..base.frames import from_rotation_vector, rotation_matrix
from ..model.assembly import Seat
from ..model.person import Person
from ..model.seats import SeatShape
from ..model.solids import Solids
from ..model.surfaces import Box, Surface
from . import posture
from .closing import closing, held_bodies, skins_of
from .figure import Figure, Three
from .fit import SIDES
from .joints import limits
from .make import posed, rider
from .posture import base_name
from .shape import Segment, segments

GIVE: Final = 0.03  # m, how deep flesh and padding let somebody lean into seat or pads
ROWS, COLUMNS = 36, 72  # directions from pole to pole and around
CELL: Final = math.pi / ROWS
SHARES: Final = 8  # steps of a lean
#: Segments of each limb from the trunk outwards; how many postures are tried on each lean of the trunk, or at all.
LIMBS: Final = {
    "head": (("Neck", "Head"), 400),
    **{f"{side.lower()}arm": ((f"{side}Arm", f"{side}Forearm", f"{side}Hand"), 1600) for side in SIDES},
    **{f"{side.lower()}leg": ((f"{side}Thigh", f"{side}Calf", f"{side}Foot"), 12000) for side in SIDES},
}
OUTER: Final = 2  # segments of a limb, counted from its end, by which it is seen
HINGES: Final = ("elbow", "knee", "ankle")  # turned about y alone
#: Share of a joint's range by which postures are spread beyond its ends, at which they stay: of a ball, of a hinge.
SPREAD, FOLDED = 0.1, 0.8
STILL: Final = ("wrist",)
HOLDING: Final = ("pan", "back", "side", "headrest", "leg_rest", "foot_rest")
#: Pan and back of a seat that does not say what it is made of, where the library's vehicles have them (m).
STOCK: Final = (
    Box(name="Pan", position=(0.1, 0.0, posture.PAN - 0.05), half_sizes=(0.22, 0.24, 0.05)),
    Box(name="Back", position=(posture.BACK - 0.05, 0.0, 0.25), half_sizes=(0.05, 0.24, 0.4)),
)

Placed = tuple[Array, Array]  # centre of mass (3,) m and axes (3, 3)


@dataclass(frozen=True, eq=False)
class LimbReach:
    """What a limb reaches, in the frame of the seat: its resting joint (3,) m, and balls around centres (n, 3) m with
    radii (n,) m that lie farthest out."""

    name: str
    origin: Array
    centres: Array
    radii: Array

    def profile(self, margin: float = 0.0) -> Array:
        """How far (ROWS, COLUMNS) m it gets from its joint in each of `directions`, with a margin (m) around it; 0
        where it never is. What is reached within a cell's width of a direction counts as reached there."""
        if not len(self.radii):
            return np.zeros((ROWS, COLUMNS))
        ways, out = directions().reshape(-1, 3), np.zeros(ROWS * COLUMNS)
        away, radii = self.centres - self.origin, self.radii + margin
        far = np.linalg.norm(away, axis=1)
        for k in range(0, len(away), 512):
            q, r, d = away[k : k + 512], radii[k : k + 512], far[k : k + 512]
            ahead = q @ ways.T
            chord = r[:, None] ** 2 - d[:, None] ** 2 + ahead**2
            exits = np.where(chord >= 0.0, ahead + np.sqrt(np.maximum(chord, 0.0)), 0.0)
            beside = ahead >= d[:, None] * math.cos(CELL)
            out = np.maximum(out, np.where(beside, (d + r)[:, None], exits).max(axis=0))
        return out.reshape(ROWS, COLUMNS)

    def farthest(self) -> float:
        """The largest distance (m) from its resting joint."""
        return float(np.max(np.linalg.norm(self.centres - self.origin, axis=1) + self.radii, initial=0.0))


@dataclass(frozen=True, eq=False)
class Reach:
    """What all limbs of somebody reach from a seat."""

    limbs: tuple[LimbReach, ...]

    def room(self, margins: dict[str, float] | None = None) -> ReachRoom:
        """The space that is to be kept free: with a margin (m) for each limb by its name without side, 0 for others."""
        wide = margins or {}
        return ReachRoom(
            tuple(one.name for one in self.limbs),
            np.array([one.origin for one in self.limbs]),
            np.array([one.profile(wide.get(one.name.split()[-1], 0.0)) for one in self.limbs]),
        )


@dataclass(frozen=True, eq=False)
class ReachRoom:
    """Profiles (k, ROWS, COLUMNS) m of limbs about their joints (k, 3) m: a space in the frame of the seat."""

    names: tuple[str, ...]
    origins: Array
    profiles: Array

    @cached_property
    def centre(self) -> Array:
        """Middle (3,) m of a ball that holds it."""
        middle: Array = self.origins.mean(axis=0)
        return middle

    @cached_property
    def radius(self) -> float:
        """Of that ball (m)."""
        apart = np.linalg.norm(self.origins - self.centre, axis=1)
        return float(np.max(apart + self.profiles.max(axis=(1, 2))))

    def depth(self, places: Array) -> Array:
        """How deep (k, n) m places (n, 3) m of the seat's frame lie in the space of each limb, along the line from the
        limb's joint; negative outside."""
        found = np.empty((len(self.names), len(places)))
        for k, (origin, profile) in enumerate(zip(self.origins, self.profiles, strict=True)):
            away = places - origin
            far = np.linalg.norm(away, axis=1)
            row, column = _cells(away, far)
            found[k] = profile[row, column] - far
        return found

    def outline(self, count: int = 48) -> Array:
        """The space seen along xi: a ring (count, 2) m of eta and zeta around its middle, in each direction the
        farthest that anything reaches there."""
        places = np.concatenate([self.surface(k)[self.profiles[k] > 0.0] for k in range(len(self.names))])
        away = places[:, 1:] - self.centre[1:]
        sector = ((np.arctan2(away[:, 1], away[:, 0]) / (2.0 * math.pi)) % 1.0 * count).astype(
            np.int64
        ) % count
        far = np.zeros(count)
        np.maximum.at(far, sector, np.linalg.norm(away, axis=1))
        known = np.flatnonzero(far)
        if not len(known):
            return np.tile(self.centre[1:], (count, 1))
        far = np.interp(np.arange(count), known, far[known], period=count)
        angle = (np.arange(count) + 0.5) * 2.0 * math.pi / count
        ring: Array = self.centre[1:] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return ring

    def surface(self, limb: int) -> Array:
        """Places (ROWS, COLUMNS, 3) m on the boundary of a limb's space."""
        places: Array = self.origins[limb] + self.profiles[limb][..., None] * directions()
        return places


@lru_cache(maxsize=1)
def directions() -> Array:
    """Unit vectors (ROWS, COLUMNS, 3) in the middle of cells of even angles, from the pole above downwards."""
    polar = (np.arange(ROWS) + 0.5) * CELL
    around = (np.arange(COLUMNS) + 0.5) * 2.0 * math.pi / COLUMNS
    a, b = np.meshgrid(polar, around, indexing="ij")
    return np.stack([np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)], axis=-1)


def _cells(away: Array, far: Array) -> tuple[Integers, Integers]:
    polar = np.arccos(np.clip(away[:, 2] / np.maximum(far, 1e-12), -1.0, 1.0))
    around = np.mod(np.arctan2(away[:, 1], away[:, 0]), 2.0 * math.pi)
    row = np.minimum((polar / CELL).astype(np.int64), ROWS - 1)
    column = np.minimum((around * COLUMNS / (2.0 * math.pi)).astype(np.int64), COLUMNS - 1)
    return row, column


@lru_cache(maxsize=32)
def reach(
    person: Person,
    shape: SeatShape | None = None,
    pads: tuple[Surface, ...] = (),
    slack: float = 0.0,
    fineness: float = 1.0,
) -> Reach:
    """What somebody reaches from a seat.

    Parameters
    ----------
    person
        Who sits there.
    shape
        What the seat is made of; None: pan and back as the library's vehicles have them.
    pads
        Of the closed restraint, in the frame of the seat.
    slack
        What the restraint leaves between pads and body (m): by so much more is reached.
    fineness
        How many times as many postures as usual are tried.

    Returns
    -------
    The reach of head, arms and legs, in the frame of the seat.

    Raises
    ------
    InputError
        For sizes of which no body can be made.
    """
    return _Reaching(person, shape, pads, fineness).found(slack)


def reach_from(person: Person, seat: Seat, fineness: float = 1.0) -> Reach:
    """What somebody reaches from a place to sit, whose restraint is closed onto that body; see `reach`."""
    if seat.restraint is None:
        return reach(person, seat.shape, fineness=fineness)
    body = rider(person, seat.name, shape=seat.shape)
    closed = closing(((seat.restraint, skins_of(held_bodies(seat.restraint, body))),))
    slack = max(0.0, closed.gaps[0] or 0.0)
    return reach(person, seat.shape, seat.restraint.closed(closed.locked), slack, fineness)


class _Reaching:
    """Somebody on a seat whose postures are being tried."""

    def __init__(
        self, person: Person, shape: SeatShape | None, pads: tuple[Surface, ...], fineness: float
    ) -> None:
        made = segments(person)
        turned, placed = posed(person, made, shape)
        self.figure, self.fineness = Figure(made, turned), fineness
        for name, one in placed.items():
            self.figure.at[name] = one.position, rotation_matrix(one.orientation)
        parts = STOCK if shape is None else [part.placed for part in shape.parts if part.kind in HOLDING]
        self.solids = Solids.of((*parts, *pads))
        # a body lies in soft parts as it sits already
        self.let = {name: GIVE + max(0.0, self.depth((name,))) for name in self.figure.names}

    def depth(self, names: tuple[str, ...]) -> float:
        return max(self.figure.depth(name, self.solids) for name in names)

    def clear(self, names: tuple[str, ...]) -> bool:
        """Whether placed segments lie nowhere too deep."""
        return all(self.figure.depth(name, self.solids) <= self.let[name] for name in names)

    def found(self, slack: float) -> Reach:
        rest = dict(self.figure.at)
        trunks = [{"Thorax": rest["Thorax"]}, *self._leans()]
        self.figure.at = dict(rest)
        limbs = []
        for name, (chain, count) in LIMBS.items():
            origin = _joint(self.figure.segments[chain[0]], *self._parent(chain[0], rest), self.figure)
            bases = trunks if self.figure.segments[chain[0]].parent == "Thorax" else [{}]
            centres, radii = self._limb(chain, origin, [{**rest, **base} for base in bases], count)
            limbs.append(LimbReach(name, origin, centres, radii + slack))
            self.figure.at = dict(rest)
        return Reach(tuple(limbs))

    def _parent(self, name: str, at: dict[str, Placed]) -> Placed:
        parent = self.figure.segments[name].parent
        assert parent is not None
        return at[parent]

    def _leans(self) -> Iterator[dict[str, Placed]]:
        """Where the thorax is on every lean of the trunk, both its joints turned alike: as far as nothing is in the
        way, and half as far."""
        figure, chain = self.figure, ("Abdomen", "Thorax")
        joints = [figure.segments[name].joint_name for name in chain]
        rest = {joint: np.array(figure.turned[joint]) for joint in joints}
        for corner in itertools.product((-1, 0, 1), repeat=3):
            if not any(corner):
                continue
            way = np.array(corner)
            ends = {
                joint: np.where(way > 0, limits(joint)[1], np.where(way < 0, limits(joint)[0], rest[joint]))
                for joint in joints
            }
            clear: list[dict[str, Placed]] = []
            for share in np.linspace(0.0, 1.0, SHARES + 1)[1:]:
                for joint in joints:
                    figure.turned[joint] = _three(rest[joint] + share * (ends[joint] - rest[joint]))
                figure.place(chain)
                if not self.clear(chain):
                    break
                clear.append({name: figure.at[name] for name in chain})
            for joint in joints:
                figure.turned[joint] = _three(rest[joint])
            yield from clear[len(clear) // 2 :: max(1, len(clear) - 1 - len(clear) // 2)]

    def _limb(
        self, chain: tuple[str, ...], origin: Array, bases: list[dict[str, Placed]], count: int
    ) -> tuple[Array, Array]:
        """Balls (n, 3) m and radii (n,) m of the limb that lie farthest out in each direction from its joint."""
        from scipy.stats import qmc  # slow to load, not needed to show the window

        tried = max(8, int(count * self.fineness))
        ranges = [self._ranges(name) for name in chain]
        low, high = (np.concatenate([pair[k] for pair in ranges]) for k in (0, 1))
        free = high > low
        shares = qmc.Halton(int(free.sum()), scramble=False).random(tried * len(bases) + 1)[1:]
        turns = np.tile(low, (len(shares), 1))
        # a part of them at the very ends; a stretched elbow or knee reaches farthest
        beyond = np.concatenate([pair[2] for pair in ranges])[free]
        turns[:, free] = (
            low[free] + np.clip(shares + beyond * (2.0 * shares - 1.0), 0.0, 1.0) * (high - low)[free]
        )
        turns = turns.reshape(-1, len(chain), 3)
        turns[0] = [
            self.figure.turned[self.figure.segments[name].joint_name] for name in chain
        ]  # as one sits
        base = np.repeat(np.arange(len(bases)), tried)
        seen = self._balls(chain, turns, bases, base)
        best = [self._farthest(chain, turns, bases, base, origin, *one) for one in seen]
        return np.vstack([one[0] for one in best]), np.concatenate([one[1] for one in best])

    def _ranges(self, name: str) -> tuple[Array, Array, Array]:
        """Lower and upper rotation vector (3,) rad of the joint of a segment, as it rests where it is not turned; by
        what share (3,) of the range postures are spread beyond its ends, where they stay at these."""
        joint = self.figure.segments[name].joint_name
        rest = np.array(self.figure.turned[joint])
        lower, upper = (np.array(end) for end in limits(joint))
        if base_name(joint) in STILL:
            return rest, rest.copy(), np.zeros(3)
        if base_name(joint) in HINGES:
            low, high = rest.copy(), rest.copy()
            low[1], high[1] = lower[1], upper[1]
            return low, high, np.full(3, FOLDED)
        return lower, upper, np.full(3, SPREAD)

    def _balls(
        self, chain: tuple[str, ...], turns: Array, bases: list[dict[str, Placed]], base: Integers
    ) -> Iterator[tuple[Array, float]]:
        """Centres (p, b, 3) m of the balls of each outer segment in p postures, with their radius (m)."""
        figure = self.figure
        first = figure.segments[chain[0]]
        at = [self._parent(chain[0], one) for one in bases]
        centre = np.array([one[0] for one in at])[base]
        rotation = np.array([one[1] for one in at])[base]
        over = figure.segments[first.parent or ""]
        for k, name in enumerate(chain):
            one = figure.segments[name]
            assert one.joint is not None
            joint = centre + rotation @ (one.joint - over.centre)
            rotation = rotation @ rotation_matrix(from_rotation_vector(turns[:, k]))
            centre = joint + rotation @ (one.centre - one.joint)
            if k >= len(chain) - OUTER:
                along, radius = _capsule(one)
                places = one.middle - one.centre + along
                yield centre[:, None] + np.einsum("pij,bj->pbi", rotation, places), radius
            over = one

    def _farthest(
        self, chain: tuple[str, ...], turns: Array, bases: list[dict[str, Placed]], base: Integers, origin: Array,
        balls: Array, radius: float,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Of the balls (p, b, 3) m in each direction the one that lies farthest out in a posture that nothing is in
        the way of."""
        figure, each = self.figure, balls.shape[1]
        places = balls.reshape(-1, 3)
        away = places - origin
        far = np.linalg.norm(away, axis=1)
        row, column = _cells(away, far)
        cell = row * COLUMNS + column
        order = np.lexsort((-far, cell))
        starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
        ends = np.append(starts[1:], len(order))
        known: dict[int, bool] = {}
        kept = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            for k in order[start:end].tolist():
                posture = k // each
                if posture not in known:
                    figure.at.update(bases[base[posture]])
                    for name, turn in zip(chain, turns[posture], strict=True):
                        figure.turned[figure.segments[name].joint_name] = _three(turn)
                    figure.place(chain)
                    known[posture] = self.clear(chain)
                if known[posture]:
                    kept.append(k)
                    break
        return places[kept].reshape(-1, 3), np.full(len(kept), radius)


def _three(values: Array) -> Three:
    x, y, z = (float(v) for v in values)
    return x, y, z


def _joint(one: Segment, centre: Array, rotation: Array, figure: Figure) -> Array:
    """Where the joint of a segment is (3,) m, its parent placed."""
    assert one.joint is not None
    assert one.parent is not None
    joint: Array = centre + rotation @ (one.joint - figure.segments[one.parent].centre)
    return joint


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
