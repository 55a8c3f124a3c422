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

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.sentence import say
from .model import DIRECTIONS, Structure

GAUSS = np.polynomial.legendre.leggauss(4)  # exact to degree 7
STEEL = (2.1e11, 8.076923e10, 7850.0)


@dataclass(frozen=True)
class Section:
    """A cross-section: area m^2; Iy, Iz m^4 about the section's axes y and z through its centre; torsion m^4 (St
    Venant); shear areas along y and z m^2; half-heights (y, z) m to the outermost fibres; twist: section modulus of
    torsion m^3, moment over largest shear stress. Without reach or twist there is no stress of bending or torsion."""

    area: float
    Iy: float
    Iz: float
    torsion: float
    shear_y: float
    shear_z: float
    reach: tuple[float, float] = (0.0, 0.0)
    twist: float = 0.0


@dataclass(frozen=True)
class Material:
    """E, G in Pa, density in kg/m^3."""

    E: float = STEEL[0]
    G: float = STEEL[1]
    density: float = STEEL[2]


def tube(diameter: float, wall: float) -> Section:
    """Round tube, outer diameter and wall in m; shear coefficient of Cowper (1966) without Poisson's
    ratio, 1/2 for a thin wall. Raises InputError for no tube."""
    inner = diameter - 2.0 * wall
    if wall <= 0.0 or inner < 0.0:
        raise InputError(
            say(
                "A tube of {diameter:g m} has no wall of {wall:g m}; give more"
                " than 0 and at most half of it.",
                diameter=diameter,
                wall=wall,
            )
        )
    area = math.pi / 4.0 * (diameter**2 - inner**2)
    moment = math.pi / 64.0 * (diameter**4 - inner**4)
    shear = 0.5 + 0.4 * (1.0 - inner / diameter) if inner < 0.9 * diameter else 0.5
    half = 0.5 * diameter
    return Section(
        area, moment, moment, 2.0 * moment, shear * area, shear * area, (half, half), 2.0 * moment / half
    )


def box(width: float, height: float, wall: float) -> Section:
    """Rectangular hollow section, outer width (along y) and height (along z), wall in m; torsion after Bredt, shear is
    carried by the walls along it. Raises InputError for no hollow section."""
    b, h = width - 2.0 * wall, height - 2.0 * wall
    if wall <= 0.0 or b <= 0.0 or h <= 0.0:
        raise InputError(
            say(
                "A box of {width:g (m)} x {height:g m} has no wall of {wall:g m};"
                " give more than 0, less than half.",
                width=width,
                height=height,
                wall=wall,
            )
        )
    area = width * height - b * h
    middle = (width - wall) * (height - wall)
    torsion = 4.0 * middle**2 * wall / (2.0 * (width + height - 2.0 * wall))
    Iy, Iz = (width * height**3 - b * h**3) / 12.0, (height * width**3 - h * b**3) / 12.0
    reach, twist = (0.5 * width, 0.5 * height), 2.0 * middle * wall
    return Section(area, Iy, Iz, torsion, 2.0 * b * wall, 2.0 * h * wall, reach, twist)


def i_profile(width: float, height: float, flange: float, web: float) -> Section:
    """I section: flanges of a width (along y) and thickness, web thickness, height along z, all m; open torsion. Raises
    InputError when there is no web between the flanges."""
    h = height - 2.0 * flange
    if min(flange, web) <= 0.0 or h <= 0.0 or web > width:
        raise InputError(
            say(
                "An I section of {width:g (m)} x {height:g m} has no flanges of"
                " {flange:g (m)} and web of {web:g m}.",
                width=width,
                height=height,
                flange=flange,
                web=web,
            )
        )
    area = 2.0 * width * flange + h * web
    Iy = (width * height**3 - (width - web) * h**3) / 12.0
    Iz = (2.0 * flange * width**3 + h * web**3) / 12.0
    torsion = (2.0 * width * flange**3 + h * web**3) / 3.0
    reach, twist = (0.5 * width, 0.5 * height), torsion / max(flange, web)
    return Section(area, Iy, Iz, torsion, 5.0 / 3.0 * width * flange, h * web, reach, twist)


