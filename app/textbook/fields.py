"""The small entries of the textbook window: numbers with units, lines of words."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox, QLabel

from ..widgets import units


def note() -> QLabel:
    """A line of muted words."""
    label = QLabel("")
    label.setWordWrap(True)
    label.setProperty("role", "muted")
    return label


def number(title: str, low: float, high: float, value: float, decimals: int, unit: str) -> QDoubleSpinBox:
    """A number in SI (range, value and unit), shown in the units in use."""
    box = QDoubleSpinBox()
    box.setAccessibleName(title)
    box.setProperty("unit", unit)
    box.setProperty("si_range", (low, high))
    box.setDecimals(decimals)
    fit(box, value)
    return box


def fit(box: QDoubleSpinBox, value: float) -> None:
    """Show a value in SI in the units in use."""
    unit = str(box.property("unit"))
    low, high = box.property("si_range")
    box.setRange(units.to_shown(low, unit), units.to_shown(high, unit))
    box.setSuffix(f" {units.label(unit)}")
    box.setSingleStep(units.to_shown(high, unit) / 50.0)
    box.setValue(units.to_shown(value, unit))
