"""What lies under a pixel: control points, bodies, the track."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.selection import NOTHING, Selection
from app.view3d.view import SceneView

Array = NDArray[np.float64]

REACH = 14.0  # px within which a click means a point or the track


def nearest_pixel(view: SceneView, points: Array, x: float, y: float) -> tuple[int, float] | None:
    """Number of the point (n, 3) m nearest to a pixel and its distance (px); None when all are behind the camera."""
    if not len(points):
        return None
    away = np.hypot(*(view.world_to_screen(points) - [x, y]).T)
    if not np.isfinite(away).any():
        return None
    k = int(np.nanargmin(away))
    return k, float(away[k])


def place_at(view: SceneView, x: float, y: float, reach: float = REACH) -> float | None:
    """Arc length (m) of the track under a pixel; None when it is further away than `reach` px."""
    mesh = view.scene.track.mesh
    found = None if mesh is None else nearest_pixel(view, mesh.course.position, x, y)
    if mesh is None or found is None:
        return None
    k, away = found
    distance = np.linalg.norm(
        mesh.course.position[k] - np.array(view.renderer.GetActiveCamera().GetPosition())
    )
    half = 0.6 * view.height() / max(float(distance), 0.1)  # px of about half a gauge
    return float(mesh.course.s[k]) if away <= max(reach, half) else None


def thing_at(view: SceneView, x: float, y: float) -> Selection:
    """The body or the section of the track under a pixel as a selection."""
    hit = view.scene.train.pick(*view.ray(x, y))
    if hit is not None:
        return Selection("body", hit[0].path)
    s = place_at(view, x, y)
    built = view.scene.built
    if s is None or built is None:
        return NOTHING
    return Selection("section", (built.section_at(s),), s=s)
