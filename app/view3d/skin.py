"""The surfaces of bodies and of the ground as meshes: what is drawn is what touches."""

from __future__ import annotations

import numpy as np

from ...core.base.arrays import Array
from ...core.base.frames import rotation_matrix
from ...core.model import surfaces as s
from .mesh import Part, box, capsule, ellipsoid, merged, rgb, rod

THIN = 0.02  # m, of a plane that is solid without end
SIDES, RINGS = 22, 15


def surface_part(surface: s.Surface, colour: str, reach: float = 1.0) -> Part:
    """A surface in the axes of its body (m). reach: half of what is drawn of a plane without end."""
    match surface:
        case s.Ellipsoid():
            part = ellipsoid(np.zeros(3), surface.semi_axes, colour, rings=RINGS, sides=SIDES)
        case s.Sphere():
            part = ellipsoid(np.zeros(3), [surface.radius] * 3, colour, rings=RINGS, sides=SIDES)
        case s.Capsule():
            end = np.array([0.0, 0.0, max(0.5 * surface.length, 1e-9)])
            part = capsule(-end, end, surface.radius, surface.radius, colour, sides=SIDES)
        case s.Cylinder():
            end = np.array([0.0, 0.0, 0.5 * surface.length])
            part = rod(-end, end, surface.radius, colour, sides=SIDES)
        case s.Box():
            part = box(np.zeros(3), surface.half_sizes, colour)
        case s.Plane():
            part = _plate(surface, colour, reach)
    return part.moved(rotation_matrix(surface.orientation), surface.position)


def skin_part(surfaces: tuple[s.Surface, ...], colour: str, reach: float = 1.0) -> Part:
    """All surfaces of a body as one part, in its axes."""
    return merged([surface_part(surface, colour, reach) for surface in surfaces])


def _plate(plane: s.Plane, colour: str, reach: float) -> Part:
    """A plate below a plane; where the plane has no end it is as large as what it is drawn for."""
    x, y = (reach if half is None else half for half in (plane.half_length, plane.half_width))
    depth = THIN if plane.depth is None else plane.depth
    return box([0.0, 0.0, -0.5 * depth], [x, y, 0.5 * depth], colour)


def face_on(part: Part, centre: Array, half: Array, skin: str, hair: str) -> Part:
    """A head: its ellipsoid with hair above and behind, and with eyes, nose and mouth ahead along xi."""
    x, y, z = half
    along = (part.points - centre) / half
    hairy = (along[:, 2] > 0.42) | ((along[:, 0] < -0.15) & (along[:, 2] > -0.35))
    colours = np.where(hairy[:, None], np.array(rgb(hair)), np.array(rgb(skin))).astype(np.uint8)
    parts = [part._replace(colours=colours)]

    def on_skin(across: float, up: float, size: tuple[float, float, float], colour: str) -> None:
        ahead = x * np.sqrt(max(0.0, 1.0 - across**2 - up**2))
        place = centre + np.array([ahead, across * y, up * z])
        parts.append(ellipsoid(place, np.array(size) * z, colour, rings=5, sides=8))

    for side in (0.4, -0.4):
        on_skin(side, 0.08, (0.05, 0.1, 0.06), "#1f2328")
    on_skin(0.0, -0.12, (0.14, 0.11, 0.17), skin)
    on_skin(0.0, -0.48, (0.05, 0.2, 0.04), "#9c5a4f")
    return merged(parts)
