"""A Qt widget that shows what a VTK render window draws off screen.

VTK owns its graphics context and draws into a frame buffer of its own; the finished picture is read back and painted
like any image. So the window that holds the view stays an ordinary one: Qt composes nothing by OpenGL (which takes
longer than the drawing itself where a processor does it), a dock can float without the context being moved, and films
and reports are drawn the same way.
"""

from __future__ import annotations

import sys
from typing import Final

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (provides the OpenGL classes behind the abstract ones)
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from app.view3d.actors import scale_strokes

OPAQUE: Final = np.uint32(0xFF000000 if sys.byteorder == "little" else 0x000000FF)  # the last byte of a pixel
NAMED: Final = "renderer string:"  # before the name of what draws, in VTK's report


class GlView(QWidget):
    """What is in `renderer`, drawn when the widget is painted after `stale` was set, or has another size."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.renderer = vtkRenderer()
        self.renderer.SetUseOIT(False)  # see-through parts in drawing order: without a second set of shaders
        self._window: vtkRenderWindow | None = vtkRenderWindow()
        self._window.SetOffScreenRendering(True)
        self._window.AddRenderer(self.renderer)
        self.pixel_scale = (
            1.0  # share of the widget's pixels that is drawn; the picture is stretched to the widget
        )
        self.samples = 0  # of every pixel, to smooth edges
        self.graphics = ""  # what draws, as OpenGL names it; known once there is a picture
        self.stale = True  # the picture is not of the scene as it is now
        self._image = QImage()
        self._pixels = vtkUnsignedCharArray()
        self._size = (0, 0)  # of the picture, in its pixels
        self._share = 1.0  # for which lines and dots are drawn

    # -- what Qt asks of the widget

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene if it has changed, and paint the part of the picture that is asked for."""
        if self._window is not None and (self.stale or self._wanted_size() != self._size):
            self.stale = False
            self._size = self._wanted_size()
            self.draw()
        painter = QPainter(self)
        if self._image.isNull():
            painter.fillRect(event.rect(), self.palette().window())
        else:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.pixel_scale < 1.0)
            painter.drawImage(QRectF(self.rect()), self._image)
        painter.end()

    # -- drawing

    def draw(self) -> None:
        """Let VTK draw the scene, and keep the picture."""
        if self._window is not None:
            self._image = self._drawn(self._window, self._size, self._image)

    def picture(self) -> QImage:
        """The scene with all its pixels, in device pixels, whether or not the widget is on screen."""
        if self._window is None:
            return self._image.copy()
        return self._drawn(self._window, self._wanted_size(1.0), QImage())

    def _drawn(self, window: vtkRenderWindow, size: tuple[int, int], image: QImage) -> QImage:
        """The scene in pixels of a size, written over an image when that has the size."""
        width, height = size
        share = width / max(1, self.width())  # pixels of the picture to one of an ordinary screen
        window.SetMultiSamples(self.samples)
        if size != window.GetSize():
            window.SetSize(width, height)
            window.SetDPI(round(72 * share))  # for letters
        if share != 1.0 or self._share != 1.0:
            scale_strokes(self.renderer, share)
            self._share = share
        window.Render()
        if not self.graphics:
            self.graphics = _renderer_name(window)
        window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, self._pixels, 0)
        rows = vtk_to_numpy(self._pixels).view(np.uint32).reshape(height, width)
        if image.size().toTuple() != size:
            image = QImage(width, height, QImage.Format.Format_RGBX8888)
        target = np.frombuffer(image.bits(), dtype=np.uint32).reshape(height, width)
        np.bitwise_or(rows[::-1], OPAQUE, out=target)  # OpenGL begins with the lowest row
        return image

    def _wanted_size(self, scale: float | None = None) -> tuple[int, int]:
        share = (self.pixel_scale if scale is None else scale) * self.devicePixelRatioF()
        return max(1, round(share * self.width())), max(1, round(share * self.height()))

    def finalize(self) -> None:
        """Let go of everything VTK holds in the graphics system; the widget keeps its last picture."""
        window, self._window = self._window, None
        if window is not None:
            window.Finalize()


def pixels_of(window: vtkRenderWindow) -> NDArray[np.uint8]:
    """What a render window has drawn, as an array (height, width, 3), first row on top."""
    width, height = window.GetSize()
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)
    return np.array(vtk_to_numpy(pixels).reshape(height, width, 3)[::-1])


def _renderer_name(window: vtkRenderWindow) -> str:
    lines = window.ReportCapabilities().splitlines()
    return next((line.partition(NAMED)[2].strip() for line in lines if NAMED in line.lower()), "")
