"""Panel "Plan": the track from above or from the side; points are dragged in the plane that is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app import icons, theme, units
from app.document import Document
from app.playback import Playback
from app.selection import Selection
from app.settings import Settings
from app.track_editor.dragging import SnapBox, snap_step, snapped
from app.track_editor.panel import CTRL, SHIFT, TrackPanel
from app.track_editor.point_plot import Dots, PointPlot
from app.track_editor.track_points import TrackCurves, track_curves
from core.edits import points as point_edits
from core.project import Project
from core.track.build import BuiltTrack

# name, title, axes to the right and up
VIEWS = (
    ("plan", "Plan (x, y)", 0, 1),
    ("side", "Elevation (x, z)", 0, 2),
    ("front", "Elevation (y, z)", 1, 2),
)
AXES = "xyz"
HELP = (
    "Drag a point to move it and all that are selected with it. Shift while dragging keeps to one axis, Ctrl switches "
    "snapping over. Ctrl and click selects more, Shift and drag on the background selects an area. "
    "The wheel zooms, dragging the background moves."
)
EMPTY = "The track will be drawn here from above and from the side, once there is one that can be built."
TRIANGLE = 15  # px, the mark of the running direction


class PlanPanel(TrackPanel):
    """The track in one plane, to scale. place_hovered carries the arc length (m) nearest to the mouse, or None."""

    place_hovered = Signal(object)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        """playback: not used, so that all panels are made alike."""
        super().__init__(document, settings, parent)
        self.curves: TrackCurves | None = None
        self._number = 0
        self._names: list[pg.TextItem] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._make_bar())
        self._empty = QLabel(EMPTY)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("role", "muted")
        column.addWidget(self._empty, 1)
        self.plot = PointPlot("Plan of the track", free_y=True, least_height=120)
        self.plot.setToolTip(HELP)
        self.plot.setAspectLocked(True)
        self.plot.hovered.connect(self._hovered)
        self.plot.picked.connect(self._picked)
        self.plot.band.connect(self._band)
        self.plot.drag_begun = self._drag_begun
        self.plot.drag_moved = self._dragged_to
        self.plot.drag_ended = self.end_drag
        self._start = Dots(pxMode=True, symbol="t1", size=TRIANGLE)
        self._start.setZValue(12)
        self.plot.addItem(self._start, ignoreBounds=True)
        box = self.plot.getViewBox()
        box.sigRangeChanged.connect(lambda *_: self.plot.clear_of_each_other(self._names))
        column.addWidget(self.plot, 1)

    def _make_bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.setSpacing(4)
        self.view = QComboBox()
        self.view.setAccessibleName("View")
        for name, title, _right, _up in VIEWS:
            self.view.addItem(title, name)
        self.view.setCurrentIndex(max(0, self.view.findData(self.settings.value("plan/view", "plan"))))
        self.view.activated.connect(self._view_chosen)
        bar.addWidget(self.view)
        self.snap = SnapBox(self.settings)
        bar.addWidget(self.snap)
        fit = QToolButton()
        fit.setIcon(icons.icon("frame"))
        fit.setToolTip("Show the whole track")
        fit.setAccessibleName("Show the whole track")
        fit.clicked.connect(self.fit)
        self._fit_button = fit
        bar.addWidget(fit)
        self.readout = QLabel("")
        self.readout.setProperty("role", "muted")
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bar.addWidget(self.readout, 1)
        return bar

    @property
    def axes(self) -> tuple[int, int]:
        """Which world axes point to the right and up."""
        _name, _title, right, up = VIEWS[self.view.currentIndex()]
        return right, up

    def _view_chosen(self) -> None:
        self.settings.set_value("plan/view", self.view.currentData())
        self.fit()

    def fit(self) -> None:
        """Show the whole track."""
        self.plot.moved_by_hand = False
        self.refresh_now()

    def restyle(self) -> None:
        self.plot.restyle()
        self._fit_button.setIcon(icons.icon("frame"))

    def units_changed(self) -> None:
        self.plot.moved_by_hand = False
        super().units_changed()

    # -- drawing

    def redraw(self, project: Project, built: BuiltTrack | None) -> None:
        if built is not None:
            self.curves = track_curves(built)
        elif project.track is None:
            self.curves = None
        there = self.curves is not None
        self._empty.setVisible(not there)
        self.plot.setVisible(there)
        if self.curves is None:
            return
        right, up = self.axes
        flat = units.to_shown(self.curves.position[:, [right, up]], "m")
        self.plot.curve.setData(flat[:, 0], flat[:, 1])
        label = units.label("m")
        self.plot.label("bottom", f"{AXES[right]} ({label})")
        self.plot.label("left", f"{AXES[up]} ({label})")
        self.show_selection()
        self._show_start(flat)
        self._show_names(self.curves, right, up)
        if not self.plot.moved_by_hand and self.drag is None:
            self.plot.fit(flat[:, 0], flat[:, 1])

    def _show_start(self, flat: Any) -> None:
        """A triangle a little behind the start, pointing the way the train runs."""
        k = min(8, len(flat) - 1)
        way = flat[k] - flat[0]
        self._start.setData([flat[0][0]], [flat[0][1]])
        self._start.setBrush(pg.mkBrush(QColor(theme.current().good)))
        self._start.setPen(pg.mkPen(None))
        # the symbol points up; turned to the running direction
        angle = float(np.degrees(np.arctan2(way[0], way[1])))
        symbol = pg.graphicsItems.ScatterPlotItem.Symbols["t1"]
        self._start.setSymbol(pg.QtGui.QTransform().rotate(angle).map(symbol))

    def show_selection(self) -> None:
        flat = units.to_shown(self.points.position[:, list(self.axes)], "m")
        self.plot.show_points(flat, self.points.selected(self.document.selection))

    def _show_names(self, curves: TrackCurves, right: int, up: int) -> None:
        """Names of the sections at their middles."""
        names = [name for name, _s in curves.sections]
        if names != [item.toPlainText() for item in self._names]:
            for item in self._names:
                self.plot.removeItem(item)
            self._names = [pg.TextItem(name, anchor=(0.0, 1.0)) for name in names]
            for item in self._names:
                self.plot.addItem(item, ignoreBounds=True)
        starts = [s for _name, s in curves.sections]
        ends = [*starts[1:], curves.length]
        for item, s, end in zip(self._names, starts, ends, strict=True):
            k = int(np.searchsorted(curves.s, 0.5 * (s + end)))
            at = units.to_shown(curves.position[min(k, len(curves.s) - 1)], "m")
            item.setColor(theme.current().muted)
            item.setPos(float(at[right]), float(at[up]))
        self.plot.clear_of_each_other(self._names)

    # -- mouse

    def _nearest(self, place: QPointF) -> float | None:
        if self.curves is None:
            return None
        right, up = self.axes
        flat = units.to_shown(self.curves.position[:, [right, up]], "m")
        away = np.hypot(flat[:, 0] - place.x(), flat[:, 1] - place.y())
        k = int(np.argmin(away))
        (x0, x1), _ = self.plot.getViewBox().viewRange()
        pixel = (x1 - x0) / max(1.0, self.plot.getViewBox().width())
        return float(self.curves.s[k]) if away[k] < 12.0 * pixel else None

    def _hovered(self, place: QPointF | None) -> None:
        if place is None:
            self.readout.setText("")
            self.place_hovered.emit(None)
            return
        right, up = self.axes
        label = units.label("m")
        text = f"{AXES[right]} {place.x():.2f} {label}   {AXES[up]} {place.y():.2f} {label}"
        s = self._nearest(place)
        if s is not None and self.curves is not None:
            name = next((n for n, s0 in reversed(self.curves.sections) if s0 <= s + 1e-9), "")
            text = f"{name}   {units.text(s, 'm', decimals=1)} along the track   {text}"
        self.readout.setText(text)
        self.place_hovered.emit(s)

    def _picked(self, number: int | None, modifiers: Any, place: QPointF) -> None:
        if number is not None:
            self.pick(number, more=bool(modifiers & CTRL))
            return
        s = self._nearest(place)
        self.document.select(Selection() if s is None else Selection("place", s=s))

    def _band(self, numbers: list[int]) -> None:
        chosen = self.points.selection_of(numbers)
        if chosen is not None:
            self.document.select(chosen)

    def _drag_begun(self, number: int) -> bool:
        self._number = number
        return self.begin_drag(number, "Move")

    def _dragged_to(self, dx: float, dy: float, modifiers: Any) -> None:
        drag = self.drag
        if drag is None:
            return
        right, up = self.axes
        start = drag.begun.setdefault(
            self._number, tuple(float(v) for v in self.points.position[self._number])
        )
        move = [float(units.from_shown(dx, "m")), float(units.from_shown(dy, "m"))]
        if modifiers & SHIFT:
            move[0 if abs(move[0]) < abs(move[1]) else 1] = 0.0
        on = snap_step(self.settings) > 0.0
        step = (snap_step(self.settings) or 0.5) if on != bool(modifiers & CTRL) else 0.0
        by = [0.0, 0.0, 0.0]
        for axis, distance in zip((right, up), move, strict=True):
            if distance:
                by[axis] = snapped(start[axis] + distance, step) - start[axis]
        section, chosen = self.points.section[self._number], self.dragged()
        drag.show(lambda project: point_edits.move_points(project, section, chosen, (by[0], by[1], by[2])))
