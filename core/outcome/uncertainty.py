"""How far the values of a run depend on the tolerance of its integration: the ride once more, less exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ..base.errors import InputError
from ..project.project import Project
from ..project.scenario import SolverSettings
from ..results.results import Results
from ..run.simulate import simulate
from .origin.sensitivity import at_limit
from .rider_view import Judgement
from .seats import judge_run

#: Uncertainty of a value, in its unit, by rider, part and criterion (`RiderJudgement.key`).
Uncertainty = Mapping[tuple[str, str, str], float]
COARSER = 10.0
LARGEST_TOLERANCE = 0.1
LARGEST_STEP = 0.1  # s


def coarser(settings: SolverSettings) -> SolverSettings:
    """The settings with ten times the tolerances, and half the step of a method with a fixed one, which may have no
    larger step to give."""
    step = settings.fixed_step
    return settings.model_copy(
        update={
            # A step at its largest does not follow the tolerance: it grows as the others do, second order in the step.
            "max_step": min(COARSER ** (1.0 / 3.0) * settings.max_step, LARGEST_STEP),
            "tolerance": min(COARSER * settings.tolerance, LARGEST_TOLERANCE),
            "relative_tolerance": min(COARSER * settings.relative_tolerance, LARGEST_TOLERANCE),
            "absolute_tolerance": min(COARSER * settings.absolute_tolerance, LARGEST_TOLERANCE),
            "fixed_step": None if step is None else 0.5 * step,
        }
    )


def uncertainty(
    project: Project,
    results: Results,
    judgement: Judgement,
    *,
    should_stop: Callable[[], bool] | None = None,
) -> Uncertainty:
    """Change of every value when the ride is computed again at ten times the tolerance.

    project and results: of the run; judgement: its rows, judged by project.evaluation. A method of second order gains
    a factor of several from one to the other, so that the change is about the error of the second ride and more
    than that of the run. Empty for a run that was not complete, has no riders, or cannot be computed so coarsely;
    a value that only one of both rides has is left out.
    """
    if not results.status.complete or not judgement.rows:
        return {}
    scenario = project.scenario
    end = float(results.states.time[-1])
    again = project.model_copy(
        update={
            "settings": coarser(project.settings),
            "scenario": scenario.model_copy(update={"duration": end}),
        }
    )
    try:
        second = simulate(again, should_stop=should_stop)
        if not second.status.complete:
            return {}
        there = {row.key: row.result for row in judge_run(second, project.evaluation).rows}
    except InputError:
        return {}
    found = {}
    for row in judgement.rows:
        other = there.get(row.key)
        if row.result.value is None or other is None or other.value is None:
            continue
        change = abs(at_limit(other, row.result.limit) - row.result.value)
        if np.isfinite(change):
            found[row.key] = change
    return found
