"""How far rails, chords and braces of the track are used: stress and buckling between joints, EN 1993-1-1, 6.3.3, and
the joints themselves.

A part is a round tube between two joints, as long as these are apart (without the reduction of annex BB), bent by its
share of what bends the beam and by its ties; a rail besides by what wheels bend of it between two ties, at most over
the ride. Left out is what a wheel presses aside in a tie.

Joints of round tubes by EN 1993-1-8:2005, table 7.2: a diagonal is borne by the chord's wall until this gives way, with
k_g k_p f_y t0^2 (1.8 + 10.2 d1/d0) / sin(theta) of a K joint whose axes meet, or is torn out of it, with
f_y / 3^(1/2) t0 pi d1 (1 + sin(theta)) / (2 sin(theta)^2); a tie bends it, with 4.85 f_y t0^2 d1 gamma^(1/2) d1/d0 k_p
or f_y t0 d1^2 / 3^(1/2) (table 7.5). k_p = 1 - 0.3 n (1 + n), n how far the chord is pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from ..track.actions import Actions
from .buckling import euler, interaction, reduction
from .frame import SteelFrame
from .joints import Joints
from .lattice import RAILS, Part
from .rails import RailBending

WAYS = ("stress", "buckling", "joint")


class PartsUsed(NamedTuple):
    """Of every part (k,), where it is used most: share, by which of WAYS, stress (Pa), N (N, tension positive), M
    (N m), end of the piece."""

    share: Array
    by: Integers
    stress: Array
    N: Array
    M: Array
    end: Integers


@dataclass(frozen=True, eq=False)
class Parts:
    """Rails of all bays, chords and braces of lattices: names (k,), piece of each (k,), rows (k, 4, 6) as
    `lattice.Part`, whether the axial force has either sign (k,), area, modulus of bending, chi and slenderness (k,),
    what wheels bend of it besides (k,) N m, and the joints of braces."""

    names: tuple[str, ...]
    which: Integers
    rows: Array
    swings: Array
    area: Array
    modulus: Array
    chi: Array
    slenderness: Array
    bent: Array
    joints: Joints

    @classmethod
    def of(cls, frame: SteelFrame, actions: Actions, bending: RailBending | None = None) -> Parts:
        """Those of a frame; none where its rails are not known."""
        kept = {id(one): tuple(one.parts()) for one in frame.lattices if one is not None}
        own: list[tuple[int, Part]] = []
        for k, one in enumerate(frame.lattices):
            rails = frame.rails[k].parts(frame.pieces[k].section)
            own += [(k, part) for part in (rails if one is None else kept[id(one)])]
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
        bent = np.zeros(len(own))
        if bending is not None:
            bent = np.array([bending.largest[k] if part.name in RAILS else 0.0 for k, part in own])
        return cls(
            tuple(f"{frame.members[frame.pieces[k].beam]}, {part.name}" for k, part in own),
            np.array([k for k, _ in own], dtype=np.int64), np.array([part.rows for part in parts]).reshape(-1, 4, 6),
            np.array([part.swings for part in parts], dtype=bool), area, I / radius,
            reduction(slenderness, actions.imperfection), slenderness, bent, Joints.of(frame, own),
        )  # fmt: skip

    def used(self, inside: Array, actions: Actions, train: float = 0.0) -> PartsUsed:
        """Under forces inside (pieces, 2, 6, n) of the beams, of which the train is so many times its own."""
        N, My, Mz, besides = np.moveaxis(np.einsum("krc,kecn->kern", self.rows, inside[self.which]), 2, 0)
        N = np.where(self.swings[:, None, None], -np.abs(N), N)
        M = np.hypot(My, np.abs(Mz) + np.abs(besides)) + train * self.bent[:, None, None]
        area, W, chi, slender = (
            one[:, None, None] for one in (self.area, self.modulus, self.chi, self.slenderness)
        )
        stress = np.abs(N) / area + M / W
        strength = stress * actions.section_factor / actions.yield_strength
        stands = actions.yield_strength / actions.buckling_factor
        buckling = interaction(-N / (chi * area * stands), M / (W * stands), slender)
        joint = self.joints.used(N, M, stress, actions)
        share = np.maximum(np.maximum(strength, buckling), joint)
        at = share.reshape(len(share), -1).argmax(axis=1)

        def worst(values: Array) -> Array:
            out: Array = values.reshape(len(values), -1)[np.arange(len(values)), at]
            return out

        return PartsUsed(
            worst(share),
            np.argmax([worst(strength), worst(buckling), worst(joint)], axis=0),
            worst(stress),
            worst(N),
            worst(M),
            at // N.shape[-1],
        )
