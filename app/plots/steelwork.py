"""The Steelwork panel: track and supports under the train of the shown run, or of the preview: members, footings."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.charts.steelwork import footing_chart
from ...core.project.project import Project
from ...core.results.results import Results
from ...core.steelwork.tables import FootingLoad, MemberStress, SteelAnswer, steelwork_of
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import Selection
from ..widgets import units
from ..widgets.flow import FlowLayout
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.inquiry import Inquiry
from ..work.task import ProgressReporter
from .chart_view import ChartView

NO_TRACK = "Track and supports bear the train, and this project has no track."
READY = (
    "Ride over the steel: stress of spine and columns, loads of footings, fatigue. The wheels of the shown run load it,"
    " without one the axles of the preview."
)
STALE = "The design has changed since: ride over it again."
SHOWN = 60  # members
MEMBERS = ("Member", "Stress", "Weight alone", "Place", "At", "Train at")
FOOTINGS = ("Footing", "Weight", "Least down", "Most down", "Aside", "Moment", "At", "Train at")
LIVES = ("Member", "Range", "Equivalent", "Detail", "Life used", "Place")


class _StoppedError(Exception):
    """The work is no longer wanted."""


class SteelworkPanel(QWidget):
    """What the steel of the open project bears. A click on a row selects its place on the track and shows the train at
    its worst moment."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._playback = document, playback
        self.inquiry = Inquiry("steelwork", _run, document, self, failing="The steel was not ridden over")
        self.inquiry.answered.connect(self._on_found)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Members, footings or fatigue")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for text in ("Members", "Footings", "Fatigue"):
            self.tabs.addTab(text)
        self.life = QCheckBox("Fatigue")
        self.life.setToolTip("Ride over it once more, and judge what changes most by EN 1993-1-9")
        self.button = QPushButton("Ride over it")
        self.button.clicked.connect(self.run)
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(self.inquiry.give_up)
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.inquiry.progressed.connect(lambda share, _: self.note.setText(f"Riding over it: {share:.0%}"))
        self.members, self.footings, self.lives = (plain_table(heads) for heads in (MEMBERS, FOOTINGS, LIVES))
        self.pages = QStackedWidget()
        for table, name in ((self.members, "Members"), (self.footings, "Footings"), (self.lives, "Fatigue")):
            table.setAccessibleName(f"{name} of the steelwork")
            heads = table.horizontalHeader()
            heads.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
            heads.setStretchLastSection(True)
            table.itemSelectionChanged.connect(self._on_row)
            self.pages.addWidget(table)
        self.chart = ChartView()
        self.chart.scrubbed.connect(self._show_moment)
        self.tabs.currentChanged.connect(self._on_tab)
        self._lay_out()
        self._state = Refresh(self, self._show_state)
        document.project_changed.connect(lambda _: self._state.soon())
        document.begun.connect(self._fill)  # after the inquiry, which forgets
        self.inquiry.changed.connect(self._show_state)
        settings.changed.connect(lambda name: self._fill() if name == "units" else None)
        self._fill()

    def _lay_out(self) -> None:
        bar = FlowLayout()
        bar.setSpacing(6)
        for widget in (self.tabs, self.button, self.stop, self.life):
            bar.addWidget(widget)
        splitter = TurningSplitter()
        splitter.addWidget(self.pages)
        splitter.addWidget(self.chart)
        splitter.setSizes([680, 420])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addLayout(bar)
        layout.addWidget(self.note)
        layout.addWidget(splitter, 1)

    def run(self) -> None:
        """Ride over the steel beside the window: under the wheels of the shown run, or the axles of the preview."""
        project, results = self._document.project, self._of_run()
        self.inquiry.ask((project, results is not None), (results or project, self.life.isChecked()))

    def _of_run(self) -> Results | None:
        """The shown run, where it is of the design as it is."""
        run = self._document.current_run
        fits = run is not None and run.measured is None and not self._document.is_stale(run)
        return run.results if run is not None and fits else None

    def _on_found(self, found: SteelAnswer) -> None:
        if found.lives:
            self.tabs.setCurrentIndex(2)
        self._fill()

    @property
    def _answer(self) -> SteelAnswer | None:
        return None if self.inquiry.found is None else self.inquiry.found[1]

    def _on_tab(self, which: int) -> None:
        self.pages.setCurrentIndex(which)
        self.chart.setVisible(which == 1)

    def _fill(self) -> None:
        for table in (self.members, self.footings, self.lives):
            table.blockSignals(True)
            table.setRowCount(0)
        found = self._answer
        if found is not None:
            self._fill_tables(found)
        for table in (self.members, self.footings, self.lives):
            table.blockSignals(False)
        self.chart.show_chart(None)
        self._show_state()

    def _show_state(self) -> None:
        """What can be done now, and the note."""
        found, running = self._answer, self.inquiry.running
        lives = found is not None and bool(found.lives)
        self.tabs.setTabEnabled(1, found is not None)
        self.tabs.setTabEnabled(2, lives)
        if (self.tabs.currentIndex() > 0 and found is None) or (self.tabs.currentIndex() == 2 and not lives):
            self.tabs.setCurrentIndex(0)
        self.chart.setVisible(self.tabs.currentIndex() == 1)
        self.button.setEnabled(self._document.project.track is not None)
        self.button.setVisible(not running)
        self.stop.setVisible(running)
        if not running:
            self.note.setText(self.inquiry.why or self._said())
            role = "bad" if self.inquiry.why else "muted"
            if self.note.property("role") != role:
                self.note.setProperty("role", role)
                self.note.style().polish(self.note)

    def _said(self) -> str:
        if self._document.project.track is None:
            return NO_TRACK
        if self.inquiry.found is None:
            return READY
        (design, of_run), found = self.inquiry.found
        frame, ride = found.frame, found.ride
        words = [
            f"{units.text(frame.mass, 'kg', decimals=0)} on {len(frame.footings)} footings, under the"
            f" {'wheels of the run' if of_run else 'axles of the preview'}; lowest frequency"
            f" {ride.frequencies[0]:.2f} Hz, gives {units.text(float(abs(ride.deflection).max()), 'mm', decimals=1)}."
        ]
        if frame.missing:
            places = ", ".join(units.text(s, "m", decimals=0) for s in frame.missing)
            words.append(f"No support could stand free near {places}: the span there is longer.")
        if design is not self._document.project:
            words.append(STALE)
        return " ".join(words)

    def _fill_tables(self, found: SteelAnswer) -> None:
        for one in found.members[:SHOWN]:
            stress = [units.text(value, "MPa", decimals=1) for value in (one.stress, one.dead)]
            _add(self.members, [one.name, *stress, _place(one.s), _moment(one.time), _place(one.train)], one)
        for number in sorted(range(len(found.footings)), key=lambda k: -found.footings[k].most[2]):
            _add(self.footings, _footing(found.footings[number]), number)
        for life in found.lives:
            ranges = [
                units.text(value, "MPa", decimals=1)
                for value in (life.fatigue.largest, life.fatigue.equivalent, life.category)
            ]
            _add(self.lives, [life.name, *ranges, f"{100.0 * life.share:.3g} %", _place(life.s)], life)

    def _on_row(self) -> None:
        """Lead to the place of the chosen row and its worst moment; of a footing, draw its load."""
        table = (self.members, self.footings, self.lives)[self.pages.currentIndex()]
        chosen = table.selectedItems()
        found = self._answer
        if not chosen or found is None:
            return
        one = chosen[0].data(Qt.ItemDataRole.UserRole)
        if table is self.footings:
            self.chart.show_chart(footing_chart(found, one))
            self._document.select(Selection("place", s=found.frame.footings[one].s))
            self._show_moment(found.footings[one].time)
            return
        self._document.select(Selection("place", s=one.s))
        if isinstance(one, MemberStress):
            self._show_moment(one.time)

    def _show_moment(self, time: float) -> None:
        """Show the train where it is then, of the run that loaded the steel."""
        found = self.inquiry.found
        if found is not None and found[0][1] and self._of_run() is not None:
            self._playback.pause()
            self._playback.seek(time)

    def shutdown(self) -> None:
        """End the thread."""
        self.inquiry.close()


