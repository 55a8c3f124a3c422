"""Panel "Plan": the track from above or from the side; points are dragged in the plane that is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import theme, units
from ..widgets.settings import Settings
from .curve_panel import CurvePanel
from .dragging import snap_step, snapped
from .panel import CTRL, SHIFT
from .point_plot import Dots, PointPlot
from .track_points import TrackCurves

# name, title, axes to the right and up
VIEWS = (
    ("plan", "Plan (x, y)", 0, 1),
    ("side", "Elevation (x, z)", 0, 2),
    ("front", "Elevation (y, z)", 1, 2),
)
ALL = "all"
AXES = "xyz"
HELP = (
    "Drag a point to move it and all that are selected with it. Shift while dragging keeps to one axis, Ctrl switches "
    "snapping over. Ctrl and click selects more, Shift and drag on the background selects an area. "
    "The wheel zooms, dragging the background moves."
)
EMPTY = "The track will be drawn here from above and from the side, once there is one that can be built."
NEAR = 12.0  # px
TRIANGLE = 15  # px, the mark of the running direction
HEAD, SIDE = 0.2, 0.04  # of the track, left above it for names and beside it for the mark


class _View:
    """One plane: its plot, the mark of the start, the names of the sections."""

    def __init__(self, title: str, right: int, up: int) -> None:
        self.title, self.right, self.up = title, right, up
        self.plot = PointPlot(title, free_y=True, least_height=96)
        self.plot.setToolTip(HELP)
        self.plot.setAspectLocked(True)
        self.names: list[pg.TextItem] = []
        self.start = Dots(pxMode=True, symbol="t1", size=TRIANGLE)
        self.start.setZValue(13)
        self.plot.addItem(self.start, ignoreBounds=True)
        box = self.plot.getViewBox()
        box.sigRangeChanged.connect(lambda *_: self.plot.clear_of_each_other(self.names))

    def flat(self, position: Array) -> Array:
        """Positions (n, 3) m in this plane, in shown units."""
        return units.to_shown(position[:, [self.right, self.up]], "m")

    def draw(self, curves: TrackCurves) -> None:
        """Draw the track."""
        flat = self.flat(curves.position)
        self.plot.curve.setData(flat[:, 0], flat[:, 1])
        self.plot.bottom_unit(units.label("m"), AXES[self.right])
        self.plot.label("left", f"{AXES[self.up]} ({units.label('m')})")
        self._show_start(flat)
        self._show_names(curves)

    def _show_start(self, flat: Array) -> None:
        """A triangle at the start, pointing the way the train runs."""
        k = min(8, len(flat) - 1)
        way = flat[k] - flat[0]
        self.start.setData([flat[0][0]], [flat[0][1]])
        self.start.setBrush(pg.mkBrush(QColor(theme.current().good)))
        self.start.setPen(pg.mkPen(None))
        # the symbol points up; turned to the running direction
        angle = float(np.degrees(np.arctan2(way[0], way[1])))
        symbol = pg.graphicsItems.ScatterPlotItem.Symbols["t1"]
        self.start.setSymbol(pg.QtGui.QTransform().rotate(angle).map(symbol))

    def _show_names(self, curves: TrackCurves) -> None:
        """Names of the sections at their middles."""
        names = [name for name, _s in curves.sections]
        if names != [item.toPlainText() for item in self.names]:
            for item in self.names:
                self.plot.removeItem(item)
            self.names = [pg.TextItem(name, anchor=(0.0, 1.0)) for name in names]
            for item in self.names:
                self.plot.addItem(item, ignoreBounds=True)
        starts = [s for _name, s in curves.sections]
        ends = [*starts[1:], curves.length]
        for item, s, end in zip(self.names, starts, ends, strict=True):
            k = int(np.searchsorted(curves.s, 0.5 * (s + end)))
            at = units.to_shown(curves.position[min(k, len(curves.s) - 1)], "m")
            item.setColor(theme.current().muted)
            item.setPos(float(at[self.right]), float(at[self.up]))
        self.plot.clear_of_each_other(self.names)

    def nearest(self, curves: TrackCurves, position: QPointF) -> float | None:
        """Arc length (m) of the track under a place of the plot, or None beside it."""
        flat = self.flat(curves.position)
        away = np.hypot(flat[:, 0] - position.x(), flat[:, 1] - position.y())
        k = int(np.argmin(away))
        (x0, x1), _ = self.plot.getViewBox().viewRange()
        pixel = (x1 - x0) / max(1.0, self.plot.getViewBox().width())
        return float(curves.s[k]) if away[k] < NEAR * pixel else None


class PlanPanel(CurvePanel):
    """The track in one plane, to scale."""

    ENDS = True

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(document, settings, EMPTY, parent)
        self.views = {name: _View(title, right, up) for name, title, right, up in VIEWS}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.fill_bar(self._make_choice()))
        column.addWidget(self._empty, 1)
        row = QHBoxLayout()
        row.setSpacing(4)
        for view in self.views.values():
            self._connect_view(view)
            self.add_plot(view.plot)
            row.addWidget(view.plot, 1)
        column.addLayout(row, 1)

    def _connect_view(self, view: _View) -> None:
        plot = view.plot
        plot.hovered.connect(lambda position: self._hovered(view, position))
        plot.picked.connect(lambda number, keys, position: self._picked(view, number, keys, position))
        plot.drag_begun = lambda number: self._drag_begun(view, number)
        plot.drag_moved = lambda dx, dy, keys: self._dragged_to(view, dx, dy, keys)
        plot.drag_ended = self.end_drag

    def _make_choice(self) -> QComboBox:
        self.view = QComboBox()
        self.view.setAccessibleName("View")
        self.view.addItem("Plan and elevations", ALL)
        for name, title, _right, _up in VIEWS:
            self.view.addItem(title, name)
        self.view.setCurrentIndex(max(0, self.view.findData(self.settings.value("plan/view", ALL))))
        self.view.activated.connect(self._view_chosen)
        return self.view

    def _view_chosen(self) -> None:
        self.settings.set_value("plan/view", self.view.currentData())
        self.fit()

    # -- drawing

    def shown_views(self) -> tuple[_View, ...]:
        """The planes that are shown."""
        chosen = self.view.currentData()
        return tuple(view for name, view in self.views.items() if chosen in (name, ALL))

    def redraw(self, project: Project, built: BuiltTrack | None) -> None:
        self._take_curves(project, built)
        self._empty.setVisible(self.curves is None)
        shown = self.shown_views() if self.curves is not None else ()
        for view in self.views.values():
            view.plot.setVisible(view in shown)
        if self.curves is None:
            return
        for view in shown:
            view.draw(self.curves)
            view.plot.curve.setPen(
                pg.mkPen(theme.current().muted if self.foreign else theme.current().accent, width=2)
            )
            if not view.plot.moved_by_hand and self.document.previewed is None:
                flat = view.flat(self.curves.position)
                view.plot.fit(flat[:, 0], flat[:, 1], head=HEAD, side=SIDE)
        self.show_selection()
        self._show_worst()

    def show_selection(self) -> None:
        selected = self.points.selected(self.document.selection)
        for view in self.shown_views():
            view.plot.show_points(view.flat(self.points.position), selected)

    # -- mouse

    def _hovered(self, view: _View, position: QPointF | None) -> None:
        if position is None or self.curves is None:
            self.readout.setText("")
            self.place_hovered.emit(None)
            return
        label = units.label("m")
        text = f"{AXES[view.right]} {position.x():.2f} {label}   {AXES[view.up]} {position.y():.2f} {label}"
        s = view.nearest(self.curves, position)
        if s is not None:
            name = next((n for n, s0 in reversed(self.curves.sections) if s0 <= s + 1e-9), "")
            text = f"{name}   {units.text(s, 'm', decimals=1)} along the track   {text}"
        self.readout.setText(text)
        self.place_hovered.emit(s)

    def _picked(self, view: _View, number: int | None, modifiers: Any, position: QPointF) -> None:
        if number is not None:
            self.pick(number, more=bool(modifiers & CTRL))
        elif self.curves is not None:
            s = view.nearest(self.curves, position)
            self.document.select(Selection() if s is None else Selection("place", s=s))

    def _drag_begun(self, view: _View, number: int) -> bool:
        self._number, self._plot_dragged = number, view.plot
        return self.begin_drag(number, "Move")

    def _dragged_to(self, view: _View, dx: float, dy: float, modifiers: Any) -> None:
        drag = self.drag
        if drag is None:
            return
        start = drag.begun.setdefault(
            self._number, tuple(float(v) for v in self.points.position[self._number])
        )
        move = [float(units.from_shown(dx, "m")), float(units.from_shown(dy, "m"))]
        if modifiers & SHIFT:
            move[0 if abs(move[0]) < abs(move[1]) else 1] = 0.0
        on = snap_step(self.settings) > 0.0
        step = (snap_step(self.settings) or 0.5) if on != bool(modifiers & CTRL) else 0.0
        by = [0.0, 0.0, 0.0]
        for axis, distance in zip((view.right, view.up), move, strict=True):
            if distance:
                by[axis] = snapped(start[axis] + distance, step) - start[axis]
        drag.show(self.points.moved(self._number, self.dragged(), by))
