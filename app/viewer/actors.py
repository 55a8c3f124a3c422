"""Actors for the scene: cheap to draw in software, colours from the points of the mesh."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.viewer.mesh import rgb

Array = NDArray[np.float64]

AMBIENT, DIFFUSE = 0.42, 0.68


def make_actor(
    data: pv.PolyData,
    *,
    colour: str | None = None,
    lit: bool = True,
    cull: bool = True,
    width: float = 1.0,
    opacity: float = 1.0,
    pickable: bool = False,
) -> vtkActor:
    """An actor for a mesh: coloured by its point array "colour", or by one colour "#rrggbb"."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    if colour is None:
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("colour")
        mapper.SetColorModeToDirectScalars()
    else:
        mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.SetPickable(pickable)
    look = actor.GetProperty()
    if colour is not None:
        paint(actor, colour)
    look.SetLineWidth(width)
    look.SetOpacity(opacity)
    if lit:
        look.SetInterpolationToGouraud()
        look.SetAmbient(AMBIENT)
        look.SetDiffuse(DIFFUSE)
        look.SetSpecular(0.0)
    else:
        look.LightingOff()
    if cull:
        look.BackfaceCullingOn()
    return actor


def paint(actor: vtkActor, colour: str) -> None:
    """Give an actor one colour "#rrggbb"."""
    r, g, b = (c / 255.0 for c in rgb(colour))
    actor.GetProperty().SetColor(r, g, b)


def tint(actor: vtkActor, colour: str | None) -> None:
    """Show an actor in one colour, or in the colours of its mesh again (None)."""
    mapper = actor.GetMapper()
    if colour is None:
        mapper.ScalarVisibilityOn()
    else:
        paint(actor, colour)
        mapper.ScalarVisibilityOff()


def polyline(points: Array, lines: list[Array] | None = None) -> pv.PolyData:
    """Points (n, 3) m joined by one line, or by several given as lists of point numbers."""
    data = pv.PolyData()
    data.points = np.ascontiguousarray(points, dtype=np.float32)
    parts = [np.arange(len(points))] if lines is None else lines
    data.lines = (
        np.concatenate([np.concatenate([[len(p)], p]) for p in parts]) if len(points) else np.empty(0, int)
    )
    return data


def segments(starts: Array, ends: Array) -> pv.PolyData:
    """Straight lines from starts to ends (k, 3) m."""
    points = np.stack([starts, ends], axis=1).reshape(-1, 3)
    data = pv.PolyData()
    data.points = np.ascontiguousarray(points, dtype=np.float32)
    if len(points):
        pairs = np.arange(len(points)).reshape(-1, 2)
        data.lines = np.hstack([np.full((len(pairs), 1), 2), pairs]).ravel()
    return data


def pose_matrix(position: Array, rotation: Array) -> vtkMatrix4x4:
    """A VTK matrix of a pose."""
    matrix = vtkMatrix4x4()
    matrix.DeepCopy(pose_list(position, rotation))
    return matrix


def pose_list(position: Array, rotation: Array) -> list[float]:
    """The sixteen numbers of a pose, row by row."""
    m = np.eye(4)
    m[:3, :3] = rotation
    m[:3, 3] = position
    flat: list[float] = m.ravel().tolist()
    return flat
