"""Stress of the tubes of a frame: at both ends of every beam, in the fibre where it is largest.

Of a section that is made of tubes and stays plane, N / A + My z / Iy - Mz y / Iz is largest, in a tube of radius r
about (y, z), by r ((My / Iy)^2 + (Mz / Iz)^2)^(1/2) beyond its centre; torsion adds T r / J of shear. Forces inside are
those of the ends' moves, less the loads between the ends (`SteelFrame.loads`). Under a wheel between the ends of a beam
of length l the moment may be up to F l / 4 larger than at these.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..base.arrays import Array, Integers

if TYPE_CHECKING:
    from .frame import SteelFrame


@dataclass(frozen=True, eq=False)
class MemberForces:
    """Of every piece of the frame's beams, at its start and end (pieces, 2): largest von Mises stress (Pa), when (s),
    and the forces inside then (pieces, 2, 6): N, Vy, Vz (N), T, My, Mz (N m) in its axes."""

    stress: Array
    time: Array
    inside: Array

    @classmethod
    def none(cls, frame: SteelFrame) -> MemberForces:
        """Before the first instant."""
        n = len(frame.pieces)
        return cls(np.full((n, 2), -1.0), np.zeros((n, 2)), np.zeros((n, 2, 6)))

    def with_block(
        self, frame: SteelFrame, q: Array, beams: Integers, ends: Array, time: Array
    ) -> MemberForces:
        """With more instants: displacements q (unknowns, n); beams (n, k) that loads stand on, and these (n, k, 12) in
        the unknowns of the nodes; time (n,) s."""
        inside = forces_inside(frame, q, beams, ends)
        stress = von_mises(frame, inside)
        at = stress.argmax(axis=-1)
        worst = np.take_along_axis(stress, at[..., None], axis=-1)[..., 0]
        more = worst > self.stress
        then = np.take_along_axis(inside, at[:, :, None, None], axis=-1)[..., 0]
        return MemberForces(
            np.where(more, worst, self.stress),
            np.where(more, time[at], self.time),
            np.where(more[..., None], then, self.inside),
        )


@lru_cache(maxsize=4)
def _matrices(frame: SteelFrame) -> tuple[Array, Integers, Array]:
    """Forces at the ends of every piece of the moves of its nodes (pieces, 12, 12), these unknowns (pieces, 12), and
    for the pieces of the spine what makes loads in its axes of loads on its nodes (pieces, 12, 12)."""
    stiff = np.array([piece.K @ piece.moves for piece in frame.pieces])
    at = frame.structure.unknowns[np.array([piece.ends for piece in frame.pieces])].reshape(len(stiff), 12)
    back = np.array([np.linalg.inv(piece.moves) for piece in frame.pieces[: len(frame.stations) - 1]])
    return stiff, at, back


def forces_inside(frame: SteelFrame, q: Array, beams: Integers, ends: Array) -> Array:
    """Forces inside (pieces, 2, 6, n) at start and end of every piece: N, Vy, Vz, T, My, Mz in its axes, N positive in
    tension; arguments as `MemberForces.with_block`."""
    stiff, at, back = _matrices(frame)
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
