"""How often which range of stress occurs at a place, counted by rainflow: the histogram beside the hot spots."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ..widgets import theme, units
from ..widgets.plain_words import plain_label
from .ticks import TickAxis, dress

UNIT = "MPa"
ROOM = 1.18  # of the highest bar, for the number on it
NONE = "The stress there does not change over the run: it has no load ranges."


class RangePlot(QWidget):
    """Bars of cycles over ranges, each with its number on it; or a sentence why there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edges, self.cycles = np.zeros(0), np.zeros(0)  # Pa, as shown
        self.head = plain_label()
        self.head.setWordWrap(True)
        self.head.setProperty("role", "muted")
        self.head.setMargin(4)
        self.why = plain_label()
        self.why.setWordWrap(True)
        self.why.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.why.setProperty("role", "muted")
        self.why.setMargin(16)
        self.plot = pg.PlotWidget(axisItems={side: TickAxis(side) for side in ("left", "bottom")})
        self.plot.setAccessibleName("Load ranges")
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.plot)
        self._pages.addWidget(self.why)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self._pages, 1)
        self.say("", "")

    def say(self, head: str, why: str) -> None:
        """Show a sentence in place of bars; head: what they would be of."""
        self.edges, self.cycles = np.zeros(0), np.zeros(0)
        self.head.setText(head)
        self.why.setText(why)
        self._pages.setCurrentIndex(1)

    def show_ranges(self, head: str, edges: Array, cycles: Array) -> None:
        """Show cycles (bins,) in ranges of evenly spaced upper edges (bins,) Pa; head: what they are of."""
        if not len(edges):
            self.say(head, NONE)
            return
        self.edges, self.cycles = edges, cycles
        self.head.setText(head)
        self._pages.setCurrentIndex(0)
        self._draw()

    def _draw(self) -> None:
        colours = theme.current()
        self.plot.clear()
        dress(self.plot)
        upper = np.asarray(units.to_shown(self.edges, UNIT), dtype=np.float64)
        wide = float(upper[0])
        self.plot.addItem(
            pg.BarGraphItem(
                x0=upper - 0.95 * wide, x1=upper - 0.05 * wide, y0=0.0, height=self.cycles,
                brush=QColor(colours.series[0]), pen=None,
            )
        )  # fmt: skip
        for x, count in zip(upper - 0.5 * wide, self.cycles, strict=True):
            if count > 0.0:
                number = pg.TextItem(f"{count:g}", QColor(colours.text), anchor=(0.5, 1.0))
                number.setPos(x, count)
                self.plot.addItem(number, ignoreBounds=True)
        self.plot.getAxis("bottom").set_unit(units.label(UNIT))
        self.plot.setXRange(0.0, float(upper[-1]), padding=0.01)
        self.plot.setYRange(0.0, ROOM * float(self.cycles.max()), padding=0.0)

    def restyle(self) -> None:
        """Draw in the units and colours of now."""
        if len(self.edges):
            self._draw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # also fires while the base class is being built
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_pages"):
            self.restyle()
