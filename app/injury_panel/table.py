"""The table of criteria: a model over rows, and a proxy that sorts and filters it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor, QIcon

from app import theme, units
from app.icons import icon
from app.injury_panel.judged import Row
from app.plots.signals import RIDER_PARTS, in_words

Index = QModelIndex | QPersistentModelIndex
Which = Literal["limits", "all"]
ROOT = QModelIndex()
SORT = Qt.ItemDataRole.UserRole
MARGIN = Qt.ItemDataRole.UserRole + 1
LAST = float("inf")
VERDICT_ICONS = {"inside": "good", "within 10 %": "warning", "outside": "error"}


def value_text(value: float | None, unit: str) -> str:
    """A value with its unit."""
    if value is None:
        return "–"
    if unit == "1":
        return units.text(value, unit, decimals=0 if abs(value) >= 100 else 2)
    return units.text(value, unit)


def title_text(title: str) -> str:
    """The title of a criterion at the head of a line, with a true minus sign: "Sustained −Gz"."""
    return (title[:1].upper() + title[1:]).replace(" -G", " −G")


def verdict_colour(verdict: str) -> str:
    """The colour of a verdict; it always stands beside the word."""
    c = theme.current()
    return {"inside": c.good, "within 10 %": c.warn, "outside": c.bad}.get(verdict, c.muted)


@dataclass(frozen=True)
class Column:
    """A column: its head, what it shows, what it sorts by, its tool tip, and whether it holds numbers."""

    title: str
    text: Callable[[Row], str]
    sort: Callable[[Row], Any]
    tip: str = ""
    number: bool = False


def _margin(row: Row) -> str:
    margin = row.result.margin
    return "" if margin is None else f"{100.0 * margin:.0f} %".replace("-", "−")


def _verdict(row: Row) -> str:
    if row.result.value is None:
        return "not judged"
    return "no limit" if row.result.limit is None else row.result.verdict


def _change(row: Row) -> str:
    if row.change is None:
        return ""
    if row.gain is not None and not row.same_limit:
        # Values held for different times cannot be subtracted; their margins can.
        text = (
            f"margin {100.0 * row.gain:+.0f} %".replace("-", "−")
            .replace("+0 %", "0 %")
            .replace("−0 %", "0 %")
        )
    else:
        text = value_text(row.change, row.result.unit)
        text = f"+{text}" if row.change > 0.0 and any(c in "123456789" for c in text) else text
    return text + (f", {row.judgement}" if row.judgement else "")


def _or_last(value: float | None) -> float:
    return LAST if value is None else value


class CriteriaModel(QAbstractTableModel):
    """Rows of criteria; `where` turns an arc length into a place in words."""

    def __init__(self, where: Callable[[float], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self.columns: list[Column] = [
            Column("Criterion", lambda r: title_text(r.result.title), lambda r: r.result.title),
            Column("Rider", lambda r: in_words(r.key.rider), lambda r: r.key.rider),
            Column("Part", lambda r: RIDER_PARTS[r.key.part], lambda r: r.key.part),
            Column("Value", lambda r: value_text(r.result.value, r.result.unit), self._value, number=True),
            Column(
                "Limit",
                lambda r: "" if r.result.limit is None else value_text(r.result.limit, r.result.unit),
                lambda r: _or_last(r.result.limit),
                number=True,
            ),
            Column(
                "Margin",
                _margin,
                lambda r: _or_last(r.result.margin),
                "The part of the limit that is left",
                True,
            ),
            Column(
                "Verdict",
                _verdict,
                lambda r: _or_last(r.result.margin),
            ),
            Column(
                "Change",
                _change,
                lambda r: _or_last(r.change if r.gain is None else -r.gain),
                "Value less that of the compared run; margins where the limits differ. The word goes by the margin",
                True,
            ),
            Column(
                "When",
                lambda r: "" if r.moment is None else units.text(r.moment, "s"),
                lambda r: _or_last(r.moment),
                number=True,
            ),
            Column(
                "Where",
                lambda r: "" if r.result.arc_length is None else where(r.result.arc_length),
                lambda r: _or_last(r.result.arc_length),
            ),
            Column(
                "Compared",
                lambda r: "" if r.other is None else value_text(r.other.value, r.other.unit),
                lambda r: _or_last(None if r.other is None else r.other.value),
                number=True,
            ),
            Column(
                "Confidence",
                lambda r: r.result.confidence or "",
                lambda r: r.result.confidence or "~",
                "How far the limit can be trusted; a limit of low confidence is no verdict",
            ),
        ]

    @staticmethod
    def _value(row: Row) -> float:
        return _or_last(row.result.value)

    def column(self, title: str) -> int:
        """Number of the column with a head."""
        return next(k for k, column in enumerate(self.columns) if column.title == title)

    def set_rows(self, rows: Sequence[Row]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row(self, number: int) -> Row:
        return self._rows[number]

    def rows(self) -> list[Row]:
        return list(self._rows)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.tip or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self._rows[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == SORT:
            return column.sort(row)
        if role == MARGIN:
            return row.result.margin if column.title == "Margin" else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(row, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.result.note or row.result.limit_source
        return None

    @staticmethod
    def _icon(row: Row, column: Column) -> QIcon | None:
        if column.title != "Verdict" or row.result.limit is None:
            return None
        return icon(VERDICT_ICONS[row.result.verdict], verdict_colour(row.result.verdict))

    @staticmethod
    def _colour(row: Row, column: Column) -> QColor | None:
        c = theme.current()
        if column.title == "Verdict":
            return QColor(verdict_colour(row.result.verdict))
        if column.title == "Change" and row.judgement is not None:
            return QColor({"better": c.good, "worse": c.bad, "same": c.muted}[row.judgement])
        return QColor(c.muted) if column.title in ("Compared", "Confidence") else None


class CriteriaProxy(QSortFilterProxyModel):
    """Sorts by what a column means, and keeps rows by search words, by having a limit, and by rider."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSortRole(SORT)
        self._words: list[str] = []
        self._which: Which = "limits"
        self._rider = ""

    def set_filter(self, words: str, which: Which, rider: str) -> None:
        """words: all must occur; which: "limits" leaves out what has no limit; rider: "" for all."""
        self.beginFilterChange()
        self._words, self._which, self._rider = words.lower().split(), which, rider
        self.endFilterChange()

    def row(self, index: Index) -> Row | None:
        """The row behind an index of the view."""
        model = self.sourceModel()
        if not index.isValid() or not isinstance(model, CriteriaModel):
            return None
        return model.row(self.mapToSource(index).row())

    def lessThan(self, source_left: Index, source_right: Index) -> bool:
        """What has no number stays below, whichever way is sorted."""
        left, right = source_left.data(SORT), source_right.data(SORT)
        if LAST in (left, right):
            return bool((left != LAST) == (self.sortOrder() == Qt.SortOrder.AscendingOrder))
        return bool(left < right)

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        model = self.sourceModel()
        assert isinstance(model, CriteriaModel)
        row = model.row(source_row)
        if self._rider and row.key.rider != self._rider:
            return False
        # A search looks through everything: who types "peak" wants to see peaks.
        if self._which == "limits" and row.result.limit is None and not self._words:
            return False
        text = " ".join(
            (row.result.title, RIDER_PARTS[row.key.part], row.key.rider, row.result.verdict)
        ).lower()
        return all(word in text for word in self._words)
