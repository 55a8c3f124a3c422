"""Load over patch: the mean pressure between a rider and a part of the seat or the restraint.

The patch of two rounds pressed d into one another is that of Hertz, of area pi d / sqrt(det(K_a + K_b)), K the
curvatures of both surfaces in the plane of the touch: of a ball of radius R on a plane pi R d. Sides and edges of boxes
count as flat. Pads deeper than they are wide would yield otherwise; this is a figure to compare seats by.
"""

from __future__ import annotations

import numpy as np

from ..base.arrays import Array
from ..contact.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE
from ..multibody.contact_pairs import Pair
from ..multibody.contact_places import Touching
from ..multibody.contact_points import Skin
from ..results.results import Results
from .free_riders import Part, load_over_time
from .meetings import meetings, placed_over


def pressure_over_time(results: Results, touching: Touching, part: Part) -> Array:
    """Sum of the normal forces on a part over the sum of the patches, (n,) Pa; 0 while nothing touches it.

    touching: the pairs of the project that was run, `touching_of`.
    """
    load, area = load_over_time(results, part.rows), np.zeros(len(results.states.time))
    for row in part.rows:
        name = results.names.springs[row]
        if name in touching.pairs:
            area += _patch(results, touching, touching.pairs[name][0], row)
    return np.divide(load, area, out=np.zeros_like(load), where=area > 0.0)


def _patch(results: Results, touching: Touching, pair: Pair, row: int) -> Array:
    """Area (n,) m^2 of the patch of a pair, 0 where it does not touch."""
    states, area = results.states, np.zeros(len(results.states.time))
    depth = np.nan_to_num(states.spring_length[:, row], nan=-1.0)
    touch = np.flatnonzero((depth > 0.0) & (states.spring_force[:, row] != 0.0))
    if pair.points is not None or not len(touch):
        return area
    placed = [
        placed_over(states, results.names.bodies, touching.bodies, skin, touch) for skin in (pair.a, pair.b)
    ]
    normal = meetings(pair.a, pair.b, *placed)[:, 1:4]
    area[touch] = patch_area(depth[touch], normal, pair.a, pair.b, placed[0][1], placed[1][1])
    return area


def patch_area(depth: Array, normal: Array, a: Skin, b: Skin, axes_a: Array, axes_b: Array) -> Array:
    """Area (m,) m^2 of the patches of two surfaces that are depth (m,) m deep in one another along normals (m, 3).

    axes_a, axes_b: the axes of both in the same world as the normals, (m, 3, 3).
    """
    least = np.eye(3)[np.argmin(np.abs(normal), axis=1)]
    u = np.cross(normal, least)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    plane = np.stack([u, np.cross(normal, u)], axis=1)
    det = np.linalg.det(_curvature(a, axes_a, normal, plane) + _curvature(b, axes_b, normal, plane))
    area: Array = np.zeros(len(det))
    np.divide(np.pi * np.maximum(depth, 0.0), np.sqrt(np.abs(det)), out=area, where=det > 0.0)
    return area


def _curvature(skin: Skin, axes: Array, normal: Array, plane: Array) -> Array:
    """Curvature (m, 2, 2) 1/m of a surface where its normal is along one (m, 3), in a plane (m, 2, 3) across it."""
    even = np.tile(np.eye(2), (len(normal), 1, 1)) / skin.sizes[0]
    if skin.kind in (BOX, PLANE):
        return 0.0 * even
    if skin.kind in (CAPSULE, CYLINDER):
        around = np.einsum("mij,mj->mi", plane, np.cross(normal, axes[:, :, 2]))
        size = np.linalg.norm(around, axis=1)[:, None, None]
        bent = around[:, :, None] * around[:, None, :] / np.maximum(size, 1e-12) ** 2 / skin.sizes[0]
        return np.where(size > 1e-9, bent, even)
    if skin.kind == ELLIPSOID:
        M = axes @ np.diag(np.array(skin.sizes) ** 2) @ axes.transpose(0, 2, 1)
        Mn = np.einsum("mij,mj->mi", M, normal)
        h = np.sqrt(np.einsum("mi,mi->m", normal, Mn))[:, None, None]
        radii = (M - Mn[:, :, None] * Mn[:, None, :] / h**2) / h  # second derivative of the support function
        return np.asarray(np.linalg.inv(plane @ radii @ plane.transpose(0, 2, 1)))
    return even
