"""The largest stress of a run beside that of load cases: a body as drawn, once for each, in the same colours and from
the same side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ...core.base.arrays import Array
from ..view3d.actors import add, make_actor, remove, scale_strokes
from ..view3d.colouring import colour_map
from ..view3d.flexible_layer import DOT, MARK, WIDE_DOT, put_colours
from ..view3d.mesh import dots, overwrite, rewritten, rgb, surface
from ..view3d.off_screen import OffScreen
from ..widgets import theme, units

if TYPE_CHECKING:
    import pyvista as pv

    from ...core.structure.skin import Skin
    from ...core.structure.surface import Surface

FROM = math.radians(-55.0), math.radians(22.0)  # azimuth and elevation from where it is seen first
STEEPEST = math.radians(89.0)
ROOM = 1.1  # of the picture that a body leaves free around it
TURN = math.radians(0.5)  # a pixel of a drag
STEP = 20.0  # pixels that a key stands for
CLICK = 4.0  # pixels a press may move and still be a click
REACH = 14.0  # pixels from a click to the spot that it means
ZOOM = 1.15  # a notch of the wheel
GAP, BAR = 6, 8  # px between pictures; height of the bar of colours
KEYS = {
    Qt.Key.Key_Left: (-STEP, 0.0), Qt.Key.Key_Right: (STEP, 0.0), Qt.Key.Key_Up: (0.0, -STEP),
    Qt.Key.Key_Down: (0.0, STEP),
}  # fmt: skip
NO_SCREEN = "This machine draws no pictures beside the 3D view; see the columns of the table, or Envelope."


class Picture(NamedTuple):
    """The two lines over a picture, and the stress (points,) Pa that it shows."""

    title: str
    figures: str
    stress: Array


class CasePictures(QWidget):
    """Pictures beside one another; a drag turns them together, the wheel makes them larger. `picked`: the place (3,) m
    as drawn of the point that was clicked."""

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Largest stress of run and load cases")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            "Drag or arrow keys: turn. Wheel: larger or smaller. Click: its history and the table's row."
        )
        self.pictures: tuple[Picture, ...] = ()
        self.why = ""
        self.images: list[QImage] = []
        self._of: Skin | Surface | None = None
        self._points: Array = np.zeros((0, 3))
        self._screen: OffScreen | None = None
        self._mesh: tuple[pv.PolyData, pv.Actor] | None = None
        self._dot: tuple[pv.PolyData, pv.Actor] | None = None
        self._marked: Array | None = None
        self._look, self._zoom = FROM, 1.0
        self._pressed: QPointF | None = None
        self._moved = False
        # several changes are one drawing, which is never made while something is painted
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._draw)

    # -- what is shown

    def say(self, why: str) -> None:
        """Show a sentence in place of pictures."""
        self.pictures, self.images, self.why = (), [], why
        self.update()

    def show_cases(self, outside: Skin | Surface, pictures: Sequence[Picture], marked: Array | None) -> None:
        """Show a body in the colours of stresses at its points; marked: a place (3,) m on it, or None."""
        if outside is not self._of:
            self._of, self._points = outside, np.asarray(outside.points, dtype=np.float64)
            self._look, self._zoom = FROM, 1.0
            self._forget_mesh()
        self.pictures, self.why, self._marked = tuple(pictures), "", marked
        self._soon.start()

    def restyle(self) -> None:
        """Draw again in the colours of the theme."""
        self._forget_mesh()
        self._soon.start()

    def shutdown(self) -> None:
        """Let go of the graphics system."""
        self._soon.stop()
        self._mesh = self._dot = None
        if self._screen is not None:
            self._screen.close()
            self._screen = None

    @property
    def most(self) -> float:
        """The largest stress of all pictures, Pa."""
        return max((float(one.stress.max(initial=0.0)) for one in self.pictures), default=0.0)

    # -- where it is

    def tiles(self) -> list[QRect]:
        """Where the pictures are, titles not in them: in as many columns as make the body largest."""
        count, room = len(self.pictures), self.rect().adjusted(GAP, GAP, -GAP, -GAP - BAR - self._line())
        wide, high = self._extent()
        best, tiles = 0.0, []
        for columns in range(1, count + 1):
            rows = -(-count // columns)
            w = (room.width() - GAP * (columns - 1)) // columns
            h = (room.height() - GAP * (rows - 1)) // rows - self._head()
            if min(w, h) < 1 or (size := min(w / wide, h / high)) <= best:
                continue
            best = size
            tiles = [
                QRect(
                    room.x() + (k % columns) * (w + GAP),
                    room.y() + (k // columns) * (h + self._head() + GAP) + self._head(), w, h,
                )
                for k in range(count)
            ]  # fmt: skip
        return tiles

    def _line(self) -> int:
        return QFontMetrics(self.font()).height() + 2

    def _head(self) -> int:
        """Room over a picture."""
        return 2 * self._line()

    def _axes(self) -> tuple[Array, Array, Array]:
        """To the right, up, and towards the eye: unit vectors of what is seen."""
        azimuth, elevation = self._look
        level = math.cos(elevation)
        towards = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)])
        right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
        return right, np.cross(towards, right), towards

    def _extent(self) -> tuple[float, float]:
        """Width and height (m) of the body as seen."""
        right, up, _ = self._axes()
        if not len(self._points):
            return 1.0, 1.0
        wide, high = (max(float(np.ptp(self._points @ axis)), 1e-6) for axis in (right, up))
        return wide, high

    def _middle(self) -> Array:
        """The middle (3,) m of what is seen."""
        axes = np.array(self._axes())
        seen = self._points @ axes.T
        middle: Array = 0.5 * (seen.min(axis=0) + seen.max(axis=0)) @ axes
        return middle

    def _scale(self, tile: QRect) -> float:
        """Pixels a metre."""
        wide, high = self._extent()
        return self._zoom * min(tile.width() / wide, tile.height() / high) / ROOM

    def place_at(self, at: QPointF) -> Array | None:
        """The place (3,) m of the foremost point near a pixel of a picture; None where there is none."""
        tile = next((tile for tile in self.tiles() if tile.contains(at.toPoint())), None)
        if tile is None or not len(self._points):
            return None
        right, up, towards = self._axes()
        from_middle, scale = self._points - self._middle(), self._scale(tile)
        centre = QRectF(tile).center()
        x = centre.x() + scale * (from_middle @ right) - at.x()
        y = centre.y() - scale * (from_middle @ up) - at.y()
        near = np.flatnonzero(np.hypot(x, y) < REACH)
        if not len(near):
            return None
        depth = from_middle[near] @ towards
        front = near[depth > depth.max() - REACH / scale]
        nearest: Array = self._points[front[np.argmin(np.hypot(x[front], y[front]))]]
        return nearest

    # -- drawing

    def _draw(self) -> None:
        """Draw the pictures anew and paint them."""
        tiles = self.tiles()
        if not self.pictures or not tiles or self._of is None:
            self.images = []
        elif (screen := self._ready()) is None:
            self.say(NO_SCREEN)
            return
        else:
            share = self.devicePixelRatioF()
            size = tiles[0].size() * share
            screen.resize(size.width(), size.height(), share)
            self._aim(screen.plotter, tiles[0])
            scale_strokes(screen.plotter.renderer, share)
            colours = colour_map(signed=False, light=theme.current().name == "light")
            assert self._mesh is not None
            self.images = []
            for one in self.pictures:
                put_colours(self._mesh[0], one.stress, max(self.most, 1e-12), colours)
                rewritten(self._mesh[0])
                self.images.append(screen.draw())
        self.update()

    def _ready(self) -> OffScreen | None:
        """The plotter with the body in it; None where nothing can be drawn."""
        if self._screen is None:
            import pyvista as pv

            self._screen = OffScreen(samples=4)
            light = pv.Light(
                position=(0.35, 0.75, 1.0), focal_point=(0.0, 0.0, 0.0), light_type="camera light"
            )
            self._screen.plotter.add_light(light)
            self._screen.plotter.camera.parallel_projection = True
        if not self._screen.works:
            return None
        plotter = self._screen.plotter
        plotter.set_background(theme.current().base)  # type: ignore[arg-type]
        if self._mesh is None and self._of is not None:
            plain = np.zeros((len(self._of.points), 3), dtype=np.uint8)
            if len(self._of.faces):
                normals = getattr(self._of, "normals", None)
                mesh = surface(self._of.points, self._of.faces, normals=normals, colours=plain)
                self._mesh = mesh, make_actor(mesh)
            else:
                mesh = dots(self._of.points, plain)
                self._mesh = mesh, make_actor(mesh, lit=False, width=DOT)
            add(plotter, self._mesh[1])
        if self._dot is None:
            dot = dots(np.zeros((1, 3)), [rgb(MARK)])
            self._dot = dot, make_actor(dot, lit=False, width=WIDE_DOT)
            add(plotter, self._dot[1])
        self._dot[1].visibility = self._marked is not None
        if self._marked is not None:
            _, _, towards = self._axes()
            # before all of it, so that it is never hidden: seen without perspective it stays where it is
            ahead = float(np.linalg.norm(np.ptp(self._points, axis=0)))
            overwrite(self._dot[0].points, self._marked + ahead * towards)
            rewritten(self._dot[0])
        return self._screen

    def _aim(self, plotter: pv.Plotter, tile: QRect) -> None:
        """Look at the body so that it fills a picture."""
        _, up, towards = self._axes()
        middle, far = self._middle(), 2.0 * float(np.linalg.norm(np.ptp(self._points, axis=0))) + 1e-3
        camera = plotter.camera
        camera.position, camera.focal_point, camera.up = middle + far * towards, middle, up
        camera.parallel_scale = 0.5 * tile.height() / self._scale(tile)
        camera.clipping_range = 0.01 * far, 3.0 * far

    def _forget_mesh(self) -> None:
        if self._screen is not None and self._mesh is not None:
            remove(self._screen.plotter, self._mesh[1])
        self._mesh = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours, painter = theme.current(), QPainter(self)
        painter.fillRect(self.rect(), QColor(colours.base))
        if not self.pictures:
            painter.setPen(QColor(colours.muted))
            inside = self.rect().adjusted(24, 8, -24, -8)
            painter.drawText(inside, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.why)
            return
        line, metrics = self._line(), QFontMetrics(self.font())
        for tile, one, image in zip(self.tiles(), self.pictures, self.images, strict=False):
            painter.drawImage(tile, image)
            for above, text, colour in ((2, one.title, colours.muted), (1, one.figures, colours.text)):
                painter.setPen(QColor(colour))
                shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, tile.width())
                where = QRect(tile.x(), tile.y() - above * line, tile.width(), line)
                painter.drawText(
                    where, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown
                )
        self._paint_bar(painter, line)

    def _paint_bar(self, painter: QPainter, line: int) -> None:
        """What the colours mean, below the pictures."""
        colours = theme.current()
        room = QRect(GAP, self.height() - line - GAP // 2, self.width() - 2 * GAP, line)
        low, high = "Von Mises stress 0", units.text(self.most, "MPa")
        painter.setPen(QColor(colours.muted))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), low)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), high)
        metrics = QFontMetrics(self.font())
        left, right = (metrics.horizontalAdvance(text) + GAP for text in (low, high))
        bar = QRect(room.x() + left, room.center().y() - BAR // 2, max(room.width() - left - right, 1), BAR)
        ramp = QLinearGradient(QPointF(bar.topLeft()), QPointF(bar.topRight()))
        shown = colour_map(signed=False, light=colours.name == "light")
        for share in np.linspace(0.0, 1.0, 9):
            ramp.setColorAt(float(share), QColor(*(int(c) for c in shown[round(255 * share)])))
        painter.fillRect(bar, ramp)

    # -- the hand

    def _turn(self, x: float, y: float) -> None:
        azimuth, elevation = self._look
        self._look = azimuth - TURN * x, float(np.clip(elevation + TURN * y, -STEEPEST, STEEPEST))
        self._soon.start()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._soon.start()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        by = event.position() - self._pressed
        if self._moved or math.hypot(by.x(), by.y()) > CLICK:
            self._moved, self._pressed = True, event.position()
            self._turn(by.x(), by.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or self._moved or event.button() != Qt.MouseButton.LeftButton:
            return
        place = self.place_at(event.position())
        if place is not None:
            self.picked.emit(place)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._zoom = float(np.clip(self._zoom * ZOOM ** (event.angleDelta().y() / 120.0), 0.3, 20.0))
        self._soon.start()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = KEYS.get(Qt.Key(event.key()))
        if by is None:
            super().keyPressEvent(event)
        else:
            self._turn(*by)
