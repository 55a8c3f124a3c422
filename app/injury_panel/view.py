"""The table of criteria on screen: its columns share the room so that how a criterion came out is seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from .table import WHO, CriteriaModel, MarginDelegate

LETTER: Final = 6  # px across, for which the widths below are
WIDTHS: Final = {
    "Criterion": 180,
    WHO: 114,
    "Part": 92,
    "Value": 74,
    "Limit": 68,
    "Margin": 72,
    "Verdict": 114,
    "Change": 144,
    "Confidence": 138,
    "When": 78,
    "Where": 150,
    "Compared": 80,
    "Group": 128,
    "Rule": 180,
}
FITTED: Final = ("Value", "Limit", "Change")  # as wide as what stands in them, where there is room
GIVING: Final = (WHO, "Part")  # no wider than what stands in them, where there is none
LOOKED_AT: Final = 60  # rows, for the width of a column: a full train has thousands
NARROWEST: Final = 130  # of the criterion, where the room is short and its title needs no more


class CriteriaTable(QTableView):
    """Rows of a model. Until somebody sets widths by hand the criterion takes the room that the columns up to the
    verdict leave, or up to the margin where that is too little; beside a compared run up to the change, where there is
    room for it."""

    def __init__(self, model: CriteriaModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._fitting, self._by_hand, self._changing = model, False, False, False
        self._wide: dict[str, int] = {}  # what columns need, by title, until other rows are shown
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)  # 1 to 5 choose the camera
        self.setTabKeyNavigation(False)  # Tab goes on to what comes next
        self.setModel(model)
        self.setSortingEnabled(True)
        self.sortByColumn(model.column("Margin"), Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(24)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        head.setHighlightSections(False)
        head.setTextElideMode(Qt.TextElideMode.ElideRight)
        for title in WIDTHS:
            self.setColumnWidth(model.column(title), self._usual(title))
        self.setItemDelegateForColumn(model.column("Margin"), MarginDelegate(self))
        head.setResizeContentsPrecision(LOOKED_AT)
        head.sectionResized.connect(self._on_resized)
        model.modelReset.connect(self._on_reset)

    def _usual(self, title: str) -> int:
        """Width (px) of a column whatever stands in it."""
        larger = max(1.0, self.fontMetrics().averageCharWidth() / LETTER)
        hint = self.horizontalHeader().sectionSizeHint(self._model.column(title))
        return max(round(larger * WIDTHS[title]), hint)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Changes that are one: the columns share the room once, after the last."""
        self._changing = True
        try:
            yield
        finally:
            self._changing = False
            self._fit()

    def setColumnHidden(self, column: int, hide: bool) -> None:
        """Hide or show one; the others share the room anew."""
        if self.isColumnHidden(column) != hide:
            with self._by_itself():
                super().setColumnHidden(column, hide)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @contextmanager
    def _by_itself(self) -> Iterator[None]:
        before, self._fitting = self._fitting, True
        try:
            yield
        finally:
            self._fitting = before

    def _on_resized(self, section: int, _before: int, _now: int) -> None:
        last = section == self._model.columnCount() - 1  # takes what is left
        self._by_hand |= not self._fitting and not last and self.isVisible()

    def _on_reset(self) -> None:
        self._wide.clear()
        self._fit()

    def _needs(self, title: str) -> int:
        """Width (px) that what stands in a column needs."""
        if title not in self._wide:
            self._wide[title] = self.sizeHintForColumn(self._model.column(title))
        return self._wide[title]

    def _fit(self) -> None:
        if self._changing or self._by_hand or not self._model.rowCount():
            return
        column = self._model.column
        with self._by_itself():
            for title in (*FITTED, *GIVING):
                self.setColumnWidth(column(title), self._usual(title))
            first, verdict, change = column("Criterion"), column("Verdict"), column("Change")
            others = sum(self.columnWidth(k) for k in range(first + 1, verdict + 1))
            room = self.viewport().width() - others
            least = max(NARROWEST, self.horizontalHeader().sectionSizeHint(first))
            seen = [title for title in FITTED if not self.isColumnHidden(column(title))]
            if "Change" in seen and room - self.columnWidth(change) >= least:
                room -= self.columnWidth(change)
            elif "Change" in seen:  # begins where the others end
                seen.remove("Change")
            if room < least:
                room += self.columnWidth(verdict)
                for title in () if room >= self._needs("Criterion") else GIVING:
                    given = max(0, self.columnWidth(column(title)) - self._needs(title))
                    self.setColumnWidth(column(title), self.columnWidth(column(title)) - given)
                    room += given
            for title in seen:
                wider = self._needs(title) - self.columnWidth(column(title))
                wider = min(wider, room - least)
                if wider > 0:
                    self.setColumnWidth(column(title), self.columnWidth(column(title)) + wider)
                    room -= wider
            most = max(self._usual("Criterion"), self._needs("Criterion"))
            self.setColumnWidth(first, max(least, min(room, most)))