def _add(table: QTableWidget, cells: list[str], one: object) -> None:
    row = table.rowCount()
    table.insertRow(row)
    for column, text in enumerate(cells):
        item = QTableWidgetItem(text)
        if column:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(Qt.ItemDataRole.UserRole, one)
        table.setItem(row, column, item)


def _place(s: float) -> str:
    return units.text(s, "m", decimals=1)


def _moment(time: float) -> str:
    return units.text(time, "s", decimals=2)


def _footing(one: FootingLoad) -> list[str]:
    aside, moment = (
        max(abs(float(row[k])) for row in (one.least, one.most) for k in both) for both in ((0, 1), (3, 4))
    )
    forces = [
        units.text(float(value), "kN", decimals=1)
        for value in (one.dead[2], one.least[2], one.most[2], aside)
    ]
    forces.append(units.text(moment, "N m", decimals=0))
    return [one.name, *forces, _moment(one.time), _place(one.train)]


def _run(asked: tuple[Project | Results, bool], reporter: ProgressReporter) -> SteelAnswer | None:
    def on_block(share: float) -> None:
        if reporter.stopped():
            raise _StoppedError
        reporter.progress(share)

    what, life = asked
    try:
        return steelwork_of(what, life=life, on_block=on_block)
    except _StoppedError:
        return None
