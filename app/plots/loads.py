"""Rider loads: what an accelerometer on head, torso and pelvis feels, in rider axes, with speed and place beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QMenu, QToolButton

from ...core.base.arrays import Array
from ...core.charts.chart import Chart, over_time
from ...core.charts.exceedances import exceeded_rows
from ...core.charts.loads import PLOTS, free_sources, load_recipe, load_sources
from ...core.charts.recipe import Source
from ...core.charts.signals import RIDE_FILTER, RIDER_PARTS, in_words
from ...core.injury.limit_files import tables_as_they_are
from ...core.model.seat_rows import SeatRow, seat_rows
from ...core.outcome.rider_view import RiderJudgement
from ..document.measured_ride import shifted
from ..document.runs import Run
from ..widgets import theme
from ..widgets.live_curve import LiveCurve
from ..widgets.refresh import is_seen
from ..work.assessment import assessment_of
from .plot_panel import PlotPanel

ALL, ENDS, EACH = "All", "rows: front and back", "rows: each"
FILTERS = {"raw": "As computed", "5hz": RIDE_FILTER, "both": "Both"}
FILTER_WORDS = {"raw": "as computed", "5hz": "5 Hz 4-pole"}
SHOWN_FIRST = "gz gy gx head speed nca gap load"


NEAR = 0.01  # of the shown stretch, within which a click means a peak that is as narrow as a line


class LoadsPanel(PlotPanel):
    """The loads on one rider or all of them; runs drawn over each other. A click into a stretch that is beyond a limit
    is one on a peak."""

    name = "loads"
    empty_text = (
        "Loads on the riders in rider axes, the head's resultant, speed and sideways acceleration are drawn here "
        "once there is a run. Press F5 to ride."
    )
    nothing_text = (
        "This run has no riders and no cars. Loads at assessed seats are under Seats, all other curves under"
        " Channels."
    )

    def fill_bar(self) -> None:
        self._rider = QComboBox()
        self._rider.setToolTip("Whose loads are drawn")
        self._rider.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._known = ""  # file of the measured ride that is drawn
        self._part = QComboBox()
        self._part.setToolTip("Where the accelerometer sits")
        for key, title in {**RIDER_PARTS, ALL: "All three"}.items():
            self._part.addItem(title, key)
        self._filter = QComboBox()
        self._filter.setToolTip("ASTM F2137 judges loads on a ride through a 5 Hz low pass")
        for key, title in FILTERS.items():
            self._filter.addItem(title, key)
        for label, box, key in (
            ("Rider", self._rider, "rider"),
            ("", self._part, "part"),
            ("", self._filter, "filter"),
        ):
            if label:
                text = QLabel(label)
                text.setProperty("role", "muted")
                self.bar.addWidget(text)
            self.bar.addWidget(box)
            self._restore(box, key)
            box.setEnabled(False)
            box.activated.connect(lambda _k, box=box, key=key: self._chosen(box, key))
        self._add_menu()
        self.grid.clicked.connect(self._on_click)
        self._offset = QDoubleSpinBox()
        self._offset.setRange(-1e6, 1e6)
        self._offset.setDecimals(2)
        self._offset.setSingleStep(0.05)
        self._offset.setPrefix("measured ")
        self._offset.setSuffix(" s")
        self._offset.setKeyboardTracking(False)
        self._offset.setToolTip("Time of the measured ride on the clock of the run: measured time plus this")
        self._offset.valueChanged.connect(self._shift_measured)
        self._offset.hide()
        self.bar.addWidget(self._offset)
        self._in_progress = QLabel()
        self._in_progress.hide()
        self.bar.addWidget(self._in_progress)

    def _add_menu(self) -> None:
        shown = self.settings.value("loads/plots", SHOWN_FIRST).split()
        self._shown = [key for key in PLOTS if key in shown]
        button = QToolButton()
        button.setText("Plots")
        button.setToolTip("Choose which plots are shown, and the bands behind them")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        for key, (title, *_) in PLOTS.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(key in self._shown)
            action.toggled.connect(lambda on, key=key: self.show_plot(key, on))
        menu.addSeparator()
        self._bands = menu.addAction("Bands of observed symptoms")
        self._bands.setToolTip("Viegas 2016, tables 4.7 to 4.10")
        self._bands.setCheckable(True)
        self._bands.setChecked(self.settings.value("loads/bands", "yes") == "yes")
        self._bands.toggled.connect(self._toggle_bands)
        self._limits = menu.addAction("Stretches beyond a limit")
        self._limits.setToolTip("The limits of the Injury panel, shaded where one is exceeded")
        self._limits.setCheckable(True)
        self._limits.setChecked(self.settings.value("loads/limits", "yes") == "yes")
        self._limits.toggled.connect(self._toggle_limits)
        assessment = assessment_of(self.document)
        assessment.judged.connect(
            lambda run: self.refresh_soon() if run is self.document.current_run else None
        )
        assessment.outdated.connect(self.refresh_soon)
        button.setMenu(menu)
        self.bar.addWidget(button)

    def _restore(self, box: QComboBox, key: str) -> None:
        at = box.findData(self.settings.value(f"loads/{key}", ""))
        box.setCurrentIndex(max(0, at))

    def _chosen(self, box: QComboBox, key: str) -> None:
        self.settings.set_value(f"loads/{key}", str(box.currentData()))
        self.refresh()

    def show_plot(self, key: str, on: bool) -> None:
        """Show one of the plots, or leave it out."""
        chosen = {*self._shown, key} if on else set(self._shown) - {key}
        self._shown = [k for k in PLOTS if k in chosen]
        self.settings.set_value("loads/plots", " ".join(self._shown))
        self.refresh()

    def _toggle_bands(self, on: bool) -> None:
        self.settings.set_value("loads/bands", "yes" if on else "no")
        self.refresh()

    def _toggle_limits(self, on: bool) -> None:
        self.settings.set_value("loads/limits", "yes" if on else "no")
        self.refresh()

    def _exceeded(self, key: str) -> list[RiderJudgement]:
        """What is exceeded in a plot by the shown run, as far as it is judged."""
        if not self._limits.isChecked() or key not in ("gx", "gy", "gz", "head"):
            return []
        judgement = assessment_of(self.document).judgement(self.runs[0])
        if judgement is None:
            return []
        part = self._part.currentData()
        parts = list(RIDER_PARTS) if part == ALL else [part]
        return exceeded_rows(judgement.rows, key, self.chosen_riders(), parts)

    def _on_click(self, key: str, x: float) -> None:
        """A peak that is clicked is looked at; whoever clicks elsewhere has moved the cursor, and no more."""
        axis = self.axis(self.runs[0]) if self.runs else None
        time = axis.time_of(x, self.playback.time) if axis is not None else None
        if axis is None or time is None:
            return
        near = NEAR * float(np.ptp(self.grid.stretch()))
        for row in self._exceeded(key):
            for start, end in row.result.exceeded:
                a, b = sorted(axis.x_of(np.array([start, end])).tolist())
                if a - near <= x <= b + near:
                    self.playback.show_peak(min(max(time, start), end))
                    return

    # -- a measured ride over the run

    @property
    def measured(self) -> Run | None:
        """The measured ride that is drawn; the first of several."""
        return next((run for run in self.runs if run.measured is not None), None)

    def _shift_measured(self, offset: float) -> None:
        run = self.measured
        if run is not None and run.measured is not None and abs(run.measured.offset - offset) > 1e-6:
            self.document.replace_run(run, shifted(run, offset))

    def _follow_measured(self) -> None:
        """Show the part that a measured ride is of when it comes: it would not be seen on another."""
        run = self.measured
        file, known = ("" if run is None or run.measured is None else run.measured.file), self._known
        self._known = file
        if run is not None and run.measured is not None and file != known and self._part.currentData() != ALL:
            self._part.setCurrentIndex(max(0, self._part.findData(run.measured.part)))

    def _show_offset(self) -> None:
        """The offset of the measured ride that is drawn, where it may be changed."""
        run = self.measured
        self._offset.setVisible(run is not None)
        if run is not None and run.measured is not None:
            self._offset.blockSignals(True)
            self._offset.setValue(run.measured.offset)
            self._offset.blockSignals(False)

    # -- a run in progress

    def show_live(self, curve: LiveCurve) -> None:
        """Draw speed and head loads of a run in progress, over the curves of the runs there are."""
        if self.kind != "time" or not curve.known or not is_seen(self):
            return
        signals = self._live_signals(curve)
        if not self.runs and not self.grid.count:
            contents = [
                over_time(key, f"{PLOTS[key][0]}, run in progress", unit, ())
                for key, (unit, _) in signals.items()
            ]
            self.grid.set_contents(contents, 1.0, "s", "live", gradually=True)
            self.pages.setCurrentIndex(1)
        colours = theme.current()
        self._in_progress.setText(
            f"<b style='color:{colours.text}'>—</b> <span style='color:{colours.muted}'>run in progress</span>"
        )
        self._in_progress.show()
        for key, (_, values) in signals.items():
            pane = self.grid.pane(key)
            if pane is not None:
                pane.set_live(np.asarray(curve.time), values, colours.text)

    def _live_signals(self, curve: LiveCurve) -> dict[str, tuple[str, Array]]:
        """Unit and values (n,) of the shown plots that a run in progress has values for."""
        found: dict[str, tuple[str, Array]] = {}
        rider = next((r for r in (*self.chosen_riders(), *curve.loads) if r in curve.loads), None)
        head = self._part.currentData() in ("head", ALL)
        for key in self._shown:
            _, kind, what, *_ = PLOTS[key]
            if kind == "load" and head and rider is not None and isinstance(what, int):
                found[key] = ("g", curve.loads[rider][:, what])
            elif key == "speed" and len(np.atleast_1d(curve.speed)):
                found[key] = ("m/s", np.asarray(curve.speed, dtype=float))
        return found

    def end_live(self) -> None:
        """The run is over; its curves come with the document."""
        self._in_progress.hide()
        for pane in self.grid.panes:
            pane.set_live(None)
        if not self.runs:
            self.grid.set_contents([], 1.0, "s", None)
        self.refresh_soon()

    # -- content

    @tables_as_they_are()
    def make_contents(self) -> Sequence[Chart]:
        self._list_riders()
        recipes = []
        for key in self._shown:
            title, kind, what, *_ = PLOTS[key]
            sources = self._sources(kind, what)
            recipe = load_recipe(
                key,
                sources,
                title=title + self._measured_where(kind),
                exceeded=self._exceeded(key),
                axis=self.axis(self.runs[0], sources[0].car) if sources else None,
                symptoms=self._bands.isChecked(),
                about=self._about(sources[0].key) if sources else "",
            )
            recipes.append(replace(recipe, unit=self._car_unit(sources)) if kind == "car" else recipe)
        return [chart for chart in self.drawn(recipes) if chart.curves]

    def _measured_where(self, kind: str) -> str:
        """Body and filter of the curves of a plot, as far as they are the same for all: ", upper torso, 5 Hz"."""
        if kind in ("head", "rotation"):
            return ", as computed"
        if kind != "load":
            return ""
        part, chosen = self._part.currentData(), self._filter.currentData()
        words = ["" if part == ALL else RIDER_PARTS[part].lower(), FILTER_WORDS.get(chosen, "")]
        return "".join(f", {word}" for word in words if word)

    def refresh(self, gradually: bool = False) -> None:
        self._follow_measured()
        super().refresh(gradually)
        self._show_offset()
        if not self.runs:
            self._list_riders()

    def _riders(self) -> list[str]:
        """The riders of the shown runs; before there is one those of the project, whose run may be under way."""
        if self.runs:
            return list(dict.fromkeys(r for run in self.runs for r in run.results.names.riders))
        top = self.document.project.assembly
        return [] if top is None else [*top.with_role("rider")]

    def _list_riders(self) -> None:
        riders = self._riders()
        items = [(in_words(rider), rider) for rider in riders]
        if len(items) > 1:
            items.append(("All riders", ALL))
        if len(self._ridden_rows()) > 1:
            items += [("Front and back row", ENDS), ("Every row", EACH)]
        for box in (self._rider, self._part, self._filter):
            box.setEnabled(bool(riders))
        known = [(self._rider.itemText(k), self._rider.itemData(k)) for k in range(self._rider.count())]
        if known == items:
            return
        self._rider.clear()
        for text, data in items:
            self._rider.addItem(text, data)
        self._restore(self._rider, "rider")

    def chosen_riders(self) -> list[str]:
        """The riders whose loads are drawn, "<car>/<occupant>"."""
        chosen = self._rider.currentData()
        if chosen in (ENDS, EACH):
            rows = self._ridden_rows()
            return (
                [row.riders[0] for row in (rows if chosen == EACH else (rows[0], rows[-1]))] if rows else []
            )
        every = [self._rider.itemData(k) for k in range(self._rider.count())]
        if chosen == ALL:
            return [rider for rider in every if rider not in (ALL, ENDS, EACH)]
        return [chosen] if chosen else []

    def _ridden_rows(self) -> tuple[SeatRow, ...]:
        """Rows of the train of the shown run, or of the project, in which somebody rides; the first rider of a row
        stands for it."""
        project = self.runs[0].project if self.runs else self.document.project
        if project.train is None:
            return ()
        known = set(self._riders())
        return tuple(row for row in seat_rows(project.train) if row.riders and row.riders[0] in known)

    def _called(self, rider: str) -> str:
        """What a rider's curve is called: by the row where rows are compared."""
        if self._rider.currentData() not in (ENDS, EACH):
            return in_words(rider)
        number = next((row.number for row in self._ridden_rows() if row.riders[0] == rider), 0)
        return f"row {number}"

    def _sources(self, kind: str, what: int | str) -> tuple[Source, ...]:
        if kind == "car":
            cars = list(dict.fromkeys(car for run in self.runs for car in self.signals(run).cars))
            wanted = [car for car in cars if any(r.startswith(f"{car}/") for r in self.chosen_riders())]
            chosen = wanted or cars[:1]
            return tuple(
                Source(f"car/{c}/{what}", 0, in_words(c) if len(chosen) > 1 else "", c) for c in chosen
            )
        riders = self.chosen_riders()
        called = {rider: self._called(rider) for rider in riders}
        if kind == "free":
            return free_sources(self.runs[0].results, riders, what, called)
        parts = [self._part.currentData()] if kind == "load" else ["head"]
        if parts == [ALL]:
            parts = list(RIDER_PARTS)
        chosen_filter = self._filter.currentData() if kind == "load" else "raw"
        filters = ["raw", "5hz"] if chosen_filter == "both" else [chosen_filter]
        return load_sources(kind, what, riders, parts, filters, called)

    def _car_unit(self, sources: Sequence[Source]) -> str:
        for run in self.runs:
            for source in sources:
                signal = self.signals(run).get(source.key)
                if signal is not None:
                    return signal.unit
        return "1"

    def _about(self, key: str) -> str:
        signal = self.signals(self.runs[0]).get(key)
        return "" if signal is None else signal.about[:1].upper() + signal.about[1:] + "."
