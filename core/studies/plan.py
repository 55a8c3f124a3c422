"""From a plan to runs: one row of values a run, all at once and before any is made.

Values are numbers in the parameter's own unit; of a factor the number of its level. Samples come from scipy.stats.qmc,
scipy.stats and SALib, in the unit cube first, and go through the inverse distribution of each parameter, so that the
same study gives the same rows wherever and however often it is planned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from .requirements import needed
from .study import Parameter, Plan, Study

MANY = 1_000_000  # runs that nobody plans without saying so
MAX_NUMBERS = 50_000_000  # numbers of all runs together, which are held in memory several times


def run_count(study: Study) -> int:
    """How many runs the plan of a study makes, before anything is made of it."""
    plan, parameters = study.plan, study.parameters
    if plan.kind == "list":
        return len(plan.rows)
    if not parameters:
        return 0
    if plan.kind == "grid":
        return math.prod(len(p.levels) or len(p.values) or plan.steps for p in parameters)
    return plan.runs * (len(parameters) + 2) if plan.kind == "saltelli" else plan.runs


def planned(study: Study, *, yes: bool = False) -> Array:
    """The runs of a study: values (n, parameters), one row a run.

    yes: more than a million runs are meant. Raises InputError for an empty plan, for too many runs, for rows of a list
    that do not fit, and where the plan needs a library that is not installed.
    """
    count = run_count(study)
    if count == 0:
        raise InputError(f"{study.name}: the plan is empty; give it parameters and runs, or rows.")
    if count > MANY and not yes:
        raise InputError(
            f"{study.name}: the plan makes {count:,} runs, more than {MANY:,}; take fewer steps or runs, or say --yes."
        )
    if count * len(study.parameters) > MAX_NUMBERS:
        raise InputError(
            f"{study.name}: {count:,} runs of {len(study.parameters)} parameters are more than can be planned at once"
            f" ({MAX_NUMBERS:,} numbers); take fewer steps or runs, or several studies."
        )
    if study.plan.kind == "list":
        return _listed(study)
    if study.plan.kind == "grid":
        axes = [_axis(parameter, study.plan.steps) for parameter in study.parameters]
        return np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], axis=1)
    cube = _cube(study.plan, len(study.parameters), study.name)
    return np.stack([quantile(p, cube[:, k]) for k, p in enumerate(study.parameters)], axis=1)


def _axis(parameter: Parameter, steps: int) -> Array:
    if parameter.levels:
        return np.arange(len(parameter.levels), dtype=np.float64)
    if parameter.values:
        return np.array(parameter.values, dtype=np.float64)
    low, high = bounds(parameter)
    return np.linspace(low, high, steps)


def bounds(parameter: Parameter) -> tuple[float, float]:
    """Lower and upper bound of a parameter, of a factor those of its level numbers. Raises InputError without any."""
    if parameter.levels:
        return 0.0, float(len(parameter.levels) - 1)
    if parameter.values:
        return min(parameter.values), max(parameter.values)
    if parameter.low is None or parameter.high is None:
        raise InputError(f"Parameter '{parameter.name}' has no bounds; give low and high.")
    return parameter.low, parameter.high


def _listed(study: Study) -> Array:
    rows = [_row(study, k, row) for k, row in enumerate(study.plan.rows)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(study.parameters))


def _row(study: Study, number: int, row: Sequence[float | str]) -> list[float]:
    where = f"{study.name}: plan.rows.{number}"
    if len(row) != len(study.parameters):
        raise InputError(
            f"{where}: has {len(row)} entries, but there are {len(study.parameters)} parameters."
        )
    out = []
    for parameter, entry in zip(study.parameters, row, strict=True):
        labels = [level.label for level in parameter.levels]
        if labels and entry not in labels:
            raise InputError(
                f"{where}: '{entry}' is no level of '{parameter.name}'; it has {', '.join(labels)}."
            )
        if not labels and isinstance(entry, str):
            raise InputError(f"{where}: '{entry}' is no number for '{parameter.name}'.")
        out.append(float(labels.index(str(entry))) if labels else float(entry))
    return out


def _cube(plan: Plan, parameters: int, name: str) -> Array:
    """Points (n, parameters) in the unit cube."""
    from scipy.stats import qmc

    if plan.kind == "monte_carlo":
        return np.random.default_rng(plan.seed).random((plan.runs, parameters))
    if plan.kind == "latin_hypercube":
        return np.asarray(qmc.LatinHypercube(parameters, rng=plan.seed).random(plan.runs))
    if plan.runs & (plan.runs - 1):
        near = 2 ** round(math.log2(plan.runs))
        raise InputError(
            f"{name}: a {plan.kind} plan keeps its balance for powers of two only; take {near} instead of"
            f" {plan.runs} runs."
        )
    if plan.kind == "sobol":
        return np.asarray(qmc.Sobol(parameters, rng=plan.seed).random(plan.runs))
    needed("SALib")
    from SALib.sample.sobol import sample

    problem = unit_problem([f"x{k}" for k in range(parameters)])
    return np.asarray(sample(problem, plan.runs, calc_second_order=False, seed=plan.seed % 2**32))


def unit_problem(names: Sequence[str]) -> dict[str, Any]:
    """Parameters between 0 and 1, as SALib has them."""
    return {"num_vars": len(names), "names": list(names), "bounds": [[0.0, 1.0]] * len(names)}


def quantile(parameter: Parameter, part: Array) -> Array:
    """Values of a parameter below which a part (n,) in [0, 1) of its distribution lies."""
    if parameter.levels:
        weights = np.array([level.weight for level in parameter.levels])
        at = np.searchsorted(np.cumsum(weights) / weights.sum(), part, side="right")
        return np.minimum(at, len(weights) - 1).astype(np.float64)
    if parameter.values:
        values = np.array(parameter.values, dtype=np.float64)
        return np.asarray(values[np.minimum((part * len(values)).astype(np.int64), len(values) - 1)])
    if parameter.distribution == "uniform":
        low, high = bounds(parameter)
        return low + (high - low) * part
    if parameter.distribution == "triangular":
        return _triangular(parameter, part)
    return _bell(parameter, part)


def _triangular(parameter: Parameter, part: Array) -> Array:
    from scipy.stats import triang

    low, high = bounds(parameter)
    peak = 0.5 * (low + high) if parameter.mean is None else parameter.mean
    return np.asarray(triang.ppf(part, (peak - low) / (high - low), loc=low, scale=high - low))


def _bell(parameter: Parameter, part: Array) -> Array:
    """Normal, or lognormal with its median and the standard deviation of the logarithm; cut off at the bounds."""
    from scipy.stats import norm

    assert parameter.mean is not None
    assert parameter.deviation is not None
    deviation = parameter.deviation
    log = parameter.distribution == "lognormal"
    centre = math.log(parameter.mean) if log else parameter.mean

    def below(bound: float | None, none: float) -> float:
        if bound is None:
            return none
        if log and bound <= 0.0:
            return 0.0
        at = math.log(bound) if log else bound
        return float(norm.cdf(at, centre, deviation))

    first, last = below(parameter.low, 0.0), below(parameter.high, 1.0)
    # open at both ends: the first point of a sequence may be 0, which has no finite value
    inside = np.clip(first + (last - first) * part, np.finfo(float).tiny, 1.0 - np.finfo(float).epsneg)
    found = norm.ppf(inside, centre, deviation)
    return np.asarray(np.exp(found) if log else found)
