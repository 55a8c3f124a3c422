"""The runs of a study as a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView

from ...core.base.arrays import Integers
from ...core.base.sentence import written
from ...core.studies.front import Front
from ...core.studies.number_titles import number_title
from ...core.studies.one_run import MARGIN, STATES
from ...core.studies.store import Table
from ..widgets import theme, units

WORDS = {"done": "finished", "early": "ended early", "screened": "screened out", "failed": "failed"}
EMPTY = (
    "Every run of the study will be a row here and a point of a plot beside it, with what it varies, what comes of it"
    " and its least margin."
)
ROOT = QModelIndex()
Index = Any


class RunTable(QTableView):
    """The table; while it has no runs it says what will be there."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model() is not None and self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(theme.current().muted))
            place = self.viewport().rect().adjusted(24, 12, -24, -12)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, EMPTY)
            painter.end()


class RunModel(QAbstractTableModel):
    """Run, how it ended, least margin, parameters, who the margin is on; what a run says in its tip."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Table | None = None
        self._goals: tuple[str, ...] = ()  # of a search, without the least margin
        self._said: dict[int, str] = {}  # of a search: which run is best, which one the start
        self._order: Integers = np.zeros(0, dtype=np.int64)  # row of the table in every row shown
        self._by: tuple[int, bool] = (0, True)  # column, rising

    def show_table(self, table: Table | None, front: Front | None = None) -> None:
        """Show the runs there are; of a search with its best designs."""
        self.beginResetModel()
        self.table = table
        how = None if table is None else table.study.optimise
        self._goals = () if how is None else tuple(g.name for g in how.goals if g.name != MARGIN)
        self._said = {} if front is None else dict.fromkeys(front.runs, ", best")
        if front is not None and front.start is not None:
            run = front.start.run
            self._said[run] = self._said.get(run, "") + ", the start"
        self._order = self._sorted()
        self.endResetModel()

    def run_at(self, row: int) -> int:
        """The number of the run in a row."""
        assert self.table is not None
        return int(self.table.run[self._order[row]])

    def row_of(self, run: int) -> int:
        """The row a run is in, -1 where it is in none."""
        found = np.flatnonzero(np.zeros(0) if self.table is None else self.table.run[self._order] == run)
        return int(found[0]) if len(found) else -1

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the runs by a column; what has no number comes last."""
        self._by = column, order == Qt.SortOrder.AscendingOrder
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        runs = [self._order[index.row()] for index in kept]
        self._order = self._sorted()
        place = {int(row): k for k, row in enumerate(self._order)}
        moved = [self.index(place[int(row)], index.column()) for row, index in zip(runs, kept, strict=True)]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _sorted(self) -> Integers:
        table, (column, rising) = self.table, self._by
        if table is None:
            return np.zeros(0, dtype=np.int64)
        keys = self._keys(table, min(column, self.columnCount() - 1))
        if keys.dtype.kind != "f":
            order = np.argsort(keys, kind="stable")
            return order if rising else order[::-1]
        order = np.argsort(keys if rising else -keys, kind="stable")  # NaN is last in both
        return order

    def _keys(self, table: Table, column: int) -> Any:
        count = len(table.study.parameters)
        if column == 0:
            return table.run.astype(np.float64)
        if column == 1:
            words = zip(table.state, table.run.tolist(), strict=True)
            return np.array([WORDS[STATES[state]] + self._said.get(run, "") for state, run in words])
        if column == 2:
            return table.numbers.get(MARGIN, np.full(len(table), np.nan))
        if column < 3 + count:
            return table.values[:, column - 3]
        if column < 3 + count + len(self._goals):
            return table.numbers.get(self._goals[column - 3 - count], np.full(len(table), np.nan))
        return np.array(table.texts.get(MARGIN, [""] * len(table)), dtype=str)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if self.table is None or parent.isValid() else len(self.table)

    def columnCount(self, parent: Index = ROOT) -> int:
        return (
            0
            if self.table is None or parent.isValid()
            else 4 + len(self.table.study.parameters) + len(self._goals)
        )

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or way != Qt.Orientation.Horizontal or self.table is None:
            return None
        parameters = self.table.study.parameters
        names = [f"{p.name} ({p.unit})" if p.unit else p.name for p in parameters]
        return ("Run", "State", "Least margin", *names, *map(number_title, self._goals), "Governed by")[
            section
        ]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        table = self.table
        if table is None:
            return None
        row, column = int(self._order[index.row()]), index.column()
        state = STATES[table.state[row]]
        margin = float(table.numbers[MARGIN][row]) if MARGIN in table.numbers else np.nan
        if role == Qt.ItemDataRole.DisplayRole:
            said = self._said.get(int(table.run[row]), "") if column == 1 else ""
            return self._text(table, row, column, state, margin) + said
        if role == Qt.ItemDataRole.ToolTipRole:
            return table.message[row] or None
        if role == Qt.ItemDataRole.ForegroundRole and (margin < 0.0 or state in ("failed", "early")):
            from PySide6.QtGui import QColor

            return QColor(theme.current().bad)
        return None

    def _text(self, table: Table, row: int, column: int, state: str, margin: float) -> str:
        count = len(table.study.parameters)
        if column == 0:
            return str(table.run[row])
        if column == 1:
            return WORDS[state]
        if column == 2:
            return "–" if np.isnan(margin) else f"{margin:+.3f}".replace("-", "−")
        if column < 3 + count:
            parameter = table.study.parameters[column - 3]
            value = table.values[row, column - 3]
            return parameter.shown(value, 5)
        if column < 3 + count + len(self._goals):
            value = table.numbers.get(self._goals[column - 3 - count], np.full(len(table), np.nan))[row]
            return "–" if np.isnan(value) else written(value, ".5g").replace("-", "−")
        return self._governed(table, row)

    @staticmethod
    def _governed(table: Table, row: int) -> str:
        """What the least margin is of, on whom, and where on the track, or when."""
        said = str(table.texts[MARGIN][row]) if MARGIN in table.texts else ""
        for name, unit, decimals in ((f"{MARGIN}.s", "m", 1), (f"{MARGIN}.time", "s", 2)):
            value = float(table.numbers[name][row]) if name in table.numbers else np.nan
            if said and not np.isnan(value):
                return f"{said}, at {units.text(value, unit, decimals=decimals)}"
        return said
