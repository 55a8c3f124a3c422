"""Actors for the scene: cheap to draw in software, colours from the points of the mesh."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from .mesh import COLOUR, rgb

if TYPE_CHECKING:
    import pyvista as pv
    from vtkmodules.vtkRenderingCore import vtkProp


AMBIENT, DIFFUSE = 0.42, 0.68
_WIDTHS: WeakKeyDictionary[pv.Actor, float] = WeakKeyDictionary()  # of the actors that have lines or dots


def make_actor(
    mesh: pv.PolyData,
    *,
    colour: str | None = None,
    lit: bool = True,
    cull: bool = True,
    width: float = 1.0,
    opacity: float = 1.0,
    pickable: bool = False,
    rigid: bool = False,
) -> pv.Actor:
    """An actor for a mesh: in the colours of its points, or in one colour "#rrggbb".

    width: of lines and dots, in pixels of an ordinary screen (see `scale_strokes`). rigid: its points stay
    where they are in its own axes, so that no picture asks for them again: a fifth of the time with 500 bodies.
    """
    make, make_mapper, make_look = _drawing()
    mapper: Any = make_mapper()
    mapper.SetInputData(mesh)
    if colour is None:
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SetColorModeToDirectScalars()
        mapper.SelectColorArray(COLOUR)
    mapper.SetScalarVisibility(colour is None)
    mapper.SetStatic(rigid)
    look: Any = make_look()
    look.SetInterpolationToGouraud()
    look.SetAmbient(AMBIENT)
    look.SetDiffuse(DIFFUSE)
    look.SetLighting(lit)
    look.SetOpacity(opacity)
    look.SetLineWidth(width)
    look.SetPointSize(width)
    look.SetBackfaceCulling(cull)
    actor: pv.Actor = make(mapper=mapper, prop=look)
    if colour is not None:
        paint(actor, colour)
    actor.SetPickable(pickable)
    actor.SetForceOpaque(rigid and opacity == 1.0)
    if mesh.n_lines or mesh.n_verts:
        _WIDTHS[actor] = width
    return actor


@cache
def _drawing() -> tuple[type[pv.Actor], Any, Any]:
    """Actors, mappers and looks. pyvista's own mappers and properties copy a theme and make a table of colours each:
    ten times the work, felt with a train of 500 bodies."""
    import pyvista as pv  # not needed until there is something to draw
    from vtkmodules.vtkRenderingCore import vtkPolyDataMapper, vtkProperty

    return pv.Actor, vtkPolyDataMapper, vtkProperty


def mesh_of(actor: pv.Actor) -> pv.PolyData:
    """What an actor shows, in its own axes."""
    shown: pv.PolyData = actor.GetMapper().GetInput()
    return shown


def colour_of(actor: pv.Actor) -> str | None:
    """The one colour "#rrggbb" of an actor; None where it has those of the points of its mesh."""
    if actor.GetMapper().GetScalarVisibility():
        return None
    return "#{:02x}{:02x}{:02x}".format(*(round(255.0 * part) for part in actor.GetProperty().GetColor()))


def paint(actor: pv.Actor, colour: str) -> None:
    """Give an actor another colour for where it shows one."""
    actor.GetProperty().SetColor(*(part / 255.0 for part in rgb(colour)))


def scale_strokes(renderer: pv.Renderer, factor: float) -> None:
    """Draw lines and dots of a renderer as wide as a picture needs that has `factor` times the pixels across."""
    for actor, width in list(_WIDTHS.items()):
        if renderer.HasViewProp(actor):
            actor.prop.line_width = actor.prop.point_size = max(1.0, factor * width)


def tint(actor: pv.Actor, colour: str | None) -> None:
    """Show an actor in one colour, or in the colours of its mesh again (None)."""
    actor.GetMapper().SetScalarVisibility(colour is None)
    if colour is not None:
        paint(actor, colour)


def see_through(actor: pv.Actor, opacity: float) -> None:
    """Give an actor another opacity."""
    actor.GetProperty().SetOpacity(opacity)
    actor.SetForceOpaque(opacity == 1.0 and bool(actor.GetMapper().GetStatic()))


def pose_list(position: Array, rotation: Array) -> list[float]:
    """The sixteen numbers of a pose, row by row."""
    m = np.eye(4)
    m[:3, :3] = rotation
    m[:3, 3] = position
    flat: list[float] = m.ravel().tolist()
    return flat


def put(matrix: vtkMatrix4x4, position: Array, rotation: Array) -> None:
    """Write a pose into a matrix."""
    matrix.DeepCopy(pose_list(position, rotation))


def add(plotter: pv.BasePlotter, *actors: vtkProp) -> None:
    """Put actors into a scene; nothing is drawn and the camera stays."""
    for actor in actors:
        pick = bool(actor.GetPickable())
        plotter.add_actor(actor, reset_camera=False, render=False, pickable=pick)  # type: ignore[arg-type]


def remove(plotter: pv.BasePlotter, *actors: vtkProp) -> None:
    """Take actors out of a scene."""
    for actor in actors:
        plotter.remove_actor(actor, reset_camera=False, render=False)  # type: ignore[arg-type]
