"""What a run that has ended says against its own numbers: energy that the numerics made or lost, joints that open."""

from __future__ import annotations

from typing import Literal

import numpy as np

from core.base.frozen import Frozen
from core.project.scenario import SolverSettings
from core.results.results import Results, first_car_at

ENERGY = 0.01  # share of the energy that is converted; more than that is seen in speeds and loads
ROUNDING = 1e-9  # of the stored energy, of which less is nothing
OPEN = 1e-4  # m or rad; what a drawing is exact to


class RunFinding(Frozen):
    """One sentence on why figures of a run may not be trusted, from an instant (s) and a place (m) on."""

    kind: Literal["energy", "constraints"]
    message: str
    time: float
    arc_length: float | None = None


def check_run(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    """Findings against a run with these settings: its energy ledger and its constraints."""
    return (*_energy(results, settings), *_constraints(results, settings))


def _energy(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    ledger, time = results.energy, results.states.time
    if len(time) < 2:
        return ()
    stored = ledger.potential + ledger.elastic
    changing = (stored, ledger.dissipated, ledger.drag, ledger.driven)
    converted = max(float(ledger.kinetic.max()), *(float(np.ptp(values)) for values in changing))
    residual = ledger.residual
    worst = int(np.argmax(np.abs(residual)))
    size = abs(float(residual[worst]))
    if not size > max(ENERGY * converted, ROUNDING * float(np.abs(stored).max())):
        return ()
    word, share = "made" if residual[worst] > 0.0 else "lost", 100.0 * size / converted
    first = int(np.argmax(np.abs(residual) > ENERGY * converted))
    return (
        RunFinding(
            kind="energy",
            message=f"The numerics {word} {size:.3g} J until {time[worst]:.2f} s, {share:.2g} % of the energy at play;"
            f" {_cure(settings)}.",
            time=float(time[first]),
            arc_length=first_car_at(results, float(time[first])),
        ),
    )


def _constraints(results: Results, settings: SolverSettings) -> tuple[RunFinding, ...]:
    off, time = results.violations, results.states.time
    found = []
    for what, values in (("Joints", off.joints), ("Guides", off.guides)):
        if values.size and float(values.max()) > OPEN:
            worst, first = int(np.argmax(values)), int(np.argmax(values > OPEN))
            message = (
                f"{what} open by {values[worst]:.2g} (m or rad) at {time[worst]:.2f} s; {_cure(settings)}."
            )
            at = float(time[first])
            place = first_car_at(results, at)
            found.append(RunFinding(kind="constraints", message=message, time=at, arc_length=place))
    return tuple(found)


def _cure(settings: SolverSettings) -> str:
    """The way out, for the method that was used."""
    if settings.method == "generalized_alpha":
        return "take a smaller step" if settings.fixed_step else "take a smaller tolerance"
    step = "step" if settings.fixed_step else "tolerance"
    return f"take a smaller {step}, another stabilisation, or the program's own method (generalized_alpha)"
