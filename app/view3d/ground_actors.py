"""The hills of a site, tunnels through them and the clearance envelope, for drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...core.base.arrays import Array
from ...core.track.build import BuiltTrack
from ...core.track.envelope import STEP, WALL, envelope_rings, ground_stretches
from ..widgets import theme
from .actors import make_actor
from .mesh import grid_faces, surface

if TYPE_CHECKING:
    import pyvista as pv


def ground_actors(built: BuiltTrack) -> list[pv.Actor]:
    """The hills of a track's site, and its tunnels and cuttings."""
    return [*hill_actors(built), *tunnel_actors(built)]


def hill_actors(built: BuiltTrack) -> list[pv.Actor]:
    """The height field of a track's site as a surface; nothing without one."""
    field = built.track.site.field
    if field is None:
        return []
    heights = np.array(field.rows)
    rows, columns = heights.shape
    x = field.corner[0] + field.spacing * np.arange(columns)
    y = field.corner[1] + field.spacing * np.arange(rows)
    places = np.stack([*np.meshgrid(x, y), heights], axis=-1).reshape(-1, 3)
    normals = _normals(heights, field.spacing)
    hills = surface(places, grid_faces(rows, columns, around=False), normals=normals)
    return [make_actor(hills, pickable=True, colour=theme.current().ground_line, cull=False)]


def tunnel_actors(built: BuiltTrack) -> list[pv.Actor]:
    """The tunnels and cuttings of a track as see-through bodies."""
    c = theme.current()
    actors = []
    for stretch in ground_stretches(built):
        colour = c.warn if stretch.kind == "tunnel" else c.series[0]
        actors.append(envelope_actor(built, stretch.s0, stretch.s1, WALL, colour, 0.45))
    return actors


def _normals(heights: Array, spacing: float) -> Array:
    """Unit normals (rows * columns, 3) of a height field."""
    down, across = np.gradient(heights, spacing)
    normals = np.stack([-across, -down, np.ones_like(heights)], axis=-1)
    out: Array = (normals / np.linalg.norm(normals, axis=-1, keepdims=True)).reshape(-1, 3)
    return out


def envelope_actor(
    built: BuiltTrack, s0: float, s1: float, margin: float, colour: str, opacity: float
) -> pv.Actor:
    """The clearance envelope from s0 to s1 (m), widened by margin (m), see-through."""
    count = max(2, int((s1 - s0) / STEP) + 1)
    rings = envelope_rings(built, built.centreline.wrap(np.linspace(s0, s1, count)), margin)
    walls = surface(rings, grid_faces(count, 4, around=True))
    return make_actor(walls, colour=colour, lit=False, cull=False, opacity=opacity)
