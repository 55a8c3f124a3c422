"""Cross-sections of any outline: figures of a beam's section from polygons, by the package sectionproperties.

Second moments and area are integrals over the outline; torsion constant, shear areas and the largest shear stress of a
torsion come of warping functions on a mesh of triangles (Pilkey 2002, as that package has them), without Poisson's
ratio.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from ..base.delimited import table_of, text_of
from ..base.errors import InputError
from ..base.sentence import say
from .sections import Section

Outline = tuple[tuple[float, float], ...]
LARGEST_TABLE = 10**6  # bytes
LARGEST_SIDE = 100.0  # m
ELEMENTS = 1500.0  # triangles that an outline is cut into, about
THROUGH = 4.0  # triangles across the mean wall, at least
MAX_TRIANGLES = 100_000  # triangles; more take gigabytes of memory
THINNEST = 1e-5  # m
APART = 1e-6  # of its size, between two outlines: where they touch, the mesher ends the program
SKEW = 1e-3  # of the product of inertia, relative to the larger second moment


def read_outlines(file: Path) -> tuple[Outline, ...]:
    """Polygons of a table with columns y, z in m, empty lines between them: the outside, then holes.

    Raises InputError naming the file and the line that is no point, or a polygon of less than three.
    """
    table = table_of(
        text_of(file, LARGEST_TABLE, "a table of an outline: two columns, y and z in m"), str(file)
    )
    found: list[list[tuple[float, float]]] = []
    before = -1
    for row in table.rows:
        table.check_width(row, 2, of="two numbers, y and z")
        y, z = (table.number(row, k, "yz"[k]) for k in range(2))
        if not max(abs(y), abs(z)) < LARGEST_SIDE:
            raise InputError(
                say(
                    "{row} lies beyond {largest_side:g m}; give metres.",
                    row=table.place(row),
                    largest_side=LARGEST_SIDE,
                )
            )
        if row.line > before + 1:
            found.append([])
        found[-1].append((y, z))
        before = row.line
    polygons = tuple(tuple(points) for points in found)
    short = next((k for k, points in enumerate(polygons, 1) if len(points) < 3), None)
    if not polygons or short is not None:
        which = "it has no points" if short is None else f"outline {short} has fewer than three points"
        raise InputError(f"{file}: {which}; give y and z of every corner, an empty line between outlines.")
    return polygons


def section_of(outlines: Sequence[Outline], where: str) -> Section:
    """Figures of a section whose outside is the first outline, others being holes, about its centre.

    where: what the sentences of InputError begin with, for outlines that cross, axes that are not those of the section,
    and where the package is missing.
    """
    try:
        from scipy.sparse.linalg import MatrixRankWarning
        from sectionproperties.analysis import Section as Meshed
        from sectionproperties.pre import Geometry
        from shapely import Polygon
    except ImportError:
        raise InputError(
            f"{where}: figures of an outline need the package sectionproperties: pip install"
            ' "ridewright[sections]".'
        ) from None
    first, *holes = (_once(outline) for outline in outlines)
    if any(len(outline) < 3 for outline in (first, *holes)):
        raise InputError(f"{where}: an outline has fewer than three different corners; give y and z of each.")
    shape = Polygon(first, holes)
    if not shape.is_valid or not shape.area > 0.0:
        raise InputError(
            f"{where}: the outlines cross, or a hole lies outside; list the corners in their order."
        )
    rings = (shape.exterior, *shape.interiors)
    if any(a.distance(b) < APART * shape.length for a, b in combinations(rings, 2)):
        raise InputError(f"{where}: two outlines touch, which leaves no wall between them; move one of them.")
    wall = 2.0 * shape.area / shape.length  # mean thickness between its edges
    size = min(shape.area / ELEMENTS, 0.5 * (wall / THROUGH) ** 2)
    if wall < THINNEST:
        raise InputError(
            say(
                "{where}: its wall is {wall:.2g m} thick; give the corners in metres.", where=where, wall=wall
            )
        )
    if shape.area > MAX_TRIANGLES * size:
        raise InputError(
            say(
                "{where}: its wall of {wall:.2g m} is too thin for its length of {length:.3g m}; give it as a"
                " box, a tube or an I of the project, or make it thicker.",
                where=where,
                wall=wall,
                length=0.5 * shape.length,
            )
        )
    geometry = Geometry(shape)
    geometry.create_mesh(mesh_sizes=[size])
    meshed = Meshed(geometry)
    meshed.calculate_geometric_properties()
    Iy, Iz, product = meshed.get_ic()
    if abs(product) > SKEW * max(Iy, Iz):
        turn = math.degrees(0.5 * math.atan2(-2.0 * product, Iy - Iz))
        raise InputError(
            f"{where}: y and z are not the principal axes of this section; turn the outline by {-turn:.4g} degrees"
            " (from y to z), and the beam's up direction with it."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", MatrixRankWarning)
            meshed.calculate_warping_properties()
            stress = meshed.calculate_stress(mzz=1.0).get_stress()[0]["sig_zxy_mzz"]
    except (RuntimeError, ValueError, MatrixRankWarning):  # equations that it cannot solve exactly enough
        raise InputError(
            f"{where}: the figures of torsion and shear cannot be found; leave out corners and sides that are tiny"
            " beside the others, and let the parts join by more than a point."
        ) from None
    (y, z), (shear_y, shear_z) = meshed.get_c(), meshed.get_as()
    reach = [
        max(abs(point[c] - centre) for point in outlines[0]) for c, centre in enumerate((float(y), float(z)))
    ]
    area, torsion = float(meshed.get_area()), float(meshed.get_j())
    twist = 1.0 / float(stress.max())
    return Section(
        area, float(Iy), float(Iz), torsion, float(shear_y), float(shear_z), (reach[0], reach[1]), twist
    )


def _once(outline: Outline) -> Outline:
    """An outline without corners that stand twice in a row, the first one again at the end included: where they do, the
    equations of torsion are singular."""
    return tuple(point for k, point in enumerate(outline) if point != outline[k - 1])
