"""A Qt widget that shows what a VTK render window draws; Qt owns the OpenGL context, VTK draws into it.

The way of VTK's own QVTKOpenGLNativeWidget: VTK renders into its frame buffer, and painting the widget copies the
finished picture into Qt's.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (provides the OpenGL classes behind the abstract ones)
from numpy.typing import NDArray
from PySide6.QtGui import QGuiApplication, QOpenGLContext
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkGenericOpenGLRenderWindow

COLOUR_BIT, LINEAR = 0x4000, 0x2601  # GL_COLOR_BUFFER_BIT, GL_LINEAR
DRAW_FRAME_BUFFER, FIRST_ATTACHMENT = 0x8CA9, 0x8CE0
RENDERER = 0x1F01
LESS_OR_EQUAL, DEPTH_TEST, SCISSOR_TEST = 0x0203, 0x0B71, 0x0C11


class GlView(QOpenGLWidget):
    """`renderer` in `ren_win`, drawn whenever Qt paints the widget."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ren_win = vtkGenericOpenGLRenderWindow()
        self.ren_win.SetReadyForRendering(False)
        self.ren_win.SetFrameBlitModeToNoBlit()
        self.ren_win.SetMultiSamples(0)
        self.renderer = vtkRenderer()
        self.renderer.SetUseOIT(False)  # see-through parts in drawing order: without a second set of shaders
        self.ren_win.AddRenderer(self.renderer)
        self.pixel_scale = (
            1.0  # share of the widget's pixels that is drawn; the picture is stretched to the widget
        )
        self.graphics = ""  # what draws, as OpenGL names it; known once there is a picture
        self._context: QOpenGLContext | None = None
        self._watching = [
            self.ren_win.AddObserver("WindowMakeCurrentEvent", _weak(self, GlView._make_current)),
            self.ren_win.AddObserver("WindowIsCurrentEvent", _weak(self, GlView._tell_current)),
        ]
        self._finalized = False

    # -- what VTK asks of the window

    def _make_current(self) -> None:
        # Of the context, not of the widget: that would bind Qt's frame buffer in the middle of VTK's drawing.
        if self._context is not None:
            self._context.makeCurrent(self._context.surface())

    def _tell_current(self) -> None:
        now = QOpenGLContext.currentContext()
        self.ren_win.SetIsCurrent(self._context is not None and now is self._context)

    # -- what Qt asks of the widget

    def initializeGL(self) -> None:
        """Hand the fresh context to VTK."""
        self._context = self.context()
        self._context.aboutToBeDestroyed.connect(self._release)
        loader = _symbol_loader()
        if loader:
            self.ren_win.SetOpenGLSymbolLoader2(loader, 0)
        self.ren_win.OpenGLInitContext()
        self.ren_win.OpenGLInit()
        self.graphics = _renderer_name()
        self.ren_win.SetForceMaximumHardwareLineWidth(1)
        self.ren_win.SetOwnContext(0)
        self.ren_win.SetReadyForRendering(True)

    def paintGL(self) -> None:
        """Draw the scene and copy it into the widget."""
        window = self.ren_win
        if not window.GetReadyForRendering():
            return
        self._fit_size()
        state = window.GetState()
        state.Reset()  # Qt has used the context since
        state.Push()
        state.vtkglDepthFunc(LESS_OR_EQUAL)
        state.vtkglEnable(DEPTH_TEST)
        window.Render()
        self.makeCurrent()
        self._copy()
        state.Pop()

    def _copy(self) -> None:
        wide, high = self._device_size()
        drawn_wide, drawn_high = self.ren_win.GetSize()
        gl = QOpenGLContext.currentContext().extraFunctions()
        gl.glBindFramebuffer(DRAW_FRAME_BUFFER, self.defaultFramebufferObject())
        gl.glDrawBuffers(1, [FIRST_ATTACHMENT])
        self.ren_win.GetState().vtkglDisable(SCISSOR_TEST)
        gl.glDisable(SCISSOR_TEST)
        self.ren_win.BlitDisplayFramebuffer(
            0, 0, 0, drawn_wide, drawn_high, 0, 0, wide, high, COLOUR_BIT, LINEAR
        )
        # A desktop that composes windows would let shine through what is not opaque.
        gl.glColorMask(False, False, False, True)
        gl.glClearColor(0.0, 0.0, 0.0, 1.0)
        gl.glViewport(0, 0, wide, high)
        gl.glClear(COLOUR_BIT)
        gl.glColorMask(True, True, True, True)

    def picture(self) -> NDArray[np.uint8]:
        """The scene as an array (height, width, 3), in device pixels, whether or not the widget is on screen."""
        if self._context is None:
            self.grabFramebuffer()  # makes Qt create the context
        self._fit_size(1.0)
        self.makeCurrent()
        self.ren_win.Render()
        image = pixels_of(self.ren_win)
        self._fit_size()
        self.update()
        return image

    def _device_size(self) -> tuple[int, int]:
        ratio = self.devicePixelRatioF()
        return max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))

    def _fit_size(self, scale: float | None = None) -> None:
        share = self.pixel_scale if scale is None else scale
        wanted = tuple(max(1, round(share * n)) for n in self._device_size())
        if wanted != self.ren_win.GetSize():
            self.ren_win.SetSize(*wanted)
            self.ren_win.SetDPI(round(72 * share * self.devicePixelRatioF()))

    def finalize(self) -> None:
        """Let go of everything VTK holds in the graphics system; the widget draws nothing any more."""
        if self._finalized:
            return
        self._finalized = True
        self._release()
        for tag in self._watching:
            self.ren_win.RemoveObserver(tag)

    def _release(self) -> None:
        if self._context is None:
            return
        self._make_current()
        self.ren_win.Finalize()
        self.ren_win.SetReadyForRendering(False)
        self._context.doneCurrent()
        self._context = None


def pixels_of(window: object) -> NDArray[np.uint8]:
    """What a render window has drawn, as an array (height, width, 3), first row on top."""
    width, height = window.GetSize()  # type: ignore[attr-defined]
    pixels = vtkUnsignedCharArray()
    window.GetPixelData(0, 0, width - 1, height - 1, 0, pixels, 0)  # type: ignore[attr-defined]
    return np.array(vtk_to_numpy(pixels).reshape(height, width, 3)[::-1])


def _weak(view: GlView, method: Callable[[GlView], None]) -> Callable[[object, str], None]:
    """A callback that does not keep the widget alive: VTK would hold it for ever."""
    reference = weakref.ref(view)

    def call(_window: object, _event: str) -> None:
        alive = reference()
        if alive is not None:
            method(alive)

    return call


def _renderer_name() -> str:
    text = QOpenGLContext.currentContext().functions().glGetString(RENDERER)
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text or "")


def _symbol_loader() -> int:
    """Address of the function that finds OpenGL's functions on this platform; 0 leaves the choice to VTK."""
    wayland = QGuiApplication.platformName().startswith("wayland")
    names = ("libEGL.so.1", "eglGetProcAddress") if wayland else ("libGL.so.1", "glXGetProcAddressARB")
    try:
        function = getattr(ctypes.CDLL(names[0]), names[1])
    except (OSError, AttributeError):
        return 0
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)
