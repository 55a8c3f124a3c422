"""The outside of an imported structure: how its nodes move with modal coordinates, and their stress.

Stress tensors add up mode by mode; von Mises stress is the length of the five deviatoric parts of the sum. Its
sign, for ranges over time, is that of the mean stress: pull or pressure.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array, Array32, Integers
from ..base.errors import InputError
from .solids import Solid, nodal_stress, outer_faces
from .stress import Envelope

MAX_POINTS = 20_000  # of a structure without elements, beyond which some are left out
MAX_PACKED = 30 * 10**6  # characters of a packed surface, as a project file can keep it
MAX_OPENED = 10**9  # bytes of an unpacked one
FINE = 500_000  # nodes times coordinates, beyond which the middles of edges are left out
AT_ONCE = 1_500_000  # nodes times instants whose stress is looked at together
#: From xx yy zz xy yz xz to five parts whose length is the von Mises stress, and the mean stress.
PARTS = np.array([
    [1.0, -0.5, -0.5, 0.0, 0.0, 0.0],
    [0.0, 0.75**0.5, -(0.75**0.5), 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 3.0**0.5, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 3.0**0.5, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0, 3.0**0.5],
    [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0],
])  # fmt: skip


@dataclass(frozen=True)
class Surface:
    """points (v, 3) m as drawn, labels (v,): what the nodes are called in their file; triangles (t, 3), none where only
    matrices are known; moves (v, 3, coordinates): m a unit; stress (v, 6, coordinates): xx yy zz xy yz xz, Pa a unit,
    (v, 6, 0) where it is not known."""

    points: Array32
    labels: Integers
    faces: Integers
    moves: Array32
    stress: Array32

    def __repr__(self) -> str:
        return f"Surface({len(self.points)} nodes, {len(self.faces)} triangles, {self.moves.shape[2]} coordinates)"

    @property
    def stressed(self) -> bool:
        """Whether its stress is known."""
        return bool(self.stress.shape[2] > 0)

    @cached_property
    def parts(self) -> Array32:
        """`PARTS` of the stress (6, v, coordinates), von Mises parts first."""
        return np.ascontiguousarray(np.einsum("pc,vcm->pvm", PARTS.astype(np.float32), self.stress))

    @cached_property
    def _flat(self) -> Array32:
        return np.ascontiguousarray(self.moves.reshape(-1, self.moves.shape[2]))

    def moved(self, q: Array, factor: float = 1.0) -> Array32:
        """The points (v, 3) m under coordinates q (coordinates,), what they move times a factor."""
        out: Array32 = (self._flat @ (factor * np.asarray(q)).astype(np.float32)).reshape(-1, 3)
        out += self.points
        return out

    def von_mises(self, q: Array, of: Integers | slice = slice(None)) -> Array32:
        """Von Mises stress (v, ...) Pa under coordinates q (coordinates, ...); of: some nodes only."""
        some = self.parts[:5, of]
        # one product of two matrices: a stack of them is not handed to the library of linear algebra
        flat = some.reshape(-1, some.shape[2]) @ np.asarray(q, dtype=np.float32)
        parts = flat.reshape(some.shape[:2] + flat.shape[1:])
        parts *= parts
        out: Array32 = np.sqrt(parts.sum(axis=0))
        return out

    def at(self, spot: int, q: Array) -> tuple[Array, Array]:
        """Signed and plain von Mises stress (n,) Pa at a node over instants of the coordinates q (n, coordinates)."""
        parts = q @ self.parts[:, spot].astype(np.float64).T
        mises = np.sqrt((parts[:, :5] ** 2).sum(axis=1))
        return np.copysign(mises, parts[:, 5]), mises

    def tensor(self, spot: int, q: Array) -> Array:
        """Stress (n, 6) Pa, xx yy zz xy yz xz, at a node over instants of the coordinates q (n, coordinates)."""
        return np.asarray(q @ self.stress[spot].astype(np.float64).T)

    def principal(self, spot: int, q: Array) -> Array:
        """Principal stresses (n, 3) Pa at a node over instants of the coordinates q (n, coordinates), largest first."""
        whole = self.tensor(spot, q)[:, [0, 3, 5, 3, 1, 4, 5, 4, 2]].reshape(-1, 3, 3)
        return np.asarray(np.linalg.eigvalsh(whole)[:, ::-1])

    def envelope(self, q: Array) -> Envelope:
        """Largest von Mises stress of every node over instants of q (n, coordinates), and the range of the signed
        one."""
        count = len(self.points)
        worst, when = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.int64)
        low, high = np.full(count, np.inf, np.float32), np.full(count, -np.inf, np.float32)
        step, rows = max(1, AT_ONCE // count), np.arange(count)
        for first in range(0, len(q), step):
            some = np.ascontiguousarray(q[first : first + step].T, dtype=np.float32)
            mises = np.zeros((count, some.shape[1]), dtype=np.float32)
            for part in self.parts[:5]:
                values = part @ some
                values *= values
                mises += values
            np.sqrt(mises, out=mises)
            at = mises.argmax(axis=1)
            found = mises[rows, at]
            when = np.where(found > worst, first + at, when)
            np.maximum(worst, found, out=worst)
            np.copysign(mises, self.parts[5] @ some, out=mises)
            np.minimum(low, mises.min(axis=1), out=low)
            np.maximum(high, mises.max(axis=1), out=high)
        return Envelope(worst.astype(np.float64), when, low.astype(np.float64), high.astype(np.float64))


def surface_of_solid(solid: Solid, moves: Array) -> Surface:
    """The outside of a solid under displacements of all its nodes (nodes, 3, coordinates): all its nodes, or where they
    are too many for a project, the corners of elements."""
    faces = outer_faces(solid)
    if len(np.unique(faces)) * moves.shape[2] > FINE:
        faces = outer_faces(solid, fine=False)
    used, faces_of_used = np.unique(faces, return_inverse=True)
    stress = nodal_stress(solid, moves)[used]
    return Surface(
        solid.nodes[used].astype(np.float32), solid.labels[used], faces_of_used.reshape(-1, 3),
        moves[used].astype(np.float32), stress.astype(np.float32),
    )  # fmt: skip


def points_of_nodes(nodes: Array, moves: Array) -> Surface:
    """Nodes (n, 3) m of which no elements are known, at most `MAX_POINTS` of them, evenly left out."""
    kept = np.arange(0, len(nodes), 1 + (len(nodes) - 1) // MAX_POINTS)
    return Surface(
        nodes[kept].astype(np.float32), kept, np.zeros((0, 3), dtype=np.int64), moves[kept].astype(np.float32),
        np.zeros((len(kept), 6, 0), dtype=np.float32),
    )  # fmt: skip


def pack(surface: Surface) -> tuple[str, bool]:
    """A surface as text (base64 of zlib), and whether its numbers are whole: beyond `MAX_PACKED` they are kept to one
    part in 32,767 of the largest of their coordinate. Raises InputError when even that is too much."""
    for whole in (True, False):
        columns = [_numbers(x, whole) for x in (surface.moves, surface.stress)]
        head = [surface.points.astype("<f4"), surface.labels.astype("<i4"), surface.faces.astype("<i4")]
        raw = b"".join(x.tobytes() for x in (*head, *(part for column in columns for part in column)))
        text = base64.b64encode(zlib.compress(raw, 6)).decode("ascii")
        if len(text) <= MAX_PACKED:
            return text, whole
    raise InputError(
        f"The surface has {len(surface.points)} nodes and {surface.moves.shape[2]} modes, which is more than a project"
        " keeps; keep fewer modes, or mesh it more coarsely."
    )


def unpack(text: str, points: int, triangles: int, modes: int, stressed: bool, whole: bool) -> Surface:
    """A packed surface. Raises InputError when the text is not that of such a surface."""
    size, n = 4 if whole else 2, modes
    scales = 0 if whole else 4 * n
    wanted = 16 * points + 12 * triangles + (size * 3 * points * n + scales)
    wanted += (size * 6 * points * n + scales) if stressed else 0
    try:
        opened = zlib.decompressobj()
        raw = opened.decompress(base64.b64decode(text, validate=True), min(wanted, MAX_OPENED) + 1)
    except (binascii.Error, ValueError, zlib.error):
        raw = b""
    if len(raw) != wanted:
        raise InputError(
            "The surface of an imported structure is cut or damaged; import the structure again."
        )
    at = 0

    def take(kind: str, *shape: int) -> NDArray[Any]:
        nonlocal at
        count = int(np.prod(shape))
        part = np.frombuffer(raw, kind, count, at).reshape(shape)
        at += part.nbytes
        return part

    positions, labels, faces = take("<f4", points, 3), take("<i4", points), take("<i4", triangles, 3)
    columns = []
    for rows in (3, 6) if stressed else (3,):
        scale = np.ones(n, dtype=np.float32) if whole else take("<f4", n)
        columns.append((take("<f4" if whole else "<i2", points, rows, n) * scale).astype(np.float32))
    if triangles and not (faces.min() >= 0 and faces.max() < points):
        raise InputError(
            "The surface of an imported structure has a triangle without nodes; import it again."
        )
    empty = np.zeros((points, 6, 0), dtype=np.float32)
    return Surface(
        positions.astype(np.float32), labels.astype(np.int64), faces.astype(np.int64), columns[0],
        columns[1] if stressed else empty,
    )  # fmt: skip


def _numbers(values: Array32, whole: bool) -> list[NDArray[np.generic]]:
    """Numbers as they are, or the scales of their coordinates and whole numbers of sixteen bits."""
    if whole or not values.size:
        return [values.astype("<f4")]
    scale = np.maximum(np.abs(values).max(axis=(0, 1)), 1e-30) / 32767.0
    return [scale.astype("<f4"), np.round(values / scale).astype("<i2")]
