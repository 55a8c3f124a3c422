"""Between which statures and masses people may ride, as a small table: who fits, stays seated, keeps the limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QHeaderView, QTableWidgetItem

from ...core.base.sentence import Sentence, together
from ...core.human.population import Admitted
from ...core.studies.by_ride import AT, ByRide, End, Range
from ..widgets import units
from ..widgets.plain_table import plain_table
from ..widgets.plain_words import plain_tip

COLUMNS = ("Who", "From", "Smaller ones", "To", "Taller ones", "Up to", "Heavier ones")
REASONS = (2, 4, 6)  # columns that share what room the others leave
ROWS = 6  # that are shown without scrolling


class SizesTable:
    """The table, hidden while there is nothing to show."""

    def __init__(self) -> None:
        self.table = plain_table(COLUMNS)
        self.table.setAccessibleName("Sizes that may ride")
        header = self.table.horizontalHeader()
        for column in range(len(COLUMNS)):
            stretch = column in REASONS
            mode = QHeaderView.ResizeMode.Stretch if stretch else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        self.table.hide()

    def show_found(self, found: Sequence[ByRide]) -> None:
        """Show what is known, in the units of now."""
        rows = [row for one in found if one.finished for row in _rows(one)]
        table = self.table
        mass = units.text(AT, "m", decimals=3)
        table.setHorizontalHeaderLabels([f"{c} at {mass}" if c == "Up to" else c for c in COLUMNS])
        table.setRowCount(len(rows))
        for k, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(text)
                item.setToolTip(plain_tip(text))
                table.setItem(k, column, item)
        table.resizeRowsToContents()
        height = table.horizontalHeader().sizeHint().height()
        height += sum(table.rowHeight(k) for k in range(min(ROWS, len(rows))))
        table.setFixedHeight(height + 4)
        table.setVisible(bool(rows))


def remarks(found: Sequence[ByRide], admitted: Admitted) -> list[Sentence | str]:
    """What the table does not say: exceptions, limits that are left out, whom the project admits beyond."""
    lines: list[Sentence | str] = []
    for one in found:
        if not one.finished:
            lines += one.sentences(admitted)
            continue
        before = f"{one.what}: " if one.what else ""
        for title, range_ in (("in the seat", one.stays), ("limits", one.keeps)):
            lines += [together("", (f"{before}{title}, ", said, ".")) for said in range_.exceptions]
        beyond = one.keeps.beyond(admitted)
        lines += [together("", (before, beyond, "."))] if beyond else []
        lines += [f"{before}{said}" for said in one.left_out]
    return lines


def _rows(one: ByRide) -> Iterator[tuple[str, ...]]:
    before = f"{one.what}: " if one.what else ""
    fits = one.fits
    yield (
        f"{before}fit", _stature(fits.low), "", _stature(fits.high), "", _mass(dict(fits.masses).get(AT)), ""
    )  # fmt: skip
    for who, found in (("stay in the seat", one.stays), ("keep the limits", one.keeps)):
        yield (f"{before}{who}", *_cells(found))


def _cells(found: Range) -> tuple[str, ...]:
    low, high, heavy = found.smallest, found.tallest, found.heaviest
    return (
        _stature(None if low is None else low.value), _why(low, found.nobody),
        _stature(None if high is None else high.value), _why(high, ""),
        _mass(None if heavy is None else heavy.value), _why(heavy, ""),
    )  # fmt: skip


def _stature(value: float | None) -> str:
    return "nobody" if value is None else units.text(value, "m", decimals=2)


def _mass(value: float | None) -> str:
    return "nobody" if value is None else units.text(value, "kg", decimals=0)


def _why(end: End | None, nobody: str) -> str:
    if end is None:
        return nobody
    return "none looked at" if end.decides == "nothing looked at" else end.why
