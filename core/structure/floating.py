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
ever needed: the work of centrifugal forces on it, which is a part of J2, and where it takes the interface frames. The
work of a load on H_ij is minus the geometric stiffness of the stress that the load makes, with the structure free and
in balance by its inertia. All integrals are sums over mass points, or over nodes with a consistent mass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse import block_diag, coo_matrix, csc_matrix, csr_matrix, diags, vstack

from ridewright.core.base.errors import InputError
from ridewright.core.base.frames import skew
from ridewright.core.structure.beams import GAUSS, Piece, _bending
from ridewright.core.structure.model import DIRECTIONS, NONE, Array, Structure
from ridewright.core.structure.reduction import FREE, Reduced, factor, with_held

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
    places: list[Array] = []
    weights, rows, columns, values = [], [], [], []
    for piece in pieces:
        line, L, s = _centre_line(piece), piece.length, piece.section
        own = structure.unknowns[list(piece.ends)].ravel()
        a, b = np.sqrt(2.0 * s.Iz / s.area), np.sqrt(2.0 * s.Iy / s.area)
        for g, weight in enumerate(0.5 * L * GAUSS[1] * piece.material.density * s.area):
            for y, z in ((a, 0.0), (-a, 0.0), (0.0, b), (0.0, -b)):
                arm = np.array([0.0, y, z])
                shape = piece.axes @ (line[g, :3] - skew(arm) @ line[g, 3:]) @ piece.moves
                first = 3 * len(places)
                rows.append(np.repeat(np.arange(first, first + 3), len(own)))
                columns.append(np.tile(own, 3))
                values.append(shape.ravel())
                places.append(piece.start + piece.axes @ (np.array([L * x[g], y, z])))
                weights.append(0.25 * weight)
    index = np.concatenate(rows), np.concatenate(columns)
    moves = coo_matrix((np.concatenate(values), index), shape=(3 * len(places), structure.size))
    return Cloud(np.array(places), csc_matrix(diags(weights)), csr_matrix(moves))


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
    largest displacement of a mass point in m; shapes (unknowns, modes) of the structure."""

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

    @property
    def speeds(self) -> Array:
        """rad/s of the free modes, rising."""
        out: Array = np.sqrt(self.stiffness / self.inertia)
        return out

    def held(self, name: str) -> tuple[Array, Array, Array]:
        """Modes with an interface held: speeds rad/s (modes,), shapes (modes, modes) in the modal coordinates, of mass
        1, and the mass matrix that belongs to these."""
        at, n = self.interfaces[name], len(self.inertia)
        moves = np.zeros((DIRECTIONS, DIRECTIONS + n))
        moves[:, :DIRECTIONS] = np.eye(DIRECTIONS)
        moves[:3, 3:6], moves[:3, DIRECTIONS:], moves[3:, DIRECTIONS:] = -skew(at.place), at.U, at.R
        rigid = -np.linalg.solve(moves[:, :DIRECTIONS], moves[:, DIRECTIONS:])
        T = np.vstack([rigid, np.eye(n)])
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


def floating(
    reduced: Reduced,
    cloud: Cloud,
    *,
    pieces: Sequence[Piece] = (),
    highest: float | None = None,
    nodes: Mapping[str, int] | None = None,
) -> Floating:
    """A reduced structure as a flexible body, with an interface frame for each of its frames or of `nodes`.

    cloud: its mass, all of it; pieces: the beams it is made of, for what comes of bending without stretching (second
    order); without them there is nothing of it. highest (rad/s): modes above are left out. Raises InputError when the
    structure is held somewhere, can move within itself, or has no mass somewhere.
    """
    s = reduced.structure
    moved = csr_matrix(cloud.moves @ reduced.basis)
    M = _times(cloud.mass, moved.toarray())
    try:
        values, small = eigh(reduced.K, 0.5 * (M + M.T))
    except np.linalg.LinAlgError:
        where = s.most_moved(reduced.basis @ eigh(0.5 * (M + M.T))[1][:, 0])
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
        where = s.most_moved(reduced.basis @ small[:, 6])
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
    inertia, stiffness = 1.0 / size**2, values[kept] / size**2
    return _integrals(s, reduced.basis @ modes, cloud, phi, inertia, stiffness, pieces, nodes or {
        name: s.frames[name] for name in reduced.frames
    })  # fmt: skip


def _clean(modes: Array, rigid: Array, M: Array) -> Array:
    """Modes with the last digits of rigid motions taken out."""
    out: Array = modes - rigid @ (rigid.T @ (M @ modes))
    return out


def _times(mass: csc_matrix, moved: Array) -> Array:
    """Mass matrix of columns of displacements, point by point (3 n, columns)."""
    each = moved.reshape(-1, 3, moved.shape[1])
    return np.asarray(sum(each[:, c].T @ (mass @ each[:, c]) for c in range(3)))


def _integrals(
    s: Structure,
    shapes: Array,
    cloud: Cloud,
    phi: Array,
    inertia: Array,
    stiffness: Array,
    pieces: Sequence[Piece],
    nodes: Mapping[str, int],
) -> Floating:
    weight = np.asarray(cloud.mass.sum(axis=0)).ravel()
    mass = float(weight.sum())
    centre = weight @ cloud.places / mass
    X = cloud.places - centre
    second = X.T @ (cloud.mass @ X)
    n = phi.shape[2]
    heavy = (cloud.mass @ phi.reshape(len(X), -1)).reshape(phi.shape)
    one = np.einsum("xa,xbi->iab", X, heavy)
    two = np.einsum("xai,xbj->ijab", phi, heavy, optimize=True)
    J1 = 2.0 * _tensor(0.5 * (one + one.transpose(0, 2, 1)))
    J2 = _tensor(0.5 * (two + two.transpose(0, 1, 3, 2)))
    J2 = 0.5 * (J2 + J2.transpose(1, 0, 2, 3))
    G = np.einsum("cab,ijab->ijc", LEVI, two)
    stiffening = Stiffening(s, pieces, cloud, shapes) if len(pieces) else None
    if stiffening is not None:
        J2 += _centrifugal(stiffening, cloud, X)
    interfaces = {}
    for name, node in nodes.items():
        own = s.unknowns[node]
        H = np.zeros((DIRECTIONS, n, n))
        if stiffening is not None:
            for c in range(DIRECTIONS):
                load = np.zeros(s.size)
                load[own[c]] = 1.0
                H[c] = -stiffening.under(load)
        interfaces[name] = Interface(s.nodes[node] - centre, shapes[own[:3]], shapes[own[3:]], H)
    return Floating(
        mass,
        centre,
        _tensor(second),
        J1,
        J2,
        0.5 * (G - G.transpose(1, 0, 2)),
        inertia,
        stiffness,
        shapes,
        interfaces,
    )


def _tensor(second: Array) -> Array:
    """Inertia tensors (..., 3, 3) of second moments."""
    out: Array = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - second
    return out


def _centrifugal(stiffening: Stiffening, cloud: Cloud, X: Array) -> Array:
    """The part of J2 that comes of the second-order displacement: minus the geometric stiffness of centrifugal forces
    w^2 X - w (w . X) of unit mass."""
    n = stiffening.modes
    out = np.zeros((n, n, 3, 3))
    for a in range(3):
        for b in range(a, 3):
            f = (a == b) * X - 0.5 * (np.outer(X[:, b], np.eye(3)[a]) + np.outer(X[:, a], np.eye(3)[b]))
            load = cloud.moves.T @ (cloud.mass @ f).ravel()
            out[:, :, a, b] = out[:, :, b, a] = -stiffening.under(load)
    return out


class Stiffening:
    """Geometric stiffness of beams between modes, of the tension that loads make in the free structure."""

    def __init__(self, s: Structure, pieces: Sequence[Piece], cloud: Cloud, shapes: Array) -> None:
        self.s, self.pieces, self.modes = s, pieces, shapes.shape[1]
        self.R = s.rigid_motions()
        rigid = np.asarray(cloud.moves @ self.R).reshape(-1, 3 * DIRECTIONS)
        self.inertia = cloud.moves.T @ (cloud.mass @ rigid).reshape(-1, DIRECTIONS)
        loose = s.loose_turns()
        inside = np.unique(np.concatenate([piece.ends for piece in pieces]))
        firm = [node for node in inside if not loose[s.unknowns[node]].nnz]
        held = s.unknowns[firm[0] if firm else inside[0]]
        self.free = np.setdiff1d(np.arange(s.size), held)
        self.factor = factor(with_held(csc_matrix(s.K[self.free][:, self.free]), loose[self.free]))
        self.own = [s.unknowns[list(piece.ends)].ravel() for piece in pieces]
        self.each = np.array(
            [
                ends.T @ piece.N @ ends
                for piece, own in zip(pieces, self.own, strict=True)
                for ends in [piece.moves @ shapes[own]]
            ]
        )

    def under(self, load: Array) -> Array:
        """(modes, modes) N/m, or with turns, of a load (unknowns,) and the inertia forces that balance it."""
        rigid = np.linalg.solve(self.R.T @ self.inertia, self.R.T @ load)
        q = np.zeros(self.s.size)
        q[self.free] = self.factor.solve((load - self.inertia @ rigid)[self.free])
        out = np.zeros((self.modes, self.modes))
        for piece, own, each in zip(self.pieces, self.own, self.each, strict=True):
            ends = piece.moves @ q[own]
            out += piece.material.E * piece.section.area / piece.length * (ends[6] - ends[0]) * each
        return out