def spine(
    diameter: float, wall: float, rail_diameter: float, rail_wall: float, gauge: float, height: float
) -> Section:
    """Track of a round spine and two round rails: outer diameters and walls, distance between the rails' centres (along
    y) and of those above the spine's centre (along z), all m. Plane sections stay plane, as with ties that are stiff in
    shear (of a ladder with soft ties the second moments are smaller); each tube carries its own torsion and shear. The
    centre is that of all three. Raises InputError for no tube, and rails that are not beside each other."""
    middle, rail = tube(diameter, wall), tube(rail_diameter, rail_wall)
    if gauge < rail_diameter:
        raise InputError(
            say(
                "Two rails of {rail_diameter:g m} have no room {gauge:g m} apart;"
                " give at least their diameter.",
                rail_diameter=rail_diameter,
                gauge=gauge,
            )
        )
    area = middle.area + 2.0 * rail.area
    centre = 2.0 * rail.area * height / area  # above that of the spine
    Iy = middle.Iy + middle.area * centre**2 + 2.0 * (rail.Iy + rail.area * (height - centre) ** 2)
    Iz = middle.Iz + 2.0 * (rail.Iz + rail.area * (0.5 * gauge) ** 2)
    torsion, shear = middle.torsion + 2.0 * rail.torsion, middle.shear_y + 2.0 * rail.shear_y
    r, R = 0.5 * rail_diameter, 0.5 * diameter
    ends = [abs(position) + radius for position, radius in ((height - centre, r), (centre, R))]
    reach = max(0.5 * gauge + r, R), max(ends)
    return Section(area, Iy, Iz, torsion, shear, shear, reach, torsion / max(r, R))


@dataclass(frozen=True)
class Beam:
    """A beam between two nodes. up: direction near the section's z; offset_i, offset_j: from node to the end of the
    beam, m; hinges_i, hinges_j: of x, y, z (in the beam's axes) that turn there, freely or against a spring of
    stiffness spring_i, spring_j, N m/rad; elements: how many make it up."""

    start: str
    end: str
    section: Section
    material: Material = Material()
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


def _bending(E_I: float, shear: float, length: float, x: Array = POINTS) -> tuple[Array, Array, Array]:
    """Shapes at places x (points,) of the length (4, points): deflection w, turn t = w' - shear strain, and w'; in (w0,
    t0, w1, t1)."""
    phi = 12.0 * E_I / (shear * length**2)
    d, L = 1.0 + phi, length
    w = np.array([
        1.0 - 3.0 * x**2 + 2.0 * x**3 + phi * (1.0 - x), L * (x - 2.0 * x**2 + x**3 + 0.5 * phi * (x - x**2)),
        3.0 * x**2 - 2.0 * x**3 + phi * x, L * (x**3 - x**2 + 0.5 * phi * (x**2 - x)),
    ])  # fmt: skip
    t = np.array([
        6.0 * (x**2 - x) / L, 1.0 - 4.0 * x + 3.0 * x**2 + phi * (1.0 - x),
        6.0 * (x - x**2) / L, 3.0 * x**2 - 2.0 * x + phi * x,
    ])  # fmt: skip
    slope = np.array([
        (6.0 * (x**2 - x) - phi) / L, 1.0 - 4.0 * x + 3.0 * x**2 + 0.5 * phi * (1.0 - 2.0 * x),
        (6.0 * (x - x**2) + phi) / L, 3.0 * x**2 - 2.0 * x + 0.5 * phi * (2.0 * x - 1.0),
    ])  # fmt: skip
    return w / d, t / d, slope / d


def _curvature(E_I: float, shear: float, length: float) -> Array:
    """Rate of the turn along the beam at the Gauss points (4, points)."""
    phi = 12.0 * E_I / (shear * length**2)
    x, L = POINTS, length
    rate = np.array(
        [6.0 * (2.0 * x - 1.0) / L, -4.0 + 6.0 * x - phi, 6.0 * (1.0 - 2.0 * x) / L, 6.0 * x - 2.0 + phi]
    )
    out: Array = rate / L / (1.0 + phi)
    return out


