"""Stress of the flexible bodies of the shown run: hot spots, their history, and the largest stress of every point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QStackedWidget,
    QTableWidgetItem,
    QToolButton,
    QWidget,
)

from ...core.base.arrays import Array
from ...core.charts.chart import Chart
from ...core.charts.stress import ranges_chart, stress_charts
from ...core.outcome.load_ranges import load_ranges
from ...core.outcome.stress import BodyStress
from ...core.results.results import Results
from ..document.runs import Run
from ..widgets import units
from ..widgets.plain_table import plain_table
from ..widgets.turning_splitter import TurningSplitter
from ..work.task import Task
from .case_pictures import CasePictures, Picture
from .chart_view import ChartView
from .hot_spots import HotSpot, Stresses, find
from .plot_panel import PlotPanel

OF_RUN = "Of the run"
LISTED = 320  # px, of the list of what the envelope may be of
COLUMNS = ("Part", "Where", "Range", "Lowest", "Highest", "Largest von Mises", "At", "Life used")
SORTED = ("Largest range first", "Largest stress first")


class StressPanel(PlotPanel):
    """Hot spots of the shown run, beside the static load cases of its forces. `marked`: body and place as drawn of the
    chosen one, or "" and None; `worst_shown`: whether the 3D view is to show the largest stress, of the run or of load
    cases, what is known of it by body, and the largest of load cases (Pa), 0 of the run."""

    name = "stress"
    empty_text = (
        "Where flexible bodies are stressed most is listed here. This design has none: select a body and choose Train >"
        " Make flexible…, or open the example “Pendulum ride with a flexible beam”."
    )
    unridden_text = (
        "Where flexible bodies are stressed most is listed here once the design has been run (F5)."
    )
    marked = Signal(str, object)
    worst_shown = Signal(bool, object, float)

    def fill_bar(self) -> None:
        self.sorting = QComboBox()
        self.sorting.addItems(SORTED)
        self.sorting.setAccessibleName("Order of the hot spots")
        self.sorting.currentIndexChanged.connect(lambda _index: self._fill())
        self.bar.addWidget(self.sorting)
        self.worst = QToolButton()
        self.worst.setText("Envelope")
        self.worst.setCheckable(True)
        self.worst.setToolTip("Colour bodies in the 3D view by the largest stress at every point")
        self.worst.toggled.connect(lambda _on: self._show_worst())
        self.bar.addWidget(self.worst)
        self.rigid = QToolButton()
        self.rigid.setText("Rigid")
        self.rigid.setCheckable(True)
        self.rigid.setToolTip(
            "Load cases of the forces that the ride has with its flexible bodies rigid; it is run again for them"
        )
        self.rigid.toggled.connect(lambda _on: self._find_again())
        self.bar.addWidget(self.rigid)
        self.of = QComboBox()
        self.of.addItem(OF_RUN)
        self.of.setMinimumContentsLength(len(OF_RUN))
        self.of.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.of.view().setMinimumWidth(LISTED)
        self.of.setAccessibleName("Whose largest stress the envelope shows")
        self.of.setToolTip(
            "Of the run, or of the 64 corners of the box around its forces at an interface, as static loads with"
            " another interface clamped"
        )
        self.of.activated.connect(self._choose_envelope)
        self.bar.addWidget(self.of)
        self.counted = QToolButton()
        self.counted.setText("Ranges")
        self.counted.setCheckable(True)
        self.counted.setToolTip(
            "Count the ranges of stress at the chosen spot by rainflow, in place of its history"
        )
        self.bar.addWidget(self.counted)
        self.beside = QToolButton()
        self.beside.setText("Side by side")
        self.beside.setCheckable(True)
        self.beside.setToolTip(
            "The body of the chosen spot in the largest stress of the run, beside that of its load cases, in place of"
            " the history"
        )
        self.bar.addWidget(self.beside)
        for page, other in ((self.counted, self.beside), (self.beside, self.counted)):
            page.toggled.connect(lambda on, other=other: self._turn_page(other if on else None))
        self.bar.addWidget(self.said)

    def body(self) -> QWidget:
        self.document.project_changed.connect(lambda _change: self._on_project())
        self._found: Stresses | None = None
        self._asked: Results | None = None
        self._spots: list[HotSpot] = []
        self._chosen: HotSpot | None = None
        self._work: Task | None = None  # its thread is begun when it is needed
        self.table = plain_table(COLUMNS)
        self.table.setAccessibleName("Hot spots")
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.itemSelectionChanged.connect(self._on_row)
        self.table.itemClicked.connect(lambda _item: self._jump())
        self.table.itemDoubleClicked.connect(lambda _item: self._to_peak())
        splitter = TurningSplitter()
        splitter.addWidget(self.table)
        self.ranges = ChartView()
        self._counting: Task | None = None
        self._history = QStackedWidget()
        self._history.addWidget(self.grid)
        self._history.addWidget(self.ranges)
        self.pictures = CasePictures()
        self.pictures.picked.connect(self._on_picked)
        self._history.addWidget(self.pictures)
        splitter.addWidget(self._history)
        splitter.setSizes([680, 500])
        self.settings.changed.connect(self._restyle)
        return splitter

    def _on_project(self) -> None:
        """What is missing may be another thing now."""
        if self.run is None:
            self.show_empty(self._nothing())

    def _nothing(self) -> str:
        """Why there is nothing to show."""
        top = self.document.project.assembly
        return self.empty_text if top is None or not [*top.every("flexible")] else self.unridden_text

    @property
    def run(self) -> Run | None:
        """The shown run, when it has flexible bodies."""
        run = self.runs[0] if self.runs else None
        return run if run is not None and run.measured is None and run.results.names.flexible else None

    def refresh(self, gradually: bool = False) -> None:
        run = self.run
        if run is None:
            self._forget()
            self._contents.done()
            self.show_empty(self._nothing())
            return
        if self._asked is not run.results:
            self._forget()
            self._asked = run.results
            if self._work is None:
                self._work = Task(
                    "stress", lambda asked, reporter: find(asked[0], asked[1], reporter.stopped), self
                )
                self._work.finished.connect(self._on_found)
                self._work.failed.connect(self._on_failed)
            self._work.ask((run.results, self.rigid.isChecked()))
        self._contents.done()
        if self._found is None:
            self.show_empty("Looking for the hot spots of the run…")
            return
        if not self._found.bodies:
            self.show_empty(self._found.silent)
            return
        super().refresh(gradually)

    def make_contents(self) -> Sequence[Chart]:
        run, found, spot = self.run, self._found, self._chosen
        if run is None or found is None or spot is None:
            return []
        one, axis = found.bodies[spot.body], self.axis(run)
        signed, mises = one.superposition.at(spot.number, one.modal)
        where = one.spot(spot.number)
        note = f"{one.flexible.name}, {where.part}, {where.there}"
        made = stress_charts(axis, one.time, signed, mises, one.signed.capitalize(), run.name)
        return [replace(chart, note=note) for chart in made]

    def choose(self, name: str, place: object) -> None:
        """Choose the spot of a body nearest to a place (3,) m as drawn, and be at its largest stress."""
        spot = self._found.nearest(name, np.asarray(place)) if self._found is not None else None
        if spot is None:
            return
        self._chosen = spot
        self._mark_row()
        self._tell()
        self._jump()
        super().refresh()

    def _forget(self) -> None:
        self._found, self._asked, self._chosen, self._spots = None, None, None, []
        self.of.setCurrentIndex(0)
        self.said.setText("")
        self.marked.emit("", None)
        self._show_worst()

    def _find_again(self) -> None:
        """Load cases of the other forces are asked for."""
        self._asked = None
        self.refresh()

    def _on_found(self, found: Stresses) -> None:
        if self._asked is not found.results or found.rigid != self.rigid.isChecked():
            return
        self._found = found
        self.of.clear()
        self.of.addItem(OF_RUN)
        of, short = ("Rigid load cases", "Rigid") if found.rigid else ("Load cases", "Cases")
        for loaded, clamped in found.pairs:
            self.of.addItem(f"{of}: {loaded} loaded, {clamped} clamped", (loaded, clamped))
        self.table.setColumnCount(len(COLUMNS) + len(found.pairs))
        self.table.setHorizontalHeaderLabels(
            [*COLUMNS, *(f"{short}, {loaded} loaded" for loaded, _ in found.pairs)]
        )
        head = self.table.horizontalHeaderItem(COLUMNS.index("Life used"))
        if head is not None:
            head.setToolTip(f"By the planned rides, of a run that comes again and again: {found.lived}")
        self._fill()
        self._show_worst()

    def _on_failed(self, reason: str) -> None:
        self.show_empty(reason)

    # -- the table

    def _fill(self) -> None:
        """List the hot spots in the chosen order."""
        found = self._found
        if found is None:
            return
        self._spots = found.hottest(self.sorting.currentIndex() == 0)
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._spots))
        for row, spot in enumerate(self._spots):
            for column, text in enumerate(self._texts(found, spot)):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self.table.blockSignals(False)
        if self._chosen is None and self._spots:
            self._chosen = self._spots[0]
        self._mark_row()
        self._tell()
        self.refresh()

    def _texts(self, found: Stresses, spot: HotSpot) -> tuple[str, ...]:
        one = found.bodies[spot.body]
        where = one.spot(spot.number)
        part = where.part if len(found.bodies) == 1 else f"{one.flexible.name}: {where.part}"
        stresses = (units.text(x, "MPa") for x in (spot.range, spot.low, spot.high, spot.worst))
        own = found.cases[spot.body]
        cases = (
            units.text(float(own[pair].worst[spot.number]), "MPa") if pair in own else ""
            for pair in found.pairs
        )
        return (
            part,
            where.there,
            *stresses,
            units.text(spot.time, "s", decimals=3),
            _life(found, spot),
            *cases,
        )

    def _mark_row(self) -> None:
        """Show which row is chosen, if any is."""
        self.table.blockSignals(True)
        row = self._spots.index(self._chosen) if self._chosen in self._spots else -1
        self.table.selectRow(row) if row >= 0 else self.table.clearSelection()
        self.table.blockSignals(False)

    def _tell(self) -> None:
        found, spot = self._found, self._chosen
        if found is None or spot is None:
            self.said.setText("" if found is None else found.silent)
            return
        one = found.bodies[spot.body]
        where = one.spot(spot.number)
        self.marked.emit(one.flexible.name, where.place)
        text = f"{where.part}: {units.text(spot.worst, 'MPa')} at {spot.time:.3f} s."
        life = _life(found, spot)
        if life:
            text = f"{text} Life used: {life} ({found.lived})."
        self.said.setText(f"{text} {found.silent}".strip())
        self._show_page()

    def _on_row(self) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self._spots):
            self._chosen = self._spots[row]
            self._tell()
            super().refresh()

    def _turn_page(self, other: QToolButton | None) -> None:
        """A page was asked for, and the other one is not any more; or none is."""
        if other is not None:
            other.setChecked(False)
        self._show_page()

    def _show_page(self) -> None:
        """Show what is asked for of the chosen spot: its history, its load ranges, or its body beside load cases."""
        self._history.setCurrentIndex(1 if self.counted.isChecked() else 2 if self.beside.isChecked() else 0)
        found, spot = self._found, self._chosen
        if found is None or spot is None:
            return
        if self.counted.isChecked():
            self._show_ranges(found, spot)
        elif self.beside.isChecked():
            self._show_pictures(found, spot)

    def _show_pictures(self, found: Stresses, spot: HotSpot) -> None:
        """Show the body of a spot in the largest stress of the run, and of its load cases."""
        one, known = found.bodies[spot.body], found.outside[spot.body]
        if one.outside is None or not found.cases[spot.body]:
            need = "they need two interfaces to load one and clamp the other."
            fault = found.silent if found.rigid and one.pairs else ""  # of the rigid ride
            self.pictures.say(f"“{one.flexible.name}” has no load cases: {fault or need}")
            return
        run, of = known[None], ", rigid" if found.rigid else ""
        pictures = [Picture("Run", units.text(float(run.max()), "MPa"), run)]
        for loaded, clamped in found.cases[spot.body]:
            stress = known[loaded, clamped]
            times = f", {stress.max() / run.max():.2f} times" if run.max() > 0.0 else ""
            largest = units.text(float(stress.max()), "MPa")
            title = f"{loaded} loaded, {clamped} clamped{of}"
            pictures.append(Picture(title, f"{largest}{times}", stress))
        self.pictures.show_cases(one.outside, pictures, np.asarray(one.spot(spot.number).place))

    def _on_picked(self, place: Array) -> None:
        """A point of the pictures was clicked."""
        if self._found is not None and self._chosen is not None:
            self.choose(self._found.bodies[self._chosen.body].flexible.name, place)

    def _restyle(self, name: str) -> None:
        """Other units or colours."""
        if name in ("units", "theme"):
            self.pictures.restyle()
            self._show_page()

    def _show_ranges(self, found: Stresses, spot: HotSpot) -> None:
        """Show the load ranges of a spot, which are counted beside the window."""
        one = found.bodies[spot.body]
        where = one.spot(spot.number)
        head = f"{one.flexible.name}, {where.part}, {where.there}: cycles by range of the {one.signed} stress"
        self.ranges.show_why("Counting the load ranges…", head)
        if self._counting is None:
            self._counting = Task("load ranges", lambda asked, _reporter: _counted(*asked), self)
            self._counting.finished.connect(self.ranges.show_chart)
            self._counting.failed.connect(lambda why: self.ranges.show_why(why))
        self._counting.ask((head, one, spot.number))

    def _jump(self) -> None:
        """Be at the instant of the largest stress of the chosen spot."""
        if self._chosen is not None:
            self.playback.seek(self._chosen.time)

    def _to_peak(self) -> None:
        """Judge what happens at the instant of the largest stress of the chosen spot."""
        if self._chosen is not None:
            self.playback.show_peak(self._chosen.time)

    def choose_peak(self, name: str, place: object) -> None:
        """Choose as `choose`, and judge what happens at that instant."""
        self.choose(name, place)
        if self._found is not None and self._found.nearest(name, np.asarray(place)) is not None:
            self._to_peak()

    def _choose_envelope(self, index: int) -> None:
        """Load cases are chosen to be seen."""
        if index > 0 and not self.worst.isChecked():
            self.worst.setChecked(True)
        else:
            self._show_worst()

    def _show_worst(self) -> None:
        """Tell the 3D view what it is to show."""
        found, pair = self._found, self.of.currentData()
        known: dict[str, Array | None] = {}
        if found is not None:
            of = zip(found.bodies, found.outside, strict=True)
            known = {one.flexible.name: own.get(pair) for one, own in of}
        most = max(
            (float(stress.max(initial=0.0)) for stress in known.values() if stress is not None), default=0.0
        )
        on = self.worst.isChecked() and found is not None
        self.worst_shown.emit(on, known, 0.0 if pair is None else most)

    def shutdown(self) -> None:
        """Let go of the graphics system."""
        self.pictures.shutdown()


def _life(found: Stresses, spot: HotSpot) -> str:
    """What part of its life the planned rides take; "" where that is not known."""
    share = found.lives.get((spot.body, spot.number))
    return "" if share is None else f"{100.0 * share:.3g} %"


def _counted(head: str, one: BodyStress, number: int) -> Chart:
    """Load ranges at a spot, with what they are of."""
    signed, _ = one.superposition.at(number, one.modal)
    return ranges_chart(*load_ranges(signed), head)
