"""Numbers along the axes: with their unit below the plots, with true minus signs and raised exponents."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFont

from ..widgets import theme
from .curves import RAISED


class TickAxis(pg.AxisItem):
    """An axis whose numbers may carry a unit: room for a label of its own is dear in small plots."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.unit = ""
        self.enableAutoSIPrefix(False)

    def set_unit(self, unit: str) -> None:
        if unit != self.unit:
            self.unit = unit
            self.picture = None
            self.update()

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.logMode:
            return [power(value, self.unit) for value in values]
        tail = f" {self.unit}" if self.unit else ""
        return [text.replace("-", "−") + tail for text in super().tickStrings(values, scale, spacing)]


def power(exponent: float, unit: str = "") -> str:
    """A power of ten as people write it, as a plain number where it has a unit; nothing between whole powers."""
    whole = round(exponent)
    if abs(exponent - whole) > 1e-6:
        return ""
    return f"{10.0**whole:g} {unit}" if unit else f"10{str(whole).translate(RAISED)}"


def dress(plot: pg.PlotWidget) -> None:
    """Give the ground and the axes of a plot the colours of the theme, and the axes small numbers."""
    colours = theme.current()
    plot.setBackground(QColor(colours.base))
    font = QFont(plot.font())
    font.setPointSizeF(max(7.0, font.pointSizeF() - 1.0))
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colours.grid))
        axis.setTextPen(pg.mkPen(colours.muted))
        axis.setTickFont(font)
