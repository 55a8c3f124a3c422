"""The Studies panel: fields that are varied, the plan, runs that come in a process of their own, a plot of them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QGridLayout,
    QHeaderView,
    QLabel,
    QMessageBox,
    QPushButton,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import counted
from ...core.project.project import save_project, write_atomically
from ...core.studies.estimate import Estimate
from ...core.studies.front import Front
from ...core.studies.plan import run_count
from ...core.studies.repeat_run import project_of
from ...core.studies.store import Store, Table
from ...core.studies.study import Parameter, Study, load_study
from ..document.document import Document
from ..widgets import units
from ..widgets.flow import FlowLayout
from ..widgets.plain_words import plain_label, plain_tip
from ..widgets.settings import Settings
from ..work.task import Task
from .answers import Asked, Shown, clock, estimated, shown_in
from .choices import CRITERIA, SEARCH, choice_box, goal_names, plan_words, ride_words, study_of
from .goals_table import GoalsTable
from .parameter_table import ParameterTable
from .plot import StudyPlot
from .process import StudyProcess, new_folder
from .report_button import ReportButton
from .run_table import RunModel, RunTable

EMPTY = "Right-click the title of a field in the inspector and choose Vary this in a study."
ROW = 24  # px, height of a run in the table
LOOK = 1000  # ms between two looks at what has come


class StudiesPanel(QWidget):
    """Sets up, runs and shows a study; a run is taken over as a step that can be undone.

    `ride_wanted`: the project has been given the values of a run and shall be ridden and played.
    """

    ride_wanted = Signal()

    def __init__(self, document: Document, settings: Settings, parent: QWidget | None = None) -> None:
        """settings: not used, so that all panels are made alike."""
        super().__init__(parent)
        self._document = document
        self._folder: Path | None = None
        self._front: Front | None = None
        self._estimates: Task | None = None
        self._reader: Task | None = None
        self.process = StudyProcess(self)
        self.process.reported.connect(self._on_reported)
        self.process.ended.connect(self._on_ended)
        self._looks = QTimer(self)
        self._looks.setInterval(LOOK)
        self._looks.timeout.connect(self.look)
        self.parameters = ParameterTable()
        self.parameters.changed.connect(self._changed)
        self.parameters.refused.connect(self._say)
        self.goals = GoalsTable()
        self.goals.changed.connect(self._changed)
        self.goals.setVisible(False)
        self.model = RunModel()
        self.runs = RunTable()
        self.plot = StudyPlot()
        self.plot.chosen.connect(self.select_run)
        split = QSplitter(Qt.Orientation.Horizontal)
        for widget, part in ((self._setup(), 3), (self._table(), 4), (self.plot, 4)):
            split.addWidget(widget)
            split.setStretchFactor(split.count() - 1, part)
        split.setChildrenCollapsible(False)
        split.setSizes([360, 520, 480])
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.addWidget(split)
        self.criteria.setCurrentText("ASTM F2291")
        document.begun.connect(self._on_begun)
        self._changed()

    def _setup(self) -> QWidget:
        self.ride = choice_box("Ride", ride_words(), self._changed)
        self.plan = choice_box("Plan", plan_words(), self._changed)
        self.criteria = choice_box("Criteria", {name: name for name in CRITERIA}, self._changed)
        self.count = QSpinBox()
        self.count.setRange(2, 1_000_000)
        self.count.setValue(64)
        self.count.setAccessibleName("Runs")
        self.count.setToolTip("Runs of a sample; of a grid, steps of every parameter")
        self.count.valueChanged.connect(lambda _: self._changed())
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        entries = (
            ("Ride", self.ride),
            ("Plan", self.plan),
            ("Runs", self.count),
            ("Criteria", self.criteria),
        )
        for row, (text, widget) in enumerate(entries):
            label = QLabel(text)
            label.setBuddy(widget)
            grid.addWidget(label, row // 2, 2 * (row % 2))
            grid.addWidget(widget, row // 2, 2 * (row % 2) + 1)
        for column in (1, 3):
            grid.setColumnStretch(column, 1)
        self.note = plain_label(EMPTY)
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.start_button = self._button("Start", "Make the runs, in a process of their own", self.start)
        self.stop_button = self._button(
            "Stop", "Stop after the runs under way; what has come is kept", self.stop
        )
        self.resume_button = self._button("Resume", "Go on with the runs that are missing", self.resume)
        self.remove_button = self._button(
            "Remove", "Vary the chosen field no more", self.parameters.remove_selected
        )
        self.open_button = self._button("Open…", "Show the runs of a folder", self.choose)
        buttons = FlowLayout()
        for name in ("start", "stop", "resume", "remove", "open"):
            buttons.addWidget(getattr(self, f"{name}_button"))
        holder = QWidget()
        whole = QVBoxLayout(holder)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parameters, 1)
        whole.addWidget(self.goals, 1)
        whole.addLayout(grid)
        whole.addWidget(self.note)
        whole.addLayout(buttons)
        return holder

    def _button(self, text: str, tip: str, do: object) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(tip)
        button.clicked.connect(lambda _=False: do())  # type: ignore[operator]
        return button

    def _table(self) -> QWidget:
        self.runs.setModel(self.model)
        self.runs.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.runs.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.runs.setShowGrid(False)
        self.runs.setWordWrap(False)
        self.runs.setSortingEnabled(True)
        self.runs.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.runs.setAccessibleName("Runs of the study")
        self.runs.verticalHeader().hide()
        self.runs.verticalHeader().setDefaultSectionSize(ROW)
        self.runs.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.runs.horizontalHeader().setStretchLastSection(True)
        self.runs.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        self.runs.doubleClicked.connect(lambda _: self.take_over())
        self.runs.selectionModel().selectionChanged.connect(lambda *_: self._on_row())
        self.take_button = self._button(
            "Open this run",
            "Give the project the values of the run, as a step that can be undone",
            self.take_over,
        )
        self.ride_button = self._button(
            "Ride it",
            "Give the project the values of the run, ride it with the whole train and play it",
            self.ride_run,
        )
        self.best_button = self._button(
            "Next best",
            "Choose the next of the best designs, none of which is better in every goal",
            self.choose_best,
        )
        self.report_button = ReportButton(self.store_folder, self._tell)
        self.state = plain_label("No runs yet.")
        self.state.setProperty("role", "muted")
        self.state.setWordWrap(True)
        below = FlowLayout(spacing=8)
        below.addStretch(1)
        below.addWidget(self.report_button)
        below.addWidget(self.best_button)
        below.addWidget(self.take_button)
        below.addWidget(self.ride_button)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        self.runs.setMinimumWidth(150)
        column.addWidget(self.runs, 1)
        column.addWidget(self.state)
        column.addLayout(below)
        return holder

    def _on_begun(self) -> None:
        """Another project is open: what was varied and run of the one before is put away. Runs under way stop; those
        that are made stay in their folder, and can be gone on with from there."""
        self._looks.stop()
        self.process.stop()
        self._folder = self._opened = None
        self.goals.show_search(None)
        if self.plan.currentData() == SEARCH:
            self.plan.setCurrentIndex(0)
        self.parameters.show_parameters(())
        self._front = None
        self.model.show_table(None)
        self.plot.show_table(None)
        self.state.setText("No runs yet.")
        self._enable()

    # -- set up

    def vary(self, parameter: Parameter) -> None:
        """Vary something more."""
        self.parameters.add(parameter)

    def study(self) -> Study:
        """The study as it is set up. Raises InputError."""
        ride, plan = self.ride.currentData(), self.plan.currentData()
        return study_of(
            self._document.project,
            self.parameters.parameters,
            ride,
            plan,
            self.count.value(),
            0,
            self.criteria.currentText(),
            self.goals.search(self.count.value()) if plan == SEARCH else None,
        )

    def _changed(self) -> None:
        searching = self.plan.currentData() == SEARCH
        self.goals.setVisible(searching)
        if searching:
            ride, criteria = self.ride.currentData(), self.criteria.currentText()
            self.goals.offer(goal_names(ride, criteria, self._document.project, self.model.table))
        self._enable()
        if self._estimates is not None:
            self._estimates.stop()  # what it finds of before is not said over what holds now
        if not self.parameters.parameters:
            self._say(EMPTY)
            return
        try:
            study = self.study()
        except InputError as error:
            self._say(units.told(error))
            return
        if self._estimates is None:
            self._estimates = Task("studies", lambda asked, _reporter: estimated(asked), self)
            self._estimates.finished.connect(self._on_estimate)
        self._say("Counting the runs and timing one of them…")
        self._estimates.ask(Asked(study, self._document.project))

    def _on_estimate(self, found: Estimate | str) -> None:
        if self._estimates is None or self._estimates.stopping:
            return
        if isinstance(found, str):
            self._say(found)
            return
        if found.seconds != found.seconds:
            self._say(f"{counted(found.runs, 'run')}. {found.note}")
            return
        each = f"{found.seconds:.2g} s" if found.seconds >= 0.1 else f"{1e3 * found.seconds:.0f} ms"
        told = f" {found.note}" if found.note else ""
        self._say(
            f"{counted(found.runs, 'run')} of {each}: about {clock(found.whole)} on"
            f" {counted(found.workers, 'processor')}.{told}"
        )

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setToolTip(plain_tip(text))

    # -- run

    def start(self) -> None:
        """Write the study and its base project into a folder and run it."""
        try:
            study = self.study()
            folder = new_folder(self._document.path)
            save_project(self._document.project, folder / "base.ridewright")
            write_atomically(folder / "a.study.json", study.model_dump_json(indent=1) + "\n")
        except (InputError, OSError) as error:
            self._say(units.told(error))
            return
        self._folder = folder
        self._run(resume=False)
        if self._document.path is None:
            self._say(
                f"The project is not saved: the study is kept in {folder}. Save the project to have it beside."
            )

    def _run(self, *, resume: bool) -> None:
        assert self._folder is not None
        file = self._folder / "a.study.json"
        try:
            function = load_study(file).function
        except InputError as error:
            self._say(units.told(error))
            return
        if function and not self.allows(function):
            self._say(f"Nothing was run: '{function}' was not allowed.")
            return
        self.process.start(file, self._folder / "runs", resume=resume, allow_function=function)
        self.state.setText("Starting the workers…")
        self._looks.start()
        self._enable()

    def allows(self, function: str) -> bool:
        """Whether the person lets a study run a function that is no part of the program; asked at every start."""
        asked = QMessageBox.question(
            self,
            "Code from outside",
            f"This study runs the function {function}, Python code that is no part of Ridewright and may do on this"
            " computer whatever you may.\n\nRun it?",
            QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No,
            QMessageBox.StandardButton.No,
        )
        return asked == QMessageBox.StandardButton.Yes

    def stop(self) -> None:
        """Stop; what has come is kept."""
        self.state.setText("Stopping…")
        self.process.stop()

    def resume(self) -> None:
        """Go on."""
        if self._folder is not None and not self.process.running:
            self._run(resume=True)

    def choose(self) -> None:
        """Show the runs of a folder that is asked for."""
        name = QFileDialog.getExistingDirectory(self, "Folder of a study")
        if name:
            self.open(Path(name))

    def open(self, folder: Path) -> None:
        """Show the runs of a folder: that of the panel, or one of `ridewright study run`."""
        runs = folder / "runs" if (folder / "runs" / "study.json").exists() else folder
        self._folder = runs.parent if (runs.parent / "a.study.json").exists() else None
        found = shown_in(runs)
        if isinstance(found, str):
            self.state.setText(found)
            return
        self._opened = runs
        self.goals.show_search(found.table.study.optimise)
        if found.table.study.optimise is not None:
            self.plan.setCurrentIndex(self.plan.findData(SEARCH))
        self.parameters.show_parameters(found.table.study.parameters)
        self._on_shown(found)

    _opened: Path | None = None

    def store_folder(self) -> Path | None:
        """Where the shown runs are."""
        return self._folder / "runs" if self._folder is not None else self._opened

    def look(self) -> None:
        """Read what has come, off the thread of the window."""
        folder = self.store_folder()
        if folder is None or not (folder / "study.json").exists():
            return
        if self._reader is None:
            self._reader = Task("study runs", lambda folder, _reporter: shown_in(folder), self)
            self._reader.finished.connect(self._on_shown)
        self._reader.ask(folder)

    def _on_shown(self, found: Shown | str) -> None:
        if isinstance(found, str) or self.store_folder() is None:
            return  # a part that was just gathered with others, which the next look finds; or nobody's any more
        chosen = self.selected_run()
        self._front = found.front
        self.model.show_table(found.table, found.front)
        self.plot.show_table(found.table, chosen, found.front)
        if chosen >= 0:
            self.select_run(chosen)
        if not self.process.running:
            self.state.setText(self._summary(found.table))
        self._enable()

    def _summary(self, table: Table) -> str:
        beyond = int((table.numbers["margin"] < 0.0).sum()) if "margin" in table.numbers else 0
        failed = int(table.is_state("failed", "early").sum())
        parts = [counted(len(table), "run")]
        parts += [f"{beyond} beyond a limit"] if beyond else []
        parts += [f"{failed} failed or ended early"] if failed else []
        if self._front is not None:
            best = len(self._front.runs)
            parts += [counted(best, "best design") if best else f"none feasible; {self._front.nearest}"]
        return ", ".join(parts) + "." + (f" {table.ended}" if table.ended else "")

    def _tell(self, text: str) -> None:
        self.state.setText(text)
        self.state.setToolTip(text)

    def _on_reported(self, done: int, of: int, failed: int, left: float) -> None:
        text = f"{done:,} of {of:,} runs"
        text += f", {failed} failed or ended early" if failed else ""
        text += f", about {clock(left)} left" if left > 0.0 else ""
        self.state.setText(text)

    def _on_ended(self, finished: bool, sentence: str) -> None:
        self._looks.stop()
        if sentence:
            self._say(sentence)
        self.look()
        self._enable()

    # -- one run

    def selected_run(self) -> int:
        """Number of the chosen run, -1 without one."""
        rows = self.runs.selectionModel().selectedRows()
        table = self.model.table
        return self.model.run_at(rows[0].row()) if rows and table is not None else -1

    def select_run(self, run: int) -> None:
        """Choose a run in the table."""
        row = self.model.row_of(run)
        if row >= 0:
            self.runs.selectRow(row)
            self.runs.scrollTo(self.model.index(row, 0))

    def _on_row(self) -> None:
        self.plot.show_table(self.model.table, self.selected_run(), self._front)
        self._enable()

    def choose_best(self) -> None:
        """Choose the next of the best designs of a search, the first one behind the last."""
        runs = () if self._front is None else self._front.runs
        if runs:
            chosen = self.selected_run()
            self.select_run(next((run for run in runs if run > chosen), runs[0]))

    def take_over(self) -> bool:
        """Give the project the values of the chosen run; whether that could be done."""
        run, folder = self.selected_run(), self.store_folder()
        if run < 0 or folder is None:
            return False
        try:
            made = project_of(Store.open(folder), run)
        except InputError as error:
            self._say(units.told(error))
            return False
        self._document.apply(f"Open run {run} of the study", made, exactly=True)
        return True

    def ride_run(self) -> None:
        """Take the chosen run over, and ask for it to be ridden and played."""
        if self.take_over():
            self.ride_wanted.emit()

    def _enable(self) -> None:
        running = self.process.running
        self.start_button.setEnabled(not running and bool(self.parameters.parameters))
        self.stop_button.setEnabled(running)
        there = self._folder is not None and (self._folder / "runs" / "study.json").exists()
        table = self.model.table
        whole = table is not None and len(table) >= _runs_of(table.study)
        self.resume_button.setEnabled(not running and there and not whole)
        self.remove_button.setEnabled(bool(self.parameters.parameters))
        for button in (self.take_button, self.ride_button):
            button.setEnabled(self.selected_run() >= 0)
        self.best_button.setVisible(self._front is not None)
        self.best_button.setEnabled(self._front is not None and bool(self._front.designs))
        self.report_button.setEnabled(table is not None and len(table) > 0)

    def shutdown(self) -> None:
        """End what runs with the window."""
        self._looks.stop()
        self.process.close()


def _runs_of(study: Study) -> int:
    """How many runs a study makes, or a search at most."""
    how = study.optimise
    return run_count(study) if how is None else how.population * how.generations
