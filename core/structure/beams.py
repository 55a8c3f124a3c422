"""Frames of straight Timoshenko beams: stiffness, consistent mass, geometric stiffness, loads inside.

An element has the shapes that an unloaded beam really takes, so that its stiffness is exact; with
phi = 12 E I / (k G A L^2) they are cubic in the deflection and quadratic in the turn of the section, whose difference,
the shear, is constant (derived here; Przemieniecki 1968, section 5.6, has the same stiffness). Mass and geometric
stiffness are integrals of these shapes by Gauss points, exact for the polynomials.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array
from ..base.errors import InputError
from .model import DIRECTIONS, Structure
from .sections import MILD_STEEL, Material, Section

GAUSS = np.polynomial.legendre.leggauss(4)  # exact to degree 7


@dataclass(frozen=True)
class Beam:
    """A beam between two nodes. up: direction near the section's z; offset_i, offset_j: from node to the end of the
    beam, m; hinges_i, hinges_j: which of x, y, z (in the beam's axes) turn there, and which of u, v, w slide along
    these, freely or against a spring of stiffness spring_i, spring_j, N m/rad or N/m; elements: how many make it up."""

    start: str
    end: str
    section: Section
    material: Material = MILD_STEEL
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    offset_i: tuple[float, float, float] = (0.0, 0.0, 0.0)
    offset_j: tuple[float, float, float] = (0.0, 0.0, 0.0)
    hinges_i: str = ""
    hinges_j: str = ""
    spring_i: float = 0.0
    spring_j: float = 0.0
    elements: int = 4


@dataclass(frozen=True)
class Spring:
    """Stiffness (6,) N/m and N m/rad along and about x, y, z half-way between two nodes, or between a node and the
    ground (end None)."""

    start: str
    end: str | None
    stiffness: tuple[float, float, float, float, float, float]


POINTS = 0.5 * (GAUSS[0] + 1.0)  # of an element's length


def _bending(
    E_I: Array | float, shear: Array | float, length: Array | float, x: Array = POINTS
) -> tuple[Array, Array, Array]:
    """Shapes at places x (points,) of the length (..., 4, points): deflection w, turn t = w' - shear strain, and w'; in
    (w0, t0, w1, t1)."""
    L = np.asarray(length, dtype=np.float64)[..., None]
    phi = (12.0 * np.asarray(E_I) / (np.asarray(shear) * np.asarray(length) ** 2))[..., None]
    d = 1.0 + phi
    w = _rows(
        1.0 - 3.0 * x**2 + 2.0 * x**3 + phi * (1.0 - x), L * (x - 2.0 * x**2 + x**3 + 0.5 * phi * (x - x**2)),
        3.0 * x**2 - 2.0 * x**3 + phi * x, L * (x**3 - x**2 + 0.5 * phi * (x**2 - x)),
    )  # fmt: skip
    t = _rows(
        6.0 * (x**2 - x) / L, 1.0 - 4.0 * x + 3.0 * x**2 + phi * (1.0 - x),
        6.0 * (x - x**2) / L, 3.0 * x**2 - 2.0 * x + phi * x,
    )  # fmt: skip
    slope = _rows(
        (6.0 * (x**2 - x) - phi) / L, 1.0 - 4.0 * x + 3.0 * x**2 + 0.5 * phi * (1.0 - 2.0 * x),
        (6.0 * (x - x**2) + phi) / L, 3.0 * x**2 - 2.0 * x + 0.5 * phi * (2.0 * x - 1.0),
    )  # fmt: skip
    return w / d[..., None], t / d[..., None], slope / d[..., None]


def _rows(*rows: Array) -> Array:
    return np.stack(np.broadcast_arrays(*rows), axis=-2)


def _curvature(E_I: Array, shear: Array, length: Array) -> Array:
    """Rate of the turn along beams (n,) at the Gauss points (n, 4, points)."""
    L, x = length[..., None], POINTS
    phi = (12.0 * E_I / (shear * length**2))[..., None]
    rate = _rows(
        6.0 * (2.0 * x - 1.0), L * (-4.0 + 6.0 * x - phi), 6.0 * (1.0 - 2.0 * x), L * (6.0 * x - 2.0 + phi)
    )
    out: Array = rate / (L**2 * (1.0 + phi))[..., None]
    return out


#: Slots of an element (ux uy uz rx ry rz at both ends) for bending with deflection along y and z, and their signs.
_PLANES = ((np.array([1, 5, 7, 11]), np.ones(4)), (np.array([2, 4, 8, 10]), np.array([1.0, -1.0, 1.0, -1.0])))


def element(section: Section, material: Material, length: float) -> tuple[Array, Array, Array]:
    """Stiffness, mass and geometric stiffness per newton of tension of an element, each (12, 12), in its own axes."""
    K, M, N = elements((section,), (material,), np.array([length]))
    return K[0], M[0], N[0]


def elements(
    sections: Sequence[Section], materials: Sequence[Material], length: Array
) -> tuple[Array, Array, Array]:
    """The same of n elements at once, each (n, 12, 12); length (n,) m."""

    def of(parts: Sequence[Section] | Sequence[Material], name: str) -> Array:
        return np.array([getattr(one, name) for one in parts], dtype=np.float64)

    E, G, density, area = (
        of(materials, "E"),
        of(materials, "G"),
        of(materials, "density"),
        of(sections, "area"),
    )
    Iy, Iz = of(sections, "Iy"), of(sections, "Iz")
    K, M, N = (np.zeros((len(length), 12, 12)) for _ in range(3))
    weight = 0.5 * length[:, None, None] * GAUSS[1]
    ends = np.array([1.0 - POINTS, POINTS])
    for slots, stiff, mass in (
        (np.array([0, 6]), E * area, density * area),
        (np.array([3, 9]), G * of(sections, "torsion"), density * (Iy + Iz)),
    ):
        at = np.ix_(np.arange(len(length)), slots, slots)
        K[at] = (stiff / length)[:, None, None] * np.array([[1.0, -1.0], [-1.0, 1.0]])
        M[at] = mass[:, None, None] * ((ends * weight) @ ends.T)
    for (bent, signs), moment, shear_area in zip(
        _PLANES, (Iz, Iy), (of(sections, "shear_y"), of(sections, "shear_z")), strict=True
    ):
        E_I, shear = E * moment, G * shear_area
        w, t, slope = _bending(E_I, shear, length)
        k, strain = _curvature(E_I, shear, length), slope - t
        at, both = np.ix_(np.arange(len(length)), bent, bent), np.outer(signs, signs)

        def over(shape: Array, factor: Array | float) -> Array:
            out: Array = np.reshape(factor, (-1, 1, 1)) * ((shape * weight) @ np.swapaxes(shape, 1, 2))
            return out

        K[at] = both * (over(k, E_I) + over(strain, shear))
        M[at] = both * (over(w, density * area) + over(t, density * moment))
        N[at] = both * over(slope, 1.0)
    return K, M, N


def shapes(E_I: Array, shear: Array, length: Array, x: Array) -> Array:
    """Displacement and turn (n, 6, 12) at places x (n,), 0 to 1 of the length, of n beams that nothing loads between
    their ends, for each move of these; in the beam's axes. E_I (n, 2) N m^2 about y and z, shear (n, 2) N: G times the
    shear areas along z and y, length (n,) m."""
    out = np.zeros((len(x), 6, 12))
    for at, ends in ((0, (0, 6)), (3, (3, 9))):
        out[:, at, ends[0]], out[:, at, ends[1]] = 1.0 - x, x
    for (slots, signs), way, deflection, turn in zip(_PLANES, (1, 0), (1, 2), (5, 4), strict=True):
        w, t, _ = _bending(E_I[:, way], shear[:, way], length, x[:, None])
        out[:, deflection, slots] = signs * w[..., 0]
        out[:, turn, slots] = signs[1] * signs * t[..., 0]
    return out


def axes_of(along: Array, up: Sequence[float]) -> Array:
    """Axes (3, 3; columns x along the beam, y, z near `up`) of a beam. Raises ValueError when up is along it."""
    x0, x1, x2 = (along / np.linalg.norm(along)).tolist()
    u0, u1, u2 = map(float, up)
    y0, y1, y2 = u1 * x2 - u2 * x1, u2 * x0 - u0 * x2, u0 * x1 - u1 * x0
    size = math.hypot(y0, y1, y2)
    if size <= 1e-6 * math.hypot(u0, u1, u2):
        raise ValueError("up is along the beam, or no direction")
    y0, y1, y2 = y0 / size, y1 / size, y2 / size
    return np.array([[x0, y0, x1 * y2 - x2 * y1], [x1, y1, x2 * y0 - x0 * y2], [x2, y2, x0 * y1 - x1 * y0]])


def frame(
    nodes: Mapping[str, tuple[float, float, float]],
    beams: Sequence[Beam],
    springs: Sequence[Spring] = (),
    tension: Sequence[float] | None = None,
) -> Structure:
    """A structure of beams whose named nodes are its frames.

    Parameters
    ----------
    nodes
        m, by name.
    beams
        From node to node.
    springs
        Between nodes or to the ground.
    tension
        N, of each beam: adds geometric stiffness.

    Returns
    -------
    The structure.

    Raises
    ------
    InputError
        For nodes that are not there, beams without length or direction, and beams without elements.
    """
    return assembled(*lay_out(nodes, beams), springs, tension)


def assembled(
    names: list[str],
    positions: Array,
    pieces: Sequence[Piece],
    springs: Sequence[Spring] = (),
    tension: Sequence[float] | None = None,
) -> Structure:
    """`frame` of what `lay_out` has made of nodes and beams."""
    numbers = {name: k for k, name in enumerate(names)}
    unknowns = np.arange(DIRECTIONS * len(positions)).reshape(-1, DIRECTIONS)
    moves, K, M, N, sprung = (
        np.array([getattr(piece, name) for piece in pieces]).reshape(-1, 12, 12)
        for name in ("moves", "K", "M", "N", "springs")
    )
    pull = np.array([0.0 if tension is None else tension[piece.beam] for piece in pieces])
    back = np.swapaxes(moves, 1, 2)
    at = unknowns[np.array([piece.ends for piece in pieces], dtype=np.int64).reshape(-1, 2)].reshape(-1, 12)
    stiff = back @ (K + pull[:, None, None] * N) @ moves + sprung
    parts = [(at, stiff, back @ M @ moves)]
    for spring in springs:
        i, j = (_number(numbers, one) for one in (spring.start, spring.end or spring.start))
        S = np.diag(spring.stiffness)
        if spring.end is None:
            parts.append((unknowns[[i]], S[None], np.zeros((1, 6, 6))))
        else:
            # Moves of both ends at the middle: turning as a whole, the spring is not strained.
            lever = np.cross(np.eye(3), 0.5 * (positions[j] - positions[i]))
            apart = np.hstack([-np.eye(6), np.eye(6)])
            apart[:3, 3:6] = apart[:3, 9:] = lever
            own = unknowns[[i, j]].reshape(1, 12)
            parts.append((own, (apart.T @ S @ apart)[None], np.zeros((1, 12, 12))))
    rows = np.concatenate([np.repeat(own, own.shape[1], axis=1).ravel() for own, _, _ in parts])
    columns = np.concatenate([np.tile(own, (1, own.shape[1])).ravel() for own, _, _ in parts])
    K_all, M_all = (
        csc_matrix(
            coo_matrix(
                (np.concatenate([part[k].ravel() for part in parts]), (rows, columns)),
                shape=(unknowns.size, unknowns.size),
            )
        )
        for k in (1, 2)
    )
    return Structure(positions, unknowns, K_all, M_all, {name: k for k, name in enumerate(names)})


@dataclass(frozen=True)
class Piece:
    """One element of a beam. beam: its number; ends: its nodes; start (3,) m and axes (3, 3; columns): of its centre
    line; moves (12, 12): from the unknowns of its nodes to those of its ends, in its axes; K, M, N: as `element`;
    springs (12, 12): stiffness of the springs in its hinges, in the unknowns of its nodes."""

    beam: int
    ends: tuple[int, ...]
    start: Array
    axes: Array
    length: float
    section: Section
    material: Material
    moves: Array
    K: Array
    M: Array
    N: Array
    springs: Array


def lay_out(
    nodes: Mapping[str, tuple[float, float, float]], beams: Sequence[Beam]
) -> tuple[list[str], Array, list[Piece]]:
    """The finite elements of beams.

    Parameters
    ----------
    nodes
        m, by name.
    beams
        From node to node.

    Returns
    -------
    The names of the nodes, all positions (nodes and those between elements, m) and the elements.

    Raises
    ------
    InputError
        As `frame`.
    """
    names = list(nodes)
    numbers = {name: k for k, name in enumerate(names)}
    positions = [np.asarray(nodes[name], dtype=np.float64) for name in names]
    laid: list[_Laid] = []
    for k, beam in enumerate(beams):
        i, j = (_number(numbers, node) for node in (beam.start, beam.end))
        laid += _add_beam(k, beam, i, j, positions)
    if not laid:
        return names, np.array(positions), []
    own = [beams[one.beam] for one in laid]
    made = elements(
        [one.section for one in own], [one.material for one in own], np.array([one.length for one in laid])
    )
    turn, moves = np.zeros((len(laid), 12, 12)), _arms(laid)
    axes = np.array([one.axes for one in laid])
    for k in range(0, 12, 3):
        turn[:, k : k + 3, k : k + 3] = np.swapaxes(axes, 1, 2)
    moves = turn @ moves
    pieces = [_piece(one, beam, *parts) for one, beam, *parts in zip(laid, own, moves, *made, strict=True)]
    return names, np.array(positions), pieces


@dataclass(frozen=True)
class Line:
    """Where an element of a beam lies: number of the beam, start (3,) m, axes (3, 3; columns), length m, section."""

    beam: int
    start: Array
    axes: Array
    length: float
    section: Section


def lines(nodes: Mapping[str, tuple[float, float, float]], beams: Sequence[Beam]) -> list[Line]:
    """Where the elements of beams lie that can be laid out (see `lay_out`), without their matrices."""
    found = []
    for k, beam in enumerate(beams):
        a, b = (
            np.add(nodes[node], arm) for node, arm in ((beam.start, beam.offset_i), (beam.end, beam.offset_j))
        )
        axes, step = axes_of(b - a, beam.up), float(np.linalg.norm(b - a)) / beam.elements
        found += [
            Line(k, a + (b - a) * i / beam.elements, axes, step, beam.section) for i in range(beam.elements)
        ]
    return found


class _Laid(NamedTuple):
    """Where an element lies: as `Piece`, its offsets (m), and stiffness (N m/rad) of the springs in its hinges by their
    slots."""

    beam: int
    ends: tuple[int, int]
    start: Array
    axes: Array
    length: float
    offsets: tuple[tuple[float, float, float], tuple[float, float, float]]
    free: Mapping[int, float]


NOWHERE = (0.0, 0.0, 0.0)
SLOTS = "uvwxyz"  # of an end


def _number(numbers: Mapping[str, int], name: str) -> int:
    if name not in numbers:
        raise InputError(
            f"A beam or spring ends at node '{name}', which is not there; add it or choose another."
        )
    return numbers[name]


def _add_beam(number: int, beam: Beam, i: int, j: int, positions: list[Array]) -> list[_Laid]:
    """The elements of a beam; adds the nodes between them to the positions."""
    a, b = positions[i] + np.array(beam.offset_i), positions[j] + np.array(beam.offset_j)
    length = float(np.linalg.norm(b - a))
    if beam.elements < 1 or length < 1e-9:
        raise InputError(f"The beam from '{beam.start}' to '{beam.end}' has no length or no elements.")
    try:
        A = axes_of(b - a, beam.up)
    except ValueError:
        raise InputError(
            f"The beam from '{beam.start}' to '{beam.end}' has no up direction across it; give one."
        ) from None
    between = range(len(positions), len(positions) + beam.elements - 1)
    inside = [a + (b - a) * k / beam.elements for k in range(beam.elements)]
    positions += inside[1:]
    chain, last, out = [i, *between, j], beam.elements - 1, []
    for k, start in enumerate(inside):
        free = {SLOTS.index(c): beam.spring_i for c in beam.hinges_i} if k == 0 else {}
        free |= {6 + SLOTS.index(c): beam.spring_j for c in beam.hinges_j} if k == last else {}
        offsets = beam.offset_i if k == 0 else NOWHERE, beam.offset_j if k == last else NOWHERE
        out.append(_Laid(number, (chain[k], chain[k + 1]), start, A, length / beam.elements, offsets, free))
    return out


def _piece(laid: _Laid, beam: Beam, moves: Array, K: Array, M: Array, N: Array) -> Piece:
    springs = np.zeros((12, 12))
    if laid.free:
        turned, springs = _released(K, laid.free)
        moves, springs = turned @ moves, moves.T @ springs @ moves
    return Piece(
        laid.beam, laid.ends, laid.start, laid.axes, laid.length, beam.section, beam.material, moves, K, M, N,
        springs,
    )  # fmt: skip


def _released(K: Array, turns: Mapping[int, float]) -> tuple[Array, Array]:
    """What the ends of an element do (12, 12) when turns and moves there bear nothing but a spring, N m/rad, N/m (Guyan
    1965), and the stiffness (12, 12) of these springs."""
    T = np.eye(12)
    free = np.array(list(turns))
    kept = np.setdiff1d(np.arange(12), free)
    S = np.diag([turns[k] for k in free])
    held = np.linalg.inv(K[np.ix_(free, free)] + S)
    T[np.ix_(free, free)] = held @ S
    T[np.ix_(free, kept)] = -held @ K[np.ix_(free, kept)]
    bent = (T - np.eye(12))[free]
    return T, bent.T @ S @ bent


def _arms(laid: Sequence[_Laid]) -> Array:
    """How the ends of elements move with their nodes (n, 12, 12)."""
    out = np.tile(np.eye(12), (len(laid), 1, 1))
    offsets = np.array([one.offsets for one in laid])
    for end in range(2):
        x, y, z = offsets[:, end].T
        at = 6 * end
        for row, column, value in ((0, 4, z), (0, 5, -y), (1, 3, -z), (1, 5, x), (2, 3, y), (2, 4, -x)):
            out[:, at + row, at + column] = value
    return out
