"""Plots in rows and columns that share one abscissa, one cursor and one pointer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from ...core.charts.abscissa import Abscissa
from ...core.charts.chart import Chart
from ..widgets.refresh import Turn
from .pane import AXIS_HEIGHT, MIN_HEIGHT, Pane

WIDE_ENOUGH = 290  # px below which a plot is better given its own row
GAP = 8


def columns_for(count: int, width: int, height: int) -> int:
    """Columns for plots in an area: one, unless they would be too flat to read and there is width for more."""
    best = 1
    while (
        best < count
        and -(-count // best) * MIN_HEIGHT > height
        and (width - best * GAP) // (best + 1) >= WIDE_ENOUGH
    ):
        best += 1
    rows = -(-count // best)
    return -(-count // rows)  # as many rows, but none of them nearly empty


class _Sheet(QWidget):
    """Holds the panes; without a layout, because their places depend on width and height together."""


class PlotGrid(QScrollArea):
    """Any number of plots over one abscissa.

    scrubbed(x) and pointed(x or None) carry the abscissa in SI; menu_asked the key of a plot and where, clicked(key, x)
    the key and the abscissa of a click.
    """

    scrubbed = Signal(float)
    clicked = Signal(str, float)
    pointed = Signal(object)
    menu_asked = Signal(str, QPoint)
    grown = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(False)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.sheet = _Sheet()
        self.setWidget(self.sheet)
        self.panes: list[Pane] = []
        self._factor = 1.0
        self._linking = False
        self._whole = True
        self._key: object = None
        self._unit = ""
        self._kept: tuple[float, float] | None = None
        self._due: list[tuple[int, Chart]] = []  # plots still to be shown, with their places
        self._count = 0
        self._growing = Turn(self, self._grow)

    # -- content

    def set_contents(
        self,
        contents: Sequence[Chart],
        x_factor: float,
        x_unit: str,
        key: object,
        *,
        gradually: bool = False,
    ) -> None:
        """Show plots. x_factor, x_unit: shown unit of the abscissa for each s or m, and its name.

        key: while it stays the same, so does the stretch that is shown. gradually: one plot at a time, so that the
        window stays awake; `grown` tells of each.
        """
        self._kept = self.x_range() if key == self._key and not self._whole and self.panes else None
        self._key, self._factor, self._unit = key, x_factor, x_unit
        while len(self.panes) > len(contents):
            pane = self.panes.pop()
            pane.hide()
            pane.deleteLater()
        self._due, self._count = list(enumerate(contents)), len(contents)
        while self._due:
            self._show_next()
            if gradually and self._due:
                self._growing.soon()
                break
        self._settle()

    def _show_next(self) -> None:
        number, content = self._due.pop(0)
        if number == len(self.panes):
            self.panes.append(self._new_pane())
        self._linking = True
        self.panes[number].set_content(content, self._factor, self._unit)
        self.panes[number].show()
        self._linking = False

    def _settle(self) -> None:
        """Places and ranges of the plots that are there."""
        self._place()
        if self._kept is None:
            self.fit()
        else:
            self._set_range(None, *self._kept)

    def _grow(self) -> None:
        if self._due:
            self._show_next()
            self._place()
            if self._kept is None and not self._due:
                self.fit()
            else:
                self._set_range(None, *(self._kept or self.x_range()))
            self.grown.emit()
        if self._due:
            self._growing.soon()

    def _new_pane(self) -> Pane:
        pane = Pane(self.sheet)
        pane.scrubbed.connect(lambda x: self.scrubbed.emit(x / self._factor))
        pane.clicked.connect(lambda x: self.clicked.emit(pane.content.key, x / self._factor))
        pane.hovered.connect(self._on_hover)
        pane.range_changed.connect(self._on_range)
        pane.reset.connect(self.fit)
        pane.menu_asked.connect(lambda which, at: self.menu_asked.emit(which.content.key, at))
        return pane

    @property
    def count(self) -> int:
        """How many plots there are or will be in a moment."""
        return self._count

    @property
    def complete(self) -> bool:
        """Every plot is there."""
        return not self._due

    def finish(self) -> None:
        """Show what is still to come at once."""
        while self._due:
            self._grow()

    def contents(self) -> list[Chart]:
        """What is shown, in order."""
        self.finish()
        return [pane.content for pane in self.panes]

    def pane(self, key: str) -> Pane | None:
        """The plot of a key."""
        return next((pane for pane in self.panes if pane.content.key == key), None)

    # -- ranges

    def fit(self) -> None:
        """Show the whole ride and all values."""
        ends = [extent for pane in self.panes if (extent := pane.extent()) is not None]
        if not ends:
            return
        self._set_range(None, min(a for a, _ in ends), max(b for _, b in ends))
        for pane in self.panes:
            pane.fit_values()
        self._whole = True

    def fit_values(self) -> None:
        """Every plot's values to the stretch that is shown."""
        for pane in self.panes:
            pane.fit_values(pane.x_range())

    def x_range(self) -> tuple[float, float]:
        """The shown stretch, as drawn."""
        return self.panes[0].x_range() if self.panes else (0.0, 1.0)

    def stretch(self) -> tuple[float, float]:
        """The shown stretch of the abscissa (SI)."""
        x0, x1 = self.x_range()
        return x0 / self._factor, x1 / self._factor

    def show_stretch(self, x0: float, x1: float) -> None:
        """Zoom to a stretch of the abscissa (SI)."""
        self._set_range(None, x0 * self._factor, x1 * self._factor)
        self._whole = False

    def _on_range(self, pane: Pane, x0: float, x1: float) -> None:
        if not self._linking:
            self._whole = False
            self._set_range(pane, x0, x1)

    def _set_range(self, source: Pane | None, x0: float, x1: float) -> None:
        """The same range in every plot; pyqtgraph's own links shift it for plots that stand side by side."""
        self._linking = True
        for pane in self.panes:
            if pane is not source:
                pane.set_x_range(x0, x1)
        self._linking = False

    # -- cursor

    def set_cursor(self, x: float | None, time: float) -> None:
        """The time cursor at an abscissa (SI) with the values there; time (s) of the shown run."""
        self.set_cursor_line(x)
        self._write_values(x, time)

    def set_cursor_line(self, x: float | None) -> None:
        """The time cursor at an abscissa (SI); the values that are written stay."""
        shown = None if x is None else x * self._factor
        for pane in self.panes:
            pane.set_cursor(shown)

    def set_pointer(self, x: float | None, time: float) -> None:
        """The line under the mouse at an abscissa (SI), with the values there."""
        shown = None if x is None else x * self._factor
        for pane in self.panes:
            pane.set_pointer(shown)
        self._write_values(x, time)

    def _write_values(self, x: float | None, time: float) -> None:
        known: dict[int, float | None] = {}
        for pane in self.panes:
            values = []
            for curve in pane.content.curves:
                axis = curve.axis
                if id(axis) not in known:
                    known[id(axis)] = _time_on(axis, x, time)
                values.append(curve.at_time(known[id(axis)]))
            pane.readout.set_values(tuple(values))

    def _on_hover(self, x: float | None) -> None:
        self.pointed.emit(None if x is None else x / self._factor)

    # -- places

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Put the panes into rows of equal columns; the lowest of each column carries the numbers."""
        if not self.panes:
            return
        width, height = self.viewport().width(), self.viewport().height()
        count = max(self._count, len(self.panes))
        columns = columns_for(count, width, height)
        rows = -(-count // columns)
        least = rows * MIN_HEIGHT + AXIS_HEIGHT
        if height < least:  # a scroll bar will stand there
            width = self.maximumViewportSize().width() - self.verticalScrollBar().sizeHint().width()
            height = least
        wide = (width - (columns - 1) * GAP) // columns
        tall = (height - AXIS_HEIGHT) // rows
        for k, pane in enumerate(self.panes):
            row, column = k // columns, k % columns
            bottom = k + columns >= count
            extra = AXIS_HEIGHT if bottom else 0
            pane.set_bottom(bottom)
            pane.setGeometry(QRect(column * (wide + GAP), row * tall, wide, tall + extra))
        self.sheet.resize(width, height)

    def restyle(self) -> None:
        for pane in self.panes:
            pane.restyle()

    def sizeHint(self) -> QSize:
        return QSize(640, 240)


def _time_on(axis: Abscissa | None, x: float | None, time: float) -> float | None:
    """Time (s) on the clock of a curve's run for the cursor."""
    if x is None:
        return None
    return time if axis is None or axis.kind == "time" else axis.time_of(x, time)
