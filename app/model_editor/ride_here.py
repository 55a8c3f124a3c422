"""What the preview's ride does in a section: speed, loads and radius at its entry, in its middle and at its exit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from ...core.pointmass.sections import Station
from ..widgets import units
from ..work.preview import RidePreview

PLACES = ("Entry", "Middle", "Exit")
ROWS = (("Speed", "speed", "m/s"), ("Gz", "gz", "g"), ("Gy", "gy", "g"), ("Radius", "radius", "m"))
STRAIGHT, UNKNOWN = "straight", "\N{EN DASH}"
TIP = (
    "Of the ride as points: its speed and the loads on the heartline, as the train comes by for the first time. The "
    "radius is that of the line midway between the rails."
)


class RideHere(QWidget):
    """A small table that is always as high, whatever is known, and below it what an edit changes."""

    def __init__(self, preview: RidePreview, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview = preview
        self.setAccessibleName("The ride in this section")
        self.setToolTip(TIP)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(2)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        self.cells: dict[tuple[str, str], QLabel] = {}
        self._titles: list[QLabel] = []
        for k, position in enumerate(PLACES, 1):
            grid.addWidget(_label(position, "muted"), 0, k, Qt.AlignmentFlag.AlignRight)
            grid.setColumnStretch(k, 1)
        for row, (title, name, _) in enumerate(ROWS, 1):
            self._titles.append(_label(title, "muted"))
            grid.addWidget(self._titles[-1], row, 0)
            for k, position in enumerate(PLACES, 1):
                self.cells[name, position] = _label(UNKNOWN)
                grid.addWidget(self.cells[name, position], row, k, Qt.AlignmentFlag.AlignRight)
        column.addLayout(grid)
        self.change = _label("", "muted")
        self.change.setMinimumHeight(self.fontMetrics().lineSpacing())
        column.addWidget(self.change)

    def show_section(self, name: str, found: tuple[Station, ...]) -> None:
        """Show the entry, middle and exit of a section, and what the edit in progress or the last one changes."""
        for title, (word, _, unit) in zip(self._titles, ROWS, strict=True):
            title.setText(f"{word} ({units.label(unit)})")
        for k, position in enumerate(PLACES):
            for _, field, unit in ROWS:
                value = getattr(found[k], field) if found else None
                nothing = STRAIGHT if found and field == "radius" else UNKNOWN
                decimals = 1 if field in ("speed", "radius") else None
                text = nothing if value is None else units.format(value, unit, decimals=decimals)[0]
                self.cells[field, position].setText(text)
        change = self._preview.change_text(name)
        last = "" if self._preview.in_edit else "Last step: "
        self.change.setText(self._silent(found) or (f"{last}{change}" if change else ""))

    def _silent(self, found: tuple[Station, ...]) -> str:
        """Why there is nothing to see, where that is so."""
        fault = self._preview.fault()
        if fault or not found:
            return fault.partition(",")[0]
        return "" if found[0].speed is not None else "The train does not come here."


def _label(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    return label
