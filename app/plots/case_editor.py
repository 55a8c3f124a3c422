"""Load cases edited by hand: one a row, with its name and the seats it takes; beside it who sits on every seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHeaderView,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.model.load_cases import PATTERNS, LoadCase, Sitting, present, seating
from ...core.project.project import Project
from ..document.document import Document
from ..widgets import units
from ..widgets.number_text import read_number
from ..widgets.plain_table import as_plain_table, plain_table

if TYPE_CHECKING:
    from ...core.model.assembly import Assembly

NOBODY: Final = "Nobody"
OWN: Final = "As the seat has it"
CASES, SEATS = 3, 2  # shares of the width
AROUND = 16  # px, of a box in its cell
FEWEST = 20  # characters that a box has room for
DELETE = QKeySequence.StandardKey.Delete


class _Cases(QTableWidget):
    """Rows that the key Delete deletes, not what is selected elsewhere in the window."""

    deleted = Signal()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(DELETE)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.deleted.emit() if event.matches(DELETE) else super().keyPressEvent(event)


class CaseEditor(QSplitter):
    """The load cases of the project as it is; each change is one step of undo.

    refused: a sentence why something was not done, "" when it was; changed: another case is chosen.
    """

    refused = Signal(str)
    changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._document = document
        self._chosen = ""
        self._paths: tuple[str, ...] = ()
        self.cases = as_plain_table(_Cases(), ("Load case", "Taken", "On board"))
        self.cases.setAccessibleName("Load cases")
        triggers = QAbstractItemView.EditTrigger
        self.cases.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.cases.itemChanged.connect(self._on_renamed)
        self.cases.currentCellChanged.connect(lambda row, *_: self._choose(row))
        self.cases.deleted.connect(self.delete)
        self.seats = plain_table(("Seat", "Who"))
        self.seats.setAccessibleName("Who sits where")
        self.seats.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.seats.setToolTip("Select several seats with Shift or Ctrl to choose for all of them at once")
        header = self.seats.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for table, share in ((self.cases, CASES), (self.seats, SEATS)):
            holder = QWidget()
            inside = QVBoxLayout(holder)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.addWidget(table)
            self.addWidget(holder)
            self.setStretchFactor(self.count() - 1, share)
        self.setChildrenCollapsible(False)

    # -- what is shown

    @property
    def chosen(self) -> str:
        """The name of the chosen load case, "" where there is none."""
        return self._chosen

    def refresh(self) -> None:
        """Show the load cases as they are now."""
        project = self._document.project
        names = [case.name for case in project.load_cases]
        if self._chosen not in names:
            self._chosen = names[min(max(self.cases.currentRow(), 0), len(names) - 1)] if names else ""
        with QSignalBlocker(self.cases):
            if self.cases.rowCount() != len(names):
                self.cases.setRowCount(0)
                self.cases.setRowCount(len(names))
            for row, case in enumerate(project.load_cases):
                self._show_case(row, project.assembly, case)
            if names:
                self.cases.setCurrentCell(names.index(self._chosen), max(self.cases.currentColumn(), 0))
        self._show_seats(project)

    def _show_case(self, row: int, top: Assembly | None, case: LoadCase) -> None:
        for column, text in ((0, case.name), (2, _on_board(top, case))):
            item = self.cases.item(row, column)
            if item is None:
                item = QTableWidgetItem()
                self.cases.setItem(row, column, item)
                if column:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            item.setText(text)
        box = self.cases.cellWidget(row, 1)
        if not isinstance(box, QComboBox):
            box = QComboBox()
            for key, words in PATTERNS.items():
                box.addItem(words, key)
            box.activated.connect(lambda k, row=row: self._on_pattern(row, [*PATTERNS][k]))
            self.cases.setCellWidget(row, 1, box)
            self.cases.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
            self.cases.setColumnWidth(1, box.sizeHint().width() + AROUND)
        box.setAccessibleName(f"Seats taken in {case.name}")
        box.setCurrentIndex([*PATTERNS].index(case.pattern))

    def _show_seats(self, project: Project) -> None:
        sitting: tuple[Sitting, ...] = ()
        case, top = self._case(project), project.assembly
        if case is not None and top is not None:
            try:
                sitting = seating(top, present(top, case))
            except InputError as error:
                self.refused.emit(units.told(error))
        paths = tuple(one.seat for one in sitting)
        if paths != self._paths:
            self._paths = paths
            self.seats.setRowCount(0)
            self.seats.setRowCount(len(paths))
            for row, path in enumerate(paths):
                item = QTableWidgetItem(path)
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self.seats.setItem(row, 0, item)
                self.seats.setCellWidget(row, 1, self._who_box(path))
        for row, one in enumerate(sitting):
            self._show_who(self._box(row), one)

    def _who_box(self, path: str) -> QComboBox:
        box = QComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(FEWEST)
        box.setAccessibleName(f"Who sits on {path}")
        box.setToolTip("Choose who, or type a mass")
        box.activated.connect(lambda k: self._seat(path, box.itemData(k)))
        line = box.lineEdit()
        assert line is not None
        line.editingFinished.connect(lambda: self._typed(path, box))
        return box

    def _show_who(self, box: QComboBox, one: Sitting) -> None:
        wanted = {NOBODY: None, f"{OWN}, {_kg(one.of_seat)}": 0.0}
        wanted |= {f"{name}, {_kg(mass)}": mass for name, mass in _kinds().items()}
        if [box.itemText(k) for k in range(box.count())] != [*wanted]:
            box.clear()
            for text, mass in wanted.items():
                box.addItem(text, mass)
            box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + AROUND)
        mass = None if not one.mass else one.mass if one.chosen else 0.0
        k = [*wanted.values()].index(mass) if mass in wanted.values() else -1
        box.setCurrentIndex(k)
        text = box.itemText(k) if k >= 0 else _kg(one.mass)
        box.setEditText(text)
        box.setProperty("shown", text)
        line = box.lineEdit()
        assert line is not None
        line.setCursorPosition(0)

    def _box(self, row: int) -> QComboBox:
        found = self.seats.cellWidget(row, 1)
        assert isinstance(found, QComboBox)
        return found

    def _case(self, project: Project) -> LoadCase | None:
        return next((case for case in project.load_cases if case.name == self._chosen), None)

    def _choose(self, row: int) -> None:
        cases = self._document.project.load_cases
        if not 0 <= row < len(cases) or cases[row].name == self._chosen:
            return
        self._chosen = cases[row].name
        self.refused.emit("")
        self._show_seats(self._document.project)
        self.changed.emit()

    # -- what is done

    def add(self) -> None:
        """One more load case."""
        from ...core.edits.load_cases import add_load_case

        self._edit("Add load case", lambda: add_load_case(self._document.project))

    def duplicate(self) -> None:
        """The chosen one again."""
        from ...core.edits.load_cases import duplicate_load_case

        name = self._chosen
        self._edit(f"Duplicate load case {name}", lambda: duplicate_load_case(self._document.project, name))

    def delete(self) -> None:
        """Delete the chosen one; the next is chosen."""
        from ...core.edits.load_cases import delete_load_case

        name = self._chosen
        self._edit(f"Delete load case {name}", lambda: (delete_load_case(self._document.project, name), name))

    def _on_renamed(self, item: QTableWidgetItem) -> None:
        from ...core.edits.load_cases import change_load_case

        row, new = item.row(), item.text().strip()
        old = self._document.project.load_cases[row].name
        if item.column() == 0 and new != old:
            self._edit(
                f"Rename load case {old}",
                lambda: (change_load_case(self._document.project, old, {"name": new}), new),
            )

    def _on_pattern(self, row: int, pattern: str) -> None:
        from ...core.edits.load_cases import change_load_case, seat_load_case

        project = self._document.project
        case = project.load_cases[row]
        if pattern == case.pattern:
            return
        # named seats begin with those that were taken
        named = pattern == "seats"
        self._edit(
            f"Seats taken in load case {case.name}",
            lambda: (
                seat_load_case(project, case.name, {})
                if named
                else change_load_case(project, case.name, {"pattern": pattern, "masses": _in_turn(case)}),
                case.name,
            ),
        )

    def _seat(self, path: str, mass: float | None) -> None:
        """Who sits on a seat, and on those that are selected with it."""
        from ...core.edits.load_cases import seat_load_case

        rows = {index.row() for index in self.seats.selectionModel().selectedRows()}
        paths = [self._paths[row] for row in sorted(rows)]
        who: Mapping[str, float | None] = dict.fromkeys(paths if path in paths else [path], mass)
        name = self._chosen
        self._edit(
            f"Who sits where in load case {name}",
            lambda: (seat_load_case(self._document.project, name, who), name),
        )

    def _typed(self, path: str, box: QComboBox) -> None:
        text = box.currentText()
        if text == box.property("shown"):
            return
        box.setProperty("shown", text)
        k = box.findText(text)
        try:
            mass = box.itemData(k) if k >= 0 else read_number(text, "kg", f"Mass on {path}") or None
        except InputError as error:
            self.refresh()
            self.refused.emit(units.told(error))
            return
        self._seat(path, mass)

    def _edit(self, text: str, edit: Callable[[], tuple[Project, str]]) -> None:
        """One step of undo, after which a load case is chosen; what cannot be done is said and shown as it is."""
        try:
            made, chosen = edit()
        except InputError as error:
            self.refresh()
            self.refused.emit(units.told(error))
            return
        self.refused.emit("")
        self._chosen = chosen
        if made != self._document.project:
            self._document.apply(text, made)
        self.refresh()
        self.changed.emit()


def _in_turn(case: LoadCase) -> tuple[float, ...]:
    """The masses of a case with other seats: those of named ones were for them alone."""
    return () if case.pattern == "seats" else case.masses


def _kinds() -> Mapping[str, float]:
    from ...core.edits.load_cases import passenger_kinds

    return passenger_kinds()


def _kg(mass: float) -> str:
    return units.text(mass, "kg", decimals=0)


def _on_board(top: Assembly | None, case: LoadCase) -> str:
    """How many sit there and what they weigh, or why that is not known."""
    if top is None:
        return ""
    try:
        sitting = seating(top, case)
    except InputError as error:
        return units.told(error)
    masses = [one.mass for one in sitting if one.mass]
    return f"{len(masses)} of {len(sitting)}, {_kg(sum(masses))}"
