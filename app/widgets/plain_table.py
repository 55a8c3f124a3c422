"""A table whose rows are chosen one at a time and not edited; the same in every panel that lists something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

T = TypeVar("T", bound=QTableWidget)


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
    header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    return table


def cell(table: QTableWidget, row: int, column: int) -> QTableWidgetItem:
    """A cell that has been filled."""
    item = table.item(row, column)
    assert item is not None
    return item
