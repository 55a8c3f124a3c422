"""Stress of the tubes of a frame: at both ends of every beam, in the fibre where it is largest.

Of a section that is made of tubes and stays plane, N / A + My z / Iy - Mz y / Iz is largest, in a tube of radius r
about (y, z), by r ((My / Iy)^2 + (Mz / Iz)^2)^(1/2) beyond its centre; torsion adds T r / J of shear. Forces inside are
those of the ends' moves, less the loads between the ends (`SteelFrame.loads`). Under a wheel between the ends of a beam
of length l the moment may be up to F l / 4 larger than at these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Array, Integers

if TYPE_CHECKING:
    from .frame import SteelFrame


@dataclass(frozen=True, eq=False)
class MemberForces:
    """Of every piece of the frame's beams, at its start and end (pieces, 2): largest von Mises stress (Pa), when (s),
    and the least and largest forces inside (pieces, 2, 6): N, Vy, Vz (N), T, My, Mz (N m) in its axes."""

    stress: Array
    time: Array
    low: Array
    high: Array

    @classmethod
    def none(cls, frame: SteelFrame) -> MemberForces:
        """Before the first instant."""
        n = len(frame.pieces)
        return cls(
            np.full((n, 2), -1.0), np.zeros((n, 2)), np.full((n, 2, 6), np.inf), np.full((n, 2, 6), -np.inf)
        )

    def with_block(self, frame: SteelFrame, inside: Array, time: Array) -> MemberForces:
        """With more instants: forces inside (pieces, 2, 6, n) at times (n,) s."""
        stress = von_mises(frame, inside)
        at = stress.argmax(axis=-1)
        worst = np.take_along_axis(stress, at[..., None], axis=-1)[..., 0]
        return MemberForces(
            np.maximum(worst, self.stress),
            np.where(worst > self.stress, time[at], self.time),
            np.minimum(self.low, inside.min(axis=-1)),
            np.maximum(self.high, inside.max(axis=-1)),
        )

    def ranges(self, frame: SteelFrame) -> Array:
        """A bound of the range of normal stress (pieces, 2) Pa in any fibre: the ranges of N, My and Mz together."""
        area, Iy, Iz = (
            np.array([getattr(piece.section, name) for piece in frame.pieces])
            for name in ("area", "Iy", "Iz")
        )
        N, My, Mz = ((self.high - self.low)[..., k] for k in (0, 4, 5))
        y = (np.abs(frame.tubes[..., 0]) + frame.tubes[..., 2]).max(axis=1)[:, None]
        z = (np.abs(frame.tubes[..., 1]) + frame.tubes[..., 2]).max(axis=1)[:, None]
        out: Array = N / area[:, None] + My / Iy[:, None] * z + Mz / Iz[:, None] * y
        return out


def forces_inside(frame: SteelFrame, q: Array, beams: Integers, ends: Array) -> Array:
    """Forces inside (pieces, 2, 6, n) at start and end of every piece: N, Vy, Vz, T, My, Mz in its axes, N positive in
    tension. q (unknowns, n); beams (n, k) that loads stand on, and these (n, k, 12) in the unknowns of the nodes."""
    stiff, at, back = frame.matrices
    forces = stiff @ q[at]
    n = np.arange(len(beams))
    for k in range(beams.shape[1]):  # of every instant one: no place comes twice
        forces[beams[:, k], :, n] -= np.einsum("nj,njk->nk", ends[:, k], back[beams[:, k]])
    return np.stack([-forces[:, :6], forces[:, 6:]], axis=1)


def von_mises(frame: SteelFrame, inside: Array) -> Array:
    """Largest von Mises stress (pieces, 2, n) Pa of forces inside (pieces, 2, 6, n)."""
    area, Iy, Iz, twist = (
        np.array([getattr(piece.section, name) for piece in frame.pieces])[:, None, None]
        for name in ("area", "Iy", "Iz", "twist")
    )
    N, T, My, Mz = inside[:, :, 0], inside[:, :, 3], inside[:, :, 4], inside[:, :, 5]
    rate_y, rate_z = My / Iy, Mz / Iz
    slope = np.hypot(rate_y, rate_z)
    largest = np.zeros_like(N)
    for tube in range(frame.tubes.shape[1]):
        y, z, r = (frame.tubes[:, tube, c][:, None, None] for c in range(3))
        middle = N / area + rate_y * z - rate_z * y
        largest = np.maximum(largest, np.abs(middle) + slope * r)
    out: Array = np.sqrt(largest**2 + 3.0 * (T / twist) ** 2)
    return out


AROUND = 8  # fibres of a tube
STRESSED = [0, 4, 5]  # of the forces inside those that make normal stress: N, My, Mz


@dataclass(frozen=True, eq=False)
class StressExtremes:
    """Of every piece, at both ends, for every fibre (`fibres` of its tubes, one tube after the other) the highest and
    the lowest normal stress there has been: value (pieces, 2, fibres, 2) Pa, and the forces inside at that instant
    (pieces, 2, fibres, 2, 6). Where there are lattices, the force (N) of every wall of braces likewise, as more fibres.
    """

    value: Array
    forces: Array
    weights: Array

    @classmethod
    def none(cls, frame: SteelFrame) -> StressExtremes:
        """Before the first instant; weights (pieces, fibres, 3): stress of N, My and Mz, with lattices (..., 6) of all
        forces inside."""
        at = np.array([fibres(frame, k).reshape(-1, 2) for k in range(len(frame.pieces))])
        area, Iy, Iz = (
            np.array([getattr(piece.section, name) for piece in frame.pieces])[:, None]
            for name in ("area", "Iy", "Iz")
        )
        weights = np.stack([np.ones(at.shape[:2]) / area, at[..., 1] / Iy, -at[..., 0] / Iz], axis=-1)
        if any(frame.lattices):
            weights = np.concatenate([_of_all(weights), _walls(frame)], axis=1)
        shape = (len(at), 2, weights.shape[1], 2)
        value = np.broadcast_to(np.array([-np.inf, np.inf]), shape)
        return cls(value, np.zeros((*shape, 6)), weights)

    def with_block(self, inside: Array) -> StressExtremes:
        """With more instants: forces inside (pieces, 2, 6, n)."""
        value, forces = self.value.copy(), self.forces.copy()
        seen = inside[:, :, STRESSED] if self.weights.shape[-1] == len(STRESSED) else inside
        for fibre in range(self.weights.shape[1]):
            stress = np.einsum("pc,pecn->pen", self.weights[:, fibre], seen)
            for way, at in enumerate((stress.argmax(axis=-1), stress.argmin(axis=-1))):
                found = np.take_along_axis(stress, at[..., None], axis=-1)[..., 0]
                further = found > value[..., fibre, way] if way == 0 else found < value[..., fibre, way]
                now = np.take_along_axis(inside, at[:, :, None, None], axis=-1)[..., 0]
                value[..., fibre, way] = np.where(further, found, value[..., fibre, way])
                forces[..., fibre, way, :] = np.where(further[..., None], now, forces[..., fibre, way, :])
        return StressExtremes(value, forces, self.weights)


def _of_all(weights: Array) -> Array:
    """Weights (..., 6) of all forces inside, of those (..., 3) of N, My and Mz."""
    out = np.zeros((*weights.shape[:-1], 6))
    out[..., STRESSED] = weights
    return out


def _walls(frame: SteelFrame) -> Array:
    """Weights (pieces, walls, 6) of the forces of the walls of braces; 0 where there are none."""
    lattices = [one for one in frame.lattices if one is not None]
    out = np.zeros((len(frame.pieces), max(len(one.walls) for one in lattices), 6))
    for k, one in enumerate(frame.lattices):
        if one is not None:
            out[k, : len(one.walls)] = one.shares
    return out


def fibres(frame: SteelFrame, piece: int) -> Array:
    """y and z (tubes, AROUND, 2) m of fibres of the tubes of a piece, from the centre of its section."""
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    tubes = frame.tubes[piece]
    out: Array = tubes[:, None, :2] + tubes[:, 2, None, None] * np.stack(
        [np.cos(turn), np.sin(turn)], axis=-1
    )
    return out


def normal_stress(frame: SteelFrame, piece: int, inside: Array, at: Array) -> Array:
    """Normal stress (n, ...) Pa of forces inside (6, n) at places (..., 2) m of the section of a piece."""
    section = frame.pieces[piece].section
    y, z = at[..., 0], at[..., 1]
    N, My, Mz = (inside[k].reshape(-1, *[1] * y.ndim) for k in (0, 4, 5))
    out: Array = N / section.area + My / section.Iy * z - Mz / section.Iz * y
    return out
