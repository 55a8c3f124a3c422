"""The frame that a track and its supports are: one line of beams for spine and rails, legs to their footings.

How it is made: `framing`, by rules, and `finished`, from what another program has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import SuperLU, splu

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from ..base.sentence import say
from ..structure.beams import Beam, Piece, shapes
from ..structure.model import Structure
from ..track.finished_frame import FrameBody
from .lattice import Lattice, Rails

Tubes = tuple[tuple[float, float, float], ...]
AT_ONCE = 4  # columns
TUBES = 4  # a section of the track has at most; what has fewer has the last one again
GRAVITY = (0.0, 0.0, -9.81)
BALANCED = 1e-4  # of loads, to which the forces of a frame that is held balance them


@dataclass(frozen=True)
class Footing:
    """Name, node, place (3,) m, and what stands on it: the number of the support (from 1), its place s (m) on the
    track; 0 where the track itself lies on it."""

    name: str
    node: int
    place: tuple[float, float, float]
    support: int
    s: float


class _Bays(NamedTuple):
    """Of the beams of the spine (n, ...): start m, axes, length m and moves as `structure.beams.Piece`; stiffness of
    bending and shear as `structure.beams.shapes`."""

    start: Array
    axes: Array
    length: Array
    moves: Array
    E_I: Array
    shear: Array


@dataclass(frozen=True, eq=False)
class SteelFrame:
    """A track and its supports as a structure.

    beams, pieces: as `structure.beams`, those of the spine first, in order along the track; members: name of each beam;
    stations (k + 1,) m: arc length of the centreline at the ends of the k beams of the spine, which on a closed track
    end where they began; footings; stiffness of each (6,), or of every one; tubes (pieces, TUBES, 3): of the tubes each
    piece is made of, y and z (m) from the centre of its section and radius; missing: places s (m) where a support is
    wanted and none can stand; lap: length (m) of the closed track that it is a part of, whose other places do not load
    it; else 0; lattices: of the beams of the spine those that they stand for, None where a tube bears the rails; of no
    beam where none is known; rails: of every beam of the spine, of none where they are not known; bodies: that stand
    between its nodes and are no beams.
    """

    structure: Structure
    beams: tuple[Beam, ...]
    pieces: tuple[Piece, ...]
    members: tuple[str, ...]
    stations: Array
    footings: tuple[Footing, ...]
    stiffness: tuple[float, ...] | tuple[tuple[float, ...], ...]
    tubes: Array
    closed: bool
    damping: float = 0.01
    missing: tuple[float, ...] = ()
    lap: float = 0.0
    lattices: tuple[Lattice | None, ...] = ()
    rails: tuple[Rails, ...] = ()
    bodies: tuple[FrameBody, ...] = ()

    def __repr__(self) -> str:
        return f"SteelFrame({len(self.members)} members, {len(self.footings)} footings, {self.structure.size} unknowns)"

    @cached_property
    def factor(self) -> SuperLU:
        """The factorised stiffness."""
        return splu(csc_matrix(self.structure.K))

    @cached_property
    def of_bodies(self) -> csc_matrix:
        """Mass (unknowns, unknowns) of the bodies among what the frame is made of."""
        return bodies_in(self.structure, self.bodies)[1]

    @cached_property
    def footing_unknowns(self) -> Integers:
        """Unknowns (footings, 6) of the nodes on the ground."""
        return self.structure.unknowns[[one.node for one in self.footings]]

    @cached_property
    def slides(self) -> Array:
        """Which pieces (pieces,) carry nothing along themselves at their end."""
        moves = np.array([piece.moves for piece in self.pieces])
        out: Array = ~np.any(moves[:, 6, 6:], axis=1)
        return out

    @cached_property
    def matrices(self) -> tuple[Array, Integers, Array]:
        """Forces at the ends of every piece of the moves of its nodes (pieces, 12, 12), these unknowns (pieces, 12),
        and for the pieces of the spine what makes loads in its axes of loads on its nodes (pieces, 12, 12); where it
        slides, of those along it half at either end."""
        stiff = np.array([piece.K @ piece.moves for piece in self.pieces])
        at = self.structure.unknowns[np.array([piece.ends for piece in self.pieces])].reshape(len(stiff), 12)
        back = np.array([np.linalg.pinv(piece.moves) for piece in self.pieces[: len(self.stations) - 1]])
        return stiff, at, back

    @cached_property
    def bays(self) -> _Bays:
        """The beams of the spine."""
        pieces = self.pieces[: len(self.stations) - 1]
        start, axes, length, moves = (
            np.array([getattr(piece, name) for piece in pieces])
            for name in ("start", "axes", "length", "moves")
        )
        of = [(piece.material, piece.section) for piece in pieces]
        E_I = np.array([[steel.E * section.Iy, steel.E * section.Iz] for steel, section in of])
        shear = np.array([[steel.G * section.shear_z, steel.G * section.shear_y] for steel, section in of])
        return _Bays(start, axes, length, moves, E_I, shear)

    def reactions(self, q: Array) -> Array:
        """What the footings press on the ground with (footings, 6, ...) N and N m, of moves q (unknowns, ...)."""
        out: Array = self.springs.reshape(-1, 6, *[1] * (q.ndim - 1)) * q[self.footing_unknowns]
        return out

    def loads(
        self, s: Array, point: Array, force: Array, moment: Array | None = None
    ) -> tuple[Integers, Array]:
        """Forces on the track, as loads on the ends of beams that move the ends as the forces do (exactly, for a force
        that rests): the beam of the spine each acts on (n,), and loads (n, 12) in the unknowns of its nodes.

        s (n,) m of the centreline; point (n, 3) m where the force (n, 3) N acts in the world; moment (n, 3) N m.
        """
        first, last = self.stations[0], self.stations[-1]
        along = np.mod(s, last) if self.closed else np.mod(s, self.lap) if self.lap else np.asarray(s)
        if self.lap:
            on_it = ((along >= first) & (along <= last)).astype(np.float64)[:, None]
            force, moment = force * on_it, None if moment is None else moment * on_it
        along = np.clip(along, first, last)
        k = np.clip(np.searchsorted(self.stations, along, side="right") - 1, 0, len(self.stations) - 2)
        x = (along - self.stations[k]) / (self.stations[k + 1] - self.stations[k])
        bays = self.bays
        axes, length = bays.axes[k], bays.length[k]
        axis = bays.start[k] + (x * length)[:, None] * axes[:, :, 0]
        turning = np.cross(point - axis, force)
        if moment is not None:
            turning = turning + moment
        load = np.concatenate(
            [np.einsum("ni,nij->nj", force, axes), np.einsum("ni,nij->nj", turning, axes)], axis=1
        )
        moved = shapes(bays.E_I[k], bays.shear[k], length, x)
        out: Array = np.einsum("ni,nij->nj", np.einsum("nij,ni->nj", moved, load), bays.moves[k])
        return k.astype(np.int64), out

    @cached_property
    def springs(self) -> Array:
        """Stiffness of every footing (footings, 6) along and about x, y, z, N/m and N m/rad."""
        return np.broadcast_to(np.array(self.stiffness, dtype=np.float64), (len(self.footings), 6))

    def place(self, beam: int, end: int) -> float:
        """Where an end of a beam is along the track (m): that of a bay, of its footing, or of the nearest node of the
        track."""
        if beam < len(self.stations) - 1:
            return float(self.stations[beam + end])
        if self.members[beam] in self._feet:
            return self._feet[self.members[beam]]
        bays = self.pieces[: len(self.stations) - 1]
        line = np.array([bays[0].ends[0], *(piece.ends[1] for piece in bays)])
        own = [piece.ends for piece in self.pieces if piece.beam == beam]
        at = self.structure.nodes[own[0][0] if end == 0 else own[-1][1]]
        apart = np.linalg.norm(self.structure.nodes[line] - at, axis=1)
        return float(self.stations[int(np.argmin(apart))])

    @cached_property
    def _feet(self) -> dict[str, float]:
        return {foot.name: foot.s for foot in self.footings}

    def vector(self, beams: Integers, loads: Array) -> Array:
        """Loads on ends of beams (n, 12) as a vector (unknowns,)."""
        ends = np.array([self.pieces[k].ends for k in beams], dtype=np.int64).reshape(-1, 2)
        at = self.structure.unknowns[ends].reshape(len(ends), 12)
        out = np.zeros(self.structure.size)
        np.add.at(out, at, loads)
        return out

    def moves(self, loads: Array) -> Array:
        """Moves (unknowns, n) under loads (unknowns, n) at rest; a few at once, as many are slow in SuperLU."""
        out = np.empty(loads.shape)
        for first in range(0, loads.shape[1], AT_ONCE):
            out[:, first : first + AT_ONCE] = self.factor.solve(loads[:, first : first + AT_ONCE])
        return out

    @property
    def joints(self) -> tuple[float, ...]:
        """Places (m) of the expansion joints."""
        bays = enumerate(self.beams[: len(self.stations) - 1])
        return tuple(float(self.stations[k + 1]) for k, beam in bays if "u" in beam.hinges_j)

    @property
    def mass(self) -> float:
        """kg, with fittings."""
        return self.structure.mass


def bodies_in(structure: Structure, bodies: Sequence[FrameBody]) -> tuple[csc_matrix, csc_matrix]:
    """Stiffness and mass of bodies in the unknowns of a frame, those of their own behind those of all nodes."""
    inner, parts = structure.unknowns.size, []
    for body in bodies:
        own = len(body.stiffness) - 6 * len(body.nodes)
        at = np.concatenate(
            [*(structure.of_frame(name) for name in body.nodes), np.arange(inner, inner + own)]
        )
        inner += own
        parts.append((at, np.array(body.stiffness), np.array(body.mass)))
    rows = np.concatenate([np.repeat(at, len(at)) for at, _, _ in parts] or [np.zeros(0, int)])
    columns = np.concatenate([np.tile(at, len(at)) for at, _, _ in parts] or [np.zeros(0, int)])
    K, M = (
        csc_matrix(
            (np.concatenate([part[k].ravel() for part in parts] or [np.zeros(0)]), (rows, columns)),
            shape=(inner, inner),
        )
        for k in (1, 2)
    )
    return K, M


def check_held(frame: SteelFrame, way_out: str) -> None:
    """Raise InputError where loads along or about an axis, the same at all nodes, are not borne; way_out: what to do
    about it."""
    structure = frame.structure
    loads = np.zeros((structure.size, 6))
    for way in range(6):
        loads[structure.unknowns[:, way], way] = 1.0
    try:
        q = frame.moves(loads)
    except RuntimeError:  # of a factorisation that finds it singular
        raise InputError(
            say("Part of the frame can move without bending; {way_out}.", way_out=way_out)
        ) from None
    if np.abs(structure.K @ q - loads).max() <= BALANCED:
        return
    names = {number: name for name, number in structure.frames.items()}
    moved = np.abs(q[structure.unknowns[:, :3]]).max(axis=(1, 2))
    text = say(
        "The frame can move without bending, at the node '{node}'; {way_out}.",
        node=names.get(int(np.argmax(moved)), ""), way_out=way_out,
    )  # fmt: skip
    raise InputError(text)
