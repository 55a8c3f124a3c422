"""Surfaces as the kernels of contact see them: kind, centre, axes and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..base.arrays import Array
from ..base.frames import rotation_matrix
from ..contact.many import depths
from ..contact.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SCRATCH, SPHERE
from . import surfaces as s

KINDS: dict[type[s.SurfaceBase], int] = {
    s.Ellipsoid: ELLIPSOID, s.Sphere: SPHERE, s.Capsule: CAPSULE, s.Cylinder: CYLINDER, s.Box: BOX, s.Plane: PLANE
}  # fmt: skip


def sizes_of(surface: s.SurfaceBase) -> tuple[float, float, float]:
    """The sizes (m) of a surface in the order of the kernels; infinite where a plane has no end."""
    match surface:
        case s.Ellipsoid():
            return surface.semi_axes
        case s.Sphere():
            return (surface.radius, 0.0, 0.0)
        case s.Capsule() | s.Cylinder():
            return (surface.radius, 0.5 * surface.length, 0.0)
        case s.Box():
            return surface.half_sizes
        case s.Plane():
            x, y, z = (
                math.inf if value is None else value
                for value in (surface.half_length, surface.half_width, surface.depth)
            )
            return (x, y, z)
    raise TypeError(type(surface).__name__)


_NONE = np.zeros(3)


class Solids:
    """Several surfaces in one frame: kinds (n,), centres (n, 3) m, axes (n, 9) row by row, sizes (n, 3) m."""

    def __init__(
        self, kinds: Sequence[int], centres: Sequence[Array], axes: Sequence[Array], sizes: Sequence[Array]
    ) -> None:
        n = len(kinds)
        self.kinds = np.array(kinds, dtype=np.int64)
        self.centres = np.array(centres, dtype=np.float64).reshape(n, 3)
        self.axes = np.array(axes, dtype=np.float64).reshape(n, 9)
        self.sizes = np.array(sizes, dtype=np.float64).reshape(n, 3)

    @classmethod
    def of(cls, surfaces: Iterable[s.SurfaceBase]) -> Solids:
        """Surfaces as they stand in their frame."""
        given = tuple(surfaces)
        return cls(
            [KINDS[type(one)] for one in given],
            [np.array(one.position) for one in given],
            [rotation_matrix(one.orientation) for one in given],
            [np.array(sizes_of(one)) for one in given],
        )

    def depths(self, of: Solids) -> Array:
        """Depth (m, negative a gap), unit normal and point of each ellipsoid `of` (k) on each of these, (k, n, 7)."""
        found = np.empty((len(of.kinds), len(self.kinds), 7))
        if found.size:
            T, out = np.zeros((SCRATCH, 9)), np.zeros(7)
            for k, kind in enumerate(of.kinds):
                depths(
                    kind, self.kinds, of.centres[k], of.axes[k], of.sizes[k], self.centres, self.axes, self.sizes,
                    _NONE, T, out, found[k],
                )  # fmt: skip
        return found

    def deepest(self, of: Solids) -> float:
        """Depth (m) of the ellipsoid that lies deepest in one of these; minus infinity where there is no pair."""
        return float(self.depths(of)[:, :, 0].max(initial=-math.inf))
