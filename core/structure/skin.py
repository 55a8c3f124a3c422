"""The outside of beams as triangles: where its points are, how they move with modal coordinates, and their stress.

Rectangles around sections, and circles around round ones. A section turns as a whole, u + theta x o; the stress of a
point is linear in its place on the section and taken from the corners that `core.structure.stress` knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array, Integers
from .beams import Line, Piece
from .model import Structure
from .sections import Section
from .stress import CORNERS, Superposition, superposition

ROUND_SIDES = 16
KEPT = 64  # shapes of elements that are remembered


@dataclass(frozen=True)
class Skin:
    """points (v, 3) m and outward normals (v, 3) as drawn, triangles (t, 3), in the axes of the structure; moves (v, 3,
    coordinates): how points move (m a unit); normal, shear (v, coordinates): their stress (Pa a unit); beams (v,): on
    which beam they lie."""

    points: Array
    normals: Array
    faces: Integers
    moves: Array
    normal: Array
    shear: Array
    beams: Integers

    @property
    def stressed(self) -> bool:
        """Whether its stress is known: that of beams always is."""
        return True

    def moved(self, q: Array, factor: float = 1.0) -> Array:
        """The points (v, 3) m under coordinates q, what they move times a factor."""
        out: Array = self.points + factor * (self.moves @ q)
        return out

    def von_mises(self, q: Array, of: Integers | slice = slice(None)) -> Array:
        """Von Mises stress (v, ...) Pa under coordinates q (coordinates, ...); of: some points only."""
        s, t = self.normal[of] @ q, self.shear[of] @ q
        out: Array = np.sqrt(s**2 + 3.0 * t**2)
        return out


def skin_of(
    structure: Structure,
    pieces: Sequence[Piece],
    shapes: Array,
    rounded: Sequence[bool],
    stress: Superposition | None = None,
) -> Skin:
    """The skin of beams under displacements `shapes` (unknowns, coordinates); rounded: which beams are tubes; stress:
    of these displacements, where it is known."""
    stress = superposition(structure, pieces, shapes) if stress is None else stress
    count = shapes.shape[1]
    at_corners = [x.reshape(len(pieces), 2, len(CORNERS), count) for x in (stress.normal, stress.shear)]
    lists: tuple[list[Array], ...] = ([], [], [])
    drawn = _outlines(pieces, rounded)
    for k, (piece, panels) in enumerate(zip(pieces, drawn, strict=True)):
        turns = piece.moves @ shapes[structure.unknowns[list(piece.ends)].ravel()]
        own = turns.reshape(2, 2, 3, count)[panels.end]
        moved = own[:, 0] + np.cross(own[:, 1], panels.offsets[:, :, None], axisa=1, axisb=1, axisc=1)
        weights = _weights(_half(piece.section), panels.offsets)
        lists[0].append(np.einsum("ab,vbm->vam", piece.axes, moved))
        for into, known in zip(lists[1:], at_corners, strict=True):
            into.append(np.einsum("vc,vcm->vm", weights, known[k, panels.end]))
    moves, normal, shear = (np.concatenate(one) for one in lists)
    return Skin(*_placed(pieces, drawn), moves, normal, shear, _beams(pieces, drawn))


def skin_at_rest(lines: Sequence[Line], rounded: Sequence[bool]) -> Skin:
    """The skin of beams that no coordinates move, which needs no structure."""
    drawn = _outlines(lines, rounded)
    points, normals, faces = _placed(lines, drawn)
    none = np.zeros((len(points), 0))
    return Skin(points, normals, faces, none[:, None, :].repeat(3, axis=1), none, none, _beams(lines, drawn))


class _Panels(NamedTuple):
    """The corners of the quadrilaterals of an element, four by four: the end (v,) they lie on, offsets (v, 3) m from
    the centre line there and outward normals (v, 3), in the axes of the element."""

    end: Integers
    offsets: Array
    outward: Array


def _outlines(lines: Sequence[Line | Piece], rounded: Sequence[bool]) -> list[_Panels]:
    """The panels of every element; the first and the last of a beam have its ends."""
    before, after = [None, *(one.beam for one in lines[:-1])], [*(one.beam for one in lines[1:]), None]
    return [
        _panels(_half(one.section), rounded[one.beam], one.beam != last, one.beam != following)
        for one, last, following in zip(lines, before, after, strict=True)
    ]


def _placed(lines: Sequence[Line | Piece], drawn: Sequence[_Panels]) -> tuple[Array, Array, Integers]:
    """Points (v, 3) m, normals (v, 3) and triangles (t, 3) as drawn."""
    points, normals = [], []
    for one, panels in zip(lines, drawn, strict=True):
        along = np.zeros((len(panels.end), 3))
        along[:, 0] = panels.end * one.length
        points.append(one.start + (along + panels.offsets) @ one.axes.T)
        normals.append(panels.outward @ one.axes.T)
    corners = np.arange(sum(map(len, points))).reshape(-1, 4)
    faces = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    return np.concatenate(points), np.concatenate(normals), faces


def _beams(lines: Sequence[Line | Piece], drawn: Sequence[_Panels]) -> Integers:
    return np.repeat([one.beam for one in lines], [len(panels.end) for panels in drawn])


@lru_cache(maxsize=KEPT)
def _panels(half: tuple[float, float], rounded: bool, first: bool, last: bool) -> _Panels:
    """The quadrilaterals of an element of half-heights (m); first, last: with the end there."""
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
    return _Panels(*(np.concatenate(one) for one in zip(*found, strict=True)))


def _half(section: Section) -> tuple[float, float]:
    """Half-heights (m) to draw; of a section that gives none those of a square of its area."""
    y, z = section.reach
    side = 0.5 * section.area**0.5
    return y or side, z or side


def _weights(half: tuple[float, float], offsets: Array) -> Array:
    """Shares (v, 4) of the stresses at the corners in those at offsets (v, 3)."""
    corners = np.array(CORNERS)
    out: Array = 0.25 * (1.0 + offsets[:, 1:] / [*half] @ corners.T)
    return out
