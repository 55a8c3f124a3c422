"""What a lattice of the track is made of, and how its chords and braces share the forces inside the beam it is.

Walls between chords bear shear as sheets of the same stiffness would: of Vy and Vz each takes what its stiffness and
direction give it, and of a closed lattice the flow around it is what balances the torsion that is left (Bredt); of
three chords that is statics alone. A diagonal of length d in a wall of height h bears the wall's force times d / h, by
turns in tension and compression. Ties that are rigidly joined to their chords bend: half of the wall's force times the
panel at their ends, and half of that in the chords (EN 1993-1-1:2005, 6.4.3.1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..structure.sections import Section

N, VY, VZ, T, MY, MZ = range(6)  # of the forces inside
RAILS = ("left rail", "right rail")


class Rails(NamedTuple):
    """Both rails of a beam of the track: their tube, how far they are from the middle of the track and above the centre
    of the beam's section (m), and how far it is from tie to tie (m)."""

    section: Section
    half: float
    z: float
    panel: float

    def parts(self, whole: Section) -> Iterator[Part]:
        """Each between two ties, of a beam of the section `whole`."""
        for name, y in zip(RAILS, (self.half, -self.half), strict=True):
            yield Part(
                name, self.section, self.panel, chord_rows(y, self.z, self.section, whole), swings=False
            )


class Chord(NamedTuple):
    """A chord: its name, place y and z (m) from the centre of all, and tube."""

    name: str
    y: float
    z: float
    section: Section


class Bracing(NamedTuple):
    """A wall of ties or diagonals, one every panel (m), between two chords `height` m apart, by their numbers; shear:
    area (m^2) of the sheet that is as stiff."""

    name: str
    chords: tuple[int, int]
    section: Section
    ties: bool
    panel: float
    height: float
    shear: float

    @property
    def length(self) -> float:
        """Of a brace (m)."""
        return self.height if self.ties else math.hypot(self.panel, self.height)


class Part(NamedTuple):
    """A chord or a brace between two joints: name, tube, length (m); rows (4, 6) that make of the forces inside the
    beam its axial force, its moments about y and z, and what it is bent by besides, in either direction; swings:
    whether its axial force has either sign, from panel to panel."""

    name: str
    section: Section
    length: float
    rows: Array
    swings: bool


def chord_rows(y: float, z: float, tube: Section, whole: Section) -> Array:
    """Rows (4, 6) of a `Part` that is a tube at y and z (m) of a section that stays plane."""
    rows = np.zeros((4, 6))
    rows[0, [N, MY, MZ]] = tube.area * np.array([1.0 / whole.area, z / whole.Iy, -y / whole.Iz])
    rows[1, MY], rows[2, MZ] = tube.Iy / whole.Iy, tube.Iz / whole.Iz
    return rows


@dataclass(frozen=True, eq=False)
class Lattice:
    """Chords and walls of a lattice, and the section of the beam that stands for it; closed: walls go around it."""

    chords: tuple[Chord, ...]
    walls: tuple[Bracing, ...]
    section: Section

    @property
    def closed(self) -> bool:
        """Whether walls go all the way round."""
        return len(self.walls) == len(self.chords) > 2

    @cached_property
    def shares(self) -> Array:
        """Force of each wall along itself (walls, 6), for 1 N or N m of each force inside."""
        out = np.zeros((len(self.walls), 6))
        ends = np.array([[self.chords[k][1:3] for k in wall.chords] for wall in self.walls])
        along = ends[:, 1] - ends[:, 0]
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        area = np.array([wall.shear for wall in self.walls])
        for axis, force in enumerate((VY, VZ)):
            whole = float(np.sum(area * along[:, axis] ** 2))
            if whole > 0.0:
                out[:, force] = area * along[:, axis] / whole
        if self.closed:
            lever = ends[:, 0, 0] * along[:, 1] - ends[:, 0, 1] * along[:, 0]
            height = np.array([wall.height for wall in self.walls])
            around = float(np.sum(lever * height))  # twice the area inside
            left = -lever @ out
            left[T] += 1.0 - sum(one.section.torsion for one in self.chords) / self.section.torsion
            out += np.outer(height, left / around)
        return out

    def parts(self) -> Iterator[Part]:
        """Its chords, then its braces."""
        shares, whole = self.shares, self.section
        for k, (name, y, z, tube) in enumerate(self.chords):
            rows = chord_rows(y, z, tube, whole)
            panel = self.walls[0].panel
            for wall, share in zip(self.walls, shares, strict=True):
                if wall.ties and k in wall.chords:
                    rows[3] += 0.25 * wall.panel * share
            # diagonals of a wall meet a chord at every other panel
            yield Part(name, tube, 2.0 * panel if self.closed else panel, rows, swings=False)
        for wall, share in zip(self.walls, shares, strict=True):
            rows = np.zeros((4, 6))
            if wall.ties:
                rows[3] = 0.5 * wall.panel * share
            else:
                rows[0] = wall.length / wall.height * share
            yield Part(wall.name, wall.section, wall.length, rows, swings=not wall.ties)
