"""Actors for the scene: cheap to draw in software, colours from the points of the mesh."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (provides the classes behind actor and mapper)
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from app.view3d.mesh import rgb
from app.view3d.shape import Shape

Array = NDArray[np.float64]

AMBIENT, DIFFUSE = 0.42, 0.68
_WIDTHS: WeakKeyDictionary[vtkActor, float] = WeakKeyDictionary()  # of the actors that have lines or dots


def make_actor(
    shape: Shape,
    *,
    colour: str | None = None,
    lit: bool = True,
    cull: bool = True,
    width: float = 1.0,
    opacity: float = 1.0,
    pickable: bool = False,
) -> vtkActor:
    """An actor for a shape: in the colours of its points, or in one colour "#rrggbb".

    width: of lines and dots, in pixels of an ordinary screen (see `scale_strokes`).
    """
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(shape.data)
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
    look.SetPointSize(width)
    if shape.data.GetNumberOfLines() or shape.data.GetNumberOfVerts():
        _WIDTHS[actor] = width
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


def scale_strokes(renderer: vtkRenderer, factor: float) -> None:
    """Draw lines and dots of a renderer as wide as a picture needs that has `factor` times the pixels across."""
    for actor, width in list(_WIDTHS.items()):
        if renderer.HasViewProp(actor):
            look, wide = actor.GetProperty(), max(1.0, factor * width)
            look.SetLineWidth(wide)
            look.SetPointSize(wide)


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


def polyline(points: Array, lines: list[NDArray[np.intp]] | None = None) -> Shape:
    """Points (n, 3) m joined by one line, or by several given as lists of point numbers."""
    return Shape(points, lines=[np.arange(len(points))] if lines is None else lines)


def segments(starts: Array, ends: Array) -> Shape:
    """Straight lines from starts to ends (k, 3) m."""
    points = np.stack([starts, ends], axis=1).reshape(-1, 3)
    return Shape(points, lines=list(np.arange(len(points)).reshape(-1, 2)))


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
