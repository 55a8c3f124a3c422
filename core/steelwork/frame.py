"""The frame that a track and its supports are: one line of beams for spine and rails, legs to their footings.

Spine and both rails are one beam whose plane sections stay plane (`structure.beams.spine`): ties that are stiff in
shear. Its nodes lie on the centreline in the plane of the rails, at every support and at most a bay apart; the beams
hang below them, at the centre of area of the three tubes. A leg is rigidly joined to the node of its support and stands
on the springs of its footing. Where the track lies on the ground, nearer to it than a support is high, its nodes rest
on footings themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import SuperLU, splu

from ..base.arrays import Array, Integers
from ..base.frozen import Vec3
from ..structure.beams import Beam, Material, Piece, Spring, frame, lay_out, shapes, spine, tube
from ..structure.model import Structure
from ..track.build import BuiltTrack
from ..track.steelwork import Steelwork
from ..track.supports import SHIFTS, Support, SupportPlan, place_supports

Tubes = tuple[tuple[float, float, float], ...]
NEAR = 0.05  # m; a node of the spine is not set nearer to another one
LEG_PARTS = 3  # beams that a leg is made of: its own bending modes
GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Footing:
    """Name, node, place (3,) m, and what stands on it: the number of the support (from 1), its place s (m) on the
    track; 0 where the track itself lies on it."""

    name: str
    node: int
    place: tuple[float, float, float]
    support: int
    s: float


@dataclass(frozen=True, eq=False)
class SteelFrame:
    """A track and its supports as a structure.

    beams, pieces: as `structure.beams`, those of the spine first, in order along the track; members: name of each beam;
    stations (k + 1,) m: arc length of the centreline at the ends of the k beams of the spine, which on a closed track
    end where they began; footings; stiffness (6,) of each; tubes (pieces, 3, 3): of the tubes each piece is made of,
    y and z (m) from the centre of its section and radius; missing: places s (m) where a support is wanted and none can
    stand.
    """

    structure: Structure
    beams: tuple[Beam, ...]
    pieces: tuple[Piece, ...]
    members: tuple[str, ...]
    stations: Array
    footings: tuple[Footing, ...]
    stiffness: tuple[float, ...]
    tubes: Array
    closed: bool
    damping: float = 0.01
    missing: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return f"SteelFrame({len(self.members)} members, {len(self.footings)} footings, {self.structure.size} unknowns)"

    @cached_property
    def factor(self) -> SuperLU:
        """The factorised stiffness."""
        return splu(csc_matrix(self.structure.K))

    @cached_property
    def footing_unknowns(self) -> Integers:
        """Unknowns (footings, 6) of the nodes on the ground."""
        return self.structure.unknowns[[one.node for one in self.footings]]

    def reactions(self, q: Array) -> Array:
        """What the footings press on the ground with (footings, 6, ...) N and N m, of moves q (unknowns, ...)."""
        stiffness = np.array(self.stiffness).reshape(1, 6, *[1] * (q.ndim - 1))
        out: Array = stiffness * q[self.footing_unknowns]
        return out

    def loads(
        self, s: Array, point: Array, force: Array, moment: Array | None = None
    ) -> tuple[Integers, Array]:
        """Forces on the track, as loads on the ends of beams that move the ends as the forces do (exactly, for a force
        that rests): the beam of the spine each acts on (n,), and loads (n, 12) in the unknowns of its nodes.

        s (n,) m of the centreline; point (n, 3) m where the force (n, 3) N acts in the world; moment (n, 3) N m.
        """
        along = np.mod(s, self.stations[-1]) if self.closed else np.clip(s, 0.0, self.stations[-1])
        k = np.clip(np.searchsorted(self.stations, along, side="right") - 1, 0, len(self.stations) - 2)
        x = (along - self.stations[k]) / (self.stations[k + 1] - self.stations[k])
        out = np.zeros((len(k), 12))
        for one in np.unique(k):
            at, piece = np.flatnonzero(k == one), self.pieces[one]
            axis = piece.start + x[at, None] * piece.length * piece.axes[:, 0]
            turning = np.cross(point[at] - axis, force[at])
            if moment is not None:
                turning = turning + moment[at]
            load = np.concatenate([force[at] @ piece.axes, turning @ piece.axes], axis=1)
            moved = shapes(piece.section, piece.material, piece.length, x[at])
            out[at] = np.einsum("nij,ni->nj", moved, load) @ piece.moves
        return k.astype(np.int64), out

    def vector(self, beams: Integers, loads: Array) -> Array:
        """Loads on ends of beams (n, 12) as a vector (unknowns,)."""
        ends = np.array([self.pieces[k].ends for k in beams], dtype=np.int64).reshape(-1, 2)
        at = self.structure.unknowns[ends].reshape(len(ends), 12)
        out = np.zeros(self.structure.size)
        np.add.at(out, at, loads)
        return out

    def weight(self) -> Array:
        """Forces (unknowns,) of its own weight."""
        return self.structure.weight(np.array(GRAVITY))

    @property
    def mass(self) -> float:
        """kg, with fittings."""
        return self.structure.mass


def steel_frame(built: BuiltTrack, rules: Steelwork) -> SteelFrame:
    """The frame of a built track with its supports (`place_supports`) by rules.

    Raises InputError when the supports are too many, or a section is no tube.
    """
    plan = place_supports(built, rules.spacing)
    steel = Material(rules.E, rules.E / (2.0 * (1.0 + rules.poisson)), rules.density)
    held = _held(built, rules.spacing, plan)
    stations = _stations(built, rules.bay, [s for s, _ in held])
    names = [f"track {k}" for k in range(len(stations) - built.track.closed)]
    places = built.centreline.position(stations)
    nodes = {name: _triple(places[k]) for k, name in enumerate(names)}
    beams, tubes = _spine(built, rules, steel, stations, [s for s, _ in held], names)
    members = [f"bay {k + 1}" for k in range(len(beams))]
    springs, feet = [], []
    for s, support in held:
        head = names[int(np.argmin(np.abs(stations - s))) % len(names)]
        if support is None:
            springs.append(Spring(head, None, rules.ground()))
            feet.append((head, f"ground at {s:.1f} m", 0, s))
            continue
        number = plan.supports.index(support) + 1
        for leg, (top, foot) in zip("ab", support.legs, strict=False):
            name = f"column {number}" + (leg if len(support.legs) > 1 else "")
            nodes[name] = foot
            beams.append(_leg(rules, steel, head, name, nodes[head], top, foot))
            tubes += [((0.0, 0.0, beams[-1].section.reach[0]),) * 3] * LEG_PARTS
            members.append(name)
            springs.append(Spring(name, None, rules.ground()))
            feet.append((name, name, number, s))
    structure = frame(nodes, beams, springs)
    _, _, pieces = lay_out(nodes, beams)
    footings = tuple(
        Footing(name, structure.frames[node], nodes[node], number, s) for node, name, number, s in feet
    )
    return SteelFrame(
        structure, tuple(beams), tuple(pieces), tuple(members), stations, footings, rules.ground(),
        np.array(tubes), built.track.closed, rules.damping, plan.missing,
    )  # fmt: skip


def _held(built: BuiltTrack, spacing: float, plan: SupportPlan) -> list[tuple[float, Support | None]]:
    """Where the track is held (m), in order: by a support, or by the ground itself (None) where it lies on it."""
    spots = np.arange(0.5 * spacing, built.length, spacing)
    found: list[tuple[float, Support | None]] = [(one.s, one) for one in plan.supports]
    own = np.array([one.s for one in plan.supports] + list(plan.missing))
    reach = max(SHIFTS) + NEAR
    found += [(float(s), None) for s in spots if not len(own) or np.min(np.abs(own - s)) > reach]
    return sorted(found, key=lambda one: one[0])


def _stations(built: BuiltTrack, bay: float, held: Sequence[float]) -> Array:
    """Places (m) of the nodes of the spine: where it is held, its ends, and as many between as no bay is longer."""
    fixed = np.unique([0.0, *held, built.length])
    fixed = fixed[np.concatenate([[True], np.diff(fixed) > NEAR])]
    fixed[-1] = built.length
    pieces = [
        np.linspace(a, b, max(1, math.ceil((b - a) / bay)), endpoint=False)
        for a, b in pairwise(fixed.tolist())
    ]
    return np.concatenate([*pieces, [built.length]])


def _spine(
    built: BuiltTrack,
    rules: Steelwork,
    steel: Material,
    stations: Array,
    held: Sequence[float],
    names: Sequence[str],
) -> tuple[list[Beam], list[Tubes]]:
    """The beams of the spine, each with the section that its span and the curvature there ask for, and their tubes."""
    state = built.centreline.state(stations)
    curvature = np.linalg.norm(
        built.centreline.state(0.5 * (stations[1:] + stations[:-1])).curve[:, 2], axis=1
    )
    borders = np.array(held)
    if built.track.closed and len(held):
        borders = np.concatenate([[held[-1] - built.length], held, [held[0] + built.length]])
    span = np.searchsorted(borders, 0.5 * (stations[1:] + stations[:-1]))
    beams, tubes = [], []
    half = 0.5 * built.track.gauge
    for k in range(len(stations) - 1):
        here = span == span[k]
        length = _span_length(borders, int(span[k]), built.length)
        rule = rules.spine_of(length, float(np.mean(curvature[here])))
        section = spine(
            rule.diameter, rule.wall, rules.rail_diameter, rules.rail_wall, built.track.gauge, rules.depth
        )
        rail = tube(rules.rail_diameter, rules.rail_wall).area
        down = rules.depth * (1.0 - 2.0 * rail / section.area)  # of the centre of area below the rails
        rails = [(side, down, 0.5 * rules.rail_diameter) for side in (half, -half)]
        tubes.append((*rails, (0.0, down - rules.depth, 0.5 * rule.diameter)))
        heavy = replace(steel, density=steel.density + rules.fittings / section.area)
        beams.append(
            Beam(
                names[k], names[(k + 1) % len(names)], section, heavy, _triple(state.up[k] + state.up[k + 1]),
                offset_i=_triple(-down * state.up[k]), offset_j=_triple(-down * state.up[k + 1]), elements=1,
            )
        )  # fmt: skip
    return beams, tubes


def _span_length(borders: Array, right: int, whole: float) -> float:
    """Length (m) of the span that ends at a border; an end of an open track that nothing holds counts twice."""
    if not len(borders):
        return whole
    if right == 0:
        return 2.0 * float(borders[0])
    if right == len(borders):
        return 2.0 * (whole - float(borders[-1]))
    return float(borders[right] - borders[right - 1])


def _leg(
    rules: Steelwork,
    steel: Material,
    head: str,
    foot: str,
    at: tuple[float, float, float],
    top: Vec3,
    below: Vec3,
) -> Beam:
    """A leg from the node of its support, rigidly to its top (m), down to its foot."""
    way = np.subtract(below, top)
    rule = rules.column_of(float(np.linalg.norm(way)))
    across = (1.0, 0.0, 0.0) if abs(way[0]) < 0.9 * np.linalg.norm(way) else (0.0, 1.0, 0.0)
    return Beam(
        head, foot, tube(rule.diameter, rule.wall), steel, across,
        offset_i=_triple(np.subtract(top, at)), elements=LEG_PARTS,
    )  # fmt: skip


def _triple(values: Array) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, dtype=np.float64).tolist()
    return x, y, z
