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
COLUMN = 5.0  # px within which a click means a column
WIDE = 0.6  # m, as much of one that is near
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
    actor, place = _picked(view, x, y)
    if actor is None:
        return None
    member = next((m for m in view.scene.train.members.values() if m.made is actor), None)
    return view.scene.couplings.of_actor(actor) if member is None else member, place


def _picked(view: SceneView, x: float, y: float) -> tuple[Any, Array]:
    """The actor that is seen under a pixel, None under the sky, and the place (m)."""
    origin, ahead = view.ray(x, y)
    picker = vtkCellPicker()
    picker.SetTolerance(0.0)
    end = origin + 2.0 * view.scene.track.far * ahead
    picker.Pick3DPoint(origin.tolist(), end.tolist(), view.scene.plotter.renderer)
    return picker.GetActor(), np.array(picker.GetPickPosition())


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


def column_at(view: SceneView, x: float, y: float) -> tuple[str, float] | None:
    """Name of the column under a pixel and the place of its support (m); None where there is none, or it is hidden."""
    every = view.scene.track.columns()
    hit = first_hit(view, x, y) if every else None
    if not every or (hit is not None and hit[0] is not None):
        return None
    ends = [view.world_to_screen(np.array([one[k] for one in every])) for k in (2, 3)]
    along = ends[1] - ends[0]
    share = np.sum(([x, y] - ends[0]) * along, axis=1) / np.maximum(np.sum(along**2, axis=1), 1e-9)
    share = np.clip(share, 0.0, 1.0)[:, None]
    away = np.linalg.norm(ends[0] + share * along - [x, y], axis=1)
    top, foot = (np.array([one[k] for one in every]) for k in (2, 3))
    eye = np.array(view.scene.camera.position)
    deep = np.linalg.norm(top + share * (foot - top) - eye, axis=1)
    near = away <= np.maximum(COLUMN, 0.5 * view.height() * WIDE / np.maximum(deep, 0.1))
    if hit is not None:
        near &= deep < np.linalg.norm(hit[1] - eye) + BEFORE
    if not near.any():
        return None
    name, s, *_ = every[int(np.argmin(np.where(near, away, np.inf)))]
    return name, s


def thing_at(view: SceneView, x: float, y: float) -> Selection:
    """The body or the section of the track under a pixel as a selection, or the place of the column there."""
    hit, built = first_hit(view, x, y), view.scene.built
    if hit is not None and hit[0] is not None:
        return Selection("coupling", (hit[0],)) if isinstance(hit[0], str) else Selection("body", hit[0].path)
    on_column = view.scene.track.name_of(_picked(view, x, y)[0]) == "supports"
    s = None if on_column else place_at(view, x, y)
    if s is not None and built is not None:
        return Selection("section", (built.section_at(s),), s=s)
    column = column_at(view, x, y)
    return NOTHING if column is None else Selection("place", s=column[1])
