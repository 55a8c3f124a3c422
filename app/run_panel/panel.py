"""The Run panel: the run in progress with its live curve, what waits, and the runs that are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedLayout,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..document.document import Document, Run
from ..widgets import theme, units
from ..widgets.plain_table import cell, plain_table
from ..widgets.plain_words import plain_label, plain_tip
from ..widgets.progress import progress_text
from ..widgets.refresh import Refresh
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.assessment import assessment_of
from ..work.runner import LiveCurve, Runner
from .live_plots import LivePlots

if TYPE_CHECKING:
    from ...core.base.errors import InputError
from ...core.base.sentence import say
from ...core.outcome.peaks import Peaks

LISTED = 0.4  # of a column, for the runs; the rest is for the curves of the one in progress
COLUMNS = ("Run", "Compare", "Ended", "Time", "Top speed", "Peak Gz", "Peak |Gy|", "Riders")
PEAKS = "At pelvis or seat, 5 Hz 4-pole: the largest of all riders and seats of the run, and for Gz the smallest too"
FIRST_WORDS = 20  # letters of what a run did to its riders: "4 of 94 checks outside"
FIRST_LEFT_OUT = (
    3,
    2,
    6,
    4,
    5,
)  # columns that go first where there is no room; every row tells them at the mouse
STALE = " (older)"  # than the design as it is now
LONGEST_NAME = 120  # characters
EMPTY = (
    "No run yet. Press F5 to ride the project.\n\nWhile a run is computed its speed and head loads grow beside; every "
    "run is kept, can be shown again, and drawn over another one."
)


class RunPanel(QWidget):
    """Runs of the document and the live curve of the runner."""

    def __init__(
        self, document: Document, runner: Runner, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._runner, self._settings = document, runner, settings
        self._filling = False
        self._listed: tuple[Run, ...] = ()  # what the rows stand for; the document may be ahead of them
        self._found: dict[int, Peaks | None] = {}  # peak loads by their results
        split = TurningSplitter(above=LISTED)
        split.addWidget(self._make_list())
        self._live_side = self._make_live()
        self._live_side.hide()  # its room is the table's until a run is computed
        split.addWidget(self._live_side)
        split.setSizes([480, 520])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)
        self._rows = Refresh(self, self._fill)
        self._latest: LiveCurve | None = None
        self._curves = Refresh(self, self._draw_live)
        document.runs_changed.connect(self._rows.soon)
        document.project_changed.connect(lambda _: self._rows.soon())
        settings.changed.connect(self._on_setting)
        self._assessment = assessment_of(document)
        self._assessment.judged.connect(lambda _: self._rows.soon())
        self._assessment.outdated.connect(self._rows.soon)
        document.begun.connect(self._on_begun)
        runner.started.connect(self._on_started)
        runner.progressed.connect(self._on_progress)
        runner.partial.connect(self._draw)
        runner.finished.connect(self._on_finished)
        runner.failed.connect(self._on_failed)
        runner.state_changed.connect(self._on_state)
        self._fill()
        self._on_state()

    def _make_list(self) -> QWidget:
        self.table = plain_table(COLUMNS)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)  # a name is never cut
        header.setSectionResizeMode(len(COLUMNS) - 1, QHeaderView.ResizeMode.Stretch)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.table.installEventFilter(self)
        self.table.viewport().installEventFilter(self)
        self.table.itemSelectionChanged.connect(self._on_pick)
        self.table.itemChanged.connect(self._on_check)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        empty = QLabel(EMPTY)
        empty.setProperty("role", "muted")
        empty.setWordWrap(True)
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        empty.setMargin(16)
        holder = QWidget()
        self._pages = QStackedLayout(holder)
        self._pages.addWidget(empty)
        self._pages.addWidget(self.table)
        return holder

    def _make_live(self) -> QWidget:
        self.state = plain_label()
        self.state.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("Stop the run and keep partial results (Shift+F5)")
        self.stop.clicked.connect(self._runner.stop)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop)
        self.live = LivePlots()
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.state)
        layout.addLayout(row)
        layout.addWidget(self.live, 1)
        return holder

    # -- the run in progress

    def _on_begun(self) -> None:
        """Another project: nothing is left of the runs before."""
        self._latest = None
        self.live.clear()
        self._live_side.hide()
        self.bar.setValue(0)
        self.state.setText("")
        self._on_state()

    def _on_started(self) -> None:
        self._latest = None
        self.live.clear()
        self._live_side.show()
        self.bar.setValue(0)
        job = self._runner.job
        self.state.setText(f"{job.name}: preparing" if job is not None else "Preparing")

    def _on_progress(self, fraction: float, now: float, end: float | None) -> None:
        self.bar.setValue(int(1000 * fraction))
        job = self._runner.job
        self.state.setText(
            f"{job.name if job else 'Run'}: {progress_text(self._runner.seconds_left, fraction, now, end)}"
        )

    def _draw(self, live: LiveCurve) -> None:
        self._latest = live
        self._curves.soon()

    def _draw_live(self) -> None:
        if self._latest is not None:
            self.live.draw(self._latest)

    def _on_finished(self, run: Run) -> None:
        self.bar.setValue(1000 if run.results.status.complete else self.bar.value())
        status = run.results.status
        self.state.setText(units.in_units(say("{run}: {status}", run=run.name, status=status.sentence)))

    def _on_failed(self, fault: InputError) -> None:
        self.state.setText(units.told(fault))

    def _on_state(self) -> None:
        running = self._runner.running
        waiting = len(self._runner.queue)
        self.stop.setVisible(running)
        self.bar.setVisible(running)
        self.stop.setText(f"Stop ({waiting} waiting)" if waiting else "Stop")

    # -- the runs that are kept

    def _fill(self) -> None:
        self._rows.done()
        self._filling = True
        runs = self._listed = self._document.runs
        self._pages.setCurrentIndex(1 if runs else 0)
        self.table.setRowCount(len(runs))
        series = theme.current().series
        for row, run in enumerate(runs):
            self._fill_row(row, run, QColor(series[run.colour % len(series)]))
            if run is self._document.current_run:
                self.table.selectRow(row)
        self._filling = False
        self._mark_stale()
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Show as many columns as there is room for; the last one may be cut behind its first words, a name is not."""
        table, header = self.table, self.table.horizontalHeader()
        room = table.viewport().width()
        heads = [header.sectionSizeFromContents(k).width() for k in range(len(COLUMNS))]  # of hidden ones too
        needs = [max(table.sizeHintForColumn(k), head) for k, head in enumerate(heads)]
        needs[-1] = max(heads[-1], min(needs[-1], FIRST_WORDS * header.fontMetrics().averageCharWidth()))
        shown = set(range(len(COLUMNS)))
        for column in FIRST_LEFT_OUT:
            if sum(needs[k] for k in shown) <= room:
                break
            shown.discard(column)
        for column in range(len(COLUMNS)):
            if header.isSectionHidden(column) == (column in shown):
                header.setSectionHidden(column, column not in shown)

    def _fill_row(self, row: int, run: Run, colour: QColor) -> None:
        from ...core.outcome.headline import top_speed  # loads the criteria, which are slow to import

        results = run.results
        fastest = top_speed(results)
        shown = run is self._document.current_run
        texts = (
            run.name,
            "shown" if shown else "",
            "measured" if run.measured is not None else results.status.name,
            units.text(run.duration, "s", decimals=2),
            "–" if fastest is None else units.text(fastest, "m/s"),
            *self._peaks(run),
            self._riders(run),
        )
        figures = "; ".join(f"{COLUMNS[k]} {texts[k]}" for k in range(2, len(COLUMNS)))
        older = ["The project has changed since."] if self._document.is_stale(run) else []
        about = "\n".join([*older, units.in_units(results.status.sentence), figures])
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(plain_tip(PEAKS if COLUMNS[column].startswith("Peak") else about))
            self.table.setItem(row, column, item)
        name = cell(self.table, row, 0)
        name.setData(Qt.ItemDataRole.DecorationRole, colour)
        name.setFlags(name.flags() | Qt.ItemFlag.ItemIsEditable)
        name.setToolTip(f"{name.toolTip()} F2 renames the run, Delete removes it.".strip())
        if not shown:
            check = cell(self.table, row, 1)
            check.setFlags(check.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            compared = run in self._document.compared
            check.setCheckState(Qt.CheckState.Checked if compared else Qt.CheckState.Unchecked)
            check.setToolTip("Draw this run over the shown one")

    def _peaks(self, run: Run) -> tuple[str, str]:
        """Largest and smallest vertical and largest lateral load of all riders and seats, in words."""
        from ...core.outcome.peaks import peak_loads  # loads filters, which are slow to import

        alive = {id(run.results) for run in self._document.runs}
        self._found = {key: peaks for key, peaks in self._found.items() if key in alive}
        if id(run.results) not in self._found:
            self._found[id(run.results)] = peak_loads(run.results)
        found = self._found[id(run.results)]
        if found is None:
            return "–", "–"
        return f"{found.gz_max:+.2f}, {found.gz_min:+.2f} g".replace("-", "−"), f"{found.gy_max:.2f} g"

    def _riders(self, run: Run) -> str:
        """What the run does to its riders, as cover of the report and summary say it, and which limit is nearest."""
        from ...core.outcome.headline import verdict_line

        if not self._assessment.judges(run) and run.measured is None:
            return "none"
        judgement = self._assessment.judgement(run)
        if judgement is None:
            return "…"
        governing = judgement.governing
        if governing is None:
            return "not judged"
        nearest = "" if governing.result.verdict == "outside" else f", {governing.result.title} nearest"
        return verdict_line(judgement.rows) + nearest

    def _mark_stale(self) -> None:
        self._filling = True
        for row, run in enumerate(self._listed):
            stale = self._document.is_stale(run)
            item = cell(self.table, row, 0)
            item.setText(run.name + STALE if stale else run.name)
        self._filling = False

    def _run_at(self, row: int) -> Run | None:
        """The run of a row; None where it is none, or no longer: rows follow the document a moment later."""
        run = self._listed[row] if 0 <= row < len(self._listed) else None
        return run if run in self._document.runs else None

    def _on_pick(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if self._filling or not rows:
            return
        run = self._run_at(rows[0].row())
        if run is not None and run is not self._document.current_run:
            self._document.show_run(run)

    def _on_check(self, item: QTableWidgetItem) -> None:
        if self._filling or item.column() > 1:
            return
        run = self._run_at(item.row())
        if run is None:
            return
        if item.column() == 1:
            self._document.compare(run, item.checkState() == Qt.CheckState.Checked)
            return
        name = item.text().removesuffix(STALE).strip()[:LONGEST_NAME]
        if name and name != run.name:
            self._document.replace_run(run, replace(run, name=name))
        else:
            self._rows.soon()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete removes the run that is picked; columns follow the room."""
        if watched is self.table.viewport() and event.type() == QEvent.Type.Resize:
            self._fit_columns()
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if watched is self.table and pressed and event.key() == Qt.Key.Key_Delete:  # type: ignore[attr-defined]
            self._remove_picked()
            return True
        return super().eventFilter(watched, event)

    def _remove_picked(self) -> None:
        run = self._run_at(self.table.currentRow())
        if run is not None:
            self._document.remove_run(run)

    def _menu(self, position: object) -> None:
        row = self.table.rowAt(position.y())  # type: ignore[attr-defined]
        run = self._run_at(row)
        if run is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show", lambda: self._document.show_run(run))
        compared = run in self._document.compared
        other = menu.addAction(
            "Stop comparing" if compared else "Compare", lambda: self._document.compare(run, not compared)
        )
        other.setEnabled(run is not self._document.current_run)
        restore = menu.addAction(
            "Go back to the project of this run",
            lambda: self._document.apply(f"Back to {run.name}", run.project, exactly=True),
        )
        restore.setEnabled(self._document.is_stale(run))
        menu.addSeparator()
        menu.addAction("Rename (F2)", lambda: self.table.editItem(cell(self.table, row, 0)))
        menu.addAction("Remove (Delete)", lambda: self._document.remove_run(run))
        menu.popup(self.table.viewport().mapToGlobal(position))  # type: ignore[call-overload]

    # -- looks

    def _on_setting(self, name: str) -> None:
        if name == "units":
            self.live.redraw()
            self._fill()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "live"):
            self.live.dress()
            self._rows.soon()
