"""Stress of beams by superposition: what each modal coordinate, or load, makes at the corners of every element.

Section forces are those that an element's stiffness makes of the displacement of its ends; with them, at the corners of
the section, s = N / A + My z / Iy - Mz y / Iz and t = T / W. What acts on an element between its ends is not in them:
under a uniform load w the moment at a clamped end is too small by w l^2 / 12, l the length of an element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from ..base.arrays import Array, Integers
from .beams import Piece
from .model import DIRECTIONS, Structure

CORNERS = ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))  # of the half-heights y, z
BLOCK = 2048  # instants that are superposed at once


@dataclass(frozen=True)
class Spot:
    """A point of a structure: number of its beam, distance along it m, place (3,) m as drawn, signs of its y and z."""

    beam: int
    along: float
    place: tuple[float, float, float]
    corner: tuple[float, float]


@dataclass(frozen=True)
class Superposition:
    """Stress at spots (Pa a unit of each coordinate): normal, shear (spots, coordinates)."""

    spots: tuple[Spot, ...]
    normal: Array
    shear: Array

    def __repr__(self) -> str:
        return f"Superposition({len(self.spots)} spots, {self.normal.shape[1]} coordinates)"

    def at(self, spot: int, q: Array) -> tuple[Array, Array]:
        """Normal and von Mises stress (n,) Pa at a spot over instants of the coordinates q (n, coordinates)."""
        s, t = q @ self.normal[spot], q @ self.shear[spot]
        return s, np.sqrt(s**2 + 3.0 * t**2)

    def principal(self, spot: int, q: Array) -> Array:
        """Principal stresses (n, 3) Pa at a spot over instants of the coordinates q (n, coordinates), largest first."""
        s, t = q @ self.normal[spot], q @ self.shear[spot]
        radius = np.hypot(0.5 * s, t)
        return np.stack([0.5 * s + radius, np.zeros_like(s), 0.5 * s - radius], axis=1)

    def envelope(self, q: Array) -> Envelope:
        """Largest von Mises stress at every spot over instants of q (n, coordinates), and the range of the normal
        one."""
        count = len(self.spots)
        worst, when = np.zeros(count), np.zeros(count, dtype=np.int64)
        low, high = np.full(count, np.inf), np.full(count, -np.inf)
        for first in range(0, len(q), BLOCK):
            some = q[first : first + BLOCK].T
            s, t = self.normal @ some, self.shear @ some
            low, high = np.minimum(low, s.min(axis=1)), np.maximum(high, s.max(axis=1))
            mises = np.sqrt(s**2 + 3.0 * t**2)
            at = mises.argmax(axis=1)
            found = mises[np.arange(count), at]
            when = np.where(found > worst, first + at, when)
            worst = np.maximum(worst, found)
        return Envelope(worst, when, low, high)


@dataclass(frozen=True)
class Envelope:
    """Of every spot (spots,): largest von Mises stress Pa, number of its instant, smallest and largest normal stress
    Pa."""

    worst: Array
    instant: Integers
    low: Array
    high: Array


def superposition(structure: Structure, pieces: Sequence[Piece], shapes: Array) -> Superposition:
    """Stress at both ends of every element under displacements `shapes` (unknowns, coordinates)."""
    spots: list[Spot] = []
    normal, shear = [], []
    along: dict[int, float] = {}
    for piece in pieces:
        section = piece.section
        forces = piece.K @ (piece.moves @ shapes[structure.unknowns[list(piece.ends)].ravel()])
        first = along.get(piece.beam, 0.0)
        along[piece.beam] = first + piece.length
        for end, inner in ((0, -forces[:6]), (1, forces[6:])):
            N, T, My, Mz = inner[0], inner[3], inner[4], inner[5]
            for corner in CORNERS:
                y, z = (sign * half for sign, half in zip(corner, section.reach, strict=True))
                position = piece.start + piece.axes @ np.array([end * piece.length, y, z])
                spots.append(Spot(piece.beam, first + end * piece.length, tuple(position.tolist()), corner))
                normal.append(N / section.area + My * z / section.Iy - Mz * y / section.Iz)
                shear.append(T / section.twist if section.twist > 0.0 else np.zeros_like(T))
    return Superposition(tuple(spots), np.array(normal), np.array(shear))


def held_under_loads(structure: Structure, loaded: str, clamped: str) -> Array:
    """Displacements (unknowns, 6) under unit forces and moments at one frame with another one clamped."""
    held = structure.of_frame(clamped)
    free = np.setdiff1d(np.arange(structure.size), held)
    load = np.zeros((structure.size, DIRECTIONS))
    load[structure.of_frame(loaded), range(DIRECTIONS)] = 1.0
    out = np.zeros_like(load)
    out[free] = splu(csc_matrix(structure.K[free][:, free])).solve(load[free])
    return out


def corner_cases(low: Array, high: Array) -> Array:
    """The 64 load cases (64, 6) at the corners of the box between the smallest and largest of six forces."""
    pick = (np.arange(2**DIRECTIONS)[:, None] >> np.arange(DIRECTIONS)) & 1
    out: Array = np.where(pick == 1, high, low)
    return out
