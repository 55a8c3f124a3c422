"""A linear structure: nodes, unknowns, stiffness and mass; faults are told with their place.

Unknowns of a node are its translations (m) and, where it has them, its small rotations (rad), all in the axes of the
structure. A rigid motion is a line of six: translation, then rotation about the origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from ..base.arrays import Array, Integers
from ..base.errors import InputError

DIRECTIONS = 6  # of a node: three translations, three rotations
NONE = -1  # in place of an unknown that a node has not
SYMMETRIC = 1e-9  # relative to the largest entry
LARGEST = 1e30  # of an entry, that squares are numbers, too
LOOSE = 1e-12  # of the largest of a node
RIGID = 1e-6  # of the largest stiffness, for the energy of a rigid motion


@dataclass(frozen=True)
class Structure:
    """K q + M q'' = forces. nodes (n, 3) m; unknowns (n, 6): number of each translation and rotation, -1 where a node
    has none; K (N/m and with rad), M (kg and with m): symmetric, (unknowns, unknowns); frames: nodes by name, to which
    other bodies are joined."""

    nodes: Array
    unknowns: Integers
    K: csc_matrix
    M: csc_matrix
    frames: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return int(self.K.shape[0])

    def of_frame(self, name: str) -> Integers:
        """The six unknowns of a frame. Raises InputError when there is no such frame."""
        if name not in self.frames:
            known = ", ".join(f"'{frame}'" for frame in self.frames) or "none"
            raise InputError(f"The structure has no frame '{name}'; it has {known}.")
        own: Integers = self.unknowns[self.frames[name]]
        return own

    def rigid_motions(self) -> Array:
        """What each unknown is in the six rigid motions (size, 6)."""
        out = np.zeros((self.size, DIRECTIONS))
        turns = np.array(
            [
                [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
                [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
                [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
            ]
        )
        for c in range(3):
            has = self.unknowns[:, c] != NONE
            out[self.unknowns[has, c], c] = 1.0
            for a in range(3):
                out[self.unknowns[has, c], 3 + a] = self.nodes[has] @ turns[a, c]
            has = self.unknowns[:, 3 + c] != NONE
            out[self.unknowns[has, 3 + c], 3 + c] = 1.0
        return out

    def rigid_mass(self) -> Array:
        """Mass matrix (6, 6) of the rigid motions about the origin."""
        R = self.rigid_motions()
        out: Array = R.T @ (self.M @ R)
        return out

    @property
    def mass(self) -> float:
        """kg, mean of the three directions."""
        return float(np.trace(self.rigid_mass()[:3, :3])) / 3.0

    @property
    def centre(self) -> Array:
        """Centre of mass (3,) m."""
        m = self.rigid_mass()
        return np.array([m[1, 5] - m[2, 4], m[2, 3] - m[0, 5], m[0, 4] - m[1, 3]]) / (2.0 * self.mass)

    def loose_turns(self, tolerance: float = LOOSE) -> csc_matrix:
        """Turns of nodes that meet neither stiffness nor mass, as unit columns (size, count): all that ends at the
        node does so in a hinge, say. What they are is not known, and whoever solves for them has to hold them."""
        turns = self.unknowns[:, 3:]
        own = np.full((2, self.size), NONE)  # node and direction of an unknown that is a turn
        node, direction = np.nonzero(turns != NONE)
        own[:, turns[node, direction]] = node, direction
        blocks = np.zeros((len(self.nodes), 3, 3))
        for matrix in (self.K, self.M):
            at = matrix.tocoo()
            (i, a), (j, b) = own[:, at.row], own[:, at.col]
            same = (i == j) & (i != NONE)
            block = np.zeros_like(blocks)
            np.add.at(block, (i[same], a[same], b[same]), at.data[same])
            blocks += block / max(np.abs(at.data).max(initial=0.0), 1e-300)
        whole = (turns != NONE).all(axis=1)
        values, axes = np.linalg.eigh(blocks[whole])
        k, c = np.nonzero(np.abs(values) <= tolerance * np.abs(values).max(axis=1, keepdims=True))
        rows = turns[whole][k]
        shape = (self.size, len(k))
        return csc_matrix((axes[k, :, c].ravel(), (rows.ravel(), np.repeat(range(len(k)), 3))), shape=shape)

    def max_moved(self, motion: Array) -> str:
        """Where a motion (size,) is largest, turns counted by the size of the structure, in words."""
        moved, turns = np.abs(motion), self.unknowns[:, 3:]
        moved[turns[turns != NONE]] *= float(np.ptp(self.nodes, axis=0).max())
        return place_of(self, int(np.argmax(moved)))

    def weight(self, gravity: Array) -> Array:
        """Forces (size,) of gravity (3,) m/s^2."""
        out: Array = self.M @ (self.rigid_motions()[:, :3] @ gravity)
        return out


def check_structure(s: Structure) -> Iterator[str]:
    """Sentences about what cannot be right in a structure, with their places."""
    for name, matrix in (("stiffness", s.K), ("mass", s.M)):
        if matrix.shape != (s.size, s.size) or s.unknowns.max(initial=NONE) != s.size - 1:
            yield (
                f"The {name} matrix is {matrix.shape[0]} by {matrix.shape[1]}, but the nodes have"
                f" {int(s.unknowns.max(initial=NONE)) + 1} unknowns; export both from the same model."
            )
            return
        if not np.all(np.abs(matrix.data) < LARGEST):
            yield f"The {name} matrix has an entry that is no number, or above {LARGEST:g}; export it in SI units."
            return
        largest = np.abs(matrix.data).max(initial=0.0)
        skew = abs(matrix - matrix.T)
        if skew.nnz and skew.max() > SYMMETRIC * largest:
            worst = int(np.argmax(skew.max(axis=1).toarray()))
            yield f"The {name} matrix is not symmetric {place_of(s, worst)}; export all of it or one triangle."
        low = matrix.diagonal()
        if np.any(low < -SYMMETRIC * largest) or (name == "stiffness" and np.any(low <= 0.0)):
            yield (
                f"The {name} {place_of(s, int(np.argmin(low)))} is {low.min():.3g}, as if nothing were joined there:"
                " join a beam or an element to the node, or take it out."
            )
            return
    yield from _rigid_findings(s)


def _rigid_findings(s: Structure) -> Iterator[str]:
    labels = _parts(s)
    if labels.max(initial=0) > 0:
        sizes = np.bincount(labels)
        smallest = int(np.argmin(sizes))
        yield (
            f"The structure is in {len(sizes)} loose parts; the smallest, of {int(sizes[smallest])} unknowns, lies"
            f" {place_of(s, int(np.flatnonzero(labels == smallest)[0]))}. Join the meshes, or tie them to a frame."
        )
    R = s.rigid_motions()
    strain = s.K @ R
    scale = np.bincount(s.K.indices, np.abs(s.K.data), s.size)
    size = np.maximum(np.abs(R).max(axis=0), 1e-300)
    off = np.abs(strain) / (scale[:, None] * size + 1e-300)
    if off.max(initial=0.0) > RIGID:
        row, motion = np.unravel_index(int(np.argmax(off)), off.shape)
        what = (
            "move along x",
            "move along y",
            "move along z",
            "turn about x",
            "turn about y",
            "turn about z",
        )
        yield (
            f"The stiffness resists a rigid {what[int(motion)]} {place_of(s, int(row))} (by {off.max():.1g} of its"
            " row): it is held somewhere, or the order of its unknowns is not that of the nodes; export it free, with"
            " x, y, z of each node in the order of the node table."
        )
    m = s.rigid_mass()
    if not np.allclose(np.diag(m)[:3], s.mass, rtol=1e-3) or np.linalg.eigvalsh(m).min() <= 0.0:
        found = ", ".join(f"{x:.4g}" for x in np.diag(m)[:3])
        yield (
            f"The mass is {found} kg along x, y and z, which is no mass of a body; the order of its unknowns may be"
            " another one."
        )


def _parts(s: Structure) -> Integers:
    """The connected part of each unknown; those of one node belong together."""
    own = [row[row != NONE] for row in s.unknowns]
    pairs = np.concatenate(
        [np.stack([o[:-1], o[1:]], axis=1) for o in own if len(o) > 1] or [np.zeros((0, 2), int)]
    )
    joint = csr_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=s.K.shape)
    return np.asarray(connected_components(abs(s.K) + joint, directed=False)[1], dtype=np.int64)


def place_of(s: Structure, unknown: int) -> str:
    """Where an unknown is, in words: its node, place and direction."""
    node, direction = (int(k[0]) for k in np.nonzero(s.unknowns == unknown))
    where = ", ".join(f"{x:.4g}" for x in s.nodes[node])
    names = [name for name, at in s.frames.items() if at == node]
    called = f"'{names[0]}'" if names else str(node)
    return f"at node {called} ({where}) m, {('x', 'y', 'z', 'about x', 'about y', 'about z')[direction]}"
