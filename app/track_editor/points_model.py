"""The control points as a table model: one row a point, edited in the units in use."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QColor

from ...core.base.errors import InputError
from ...core.edits import points as point_edits
from ..document.document import Document
from ..widgets import theme, units
from ..widgets.number_text import read_number, shown_number
from .track_points import TrackPoints

SECTION, NUMBER, PLACE, X, Y, Z, CANT, STRAIGHT = range(8)
HEADINGS = ("Section", "No.", "Arc length", "x", "y", "z", "Cant", "Straight on")
UNITS = ("", "", "m", "m", "m", "m", "rad", "")
FIELDS = {X: "x", Y: "y", Z: "z", CANT: "cant", STRAIGHT: "straight"}
TIPS = {
    PLACE: "Where the point lies along the track",
    CANT: "Positive lifts the left rail; empty leaves the roll free",
    STRAIGHT: "The piece from this point to the next one is exactly straight",
}
Index = QModelIndex | QPersistentModelIndex


class PointsModel(QAbstractTableModel):
    """Rows follow `show`; typing edits the document. refused carries why a value was not taken."""

    refused = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.points = TrackPoints()

    def show(self, points: TrackPoints) -> bool:
        """Show other points; returns whether rows came or went (the selection of the view is then lost)."""
        same = points.section == self.points.section and points.index == self.points.index
        if same:
            self.points = points
            if len(points):
                self.dataChanged.emit(self.index(0, 0), self.index(len(points) - 1, STRAIGHT))
            return False
        self.beginResetModel()
        self.points = points
        self.endResetModel()
        return True

    def units_changed(self) -> None:
        """Headings and numbers are shown in other units."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, STRAIGHT)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.points)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(HEADINGS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            unit = units.label(UNITS[section]) if UNITS[section] else ""
            return f"{HEADINGS[section]} ({unit})" if unit else HEADINGS[section]
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return TIPS.get(section)
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft if section in (SECTION, STRAIGHT) else Qt.AlignmentFlag.AlignRight
            )
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if orientation == Qt.Orientation.Vertical and role == Qt.ItemDataRole.DisplayRole:
            return str(section + 1)
        return None

    def data(self, index: Index, role: int = 0) -> Any:
        row, column = index.row(), index.column()
        roles = Qt.ItemDataRole
        if role == roles.DisplayRole:
            return self._shown(row, column)
        if role == roles.EditRole:
            return self._typed(row, column)
        if role == roles.CheckStateRole and column == STRAIGHT:
            return Qt.CheckState.Checked if self.points.straight[row] else Qt.CheckState.Unchecked
        if role == roles.TextAlignmentRole and column not in (SECTION, STRAIGHT):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == roles.ForegroundRole:
            faded = column in (SECTION, NUMBER, PLACE) or (
                column == CANT and not np.isfinite(self.points.cant[row])
            )
            return QBrush(QColor(theme.current().muted)) if faded else None
        if role == roles.ToolTipRole:
            return TIPS.get(column)
        return None

    def _value(self, row: int, column: int) -> float:
        p = self.points
        values = {PLACE: p.s, X: p.position[:, 0], Y: p.position[:, 1], Z: p.position[:, 2], CANT: p.cant}
        return float(values[column][row])

    def _shown(self, row: int, column: int) -> str | None:
        if column == SECTION:
            return self.points.section[row]
        if column == NUMBER:
            return str(self.points.index[row] + 1)
        if column == STRAIGHT:
            return None
        value = self._value(row, column)
        if column == CANT and not np.isfinite(value):
            return "free"
        decimals = {PLACE: 1, CANT: 2}.get(column, 3)
        return units.format(value, UNITS[column], decimals=decimals)[0]

    def _typed(self, row: int, column: int) -> str | None:
        if column not in FIELDS or column == STRAIGHT:
            return self._shown(row, column)
        value = self._value(row, column)
        return shown_number(value, UNITS[column], 9) if np.isfinite(value) else ""

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == STRAIGHT:
            spline = self.points.selectable[index.row()]
            return flags | Qt.ItemFlag.ItemIsUserCheckable if spline else Qt.ItemFlag.ItemIsSelectable
        if index.column() in FIELDS:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = 2) -> bool:
        row, column = index.row(), index.column()
        if column not in FIELDS:
            return False
        section, i = self.points.section[row], self.points.index[row]
        try:
            if column == STRAIGHT:
                new: Any = Qt.CheckState(value) == Qt.CheckState.Checked
            elif str(value).strip() == str(self._typed(row, column)).strip():
                return False  # what was shown is rounded; leaving the cell must not round the point
            elif column == CANT and str(value).strip().lower() in ("", "free"):
                new = None
            else:
                new = read_number(str(value), UNITS[column], HEADINGS[column])
            project = point_edits.set_points(self._document.project, section, (i,), {FIELDS[column]: new})
        except InputError as error:
            self.refused.emit(units.told(error))
            return False
        self._document.apply(f"Change {HEADINGS[column].lower()} of point {i + 1} of {section}", project)
        self.refused.emit("")
        return True
