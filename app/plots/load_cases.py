"""The Load cases panel: who sits where by name, all of them run one after the other, and what each loads most."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QTableWidgetItem, QVBoxLayout, QWidget

from ...core.base.errors import InputError
from ...core.model.load_cases import PATTERNS
from ...core.outcome.envelopes import KINDS, Envelopes, run_load_cases
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..widgets import dialogs, units
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..work.task import ProgressReporter, Task

EMPTY = "Who sits where, by name: full, empty, half, worst eccentric, women and children. Make the usual ones first."
READY = (
    "Run all: a ride with each load case, and what joints, footings, wheels, couplings and stress have most."
)
STALE = "The design has changed since: run them again."
SHOWN = {"N": "kN", "Pa": "MPa"}


class LoadCasesPanel(QWidget):
    """Load cases of the project with the envelopes of their last runs."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._found: tuple[Project, Envelopes] | None = None
        self._asked: Project | None = None
        self._work: Task | None = None  # its thread is begun when it is needed
        self.usual = QPushButton("Make the usual ones")
        self.usual.setToolTip("Full, empty, half, worst eccentric, women and children, kept with the project")
        self.usual.clicked.connect(self.make_usual)
        self.button = QPushButton("Run all")
        self.button.clicked.connect(self.run)
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(self._give_up)
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        bar = QHBoxLayout()
        for widget in (self.usual, self.button, self.stop):
            bar.addWidget(widget)
        bar.addWidget(self.note, 1)
        self.table = plain_table(("",))
        self.table.setAccessibleName("Largest loads by load case")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addLayout(bar)
        layout.addWidget(self.table, 1)
        self._table = Refresh(self, self._fill)
        document.project_changed.connect(lambda _: self._table.soon())
        document.begun.connect(self._forget)
        settings.changed.connect(lambda name: self._fill() if name == "units" else None)
        self._fill()

    @property
    def running(self) -> bool:
        """Whether load cases are being run."""
        return self._asked is not None

    def make_usual(self) -> None:
        """Keep the usual load cases with the project, as one step."""
        from ...core.edits.load_cases import set_load_cases, usual_cases

        try:
            made = set_load_cases(self._document.project, usual_cases())
        except InputError as error:
            dialogs.message(self, "That is not possible here", units.in_units(error.said), bad=True)
            return
        self._document.apply("Make the usual load cases", made)

    def _give_up(self) -> None:
        if self._work is not None:
            self._work.stop()

    def run(self) -> None:
        """Run all load cases of the project beside the window."""
        if self._work is None:
            self._work = Task("load cases", _run, self, failing="The load cases were not run")
            self._work.finished.connect(self._on_found)
            self._work.failed.connect(self._on_failed)
            self._work.progressed.connect(
                lambda share, text: self.note.setText(f"{text}: {share:.0%} of all.")
            )
        self._asked = self._document.project
        self._fill()
        self._work.ask(self._asked)

    def _on_found(self, found: Envelopes) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and found.runs:
            self._found = (asked, found)
        self._fill()

    def _on_failed(self, why: str) -> None:
        self._asked = None
        self._fill()
        self.note.setText(why)

    def _forget(self) -> None:
        """Another project: what is run of the one before is given up, and not shown when it comes."""
        self._give_up()
        self._found = self._asked = None
        self._fill()

    def _fill(self) -> None:
        project = self._document.project
        cases = project.load_cases
        self.usual.setEnabled(not self.running and project.assembly is not None)
        self.button.setEnabled(not self.running and bool(cases))
        self.stop.setEnabled(self.running)
        self.table.setRowCount(0)
        if self._found is not None:
            self._fill_envelopes(self._found[1])
        else:
            self.table.setColumnCount(3)
            self.table.setHorizontalHeaderLabels(["Load case", "Taken", "Masses"])
            for case in cases:
                masses = " and ".join(units.text(mass, "kg", decimals=0) for mass in case.masses)
                self._add(case.name, [PATTERNS[case.pattern], masses or "as the seats have them"])
        if not self.running:
            self.note.setText(self._said(project))

    def _said(self, project: Project) -> str:
        if self._found is None:
            return READY if project.load_cases else EMPTY
        asked, found = self._found
        early = [f"{run.name}: {run.ended}" for run in found.runs if run.ended]
        words = [f"{len(found.runs)} load cases; bold is the largest of a row.", *early]
        if asked is not project:
            words.append(STALE)
        return " ".join(words)

    def _fill_envelopes(self, found: Envelopes) -> None:
        self.table.setColumnCount(1 + len(found.runs))
        self.table.setHorizontalHeaderLabels(["", *(run.name for run in found.runs)])
        boards = [units.text(run.masses.on_board, "kg", decimals=0) for run in found.runs]
        self._add("On board", boards)
        self._add("Moves together", [units.text(run.masses.total, "kg", decimals=0) for run in found.runs])
        for kind, (title, unit) in KINDS.items():
            rows = [row for row in found.rows if row.kind == kind]
            if rows:
                self._add(title, [], heading=True)
            for row in rows:
                cells = [
                    "" if value is None else units.text(value, SHOWN[unit], decimals=2)
                    for value in row.values
                ]
                self._add(row.name, cells, bold=row.governs)

    def _add(self, name: str, cells: list[str], bold: int | None = None, *, heading: bool = False) -> None:
        """A row of the table; bold: the cell that governs; heading: its name is that of the rows below."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, text in enumerate([name, *cells]):
            item = QTableWidgetItem(text)
            font = item.font()
            font.setBold(heading or (bold is not None and column == bold + 1))
            item.setFont(font)
            if column:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.table.setItem(row, column, item)

    def shutdown(self) -> None:
        """End the thread."""
        if self._work is not None:
            self._work.close()
            self._work = None


def _run(project: Project, reporter: ProgressReporter) -> Envelopes:
    return run_load_cases(project, on_case=reporter.progress, should_stop=reporter.stopped)