#: Slots of an element (ux uy uz rx ry rz at both ends) for bending with deflection along y and z, and their signs.
_PLANES = ((np.array([1, 5, 7, 11]), np.ones(4)), (np.array([2, 4, 8, 10]), np.array([1.0, -1.0, 1.0, -1.0])))


def element(section: Section, material: Material, length: float) -> tuple[Array, Array, Array]:
    """Stiffness, mass and geometric stiffness per newton of tension of an element, each (12, 12), in its own axes."""
    K, M, N = (np.zeros((12, 12)) for _ in range(3))
    weight = 0.5 * length * GAUSS[1]
    ends = np.array([1.0 - POINTS, POINTS])
    for slots, stiff, mass in (
        (np.array([0, 6]), material.E * section.area, material.density * section.area),
        (np.array([3, 9]), material.G * section.torsion, material.density * (section.Iy + section.Iz)),
    ):
        K[np.ix_(slots, slots)] = stiff / length * np.array([[1.0, -1.0], [-1.0, 1.0]])
        M[np.ix_(slots, slots)] = mass * (ends * weight) @ ends.T
    for (slots, signs), moment, shear_area in zip(
        _PLANES, (section.Iz, section.Iy), (section.shear_y, section.shear_z), strict=True
    ):
        E_I, shear = material.E * moment, material.G * shear_area
        w, t, slope = _bending(E_I, shear, length)
        k, strain = _curvature(E_I, shear, length), slope - t
        at, both = np.ix_(slots, slots), np.outer(signs, signs)
        K[at] = both * (E_I * (k * weight) @ k.T + shear * (strain * weight) @ strain.T)
        M[at] = both * material.density * (section.area * (w * weight) @ w.T + moment * (t * weight) @ t.T)
        N[at] = both * ((slope * weight) @ slope.T)
    return K, M, N


def shapes(section: Section, material: Material, length: float, x: Array) -> Array:
    """Displacement and turn (points, 6, 12) at places x (points,), 0 to 1 of the length, of a beam that nothing loads
    between its ends, for each move of these; in the beam's axes."""
    out = np.zeros((len(x), 6, 12))
    for at, ends in ((0, (0, 6)), (3, (3, 9))):
        out[:, at, ends[0]], out[:, at, ends[1]] = 1.0 - x, x
    for (slots, signs), moment, shear_area, deflection, turn in zip(
        _PLANES, (section.Iz, section.Iy), (section.shear_y, section.shear_z), (1, 2), (5, 4), strict=True
    ):
        w, t, _ = _bending(material.E * moment, material.G * shear_area, length, x)
        out[:, deflection, slots] = (signs[:, None] * w).T
        out[:, turn, slots] = (signs[1] * signs[:, None] * t).T
    return out


