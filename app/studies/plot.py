"""The runs of a study as a picture: points, means over a parameter, parallel coordinates; a click chooses a run."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.studies.answers import main_effects
from ...core.studies.front import Front
from ...core.studies.number_titles import number_title
from ...core.studies.one_run import MARGIN, UNFINISHED
from ...core.studies.store import Table
from ...core.studies.study import Study
from ..widgets import theme
from ..widgets.flow import FlowLayout
from .parallel import ParallelLines

MAX_POINTS = 20_000  # points drawn
POINTS, MEANS, PARALLEL = "Points", "Means", "Parallel coordinates"
SIZE = 7  # px
LARGE = 12  # px, of the best designs and the start
SEARCHED = " Of a search: diamonds are the best designs, the square is the start."
HELP = {
    POINTS: "A point a run; red where a limit is exceeded, a cross where a run ended early. Margins are parts of the"
    " limit.",
    MEANS: "A point a run, and the mean over the runs at each level of the parameter, or in equal parts of its range,"
    " with its standard error.",
    PARALLEL: "A line a run, over its parameters and the number chosen; red where a limit is exceeded, thick and green"
    " for the best designs of a search.",
}


class StudyPlot(QWidget):
    """`chosen` carries the number of the run whose point was clicked."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._selected = -1
        self._front: Front | None = None
        self._wanted: dict[QComboBox, str] = {}  # what a person has chosen
        self.across, self.up = QComboBox(), QComboBox()
        self.across.setAccessibleName("Across")
        self.up.setAccessibleName("Up")
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of plot")
        self.kind.addItems([POINTS, MEANS, PARALLEL])
        self.kind.activated.connect(lambda _: self._draw())
        for box in (self.across, self.up):
            box.setMinimumContentsLength(14)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda _, box=box: self._on_box(box))
        self.plot = pg.PlotWidget()
        self.plot.setMinimumHeight(80)
        self.points = pg.ScatterPlotItem(size=SIZE, pen=None)
        self.points.sigClicked.connect(self._on_clicked)
        self.plot.addItem(self.points)
        self.means = pg.PlotDataItem(symbol="d", symbolSize=11)
        self.errors = pg.ErrorBarItem(beam=0.0)
        self.lines = ParallelLines(self.plot)
        self.plot.scene().sigMouseClicked.connect(self._on_plot_clicked)
        bar = FlowLayout()  # one below the other in a narrow window, which they would widen
        bar.addWidget(self.kind)
        for text, box in (("Up", self.up), ("across", self.across)):
            pair = QWidget()
            row = QHBoxLayout(pair)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(QLabel(text))
            row.addWidget(box)
            bar.addWidget(pair)
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

    def show_table(self, table: Table | None, selected: int = -1, front: Front | None = None) -> None:
        """Show the runs there are, of a search with its best designs; what is chosen in the boxes stays where it
        can."""
        self._table, self._selected, self._front = table, selected, front
        self.setVisible(table is not None and len(table) > 0)
        if table is not None:
            names = [p.name for p in table.study.parameters]
            kept = sorted(table.numbers, key=lambda name: (name != MARGIN, "." in name, name))
            across, up = _first_axes(table.study)
            self._offer(self.across, [*names, *kept], across)
            self._offer(self.up, [*kept, *names], up)
        self._draw()

    def _on_box(self, box: QComboBox) -> None:
        self._wanted[box] = box.currentData()
        self._draw()

    def _offer(self, box: QComboBox, names: list[str], first: str) -> None:
        if [box.itemData(k) for k in range(box.count())] == names:
            return
        wanted = self._wanted.get(box, first)
        box.blockSignals(True)
        box.clear()
        parameters = () if self._table is None else {p.name for p in self._table.study.parameters}
        for name in names:
            box.addItem(name if name in parameters else number_title(name), name)
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
        said = name if name in units else number_title(name)
        return f"{said} ({units[name]})" if units.get(name) else said

    def _draw(self) -> None:
        table, kind = self._table, self.kind.currentText()
        x, y = self._column(self.across.currentData()), self._column(self.up.currentData())
        self.points.setData([], [])
        self.lines.clear()
        for item in (self.means, self.errors):
            self.plot.removeItem(item)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setTicks(None)
        self.plot.getAxis("bottom").setHeight(None)
        self.across.setEnabled(kind != PARALLEL)
        self.plot.setToolTip(HELP[kind] + (SEARCHED if self._front is not None and kind != PARALLEL else ""))
        if table is None or x is None or y is None:
            return
        if kind == PARALLEL:
            self._draw_lines(table)
        else:
            self._draw_points(table, x, y)
        if kind == MEANS:
            self._draw_means(table)
        if kind != PARALLEL:
            self.plot.autoRange()

    def _draw_points(self, table: Table, x: Array, y: Array) -> None:
        colours = theme.current()
        there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        best, start = _marked(table, self._front)
        # of too many the last, with the best and the start on top of all
        there = np.concatenate([there[~best[there]][-MAX_POINTS:], there[best[there]]])
        shades = (colours.accent, colours.bad, colours.good, colours.text, colours.bad)
        brushes = [pg.mkBrush(one) for one in shades]
        early = table.is_state(*UNFINISHED)
        kind = np.select([start, best, early, _beyond(table)], [3, 2, 4, 1], 0)
        chosen = pg.mkPen(colours.text, width=2)
        self.points.setData(
            x=x[there],
            y=y[there],
            data=[int(table.run[k]) for k in there],
            brush=[brushes[kind[k]] for k in there],
            symbol=["oodsx"[kind[k]] for k in there],
            size=[LARGE if kind[k] in (2, 3) else SIZE for k in there],
            pen=[chosen if table.run[k] == self._selected else pg.mkPen(None) for k in there],
        )
        self.plot.setLabel("bottom", self._label(self.across.currentData()), color=colours.muted)
        self.plot.setLabel("left", self._label(self.up.currentData()), color=colours.muted)

    def _draw_lines(self, table: Table) -> None:
        """Parameters first, then the number that is chosen."""
        names = [p.name for p in table.study.parameters]
        if self.up.currentData() not in names:
            names.append(self.up.currentData())
        columns = [column for name in names if (column := self._column(name)) is not None]
        labels, (best, _) = [self._label(n) for n in names], _marked(table, self._front)
        self.lines.draw(columns, labels, table.run, _beyond(table), self._selected, best)
        for side in ("left", "bottom"):
            self.plot.setLabel(side, "")

    def _draw_means(self, table: Table) -> None:
        """Means over the parameter across; nothing over a number that is no parameter."""
        parameter = next((p for p in table.study.parameters if p.name == self.across.currentData()), None)
        if parameter is None or self.up.currentData() not in table.numbers:
            return
        try:
            effects = main_effects(table, self.up.currentData())
        except InputError:  # fewer than two runs yet
            return
        effect = next(one for one in effects if one.parameter == parameter.name)
        x = np.array(effect.place)
        error = np.array([0.0 if one is None else one for one in effect.error])
        pen = pg.mkPen(theme.current().text, width=2)
        self.means.setData(x, np.array(effect.mean), pen=pen, symbolBrush=pen.color(), symbolPen=None)
        self.errors.setData(x=x, y=np.array(effect.mean), height=2.0 * error, pen=pen)
        for item in (self.errors, self.means):
            self.plot.addItem(item)
        if parameter.levels:
            self.plot.getAxis("bottom").setTicks([list(zip(x, effect.at, strict=True))])

    def _on_plot_clicked(self, event: object) -> None:
        """A click beside all points means a line of the parallel coordinates."""
        if self.kind.currentText() != PARALLEL:
            return
        place = self.plot.getViewBox().mapSceneToView(event.scenePos())  # type: ignore[attr-defined]
        run = self.lines.run_at(place.x(), place.y())
        if run is not None:
            self.chosen.emit(run)

    def _on_clicked(self, _plot: object, points: list[pg.SpotItem], _event: object = None) -> None:
        if len(points):
            self.chosen.emit(int(points[0].data()))


def _first_axes(study: Study) -> tuple[str, str]:
    """What is shown across and up until a person chooses: of a search its goals."""
    goals = () if study.optimise is None else tuple(goal.name for goal in study.optimise.goals)
    first = study.parameters[0].name if study.parameters else ""
    return (goals[0], goals[1]) if len(goals) > 1 else (first, goals[0] if goals else MARGIN)


def _marked(table: Table, front: Front | None) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Runs (n,) that are best, and the one that a search began with."""
    if front is None:
        return np.zeros(len(table), dtype=bool), np.zeros(len(table), dtype=bool)
    return np.isin(table.run, front.runs), table.run == (-1 if front.start is None else front.start.run)


def _beyond(table: Table) -> NDArray[np.bool_]:
    """Runs (n,) in which a limit is exceeded."""
    margin = table.numbers.get(MARGIN)
    return np.zeros(len(table), dtype=bool) if margin is None else margin < 0.0
