"""Goals and constraints of a search as rows: which kept number, what it shall be, and the limit of a constraint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.base.sentence import written
from ...core.studies.number_titles import number_title
from ...core.studies.study import Optimisation
from ..widgets.number_entry import CommittedLine
from ..widgets.number_text import read_number
from ..widgets.plain_table import plain_table

RULES: Final = {
    "maximise": "large",
    "minimise": "small",
    "low": "at least",
    "high": "at most",
}
GOALS: Final = ("maximise", "minimise")
SHALL, LIMIT = 92, 64  # px, of the columns
POPULATION, LEAST = 40, 4  # designs of a generation


class GoalsTable(QWidget):
    """Rows of a search; `changed` when there are others."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: tuple[str, ...] = ()
        self.table: QTableWidget = plain_table(("Number", "Shall be", "Limit"))
        self.table.setAccessibleName("Goals and constraints")
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        for column, width in enumerate((0, SHALL, LIMIT)):
            mode = QHeaderView.ResizeMode.Fixed if width else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(column, mode)
            if width:
                self.table.setColumnWidth(column, width)
        self.add_button = QPushButton("Add goal")
        self.add_button.setToolTip(
            "A number that the search makes as large or small as can be, or keeps to a limit"
        )
        self.add_button.clicked.connect(lambda _=False: self.add())
        self.remove_button = QPushButton("Remove goal")
        self.remove_button.clicked.connect(lambda _=False: self._remove())
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.remove_button)
        buttons.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.table, 1)
        whole.addLayout(buttons)

    def offer(self, names: Sequence[str]) -> None:
        """The numbers that a row may be of; others can be typed."""
        if tuple(names) == self._names:
            return
        self._names = tuple(names)
        for row in range(self.table.rowCount()):
            box = self._box(row, 0)
            with QSignalBlocker(box):
                text = box.currentText()
                box.clear()
                self._fill(box)
                box.setCurrentText(text)

    def add(self, name: str = "", rule: str = "maximise", limit: float | None = None) -> None:
        """One more row, of the first number unless one is named."""
        row = self.table.rowCount()
        self.table.insertRow(row)
        number, shall = QComboBox(), QComboBox()
        number.setEditable(True)
        self._fill(number)
        number.setCurrentText(number_title(name or (self._names[0] if self._names else "")))
        number.setAccessibleName("Number")
        for key, words in RULES.items():
            shall.addItem(words, key)
        shall.setCurrentIndex([*RULES].index(rule))
        shall.setAccessibleName("Shall be")
        line = CommittedLine()
        line.setAccessibleName("Limit")
        line.show_text("" if limit is None else written(limit, "g"))
        line.setEnabled(rule not in GOALS)
        line.editingFinished.connect(lambda: self.changed.emit() if line.take() else None)
        number.currentTextChanged.connect(lambda _: self.changed.emit())
        shall.currentIndexChanged.connect(lambda _: self._on_rule(shall, line))
        for column, widget in enumerate((number, shall, line)):
            self.table.setCellWidget(row, column, widget)
        self.table.selectRow(row)
        self.changed.emit()

    def _on_rule(self, shall: QComboBox, line: CommittedLine) -> None:
        line.setEnabled(shall.currentData() not in GOALS)
        self.changed.emit()

    def _remove(self) -> None:
        row = self.table.currentRow() if self.table.currentRow() >= 0 else self.table.rowCount() - 1
        if row >= 0:
            self.table.removeRow(row)
            self.changed.emit()

    def _fill(self, box: QComboBox) -> None:
        for name in self._names:
            box.addItem(number_title(name), name)

    def _name(self, row: int) -> str:
        """The name of a row's number in the study: of its title, or as it is typed."""
        text = self._box(row, 0).currentText().strip()
        return next((name for name in self._names if number_title(name) == text), text)

    def _box(self, row: int, column: int) -> QComboBox:
        found = self.table.cellWidget(row, column)
        assert isinstance(found, QComboBox)
        return found

    def show_search(self, how: Optimisation | None) -> None:
        """Show the goals and constraints of a study."""
        with QSignalBlocker(self):
            self.table.setRowCount(0)
            for goal in () if how is None else how.goals:
                self.add(goal.name, goal.sense)
            for bound in () if how is None else how.constraints:
                for rule, limit in (("low", bound.low), ("high", bound.high)):
                    if limit is not None:
                        self.add(bound.name, rule, limit)

    def search(self, runs: int) -> dict[str, Any]:
        """What the study file has under `optimise`, in about so many runs. Raises InputError."""
        goals: list[dict[str, Any]] = []
        bounds: list[dict[str, Any]] = []
        for row in range(self.table.rowCount()):
            name, rule = self._name(row), self._box(row, 1).currentData()
            if not name:
                raise InputError("A goal has no number; choose one or remove its row.")
            if rule in GOALS:
                goals.append({"name": name, "sense": rule})
                continue
            line = self.table.cellWidget(row, 2)
            assert isinstance(line, CommittedLine)
            if not line.text().strip():
                raise InputError(f"{number_title(name)}: give the limit that it has to keep.")
            bounds.append(
                {"name": name, rule: read_number(line.text(), "", f"Limit of {number_title(name)}")}
            )
        if not goals:
            raise InputError("A search needs a goal: add one that is as large or as small as can be.")
        population = max(LEAST, min(POPULATION, runs // 5))
        return {
            "method": "differential_evolution" if len(goals) == 1 else "nsga2",
            "goals": goals, "constraints": bounds, "population": population,
            "generations": max(1, round(runs / population)),
        }  # fmt: skip
