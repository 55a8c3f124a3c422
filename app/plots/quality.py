"""Whether a run can be trusted: where the energy went, and how far the constraints were off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..document.runs import Run
from ..widgets import units
from .curves import Level, PlotContent, number
from .plot_panel import PlotPanel, Source

LARGE = ("kinetic", "potential")
SMALL = ("elastic", "dissipated", "drag", "driven", "contact_elastic", "contact_loss", "friction_loss")
TERMS = {
    "kinetic": "kinetic",
    "potential": "potential",
    "elastic": "springs",
    "dissipated": "dampers",
    "drag": "drag",
    "driven": "drives",
    "contact_elastic": "in contacts",
    "contact_loss": "contacts",
    "friction_loss": "friction",
}


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

    def make_contents(self) -> Sequence[PlotContent]:
        self.said.setText(self.verdict(self.runs[0]))
        tolerance = self.runs[0].project.settings
        return [
            self._ledger("energy", "Energy held", LARGE),
            self._ledger("exchange", "Energy exchanged", SMALL),
            PlotContent(
                "residual",
                "Ledger residual",
                "J",
                self.curves([Source("energy/residual", 0, "")]),
                note="What the numerics gained or lost. It should stay small beside the energies.",
            ),
            PlotContent(
                "position",
                "Gaps",
                "m or rad",
                self.curves(
                    [
                        Source("violations/joints", 0, "joints"),
                        Source("violations/guides", 0, "wheels"),
                    ]
                ),
                log=True,
                levels=(Level(tolerance.gaps[0], "allowed"),),
                note="Largest gap of all joints, and of all wheels from their rails (m or rad).",
            ),
            PlotContent(
                "velocity",
                "Gap speed",
                "m/s or rad/s",
                self.curves([Source("violations/velocity", 0, "")]),
                log=True,
                levels=(Level(tolerance.gaps[1], "allowed"),),
                note="Largest speed with which a gap opens, all joints and wheels (m/s or rad/s).",
            ),
        ]

    def _ledger(self, key: str, title: str, terms: Sequence[str]) -> PlotContent:
        """Terms of the ledger; those that stay zero are left out."""
        active = [
            term
            for term in terms
            if any(np.any(getattr(run.results.energy, term) != 0.0) for run in self.runs)
        ]
        sources = [Source(f"energy/{term}", 0, TERMS[term]) for term in active]
        note = "Of the whole train with its riders. Potential energy counts from the start."
        return PlotContent(key, title, "J", self.curves(sources), note=note)

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
