"""Forces, extensions and angles of the couplings of a run, and where they are largest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QScrollArea, QWidget

from ...core.charts.chart import Chart
from ...core.charts.couplings import CouplingForces, coupling_names, coupling_recipes
from ..document.document import Selection
from ..document.runs import Run
from ..widgets import units
from ..widgets.turning_splitter import TurningSplitter
from .coupler_chart import CouplerChart
from .plot_panel import PlotPanel

WIDE = 900  # px from which the chart, which is cut below 420, has room beside the curves


class CouplersPanel(PlotPanel):
    """Couplings of the shown run by number, and their curves under the cursor."""

    name = "couplers"
    empty_text = (
        "Forces of the couplings are drawn here: over number and place, and as curves. Join the cars in the"
        " project tree (Add) and press F5 to ride."
    )

    def fill_bar(self) -> None:
        self.bar.addWidget(self.said)

    def body(self) -> QWidget:
        self.chart = CouplerChart()
        self.chart.peak_chosen.connect(self._at_peak)
        self.chart.moment_chosen.connect(self._at_moment)
        self.playback.time_changed.connect(self.chart.show_time)
        area = QScrollArea()
        area.setWidget(self.chart)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        splitter = TurningSplitter(WIDE, above=0.45)
        splitter.addWidget(area)
        splitter.addWidget(self.grid)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([560, 620])
        return splitter

    def make_contents(self) -> Sequence[Chart]:
        run = self.runs[0]
        names = coupling_names(run.project, run.results)
        self._show_chart(run, names)
        return self.drawn(coupling_recipes(run.project, names)) if names else []

    def _show_chart(self, run: Run, names: tuple[str, ...]) -> None:
        if not names:
            self.chart.show_forces(None)
            self.said.setText("")
            return
        forces = CouplingForces.of(run.results, names)
        self.chart.show_forces(forces, self.axis(run))
        self.chart.show_time(self.playback.time)
        row, k = forces.largest()
        force = float(forces.force[row, k])
        kind = "tension" if force > 0.0 else "compression"
        self.said.setText(
            f"Largest: {units.text(abs(force), 'kN', decimals=1)} {kind} in {names[row]}"
            f" at {forces.time[k]:.2f} s"
        )

    def _at_moment(self, row: int, time: float) -> None:
        self.playback.seek(time)
        if self.chart.forces is not None:
            name = self.chart.forces.names[row]
            train = self.document.project.train
            if train is not None and any(c.name == name for c in train.couplings):
                self.document.select(Selection("coupling", (name,)))

    def _at_peak(self, row: int, time: float) -> None:
        """Be at the time and the place of the largest force."""
        self._at_moment(row, time)
        self.playback.show_peak(time)
        s = self._place(time)
        if s is not None:
            self.document.select(Selection("place", s=s))

    def _place(self, time: float) -> float | None:
        """Arc length (m) of the first car at a time (s)."""
        run = self.runs[0]
        cars = self.signals(run).cars
        channel = run.results.channels.get(f"car/{cars[0]}/arc_length") if cars else None
        return None if channel is None else float(np.interp(time, run.results.sample_time, channel.values))
