"""A body being put into a posture: where its segments are, and how far its skin is from surfaces.

Orientations are matrices here, and segments are placed one by one: a fit asks for a few of them many times.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..base.arrays import Array
from ..contact.shapes import ELLIPSOID
from ..model.solids import Solids
from .shape import Segment

Three = tuple[float, float, float]


def turned_by(vector: Sequence[float]) -> Array:
    """The matrix (3, 3) of the rotation about a vector (3,) by its length (rad)."""
    x, y, z = vector
    angle = math.sqrt(x * x + y * y + z * z)
    a = math.sin(angle) / angle if angle > 1e-9 else 1.0
    b = (1.0 - math.cos(angle)) / (angle * angle) if angle > 1e-4 else 0.5
    return np.array(
        [
            [1.0 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
            [b * x * y + a * z, 1.0 - b * (x * x + z * z), b * y * z - a * x],
            [b * x * z - a * y, b * y * z + a * x, 1.0 - b * (x * x + y * y)],
        ]
    )


class Figure:
    """The segments of a person with rotation vectors of their joints (rad) by name, and the pelvis in a frame."""

    def __init__(self, segments: tuple[Segment, ...], turned: dict[str, Three]) -> None:
        self.segments = {one.name: one for one in segments}
        self.turned = dict(turned)
        self.at: dict[str, tuple[Array, Array]] = {}
        self._offset = {
            one.name: one.joint - self.segments[one.parent].centre
            for one in segments
            if one.joint is not None and one.parent is not None
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all segments, parents first."""
        return tuple(self.segments)

    def set_pelvis(self, centre: Array, rotation: Array) -> None:
        """Put the pelvis with its centre of mass (3,) m at a point, in axes (3, 3)."""
        self.at["Pelvis"] = (centre, rotation)

    def place(self, names: Iterable[str]) -> None:
        """Place segments, their parents before them."""
        for name in names:
            one = self.segments[name]
            if one.parent is None:
                continue
            centre, rotation = self.at[one.parent]
            own = rotation @ turned_by(self.turned[one.joint_name])
            assert one.joint is not None
            joint = centre + rotation @ self._offset[name]
            self.at[name] = (joint + own @ (one.centre - one.joint), own)

    def shift(self, by: Array) -> None:
        """Move all placed segments by (3,) m."""
        self.at = {name: (centre + by, rotation) for name, (centre, rotation) in self.at.items()}

    def lowest(self, name: str, up: Array) -> float:
        """The least coordinate (m) along a unit vector (3,) of the skin of a placed segment."""
        centre, rotation, half = self.skin(name)
        across = half * (up @ rotation)
        return float(up @ centre) - math.sqrt(float(across @ across))

    def joint(self, name: str) -> Array:
        """Where the joint of a placed segment to its parent is (3,) m."""
        one = self.segments[name]
        centre, rotation = self.at[name]
        assert one.joint is not None
        place: Array = centre + rotation @ (one.joint - one.centre)
        return place

    def skin(self, name: str) -> tuple[Array, Array, Array]:
        """Centre (3,), axes (3, 3) and half axes (3,) of the ellipsoid of a placed segment."""
        one = self.segments[name]
        centre, rotation = self.at[name]
        return centre + rotation @ (one.middle - one.centre), rotation, one.half

    def depth(self, name: str, solids: Solids) -> float:
        """Depth (m) of a segment in the surface it lies deepest in; negative a gap, minus infinity without any."""
        return solids.deepest(self.solid(name))

    def solid(self, name: str) -> Solids:
        """The skin of a placed segment as a surface for others."""
        centre, rotation, half = self.skin(name)
        return Solids([ELLIPSOID], [centre], [rotation], [half])
