"""Entry for a matrix, or a few vectors, of numbers: a small grid whose cells are typed into."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from ...core.base.fields import FieldSpec
from ..widgets import units
from ..widgets.number_entry import Entry
from ..widgets.number_text import read_number, shown_number
from ..widgets.plain_table import cell

NARROWEST = 40  # px, of a column


def _short(number: float) -> str:
    """Four figures in as few characters as they take: 100000 -> 1e5."""
    plain = f"{number:.4g}"
    mantissa, _, exponent = f"{number:.3e}".partition("e")
    power = f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    return power if "e" in plain or len(plain) > 5 > len(power) else plain


class MatrixEntry(Entry):
    """Rows of numbers. A symmetric matrix stays so: what is typed goes to the entry across the diagonal as well.

    Columns are named by the axes of the field; rows of a square matrix too, other rows by the units they have.
    """

    def __init__(self, spec: FieldSpec, parent: QWidget | None = None) -> None:
        super().__init__(spec, parent)
        self._value: tuple[tuple[float, ...], ...] = ()
        self._units: list[str] = []
        column = QVBoxLayout()
        column.setSpacing(4)
        self.row.addLayout(column, 1)
        self._head = QLabel(self)
        self._head.setProperty("role", "muted")
        self._head.setWordWrap(True)
        column.addWidget(self._head)
        self.table = QTableWidget(self)
        self.table.setAccessibleName(spec.title)
        font = self.table.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        for part in (self.table, self.table.horizontalHeader(), self.table.verticalHeader()):
            part.setFont(font)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setMinimumSectionSize(NARROWEST)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 12)
        self.table.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.itemChanged.connect(self._typed)
        column.addWidget(self.table)
        self.setFocusProxy(self.table)

    def set_value(self, value: Any) -> None:
        # one row may come as plain numbers
        rows = tuple(value) if isinstance(value[0], tuple) else (tuple(value),)
        if [len(row) for row in rows] != [len(row) for row in self._value]:
            self._lay_out(len(rows), len(rows[0]))
        self._value = rows
        self.table.blockSignals(True)
        for k, row in enumerate(rows):
            for c, number in enumerate(row):
                item = cell(self.table, k, c)
                item.setText(_short(float(shown_number(number, self._units[k], 12))))
                item.setToolTip(shown_number(number, self._units[k], 12))
        self.table.blockSignals(False)

    def _lay_out(self, rows: int, columns: int) -> None:
        parts = [part.strip() for part in self.spec.unit.split(",")]
        by_row = len(parts) == rows
        self._units = parts if by_row else [""] * rows
        self._head.setText("" if by_row else self.spec.unit)
        self._head.setVisible(not by_row)
        self.table.blockSignals(True)
        self.table.setRowCount(rows)
        self.table.setColumnCount(columns)
        names = self.spec.axes[:columns]
        self.table.setHorizontalHeaderLabels(names)
        self.table.setVerticalHeaderLabels([units.label(part) for part in parts] if by_row else names)
        for k in range(rows):
            for c in range(columns):
                item = QTableWidgetItem()
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(k, c, item)
        self.table.blockSignals(False)
        height = self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth()
        bar = self.table.horizontalScrollBar().sizeHint().height()
        self.table.setFixedHeight(height + rows * self.table.verticalHeader().defaultSectionSize() + bar)

    def _typed(self, item: QTableWidgetItem) -> None:
        k, c = item.row(), item.column()
        self.offer(lambda: self._with(k, c, item.text()))

    def _with(self, k: int, c: int, text: str) -> Any:
        what = f"{self.spec.title}, row {k + 1}, column {c + 1}"
        number = read_number(text, self._units[k], what)
        rows = [list(row) for row in self._value]
        rows[k][c] = number
        if self.spec.entry == "symmetric":
            rows[c][k] = number
        made = tuple(tuple(row) for row in rows)
        return made[0] if self.spec.entry == "numbers" else made
