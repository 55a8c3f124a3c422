"""What lies under a pixel: control points, bodies, the track; what is hidden behind something else does not count."""

from __future__ import annotations

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCellPicker

from ...core.base.arrays import Array
from ..document.selection import NOTHING, Selection
from .train_layer import Member
from .view import SceneView

REACH = 14.0  # px within which a click means a point or the track
BEFORE = 1.5  # m by which something must be nearer than the track to hide it: rails and ties are the track


def nearest_pixel(view: SceneView, points: Array, x: float, y: float) -> tuple[int, float] | None:
    """Number of the point (n, 3) m nearest to a pixel and its distance (px); None when all are behind the camera."""
    if not len(points):
        return None
    away = np.hypot(*(view.world_to_screen(points) - [x, y]).T)
    if not np.isfinite(away).any():
        return None
    k = int(np.nanargmin(away))
    return k, float(away[k])


def first_hit(view: SceneView, x: float, y: float) -> tuple[Member | str | None, Array] | None:
    """What is seen under a pixel: the body, the name of a coupling, or None for anything else, and the place (m); None
    under the sky."""
    origin, ahead = view.ray(x, y)
    picker = vtkCellPicker()
    picker.SetTolerance(0.0)
    end = origin + 2.0 * view.scene.track.far * ahead
    picker.Pick3DPoint(origin.tolist(), end.tolist(), view.scene.plotter.renderer)
    actor: Any = picker.GetActor()  # None under the sky
    if actor is None:
        return None
    member = next((m for m in view.scene.train.members.values() if m.actor is actor), None)
    if member is None:
        return view.scene.couplings.of_actor(actor), np.array(picker.GetPickPosition())
    return member, np.array(picker.GetPickPosition())


def place_at(view: SceneView, x: float, y: float, reach: float = REACH) -> float | None:
    """Arc length (m) of the track under a pixel; None when it is further away than `reach` px, or hidden there."""
    mesh = view.scene.track.mesh
    if mesh is None:
        return None
    hit = first_hit(view, x, y)
    points = mesh.course.position
    away = np.hypot(*(view.world_to_screen(points) - [x, y]).T)
    eye = np.array(view.scene.camera.position)
    deep = np.linalg.norm(points - eye, axis=1)
    half = 0.6 * view.height() / np.maximum(deep, 0.1)  # px of about half a gauge
    near = away <= np.maximum(reach, half)
    if hit is not None:
        near &= deep < np.linalg.norm(hit[1] - eye) + BEFORE
    if not near.any():
        return None
    front = near & (
        deep < deep[near].min() + BEFORE + 0.02 * deep[near].min()
    )  # of several strands the first one
    return float(mesh.course.s[int(np.argmin(np.where(front, away, np.inf)))])


def thing_at(view: SceneView, x: float, y: float) -> Selection:
    """The body or the section of the track under a pixel as a selection."""
    hit, built = first_hit(view, x, y), view.scene.built
    if hit is not None and hit[0] is not None:
        return Selection("coupling", (hit[0],)) if isinstance(hit[0], str) else Selection("body", hit[0].path)
    s = place_at(view, x, y)
    return NOTHING if s is None or built is None else Selection("section", (built.section_at(s),), s=s)
