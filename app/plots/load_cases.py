"""The Load cases panel: who sits where by name, edited by hand; all of them run one after the other, and what each
loads most."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QPushButton, QTableWidgetItem, QWidget

from ...core.base.errors import InputError
from ...core.model.load_cases import LoadCase
from ...core.outcome.envelopes import KINDS, Envelopes, run_load_cases
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..widgets import units
from ..widgets.plain_table import plain_table
from ..widgets.row_table import restyle_buttons, row_button
from ..widgets.settings import Settings
from ..work.task import ProgressReporter
from .case_editor import CaseEditor
from .inquiry_panel import InquiryPanel

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


class LoadCasesPanel(InquiryPanel):
    """Load cases of the project with the envelopes of their last runs."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            document, _run, "Run all", ("Cases", "Largest loads"), parent, name="load cases",
            failing="The load cases were not run",
        )  # fmt: skip
        self.inquiry.answered.connect(self._on_found)
        self.usual = QPushButton("Make the usual ones")
        self.usual.setToolTip(
            "Full, empty, half, worst eccentric, women and children, beside those that there are"
        )
        self.usual.clicked.connect(self.make_usual)
        self.editor = CaseEditor(document)
        self.editor.refused.connect(self.inquiry.say)
        self.editor.changed.connect(self._show_state)
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
        self.inquiry.progressed.connect(lambda share, text: self.note.setText(f"{text}: {share:.0%} of all."))
        self.table = plain_table(("",))
        self.table.setAccessibleName("Largest loads by load case")
        self.pages.addWidget(self.editor)
        self.pages.addWidget(self.table)
        bar = (self.usual, self.add, self.duplicate, self.delete, self.button, self.stop)
        self._lay_out(bar, self.pages)
        self._begin(settings)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "delete"):
            restyle_buttons((self.add, self.duplicate, self.delete))

    def make_usual(self) -> None:
        """Keep those of the usual load cases with the project that it does not have yet, as one step."""
        from ...core.edits.load_cases import set_load_cases

        project = self._document.project
        try:
            made = set_load_cases(project, (*project.load_cases, *_usual(project)))
        except InputError as error:
            self.inquiry.say(units.told(error))
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
        super()._on_tab(which)
        self._show_state()

    def _on_edit(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self.editor.refresh()
        self.table.setRowCount(0)
        if self.answer is not None:
            self._fill_envelopes(self.answer)
        self.tabs.setTabText(0, f"Cases {len(self._document.project.load_cases)}")
        self._enable_tabs((True, self.answer is not None))
        self._show_state()

    def _ready(self) -> bool:
        return bool(self._document.project.load_cases)

    def _show_state(self) -> None:
        super()._show_state()
        project, idle = self._document.project, not self.inquiry.running
        seated = project.assembly is not None and bool(project.assembly.every("seat"))
        listed = self.tabs.currentIndex() == 0
        self.add.setEnabled(idle and seated and listed)
        self.usual.setEnabled(self.add.isEnabled() and bool(_usual(project)))
        for button in (self.duplicate, self.delete):
            button.setEnabled(idle and bool(self.editor.chosen) and listed)
        self.editor.setEnabled(idle)

    def _said(self) -> str:
        project = self._document.project
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


def _usual(project: Project) -> tuple[LoadCase, ...]:
    """Those of the usual load cases whose names the project does not have."""
    from ...core.edits.load_cases import usual_cases

    taken = {case.name for case in project.load_cases}
    return tuple(case for case in usual_cases() if case.name not in taken)


def _run(project: Project, reporter: ProgressReporter) -> Envelopes | None:
    made = run_load_cases(project, on_case=reporter.progress, should_stop=reporter.stopped)
    return made if made.runs else None