def axes_of(along: Array, up: Sequence[float]) -> Array:
    """Axes (3, 3; columns x along the beam, y, z near `up`) of a beam. Raises ValueError when up is along it."""
    x = along / np.linalg.norm(along)
    y = np.cross(np.asarray(up, dtype=np.float64), x)
    if np.linalg.norm(y) <= 1e-6 * np.linalg.norm(up):
        raise ValueError("up is along the beam, or no direction")
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def frame(
    nodes: Mapping[str, tuple[float, float, float]],
    beams: Sequence[Beam],
    springs: Sequence[Spring] = (),
    tension: Sequence[float] | None = None,
) -> Structure:
    """A structure of beams whose named nodes are its frames.

    tension (N, of each beam): adds geometric stiffness. Raises InputError for nodes that are not there, beams without
    length or direction, and beams without elements.
    """
    names, positions, pieces = lay_out(nodes, beams)
    parts = [
        (
            piece.moves.T @ (piece.K + pull * piece.N) @ piece.moves + piece.springs,
            piece.moves.T @ piece.M @ piece.moves,
            piece.ends,
        )
        for piece in pieces
        for pull in [0.0 if tension is None else tension[piece.beam]]
    ]
    for spring in springs:
        i, j = _ends(names, spring.start, spring.end or spring.start)
        S = np.diag(spring.stiffness)
        if spring.end is None:
            parts.append((S, np.zeros((6, 6)), (i,)))
        else:
            # Moves of both ends at the middle: turning as a whole, the spring is not strained.
            lever = np.cross(np.eye(3), 0.5 * (positions[j] - positions[i]))
            apart = np.hstack([-np.eye(6), np.eye(6)])
            apart[:3, 3:6] = apart[:3, 9:] = lever
            parts.append((apart.T @ S @ apart, np.zeros((12, 12)), (i, j)))
    unknowns = np.arange(DIRECTIONS * len(positions)).reshape(-1, DIRECTIONS)
    rows, columns, K, M = [], [], [], []
    for stiff, mass, at in parts:
        own = unknowns[list(at)].ravel()
        rows.append(np.repeat(own, len(own)))
        columns.append(np.tile(own, len(own)))
        K.append(stiff.ravel())
        M.append(mass.ravel())
    index = np.concatenate(rows), np.concatenate(columns)
    K_all, M_all = (
        csc_matrix(coo_matrix((np.concatenate(v), index), shape=(unknowns.size, unknowns.size)))
        for v in (K, M)
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
    """The names of the nodes, all positions (nodes and those between elements, m) and the elements of beams. Raises
    InputError as `frame`."""
    names = list(nodes)
    positions = [np.asarray(nodes[name], dtype=np.float64) for name in names]
    pieces: list[Piece] = []
    for k, beam in enumerate(beams):
        i, j = _ends(names, beam.start, beam.end)
        _add_beam(k, beam, i, j, positions, pieces)
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


def _ends(names: list[str], start: str, end: str) -> tuple[int, int]:
    for name in (start, end):
        if name not in names:
            raise InputError(
                f"A beam or spring ends at node '{name}', which is not there; add it or choose another."
            )
    return names.index(start), names.index(end)


def _add_beam(number: int, beam: Beam, i: int, j: int, positions: list[Array], pieces: list[Piece]) -> None:
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
    K, M, N = element(beam.section, beam.material, length / beam.elements)
    turn = np.kron(np.eye(4), A.T)
    between = list(range(len(positions), len(positions) + beam.elements - 1))
    inside = [a + (b - a) * k / beam.elements for k in range(beam.elements)]
    positions += inside[1:]
    chain = [i, *between, j]
    last = beam.elements - 1
    for k, start in enumerate(inside):
        free = {3 + "xyz".index(c): beam.spring_i for c in beam.hinges_i} if k == 0 else {}
        free |= {9 + "xyz".index(c): beam.spring_j for c in beam.hinges_j} if k == last else {}
        nodes = turn @ _arms(beam.offset_i if k == 0 else None, beam.offset_j if k == last else None)
        turned, springs = _released(K, free)
        ends, step = (chain[k], chain[k + 1]), length / beam.elements
        moves, springs = turned @ nodes, nodes.T @ springs @ nodes
        pieces.append(
            Piece(number, ends, start, A, step, beam.section, beam.material, moves, K, M, N, springs)
        )


def _released(K: Array, turns: Mapping[int, float]) -> tuple[Array, Array]:
    """What the ends of an element do (12, 12) when turns there carry no moment but that of a spring, N m/rad (Guyan
    1965), and the stiffness (12, 12) of these springs."""
    T = np.eye(12)
    if not turns:
        return T, np.zeros((12, 12))
    free = np.array(list(turns))
    kept = np.setdiff1d(np.arange(12), free)
    S = np.diag([turns[k] for k in free])
    held = np.linalg.inv(K[np.ix_(free, free)] + S)
    T[np.ix_(free, free)] = held @ S
    T[np.ix_(free, kept)] = -held @ K[np.ix_(free, kept)]
    bent = (T - np.eye(12))[free]
    return T, bent.T @ S @ bent


def _arms(*offsets: tuple[float, float, float] | None) -> Array:
    """How the ends of an element move with its nodes (12, 12)."""
    out = np.eye(12)
    for k, offset in enumerate(offsets):
        if offset is not None and any(offset):
            x, y, z = offset
            out[6 * k : 6 * k + 3, 6 * k + 3 : 6 * k + 6] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    return out
