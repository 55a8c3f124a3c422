"""pyvistaqt's widget as a surface of the view: OpenGL composes the window, and no picture is read back."""

from __future__ import annotations

import time

import pyvista as pv
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pyvistaqt import QtInteractor

from .actors import scale_strokes


class Interactor(QtInteractor):
    """Tuned as measured: no samples, no timer, our own light; a picture only when one is asked for.

    The camera is the rig's: mouse and keys go to the widget around this one, not to VTK's styles.
    """

    drawn = Signal(float)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, multi_samples=0, auto_update=False, lighting="none")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAcceptDrops(False)  # files dropped on the view are the window's
        self.plotter: pv.BasePlotter = self
        self.pixel_scale, self.apart = 1.0, False
        self._last = QImage()
        self._shut = False
        self._share = 1.0

    def redraw(self) -> None:
        self.update()

    def picture(self) -> QImage:
        return self._last.copy() if self._shut else self.grabFramebuffer()

    def shut(self) -> None:
        if not self._shut:
            self._last, self._shut = self.grabFramebuffer(), True
            self.hide()
            self.close()

    def paintGL(self) -> None:
        if self._shut:
            return
        share = self.devicePixelRatioF()
        if share != self._share:
            scale_strokes(self.renderer, share)
            self._share = share
        start = time.perf_counter()
        super().paintGL()
        self.drawn.emit(time.perf_counter() - start)
