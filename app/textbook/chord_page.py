"""The table T, P, X, Y of a textbook track, with the button that saves it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QLabel, QPushButton, QTableView, QVBoxLayout, QWidget

from ...core.pointmass.chords import ChordTable
from ..widgets import units

HEADS = ("T", "P", "X", "Y")
ABOUT = "T: parameter of the curve; P: sum of the chords up to there; X, Y: place."


class _Rows(QAbstractTableModel):
    """The rows of a table as they are shown."""

    def __init__(self) -> None:
        super().__init__()
        self.table: ChordTable | None = None

    def take(self, table: ChordTable | None) -> None:
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if self.table is None or parent.isValid() else len(self.table.t)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(HEADS)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole or self.table is None:
            return None
        column = index.column()
        value = float(getattr(self.table, "tpxy"[column])[index.row()])
        return f"{value if column == 0 else float(units.to_shown(value, 'm')):.5f}".replace("-", "−")

    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if way == Qt.Orientation.Vertical:
            return str(section + 1)
        return HEADS[section] if section == 0 else f"{HEADS[section]} ({units.label('m')})"


class ChordPage(QWidget):
    """Shows a table; `save` is the button that asks where to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = _Rows()
        self.view = QTableView()
        self.view.setModel(self.rows)
        self.view.setAccessibleName("Table T, P, X, Y")
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.save = QPushButton("Save table…")
        about = QLabel(ABOUT)
        about.setProperty("role", "muted")
        about.setWordWrap(True)
        bar = QHBoxLayout()
        bar.addWidget(about, 1)
        bar.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addLayout(bar)
        column.addWidget(self.view, 1)

    def show_table(self, table: ChordTable | None) -> None:
        """Show another table."""
        self.rows.take(table)
