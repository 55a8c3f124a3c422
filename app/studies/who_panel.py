"""The panel of who may ride: bodies, seats and restraints are chosen, everybody is ridden in a process of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QSplitter,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import counted
from ...core.base.units import percent
from ...core.human.population import drawn, usual
from ...core.project.project import Project, save_project, write_atomically
from ...core.report.parts.words import DOUBT
from ...core.studies.admitted import most_rides, whole_answer
from ...core.studies.repeat_run import project_of
from ...core.studies.store import Store
from ...core.studies.study import Study
from ...core.studies.who_closes import closes
from ...core.studies.who_may_ride import Ridden, WhoMayRide, study_of
from ...core.studies.words import criteria_of
from ..document.document import Document
from ..widgets import theme, units
from ..widgets.flow import FlowLayout
from ..widgets.plain_table import add_row, plain_table, refilled
from ..widgets.plain_words import plain_label, plain_tip
from ..widgets.refresh import Refresh
from ..widgets.scrolled import scrolled
from ..widgets.settings import Settings
from ..work.inquiry import Inquiry
from ..work.task import Task
from .admitted_entries import AdmittedEntries
from .answers import clock
from .keys_button import KeysButton, library
from .process import StudyProcess, new_folder
from .report_button import ReportButton
from .sizes_table import SizesTable, remarks

COLUMNS = (
    "Body",
    "Seat",
    "Restraint",
    "Load case",
    "Verdict",
    "Margin",
    "Off the pan",
    "By up to",
    "Restraint bears",
    "Because",
)
VERDICT = COLUMNS.index("Verdict")
USUAL, DRAWN = "Five usual bodies", "People drawn at random"
EMPTY = "Everybody chosen is seated, ridden and judged: a row for each body, seat and restraint."
NO_SEAT = "There is no seat to sit on: add one to a car."
SAID_LINES = 8  # of what is said below the tables, before it is scrolled
LOOK = 1000  # ms between two looks at what has come


@dataclass(frozen=True)
class Wanted:
    """Whom a restraint is to be closed onto: the project, path of the seat, keys of seats and restraints to try."""

    project: Project
    seat: str
    shapes: tuple[str, ...]
    restraints: tuple[str, ...]


def fitting(asked: Wanted) -> list[str]:
    """Who fits each seat behind each restraint, in words; or why that is not known."""
    found: list[str] = []
    for shape in asked.shapes or ("",):
        for restraint in asked.restraints or ("",):
            try:
                found += [one.sentence for one in closes(asked.project, asked.seat, (shape,), (restraint,))]
            except InputError as error:
                found.append(error.said)
    return found


def read(folder: Path) -> tuple[WhoMayRide, dict[str, str]] | str:
    """What has come in a folder, with titles of criteria by their ids, or why it cannot be read."""
    try:
        store = Store.open(folder)
        return whole_answer(store), {id: DOUBT.sub("", one.title) for id, one in criteria_of(store).items()}
    except InputError as error:
        return error.said


class WhoPanel(QWidget):
    """Rides everybody on chosen seats and shows who is admitted. `ride_wanted`: the project has been given a body
    of the table and shall be ridden and played."""

    ride_wanted = Signal()

    def __init__(self, document: Document, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._folder: Path | None = None
        self._shown = WhoMayRide((), ())
        self._titles: dict[str, str] = {}
        self._reader: Task | None = None
        self.process = StudyProcess(self)
        self.process.reported.connect(self._on_reported)
        self.process.ended.connect(self._on_ended)
        self.inquiry = Inquiry(
            "who fits",
            lambda asked, _reporter: fitting(asked),
            document,
            self,
            failing="Who fits is not known:",
        )
        self.inquiry.changed.connect(self._show_fits)
        self._looks = QTimer(self)
        self._looks.setInterval(LOOK)
        self._looks.timeout.connect(self.look)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self._setup())
        split.addWidget(self._answer())
        split.setChildrenCollapsible(False)
        split.setSizes([330, 950])
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.addWidget(split)
        self._seats = Refresh(self, self._list_seats)
        document.project_changed.connect(lambda _change: self._seats.soon())
        document.begun.connect(self._on_begun)
        settings.changed.connect(lambda name: self._on_units() if name == "units" else None)
        self._list_seats()

    def _setup(self) -> QWidget:
        self.seat = QComboBox()
        self.seat.setToolTip("Seat on which everybody is seated in turn")
        self.shapes, self.restraints = (
            KeysButton("as it is", library("seat")),
            KeysButton("that of the seat", library("restraint")),
        )
        self.rides = KeysButton("as it is")
        self.rides.setToolTip("Load cases of the project that are ridden, each with everybody")
        self.bodies = QComboBox()
        self.bodies.addItems([USUAL, DRAWN])
        self.bodies.currentTextChanged.connect(lambda _text: self._enable())
        self.count = QSpinBox()
        self.count.setRange(1, 10_000)
        self.count.setValue(20)
        self.children_share = QSpinBox()
        self.children_share.setRange(0, 100)
        self.children_share.setSuffix(" %")
        form = QFormLayout()
        for title, widget in (
            ("Seat", self.seat), ("Seat made as", self.shapes), ("Restraint", self.restraints),
            ("Load case", self.rides), ("Bodies", self.bodies), ("Drawn", self.count),
            ("Children", self.children_share),
        ):  # fmt: skip
            widget.setAccessibleName(title)
            form.addRow(title, widget)
        self.by_ride = QCheckBox("Sizes by the ride")
        self.by_ride.setChecked(True)
        self.by_ride.setToolTip(
            "Then ride for the statures and masses between which people may ride, to 1 cm and 1 kg"
        )
        self.cost = plain_label()
        self.cost.setWordWrap(True)
        self.cost.setProperty("role", "muted")
        form.addRow("", self.by_ride)
        form.addRow("", self.cost)
        self.admitted = AdmittedEntries(self._document, form, self)
        self.admitted.said.connect(lambda why: self.state.setText(why))
        for changed in (
            self.shapes.changed, self.restraints.changed, self.rides.changed, self.count.valueChanged,
            self.by_ride.toggled,
        ):  # fmt: skip
            changed.connect(lambda *_: self._show_cost())
        self.start_button = self._button("Ride them", "Seat and ride everybody, one run each", self.start)
        self.stop_button = self._button("Stop", "Stop; what has come is kept", self.process.stop)
        self.resume_button = self._button(
            "Go on", "Make the runs that are left", lambda: self._run(resume=True)
        )
        self.fit_button = self._button(
            "Who fits", "Statures and masses that the restraint closes onto, without a ride", self.ask_fits
        )
        buttons = FlowLayout()
        for button in (self.start_button, self.stop_button, self.resume_button, self.fit_button):
            buttons.addWidget(button)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 8, 0)
        column.addLayout(form)
        column.addLayout(buttons)
        column.addStretch(1)
        area = scrolled(made)  # where there is little room nothing is squeezed
        area.setMinimumWidth(made.minimumSizeHint().width() + area.verticalScrollBar().sizeHint().width())
        return area

    def _answer(self) -> QWidget:
        self.table = plain_table(COLUMNS)
        self.table.setAccessibleName("Who may ride")
        self.margins = plain_table(("Criterion", "Least margin", "Of", "On"))
        self.margins.setAccessibleName("Least margins of those who stay in their seats")
        self.sizes = SizesTable()
        self.table.itemSelectionChanged.connect(self._enable)
        self.table.itemDoubleClicked.connect(lambda _item: self.ride_run())
        self.state, self.sentence, self.fits = plain_label(), plain_label(), plain_label()
        for label in (self.state, self.sentence, self.fits):
            label.setWordWrap(True)
        self.state.setProperty("role", "muted")
        self.state.setText(EMPTY)
        self.ride_button = self._button(
            "Ride this one", "Seat this body in the project, ride and play", self.ride_run
        )
        self.report_button = ReportButton(self.store_folder, self.state.setText)
        below = FlowLayout()
        below.addWidget(self.ride_button)
        below.addWidget(self.report_button)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.state)
        tabs = QTabWidget()
        tabs.setDocumentMode(True)
        tabs.addTab(self.table, "Bodies")
        tabs.addTab(self.margins, "Criteria")
        column.addWidget(tabs, 1)
        column.addWidget(self.sizes.table)
        words = scrolled(self.sentence)  # where there is much to say the tables keep their room
        words.setMaximumHeight(SAID_LINES * self.sentence.fontMetrics().lineSpacing())
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        column.addWidget(words)
        column.addWidget(self.fits)
        column.addLayout(below)
        return made

    @staticmethod
    def _button(text: str, tip: str, call: object) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(lambda _=False: call())  # type: ignore[operator]
        return button

    # -- what is asked

    def _list_seats(self) -> None:
        top = self._document.project.assembly
        seats = [] if top is None else [*top.every("seat")]
        if seats != [self.seat.itemText(k) for k in range(self.seat.count())]:
            chosen = self.seat.currentText()
            with QSignalBlocker(self.seat):
                self.seat.clear()
                self.seat.addItems(seats)
                self.seat.setCurrentText(chosen if chosen in seats else (seats[0] if seats else ""))
        cases = [case.name for case in self._document.project.load_cases]
        self.rides.offer([(name, name) for name in cases])
        self.rides.setEnabled(bool(cases))
        self._enable()

    def study(self) -> Study:
        """What is asked. Raises InputError."""
        admitted = self.admitted.admitted
        bodies = usual(admitted)
        if self.bodies.currentText() == DRAWN:
            bodies = drawn(self.count.value(), children=0.01 * self.children_share.value(), admitted=admitted)
        return study_of(
            "base.ridewright", [self.seat.currentText()], bodies,
            shapes=self.shapes.keys, restraints=self.restraints.keys, cases=self.rides.keys,
            by_ride=self.by_ride.isChecked(),
        )  # fmt: skip

    def ask_fits(self) -> None:
        """Look who fits, beside the window."""
        project = self._document.project
        wanted = Wanted(project, self.seat.currentText(), self.shapes.keys, self.restraints.keys)
        self.inquiry.ask(project, wanted)

    def _show_fits(self) -> None:
        if self.inquiry.running:
            self.fits.setText("Looking who fits …")
        elif self.inquiry.found is not None:
            self.fits.setText("\n".join(units.in_units(one) for one in self.inquiry.found[1]))
        else:
            self.fits.setText(units.in_units(self.inquiry.why))
        self._enable()

    # -- runs

    def store_folder(self) -> Path | None:
        """Where the runs are."""
        return None if self._folder is None else self._folder / "runs"

    def start(self) -> None:
        """Write the study beside the project and run it."""
        try:
            study, folder = self.study(), new_folder(self._document.path)
            save_project(self._document.project, folder / "base.ridewright")
            write_atomically(folder / "a.study.json", study.model_dump_json(indent=1) + "\n")
        except (InputError, OSError) as error:
            self.state.setText(units.told(error))
            return
        self._folder = folder
        self._show(WhoMayRide((), ()))
        self._run(resume=False)

    def _run(self, *, resume: bool) -> None:
        if self._folder is not None and not self.process.running:
            self.process.start(self._folder / "a.study.json", self._folder / "runs", resume=resume)
            self.state.setText("Starting the workers …")
            self._looks.start()
            self._enable()

    def look(self) -> None:
        """Read what has come, off the thread of the window."""
        folder = self.store_folder()
        if folder is None or not (folder / "study.json").exists():
            return
        if self._reader is None:
            self._reader = Task("who may ride", lambda folder, _reporter: read(folder), self)
            self._reader.finished.connect(self._on_read)
        self._reader.ask(folder)

    def _on_read(self, found: tuple[WhoMayRide, dict[str, str]] | str) -> None:
        if isinstance(found, str):
            if (
                not self.process.running
            ):  # else a part that was just gathered with others: the next look finds it
                self.state.setText(units.in_units(found))
        elif self._folder is not None:
            self._titles = found[1]
            self._show(found[0])

    def _on_reported(self, done: int, of: int, _failed: int, left: float) -> None:
        self.state.setText(f"{done} of {of} rides" + (f", about {clock(left)} left" if left > 0.0 else ""))

    def _on_ended(self, _finished: bool, sentence: str) -> None:
        self._looks.stop()
        self.state.setText(sentence)
        self.look()
        self._enable()

    def _on_begun(self, *_: object) -> None:
        self._folder = None
        self.process.stop()
        self._looks.stop()
        self._show(WhoMayRide((), ()))
        self.state.setText(EMPTY)
        self.fits.setText("")

    # -- what came

    def _on_units(self) -> None:
        self.admitted.show_values()
        self._show(self._shown)
        self._show_fits()

    def _show(self, found: WhoMayRide) -> None:
        chosen = self.table.currentRow()
        self._shown = found
        self.sizes.show_found(found.admitted)
        self.table.setRowCount(len(found.rows))
        for row, one in enumerate(found.rows):
            for column, text in enumerate(_cells(one)):
                item = QTableWidgetItem(text)
                item.setToolTip(plain_tip(text))
                if column == VERDICT:
                    colours = theme.current()
                    item.setForeground(QColor(colours.good if one.verdict == "may ride" else colours.bad))
                self.table.setItem(row, column, item)
        self.table.resizeColumnsToContents()
        if 0 <= chosen < len(found.rows):
            self.table.selectRow(chosen)
        said = found.sentences()
        said += [units.in_units(line) for line in remarks(found.admitted, self.admitted.admitted)]
        with refilled(self.margins):
            for least in found.margins:
                body = found.row(least.run)
                of = ", ".join(word for word in (body.body, body.seat, body.restraint, body.ride) if word)
                title = self._titles.get(least.criterion, least.criterion)
                add_row(self.margins, (title, percent(least.margin), of, least.who), right=(1,))
        self.sentence.setText("\n".join(said))
        self._enable()

    def ride_run(self) -> None:
        """Seat the chosen body in the project, as one step, and ask for it to be ridden and played."""
        row, folder = self.table.currentRow(), self.store_folder()
        if folder is None or not 0 <= row < len(self._shown.rows):
            return
        one = self._shown.rows[row]
        try:
            made = project_of(Store.open(folder), one.run)
        except InputError as error:
            self.state.setText(units.told(error))
            return
        self._document.apply(f"Seat {one.body}", made, exactly=True)
        self.ride_wanted.emit()

    def _show_cost(self) -> None:
        """How many rides it takes, before it starts."""
        there = math.prod(max(1, len(one.keys)) for one in (self.shapes, self.restraints, self.rides))
        drawn_ones = (
            self.count.value() if self.bodies.currentText() == DRAWN else len(usual(self.admitted.admitted))
        )
        rides = counted(there * (drawn_ones + 1), "ride")
        more = f", then {most_rides(there)} at most for the sizes" if self.by_ride.isChecked() else ""
        self.cost.setText(f"{rides}{more}")

    def _enable(self) -> None:
        running, seat = self.process.running, self.seat.count() > 0
        self.start_button.setEnabled(seat and not running)
        self.stop_button.setEnabled(running)
        self.resume_button.setEnabled(self._folder is not None and not running)
        self.fit_button.setEnabled(seat and not self.inquiry.running)
        self.count.setEnabled(self.bodies.currentText() == DRAWN)
        self.children_share.setEnabled(self.bodies.currentText() == DRAWN)
        self.ride_button.setEnabled(0 <= self.table.currentRow() < len(self._shown.rows))
        self.report_button.setEnabled(bool(self._shown.rows))
        self._show_cost()
        if not seat:
            self.state.setText(NO_SEAT)
        elif self.state.text() == NO_SEAT:
            self.state.setText(EMPTY)

    def shutdown(self) -> None:
        """End what runs with the window."""
        self._looks.stop()
        self.process.close()


def _cells(one: Ridden) -> tuple[str, ...]:
    return (
        one.body, one.seat or "as it is", one.restraint or "as it is", one.ride or "as it is", one.verdict,
        "" if one.margin is None else percent(one.margin),
        "" if one.airtime is None else units.text(one.airtime, "s", decimals=2),
        "" if one.gap is None else units.text(one.gap, "mm", decimals=1),
        "" if one.load is None else units.text(one.load, "N", decimals=0),
        one.reason or one.misfits,
    )  # fmt: skip
