"""What a study will take, told before it starts: its runs, and the time of one of them made here."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..base import host
from ..base.errors import InputError
from ..project.project import Project
from .one_run import Runner
from .plan import bounds, planned, run_count
from .study import Parameter, Study
from .vary import check_study

MIDDLE = 2  # the first run loads what the others have loaded already


@dataclass(frozen=True)
class Estimate:
    """runs; seconds of one run (s), NaN where none was made; workers; whole (s) of all on them, or NaN;
    ranges: lowest and highest value of each parameter in the plan as text; told: what the run made
    here said, where it was not finished."""

    runs: int
    seconds: float
    workers: int
    whole: float
    ranges: tuple[tuple[str, str], ...]
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; null for what nobody knows."""
        return {k: None if v != v else v for k, v in asdict(self).items()}


def estimate(
    study: Study, base: Project | None, workers: int | None = None, *, yes: bool = False
) -> Estimate:
    """Check a study, make one of its runs twice and say what all take.

    Parameters
    ----------
    study
        What is to be run.
    base
        The project it starts from, None for a study of a function.
    workers
        How many, by default one a processor.
    yes
        More than a million runs are meant.

    Returns
    -------
    The estimate.

    Raises
    ------
    InputError
        For a study that cannot be run.
    """
    check_study(study, base)
    many = workers or host.processors()
    if study.optimise is None:
        runs = run_count(study)
        values = planned(study, yes=yes)
        row = values[len(values) // 2]
        ranges = tuple(
            (p.shown(values[:, k].min()), p.shown(values[:, k].max())) for k, p in enumerate(study.parameters)
        )
    else:
        if not study.parameters:
            raise InputError(f"{study.name}: there is nothing to optimise; give it parameters with bounds.")
        runs = study.optimise.population * study.optimise.generations
        ends = [bounds(parameter) for parameter in study.parameters]
        row = np.array([_middle(p, *end) for p, end in zip(study.parameters, ends, strict=True)])
        ranges = tuple(
            (p.shown(low), p.shown(high)) for p, (low, high) in zip(study.parameters, ends, strict=True)
        )
    if study.ride == "function":
        note = f"A run is a call of '{study.function}', which is not made here: it is code of somebody else."
        return Estimate(runs, math.nan, many, math.nan, ranges, note)
    runner = Runner(study, base)
    seconds = 0.0
    for _ in range(MIDDLE):
        begin = time.perf_counter()
        outcome = runner.run(row)
        seconds = time.perf_counter() - begin
    note = "" if outcome.state == "done" else f"A run in the middle of the plan: {outcome.message}"
    return Estimate(runs, seconds, many, runs * seconds / min(many, runs), ranges, note)


def _middle(parameter: Parameter, low: float, high: float) -> float:
    return float(int(0.5 * (low + high))) if parameter.levels else 0.5 * (low + high)
