"""A table whose rows are chosen one at a time and not edited; the same in every panel that lists something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from .plain_words import plain_tip

T = TypeVar("T", bound=QTableWidget)
FEWEST = 8  # letters of a column that are seen, however little room there is


def plain_table(columns: Sequence[str]) -> QTableWidget:
    """An empty table with these heads; the first column takes the room the others leave."""
    return as_plain_table(QTableWidget(), columns)


def as_plain_table(table: T, columns: Sequence[str]) -> T:
    """A table of a kind of its own made one of these."""
    table.setColumnCount(len(columns))
    table.setHorizontalHeaderLabels(list(columns))
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)  # Tab goes on to what comes next
    table.verticalHeader().hide()
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setMinimumSectionSize(FEWEST * table.fontMetrics().averageCharWidth())
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return table


@contextmanager
def refilled(*tables: QTableWidget) -> Iterator[None]:
    """Tables without rows, to be filled; nothing is heard of what is chosen in them meanwhile."""
    for table in tables:
        table.blockSignals(True)
        table.setRowCount(0)
    try:
        yield
    finally:
        for table in tables:
            table.blockSignals(False)


def add_row(
    table: QTableWidget, cells: Sequence[str], of: object = None, right: Sequence[int] | None = None
) -> None:
    """A row at the end; of: what it is about, kept with its cells; right: columns that are numbers, by default all but
    the first."""
    row = table.rowCount()
    table.insertRow(row)
    for column, text in enumerate(cells):
        item = QTableWidgetItem(text)
        item.setToolTip(plain_tip(text))
        if column in right if right is not None else column > 0:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(Qt.ItemDataRole.UserRole, of)
        table.setItem(row, column, item)


def cell(table: QTableWidget, row: int, column: int) -> QTableWidgetItem:
    """A cell that has been filled."""
    item = table.item(row, column)
    assert item is not None
    return item
