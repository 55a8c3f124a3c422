"""The table of criteria: a model that keeps, sorts and filters its rows itself, so that many riders stay fast; the bar
behind each margin; the table as a file."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from ...core.base.errors import InputError
from ...core.base.text_table import plain_cell, significant
from ...core.base.units import percent
from ...core.charts.signals import JUDGED_PARTS, in_words
from ...core.injury.result import margin_and_verdict
from ...core.outcome.rider_view import RiderJudgement
from ...core.project.project import write_atomically
from ..widgets import theme, units
from ..widgets.icons import icon
from ..widgets.plain_words import plain_tip

Index = QModelIndex | QPersistentModelIndex
Which = Literal["limits", "exceeded", "all"]
Key = tuple[str, str, str]
ROOT = QModelIndex()
MARGIN = Qt.ItemDataRole.UserRole + 1
LAST = math.inf
WHO = "Rider or seat"
BEHIND = 1e6  # more than any margin
PLAIN = ("g", "s", "m/s", "m", "N", "N m")  # shown with decimals that make sense
VERDICT_ICONS = {"inside": "good", "within 10 %": "warning", "outside": "error"}
FURTHER = ("signal", "definition", "source of the limit", "status of the limit", "exceeded (s)", "note")
RAISED: Final = str.maketrans("0123456789.", "⁰¹²³⁴⁵⁶⁷⁸⁹·")  # digits of a power


def value_text(value: float | None, unit: str) -> str:
    """A value with its unit."""
    if value is None:
        return "–"
    if unit == "class":
        return f"class {value:.0f}"
    if unit in ("1", ""):
        return units.text(value, unit, decimals=0 if abs(value) >= 100 else 2)
    if unit == "%":  # already in per cent, where the program's own unit is a part of one
        return f"{value:.1f} %".replace("-", "−")
    if units.label(unit) == unit.strip() and unit not in PLAIN:
        raised = re.sub(r"\^([\d.]+)", lambda found: found[1].translate(RAISED), unit)
        return f"{significant(value)} {raised}".replace("-", "−")
    return units.text(value, unit)


def title_text(title: str) -> str:
    """The title of a criterion at the head of a line, with a true minus sign: "Sustained −Gz"."""
    return (title[:1].upper() + title[1:]).replace(" -G", " −G")


def verdict_colour(verdict: str) -> str:
    """The colour of a verdict; it always stands beside the word."""
    c = theme.current()
    return {"inside": c.good, "within 10 %": c.warn, "outside": c.bad}.get(verdict, c.muted)


def verdict_text(row: RiderJudgement) -> str:
    """The verdict in a few words."""
    if row.result.value is None:
        return "not applicable"
    if row.result.apart:
        return f"{row.result.verdict}, not meant for it"
    return "no limit" if row.result.limit is None else row.result.verdict


def confidence_text(row: RiderJudgement) -> str:
    """How far the limit can be trusted; one that was not compared with its source says so."""
    result = row.result
    if result.limit is None or result.confidence is None:
        return ""
    return f"{result.confidence}, unconfirmed" if result.limit_status else result.confidence


@dataclass(frozen=True)
class Column:
    """A column: its head, what it shows, what it sorts by, its tool tip, and whether it holds numbers."""

    title: str
    text: Callable[[RiderJudgement], str]
    sort: Callable[[RiderJudgement], Any]
    tip: str = ""
    number: bool = False


def _margin(row: RiderJudgement) -> str:
    margin = row.result.margin
    return "" if margin is None else percent(margin).replace("-", "−")


def change_text(row: RiderJudgement) -> str:
    """Value less that of the compared run, and whether that is better."""
    if row.change is None:
        return ""
    if row.gain is not None and not row.same_limit:
        # Values held for different times cannot be subtracted; their margins can.
        text = f"margin {percent(row.gain, signed=True)}".replace("-", "−")
    else:
        text = value_text(row.change, row.result.unit)
        text = f"+{text}" if row.change > 0.0 and any(c in "123456789" for c in text) else text
    return text + (f", {row.comparison}" if row.comparison else "")


def _or_last(value: float | None) -> float:
    return LAST if value is None else value


def _margin_key(row: RiderJudgement) -> float:
    """Least margin first; limits that are not meant for the load behind all others."""
    margin = _or_last(row.result.margin)
    return margin + BEHIND if row.result.apart else margin


def _make_columns(where: Callable[[float], str]) -> list[Column]:
    return [
        Column("Criterion", lambda r: title_text(r.result.title), lambda r: r.result.title),
        Column(WHO, lambda r: in_words(r.rider), lambda r: r.rider),
        Column("Part", lambda r: JUDGED_PARTS[r.part], lambda r: r.part),
        Column(
            "Value",
            lambda r: value_text(r.result.value, r.result.unit),
            lambda r: _or_last(r.result.value),
            number=True,
        ),
        Column(
            "Limit",
            lambda r: "" if r.result.limit is None else value_text(r.result.limit, r.result.unit),
            lambda r: _or_last(r.result.limit),
            number=True,
        ),
        Column("Margin", _margin, _margin_key, "The part of the limit that is left", True),
        Column(
            "Verdict",
            verdict_text,
            _margin_key,
        ),
        Column(
            "Change",
            change_text,
            lambda r: _or_last(r.change if r.gain is None else -r.gain),
            "Value less that of the compared run; margins where the limits differ. The word goes by the margin",
            True,
        ),
        Column(
            "Confidence",
            confidence_text,
            lambda r: confidence_text(r) or "~",
            "How far the limit can be trusted; one of low confidence is no verdict. Unconfirmed: it was not compared "
            "with the standard or source it is named after",
        ),
        Column(
            "When",
            lambda r: "" if r.moment is None else "–" if r.result.lasts else units.text(r.moment, "s"),
            lambda r: _or_last(None if r.result.lasts else r.moment),
            number=True,
        ),
        Column(
            "Where",
            lambda r: "" if r.result.arc_length is None or r.result.lasts else where(r.result.arc_length),
            lambda r: _or_last(None if r.result.lasts else r.result.arc_length),
        ),
        Column(
            "Compared",
            lambda r: "" if r.other is None else value_text(r.other.value, r.other.unit),
            lambda r: _or_last(None if r.other is None else r.other.value),
            number=True,
        ),
        Column("Group", lambda r: r.result.group, lambda r: r.result.group),
        Column(
            "Rule",
            lambda r: r.result.rule_text,
            lambda r: r.result.rule_text or "~",
            "The clause, figure or curve the limit comes from",
        ),
    ]


class CriteriaModel(QAbstractTableModel):
    """Rows of criteria, of which those that pass the filter are shown, sorted by what a column means."""

    def __init__(self, where: Callable[[float], str], parent: QObject | None = None) -> None:
        """where: turns an arc length (m) into a place in words."""
        super().__init__(parent)
        self._all: list[RiderJudgement] = []
        self._shown: list[RiderJudgement] = []
        self._words: list[str] = []
        self._which: Which = "limits"
        self._rider = self._part = self._group = ""
        self._changing = False
        self.caused: dict[Key, str] = {}
        self.columns = _make_columns(where)
        self._sorted = (self.column("Margin"), Qt.SortOrder.AscendingOrder)

    def column(self, title: str) -> int:
        """Number of the column with a head."""
        return next(k for k, column in enumerate(self.columns) if column.title == title)

    # -- rows

    @contextmanager
    def together(self) -> Iterator[None]:
        """Changes that are one: rows are filtered and sorted once, after the last."""
        self._changing = True
        try:
            yield
        finally:
            self._changing = False
            self._arrange()

    def set_rows(self, rows: Sequence[RiderJudgement]) -> None:
        """Hold other rows; filter and sorting stay."""
        self._all = list(rows)
        self._arrange()

    def set_caused(self, caused: dict[Key, str]) -> None:
        """Mark rows that a contact caused; by rider, part and criterion, with the contact in words."""
        if caused != self.caused:
            self.caused = caused
            self._arrange()

    def text(self, row: RiderJudgement, column: Column) -> str:
        """What a cell shows."""
        own = column.text(row)
        return f"{own}, by contact" if column.title == "Verdict" and row.key in self.caused else own

    def set_filter(self, words: str, which: Which, rider: str = "", part: str = "", group: str = "") -> None:
        """words: all must occur; which: only with a limit, only exceeded ones, or all; rider, part, group: "" for
        all."""
        self._words, self._which = words.lower().split(), which
        self._rider, self._part, self._group = rider, part, group
        self._arrange()

    def rows(self) -> list[RiderJudgement]:
        """All rows, shown or not."""
        return list(self._all)

    def shown(self) -> list[RiderJudgement]:
        """The rows that pass the filter, in the order of the table."""
        return list(self._shown)

    @property
    def chooses(self) -> bool:
        """Whether a rider, a part or a group is chosen."""
        return bool(self._rider or self._part or self._group)

    def of_filter(self) -> list[RiderJudgement]:
        """The rows of the rider, part and group that are chosen, with a limit or without."""
        if not self.chooses:
            return list(self._all)
        return [row for row in self._all if self._of_choice(row)]

    def row(self, index: Index) -> RiderJudgement | None:
        """The row behind an index of the view."""
        return self._shown[index.row()] if index.isValid() and index.row() < len(self._shown) else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self._arrange()

    def _of_choice(self, row: RiderJudgement) -> bool:
        return (
            self._rider in ("", row.rider)
            and self._part in ("", row.part)
            and self._group in ("", row.result.group)
        )

    def _passing(self) -> list[RiderJudgement]:
        """The rows that pass the filter, in the order they have."""
        rows = self.of_filter()
        if self._which == "exceeded":
            rows = [row for row in rows if row.result.verdict == "outside" and not row.result.apart]
        elif self._which == "limits" and not self._words:
            rows = [row for row in rows if row.result.limit is not None]
        # A search looks through everything: who types "peak" wants to see peaks.
        return [row for row in rows if self._is_meant(row)] if self._words else rows

    def _is_meant(self, row: RiderJudgement) -> bool:
        """Whether all the words occur in a row."""
        result = row.result
        text = " ".join(
            (
                result.title,
                JUDGED_PARTS[row.part],
                row.rider,
                verdict_text(row),
                confidence_text(row),
                result.group,
                result.rule_text,
                "by contact" if row.key in self.caused else "",
            )
        )
        lower = text.lower()
        return all(word in lower for word in self._words)

    def _arrange(self) -> None:
        """Filter and sort anew. What has no number stays below, whichever way is sorted."""
        if self._changing:
            return
        self.beginResetModel()
        number, order = self._sorted
        key = self.columns[number].sort
        passing = [(key(row), row) for row in self._passing()]
        known = [one for one in passing if one[0] not in (LAST, "~")]
        known.sort(key=itemgetter(0), reverse=order == Qt.SortOrder.DescendingOrder)
        self._shown = [row for _, row in known] + [row for at, row in passing if at in (LAST, "~")]
        self.endResetModel()

    # -- what Qt asks

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

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
        row, column = self._shown[index.row()], self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
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
            caused = self.caused.get(row.key, "") if column.title == "Verdict" else ""
            about = f"Caused by a contact: {caused}." if caused else ""
            return plain_tip("\n".join(text for text in (_tip(row, column), about) if text)) or None
        return None

    @staticmethod
    def _icon(row: RiderJudgement, column: Column) -> QIcon | None:
        if column.title != "Verdict" or row.result.limit is None or row.result.apart:
            return None
        return icon(VERDICT_ICONS[row.result.verdict], verdict_colour(row.result.verdict))

    @staticmethod
    def _colour(row: RiderJudgement, column: Column) -> QColor | None:
        c = theme.current()
        if column.title == "Verdict":
            return QColor(c.muted if row.result.apart else verdict_colour(row.result.verdict))
        if column.title == "Change" and row.comparison is not None:
            return QColor({"better": c.good, "worse": c.bad, "same": c.muted}[row.comparison])
        if column.title == "Confidence" and row.result.confidence == "low":
            return QColor(c.warn)
        return QColor(c.muted) if column.title in ("Compared", "Confidence", "Group", "Rule") else None


def _tip(row: RiderJudgement, column: Column) -> str | None:
    """What a cell says at length."""
    result = row.result
    if column.title == "Verdict":
        return result.verdict_text
    if column.title in ("Confidence", "Limit", "Rule"):
        parts = [result.rule_text, result.limit_source or "", result.limit_status]
    else:
        parts = [title_text(result.title), result.definition, result.applicability, result.note]
    return "\n".join(text for text in parts if text) or None


class MarginDelegate(QStyledItemDelegate):
    """Draws a bar as long as the used part of the limit, full when it is reached."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        margin = index.data(MARGIN)
        if margin is None:
            return
        used = min(1.0, max(0.0, 1.0 - margin))
        verdict = margin_and_verdict(1.0 - margin, 1.0)[1]
        place = QRectF(option.rect).adjusted(6, 0, -6, 0)
        place.setTop(place.bottom() - 4)
        place.setHeight(2)
        painter.save()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.current().border))
        painter.drawRect(place)
        place.setWidth(place.width() * used)
        painter.setBrush(QColor(verdict_colour(verdict)))
        painter.drawRect(place)
        painter.restore()


def save_rows(path: Path, model: CriteriaModel, rows: Sequence[RiderJudgement]) -> None:
    """Write rows as CSV with the columns of the table and the sources. Raises InputError."""
    if not rows:
        raise InputError("There is no criterion to save; run the project first.")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(plain_cell(column.title) for column in model.columns), *FURTHER])
    for row in rows:
        result = row.result
        signal = f"{result.signal.body}, filter {result.signal.filter}, gravity {result.signal.gravity}"
        exceeded = "; ".join(f"{start:.3f} to {end:.3f}" for start, end in result.exceeded)
        source = result.limit_source or ""
        further = [signal, result.definition, source, result.limit_status, exceeded, result.note]
        writer.writerow(
            [*(plain_cell(model.text(row, column)) for column in model.columns), *map(plain_cell, further)]
        )
    write_atomically(path, text.getvalue())
