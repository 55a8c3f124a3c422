"""Seats of a train from above, row by row: ticked seats are taken."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.model.seat_rows import SeatRow
from ..widgets.plain_words import plain_label, plain_tip

SIZE = 26  # px, of a seat


class SeatPicker(QWidget):
    """One column a row of seats, front row at the left; a click on a row's number ticks or clears the whole row.

    changed: the ticks have changed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[SeatRow, ...] = ()
        self._buttons: dict[tuple[str, str], QCheckBox] = {}
        self._heads: dict[int, QToolButton] = {}
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._bar())
        column.addWidget(self._area)

    def _bar(self) -> QHBoxLayout:
        bar = QHBoxLayout()
        for text, tip in (
            ("All", "Every seat is taken"),
            ("None", "Nobody rides"),
            ("Left", "The left half of every row"),
            ("Front half", "The front half of the rows"),
            ("Front and back row", "Where loads differ most"),
        ):
            button = QToolButton()
            button.setText(text)
            button.setToolTip(tip)
            button.clicked.connect(lambda _on=False, text=text: self.tick(text))
            bar.addWidget(button)
        bar.addStretch(1)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        bar.addWidget(self.count)
        return bar

    def show_rows(self, rows: tuple[SeatRow, ...], taken: Collection[tuple[str, str]] = ()) -> None:
        """Show rows of seats with those (car, seat) ticked that are taken."""
        self._rows, self._buttons, self._heads = rows, {}, {}
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        deep = max((len(row.seats) for row in rows), default=0)
        car = ""
        for k, row in enumerate(rows):
            if row.car != car:
                car = row.car
                label = plain_label(car)
                label.setProperty("role", "muted")
                grid.addWidget(label, 0, k, 1, sum(other.car == car for other in rows))
            head = QToolButton()
            head.setText(str(row.number))
            head.setFixedWidth(SIZE + 6)
            head.setAccessibleName(f"Row {row.number}, {row.car}")
            head.setToolTip(plain_tip(f"Row {row.number}, {row.car}: tick or clear all its seats"))
            head.clicked.connect(lambda _on=False, row=row: self._row(row))
            self._heads[row.number] = head
            grid.addWidget(head, deep + 1, k, Qt.AlignmentFlag.AlignHCenter)
            for n, seat in enumerate(row.seats):
                button = QCheckBox()
                button.setAccessibleName(f"Row {row.number}, {seat.car}, {seat.seat}")
                button.setToolTip(plain_tip(f"Row {row.number}, {seat.car}, {seat.seat}"))
                button.setChecked((seat.car, seat.seat) in taken)
                button.toggled.connect(self._toggled)
                self._buttons[seat.car, seat.seat] = button
                grid.addWidget(button, n + 1, k, Qt.AlignmentFlag.AlignHCenter)
        grid.setColumnStretch(len(rows), 1)
        old = self._area.takeWidget()
        self._area.setWidget(body)
        if old is not None:
            old.deleteLater()
        self._area.setFixedHeight((deep + 2) * SIZE + 24)
        self._tell()

    def ticked(self) -> dict[str, tuple[str, ...]]:
        """Names of the ticked seats of every car."""
        found: dict[str, tuple[str, ...]] = {row.car: () for row in self._rows}
        for (car, seat), button in self._buttons.items():
            if button.isChecked():
                found[car] = (*found[car], seat)
        return found

    def tick(self, which: str) -> None:
        """Tick what a button of the bar says."""
        last = len(self._rows)
        for row in self._rows:
            for seat in row.seats:
                on = {
                    "All": True, "None": False, "Left": seat.left > 0.0, "Front half": row.number <= (last + 1) // 2,
                    "Front and back row": row.number in (1, last),
                }[which]  # fmt: skip
                self._buttons[seat.car, seat.seat].setChecked(on)

    def _row(self, row: SeatRow) -> None:
        buttons = [self._buttons[seat.car, seat.seat] for seat in row.seats]
        on = not all(button.isChecked() for button in buttons)
        for button in buttons:
            button.setChecked(on)

    def _toggled(self) -> None:
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        taken = sum(button.isChecked() for button in self._buttons.values())
        self.count.setText(f"{taken} of {len(self._buttons)} seats taken" if self._buttons else "no seats")
