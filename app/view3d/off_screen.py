"""A plotter that draws into memory: for the painted view, films, pictures of reports, and tests."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from PySide6.QtGui import QImage
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger, vtkUnsignedCharArray

from ..widgets.faults import watch

if TYPE_CHECKING:
    import pyvista as pv

OPAQUE: Final = np.uint32(0xFF000000 if sys.byteorder == "little" else 0x000000FF)  # the last byte of a pixel


def on_screen(width: int, height: int) -> pv.Plotter:
    """A plotter with a window of its own (px), for scripts and notebooks, which have no application."""
    import pyvista as pv

    watch()
    return pv.Plotter(off_screen=False, window_size=[width, height], lighting="none")


class OffScreen:
    """`plotter` draws pictures of a size (px); `works` is False where this machine cannot draw off screen.

    Everything must be called in one thread. Call `close`: a plotter that is left open is never forgotten.
    """

    def __init__(self, width: int = 640, height: int = 480, samples: int = 0) -> None:
        import pyvista as pv  # not needed until there is something to draw

        watch()  # reports and tools draw without an application
        # VTK tries a display first and warns of there being none, which is nobody's concern here.
        loud = vtkLogger.GetCurrentVerbosityCutoff()
        vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)
        self.plotter = pv.Plotter(off_screen=True, window_size=[width, height], lighting="none")
        window: Any = self.plotter.render_window
        window.SetMultiSamples(samples)
        window.Initialize()
        vtkLogger.SetStderrVerbosity(loud)
        # Without display, EGL and OSMesa there is no context, and drawing would end the program.
        self.works = bool(window.IsCurrent())
        self._pixels = vtkUnsignedCharArray()

    def draw(self, image: QImage | None = None) -> QImage:
        """Draw, into an image of an earlier picture when that has the size."""
        window: Any = self.plotter.render_window
        window.Render()
        width, height = window.GetSize()
        window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, self._pixels, 0)
        rows = vtk_to_numpy(self._pixels).view(np.uint32).reshape(height, width)
        if image is None or image.size().toTuple() != (width, height):
            image = QImage(width, height, QImage.Format.Format_RGBX8888)
        target = np.frombuffer(image.bits(), dtype=np.uint32).reshape(height, width)
        np.bitwise_or(rows[::-1], OPAQUE, out=target)  # OpenGL begins with the lowest row
        return image

    def resize(self, width: int, height: int, share: float) -> None:
        """Another size (px), with `share` pixels to one of an ordinary screen: letters are made as large."""
        window: Any = self.plotter.render_window
        if (width, height) != window.GetSize():
            window.SetSize(width, height)
            window.SetDPI(round(72 * share))

    def close(self) -> None:
        """Let go of the graphics system."""
        self.plotter.close()
