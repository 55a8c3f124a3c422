"""Points, triangles and lines for VTK, in numpy arrays that are rewritten in place while a person edits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Shape:
    """A mesh whose arrays VTK reads directly.

    points, normals (n, 3) float32 (m, unit; normals None when it is not lit), colours (n, 3) 0..255 or None. Write into
    them with `[:]` and call `changed`. `data` is what a mapper takes.
    """

    def __init__(
        self,
        points: ArrayLike,
        *,
        faces: ArrayLike | None = None,
        lines: Sequence[NDArray[np.integer]] | None = None,
        normals: ArrayLike | None = None,
        colours: ArrayLike | None = None,
    ) -> None:
        """faces (m, 3) point numbers of triangles; lines: point numbers of each; neither: every point is a dot."""
        self.points: Floats = np.ascontiguousarray(points, dtype=np.float32).reshape(-1, 3)
        self.normals: Floats | None = None
        self.colours: Bytes | None = None
        self.data = vtkPolyData()
        self.data.SetPoints(_points(self.points))
        self._cells(faces, lines)
        if normals is not None:
            self.normals = np.ascontiguousarray(normals, dtype=np.float32).reshape(-1, 3)
            self.data.GetPointData().SetNormals(numpy_to_vtk(self.normals))
        if colours is not None:
            self.set_colours(colours)

    def set_colours(self, colours: ArrayLike) -> None:
        """Give every point a colour (n, 3) 0..255."""
        self.colours = np.ascontiguousarray(colours, dtype=np.uint8)
        array = numpy_to_vtk(self.colours)
        array.SetName("colour")
        self.data.GetPointData().SetScalars(array)

    def changed(self) -> None:
        """Tell VTK that the arrays have been written into."""
        points, of_points = self.data.GetPoints(), self.data.GetPointData()
        for array in (points.GetData(), of_points.GetNormals(), of_points.GetScalars()):
            if array is not None:
                array.Modified()
        points.Modified()
        self.data.Modified()

    def recoloured(self) -> None:
        """Tell VTK that the colours alone have been written into."""
        self.data.GetPointData().GetScalars().Modified()
        self.data.Modified()

    def _cells(self, faces: ArrayLike | None, lines: Sequence[NDArray[np.integer]] | None) -> None:
        if faces is not None:
            corners = np.asarray(faces, dtype=np.int32).reshape(-1, 3)
            self.data.SetPolys(_cell_array(corners.ravel(), 3 * np.arange(len(corners) + 1)))
        elif lines is not None:
            ends = np.cumsum([0, *(len(line) for line in lines)])
            numbers = np.concatenate(lines) if len(lines) else np.zeros(0)
            self.data.SetLines(_cell_array(numbers, ends))
        else:
            count = len(self.points)
            self.data.SetVerts(_cell_array(np.arange(count), np.arange(count + 1)))


def _points(points: Floats) -> vtkPoints:
    made = vtkPoints()
    made.SetData(numpy_to_vtk(points))
    return made


def _cell_array(numbers: ArrayLike, offsets: ArrayLike) -> vtkCellArray:
    cells = vtkCellArray()
    cells.SetData(
        numpy_to_vtk(np.ascontiguousarray(offsets, dtype=np.int32), deep=True),
        numpy_to_vtk(np.ascontiguousarray(numbers, dtype=np.int32), deep=True),
    )
    return cells
