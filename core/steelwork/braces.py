"""How far chords and braces of lattices of the track are used: stress and buckling between joints, EN 1993-1-1, 6.3.3.

A part is a round tube between two joints, as long as these are apart (without the reduction of annex BB), bent by its
share of what bends the beam and by its ties. Left out are what a wheel does between two joints and what it presses
aside in a tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Integers
from ..track.actions import Actions
from .buckling import euler, interaction, reduction
from .frame import SteelFrame


class PartsUsed(NamedTuple):
    """Of every part (k,), where it is used most: share, by buckling or stress, stress (Pa), N (N, tension positive), M
    (N m), end of the piece."""

    share: Array
    buckles: NDArray[np.bool_]
    stress: Array
    N: Array
    M: Array
    end: Integers


@dataclass(frozen=True, eq=False)
class Parts:
    """Chords and braces of all lattices: names (k,), piece of each (k,), rows (k, 4, 6) as `lattice.Part`, whether the
    axial force has either sign (k,), area, modulus of bending, chi and slenderness (k,)."""

    names: tuple[str, ...]
    which: Integers
    rows: Array
    swings: Array
    area: Array
    modulus: Array
    chi: Array
    slenderness: Array

    @classmethod
    def of(cls, frame: SteelFrame, actions: Actions) -> Parts:
        """Those of a frame; none where a tube bears the rails."""
        kept = {id(one): tuple(one.parts()) for one in frame.lattices if one is not None}
        own = [(k, part) for k, one in enumerate(frame.lattices) if one is not None for part in kept[id(one)]]
        parts = [part for _, part in own]
        tubes = [part.section for part in parts]
        area, I, radius, length = (
            np.array(values, dtype=np.float64)
            for values in (
                [one.area for one in tubes], [one.Iy for one in tubes], [one.reach[0] for one in tubes],
                [part.length for part in parts],
            )
        )  # fmt: skip
        E = np.array([frame.pieces[k].material.E for k, _ in own])
        slenderness = np.sqrt(area * actions.yield_strength / euler(E, I, length))
        return cls(
            tuple(f"{frame.members[frame.pieces[k].beam]}, {part.name}" for k, part in own),
            np.array([k for k, _ in own], dtype=np.int64), np.array([part.rows for part in parts]).reshape(-1, 4, 6),
            np.array([part.swings for part in parts], dtype=bool), area, I / radius,
            reduction(slenderness, actions.imperfection), slenderness,
        )  # fmt: skip

    def used(self, inside: Array, actions: Actions) -> PartsUsed:
        """Under forces inside (pieces, 2, 6, n) of the beams."""
        N, My, Mz, besides = np.moveaxis(np.einsum("krc,kecn->kern", self.rows, inside[self.which]), 2, 0)
        N = np.where(self.swings[:, None, None], -np.abs(N), N)
        M = np.hypot(My, np.abs(Mz) + np.abs(besides))
        area, W, chi, slender = (
            one[:, None, None] for one in (self.area, self.modulus, self.chi, self.slenderness)
        )
        stress = np.abs(N) / area + M / W
        strength = stress * actions.section_factor / actions.yield_strength
        stands = actions.yield_strength / actions.buckling_factor
        buckling = interaction(-N / (chi * area * stands), M / (W * stands), slender)
        share = np.maximum(strength, buckling)
        at = share.reshape(len(share), -1).argmax(axis=1)

        def worst(values: Array) -> Array:
            out: Array = values.reshape(len(values), -1)[np.arange(len(values)), at]
            return out

        return PartsUsed(
            worst(share),
            worst(buckling) > worst(strength),
            worst(stress),
            worst(N),
            worst(M),
            at // N.shape[-1],
        )
