"""The Cross-check panel: the project ridden here and in a second engine beside the window, and what differs."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHeaderView,
    QLabel,
    QTableWidget,
    QWidget,
)

from ...core.base.where import Where
from ...core.cross_check.check import checked
from ...core.cross_check.engines import ENGINES
from ...core.cross_check.where import element_of
from ...core.outcome.second_engine import AGREE, OPEN, RECORDED, CrossCheck, quantity_text, worst_of
from ...core.project.project import Project
from ..document.document import Document
from ..document.playback import Playback
from ..document.selection import selection_of
from ..widgets import units
from ..widgets.plain_table import add_row, plain_table, refilled
from ..widgets.settings import Settings
from ..work.own_process import in_own_process
from ..work.task import ProgressReporter
from .inquiry_panel import InquiryPanel

READY = (
    "Ride the project twice here and twice in another engine, and see what differs by more than both are off. It takes"
    " many times as long as a run."
)
RIDING = "Riding twice here and twice in {engine} ..."
STALE = "The design has changed since: check it again."
FIRST = 5.0  # s, that are compared unless more are asked for
AGREEMENT = ("Quantity", "Of", "Differs most", "Errors of both", "Largest", "At", "Verdict")
DIFFERENCES = ("What differs", "From", "By")
LEFT = ("Left out of both rides", "What", "Why")
TABS = ("Agreement", "Differences", "Left out")


class CrossCheckPanel(InquiryPanel):
    """What a second engine says of the open project. A click on a row selects what it is about and shows the moment."""

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            document,
            _check,
            "Cross-check",
            TABS,
            parent,
            name="cross-check",
            failing="The cross-check failed",
        )
        self._playback = playback
        self.inquiry.answered.connect(self._on_found)
        self.engine = QComboBox()
        self.engine.addItems(ENGINES)
        self.engine.setAccessibleName("Second engine")
        self.engine.setToolTip("exudyn takes rides and loops; MuJoCo takes trees of bodies without a track")
        self.duration = QDoubleSpinBox()
        self.duration.setRange(0.1, 600.0)
        self.duration.setDecimals(1)
        self.duration.setSuffix(" s")
        self.duration.setAccessibleName("Duration that is compared")
        self.tables = tuple(
            self._table(*both) for both in zip((AGREEMENT, DIFFERENCES, LEFT), TABS, strict=True)
        )
        for table in self.tables:
            self.pages.addWidget(table)
        self._lay_out((self.engine, QLabel("first"), self.duration, self.button, self.stop), self.pages)
        document.begun.connect(self._propose)
        self._propose()
        self._begin(settings)

    def _table(self, heads: tuple[str, ...], name: str) -> QTableWidget:
        table = plain_table(heads)
        table.setAccessibleName(name)
        head = table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        table.itemSelectionChanged.connect(partial(self._on_row, table))
        return table

    def run(self) -> None:
        """Check the project, unless that is being done."""
        if self.inquiry.running:
            return
        project = self._document.project
        self.inquiry.ask(project, (project, self.engine.currentText(), self.duration.value()))

    def _propose(self) -> None:
        """A duration for another project."""
        given = self._document.project.scenario.duration
        self.duration.setValue(FIRST if given is None else min(FIRST, given))

    def _on_found(self, found: CrossCheck) -> None:
        self._fill()
        self.tabs.setCurrentIndex(0 if found.agrees else 1)

    def _fill(self) -> None:
        found: CrossCheck | None = self.answer
        with refilled(*self.tables):
            if found is not None:
                self._fill_tables(found)
        counts = (None, found and len(found.findings), found and len(found.left_out))
        for k, (text, count) in enumerate(zip(TABS, counts, strict=True)):
            self.tabs.setTabText(k, text if count is None else f"{text} {count}")
        self._show_state()

    def _fill_tables(self, found: CrossCheck) -> None:
        agreement, differences, left = self.tables
        project = self._document.project
        for one in worst_of(found).values():
            cells = [one.quantity, one.name]
            cells += [units.in_units(one.said(value)) for value in (one.difference, one.allowed, one.largest)]
            cells += [units.text(one.time, "s", decimals=3), one.verdict]
            where = element_of(one.name, project)
            add_row(agreement, cells, Where(where.path, time=one.time), right=range(2, 6))
        for finding in found.findings:
            when = "" if finding.time is None else units.text(finding.time, "s", decimals=3)
            size = "" if finding.value is None else units.in_units(quantity_text(finding.value, finding.unit))
            row = [units.in_units(finding.message), when, size]
            add_row(differences, row, finding.where, right=range(1, 3))
        for lost in found.left_out:
            add_row(left, (lost.name, lost.what, lost.why), element_of(lost.name, project), right=())

    def _ready(self) -> bool:
        return self._document.project.assembly is not None

    def _show_state(self) -> None:
        super()._show_state()
        found, running = self.answer, self.inquiry.running
        self._enable_tabs((True, bool(found and found.findings), bool(found and found.left_out)))
        for widget in (self.engine, self.duration):
            widget.setEnabled(not running)
        if running:
            self.note.setText(RIDING.format(engine=self.engine.currentText()))

    def _said(self) -> str:
        if self.inquiry.found is None:
            return READY
        design, found = self.inquiry.found
        words = [f"{units.text(found.duration, 's', decimals=2)} here and in {found.engine}."]
        judged = sum(one.severity != "note" for one in found.findings)
        words.append(AGREE if not judged else f"{judged} differ by more than both are off.")
        if found.open_forces:
            words.append(OPEN)
        if found.recorded:
            words.append(f"{', '.join(found.recorded)}: {RECORDED}")
        if found.cost is not None:
            words.append(units.in_units(found.cost.sentence))
        if design is not self._document.project:
            words.append(STALE)
        return " ".join(words)

    def _on_row(self, table: QTableWidget) -> None:
        """Lead to what the chosen row is about, and to its moment in the shown run."""
        chosen = table.selectedItems()
        if not chosen:
            return
        where: Where = chosen[0].data(Qt.ItemDataRole.UserRole)
        selection = selection_of(where, self._document.project) if where.path else None
        if selection is not None:
            self._document.select(selection)
        if where.time is not None and self._document.current_run is not None:
            self._playback.pause()
            self._playback.seek(where.time)


def _check(asked: tuple[Project, str, float], reporter: ProgressReporter) -> CrossCheck:
    return in_own_process(checked, asked, reporter)
