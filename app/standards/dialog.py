"""The limit tables: list, source, edition, confidence, curves; which of them riders are judged by; own copies."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QColor, QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.charts.limits import limits_chart
from ...core.edits.changes import set_evaluation
from ...core.injury.charts import LimitCurve
from ...core.injury.limit_files import copy_to_user, limit_file, user_folder
from ...core.injury.rider_axes import DIRECTIONS
from ...core.injury.standards.files import CURVE_SETS, PHYSIOLOGY, load_table, table_ids
from ...core.injury.standards.listing import TableEntry, list_tables, table_text
from ..document.document import Document
from ..document.selection import Selection
from ..plots.chart_view import ChartView
from ..widgets import dialogs, theme, units
from ..widgets.plain_table import cell
from ..widgets.plain_words import plain_tip
from ..widgets.window_size import resize_on_screen

COLUMNS = ("Table", "Confidence", "Counts", "From")
HELP = (
    "Tick a table to judge riders by it: this is a step of the project that can be undone, and needs no new run. "
    "Physiology and your own tables always count."
)


class StandardsDialog(QDialog):
    """Shows every limit table with what it is worth. Raises InputError for a file of the user's that is none."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Limits and standards")
        resize_on_screen(self, 1080, 680)
        self.document = document
        self._filling = False
        self.table = self._make_table()
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.RichText)
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.direction = QComboBox()
        self.direction.activated.connect(lambda _k: self._draw())
        self.chart = ChartView()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setStyleSheet("font-family: monospace;")
        self._lay_out()
        document.project_changed.connect(self._on_project)
        self.fill()

    # -- parts

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(0, len(COLUMNS))
        table.setTabKeyNavigation(False)  # Tab goes on to what comes next
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setAlternatingRowColors(True)
        table.verticalHeader().hide()
        head = table.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.itemSelectionChanged.connect(self._show)
        table.itemChanged.connect(self._on_check)
        return table

    def _lay_out(self) -> None:
        curves = QWidget()
        drawn = QVBoxLayout(curves)
        drawn.setContentsMargins(0, 8, 0, 0)
        drawn.addWidget(self.direction, 0, Qt.AlignmentFlag.AlignLeft)
        drawn.addWidget(self.chart, 1)
        self.tabs = QTabWidget()
        self.tabs.addTab(curves, "Curves")
        self.tabs.addTab(self.text, "Everything in the table")
        self.copy = QPushButton("Copy to my limits")
        self.copy.setToolTip(
            "A copy of this table in your own folder takes its place and can be edited there"
        )
        self.copy.clicked.connect(self.copy_table)
        folder = QPushButton("Open my folder")
        folder.setToolTip(plain_tip(str(user_folder())))
        folder.clicked.connect(open_folder)
        options = QPushButton("Restraint and editions…")
        options.setToolTip("What else the rider assessment goes by, in the Inspector")
        options.clicked.connect(self.show_options)
        for button in (self.copy, folder, options):
            button.setAutoDefault(False)  # Enter in a field is no answer to them
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(8, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.about)
        column.addWidget(self.tabs, 1)
        left = QWidget()
        listed = QVBoxLayout(left)
        listed.setContentsMargins(0, 0, 0, 0)
        note = QLabel(HELP)
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        listed.addWidget(self.table, 1)
        listed.addWidget(note)
        split = QSplitter()
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setSizes([520, 540])
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.copy, folder, options):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        buttons.addWidget(close)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.setSpacing(12)
        outer.addWidget(split, 1)
        outer.addLayout(buttons)

    # -- the list

    def fill(self) -> None:
        """List the tables there are now; the chosen one stays chosen. Raises InputError."""
        chosen = self.chosen
        self.entries = list_tables()
        applied = set(table_ids())
        # What riders can be judged by first.
        self.entries = tuple(sorted(self.entries, key=lambda entry: entry.id not in applied))
        self._filling = True
        self.table.setRowCount(len(self.entries))
        for row, entry in enumerate(self.entries):
            self._fill_row(row, entry, entry.id in applied)
        self._filling = False
        wanted = chosen.id if chosen is not None else "astm_f2291"
        at = next((k for k, entry in enumerate(self.entries) if entry.id == wanted), 0)
        self.table.selectRow(at)
        self._show()

    def _fill_row(self, row: int, entry: TableEntry, curves: bool) -> None:
        colours = theme.current()
        colour = {"high": colours.good, "medium": colours.warn, "low": colours.bad}[entry.confidence]
        texts = (entry.title, f"● {entry.confidence}", "", "you" if entry.user else "program")
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            item.setToolTip(plain_tip(entry.title))
            self.table.setItem(row, column, item)
        cell(self.table, row, 1).setForeground(QColor(colour))
        counts = cell(self.table, row, 2)
        if entry.id in PHYSIOLOGY or entry.id in CURVE_SETS or not curves:
            counts.setText("always")
            counts.setForeground(QColor(colours.muted))
        elif entry.user:
            counts.setText("always, yours")
            counts.setForeground(QColor(colours.muted))
        else:
            counts.setFlags(counts.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = entry.id in self.document.project.evaluation.standards
            counts.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    @property
    def chosen(self) -> TableEntry | None:
        """The table that is shown."""
        rows = self.table.selectionModel().selectedRows()
        return self.entries[rows[0].row()] if rows and rows[0].row() < len(self.entries) else None

    def _on_check(self, item: QTableWidgetItem) -> None:
        if self._filling or item.column() != 2:
            return
        self.judge_by(self.entries[item.row()].id, item.checkState() == Qt.CheckState.Checked)

    def judge_by(self, name: str, on: bool) -> None:
        """Judge riders by a table, or no longer, as a step of the project."""
        project = self.document.project
        named = [other for other in project.evaluation.standards if other != name]
        standards = tuple([*named, name] if on else named)
        step = f"Judge riders by {name}" if on else f"Judge riders without {name}"
        try:
            self.document.apply(step, set_evaluation(project, {"standards": standards}))
        except InputError as error:
            dialogs.message(self, "Not changed", units.told(error), bad=True)
            self.fill()

    def _on_project(self, _change: object) -> None:
        self._filling = True
        for row, entry in enumerate(self.entries):
            item = cell(self.table, row, 2)
            if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                on = entry.id in self.document.project.evaluation.standards
                item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self._filling = False

    # -- one table

    def _show(self) -> None:
        entry = self.chosen
        if entry is None or self._filling:
            return
        self.about.setText(_about(entry))
        self.text.setPlainText(table_text(entry.id))
        self.copy.setEnabled(not entry.user)
        directions = directions_of(entry.id)
        self.direction.clear()
        for direction in directions:
            self.direction.addItem(direction.replace("-", "−"), direction)
        self.direction.setVisible(bool(directions))
        best = self.direction.findData("+Gz")
        self.direction.setCurrentIndex(max(0, best))
        self.tabs.setTabEnabled(0, bool(directions))
        self.tabs.setCurrentIndex(0 if directions else 1)
        self._draw()

    def _draw(self) -> None:
        entry, direction = self.chosen, self.direction.currentData()
        if entry is not None and direction is not None:
            self.chart.show_chart(limits_chart(curves_of(entry.id, direction)))

    def copy_table(self) -> None:
        """Make the user's own copy of the table that is shown, and open its folder."""
        entry = self.chosen
        if entry is None:
            return
        try:
            copy_to_user(limit_file(entry.id))
        except InputError as error:
            dialogs.message(self, "Not copied", units.told(error), bad=True)
            return
        self.fill()
        open_folder()

    def show_options(self) -> None:
        """Show the other options of the assessment in the inspector."""
        self.document.select(Selection("scenario"))
        self.accept()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "entries"):
            self.fill()


