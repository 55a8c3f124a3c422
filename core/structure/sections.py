"""Cross-sections of beams and the material they are of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..base.errors import InputError
from ..base.sentence import say

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


MILD_STEEL = Material()


def tube(diameter: float, wall: float) -> Section:
    """Round tube; shear coefficient of Cowper (1966) without Poisson's ratio, 1/2 for a thin wall.

    Parameters
    ----------
    diameter, wall
        Outer diameter and thickness, m.

    Returns
    -------
    Its figures.

    Raises
    ------
    InputError
        For no tube.
    """
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


class Wall(NamedTuple):
    """A plane of bracing between two chords of a lattice, by their numbers: the area (m^2) that bears its shear as a
    sheet of the same stiffness would, and the area (m^2) of the steel in it, per metre of the lattice."""

    chords: tuple[int, int]
    shear: float
    steel: float


def diagonals(
    chords: tuple[int, int], brace: Section, panel: float, height: float, E_by_G: float = STEEL[0] / STEEL[1]
) -> Wall:
    """A wall of diagonals, one a panel (m) between chords `height` m apart. A shear force V pulls a diagonal of length
    d with V d / h, so that a panel gives by V d^3 / (E A h^2): G A_v = E A p h^2 / d^3."""
    d = math.hypot(panel, height)
    return Wall(chords, E_by_G * brace.area * panel * height**2 / d**3, brace.area * d / panel)


def rungs(
    chords: tuple[int, int],
    chord: Section,
    tie: Section,
    panel: float,
    height: float,
    E_by_G: float = STEEL[0] / STEEL[1],
) -> Wall:
    """A wall of ties that are rigidly joined to both chords, one every `panel` m:
    G A_v = 24 E I / (p^2 (1 + 2 I h / (I_t p))), I of a chord, I_t of a tie (EN 1993-1-1:2005, 6.4.3.1(2))."""
    give = 1.0 + 2.0 * chord.Iz * height / (tie.Iz * panel)
    return Wall(chords, E_by_G * 24.0 * chord.Iz / (panel**2 * give), tie.area * height / panel)


def compound(chords: Sequence[tuple[float, float, Section]], walls: Sequence[Wall] = ()) -> Section:
    """Round chords, each at y and z (m), that together stay plane but for shear, symmetric about z: second moments with
    Steiner's parts about the common centre, each with its own torsion. Shear is borne by walls in their direction, and
    where there are none in a direction by the chords themselves. Walls that go all the way round bear torsion besides,
    after Bredt: 4 A^2 / sum(h^2 / A_v)."""
    area = sum(one.area for _, _, one in chords)
    centre = sum(z * one.area for _, z, one in chords) / area
    Iy = sum(one.Iy + one.area * (z - centre) ** 2 for _, z, one in chords)
    Iz = sum(one.Iz + one.area * y**2 for y, _, one in chords)
    torsion = sum(one.torsion for _, _, one in chords)
    own = sum(one.shear_y for _, _, one in chords)
    shear_y = shear_z = around = 0.0
    for (a, b), shear, _ in walls:
        across, high = chords[b][0] - chords[a][0], chords[b][1] - chords[a][1]
        length = math.hypot(across, high)
        shear_y += shear * (across / length) ** 2
        shear_z += shear * (high / length) ** 2
        around += length**2 / shear
    if len(walls) == len(chords) > 2:
        torsion += 4.0 * _enclosed([chords[wall.chords[0]][:2] for wall in walls]) ** 2 / around
    reach = (
        max(abs(y) + one.reach[0] for y, _, one in chords),
        max(abs(z - centre) + one.reach[0] for _, z, one in chords),
    )
    thickest = max(one.reach[0] for _, _, one in chords)
    return Section(
        area, Iy, Iz, torsion, _shear(shear_y, own), _shear(shear_z, own), reach, torsion / thickest
    )


def _shear(walls: float, chords: float) -> float:
    return walls if walls > 0.0 else chords


def _enclosed(corners: Sequence[tuple[float, float]]) -> float:
    """Area (m^2) within corners in order."""
    after = (*corners[1:], corners[0])
    return 0.5 * abs(sum(a * d - b * c for (a, b), (c, d) in zip(corners, after, strict=True)))


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
    half = 0.5 * gauge
    return compound(((half, height, rail), (-half, height, rail), (0.0, 0.0, middle)))
