"""The dialog of measured rides: what was found in the file, what may be changed, and the record in rider axes."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from ...core.base.errors import InputError
from ...core.charts.abscissa import Abscissa
from ...core.charts.chart import ACCENT, GOOD, WARN, Colour, Curve, Span, over_time
from ...core.injury.history import History
from ..document.document import Document
from ..document.measured_ride import measured_run
from ..document.runs import Measured, Run
from ..plots.plot_grid import PlotGrid
from ..widgets import theme, units
from ..widgets.window_size import resize_on_screen
from ..work.task import Task
from .choices import Choices
from .reading import Prepared, prepare

AXES = (("gz", "Gz up", 2), ("gy", "Gy left", 1), ("gx", "Gx forward", 0))
OWN = "Measured/Rider"  # who wore it, when the project has no rider


class MeasuredDialog(QDialog):
    """Asks how a record is to be read and shows what comes out; `made` is the run once it was accepted."""

    def __init__(self, path: Path, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Measured ride: {path.name}")
        resize_on_screen(self, 980, 680)
        self.document = document
        self.made: Run | None = None
        self.prepared: Prepared | None = None
        shown = document.current_run
        runs = [run for run in document.runs if run.measured is None and run.results.names.riders]
        runs.sort(key=lambda run: run is not shown)
        self.choices = Choices(path, tuple(runs), riders_of(document))
        self.choices.changed.connect(self.refresh)
        self.grid = PlotGrid()
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.add = self.buttons.addButton("Add to the runs", QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self._work = Task("measured ride", lambda asked, _reporter: prepare(asked))
        self._work.finished.connect(self._on_prepared)
        self.finished.connect(lambda _code: self._work.close())
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._ask)
        self.refresh()

    def _lay_out(self) -> None:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(self.choices)
        area.setMinimumWidth(390)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.grid, 1)
        right.addWidget(self.about)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(area)
        row.addLayout(right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(row, 1)
        column.addWidget(self.buttons)

    def refresh(self) -> None:
        """Read again with the choices as they are, once the events of now are through."""
        self.add.setEnabled(False)
        self._later.start()

    def _ask(self) -> None:
        try:
            asked = self.choices.asked()
        except InputError as error:
            self._show_fault(units.told(error))
            return
        if self.prepared is None:
            self.about.setText("Reading…")
        self._work.ask(asked)

    def _on_prepared(self, prepared: Prepared) -> None:
        self.prepared = prepared
        if prepared.history is None:
            self._show_fault(prepared.fault)
            if prepared.raw is not None:  # to see where it rests
                self._draw(prepared, prepared.raw, "sensor ")
            return
        self._draw(prepared, prepared.history)
        self.about.setText(about_record(prepared, prepared.history))
        self.add.setEnabled(True)

    def _show_fault(self, text: str) -> None:
        self.grid.set_contents([], 1.0, "s", None)
        self.about.setText(f"<span style='color:{theme.current().bad}'>{escape(text)}</span>")
        self.add.setEnabled(False)

    def _draw(self, prepared: Prepared, history: History, axes: str = "") -> None:
        values = np.ascontiguousarray(history.acceleration.T)
        axis = Abscissa("time", history.time, None)
        mounting = prepared.asked.mounting
        spans = [] if mounting.rest is None else [Span(*mounting.rest, GOOD)]
        if prepared.rests is not None:
            chosen = prepared.rests.chosen
            spans += [
                Span(rest.start, rest.end, GOOD if rest is chosen else WARN)
                for rest in prepared.rests.candidates
            ]
        if mounting.push is not None:
            spans.append(Span(*mounting.push, ACCENT))
        contents = [
            over_time(
                key,
                f"{axes}{'xyz'[column]}" if axes else title,
                "g",
                [Curve.over(axis, "", history.time, values[column], Colour("series", k), "measured")],
                spans=spans,
                note="Green: at rest. Yellow: as quiet. Orange: the launch or brake that shows forward.",
            )
            for k, (key, title, column) in enumerate(AXES)
        ]
        self.grid.set_contents(contents, 1.0, "s", prepared.asked.reading)

    def accept(self) -> None:
        prepared = self.prepared
        if prepared is None or prepared.history is None:
            return
        match = prepared.match
        asked = prepared.asked
        ride = Measured(
            file=asked.reading.path.name,
            history=prepared.history,
            rider=asked.rider,
            part=asked.part,
            offset=0.0 if match is None else match.offset,
            match="" if match is None else match.quality,
        )
        self.made = measured_run(asked.reading.path.stem, ride, self.document.project)
        super().accept()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.add.setDefault(True)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._work.close()
        super().closeEvent(event)


def riders_of(document: Document) -> tuple[str, ...]:
    """Who may have worn the sensor: the riders of the shown run or of the project."""
    run = document.current_run
    if run is not None and run.measured is None and run.results.names.riders:
        return tuple(run.results.names.riders)
    top = document.project.assembly
    return tuple(() if top is None else top.with_role("rider")) or (OWN,)


def about_record(prepared: Prepared, history: History) -> str:
    """What was found in the file and done to it, and how it lies on the run."""
    muted = theme.current().muted
    lines = [
        f"<b>{history.duration:.1f} s at {history.sample_rate:.6g} Hz</b> &nbsp; {escape(prepared.columns)}",
        f"<span style='color:{muted}'>{escape(' '.join(history.notes))}</span>",
    ]
    match = prepared.match
    if match is not None and prepared.asked.over is not None:
        offset = f"{match.offset:+.2f} s".replace("-", "−")
        lines.append(
            f"Lies on {escape(prepared.asked.over.name)} with measured time {offset}: <b>{match.quality}</b> match "
            f"(correlation {match.correlation:.2f}, elsewhere {match.second:.2f})."
        )
    elif prepared.doubt:
        lines.append(f"Not laid over the run: {escape(prepared.doubt)}")
    return "<br>".join(lines)
