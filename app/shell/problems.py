"""The Problems panel: what was found in track and model; a click goes there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import say, together
from ...core.project.project import Project
from ...core.track.build import BuiltTrack
from ..document.document import Document, Problem, Selection
from ..document.playback import Playback
from ..document.selection import MANY
from ..widgets import theme, units
from ..widgets.icons import icon
from ..widgets.plain_table import cell, plain_table
from ..widgets.plain_words import plain_tip
from ..widgets.scrolled import scrolled
from ..widgets.settings import Settings

COLUMNS = ("What", "Way out", "Where", "Place", "Found by")
MARGINS = 16  # px
FIX = 1  # column of the button
NARROW = (
    45  # letters; a sentence that would have less room has that of the columns behind it, in several lines
)
EMPTY = (
    "The design has no problems.\n\nFindings of the track check, of the model and of runs are listed here as you work; "
    "a click on one goes to its place. What a ride does to its riders is judged in the Injury panel."
)


class Wrapped(QStyledItemDelegate):
    """Measures sentences a little narrower than they are drawn: Qt forgets the margins, and would cut the last word."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        narrower = QStyleOptionViewItem(option)
        narrower.rect.setWidth(max(1, option.rect.width() - MARGINS))
        return super().sizeHint(narrower, index)


class ProblemsPanel(QWidget):
    """A table of problems, errors first. `activated` carries the Problem that was clicked."""

    activated = Signal(object)
    refused = Signal(str)  # why a way out leads nowhere
    fixed = Signal(str)  # what a way out that was taken has achieved

    def __init__(
        self, document: Document, playback: Playback, settings: Settings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: tuple[Problem, ...] = ()
        self.table = plain_table(COLUMNS)
        self.table.setItemDelegateForColumn(0, Wrapped(self.table))
        self.table.cellClicked.connect(lambda row, _: self._go(row))
        self.table.cellActivated.connect(lambda row, _: self._go(row))
        self.empty = QLabel(EMPTY)
        self.empty.setProperty("role", "muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setWordWrap(True)
        self.empty.setMargin(12)
        inner = QWidget()
        self._stack = QStackedLayout(inner)
        room = scrolled(self.empty)  # where there is little, what it says is not cut
        room.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._stack.addWidget(room)
        self._stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(inner)
        document.problems_changed.connect(self.redraw)
        self._heights = QTimer(self)
        self._heights.setSingleShot(True)
        self._heights.setInterval(0)
        self._heights.timeout.connect(self._fit_rows)
        self.table.horizontalHeader().sectionResized.connect(lambda *_: self._heights.start())
        settings.changed.connect(lambda name: self.redraw() if name == "units" else None)
        self.redraw()

    def redraw(self) -> None:
        """Draw the problems of the document."""
        self._shown = self._document.problems
        self._stack.setCurrentIndex(1 if self._shown else 0)
        self.table.setRowCount(len(self._shown))
        c = theme.current()
        colours = {"error": c.bad, "warning": c.warn, "note": c.muted}
        top = top_name(self._document.project)
        for row, problem in enumerate(self._shown):
            place = "" if problem.s is None else units.text(problem.s, "m")
            said = units.in_units(problem.text)
            texts = (said, "", where_text(problem.where, top), place, problem.source)
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setToolTip(plain_tip(text))
                self.table.setItem(row, column, item)
            if problem.fix is None:
                self.table.removeCellWidget(row, FIX)
            else:
                self.table.setCellWidget(row, FIX, self._button(problem))
            first = cell(self.table, row, 0)
            first.setIcon(icon(problem.severity, colours[problem.severity]))
            first.setData(Qt.ItemDataRole.AccessibleTextRole, f"{problem.severity}: {said}")

        self._arrange()

    def _fit_buttons(self) -> None:
        """Room for the ways out: a table measures its texts, not the buttons in it."""
        buttons = [self.table.cellWidget(row, FIX) for row in range(len(self._shown))]
        wide = max((button.sizeHint().width() + 8 for button in buttons if button is not None), default=0)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(FIX, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(FIX, max(wide, header.sectionSizeHint(FIX)))

    def _is_narrow(self, width: int) -> bool:
        """Whether sentences have too little room beside the other columns in a width (px)."""
        header = self.table.horizontalHeader()
        others = sum(
            max(self.table.sizeHintForColumn(column), header.sectionSizeHint(column))
            for column in range(1, len(COLUMNS))
            if column != FIX
        )
        left = (
            width - others - header.sectionSize(FIX) * any(problem.fix is not None for problem in self._shown)
        )
        return left < NARROW * self.fontMetrics().averageCharWidth()

    def _arrange(self) -> None:
        """Give the sentences room: a click leads to the place whether its columns are seen or not."""
        self._fit_buttons()
        narrow = self._is_narrow(self.width())
        for column in range(len(COLUMNS)):
            fixes = column == FIX and any(problem.fix is not None for problem in self._shown)
            self.table.setColumnHidden(column, narrow and column > 0 and not fixes)
        self.table.setWordWrap(narrow)
        rows = QHeaderView.ResizeMode.ResizeToContents if narrow else QHeaderView.ResizeMode.Interactive
        self.table.verticalHeader().setSectionResizeMode(rows)
        if not narrow:
            for row in range(self.table.rowCount()):
                self.table.setRowHeight(row, self.table.verticalHeader().defaultSectionSize())

    def _fit_rows(self) -> None:
        """Rows as high as their sentences need in the width that there is now."""
        if self.table.wordWrap():
            self.table.resizeRowsToContents()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._is_narrow(event.size().width()) != self.table.wordWrap():
            self._arrange()

    def _button(self, problem: Problem) -> QPushButton:
        fix = problem.fix
        button = QPushButton("" if fix is None else units.in_units(fix.text))
        known = "" if fix is None else units.in_units(fix.known)
        button.setToolTip(
            plain_tip(" ".join(filter(None, ("Do this, as one step that can be undone.", known))))
        )
        button.clicked.connect(lambda: self._fix(problem))
        return button

    def _fix(self, problem: Problem) -> None:
        try:
            self._document.fix(problem)
            if problem.fix is not None and problem.fix.outcome:
                self.fixed.emit(
                    units.in_units(together(" ", (say("{done}.", done=problem.fix.text), problem.fix.known)))
                )
        except InputError as error:
            self.refused.emit(units.told(error))

    def _go(self, row: int) -> None:
        if row < len(self._shown):
            self.activated.emit(self._shown[row])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_stack"):
            self.redraw()


def top_name(project: Project) -> str:
    """What the whole train or rig is called, as the tree has it."""
    return "Train" if project.assembly is None else project.assembly.name


def where_text(selection: Selection | None, top: str = "Train", built: BuiltTrack | None = None) -> str:
    """The place of a selection in words: "Car › Front axle", "loop, points 3–5", with the track built "Track at 12 m,
    loop". top: the name of train or rig."""
    if selection is None or selection.kind == "none":
        return ""
    if selection.kind == "points":
        numbers = [k + 1 for k in selection.indices]
        if len(numbers) == 1:
            return f"{selection.path[0]}, point {numbers[0]}"
        return f"{selection.path[0]}, {len(numbers)} points"
    if selection.kind in ("scenario", "settings"):
        return selection.kind.capitalize()
    if selection.kind == "place":
        section = None if built is None or selection.s is None else built.section_at(selection.s)
        place = "Track" if selection.s is None else f"Track at {units.text(selection.s, 'm')}"
        return f"{place}, {section}" if section else place
    if selection.also:
        return f"{len(selection.each)} {MANY[selection.kind]}"
    if selection.rows:
        rows = ", ".join(str(k + 1) for k in selection.indices)
        return f"{' › '.join(selection.path)}, {selection.rows} {rows}"
    return " › ".join(selection.path) or top
