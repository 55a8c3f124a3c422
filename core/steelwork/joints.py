"""Joints of round tubes in lattices of the track: what the wall of a chord stands, EN 1993-1-8:2005, 7.4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array, Integers
from ..structure.sections import Section
from ..track.actions import Actions
from .frame import SteelFrame
from .lattice import Bracing, Part


def inner_radius(tube: Section) -> float:
    """m, of a round tube: r^2 + r_i^2 = 4 I / A."""
    return float(np.sqrt(max(4.0 * tube.Iy / tube.area - tube.reach[0] ** 2, 0.0)))


def wall_of(tube: Section) -> float:
    """Thickness (m) of a round tube."""
    return tube.reach[0] - inner_radius(tube)


def of_diagonal(chord: Section, brace: Section, angle: float) -> float:
    """Axial force of a diagonal (m^2: N by f_y, without k_p) that a chord stands, of a K joint of two like diagonals at
    an angle (rad) whose axes meet the chord's; with too little room for a gap, that of both walls."""
    d0, d1, t0, t1 = 2.0 * chord.reach[0], 2.0 * brace.reach[0], wall_of(chord), wall_of(brace)
    sine = np.sin(angle)
    gap = max(d0 / np.tan(angle) - d1 / sine, t0 + t1)
    gamma = d0 / (2.0 * t0)
    k_g = gamma**0.2 * (1.0 + 0.024 * gamma**1.2 / (1.0 + np.exp(min(0.5 * gap / t0 - 1.33, 50.0))))
    face = k_g * t0**2 / sine * (1.8 + 10.2 * d1 / d0)
    torn = t0 * np.pi * d1 * (1.0 + sine) / (2.0 * sine**2) / np.sqrt(3.0)
    return float(min(face, torn))


def of_tie(chord: Section, brace: Section) -> float:
    """Moment of a tie in the plane of both (m^3: N m by f_y, without k_p) that a chord stands."""
    d0, d1, t0 = 2.0 * chord.reach[0], 2.0 * brace.reach[0], wall_of(chord)
    face = 4.85 * t0**2 * d1 * np.sqrt(d0 / (2.0 * t0)) * d1 / d0
    torn = t0 * d1**2 / np.sqrt(3.0)
    return float(min(face, torn))


@dataclass(frozen=True, eq=False)
class Joints:
    """Of some parts that are braces: which (k,), both chords of each by their numbers (k, 2), whether ties (k,), and
    what both stand by f_y (k, 2)."""

    which: Integers
    chords: Integers
    ties: Integers
    stands: Array

    @classmethod
    def of(cls, frame: SteelFrame, own: Sequence[tuple[int, Part]]) -> Joints:
        """Those of parts, each with its piece, in the order of `lattice.Lattice.parts`."""
        which, chords, ties, stands = [], [], [], []
        first: dict[int, int] = {}
        for number, (piece, _) in enumerate(own):
            start, lattice = first.setdefault(piece, number), frame.lattices[piece]
            k = number - start - (0 if lattice is None else len(lattice.chords))
            if lattice is None or k < 0:
                continue
            wall = lattice.walls[k]
            which.append(number)
            chords.append([start + chord for chord in wall.chords])
            ties.append(wall.ties)
            stands.append([_stands(lattice.chords[chord].section, wall) for chord in wall.chords])
        return cls(
            np.array(which, dtype=np.int64), np.array(chords, dtype=np.int64).reshape(-1, 2),
            np.array(ties, dtype=np.int64), np.array(stands, dtype=np.float64).reshape(-1, 2),
        )  # fmt: skip

    def used(self, N: Array, M: Array, stress: Array, actions: Actions) -> Array:
        """How far the joints of all parts (parts, ...) are used: their axial forces (N) and moments (N m), and stress
        (Pa) of the chords; 0 of what is no brace."""
        out = np.zeros(N.shape)
        if not len(self.which):
            return out
        f_y = actions.yield_strength
        n = np.where(N < 0.0, np.minimum(stress / f_y, 1.0), 0.0)[self.chords]
        k_p = 1.0 - 0.3 * n * (1.0 + n)
        borne = np.where(self.ties[:, None, None], M[self.which], np.abs(N[self.which]))
        stands = k_p * self.stands[:, :, None, None] * f_y / actions.section_factor
        out[self.which] = np.max(borne[:, None] / stands, axis=1)
        return out


def _stands(chord: Section, wall: Bracing) -> float:
    if wall.ties:
        return of_tie(chord, wall.section)
    return of_diagonal(chord, wall.section, float(np.arctan2(wall.height, wall.panel)))
