"""Panel "Profile": the shape of the track and the loads of its point ride over arc length; points are dragged."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QVBoxLayout, QWidget

from ...core.base.errors import InputError
from ...core.edits import points as point_edits
from ...core.edits.places import point_before
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import icons, theme, units
from ..widgets.check_menu import CheckMenu
from ..widgets.refresh import Refresh, is_seen
from ..widgets.settings import Settings
from .curve_panel import CurvePanel
from .dragging import ANGLE_STEP, snap_step, snapped
from .limit_bands import AT_FIRST as FIRST_LIMITS
from .limit_bands import choices, limit_words, load_bands
from .panel import CTRL
from .point_plot import CURVE, PointPlot
from .profile_marks import DeviceBars, LimitMarks, SectionMarks
from .quantities import (
    AT_FIRST,
    AXIS_NAMES,
    QUANTITIES,
    Quantity,
    RideCurves,
    ride_curves,
)
from .track_points import TrackCurves

EMPTY = "The height and cant of the track will be drawn here, once there is a track that can be built."
HELP = (
    "Drag a point to change its height or cant. Ctrl and click selects more, Shift and drag selects a stretch. "
    "Double click inserts a point; a click on the curve goes there. The wheel zooms, with Ctrl both ways."
)


class ProfilePanel(CurvePanel):
    """Plots over arc length."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, settings, EMPTY, parent)
        self._playback = playback
        self.ride: RideCurves | None = None
        self.plots: dict[str, PointPlot] = {}
        self.parts: dict[str, list[pg.PlotCurveItem]] = {}
        self.toggles: dict[str, QAction] = {}
        self._lines: dict[str, tuple[pg.InfiniteLine, pg.InfiniteLine]] = {}
        self._marks = SectionMarks()
        self.devices = DeviceBars()
        self.limits: dict[str, LimitMarks] = {}
        self._hovering = False
        self._train = Refresh(self, self._show_train)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.fill_bar(self._make_menu()))
        column.addWidget(self._empty, 1)
        for quantity in QUANTITIES:
            column.addWidget(self._make_plot(quantity), 1)
        self._link()
        self._show_chosen()
        self.preview.changed.connect(self._later)
        playback.time_changed.connect(
            lambda _time: self._show_train() if is_seen(self) else self._train.soon()
        )
        document.runs_changed.connect(self._train.soon)

    # -- parts

    def _make_menu(self) -> QToolButton:
        """The button that chooses what is drawn, and the limits behind the loads."""
        button = QToolButton()
        button.setText("Plots")
        button.setToolTip("Choose what is drawn along the track, and the limits behind the loads")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = CheckMenu(button)
        shown = self.settings.value("profile/plots", AT_FIRST).split(",")
        for ride, title in ((False, "Track"), (True, "Point ride")):
            menu.addSection(title)
            for quantity in (q for q in QUANTITIES if q.ride == ride):
                action = menu.addAction(quantity.title)
                action.setCheckable(True)
                action.setChecked(quantity.name in shown)
                action.triggered.connect(self._chosen)
                self.toggles[quantity.name] = action
        menu.addSeparator()
        limits = menu.addMenu("Limits behind the loads")
        group = QActionGroup(limits)
        for name, title in choices():
            action = limits.addAction(title)
            action.setCheckable(True)
            action.setChecked(name == self._limit_table())
            action.triggered.connect(lambda _=False, name=name: self._choose_limits(name))
            group.addAction(action)
        button.setMenu(menu)
        self.menu_button = button
        return button

    def _limit_table(self) -> str:
        return self.settings.value("profile/limits", FIRST_LIMITS)

    def _choose_limits(self, name: str) -> None:
        self.settings.set_value("profile/limits", name)
        self.refresh_now()

    def _make_plot(self, quantity: Quantity) -> PointPlot:
        plot = PointPlot(f"{quantity.title} against arc length", free_y=False, least_height=44)
        plot.setToolTip(HELP)
        pointer = pg.InfiniteLine(angle=90, movable=False)
        train = pg.InfiniteLine(angle=90, movable=False)
        for line in (pointer, train):
            line.setVisible(False)
            plot.addItem(line, ignoreBounds=True)
        self._lines[quantity.name] = (pointer, train)
        plot.getPlotItem().getAxis("left").setWidth(48)
        plot.getViewBox().sigRangeChanged.connect(lambda *_: self._place_marks())
        plot.getViewBox().sigResized.connect(lambda *_: self._place_marks())
        if quantity.parts:
            plot.getViewBox().sigYRangeChanged.connect(lambda *_: self._name_loads(quantity))
        self.parts[quantity.name] = [plot.curve]
        for _ in quantity.parts[1:]:
            more = pg.PlotCurveItem(antialias=True)
            plot.addItem(more)
            self.parts[quantity.name].append(more)
        if quantity.axis or quantity.parts:
            self.limits[quantity.name] = LimitMarks(plot)
        plot.hovered.connect(self._hovered)
        plot.picked.connect(self._picked)
        plot.double_clicked.connect(lambda position: self._insert(position.x()))
        plot.menu_wanted.connect(partial(self._menu, plot))
        if quantity.name in ("height", "cant"):
            what = "Move" if quantity.name == "height" else "Cant"
            plot.drag_begun = partial(self._drag_begun, what=what)
            plot.drag_moved = self._height_dragged if quantity.name == "height" else self._cant_dragged
            plot.drag_ended = self.end_drag
        self.plots[quantity.name] = plot
        self.add_plot(plot)
        return plot

    def _link(self) -> None:
        first = self.plots["height"]
        for name, plot in self.plots.items():
            if name != "height":
                plot.setXLink(first)

    def _chosen(self) -> None:
        names = [name for name, button in self.toggles.items() if button.isChecked()]
        self.settings.set_value("profile/plots", ",".join(names))
        self._show_chosen()
        self.refresh_now()

    def _show_chosen(self) -> None:
        there = self.curves is not None
        chosen = [name for name, button in self.toggles.items() if button.isChecked()]
        for name, plot in self.plots.items():
            plot.setVisible(there and name in chosen)
            last = bool(chosen) and name == chosen[-1]
            axis = plot.getPlotItem().getAxis("bottom")
            axis.setStyle(showValues=last)
            axis.setHeight(None if last else 6)
        self._empty.setText(EMPTY if not there else "Choose above what to draw.")
        self._empty.setVisible(not there or not chosen)

    # -- drawing

    def redraw(self, project: Project, built: BuiltTrack | None) -> None:
        self._take_curves(project, built)
        ride = self.preview.ride() if built is not None else None
        self.ride = None if ride is None or built is None else ride_curves(built, ride)
        self._show_chosen()
        if not self._hovering:
            self.readout.setText(self.preview.start_text())
        curves = self.curves
        if curves is None:
            return
        chosen = [q for q in QUANTITIES if self.toggles[q.name].isChecked()]
        for quantity in chosen:
            self._draw(quantity, curves, first=quantity is chosen[0])
        self.show_selection()
        plots = [self.plots[q.name] for q in chosen]
        self._marks.show(curves, plots)
        self.devices.show(ride.spans if ride is not None else (), plots[-1] if plots else None)
        self._show_train()
        if self.drag is not None:
            self._show_worst()

    def _draw(self, quantity: Quantity, curves: TrackCurves, *, first: bool) -> None:
        """Draw one plot."""
        c = theme.current()
        plot, source = self.plots[quantity.name], self.ride if quantity.ride else curves
        names = quantity.parts or (quantity.name,)
        caption = f"{quantity.title} ({units.label(quantity.unit)})"
        s = np.zeros(0) if source is None else units.to_shown(source.s, "m")
        width = CURVE if self.document.previewed is None else 1  # a thin line is drawn many times faster
        drawn = []
        for name, item in zip(names, self.parts[quantity.name], strict=True):
            values = np.zeros(0) if source is None else units.to_shown(getattr(source, name), quantity.unit)
            item.setData(s, values, connect="finite")
            colour = getattr(c, f"axis_{name_axis(name)}") if name in AXIS_NAMES else c.accent
            colour = c.muted if self.foreign else colour
            item.setPen(pg.mkPen(colour, width=width))
            drawn.append(values)
        if quantity.ride and source is None:
            plot.set_caption(f"{caption}: {self.preview.fault() or 'no ride'}")
        elif quantity.parts:
            self._name_loads(quantity)
        else:
            shaded = limit_words(self._limit_table()) if quantity.axis else ""
            plot.set_caption(f"{caption}, shaded: {shaded}" if shaded else caption)
        plot.bottom_unit(units.label("m"))
        pointer, train = self._lines[quantity.name]
        pointer.setPen(pg.mkPen(c.muted, width=1, style=Qt.PenStyle.DotLine))
        train.setPen(pg.mkPen(c.cursor, width=1))
        self._show_limits(quantity)
        if not plot.moved_by_hand and self.document.previewed is None:
            flat = np.concatenate(drawn)
            head = 0.3 if first else 0.08
            along = np.tile(s, len(drawn))
            if quantity.ride and len(s):  # the whole track, even where the train does not come
                ends = units.to_shown(np.array([0.0, curves.length]), "m")
                middle = float(np.nanmean(flat))
                along, flat = np.append(along, ends), np.append(flat, [middle, middle])
            plot.fit(along, flat, robust=quantity.robust, head=head)

    def _name_loads(self, quantity: Quantity) -> None:
        """The caption of the plot of all loads, for the range it shows."""
        if self.ride is None:
            return
        plot, marks = self.plots[quantity.name], self.limits[quantity.name]
        low, high = plot.getViewBox().viewRange()[1]
        seen = any(low <= level <= high for level in marks.levels)
        plot.set_caption(_loads_caption(units.label(quantity.unit), limit_words(self._limit_table()), seen))

    def _show_limits(self, quantity: Quantity) -> None:
        """Bands behind the plot of one axis; dashed lines in the colours of the axes where all are in one plot."""
        marks = self.limits.get(quantity.name)
        if marks is None:
            return
        table, options = self._limit_table(), self.shown_project().evaluation
        if quantity.axis:
            marks.show_bands(load_bands(table, quantity.axis, options))
            return
        levels = []
        for axis in quantity.parts:
            colour = getattr(theme.current(), f"axis_{name_axis(axis)}")
            for band in load_bands(table, axis, options):
                if band.depth == 1.0:
                    levels.append((band.low if band.low > 0.0 else band.high, colour))
        marks.show_lines(levels)

    def show_selection(self) -> None:
        p, curves, selected = self.points, self.curves, self._selected()
        if curves is None:
            return
        s = np.where(np.isfinite(p.s), p.s, np.nan)
        heights = np.stack([units.to_shown(s, "m"), units.to_shown(p.position[:, 2], "m")], axis=1)
        self.plots["height"].show_points(heights, selected)
        free = np.flatnonzero(~np.isfinite(p.cant)).tolist()
        good = np.isfinite(curves.cant)
        along = np.interp(np.nan_to_num(s), curves.s[good], curves.cant[good])
        cant = np.where(np.isfinite(p.cant), p.cant, along)
        self.plots["cant"].show_points(
            np.stack([units.to_shown(s, "m"), units.to_shown(cant, "rad")], axis=1), selected, free
        )

    def _place_marks(self) -> None:
        """Names of sections and bars of devices stay at the edges of their plots."""
        self._marks.place()
        self.devices.place()

    def _show_train(self) -> None:
        """Where the first car is at the time of the cursor."""
        self._train.done()
        run, curves = self.document.current_run, self.curves
        position = None
        if run is not None and curves is not None:
            found = next((ch for n, ch in run.results.channels.items() if n.endswith("/arc_length")), None)
            if found is not None and len(found.values):
                position = float(np.interp(self._playback.time, run.results.sample_time, found.values))
                position = position % curves.length
        for _pointer, train in self._lines.values():
            train.setVisible(position is not None)
            if position is not None:
                train.setValue(units.to_shown(position, "m"))

    # -- mouse

    def _hovered(self, position: QPointF | None) -> None:
        curves = self.curves
        s = None if position is None or curves is None else float(units.from_shown(position.x(), "m"))
        if s is not None and curves is not None and not 0.0 <= s <= curves.length:
            s = None
        for pointer, _train in self._lines.values():
            pointer.setVisible(s is not None)
            if s is not None:
                pointer.setValue(units.to_shown(s, "m"))
        self._hovering = s is not None
        self.readout.setText(
            self.preview.start_text() if s is None or curves is None else self._reading(curves, s)
        )
        self.place_hovered.emit(s)

    def _reading(self, curves: TrackCurves, s: float) -> str:
        name = next((n for n, s0 in reversed(curves.sections) if s0 <= s + 1e-9), "")
        curvature = curves.at("curvature", s)
        radius = "straight" if curvature < 1e-5 else f"radius {units.text(1.0 / curvature, 'm', decimals=1)}"
        parts = [
            name,
            units.text(s, "m", decimals=1),
            f"height {units.text(curves.at('height', s), 'm')}",
            f"cant {units.text(curves.at('cant', s), 'rad', decimals=1)}",
            radius,
        ]
        if self.ride is not None:
            parts.append(units.text(self.ride.at("speed", s), "m/s", decimals=1))
            parts += [
                f"{title} {units.text(self.ride.at(name, s), 'g')}"
                for name, title in reversed(AXIS_NAMES.items())
            ]
        return "   ".join(part for part in parts if part)

    def _picked(self, number: int | None, modifiers: Any, position: QPointF) -> None:
        if number is not None:
            self.pick(number, more=bool(modifiers & CTRL))
        elif self.curves is not None:
            s = float(units.from_shown(position.x(), "m"))
            if 0.0 <= s <= self.curves.length:
                self.document.select(Selection("place", s=s))

    def _insert(self, x: float) -> None:
        why = self.insert_at(float(units.from_shown(x, "m")))
        if why:
            self.readout.setText(why)

    def insert_at(self, s: float) -> str:
        """Insert a control point at arc length s (m) and select it; returns why not, or ""."""
        document = self.document
        built = document.built(document.project)
        found = None if built is None else point_before(built, s)
        if built is None or found is None:
            return "There is no spline here to insert a point into."
        try:
            project, index = point_edits.insert_at(document.project, built, found[0], found[1], s)
        except InputError as error:
            return units.told(error)
        document.apply(f"Insert point into {found[0]}", project)
        document.select(Selection("points", (found[0],), (index,)))
        return ""

    def _drag_begun(self, number: int, what: str) -> bool:
        self._number = number
        self._plot_dragged = self.plots["height" if what == "Move" else "cant"]
        return self.begin_drag(number, what)

    def _height_dragged(self, _dx: float, dy: float, modifiers: Any) -> None:
        drag = self.drag
        if drag is None:
            return
        z0 = drag.begun.setdefault(self._number, (float(self.points.position[self._number, 2]),))[0]
        step = self._step(modifiers, snap_step(self.settings) or 0.5)
        dz = snapped(z0 + float(units.from_shown(dy, "m")), step) - z0
        drag.show(self.points.moved(self._number, self.dragged(), (0.0, 0.0, dz)))

    def _cant_dragged(self, _dx: float, dy: float, modifiers: Any) -> None:
        drag = self.drag
        if drag is None:
            return
        if not drag.begun:
            at = units.from_shown(self.plots["cant"].points[:, 1], "rad")
            held = self.points.numbers(self.points.section[self._number], self.dragged())
            drag.begun = {self.points.index[k]: (float(at[k]),) for k in held}
        turn = float(units.from_shown(dy, "rad"))
        step = self._step(modifiers, ANGLE_STEP)
        section = self.points.section[self._number]
        cants: dict[int, float | None] = {i: snapped(c + turn, step) for i, (c,) in drag.begun.items()}
        drag.show(lambda project: point_edits.set_cants(project, section, cants))

    def _selected(self) -> tuple[int, ...]:
        return self.points.selected(self.document.selection)

    def _step(self, modifiers: Any, step: float) -> float:
        """The step to snap to: when snapping is on, Ctrl switches it over."""
        on = snap_step(self.settings) > 0.0
        return step if on != bool(modifiers & CTRL) else 0.0

    def _menu(self, plot: PointPlot, at: QPointF, screen: QPoint) -> None:
        number = plot.point_under(at)
        s = float(units.from_shown(plot.getViewBox().mapSceneToView(at).x(), "m"))
        menu = QMenu(self)
        if number is not None:
            if number not in self._selected():
                self.pick(number, more=False)
            name, chosen = self.points.section[number], self.dragged()
            free = menu.addAction("Leave the cant free")
            free.triggered.connect(
                lambda: self.try_edit(
                    f"Free cant of {name}", lambda p: point_edits.set_points(p, name, chosen, {"cant": None})
                )
            )
            delete = menu.addAction(icons.icon("delete"), "Delete")
            delete.triggered.connect(
                lambda: self.try_edit(
                    f"Delete points of {name}", lambda p: point_edits.delete_points(p, name, chosen)
                )
            )
        else:
            insert = menu.addAction(icons.icon("point-add"), "Insert point here")
            insert.triggered.connect(lambda: self._insert(units.to_shown(s, "m")))
            go = menu.addAction(icons.icon("target"), "Go to this place")
            go.triggered.connect(lambda: self.document.select(Selection("place", s=s)))
        menu.addSeparator()
        menu.addAction(icons.icon("frame"), "Show the whole track").triggered.connect(self.fit)
        menu.exec(screen)
        menu.deleteLater()


def name_axis(load: str) -> str:
    """The letter of the axis of a load: "gz" -> "z"."""
    return load[1]


def _loads_caption(unit: str, limits: str, seen: bool) -> str:
    """The names of the three loads in the colours of their curves, and what the dashed lines are, or that they lie
    outside the range that is seen."""
    c = theme.current()
    names = (
        f'<span style="color: {getattr(c, f"axis_{name_axis(name)}")}">{title}</span>'
        for name, title in reversed(AXIS_NAMES.items())
    )
    where = f"dashed: {limits}" if seen else f"{limits}: limits outside this range"
    dashed = f'<span style="font-weight: 400; color: {c.muted}">&nbsp; {where}</span>' if limits else ""
    return f"{'&nbsp; '.join(names)} ({unit}){dashed}"
