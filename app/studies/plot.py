"""One number of the runs over another, a point a run; a click chooses the run."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ridewright.app.widgets import theme
from ridewright.core.studies.one_run import MARGIN
from ridewright.core.studies.store import Table

Array = NDArray[np.float64]
MOST = 20_000  # points drawn


class StudyPlot(QWidget):
    """`chosen` carries the number of the run whose point was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._selected = -1
        self._wanted: dict[QComboBox, str] = {}  # what a person has chosen
        self.across, self.up = QComboBox(), QComboBox()
        self.across.setAccessibleName("Across")
        self.up.setAccessibleName("Up")
        for box in (self.across, self.up):
            box.setMinimumContentsLength(14)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda _, box=box: self._on_box(box))
        self.plot = pg.PlotWidget()
        self.plot.setMinimumHeight(80)
        self.plot.setToolTip("A point a run; red where a limit is exceeded. Margins are parts of the limit.")
        self.points = pg.ScatterPlotItem(size=7, pen=None)
        self.points.sigClicked.connect(self._on_clicked)
        self.plot.addItem(self.points)
        bar = QHBoxLayout()
        for text, box in (("Up", self.up), ("across", self.across)):
            bar.addWidget(QLabel(text))
            bar.addWidget(box, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(bar)
        column.addWidget(self.plot, 1)
        self.setVisible(False)  # until there is something to draw
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "points"):
            self._colour()

    def _colour(self) -> None:
        colours = theme.current()
        self.plot.setBackground(colours.base)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.setPen(colours.grid)
            axis.setTextPen(colours.muted)
        self._draw()

    def show_table(self, table: Table | None, selected: int = -1) -> None:
        """Show the runs there are; what is chosen in the boxes stays where it can."""
        self._table, self._selected = table, selected
        self.setVisible(table is not None and len(table) > 0)
        if table is not None:
            names = [p.name for p in table.study.parameters]
            kept = sorted(table.numbers, key=lambda name: (name != MARGIN, "." in name, name))
            self._offer(self.across, [*names, *kept], names[0] if names else "")
            self._offer(self.up, [*kept, *names], MARGIN)
        self._draw()

    def _on_box(self, box: QComboBox) -> None:
        self._wanted[box] = box.currentText()
        self._draw()

    def _offer(self, box: QComboBox, names: list[str], first: str) -> None:
        if [box.itemText(k) for k in range(box.count())] == names:
            return
        wanted = self._wanted.get(box, first)
        box.blockSignals(True)
        box.clear()
        box.addItems(names)
        box.setCurrentIndex(max(0, names.index(wanted) if wanted in names else 0))
        box.blockSignals(False)

    def _column(self, name: str) -> Array | None:
        table = self._table
        if table is None or not name:
            return None
        names = [p.name for p in table.study.parameters]
        return table.values[:, names.index(name)] if name in names else table.numbers.get(name)

    def _label(self, name: str) -> str:
        table = self._table
        units = {} if table is None else {p.name: p.unit for p in table.study.parameters}
        said = "least margin" if name == MARGIN else name
        return f"{said} ({units[name]})" if units.get(name) else said

    def _draw(self) -> None:
        table = self._table
        x, y = self._column(self.across.currentText()), self._column(self.up.currentText())
        if table is None or x is None or y is None:
            self.points.setData([], [])
            return
        colours = theme.current()
        there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))[-MOST:]
        good, bad = pg.mkBrush(colours.accent), pg.mkBrush(colours.bad)
        margin = table.numbers.get(MARGIN)
        beyond = np.zeros(len(table), dtype=bool) if margin is None else margin < 0.0
        chosen = pg.mkPen(colours.text, width=2)
        self.points.setData(
            x=x[there],
            y=y[there],
            data=[int(table.run[k]) for k in there],
            brush=[bad if beyond[k] else good for k in there],
            pen=[chosen if table.run[k] == self._selected else pg.mkPen(None) for k in there],
        )
        self.plot.setLabel("bottom", self._label(self.across.currentText()), color=colours.muted)
        self.plot.setLabel("left", self._label(self.up.currentText()), color=colours.muted)

    def _on_clicked(self, _plot: object, points: list[pg.SpotItem], _event: object = None) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))
