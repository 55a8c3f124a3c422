"""Solids of second-order elements: stiffness, consistent mass, outer surface, and stress at nodes.

Shape functions and integration points are scikit-fem's (Gustafsson & McBain 2020); places and displacements have the
same ones (isoparametric). Nodes of an element are numbered as in VTK: corners, then the middles of edges, for 27 nodes
those of faces and the middle. Stress is linear in displacement; at a node it is the mean of what its elements have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array, Integers
from ..base.errors import InputError
from .model import DIRECTIONS, NONE, Structure
from .sections import STEEL

AT_ONCE = 1024  # elements that are worked on together
ORDER = 4  # of integration: exact for the mass of straight elements
COMPONENTS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))  # xx yy zz xy yz xz
_HEX_EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_HEX_FACES = ((0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7))
_TET_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_TET_FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
_HEX_CORNERS = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
_TET_CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
Chunk = tuple[slice, Array, Array]


@dataclass(frozen=True)
class Kind:
    """A kind of element: corners (reference places), edges and faces (numbers of corners, outward), and the class of
    scikit-fem that has its shape functions."""

    corners: tuple[tuple[int, int, int], ...]
    edges: tuple[tuple[int, int], ...]
    faces: tuple[tuple[int, ...], ...]
    shapes: str
    inner: tuple[tuple[float, float, float], ...] = ()

    @property
    def places(self) -> Array:
        """Reference places (nodes, 3) in the order of VTK."""
        at = np.array(self.corners, dtype=np.float64)
        middles = [0.5 * (at[a] + at[b]) for a, b in self.edges]
        return np.vstack([at, *middles, *(np.array(p) for p in self.inner)])


_MIDDLES = (
    (0, 0.5, 0.5), (1, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 1, 0.5), (0.5, 0.5, 0), (0.5, 0.5, 1), (0.5, 0.5, 0.5),
)  # fmt: skip
#: By their names in meshio.
KINDS = {
    "tetra10": Kind(_TET_CORNERS, _TET_EDGES, _TET_FACES, "ElementTetP2"),
    "hexahedron20": Kind(_HEX_CORNERS, _HEX_EDGES, _HEX_FACES, "ElementHexS2"),
    "hexahedron27": Kind(_HEX_CORNERS, _HEX_EDGES, _HEX_FACES, "ElementHex2", _MIDDLES),
}


@dataclass(frozen=True)
class Material:
    """E Pa, Poisson's ratio, density kg/m^3; steel unless given."""

    E: float = STEEL[0]
    poisson: float = 0.3
    density: float = STEEL[2]

    @property
    def lame(self) -> tuple[float, float]:
        """Lame's constants Pa."""
        shear = self.E / (2.0 * (1.0 + self.poisson))
        return self.E * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson)), shear


@dataclass(frozen=True)
class Solid:
    """nodes (n, 3) m; cells: numbers of nodes (elements, nodes of one) by kind; material; labels (n,): what a node is
    called in its file; own: materials of elements, and by kind which of them each has (elements,), where they are not
    all of the one material."""

    nodes: Array
    cells: dict[str, Integers]
    material: Material
    labels: Integers
    materials: tuple[Material, ...] = ()
    of: Mapping[str, Integers] = field(default_factory=dict)

    def figures(self, kind: str) -> Array:
        """Lame's constants Pa, density kg/m^3 and E Pa of each element of a kind (4, elements)."""
        each = self.materials or (self.material,)
        table = np.array([(*one.lame, one.density, one.E) for one in each])
        return table[self.of.get(kind, np.zeros(len(self.cells[kind]), dtype=np.int64))].T


def needed(library: str) -> None:
    """Raise InputError with what to install when a library of the extra `structure` is missing."""
    if find_spec(library) is None:
        raise InputError(
            f'{library} is not installed; meshes of solids need it: pip install "ridewright[structure]".'
        )


@cache
def _element(kind: str) -> tuple[Any, Integers]:
    """The element of scikit-fem and, for each node in the order of VTK, the number of its shape function."""
    needed("skfem")
    import skfem

    element = getattr(skfem, KINDS[kind].shapes)()
    gaps = np.linalg.norm(KINDS[kind].places[:, None] - element.doflocs[None], axis=2)
    return element, gaps.argmin(axis=1)


def shapes_at(kind: str, positions: Array) -> tuple[Array, Array]:
    """Shape functions (places, nodes) and their slopes (places, 3, nodes) at reference places (places, 3)."""
    element, order = _element(kind)
    found = [element.lbasis(np.ascontiguousarray(positions.T), int(k)) for k in order]
    N = np.array([np.broadcast_to(value, len(positions)) for value, _ in found]).T
    return N, np.array([slope for _, slope in found]).transpose(2, 1, 0)


