"""Whether a run can be trusted: where its energy went, and how far its constraints were off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..results.results import Results
from .chart import Axis, Chart, Level
from .recipe import Recipe, Source

HELD = ("kinetic", "potential")
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
SMALLEST = float(np.finfo(float).eps)  # zero cannot be drawn on a logarithmic axis
LARGEST = "largest of all rows"


def quality_recipes(runs: Sequence[Results], gaps: tuple[float, float] | None = None) -> tuple[Recipe, ...]:
    """Energy held, exchanged, what the ledger is off, and constraint violations of position and velocity.

    Parameters
    ----------
    runs
        Whose quality is shown.
    gaps
        Those allowed of position (m or rad) and velocity (m/s or rad/s); None where they are not drawn.

    Returns
    -------
    The recipes. Terms of the ledger that stay zero in all runs are left out.
    """
    used = [name for name in TERMS if any(np.any(getattr(run.energy, name) != 0.0) for run in runs)]
    whole = "Of the whole train with its riders. Potential energy counts from the start."
    allowed = [()] * 2 if gaps is None else [(Level(gap, "allowed"),) for gap in gaps]
    return (
        _ledger("energy", "Energy held", [name for name in used if name in HELD], whole),
        _ledger("exchange", "Energy exchanged", [name for name in used if name not in HELD], whole),
        replace(
            _ledger("residual", "Ledger residual", [], ""),
            sources=(Source("energy/residual"),),
            note="What the numerics gained or lost. It should stay small beside the energies.",
        ),
        Recipe(
            "position",
            "Gaps",
            "m or rad",
            (Source("violations/joints", 0, "joints"), Source("violations/guides", 0, "wheels")),
            "|Φ|",
            log=True,
            levels=allowed[0],
            note="Largest gap of all joints, and of all wheels from their rails (m or rad).",
        ),
        Recipe(
            "velocity",
            "Gap speed",
            "m/s or rad/s",
            (Source("violations/velocity"),),
            "|dΦ/dt|",
            log=True,
            levels=allowed[1],
            note="Largest speed with which a gap opens, all joints and wheels (m/s or rad/s).",
        ),
    )


def _ledger(key: str, title: str, names: Sequence[str], note: str) -> Recipe:
    return Recipe(
        key, title, "J", tuple(Source(f"energy/{name}", 0, TERMS[name]) for name in names), "E", note=note
    )


def residual_ratio(chart: Chart, reference: float, reference_is: str, power: int) -> Chart:
    """The ledger residual over an energy (J) in powers of ten, with what the energy is."""
    size = (reference or 1.0) * 10.0**power
    curves = tuple(replace(curve, values=curve.values / size) for curve in chart.curves)
    return replace(chart, title=f"Ledger residual over {reference_is}", y=Axis("ratio", "1"), curves=curves)
