"""The circle in the 3D view that shows how far a soft selection reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.base.arrays import Array
from ..view3d.marks import line_actor
from ..view3d.mesh import polyline
from ..widgets import theme

if TYPE_CHECKING:
    from ..view3d.panel import ViewerPanel

GROUP = "soft selection"


def ring_points(origin: Array, radius: float, ahead: Array) -> Array:
    """A circle (65, 3) m around an origin that faces an eye looking along `ahead` (3,)."""
    side = np.cross(ahead, [0.0, 0.0, 1.0])
    side = side / np.linalg.norm(side) if np.linalg.norm(side) > 1e-6 else np.array([1.0, 0.0, 0.0])
    up = np.cross(side, ahead)
    angle = np.linspace(0.0, 2.0 * np.pi, 65)
    circle: Array = origin + radius * (np.outer(np.cos(angle), side) + np.outer(np.sin(angle), up))
    return circle


def draw_ring(view: ViewerPanel, origin: Array | None, radius: float) -> None:
    """Show the circle, or nothing without an origin or radius."""
    marks = view.scene.marks
    if origin is None or radius <= 0.0:
        if marks.has(GROUP):
            marks.clear(GROUP)
        return
    flat = view.world_to_screen(origin)[0]
    _, ahead = view.ray(float(flat[0]), float(flat[1]))
    marks.set(GROUP, [line_actor(polyline(ring_points(origin, radius, ahead)), theme.current().muted, 1.5)])
