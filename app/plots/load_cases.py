"""The Load cases panel: who sits where by name, edited by hand; all of them run one after the other, and what each
loads most."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabBar, QTableWidgetItem, QVBoxLayout, QWidget

from ...core.base.errors import InputError
from ...core.model.load_cases import LoadCase
from ...core.outcome.envelopes import KINDS, Envelopes, run_load_cases
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..widgets import units
from ..widgets.flow import FlowLayout
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh
from ..widgets.row_table import restyle_buttons, row_button
from ..widgets.settings import Settings
from ..work.inquiry import Inquiry
from ..work.task import ProgressReporter
from .case_editor import CaseEditor

EMPTY = (
    "Who sits where, by name: full, empty, half, worst eccentric, women and children. Make the usual ones, or add"
    " one."
)
READY = (
    "Run all: a ride with each load case, and what joints, footings, wheels, couplings and stress have most."
)
NO_SEATS = "Load cases say who sits where, and this project has no seat yet."
STALE = "The design has changed since: run them again."
SHOWN = {"N": "kN", "Pa": "MPa"}


class LoadCasesPanel(QWidget):
    """Load cases of the project with the envelopes of their last runs."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self.inquiry = Inquiry("load cases", _run, document, self, failing="The load cases were not run")
        self.inquiry.answered.connect(self._on_found)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Load cases, or what they load most")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab("Cases")
        self.tabs.addTab("Largest loads")
        self.usual = QPushButton("Make the usual ones")
        self.usual.setToolTip(
            "Full, empty, half, worst eccentric, women and children, beside those that there are"
        )
        self.usual.clicked.connect(self.make_usual)
        self.editor = CaseEditor(document)
        self.editor.refused.connect(self.inquiry.say)
        self.editor.changed.connect(self._enable)
        self.add, self.duplicate, self.delete = (
            row_button(icon, text, tip, do)
            for icon, text, tip, do in (
                ("add", "Add", "Add a load case", self.editor.add),
                (
                    "duplicate",
                    "Duplicate",
                    "The chosen load case again, to be changed",
                    self.editor.duplicate,
                ),
                ("delete", "Delete", "Delete the chosen load case (Del)", self.editor.delete),
            )
        )
        self.button = QPushButton("Run all")
        self.button.clicked.connect(self.run)
        self.stop = QPushButton("Stop")
        self.stop.clicked.connect(self.inquiry.give_up)
        self.note = plain_label()
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.inquiry.progressed.connect(lambda share, text: self.note.setText(f"{text}: {share:.0%} of all."))
        self.table = plain_table(("",))
        self.table.setAccessibleName("Largest loads by load case")
        self.pages = QStackedWidget()
        self.pages.addWidget(self.editor)
        self.pages.addWidget(self.table)
        self._lay_out()
        self._table = Refresh(self, self._fill)
        document.project_changed.connect(lambda _: self._table.soon())
        document.begun.connect(self._fill)  # after the inquiry, which forgets
        self.inquiry.changed.connect(self._show_state)
        settings.changed.connect(lambda name: self._fill() if name == "units" else None)
        self._fill()

    def _lay_out(self) -> None:
        bar = FlowLayout()
        bar.setSpacing(4)
        for widget in (self.tabs, self.usual, self.add, self.duplicate, self.delete, self.button, self.stop):
            bar.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addLayout(bar)
        layout.addWidget(self.note)
        layout.addWidget(self.pages, 1)
        self.tabs.currentChanged.connect(self._on_tab)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_table"):
            restyle_buttons((self.add, self.duplicate, self.delete))

    def make_usual(self) -> None:
        """Keep those of the usual load cases with the project that it does not have yet, as one step."""
        from ...core.edits.load_cases import set_load_cases

        project = self._document.project
        try:
            made = set_load_cases(project, (*project.load_cases, *_usual(project)))
        except InputError as error:
            self.inquiry.say(units.in_units(error.said))
            return
        self.inquiry.say("")
        self._document.apply("Make the usual load cases", made)

    def run(self) -> None:
        """Run all load cases of the project beside the window."""
        self.inquiry.ask(self._document.project, self._document.project)

    def _on_found(self) -> None:
        self._fill()
        self.tabs.setCurrentIndex(1)

    def _on_tab(self, which: int) -> None:
        self.pages.setCurrentIndex(which)
        self._enable()

    def _fill(self) -> None:
        self.editor.refresh()
        self.table.setRowCount(0)
        found = self.inquiry.found
        if found is not None:
            self._fill_envelopes(found[1])
        self.tabs.setTabText(0, f"Cases {len(self._document.project.load_cases)}")
        self.tabs.setTabEnabled(1, found is not None)
        if found is None:
            self.tabs.setCurrentIndex(0)
        self._show_state()

    def _show_state(self) -> None:
        self._enable()
        self._show_note()

    def _enable(self) -> None:
        project = self._document.project
        seated = project.assembly is not None and bool(project.assembly.every("seat"))
        listed = self.tabs.currentIndex() == 0
        self.add.setEnabled(not self.inquiry.running and seated and listed)
        self.usual.setEnabled(self.add.isEnabled() and bool(_usual(project)))
        for button in (self.duplicate, self.delete):
            button.setEnabled(not self.inquiry.running and bool(self.editor.chosen) and listed)
        self.editor.setEnabled(not self.inquiry.running)
        self.button.setEnabled(not self.inquiry.running and bool(project.load_cases))
        self.button.setVisible(not self.inquiry.running)
        self.stop.setVisible(self.inquiry.running)

    def _show_note(self) -> None:
        if not self.inquiry.running:
            why = self.inquiry.why
            self.note.setText(why or self._said(self._document.project))
            role = "bad" if why else "muted"
            if self.note.property("role") != role:
                self.note.setProperty("role", role)
                self.note.style().polish(self.note)

    def _said(self, project: Project) -> str:
        if project.assembly is None or not project.assembly.every("seat"):
            return NO_SEATS
        if self.inquiry.found is None:
            return READY if project.load_cases else EMPTY
        asked, found = self.inquiry.found
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
        self.inquiry.close()


def _usual(project: Project) -> tuple[LoadCase, ...]:
    """Those of the usual load cases whose names the project does not have."""
    from ...core.edits.load_cases import usual_cases

    taken = {case.name for case in project.load_cases}
    return tuple(case for case in usual_cases() if case.name not in taken)


def _run(project: Project, reporter: ProgressReporter) -> Envelopes | None:
    made = run_load_cases(project, on_case=reporter.progress, should_stop=reporter.stopped)
    return made if made.runs else None
