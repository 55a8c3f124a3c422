"""The widget that shows a scene: mouse and wheel move the camera, clicks pick, projection both ways."""

from __future__ import annotations

from collections import deque
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ..widgets import theme
from ..widgets.refresh import Turn
from .scene import Scene
from .surfaces import Surface, chosen, make_surface

CLICK = 4.0  # px the mouse may move in a click
TURN = 0.008  # rad a pixel
REST = 300  # ms without a new picture until it is drawn finely
WHEEL = 0.85  # factor of the distance for one notch
AIM = QEvent.Type(QEvent.registerEventType())
FINER = 5.0  # times as long as a picture takes it with smooth edges, while that has not been measured
STILL = 0.15  # s that are not felt in a view that rests
STILL_LONG = 0.035  # s, with a long train: its first picture takes twice as long, and panels fill after it
AT_ONCE = 100  # bodies of a train that are new to a picture, or in it, without its being felt to be late


class SceneView(QWidget):
    """A scene on screen. It draws only when asked: call `redraw`.

    The scene and the surface that shows it are made when `scene` is first asked for: what they import takes longer
    than the rest of the window. Until then the view is empty; `awake`: it has been painted once.

    clicked(x, y, modifiers), double_clicked(x, y), menu_wanted(x, y): in pixels of the widget; aiming: the camera is
    about to be set; aimed: it stands as it will in the next picture; painted(seconds): after every picture, with the
    time it took.
    """

    awake = Signal()
    clicked = Signal(float, float, object)
    double_clicked = Signal(float, float)
    menu_wanted = Signal(float, float)
    aiming = Signal()
    aimed = Signal()
    painted = Signal(float)
    turned = Signal()  # a hand has moved the camera

    def __init__(self, wanted: str = "auto", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMouseTracking(True)
        self.kind = chosen(wanted)
        self._surface: Surface | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        # A window that gets its first OpenGL widget while it is shown would be made anew by Qt, and flash.
        self._holder = QOpenGLWidget(self) if self.kind == "interactor" else None
        self.refines = False  # a picture that stands still is drawn again with smooth edges
        self._smoothed = 0  # times so far, of which the first gets ready for it, too, and does not count
        self._smoothing = 0.0  # s a pixel that it took beyond a picture without, the last time
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._refine)
        self._turn = Turn(self, self._aim)
        self.frame_times: deque[float] = deque(maxlen=40)
        self.is_awake = False
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._moved = False
        self._gone = False
        self._asked = False  # a picture waits for the camera

    # -- drawing

    @cached_property
    def scene(self) -> Scene:
        """What is shown."""
        surface = make_surface(self.kind, self)
        self._surface = surface
        self._layout.addWidget(surface)  # type: ignore[arg-type]
        surface.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # type: ignore[attr-defined]
        surface.drawn.connect(self._on_drawn)
        if self._holder is not None:
            self._holder.deleteLater()
        self._wake()
        made = Scene(surface.plotter, theme.current())
        made.train.at_once = AT_ONCE
        return made

    def change(self, wanted: str) -> None:
        """Show another scene, still empty, with another kind of surface."""
        if self._surface is not None:
            self._layout.removeWidget(self._surface)  # type: ignore[arg-type]
            self._surface.shut()
            self._surface.deleteLater()  # type: ignore[attr-defined]
        self.kind, self._surface, self._holder = chosen(wanted), None, None
        self.__dict__.pop("scene", None)

    @property
    def ready(self) -> bool:
        """Whether the scene is there."""
        return self._surface is not None

    @property
    def is_long(self) -> bool:
        """Whether a picture takes long, for its train: it has a turn of its own."""
        return self.ready and len(self.scene.train.members) > AT_ONCE

    def redraw(self) -> None:
        """Ask for a new picture: one, however many ask for it before it is drawn."""
        if self._surface is not None and not self._gone and not self._asked:
            self._asked = True
            if self.is_long:
                self._turn.soon()  # the window has its turn before each picture
            else:
                QCoreApplication.postEvent(self, QEvent(AIM))  # comes before the window is painted

    def customEvent(self, event: QEvent) -> None:
        if event.type() == AIM:
            self._aim()

    def _aim(self) -> None:
        """Set the camera for the picture that was asked for."""
        self._asked = False
        if self._surface is not None and not self._gone:
            self._surface.apart = self.is_long
            self.aiming.emit()
            self.scene.apply_camera()
            self.scene.train.show_more()
            self.aimed.emit()
            if self.refines:
                self.scene.refine(False)
                self._rest.start()
            self._surface.redraw()

    @property
    def _pixels(self) -> float:
        """How many pixels the view has on the screen."""
        return float(max(1, self.width() * self.height())) * self.devicePixelRatioF() ** 2

    def _smooth_time(self, plain: float) -> float:
        """How long (s) a picture with smooth edges will take, when one without took as long as said."""
        return plain + self._smoothing * self._pixels if self._smoothed > 1 else FINER * plain

    def _refine(self) -> None:
        most = STILL_LONG if self.is_long else STILL
        if self.frame_times and self._smooth_time(self.frame_times[-1]) > most:
            return  # the window would be felt to stand still
        if self._surface is not None and not self._gone and self._surface.pixel_scale == 1.0:
            self.scene.refine(True)
            self._surface.redraw()

    def picture(self) -> QImage:
        """The scene with all its pixels, in device pixels."""
        scene = self.scene
        assert self._surface is not None
        if not self._gone:
            scene.train.show_more(whole=True)
            self.aiming.emit()
            scene.apply_camera()
        return self._surface.picture()

    @property
    def pixel_scale(self) -> float:
        """Share of the pixels across that is drawn."""
        return 1.0 if self._surface is None else self._surface.pixel_scale

    def draw_fewer(self, share: float) -> None:
        """Draw a share of the pixels across, stretched to the widget where it can do that."""
        if self._surface is not None and share != self._surface.pixel_scale:
            self._surface.pixel_scale = share
            self._surface.redraw()

    def shut(self) -> None:
        """Let go of everything in the graphics system; `picture` is the last one from then on."""
        if not self._gone:
            self._gone = True
            self._rest.stop()
            self._turn.stop()
            if self._surface is not None:
                self._surface.shut()

    def paintEvent(self, event: QPaintEvent) -> None:
        """What is seen before the scene is there."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.current().sky_bottom))
        painter.end()
        self._wake()

    def _wake(self) -> None:
        if not self.is_awake:
            self.is_awake = True
            self.awake.emit()

    def _on_drawn(self, seconds: float) -> None:
        if not self.scene.refined:
            self.frame_times.append(seconds)
        elif self.frame_times:
            self._smoothed += 1
            self._smoothing = max(0.0, seconds - self.frame_times[-1]) / self._pixels
        self.painted.emit(seconds)
        if self.scene.train.waits:
            self.redraw()

    # -- projection

    def world_to_screen(self, points: ArrayLike) -> Array:
        """Pixels (n, 2) of the widget of points (n, 3) m; nan behind the camera."""
        p = np.atleast_2d(np.asarray(points, dtype=float))
        matrix = self._projection()
        clip = np.concatenate([p, np.ones((len(p), 1))], axis=1) @ matrix.T
        w = np.where(clip[:, 3:] > 1e-9, clip[:, 3:], np.nan)
        flat = clip[:, :2] / w
        out: Array = np.stack(
            [0.5 * (flat[:, 0] + 1.0) * self.width(), 0.5 * (1.0 - flat[:, 1]) * self.height()], axis=1
        )
        return out

    def ray(self, x: float, y: float) -> tuple[Array, Array]:
        """Origin (3,) m and direction (3,), unit, of what lies under a pixel of the widget."""
        inverse = np.linalg.inv(self._projection())
        u, v = 2.0 * x / max(self.width(), 1) - 1.0, 1.0 - 2.0 * y / max(self.height(), 1)
        ends = np.array([[u, v, -1.0, 1.0], [u, v, 0.5, 1.0]]) @ inverse.T
        near, far = ends[0, :3] / ends[0, 3], ends[1, :3] / ends[1, 3]
        direction = far - near
        return near, direction / np.linalg.norm(direction)

    def _projection(self) -> Array:
        self.aiming.emit()
        self.scene.apply_camera()
        camera = self.scene.camera
        aspect = max(self.width(), 1) / max(self.height(), 1)
        m = camera.GetCompositeProjectionTransformMatrix(aspect, -1.0, 1.0)
        return np.array([[m.GetElement(i, j) for j in range(4)] for i in range(4)])

    # -- mouse and keys: the camera is ours, VTK's own interaction stays out

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.position()
        self._last = event.position()
        self._moved = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        here = event.position()
        if not self._moved and (here - self._pressed).manhattanLength() < CLICK:
            return
        self._moved = True
        step = here - self._last
        self._last = here
        buttons = event.buttons()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if buttons & Qt.MouseButton.LeftButton and not shift:
            self.scene.rig.rotate(TURN * step.x(), TURN * step.y())
        else:
            size = 0.5 * max(self.height(), 1) / np.tan(np.radians(20.0))
            self.scene.rig.pan(step.x() / size, -step.y() / size)
        self._after_move()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or self._moved:
            return
        here = event.position()
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(here.x(), here.y(), event.modifiers())
        elif event.button() == Qt.MouseButton.RightButton:
            self.menu_wanted.emit(here.x(), here.y())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pressed = None
        if event.button() == Qt.MouseButton.LeftButton:
            self.double_clicked.emit(event.position().x(), event.position().y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.scene.rig.zoom(WHEEL**notches, self._under(event.position()))
            self._after_move()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # shortcuts belong to the window

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def enterEvent(self, event: QEvent) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        event.ignore()

    def _after_move(self) -> None:
        self.turned.emit()
        self.redraw()

    def _under(self, place: QPointF) -> Array | None:
        """The point under the mouse at the distance of what is looked at (m)."""
        rig = self.scene.rig
        if rig.mode not in ("orbit", "top"):
            return None
        focus = rig.focus if rig.mode == "orbit" else rig.top_focus
        origin, direction = self.ray(place.x(), place.y())
        ahead = np.array(self.scene.camera.direction)
        slope = float(direction @ ahead)
        return focus if slope < 1e-3 else origin + direction * float((focus - origin) @ ahead) / slope