def open_folder() -> None:
    """Open the folder of the user's tables in the file manager of the desktop."""
    user_folder().mkdir(parents=True, exist_ok=True)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(user_folder())))


def directions_of(name: str) -> tuple[str, ...]:
    """Directions a table has curves for; none for a table of another kind."""
    if name not in table_ids():
        return ()
    found = {direction for curve in load_table(name).curves for direction in curve.directions}
    return tuple(direction for direction in DIRECTIONS if direction in found)


def curves_of(name: str, direction: str) -> list[LimitCurve]:
    """All curves of a table in one direction, whatever rider they are for."""
    table = load_table(name)
    made = []
    for curve in table.curves:
        if direction in curve.directions:
            duration, level = curve.corners()
            made.append(
                LimitCurve(
                    name=curve.name,
                    title=curve.name.replace("_", " ") + table.doubt(curve),
                    confidence=curve.confidence or table.confidence,
                    source=table.source,
                    rule=curve.rule,
                    duration=duration,
                    level=level,
                )
            )
    return made


def _about(entry: TableEntry) -> str:
    """What a table says about itself."""
    colours = theme.current()
    colour = {"high": colours.good, "medium": colours.warn, "low": colours.bad}[entry.confidence]
    facts = [("Source", entry.source)]
    if entry.id in table_ids():
        table = load_table(entry.id)
        facts += [("Edition", table.edition), ("Applies to", table.applicability)]
    facts.append(("Remark", entry.note))
    lines = [
        f"<b>{escape(entry.title)}</b>",
        f"<span style='color:{colour}'>● confidence {entry.confidence}</span>",
        *(
            f"<span style='color:{colours.muted}'>{name}:</span> {escape(text)}"
            for name, text in facts
            if text
        ),
    ]
    return "<br>".join(lines)
