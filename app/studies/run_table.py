"""The runs of a study as a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt

from ...core.studies.front import Front
from ...core.studies.one_run import MARGIN, STATES
from ...core.studies.store import Table
from ..widgets import theme

WORDS = {"done": "finished", "early": "ended early", "screened": "screened out", "failed": "failed"}
ROOT = QModelIndex()
Index = Any


class RunModel(QAbstractTableModel):
    """Run, how it ended, least margin, parameters, who the margin is on; what a run says in its tip."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Table | None = None
        self._said: dict[int, str] = {}  # of a search: which run is best, which one the start

    def show_table(self, table: Table | None, front: Front | None = None) -> None:
        """Show the runs there are; of a search with its best designs."""
        self.beginResetModel()
        self.table = table
        self._said = {} if front is None else dict.fromkeys(front.runs, ", best")
        if front is not None and front.start is not None:
            run = front.start.run
            self._said[run] = self._said.get(run, "") + ", the start"
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if self.table is None or parent.isValid() else len(self.table)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if self.table is None or parent.isValid() else 4 + len(self.table.study.parameters)

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or way != Qt.Orientation.Horizontal or self.table is None:
            return None
        parameters = self.table.study.parameters
        names = [f"{p.name} ({p.unit})" if p.unit else p.name for p in parameters]
        return ("Run", "State", "Least margin", *names, "Governed by")[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        table = self.table
        if table is None:
            return None
        row, column = index.row(), index.column()
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

    @staticmethod
    def _text(table: Table, row: int, column: int, state: str, margin: float) -> str:
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
        return table.texts[MARGIN][row] if MARGIN in table.texts else ""
