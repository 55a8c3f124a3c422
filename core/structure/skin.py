"""The outside of beams as triangles: where its points are, how they move with modal coordinates, and their stress.

Rectangles around sections, and circles around round ones. A section turns as a whole, u + theta x o; the stress of a
point is linear in its place on the section and taken from the corners that `core.structure.stress` knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ridewright.core.structure.beams import Piece
from ridewright.core.structure.model import Array, Ints, Structure
from ridewright.core.structure.stress import CORNERS, superposition

ROUND_SIDES = 16


@dataclass(frozen=True)
class Skin:
    """points (v, 3) m and outward normals (v, 3) as drawn, triangles (t, 3), in the axes of the structure; moves (v, 3,
    coordinates): how points move (m a unit); normal, shear (v, coordinates): their stress (Pa a unit); beams (v,): on
    which beam they lie."""

    points: Array
    normals: Array
    faces: Ints
    moves: Array
    normal: Array
    shear: Array
    beams: Ints

    @property
    def stressed(self) -> bool:
        """Whether its stress is known: that of beams always is."""
        return True

    def moved(self, q: Array, factor: float = 1.0) -> Array:
        """The points (v, 3) m under coordinates q, what they move times a factor."""
        out: Array = self.points + factor * (self.moves @ q)
        return out

    def von_mises(self, q: Array, of: Ints | slice = slice(None)) -> Array:
        """Von Mises stress (v, ...) Pa under coordinates q (coordinates, ...); of: some points only."""
        s, t = self.normal[of] @ q, self.shear[of] @ q
        out: Array = np.sqrt(s**2 + 3.0 * t**2)
        return out


def skin_of(structure: Structure, pieces: Sequence[Piece], shapes: Array, rounded: Sequence[bool]) -> Skin:
    """The skin of beams under displacements `shapes` (unknowns, coordinates); rounded: which beams are tubes."""
    stress = superposition(structure, pieces, shapes)
    count = shapes.shape[1]
    at_corners = [x.reshape(len(pieces), 2, len(CORNERS), count) for x in (stress.normal, stress.shear)]
    lists: tuple[list[Array], ...] = ([], [], [], [], [])
    beams: list[Ints] = []
    for k, piece in enumerate(pieces):
        first = k == 0 or pieces[k - 1].beam != piece.beam
        last = k == len(pieces) - 1 or pieces[k + 1].beam != piece.beam
        turns = piece.moves @ shapes[structure.unknowns[list(piece.ends)].ravel()]
        for end, offsets, outward in _panels(piece, rounded[piece.beam], first, last):
            own = turns.reshape(2, 2, 3, count)[end]
            moved = own[:, 0] + np.cross(own[:, 1], offsets[:, :, None], axisa=1, axisb=1, axisc=1)
            weights = _weights(piece, offsets)
            along = np.zeros((len(end), 3))
            along[:, 0] = end * piece.length
            beams.append(np.full(len(end), piece.beam))
            lists[0].append(piece.start + (along + offsets) @ piece.axes.T)
            lists[1].append(outward @ piece.axes.T)
            lists[2].append(np.einsum("ab,vbm->vam", piece.axes, moved))
            for into, known in zip(lists[3:], at_corners, strict=True):
                into.append(np.einsum("vc,vcm->vm", weights, known[k, end]))
    points, normals, moves, normal, shear = (np.concatenate(one) for one in lists)
    corners = np.arange(len(points)).reshape(-1, 4)
    faces = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    return Skin(points, normals, faces, moves, normal, shear, np.concatenate(beams))


def _panels(piece: Piece, rounded: bool, first: bool, last: bool) -> list[tuple[Ints, Array, Array]]:
    """The quadrilaterals of an element: ends (4,) their points lie on, offsets (4, 3) m from the centre line there and
    outward normals (4, 3), in the axes of the element."""
    half = _half(piece)
    if rounded:
        angle = 2.0 * np.pi * np.arange(ROUND_SIDES) / ROUND_SIDES
        ring = np.stack([np.zeros(ROUND_SIDES), np.cos(angle), np.sin(angle)], axis=1)
        out = ring
        ring = ring * [0.0, *half]
    else:
        ring = np.array([[0.0, y * half[0], z * half[1]] for y, z in CORNERS])
        out = np.zeros((0, 3))
    found = []
    for a in range(len(ring)):
        b = (a + 1) % len(ring)
        side = np.cross(ring[b] - ring[a], [1.0, 0.0, 0.0])
        flat = np.tile(side / np.linalg.norm(side), (4, 1))
        outward = out[[a, b, b, a]] if rounded else flat
        found.append((np.array([0, 0, 1, 1]), ring[[a, b, b, a]], outward))
    for there, end, way in ((first, 0, -1.0), (last, 1, 1.0)):
        for a in range(1, len(ring) - 1, 2) if there else ():
            corners = [0, a, a + 1, (a + 2) % len(ring)][:: 1 if way > 0.0 else -1]
            found.append((np.full(4, end), ring[corners], np.tile([way, 0.0, 0.0], (4, 1))))
    return found


def _half(piece: Piece) -> tuple[float, float]:
    """Half-heights (m) to draw; of a section that gives none those of a square of its area."""
    y, z = piece.section.reach
    side = 0.5 * piece.section.area**0.5
    return y or side, z or side


def _weights(piece: Piece, offsets: Array) -> Array:
    """Shares (v, 4) of the stresses at the corners in those at offsets (v, 3)."""
    y, z = _half(piece)
    corners = np.array(CORNERS)
    out: Array = 0.25 * (1.0 + offsets[:, 1:] / [y, z] @ corners.T)
    return out
