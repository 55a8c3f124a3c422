"""Two widgets that show the picture of a plotter, and which of them is the better one here.

`Painted` draws off screen and paints the picture like any image: nothing of the window is composed by OpenGL, which
takes longer than the drawing itself where a processor does it. `Interactor` is pyvistaqt's: the picture stays in the
graphics processor and is not read back. Measurements: resources/guide/developing/viewer.md.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, Protocol

from PySide6.QtCore import QCoreApplication, QRectF, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QImage, QOffscreenSurface, QOpenGLContext, QPainter, QPaintEvent, QSurfaceFormat
from PySide6.QtWidgets import QWidget

from .actors import scale_strokes
from .off_screen import OffScreen

if TYPE_CHECKING:
    import pyvista as pv

Kind = Literal["painted", "interactor"]
SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "software")  # OpenGL drawn by a processor
GL_RENDERER: Final = 0x1F01


class Surface(Protocol):
    """A widget that shows what its plotter draws. drawn(seconds): after every picture, with the time it took."""

    plotter: pv.BasePlotter
    drawn: SignalInstance
    pixel_scale: float  # share of the widget's pixels that is drawn, where the widget can stretch them
    apart: bool  # a picture takes long: no layout waits for one of another size, it comes after

    def redraw(self) -> None:
        """Ask for a picture of the scene as it is now."""

    def picture(self) -> QImage:
        """The scene with all its pixels, in device pixels; the last picture after `shut`."""

    def shut(self) -> None:
        """Let go of the graphics system; the widget stays empty."""


def prepare() -> None:
    """What both widgets need before there is a QApplication: contexts that survive a dock's floating, OpenGL 3.2."""
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    wanted = QSurfaceFormat()
    wanted.setRenderableType(QSurfaceFormat.RenderableType.OpenGL)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setVersion(3, 2)
    wanted.setAlphaBufferSize(8)
    QSurfaceFormat.setDefaultFormat(wanted)


@cache
def graphics() -> str:
    """What draws for Qt, as OpenGL names it; empty where there is no OpenGL.

    It may be asked for while a widget draws: the context of the widget is current again afterwards.
    """
    current = QOpenGLContext.currentContext()
    context, surface = QOpenGLContext(), QOffscreenSurface()
    surface.create()
    if not (context.create() and surface.isValid() and context.makeCurrent(surface)):
        return ""
    name = context.functions().glGetString(GL_RENDERER)
    context.doneCurrent()
    if current is not None:
        current.makeCurrent(current.surface())
    return str(name or "")


def drawn_by_processor() -> bool:
    """Whether a processor draws, for want of a graphics processor."""
    name = graphics().lower()
    return not name or any(word in name for word in SOFTWARE)


def chosen(wanted: str) -> Kind:
    """The widget a person wants ("painted", "interactor"), or the better one here ("auto")."""
    if wanted in ("painted", "interactor"):
        return wanted  # type: ignore[return-value]
    return "painted" if drawn_by_processor() else "interactor"


def make_surface(kind: Kind, parent: QWidget) -> Surface:
    """A widget of a kind."""
    if kind == "painted":
        return Painted(parent)
    from .interactor import Interactor  # brings pyvistaqt

    return Interactor(parent)


class Painted(QWidget):
    """Paints the picture of an off-screen plotter, drawn when there is a new one to be painted."""

    drawn = Signal(float)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._screen: OffScreen | None = OffScreen()
        self.plotter: pv.BasePlotter = self._screen.plotter
        self.pixel_scale, self.apart = 1.0, False
        self._stale = True  # the picture is not of the scene as it is now
        self._image = QImage()
        self._share = 1.0  # for which lines and dots are drawn
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self.redraw)

    def redraw(self) -> None:
        self._stale = True
        self.update()

    def picture(self) -> QImage:
        return self._image.copy() if self._screen is None else self._draw(self._screen, 1.0, None)

    def shut(self) -> None:
        screen, self._screen = self._screen, None
        if screen is not None:
            screen.close()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene if it has changed, and paint the part of the picture that is asked for."""
        resized = self._size(self.pixel_scale) != self._image.size().toTuple()
        later = self.apart and not self._stale and not self._image.isNull()
        if self._screen is not None and resized and later:
            self._turn.start()
        elif self._screen is not None and (self._stale or resized):
            self._stale = False
            start = time.perf_counter()
            self._image = self._draw(self._screen, self.pixel_scale, self._image)
            self.drawn.emit(time.perf_counter() - start)
        painter = QPainter(self)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self.pixel_scale < 1.0)
        place = QRectF(self.rect())
        if resized and later:  # what stays in the middle of the picture is there already
            painter.fillRect(place, self._image.pixelColor(0, self._image.height() - 1))
            wide = place.height() * self._image.width() / self._image.height()
            place.adjust(0.5 * (place.width() - wide), 0.0, -0.5 * (place.width() - wide), 0.0)
        painter.drawImage(place, self._image)
        painter.end()

    def _draw(self, screen: OffScreen, scale: float, image: QImage | None) -> QImage:
        width, height = self._size(scale)
        share = width / max(1, self.width())  # pixels of the picture to one of an ordinary screen
        screen.resize(width, height, share)
        if share != 1.0 or self._share != 1.0:
            scale_strokes(self.plotter.renderer, share)
            self._share = share
        return screen.draw(image)

    def _size(self, scale: float) -> tuple[int, int]:
        share = scale * self.devicePixelRatioF()
        return max(1, round(share * self.width())), max(1, round(share * self.height()))
