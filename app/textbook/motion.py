"""Place, speed and phase of the ball as curves, ours and those of the method of chords."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ..widgets import theme, units

KEPT = 30.0  # s of the curves
# title, columns (of time, place, speed) and units along x and y
PLOTS: Final = (
    ("Position", (0, 1), ("s", "m"), ("Time", "Along the track")),
    ("Speed", (0, 2), ("s", "m/s"), ("Time", "Speed")),
    ("Phase", (1, 2), ("m", "m/s"), ("Along the track", "Speed")),
)

Row = tuple[float, float, float]


class MotionPlots(QWidget):
    """Three plots side by side; dotted: the method of chords."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plots: list[pg.PlotWidget] = []
        self.curves: list[list[pg.PlotDataItem]] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for _title, _columns, _units, _words in PLOTS:
            plot = pg.PlotWidget()
            plot.setMenuEnabled(False)
            plot.setMouseEnabled(False, False)
            plot.hideButtons()
            self.plots.append(plot)
            self.curves.append([plot.plot([], []) for _ in range(2)])
            row.addWidget(plot, 1)
        self.restyle()

    def show_rows(self, ours: Sequence[Row], chords: Sequence[Row]) -> None:
        """Draw the last seconds of both: time (s), place along the track (m), speed (m/s)."""
        for k, rows in enumerate((ours, chords)):
            table = np.array(rows).reshape(-1, 3)
            recent = table[table[:, 0] > table[-1, 0] - KEPT] if len(table) else table
            for curves, (_title, (x, y), (ux, uy), _words) in zip(self.curves, PLOTS, strict=True):
                curves[k].setData(units.to_shown(recent[:, x], ux), units.to_shown(recent[:, y], uy))

    def restyle(self) -> None:
        """Take the colours of the theme, and the units."""
        c = theme.current()
        for plot, curves, (title, _columns, (ux, uy), (x, y)) in zip(
            self.plots, self.curves, PLOTS, strict=True
        ):
            plot.setBackground(c.base)
            plot.setTitle(title, color=c.text, size="9pt")
            curves[0].setPen(pg.mkPen(c.series[0], width=2))
            curves[1].setPen(pg.mkPen(c.series[1], width=2, style=Qt.PenStyle.DotLine))
            for side, text, unit in (("bottom", x, ux), ("left", y, uy)):
                axis = plot.getAxis(side)
                axis.enableAutoSIPrefix(False)
                axis.setPen(c.border)
                axis.setTextPen(c.muted)
                plot.setLabel(side, f"{text} ({units.label(unit)})", color=c.muted)
