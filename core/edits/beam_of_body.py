"""The beam that carries what a rigid body carried: nodes where the body is held, and its mass, centre and moments.

All in the axes of the assembly that holds the body. The beam lies along the longest line of the nodes, beside them by
rigid arms where the centre of mass is; what the beam lacks of the mass is put at its nodes, so that centre and mass are
those of the body, and the moment across as near to its own as masses on the line can bring it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frozen import Vec3
from ..base.sentence import say
from ..model.flexible import BeamPart, BeamSection, Node, NodeMass

STEEL = tuple(float(BeamPart.model_fields[name].default) for name in ("E", "G", "density"))  # Pa, Pa, kg/m^3
WALL = 0.05  # of the width of the first section: chosen
SHORTEST = 0.02  # m, of a beam
TOGETHER = 0.02  # of the length: places nearer to one another are at one node
ELEMENTS = 8
FIRST_ROOT = 1.8751040687119611  # of cos x cosh x = -1: clamped beam
NOTHING = 1e-9  # of the mass
SAME = 0.01  # of the mass: what a beam lacks of it at most without masses at nodes, its material being taken heavier
END, MIDDLE = "End", "Middle"


class Rigid(NamedTuple):
    """Mass (kg), centre (3,) m, and moments of inertia about it (3, 3) kg m^2."""

    mass: float
    centre: Array
    inertia: Array


class Beam(NamedTuple):
    """Nodes, beams and masses at nodes; what they are together; density: of the material, kg/m^3."""

    nodes: tuple[Node, ...]
    beams: tuple[BeamPart, ...]
    masses: tuple[NodeMass, ...]
    rigid: Rigid
    density: float

    @property
    def first_bending(self) -> float:
        """Hz, clamped at one end, by Euler and Bernoulli, about the weaker axis; 0 where masses at nodes or corners
        make it another."""
        if self.masses:
            return 0.0
        made, one = self.beams[0].section.made(), self.beams[0]
        ends = [np.array(node.position) for node in self.nodes]
        length = float(np.linalg.norm(ends[-1] - ends[0]))
        if sum(float(np.linalg.norm(b - a)) for a, b in pairwise(ends)) > 1.001 * length:
            return 0.0
        stiffness = one.E * min(made.Iy, made.Iz) / (self.density * made.area * length**4)
        return FIRST_ROOT**2 / (2.0 * math.pi) * math.sqrt(stiffness)


def first_section(mass: float, length: float, density: float = STEEL[2]) -> BeamSection:
    """A square tube of steel of a mass (kg) and length (m), its wall a twentieth of its width; to the tenth of a mm."""
    area = mass / (density * length)
    width = float(np.sqrt(area / (4.0 * WALL * (1.0 - WALL))))
    return BeamSection(
        shape="box", width=round(width, 4), height=round(width, 4), wall=max(1e-4, round(WALL * width, 5))
    )


def along(places: Mapping[str, Array], centre: Array) -> dict[str, Array]:
    """The nodes of a beam through places, in order along it, one for all that are together.

    A body that is held at one place ends as far beyond its centre; so does one whose centre is beyond all of them.
    Raises InputError where all places are at the centre.
    """
    every = dict(places)
    points = np.array([*every.values()])
    apart = points[:, None] - points
    line = apart.reshape(-1, 3)[np.linalg.norm(apart, axis=2).argmax()]
    if np.linalg.norm(line) < SHORTEST:
        line = centre - points[0]
    length = float(np.linalg.norm(line))
    if length < SHORTEST:
        raise InputError("It is held at its centre of mass alone; a beam needs two places that are apart.")
    way = line / length
    if (points[0] - points.mean(axis=0)) @ way > 0.0:  # it begins where it is held first
        way = -way
    at = points @ way
    beyond = float(centre @ way)
    if beyond > at.max() - TOGETHER * length:
        every[END] = points[at.argmin()] + 2.0 * (beyond - at.min()) * way
    elif beyond < at.min() + TOGETHER * length:
        every[END] = points[at.argmax()] - 2.0 * (at.max() - beyond) * way
    ordered = sorted(every.items(), key=lambda item: float(item[1] @ way))
    size = float((ordered[-1][1] - ordered[0][1]) @ way)
    out: dict[str, Array] = {}
    for name, place in ordered:
        if all(np.linalg.norm(place - other) > TOGETHER * size for other in out.values()):
            out[name] = place
    return out


def beam_of(
    body: Rigid, places: Mapping[str, Array], section: BeamSection, material: Sequence[float] = STEEL
) -> Beam:
    """A beam through places (m), in order along it, that is as heavy as a body.

    A section that makes it heavier keeps its stiffness, and its material is taken lighter; so is one that is lighter by
    less than a hundredth, taken heavier. Raises InputError for a
    section that cannot be made.
    """
    names, points = [*places], np.array([*places.values()])
    way = (points[-1] - points[0]) / np.linalg.norm(points[-1] - points[0])
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    weight = material[2] * section.made().area * lengths  # of each beam
    middles = 0.5 * (points[1:] + points[:-1])
    low, high, target = (float(point @ way) for point in (points[0], points[-1], body.centre))
    own = float(weight @ (middles @ way)) / weight.sum()
    # of the whole, what has to be at nodes so that the centre can be where it is
    reach = high - own if target > own else own - low
    share = abs(target - own) / reach
    most = (1.0 - share) * body.mass / weight.sum()
    light = most if most < 1.0 + SAME else 1.0
    if light <= 0.0:
        raise InputError(
            say("Its centre of mass is {at:.3g m} beyond its beam.", at=max(target - high, low - target))
        )
    weight = light * weight
    spots, extra = _at_nodes(body, way, points @ way, weight, middles @ way, lengths)
    if extra[MIDDLE_AT] > NOTHING * body.mass:
        names, points = _with_middle(names, points, way, spots[MIDDLE_AT])
    masses = _masses(names, points @ way, spots, extra)
    density = light * material[2]
    arm = (body.mass * body.centre - masses @ points - weight @ middles) / weight.sum()
    arm = arm - (arm @ way) * way
    up = (0.0, 0.0, 1.0) if abs(way[2]) < 0.9 else (1.0, 0.0, 0.0)
    offset = _vec(arm) if np.linalg.norm(arm) > 1e-6 else (0.0, 0.0, 0.0)
    beams = tuple(
        BeamPart(
            start=a, end=b, section=section, E=material[0], G=material[1], density=density, up=up,
            elements=ELEMENTS, offset_start=offset, offset_end=offset,
        )
        for a, b in pairwise(names)
    )  # fmt: skip
    nodes = tuple(Node(name=name, position=_vec(place)) for name, place in zip(names, points, strict=True))
    at_nodes = tuple(
        NodeMass(node=name, mass=float(mass))
        for name, mass in zip(names, masses, strict=True)
        if mass > NOTHING * body.mass
    )
    return Beam(nodes, beams, at_nodes, _together(beams, at_nodes, nodes), density)


MIDDLE_AT = 1  # the spot between both ends, among those that take masses


def _at_nodes(
    body: Rigid, way: Array, at: Array, weight: Array, middles: Array, lengths: Array
) -> tuple[Array, Array]:
    """Places on the line (m) and masses there (kg): first node, between, last node.

    Together they have the rest of the mass and put the centre where it is; what lies between the ends makes the moment
    of the masses along the line that of the body, as far as it can.
    """
    target, rest = float(body.centre @ way), body.mass - weight.sum()
    if rest <= NOTHING * body.mass:
        return np.array([at[0], target, at[-1]]), np.zeros(3)
    centre = min(max((body.mass * target - float(weight @ middles)) / rest, at[0]), at[-1])
    share = (centre - at[0]) / (at[-1] - at[0])
    ends = rest * np.array([1.0 - share, 0.0, share])
    spots = np.array([at[0], centre, at[-1]])
    lies = 0.5 * float(np.trace(body.inertia)) - float(way @ body.inertia @ way)
    beams = float(weight @ ((middles - target) ** 2 + lengths**2 / 12.0))
    wide, narrow = float(ends @ (spots - target) ** 2), rest * (centre - target) ** 2
    part = 1.0
    if wide - narrow > NOTHING * body.mass:
        part = min(max((lies - beams - narrow) / (wide - narrow), 0.0), 1.0)
    return spots, part * ends + (1.0 - part) * np.array([0.0, rest, 0.0])


def _with_middle(names: list[str], points: Array, way: Array, spot: float) -> tuple[list[str], Array]:
    """The nodes with one more where the masses between the ends are, unless one is there."""
    at = points @ way
    size = at[-1] - at[0]
    if np.abs(at - spot).min() < TOGETHER * size:
        return names, points
    k = int(np.searchsorted(at, spot))
    share = (spot - at[k - 1]) / (at[k] - at[k - 1])
    place = (1.0 - share) * points[k - 1] + share * points[k]
    return [*names[:k], MIDDLE, *names[k:]], np.insert(points, k, place, axis=0)


def _masses(names: list[str], at: Array, spots: Array, extra: Array) -> Array:
    """The masses (kg) of the nodes: those at both ends, and what lies between, on the two nodes around it."""
    out = np.zeros(len(names))
    for spot, mass in zip(spots, extra, strict=True):
        k = int(np.clip(np.searchsorted(at, spot), 1, len(at) - 1))
        share = (spot - at[k - 1]) / (at[k] - at[k - 1])
        out[k - 1] += (1.0 - share) * mass
        out[k] += share * mass
    return out


def _together(beams: tuple[BeamPart, ...], masses: tuple[NodeMass, ...], nodes: tuple[Node, ...]) -> Rigid:
    """Beams and masses as one rigid body."""
    from ..structure.beams import axes_of

    position = {node.name: node.position for node in nodes}
    parts: list[Rigid] = []
    for beam in beams:
        a, b = (np.array(end) for end in beam.ends(position))
        line, made = b - a, beam.section.made()
        axes = axes_of(line, beam.up)
        length = float(np.linalg.norm(line))
        mass = beam.density * made.area * length
        slim = np.array([0.0, mass * length**2 / 12.0, mass * length**2 / 12.0])
        y, z = beam.density * length * made.Iy, beam.density * length * made.Iz
        own = np.diag(slim + np.array([y + z, y, z]))
        parts.append(Rigid(mass, 0.5 * (a + b), axes @ own @ axes.T))
    parts += [Rigid(one.mass, np.array(position[one.node]), np.zeros((3, 3))) for one in masses]
    return together(parts)


def together(parts: Sequence[Rigid]) -> Rigid:
    """Several rigid bodies as one."""
    mass = sum(part.mass for part in parts)
    centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        r = part.centre - centre
        inertia += part.inertia + part.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Rigid(mass, centre, inertia)


def moves_with(beam: Beam, node: str) -> tuple[float, float]:
    """Mass (kg) and least moment of inertia (kg m^2) that move with a node of a beam: its shares of the mass of the
    finite element beside it (cubic shapes: 13/35 of the mass, its square of the length over 105 in turning)."""
    positions = {one.name: one.position for one in beam.nodes}
    found = []
    for one in beam.beams:
        if node in (one.start, one.end):
            made = one.section.made()
            length = float(np.linalg.norm(np.subtract(*one.ends(positions)))) / one.elements
            mass = one.density * made.area * length
            found.append(
                (13.0 / 35.0 * mass, mass * min(length**2 / 105.0, (made.Iy + made.Iz) / (3.0 * made.area)))
            )
    return min(mass for mass, _ in found), min(moment for _, moment in found)


def _vec(values: Array) -> Vec3:
    x, y, z = (float(v) + 0.0 for v in values)
    return x, y, z
