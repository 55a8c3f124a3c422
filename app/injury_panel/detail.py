"""The picture and the words of one criterion: its window on the signal, or its g-duration chart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from app import theme
from app.injury_panel.duration_chart import DurationChart, HeldCurve
from app.injury_panel.judged import Row, held, trace
from app.injury_panel.table import title_text, value_text, verdict_colour
from app.plots.abscissa import Abscissa
from app.plots.curves import Curve, Level, PlotContent, Span
from app.plots.plot_grid import PlotGrid
from app.plots.signals import in_words
from app.runs import Run
from core.errors import InputError

AROUND = 8.0  # window lengths shown before and after, within the two below
ROOM = 280  # px of height from which the small print is shown
LEAST, MOST = 0.4, 4.0  # s


class Detail(QWidget):
    """Shows one row of the table. scrubbed carries a time (s) that was clicked in the picture."""

    scrubbed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = PlotGrid()
        self.grid.scrubbed.connect(self.scrubbed)
        self.grid.pointed.connect(self._on_point)
        self.chart = DurationChart()
        self.fault = QLabel()
        self.fault.setWordWrap(True)
        self.fault.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.fault.setProperty("role", "muted")
        self.pages = QStackedWidget()
        for page in (self.fault, self.grid, self.chart):
            self.pages.addWidget(page)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.RichText)
        self.words.setMargin(8)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 8, 4)
        column.setSpacing(4)
        column.addWidget(self.pages, 1)
        column.addWidget(self.words)
        self._row: Row | None = None
        self._runs: tuple[Run, ...] = ()
        self._time = 0.0

    def show_row(self, row: Row | None, runs: Sequence[Run]) -> None:
        """Show a criterion for the shown run and those compared with it."""
        self._row, self._runs = row, tuple(runs)
        if row is None or not runs:
            self.fault.setText("Choose a criterion in the table: its window on the signal is drawn here.")
            self.pages.setCurrentWidget(self.fault)
            self._say()
            return
        self._say()
        try:
            if row.key.criterion.startswith("sustained_"):
                self._show_held(row)
            else:
                self._show_signal(row)
        except InputError as error:
            self.fault.setText(str(error))
            self.pages.setCurrentWidget(self.fault)

    def _say(self) -> None:
        """The sentence, and the small print where there is room for it; it is in the tool tip in any case."""
        if self._row is None:
            self.words.clear()
            return
        sentence, small = _words(self._row)
        self.words.setText(f"{sentence}<br>{small}" if self.height() >= ROOM else sentence)
        self.words.setToolTip(small)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if (event.oldSize().height() >= ROOM) != (self.height() >= ROOM):
            self._say()

    def _colour(self, run: Run) -> str:
        series = theme.current().series
        return series[run.colour % len(series)]

    def _show_held(self, row: Row) -> None:
        curves = []
        for run in self._runs:
            try:
                curves.append(HeldCurve(run.name, self._colour(run), held(run.results, row.key)))
            except InputError:
                if run is self._runs[0]:
                    raise
        self.chart.set_curves(curves)
        self.pages.setCurrentWidget(self.chart)

    def _show_signal(self, row: Row) -> None:
        curves = []
        title = unit = ""
        for run in self._runs:
            try:
                found = trace(run.results, row.key, row.result)
            except InputError:
                if run is self._runs[0]:
                    raise
                continue
            axis = Abscissa("time", found.time, None)
            curves.append(
                Curve("", run.name, found.time, np.ascontiguousarray(found.values), axis, self._colour(run))
            )
            title, unit = title or found.title, unit or found.unit
        window = row.result.time
        spans = [] if window is None else [Span(*window, theme.current().accent)]
        levels = []
        if row.key.criterion.startswith(("clip_3ms", "symptoms_")) and row.result.value is not None:
            levels = [Level(row.result.value, f"held {value_text(row.result.value, row.result.unit)}")]
        content = PlotContent("trace", title, unit, curves, levels=levels, spans=spans)
        self.grid.set_contents([content], 1.0, "s", (row.key, id(self._runs[0])))
        self.pages.setCurrentWidget(self.grid)
        if window is not None:
            self._zoom(window)
        self.set_time(self._time)

    def _zoom(self, window: tuple[float, float]) -> None:
        middle = 0.5 * (window[0] + window[1])
        half = min(MOST, max(LEAST, AROUND * (window[1] - window[0]), 0.75 * (window[1] - window[0]) + LEAST))
        half = max(half, 0.6 * (window[1] - window[0]))
        self.grid.show_stretch(middle - half, middle + half)
        self.grid.fit_values()

    def set_time(self, time: float) -> None:
        """Move the time cursor."""
        self._time = time
        if self.pages.currentWidget() is self.grid:
            self.grid.set_cursor(time, time)

    def _on_point(self, x: float | None) -> None:
        if x is None:
            self.grid.set_pointer(None, 0.0)
            self.set_time(self._time)
        else:
            self.grid.set_pointer(x, x)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_time"):
            self.grid.restyle()
            self.show_row(self._row, self._runs)


def _words(row: Row) -> tuple[str, str]:
    """What the result says in a sentence, and what it was taken from in smaller print."""
    result = row.result
    muted = theme.current().muted
    whom = f"{row.key.part.replace('_', ' ')} of {in_words(row.key.rider)}"
    first = f"<b>{title_text(result.title)}</b>, {whom}: "
    if result.value is None:
        return f"{first}{result.note}.", ""
    first += f"<b>{value_text(result.value, result.unit)}</b>"
    if result.limit is not None:
        colour = verdict_colour(result.verdict)
        first += (
            f" of {value_text(result.limit, result.unit)}, "
            f"<span style='color:{colour}'>{result.verdict}</span> (confidence {result.confidence})"
        )
    if row.other is not None and row.other.value is not None:
        first += f"; compared run {value_text(row.other.value, result.unit)}"
    signal = result.signal
    through = "as computed" if signal.filter == "none" else f"through {signal.filter}"
    small = [f"{through}, gravity {signal.gravity}, {signal.sample_rate:.0f} samples/s"]
    small += [text for text in (result.note, result.limit_source) if text]
    sentences = ". ".join(text[:1].upper() + text[1:] for text in small)
    return f"{first}.", f"<span style='color:{muted}'>{sentences}.</span>"