@cache
def _points(kind: str) -> tuple[Array, Array]:
    """Integration points (points, 3) and weights of a kind."""
    needed("skfem")
    from skfem.quadrature import get_quadrature

    positions, weights = get_quadrature(_element(kind)[0], ORDER)
    return positions.T, weights


def _gradients(solid: Solid, kind: str, slopes: Array) -> Iterator[Chunk]:
    """Of some elements at a time: which, slopes of shape functions with x, y, z (elements, places, 3, nodes), and the
    determinant of the Jacobian (elements, places)."""
    cells = solid.cells[kind]
    for first in range(0, len(cells), AT_ONCE):
        some = slice(first, min(first + AT_ONCE, len(cells)))
        J = np.einsum("qbn,ena->eqba", slopes, solid.nodes[cells[some]])
        size = np.linalg.det(J)
        if not np.all(size > 0.0):
            bad = int(np.argmax((size <= 0.0).any(axis=1)))
            where = ", ".join(f"{x:.4g}" for x in solid.nodes[cells[some][bad]].mean(axis=0))
            raise InputError(
                f"Element {first + bad + 1} of the {len(cells)} of kind {kind}, about ({where}) m, is turned inside out"
                " or folded (its Jacobian is not above 0); mend the mesh there, or the order of its nodes."
            )
        yield some, np.linalg.solve(J, np.broadcast_to(slopes, (len(J), *slopes.shape))), size


def structure_of(solid: Solid) -> Structure:
    """Stiffness and consistent mass of a solid, three unknowns a node. Raises InputError naming an element that is
    folded, and when scikit-fem is missing."""
    count = len(solid.nodes)
    unknowns = np.full((count, DIRECTIONS), NONE, dtype=np.int64)
    unknowns[:, :3] = np.arange(3 * count).reshape(-1, 3)
    K, M = (csc_matrix((3 * count, 3 * count)) for _ in range(2))
    for kind, cells in solid.cells.items():
        figures = solid.figures(kind)
        for _ in _gradients(solid, kind, shapes_at(kind, KINDS[kind].places)[1]):
            pass  # folded at a node, where stress is asked for
        positions, weights = _points(kind)
        N, slopes = shapes_at(kind, positions)
        for some, G, size in _gradients(solid, kind, slopes):
            w, n = size * weights, cells.shape[1]
            flat = G.reshape(len(G), len(weights), 3 * n)
            A = (flat * w[:, :, None]).transpose(0, 2, 1) @ flat
            A = A.reshape(-1, 3, n, 3, n)
            stretch, shear = (x[some, None, None, None, None] for x in figures[:2])
            k = stretch * A.transpose(0, 2, 1, 4, 3) + shear * A.transpose(0, 2, 3, 4, 1)
            same = np.einsum("eicjc->eij", A.transpose(0, 2, 1, 4, 3))
            mass = figures[2, some, None, None] * np.einsum("eq,qi,qj->eij", w, N, N, optimize=True)
            m = np.zeros_like(k)
            for c in range(3):
                k[:, :, c, :, c] += shear[..., 0, 0] * same
                m[:, :, c, :, c] = mass
            own = unknowns[cells[some], :3].reshape(len(G), -1)
            at = np.repeat(own, 3 * n, axis=1).ravel(), np.tile(own, (1, 3 * n)).ravel()
            K, M = (X + csc_matrix(coo_matrix((x.ravel(), at), shape=X.shape)) for X, x in ((K, k), (M, m)))
    return Structure(solid.nodes, unknowns, _even(K), _even(M))


def _even(matrix: csc_matrix) -> csc_matrix:
    out = csc_matrix(0.5 * (matrix + matrix.T))
    out.eliminate_zeros()
    return out


def element_stress(solid: Solid, kind: str, moves: Array) -> Array:
    """Stress of each element of a kind at its nodes (elements, nodes, 6, columns) Pa under displacements of all nodes
    (nodes, 3, columns) m: xx, yy, zz, xy, yz, xz, from its own shape functions."""
    cells = solid.cells[kind]
    out = np.empty((*cells.shape, len(COMPONENTS), moves.shape[2]))
    figures = solid.figures(kind)
    _, slopes = shapes_at(kind, KINDS[kind].places)
    for some, G, _ in _gradients(solid, kind, slopes):
        n = cells.shape[1]
        u = moves[cells[some]].reshape(len(G), n, -1)
        H = (G.reshape(len(G), -1, n) @ u).reshape(len(G), n, 3, 3, -1)  # direction, component
        stretch, shear = (x[some, None, None] for x in figures[:2])
        volume = stretch * np.einsum("eqaam->eqm", H)
        for c, (a, b) in enumerate(COMPONENTS):
            out[some, :, c] = shear * (H[:, :, a, b] + H[:, :, b, a])
            if a == b:
                out[some, :, c] += volume
    return out


