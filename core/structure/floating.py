"""A free structure in a floating frame: few modes in mean axes, and the integrals by which they and a large motion
depend on each other.

A point X of the structure moves as x = r + A (X + Phi q + h(q)), the frame at the centre of mass along the axes of the
structure as drawn. The modes Phi are those of the free reduced structure without its six rigid motions, so that at
q = 0 and, as Phi is constant, always: int Phi dm = 0 and, about the place as drawn, int X x Phi dm = 0 (mean axes of
Buckens). h = 1/2 sum q_i q_j H_ij is what points move on top, to second order, because beams keep their length when
they bend; it is chosen to have no part in the rigid motions either. With those,
  T = 1/2 m r'^2 + 1/2 w J(q) w + w . sum q_i q_j' G_ij + 1/2 sum mu_i q_i'^2,
  J(q) = J0 + sum q_i J1_i + sum q_i q_j J2_ij,    G_ij = int phi_i x phi_j dm = -G_ji
(derived here; Schwertassek & Wallrapp 1999 have the same integrals for a frame at any point). Only two things of h are
ever needed: the work of centrifugal forces on it, which is a part of J2, and where it takes the interface frames; both
come of `core.structure.stiffening`. All integrals are sums over mass points, or over nodes with a consistent mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse import block_diag, coo_matrix, csc_matrix, csr_matrix, diags, vstack

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import skew
from .beams import GAUSS, Piece, _bending
from .model import DIRECTIONS, NONE, Structure
from .reduction import FREE, Reduced
from .stiffening import BeamStiffening, Load, Meshed, SolidStiffening, Stiffening

SAME = 1e-6  # relative difference of the mass by points from that of the matrix
LEVI = np.array([np.cross(np.eye(3)[a], np.eye(3)) for a in range(3)]).transpose(2, 0, 1)  # e_c . (e_a x e_b)


@dataclass(frozen=True)
class Cloud:
    """The mass of a structure as integrals are taken of it: places (n, 3) m, mass (n, n) kg between them, moves
    (3 n, unknowns), point by point: how they move."""

    places: Array
    mass: csc_matrix
    moves: csr_matrix

    def joined(self, other: Cloud) -> Cloud:
        """Both together."""
        return Cloud(
            np.vstack([self.places, other.places]),
            csc_matrix(block_diag([self.mass, other.mass])),
            csr_matrix(vstack([self.moves, other.moves])),
        )


def cloud_of_matrices(structure: Structure, moves: csc_matrix | None = None) -> Cloud:
    """Of a structure whose mass matrix is the same along x, y and z and goes with translations alone, as solid
    elements have it; moves (unknowns, others): what its unknowns are in terms of others (see `ties.Tied`).

    Raises InputError for another mass matrix.
    """
    has = np.flatnonzero(np.all(structure.unknowns[:, :3] != NONE, axis=1))
    each = [
        csc_matrix(structure.M[structure.unknowns[has, c]][:, structure.unknowns[has, c]]) for c in range(3)
    ]
    largest = abs(each[0]).max()
    if max(abs(each[c] - each[0]).max() for c in (1, 2)) > 1e-6 * largest:
        raise InputError(
            "The mass matrix differs between x, y and z; a flexible body needs the consistent or lumped mass of solid"
            " elements, without inertia of turning nodes."
        )
    rows = structure.unknowns[has, :3].ravel()
    pick = csr_matrix((np.ones(len(rows)), (np.arange(len(rows)), rows)), shape=(len(rows), structure.size))
    out = pick if moves is None else csr_matrix(pick @ moves)
    return Cloud(structure.nodes[has], each[0], out)


def cloud_of_beams(structure: Structure, pieces: Sequence[Piece]) -> Cloud:
    """Of beams: four mass points about the centre line at each Gauss point, which have the consistent mass and the
    rotary inertia of the section."""
    x = 0.5 * (GAUSS[0] + 1.0)
    positions: list[Array] = []
    weights, rows, columns, values = [], [], [], []
    for piece in pieces:
        line, L, s = _centre_line(piece), piece.length, piece.section
        own = structure.unknowns[list(piece.ends)].ravel()
        a, b = np.sqrt(2.0 * s.Iz / s.area), np.sqrt(2.0 * s.Iy / s.area)
        for g, weight in enumerate(0.5 * L * GAUSS[1] * piece.material.density * s.area):
            for y, z in ((a, 0.0), (-a, 0.0), (0.0, b), (0.0, -b)):
                arm = np.array([0.0, y, z])
                shape = piece.axes @ (line[g, :3] - skew(arm) @ line[g, 3:]) @ piece.moves
                first = 3 * len(positions)
                rows.append(np.repeat(np.arange(first, first + 3), len(own)))
                columns.append(np.tile(own, 3))
                values.append(shape.ravel())
                positions.append(piece.start + piece.axes @ (np.array([L * x[g], y, z])))
                weights.append(0.25 * weight)
    index = np.concatenate(rows), np.concatenate(columns)
    moves = coo_matrix((np.concatenate(values), index), shape=(3 * len(positions), structure.size))
    return Cloud(np.array(positions), csc_matrix(diags(weights)), csr_matrix(moves))


def _centre_line(piece: Piece) -> Array:
    """Translation and turn of the section at the Gauss points (points, 6, 12) from those of its ends, in its axes."""
    x, s, m = 0.5 * (GAUSS[0] + 1.0), piece.section, piece.material
    out = np.zeros((len(x), 6, 12))
    for row in (0, 3):
        out[:, row, row], out[:, row, row + 6] = 1.0 - x, x
    w, t, _ = _bending(m.E * s.Iz, m.G * s.shear_y, piece.length)
    for k, slot in enumerate((1, 5, 7, 11)):
        out[:, 1, slot], out[:, 5, slot] = w[k], t[k]
    w, t, _ = _bending(m.E * s.Iy, m.G * s.shear_z, piece.length)
    for k, (slot, sign) in enumerate(zip((2, 4, 8, 10), (1.0, -1.0, 1.0, -1.0), strict=True)):
        out[:, 2, slot], out[:, 4, slot] = sign * w[k], -sign * t[k]
    return out


def cloud_of_body(structure: Structure, node: int, mass: float, inertia: Array, arm: ArrayLike) -> Cloud:
    """Of a rigid body (kg, tensor (3, 3) kg m^2 about its centre in the axes of the structure) fixed to a node, its
    centre an arm (3,) m from there: six mass points on its axes. A negative mass takes away."""
    if mass == 0.0:
        return Cloud(np.zeros((0, 3)), csc_matrix((0, 0)), csr_matrix((0, structure.size)))
    second = (0.5 * np.trace(inertia) * np.eye(3) - inertia) / mass
    size, axes = np.linalg.eigh(second)
    reach = np.sqrt(3.0 * np.maximum(size, 0.0))
    arms = np.asarray(arm) + np.vstack([(axes * reach).T, -(axes * reach).T])
    own = structure.unknowns[node]
    moves = np.zeros((18, structure.size))
    for k, one in enumerate(arms):
        moves[3 * k : 3 * k + 3, own] = np.hstack([np.eye(3), -skew(one)])
    return Cloud(structure.nodes[node] + arms, csc_matrix(mass / 6.0 * np.eye(6)), csr_matrix(moves))


@dataclass(frozen=True)
class Interface:
    """An interface frame: place (3,) m from the centre of mass; U, R (3, modes): how it moves and turns with the modal
    coordinates; H (6, modes, modes): what these add to second order, 1/2 q H q."""

    place: Array
    U: Array
    R: Array
    H: Array


@dataclass(frozen=True)
class Floating:
    """A flexible body: mass kg; centre (3,) m; J0 (3, 3), J1 (modes, 3, 3), J2 (modes, modes, 3, 3) and G (modes,
    modes, 3) as in the module's docstring; inertia mu and stiffness (modes,) of the modal coordinates, which are the
    largest displacement of a mass point in m; shapes (unknowns, modes) of the structure; centrifugal (modes, modes, 3,
    3): the part of J2 that the second-order displacement has, None without one."""

    mass: float
    centre: Array
    J0: Array
    J1: Array
    J2: Array
    G: Array
    inertia: Array
    stiffness: Array
    shapes: Array
    interfaces: dict[str, Interface] = field(default_factory=dict)
    centrifugal: Array | None = None

    @property
    def speeds(self) -> Array:
        """rad/s of the free modes, rising."""
        out: Array = np.sqrt(self.stiffness / self.inertia)
        return out

    def with_held(self, name: str) -> Array:
        """Motion of the frame and modal coordinates (6 + modes, modes) by these, with an interface held."""
        at, n = self.interfaces[name], len(self.inertia)
        rigid = -np.linalg.solve(_levers(at.place), np.vstack([at.U, at.R]))
        return np.vstack([rigid, np.eye(n)])

    def held_under_loads(self, loaded: str, clamped: str) -> Array:
        """Modal coordinates (modes, 6) under unit forces and moments at one interface with another one clamped."""
        at = self.interfaces[loaded]
        moves = np.hstack([_levers(at.place), np.vstack([at.U, at.R])])
        out: Array = (moves @ self.with_held(clamped)).T / self.stiffness[:, None]
        return out

    def held(self, name: str) -> tuple[Array, Array, Array]:
        """Modes with an interface held: speeds rad/s (modes,), shapes (modes, modes) in the modal coordinates, of mass
        1, and the mass matrix that belongs to these."""
        T = self.with_held(name)
        M = T.T @ self.block @ T
        try:
            values, shapes = eigh(np.diag(self.stiffness), M)
        except np.linalg.LinAlgError:
            raise InputError(
                f"With '{name}' held, no mass is left in a mode: the masses and shapes of its modes do not belong"
                " together; import or reduce it again."
            ) from None
        return np.sqrt(values), shapes, M

    def damping_held(self, name: str, ratio: float) -> Array:
        """Damping (modes, modes) of the modal coordinates by which every mode with an interface held has a share of
        critical damping; rigid motions have none."""
        speeds, shapes, M = self.held(name)
        out: Array = M @ (shapes * (2.0 * ratio * speeds)) @ shapes.T @ M
        return 0.5 * (out + out.T)

    @property
    def block(self) -> Array:
        """Mass (6 + modes, 6 + modes) over translation, rotation and modal coordinates as drawn."""
        n = len(self.inertia)
        out = np.zeros((6 + n, 6 + n))
        out[:3, :3] = self.mass * np.eye(3)
        out[3:6, 3:6] = self.J0
        out[6:, 6:] = np.diag(self.inertia)
        return out


def _levers(position: Array) -> Array:
    """How a position (3,) m moves and turns with the frame (6, 6)."""
    out = np.eye(DIRECTIONS)
    out[:3, 3:] = -skew(position)
    return out


def floating(
    reduced: Reduced,
    cloud: Cloud,
    *,
    pieces: Sequence[Piece] = (),
    mesh: Meshed | None = None,
    highest: float | None = None,
    nodes: Mapping[str, int] | None = None,
) -> Floating:
    """A reduced structure as a flexible body, with an interface frame for each of its frames or of `nodes`.

    cloud: its mass, all of it; pieces or mesh: the beams or solids it is made of, for what comes of bending without
    stretching (second order); without them there is nothing of it. highest (rad/s): modes above are left out; a mesh
    needs all of them, reduced with its centrifugal corrections. Raises InputError when the structure is held
    somewhere, can move within itself, or has no mass somewhere.
    """
    s = reduced.structure
    moved = csr_matrix(cloud.moves @ reduced.basis)
    M = _times(cloud.mass, moved.toarray())
    try:
        values, small = eigh(reduced.K, 0.5 * (M + M.T))
    except np.linalg.LinAlgError:
        where = s.max_moved(reduced.basis @ eigh(0.5 * (M + M.T))[1][:, 0])
        raise InputError(
            f"The structure has no mass left {where}: the bodies at its interfaces weigh more than what moves with"
            " them; make them lighter, or say that they are not part of the structure's own mass."
        ) from None
    if len(values) <= DIRECTIONS:
        raise InputError(
            "Nothing of the structure has mass and moves against its interfaces; it needs no flexible body, take a"
            " rigid one."
        )
    first = float(values[6])
    rigid = int(np.count_nonzero(values < FREE * first))
    if rigid != DIRECTIONS or np.abs(values[:6]).max() > 1e-4 * first:
        where = s.max_moved(reduced.basis @ small[:, 6])
        raise InputError(
            "The structure is held somewhere or can all but move within itself; a flexible body is free and in one"
            f" piece, and held by joints at its interfaces. Its softest motion is {where}; look for a"
            " hinge or a soft section there."
        )
    kept = np.arange(6, len(values))
    if highest is not None:
        kept = kept[: max(1, int(np.count_nonzero(values[kept] <= highest**2)))]
    modes = _clean(small[:, kept], small[:, :6], M)
    phi = (moved @ modes).reshape(-1, 3, len(kept))
    size = np.sqrt((phi**2).sum(axis=1).max(axis=0))
    modes, phi = modes / size, phi / size
    made = _integrals(reduced.basis @ modes, cloud, phi, 1.0 / size**2, values[kept] / size**2)
    stiffening: Stiffening | None = None
    if len(pieces):
        stiffening = BeamStiffening(s, pieces, cloud, made.shapes)
    elif mesh is not None:
        stiffening = SolidStiffening(mesh, cloud, made, phi)
    at = nodes or {name: s.frames[name] for name in reduced.frames}
    return _with_second_order(made, s, cloud, at, stiffening)


def _clean(modes: Array, rigid: Array, M: Array) -> Array:
    """Modes with the last digits of rigid motions taken out."""
    out: Array = modes - rigid @ (rigid.T @ (M @ modes))
    return out


def _times(mass: csc_matrix, moved: Array) -> Array:
    """Mass matrix of columns of displacements, point by point (3 n, columns)."""
    each = moved.reshape(-1, 3, moved.shape[1])
    return np.asarray(sum(each[:, c].T @ (mass @ each[:, c]) for c in range(3)))


def _integrals(shapes: Array, cloud: Cloud, phi: Array, inertia: Array, stiffness: Array) -> Floating:
    """What does not depend on the second-order displacement, without interfaces."""
    weight = np.asarray(cloud.mass.sum(axis=0)).ravel()
    mass = float(weight.sum())
    centre = weight @ cloud.places / mass
    X = cloud.places - centre
    second = X.T @ (cloud.mass @ X)
    heavy = (cloud.mass @ phi.reshape(len(X), -1)).reshape(phi.shape)
    one = np.einsum("xa,xbi->iab", X, heavy)
    two = np.einsum("xai,xbj->ijab", phi, heavy, optimize=True)
    J1 = 2.0 * _tensor(0.5 * (one + one.transpose(0, 2, 1)))
    J2 = _tensor(0.5 * (two + two.transpose(0, 1, 3, 2)))
    J2 = 0.5 * (J2 + J2.transpose(1, 0, 2, 3))
    G = np.einsum("cab,ijab->ijc", LEVI, two)
    G = 0.5 * (G - G.transpose(1, 0, 2))
    return Floating(mass, centre, _tensor(second), J1, J2, G, inertia, stiffness, shapes)


def _tensor(second: Array) -> Array:
    """Inertia tensors (..., 3, 3) of second moments."""
    out: Array = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - second
    return out


def _with_second_order(
    made: Floating, s: Structure, cloud: Cloud, nodes: Mapping[str, int], stiffening: Stiffening | None
) -> Floating:
    """The body with its interfaces, and what the second-order displacement does."""
    n = len(made.inertia)
    H = np.zeros((len(nodes), DIRECTIONS, n, n))
    centrifugal = None
    if stiffening is not None:
        pairs, loads = _centrifugal(cloud, cloud.places - made.centre)
        loads += [Load(node=node, direction=c) for node in nodes.values() for c in range(DIRECTIONS)]
        found = -stiffening.under(loads)
        H = found[len(pairs) :].reshape(H.shape)
        centrifugal = np.zeros((n, n, 3, 3))
        for (a, b), one in zip(pairs, found, strict=False):
            centrifugal[:, :, a, b] = centrifugal[:, :, b, a] = one
    at = {
        name: Interface(s.nodes[node] - made.centre, made.shapes[own[:3]], made.shapes[own[3:]], H[k])
        for k, (name, node) in enumerate(nodes.items())
        for own in [s.unknowns[node]]
    }
    J2 = made.J2 if centrifugal is None else made.J2 + centrifugal
    return replace(made, J2=J2, interfaces=at, centrifugal=centrifugal)


def _centrifugal(cloud: Cloud, X: Array) -> tuple[list[tuple[int, int]], list[Load]]:
    """Centrifugal forces w^2 X - w (w . X) of the mass by the pairs (a, b) of w_a w_b."""
    pairs = [(a, b) for a in range(3) for b in range(a, 3)]
    loads = []
    for a, b in pairs:
        f = (a == b) * X - 0.5 * (np.outer(X[:, b], np.eye(3)[a]) + np.outer(X[:, a], np.eye(3)[b]))
        loads.append(Load(forces=cloud.mass @ f))
    return pairs, loads
