"""The injury panel: what a run does to its riders, sorted by how near it comes to a limit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.charts.signals import JUDGED_PARTS, in_words
from ...core.injury.result import GROUPS
from ...core.outcome.rider_view import Judgement, RiderJudgement, count_text
from ..document.document import Document
from ..document.playback import Playback
from ..document.runs import Run
from ..document.selection import Selection
from ..widgets import dialogs, units
from ..widgets.blank import write_picture
from ..widgets.elided import ElidedLabel
from ..widgets.flow import FlowLayout
from ..widgets.icons import icon
from ..widgets.plain_words import plain_label
from ..widgets.refresh import Refresh, is_seen
from ..widgets.settings import Settings
from ..widgets.turning_splitter import TurningSplitter
from ..work.assessment import assessment_of
from .detail import Detail
from .table import WHO, CriteriaModel, Key, save_rows
from .view import CriteriaTable

EMPTY = (
    "Every injury criterion of every rider and assessed seat is listed here with its limit and margin, when and where"
    " it happens. Press F5 to ride; a click on a line then takes you to that moment."
)
AHEAD = 200  # ms after a run has arrived
WORKING = "Assessing the ride…"
NO_RIDER = (
    "This run has no riders and no assessed seats, so there is nothing to judge. Seat an occupant in a car or mark a"
    " seat as assessed, and run again."
)


class InjuryPanel(QWidget):
    """Table of criteria beside the pictures of the chosen one. A click moves time, camera and selection.

    place_hovered: the arc length (m) under the mouse in a picture, None without one.
    """

    place_hovered = Signal(object)

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document, self.playback, self.settings = document, playback, settings
        self.assessment = assessment_of(document)
        self._filling = False
        self._shown: Judgement | None = None  # what the table lists
        self.model = CriteriaModel(self._where, self)
        self._build()
        self._rows = Refresh(self, self.refresh, due=True)
        self._cursor = Refresh(self, lambda: self._on_time(playback.time))
        self._detail = Refresh(self, self._show_detail)
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(AHEAD)
        self._ahead.timeout.connect(self._judge_ahead)
        document.runs_changed.connect(self._on_runs)
        self.assessment.outdated.connect(self._on_runs)
        self.assessment.judged.connect(self._on_judged)
        playback.time_changed.connect(self._on_time)
        settings.changed.connect(lambda name: self.refresh_soon() if name == "units" else None)

    # -- parts

    def _build(self) -> None:
        self.empty = plain_label(EMPTY)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setMargin(16)
        self.empty.setProperty("role", "muted")
        self.table = self._make_table()
        self.detail = Detail(self.document)
        self.detail.scrubbed.connect(self._scrub)
        self.detail.place_hovered.connect(self._on_place)
        self.detail.contacts.changed.connect(self._mark)
        splitter = TurningSplitter(wide=900, tall=0.55)  # a table of seven columns and a picture
        splitter.addWidget(self.table)
        splitter.addWidget(self.detail)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setSizes([740, 520])
        self.pages = QStackedWidget()
        self.pages.addWidget(self.empty)
        self.pages.addWidget(splitter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_bar())
        column.addWidget(self.pages, 1)

    def _make_table(self) -> CriteriaTable:
        table = CriteriaTable(self.model)
        table.clicked.connect(self.go_to)
        table.activated.connect(self.go_to)
        table.selectionModel().currentChanged.connect(self._on_current)
        table.setToolTip("Click a line: time, camera and selection go to that moment")
        return table

    def _make_bar(self) -> QWidget:
        strip = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        strip.setSizePolicy(policy)
        bar = FlowLayout(strip, 8)
        bar.setContentsMargins(8, 4, 8, 4)
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search criteria")
        self._search.setClearButtonEnabled(True)
        self._search.setMaximumWidth(26 * self._search.fontMetrics().averageCharWidth())
        self._search.textChanged.connect(lambda _text: self._filter())
        self._which = QComboBox()
        self._which.addItem("With a limit", "limits")
        self._which.addItem("Limit exceeded", "exceeded")
        self._which.addItem("All criteria", "all")
        self._which.setCurrentIndex(
            max(0, self._which.findData(self.settings.value("injury/which", "limits")))
        )
        self._which.activated.connect(self._on_which)
        self._rider, self._part, self._group = QComboBox(), QComboBox(), QComboBox()
        for box, tip in (
            (self._rider, "Whose criteria are listed"),
            (self._part, "Which part of the body"),
            (self._group, "What kind of criteria: a standard, the head, what physiology says"),
        ):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setToolTip(tip)
            box.activated.connect(lambda _k: self._filter())
        self._compare = QComboBox()
        self._compare.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._compare.setToolTip("The run whose values stand beside those of the shown run")
        self._compare.activated.connect(lambda _k: self._fill())
        # They show up with the first run that has something to choose from.
        for box in (self._rider, self._part, self._group, self._compare):
            box.hide()
        self._count = ElidedLabel(asks=True)
        self._count.setProperty("role", "muted")
        self._save = QToolButton()
        self._save.setIcon(icon("export"))
        self._save.setIconSize(QSize(16, 16))
        self._save.setToolTip("Save the table or the picture")
        self._save.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._save)
        menu.addAction("Save table…", self.ask_table)
        menu.addAction("Save picture…", self.ask_picture)
        self._save.setMenu(menu)
        self._tables = QToolButton()
        self._tables.setIcon(icon("standards"))
        self._tables.setIconSize(QSize(16, 16))
        self._tables.setToolTip("Limits and standards: the tables, their sources, and which of them count")
        self._tables.clicked.connect(self.show_tables)
        for widget in (self._search, self._which, self._rider, self._part, self._group, self._compare):
            bar.addWidget(widget)
        bar.addWidget(self._count)
        bar.addStretch()
        bar.addWidget(self._tables)
        bar.addWidget(self._save)
        return strip

    # -- refreshing

    def refresh_soon(self) -> None:
        """Look at the runs again when the events of now are through and the panel is to be seen."""
        self._rows.soon()

    def _on_runs(self) -> None:
        """Have the shown runs judged soon; the first picture of a run is drawn before."""
        self._ahead.start()
        self.refresh_soon()

    def _judge_ahead(self) -> None:
        """Have the shown runs judged in the worker thread, so that the panel is filled at once when it is wanted."""
        for run in (self.document.current_run, *self.document.compared):
            if run is not None and self.assessment.judges(run):
                self.assessment.judgement(run)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_rows"):
            self._save.setIcon(icon("export"))
            self._tables.setIcon(icon("standards"))
            self.table.viewport().update()

    def refresh(self) -> None:
        """List the criteria of the shown run; what is not judged yet is judged in the worker thread."""
        self._rows.done()
        run = self.document.current_run
        self._list_compared()
        if run is None:
            self._show_text(EMPTY)
            return
        if not self.assessment.judges(run):
            self._show_text(NO_RIDER)
            return
        judgement = self.assessment.judgement(run)
        others = [self.assessment.judgement(other) for other in self.document.compared]
        if judgement is None:
            self._show_text(WORKING)
        elif None not in others:
            self._fill()

    def _on_judged(self, run: Run) -> None:
        if run in (self.document.current_run, *self.document.compared):
            self.refresh_soon()

    def _show_text(self, text: str) -> None:
        self.empty.setText(text)
        self.pages.setCurrentIndex(0)
        self._shown = None
        self.model.set_rows([])
        self.detail.show_row(None, ())
        self._count.setText("")
        for box in (self._rider, self._part, self._group):  # of the run that was judged before
            box.hide()

    def _list_compared(self) -> None:
        """Offer the compared runs; a run that was just added to them is taken."""
        chosen = self._compare.currentData()
        others = self.document.compared
        self._compare.clear()
        self._compare.addItem("Not compared", None)
        for run in others:
            self._compare.addItem(f"Compared with {run.name}", run)
        kept = next((k + 1 for k, run in enumerate(others) if run is chosen), min(1, len(others)))
        self._compare.setCurrentIndex(kept)
        self._compare.setVisible(bool(others) and self.document.current_run is not None)

    @property
    def compared(self) -> Run | None:
        """The run that is compared with the shown one."""
        run = self._compare.currentData()
        return run if isinstance(run, Run) else None

    def _fill(self) -> None:
        """Fill the table from what is judged; the chosen criterion stays chosen."""
        run, other = self.document.current_run, self.compared
        judgement = None if run is None else self.assessment.judgement(run)
        if judgement is None:
            return
        chosen = self.chosen
        beside = None if other is None else self.assessment.judgement(other)
        if not judgement.rows:
            self._show_text(" ".join(judgement.notes) or NO_RIDER)
            return
        self._filling = True
        self._shown = shown = judgement if beside is None else judgement.against(beside)
        with self.table.together(), self.model.together():
            self.pages.setCurrentIndex(1)
            self.model.set_rows(shown.rows)
            self._list_choices(shown)
            for title in ("Compared", "Change"):
                self.table.setColumnHidden(self.model.column(title), beside is None)
            self._filter()
            self._mark()
        self._filling = False
        self._choose(chosen.key if chosen is not None else None, soon=True)

    def _mark(self) -> None:
        """Mark the rows that a contact caused; the chosen one stays chosen."""
        chosen, filling = self.chosen, self._filling
        self._filling = True
        caused = self.detail.contacts.of(self.document.current_run)
        self.model.set_caused({key: str(one.sentence) for key, one in caused.items()})
        at = next(
            (k for k, row in enumerate(self.model.shown()) if chosen is not None and row.key == chosen.key),
            None,
        )
        if at is not None:
            self.table.setCurrentIndex(self.model.index(at, 0))
        self._filling = filling

    def _list_choices(self, judgement: Judgement) -> None:
        """Offer the riders, parts and groups there are; what was chosen stays chosen."""
        riders, there, found = judgement.choices
        parts = [part for part in JUDGED_PARTS if part in there]
        groups = [group for group in GROUPS if group in found] + sorted(set(found) - set(GROUPS))
        for box, everything, items in (
            (self._rider, "All riders and seats", [(in_words(rider), rider) for rider in riders]),
            (self._part, "All parts", [(JUDGED_PARTS[part], part) for part in parts]),
            (
                self._group,
                "All groups",
                [(_group_text(group), group) for group in groups if group],
            ),
        ):
            chosen = box.currentData()
            box.clear()
            box.addItem(everything, "")
            for text, data in items:
                box.addItem(text, data)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.setVisible(len(items) > 1)
        self.table.setColumnHidden(self.model.column(WHO), len(riders) < 2)
        self.table.setColumnHidden(self.model.column("Part"), parts == ["seat"])

    def _on_which(self) -> None:
        self.settings.set_value("injury/which", self._which.currentData())
        self._filter()

    def _filter(self) -> None:
        chosen = self.chosen
        choices = (box.currentData() or "" for box in (self._rider, self._part, self._group))
        self.model.set_filter(self._search.text(), self._which.currentData(), *choices)
        self._count.setText(self._count_text())
        if not self._filling and chosen is not None:
            self._choose(chosen.key)

    def _count_text(self) -> str:
        """How many of the rows of the chosen rider, part and group are inside and outside of their limits."""
        if self._shown is not None and not self.model.chooses:
            return self._shown.count_text
        rows = self.model.of_filter()
        return count_text(rows) if rows else ""

    # -- the chosen criterion

    @property
    def chosen(self) -> RiderJudgement | None:
        """The row that is shown in detail."""
        return self.model.row(self.table.currentIndex())

    def _choose(self, key: Key | None, *, soon: bool = False) -> None:
        """Make a criterion the chosen one, or the first in the table; soon: its pictures come in the next turn."""
        at = next((k for k, row in enumerate(self.model.shown()) if row.key == key), 0)
        self._filling = True
        self.table.setCurrentIndex(self.model.index(at, 0))
        self._filling = False
        if soon:
            self._detail.soon()
        else:
            self._show_detail()

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        if not self._filling:
            self._show_detail()

    def _show_detail(self) -> None:
        self._detail.done()
        run = self.document.current_run
        runs = [r for r in (run, self.compared) if r is not None]
        self.detail.set_time(self.playback.time)
        self.detail.show_row(self.chosen, runs, self.assessment.options)

    def go_to(self, index: QModelIndex) -> None:
        """Move time, camera and selection to the moment of a criterion."""
        row = self.model.row(index)
        if row is None or row.moment is None:
            return
        self.playback.show_peak(row.moment)
        if row.result.arc_length is not None and self.document.project.track is not None:
            self.document.select(Selection("place", s=self._on_track(row.result.arc_length)))

    def _scrub(self, time: float) -> None:
        self.playback.pause()
        self.playback.seek(time)

    def _on_place(self, s: float | None) -> None:
        self.place_hovered.emit(None if s is None else self._on_track(s))

    def _on_track(self, s: float) -> float:
        """Arc length on the track of one that counts on over laps."""
        run = self.document.current_run
        built = None if run is None else self.document.built(run.project)
        return s if built is None else float(built.centreline.wrap(s)[0])

    def _where(self, s: float) -> str:
        run = self.document.current_run
        built = None if run is None else self.document.built(run.project)
        place = units.text(s if built is None else float(built.centreline.wrap(s)[0]), "m", decimals=1)
        return place if built is None else f"{place}, {built.section_at(s)}"

    def _on_time(self, time: float) -> None:
        if is_seen(self):
            self.detail.set_time(time)
        else:
            self._cursor.soon()

    def show_tables(self) -> None:
        """Show the limit tables; what was changed in them is judged by at once."""
        from ..standards.dialog import StandardsDialog

        try:
            dialog = StandardsDialog(self.document, self)
        except InputError as error:
            dialogs.message(self, "The limit tables cannot be shown", units.told(error), bad=True)
            return
        dialog.exec()
        dialog.deleteLater()
        self.refresh_soon()

    # -- saving

    def ask_table(self) -> None:
        """Ask for a file and save the rows that are shown."""
        path = self._ask("csv", "Save the criteria as a table", "Table (*.csv)")
        if path is not None:
            self._try(lambda: self.save_table(path))

    def ask_picture(self) -> None:
        """Ask for a file and save the picture of the chosen criterion."""
        path = self._ask("png", "Save the picture of the criterion", "Picture (*.png)")
        if path is not None:
            self._try(lambda: self.save_picture(path))

    def _ask(self, ending: str, title: str, kinds: str) -> Path | None:
        suggested = self.settings.last_folder / f"{self.document.title} injury.{ending}".replace("/", "-")
        path = dialogs.file_to_save(self, title, suggested, kinds)
        if path is not None:
            self.settings.last_folder = path.parent
        return path

    def _try(self, save: Callable[[], None]) -> None:
        try:
            save()
        except InputError as error:
            dialogs.message(self, "Not saved", units.told(error), bad=True)

    def save_table(self, path: Path) -> None:
        """Write the shown rows as CSV. Raises InputError."""
        save_rows(path, self.model, self.model.shown())

    def save_picture(self, path: Path) -> None:
        """Write the picture and the words of the chosen criterion as PNG. Raises InputError."""
        write_picture(self.detail.grab(), path)


def _group_text(group: str) -> str:
    """A kind of criteria where one is chosen: standards by their numbers, so that the box leaves room beside it."""
    short = group.removeprefix("standard ")
    return short[:1].upper() + short[1:]
