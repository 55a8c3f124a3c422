"""Whether a run can be trusted: where the energy went, and how far the constraints were off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.charts.chart import Chart
from ...core.charts.quality import quality_recipes
from ..document.runs import Run
from ..widgets import units
from .curves import number
from .plot_panel import PlotPanel


class QualityPanel(PlotPanel):
    """Energy ledger and constraint violations of the shown runs."""

    name = "quality"
    empty_text = (
        "The energy ledger and the constraint violations of a run are drawn here: they show whether its numbers "
        "can be trusted. Press F5 to ride."
    )

    def fill_bar(self) -> None:
        self.said.setToolTip("Size of the ledger residual beside the energy of motion, and the largest gaps")
        self.bar.addWidget(self.said)

    def make_contents(self) -> Sequence[Chart]:
        self.said.setText(self.verdict(self.runs[0]))
        gaps = self.runs[0].project.settings.gaps
        return self.drawn(quality_recipes([run.results for run in self.runs], gaps))

    @staticmethod
    def verdict(run: Run) -> str:
        """The figures of a run in one line."""
        ledger, off = run.results.energy, run.results.violations
        if not len(ledger.kinetic):
            return "The run stored nothing."
        reference = float(np.max(ledger.kinetic))
        worst = float(np.max(np.abs(ledger.residual)))
        drift = f"Ledger closes to {number(worst / reference, log=True)} of the largest kinetic energy"
        if reference <= 0.0:
            drift = "Nothing moves"
        gap = max(
            float(np.max(np.abs(off.joints), initial=0.0)), float(np.max(np.abs(off.guides), initial=0.0))
        )
        factor = 1.0 / units.shown("m").size
        return f"{drift};  largest gap {number(gap * factor, log=True)} {units.label('m')}"
