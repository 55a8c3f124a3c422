"""A plot with a curve and control points that can be picked and dragged, used by profile and plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QLabel

from ...core.base.arrays import Array
from ..plots.ticks import dress
from ..widgets import theme

REACH = 9.0  # px around a point within which it is picked
POINT, SMALL, PICKED = 6, 4, 10  # px
CURVE = 2  # px


class _Box(pg.ViewBox):
    """Mouse: drag a point, drag the background to move, Shift to draw a band, wheel to zoom."""

    def __init__(self, plot: PointPlot) -> None:
        super().__init__(enableMenu=False)
        self._plot = plot
        self._mode = ""

    def mouseDragEvent(self, ev: Any, axis: int | None = None) -> None:
        ev.accept()
        if ev.isStart():
            self._mode = self._chosen_mode(ev)
        if self._mode == "point":
            self._plot.point_dragged(self.mapSceneToView(ev.scenePos()), ev.modifiers(), ev.isFinish())
        elif self._mode == "band":
            self._band(ev)
        else:
            before, now = self.mapToView(ev.lastPos()), self.mapToView(ev.pos())
            self.translateBy(x=before.x() - now.x(), y=before.y() - now.y() if self._plot.free_y else 0.0)
            self._plot.moved_by_hand = True

    def _chosen_mode(self, ev: Any) -> str:
        if ev.button() != Qt.MouseButton.LeftButton:
            return "move"
        if self._plot.begin_drag(ev.buttonDownScenePos(), ev.modifiers()):
            return "point"
        return "band" if ev.modifiers() & Qt.KeyboardModifier.ShiftModifier else "move"

    def _band(self, ev: Any) -> None:
        a = self.mapSceneToView(ev.buttonDownScenePos())
        b = self.mapSceneToView(ev.scenePos())
        area = QRectF(a, b).normalized()
        if ev.isFinish():
            self.rbScaleBox.hide()
            self._plot.band_drawn(area)
            return
        box = self.childGroup.mapRectFromParent(self.mapRectFromView(area))
        self.rbScaleBox.setPos(box.topLeft())
        self.rbScaleBox.setTransform(pg.QtGui.QTransform.fromScale(box.width(), box.height()))
        self.rbScaleBox.show()

    def mouseClickEvent(self, ev: Any) -> None:
        ev.accept()
        if ev.button() == Qt.MouseButton.LeftButton:
            self._plot.clicked_at(ev.scenePos(), ev.modifiers(), ev.double())
        elif ev.button() == Qt.MouseButton.RightButton:
            self._plot.menu_wanted.emit(ev.scenePos(), ev.screenPos().toPoint())

    def wheelEvent(self, ev: Any, axis: int | None = None) -> None:
        scale = 1.02 ** (ev.delta() * self.state["wheelScaleFactor"])
        both = self._plot.free_y or bool(ev.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self.scaleBy(x=scale, y=scale if both else None, center=self.mapToView(ev.pos()))
        self._plot.moved_by_hand = True
        ev.accept()


class _UnitAxis(pg.AxisItem):
    """An axis that writes its unit behind every number, which takes less room than a title."""

    unit = ""
    name = ""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        texts: list[str] = super().tickStrings(values, scale, spacing)
        lead = f"{self.name} " if self.name else ""
        return [f"{lead}{text} {self.unit}".rstrip() for text in texts]


class Dots(pg.ScatterPlotItem):
    """Dots that leave the mouse to the plot below them."""

    def mouseClickEvent(self, ev: Any) -> None:
        ev.ignore()


class PointPlot(pg.PlotWidget):
    """Curve and points; positions are in shown units throughout.

    picked(number or None, modifiers, place): a click on a point or the background; double_clicked(place);
    band(numbers): points inside a drawn band; hovered(QPointF or None); menu_wanted(scene place, screen place).
    Dragging is asked from `drag_begun(number) -> bool`, then told to `drag_moved(dx, dy, modifiers)` and
    `drag_ended(done)`; all three are set by the owner.
    """

    picked = Signal(object, object, object)
    double_clicked = Signal(object)
    band = Signal(object)
    hovered = Signal(object)
    menu_wanted = Signal(object, object)

    def __init__(self, title: str, *, free_y: bool, least_height: int = 72) -> None:
        """title: what it shows, for people who cannot see it; free_y: the wheel zooms and drags move both axes."""
        self.free_y = free_y
        self.moved_by_hand = False
        self._least = least_height
        super().__init__(viewBox=_Box(self), axisItems={"bottom": _UnitAxis("bottom")})
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.points: Array = np.zeros((0, 2))
        self.drag_begun: Callable[[int], bool] = lambda _number: False
        self.drag_moved: Callable[[float, float, Any], None] = lambda _dx, _dy, _modifiers: None
        self.drag_ended: Callable[[bool], None] = lambda _done: None
        self._from: QPointF | None = None
        self.curve = pg.PlotCurveItem(antialias=True)
        self._plain, self._hollow, self._picked = (Dots(pxMode=True) for _ in range(3))
        item = self.getPlotItem()
        item.hideButtons()
        item.setContentsMargins(0, 4, 8, 0)
        item.addItem(self.curve)
        for k, dots in enumerate((self._plain, self._hollow, self._picked)):
            dots.setZValue(10 + k)
            item.addItem(dots)
        item.showGrid(x=True, y=True, alpha=1.0)
        item.disableAutoRange()
        self.setMinimumHeight(least_height)
        self.scene().sigMouseMoved.connect(self._mouse_moved)
        self._caption = QLabel("", self)
        self._caption.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._caption.hide()
        self.restyle()

    def sizeHint(self) -> QSize:
        return QSize(320, self._least + 24)

    # -- looks

    def restyle(self) -> None:
        """Take the colours of the theme."""
        c = theme.current()
        dress(self)
        self._caption.setStyleSheet(
            f"background: {c.base}; color: {c.text}; padding: 0 4px; font-weight: 600;"
        )
        for name in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(name)
            axis.enableAutoSIPrefix(False)
            axis.setStyle(maxTickLevel=0)
            axis.setZValue(-1)
        self.curve.setPen(pg.mkPen(c.accent, width=CURVE))
        for dots, size, brush, pen in (
            (self._plain, POINT, c.text, c.base),
            (self._hollow, POINT, c.base, c.text),
            (self._picked, PICKED, c.highlight, c.base),
        ):
            dots.setSize(size)
            dots.setBrush(pg.mkBrush(QColor(brush)))
            dots.setPen(pg.mkPen(QColor(pen), width=1))

    def label(self, side: str, text: str) -> None:
        """Name an axis, unit included; "" takes the name away."""
        axis = self.getPlotItem().getAxis(side)
        if text:
            axis.setLabel(text, color=theme.current().muted)
            if side == "left":  # it is written a little beyond the axis
                over = self.getPlotItem().layout.getContentsMargins()[1]
                self.getPlotItem().setContentsMargins(6, over, 8, 0)
        axis.showLabel(bool(text))

    def clear_of_each_other(self, items: Sequence[pg.TextItem]) -> None:
        """Show of some texts, in their order, only those that lie neither over an earlier one nor over the caption."""
        metrics = QFontMetricsF(self.font())
        (x0, x1), (y0, y1) = self.getViewBox().viewRange()
        box = self.getViewBox().boundingRect()
        corner = self.mapFromScene(self.getViewBox().sceneBoundingRect().topLeft())
        caption = QRectF(self._caption.geometry().translated(-corner))
        taken = [] if self._caption.isHidden() else [caption]
        for item in items:
            at, anchor = item.pos(), item.anchor
            wide, high = metrics.horizontalAdvance(item.toPlainText()) + 8.0, metrics.height() + 2.0
            u = (at.x() - x0) / (x1 - x0) * box.width()
            v = (1.0 - (at.y() - y0) / (y1 - y0)) * box.height()
            area = QRectF(u - anchor.x() * wide, v - anchor.y() * high, wide, high)
            inside = area.left() >= -1.0 and area.right() <= box.width() + 2.0 and area.top() >= -4.0
            free = inside and not any(area.intersects(other) for other in taken)
            item.setVisible(free)
            if free:
                taken.append(area)

    def set_caption(self, text: str) -> None:
        """Name what is drawn, unit included, above the upper right corner."""
        self._caption.setText(text)
        self._caption.setVisible(bool(text))
        self._place_caption()
        left, _, right, low = self.getPlotItem().layout.getContentsMargins()
        over = self._caption.height() + 4 if text else 4  # a curve never runs behind its caption
        self.getPlotItem().setContentsMargins(left, over, right, low)

    def _place_caption(self) -> None:
        self._caption.adjustSize()
        self._caption.move(self.width() - self._caption.width() - 12, 2)

    def resizeEvent(self, ev: Any) -> None:
        super().resizeEvent(ev)
        if hasattr(self, "_caption"):  # the base class resizes while it is being built
            self._place_caption()

    def bottom_unit(self, unit: str, name: str = "") -> None:
        """Write a unit behind the numbers of the lower axis, and a short name before them."""
        axis = self.getPlotItem().getAxis("bottom")
        if (axis.unit, axis.name) != (unit, name):
            axis.unit, axis.name = unit, name
            axis.picture = None
            axis.update()

    def show_points(self, points: Array, selected: Sequence[int], hollow: Sequence[int] = ()) -> None:
        """Draw control points (n, 2); the selected are larger, hollow ones are there but not set."""
        self.points = points
        there = np.all(np.isfinite(points), axis=1)
        picked, empty = np.zeros(len(points), dtype=bool), np.zeros(len(points), dtype=bool)
        picked[list(selected)] = True
        empty[list(hollow)] = True
        size = self._fitting_size()
        self._plain.setSize(size)
        self._hollow.setSize(size)
        # three sets of equal dots are drawn much faster than dots that each have their own looks
        for dots, mask in (
            (self._plain, ~picked & ~empty),
            (self._hollow, ~picked & empty),
            (self._picked, picked),
        ):
            dots.setData(pos=points[there & mask])

    def _fitting_size(self) -> int:
        """Size of the dots (px): smaller where they would hide the curve."""
        if len(self.points) < 2:
            return POINT
        at = self.scene_points()
        gaps = np.hypot(*np.diff(at, axis=0).T)
        gaps = gaps[np.isfinite(gaps)]
        return SMALL if len(gaps) and float(np.median(gaps)) < 2.0 * POINT else POINT

    # -- mouse

    def scene_points(self) -> Array:
        """Points (n, 2) in pixels of the scene."""
        (x0, x1), (y0, y1) = self.getViewBox().viewRange()
        box = self.getViewBox().sceneBoundingRect()
        u = (self.points[:, 0] - x0) / (x1 - x0)
        v = (self.points[:, 1] - y0) / (y1 - y0)
        return np.stack([box.x() + u * box.width(), box.y() + (1.0 - v) * box.height()], axis=1)

    def point_under(self, position: QPointF) -> int | None:
        """Number of the point within reach of a place of the scene, the nearest one."""
        if not len(self.points):
            return None
        at = self.scene_points()
        far = np.hypot(at[:, 0] - position.x(), at[:, 1] - position.y())
        far = np.where(np.isfinite(far), far, np.inf)
        nearest = int(np.argmin(far))
        return nearest if far[nearest] <= REACH else None

    def begin_drag(self, position: QPointF, _modifiers: Any) -> bool:
        """Begin to drag the point under a place of the scene, if there is one and its owner agrees."""
        number = self.point_under(position)
        if number is None or not self.drag_begun(number):
            return False
        self._from = self.getViewBox().mapSceneToView(position)
        return True

    def point_dragged(self, here: QPointF, modifiers: Any, done: bool) -> None:
        """Tell the owner where a dragged point has come to."""
        if self._from is None:
            return
        self.drag_moved(here.x() - self._from.x(), here.y() - self._from.y(), modifiers)
        if done:
            self._from = None
            self.drag_ended(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._from is not None:
            self._from = None
            self.drag_ended(False)
        else:
            super().keyPressEvent(event)

    def clicked_at(self, position: QPointF, modifiers: Any, double: bool) -> None:
        """Tell what was clicked."""
        number = self.point_under(position)
        there = self.getViewBox().mapSceneToView(position)
        if double and number is None:
            self.double_clicked.emit(there)
        else:
            self.picked.emit(number, modifiers, there)

    def band_drawn(self, area: QRectF) -> None:
        """Tell which points lie in a band (shown units)."""
        x, y = self.points[:, 0], self.points[:, 1]
        inside = (x >= area.left()) & (x <= area.right()) & (y >= area.top()) & (y <= area.bottom())
        self.band.emit(np.flatnonzero(inside).tolist())

    def _mouse_moved(self, position: QPointF) -> None:
        inside = self.getViewBox().sceneBoundingRect().contains(position)
        self.hovered.emit(self.getViewBox().mapSceneToView(position) if inside else None)

    def leaveEvent(self, event: Any) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)

    def fit(
        self, x: Array, y: Array, *, robust: bool = False, head: float = 0.08, side: float = 0.01
    ) -> None:
        """Show a curve as a whole; robust: without its few highest and lowest values; head, side: share left
        above it and on either side."""
        good = np.isfinite(x) & np.isfinite(y)
        if not np.any(good):
            return
        low, high = np.percentile(y[good], (1, 99)) if robust else (y[good].min(), y[good].max())
        room = 0.08 * (high - low) if high - low > 1e-9 else max(1.0, 0.1 * abs(high))
        side *= x[good].max() - x[good].min()
        box = self.getViewBox()
        top = high + max(room, head * (high - low))
        box.setRange(
            xRange=(x[good].min() - side, x[good].max() + side), yRange=(low - room, top), padding=0.0
        )
        self.moved_by_hand = False