def geometric_stiffness(solid: Solid, moves: Array, loads: Array) -> Array:
    """int s_ab du_c/dx_a dv_c/dx_b dV (loads, columns, columns) N/m of displacements u, v of all nodes (nodes, 3,
    columns), s the stress under those displacements times loads (columns, loads)."""
    count = moves.shape[2]
    out = np.zeros((loads.shape[1], count, count))
    for kind, cells in solid.cells.items():
        positions, weights = _points(kind)
        figures = solid.figures(kind)
        for some, G, size in _gradients(solid, kind, shapes_at(kind, positions)[1]):
            each = [np.repeat(x[some], len(weights)) for x in figures[:2]]
            u = moves[cells[some]].reshape(len(G), cells.shape[1], -1)
            H = (G.reshape(len(G), -1, cells.shape[1]) @ u).reshape(-1, 3, 3, count)  # direction, component
            w = (size * weights).ravel()
            for k, q in enumerate(loads.T):
                S = _stress(H @ q, *each) * w[:, None, None]
                pulled = (S @ H.reshape(-1, 3, 3 * count)).reshape(-1, count)
                out[k] += H.reshape(-1, count).T @ pulled
    return 0.5 * (out + out.transpose(0, 2, 1))


def _stress(gradient: Array, stretch: Array, shear: Array) -> Array:
    """Stress (n, 3, 3) Pa of displacement gradients."""
    volume = np.trace(gradient, axis1=-2, axis2=-1)[..., None, None]
    stretch, shear = stretch[:, None, None], shear[:, None, None]
    out: Array = stretch * volume * np.eye(3) + shear * (gradient + np.swapaxes(gradient, -1, -2))
    return out


def nodal_stress(solid: Solid, moves: Array) -> Array:
    """Stress at all nodes (nodes, 6, columns) Pa, the mean of their elements; else as `element_stress`.

    Where materials meet, stress jumps: there it is the mean of the elements of the stiffest, which has most of it.
    """
    total = np.zeros((len(solid.nodes), len(COMPONENTS), moves.shape[2]))
    times, stiffest = np.zeros(len(solid.nodes)), np.zeros(len(solid.nodes))
    for kind, cells in solid.cells.items():
        E = np.broadcast_to(solid.figures(kind)[3][:, None], cells.shape)
        np.maximum.at(stiffest, cells, E)
    for kind, cells in solid.cells.items():
        E = solid.figures(kind)[3]
        for first in range(0, len(cells), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            of = {kind: solid.of[kind][part]} if kind in solid.of else {}
            some = replace(solid, cells={kind: cells[part]}, of=of)
            counts = E[part, None] == stiffest[some.cells[kind]]
            stress = element_stress(some, kind, moves)
            np.add.at(total, some.cells[kind], np.where(counts[:, :, None, None], stress, 0.0))
            np.add.at(times, some.cells[kind], counts.astype(np.float64))
    out: Array = total / np.maximum(times, 1.0)[:, None, None]
    return out


def outer_faces(solid: Solid, *, fine: bool = True) -> Integers:
    """The outside as triangles (t, 3) of numbers of nodes, seen from outside: the faces that one element alone has.
    fine: with the middles of edges, else between corners alone."""
    triangles: list[Integers] = []
    corners = max(len(face) for kind in solid.cells for face in KINDS[kind].faces)
    keys, rings = [], []
    for kind, cells in solid.cells.items():
        edges = {frozenset(edge): len(KINDS[kind].corners) + k for k, edge in enumerate(KINDS[kind].edges)}
        for face in KINDS[kind].faces:
            middles = [edges[frozenset((face[k], face[(k + 1) % len(face)]))] for k in range(len(face))]
            key = np.full((len(cells), corners), NONE)
            key[:, : len(face)] = np.sort(cells[:, list(face)], axis=1)
            keys.append(key)
            rings.append((cells[:, list(face)], cells[:, middles]))
    _, first, times = np.unique(np.concatenate(keys), axis=0, return_index=True, return_counts=True)
    alone = np.zeros(sum(map(len, keys)), dtype=bool)
    alone[first[times == 1]] = True
    at = 0
    for at_corners, at_middles in rings:
        outside = alone[at : at + len(at_corners)]
        at += len(at_corners)
        some = at_corners[outside]
        if fine:
            triangles += _cut(some, at_middles[outside])
        else:
            triangles += [some[:, [0, k - 1, k]] for k in range(2, some.shape[1])]
    return np.concatenate(triangles)


def _cut(corners: Integers, middles: Integers) -> Sequence[Integers]:
    """Triangles between the corners (f, 3 or 4) of faces and the middles of their edges."""
    n = corners.shape[1]
    out = [np.stack([middles[:, k - 1], corners[:, k], middles[:, k]], axis=1) for k in range(n)]
    out += [middles[:, [0, k - 1, k]] for k in range(2, n)]
    return out
