"""Answers from the table of a study: least margins, effects, Sobol indices, probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Array
from ..base.errors import InputError
from .one_run import MARGIN
from .plan import unit_problem
from .probability import LEVEL, interval_of
from .requirements import needed
from .store import Table
from .study import Parameter

BINS = 5  # of the range of a parameter without levels
RESAMPLES = 200  # of the bootstrap of indices
BALANCED = ("latin_hypercube", "sobol", "saltelli")


@dataclass(frozen=True)
class MinMargin:
    """The least margin of a criterion over all runs: its value and who it is on, the run, where (s, m) and when (s) in
    it; None where it has no place."""

    criterion: str
    margin: float
    value: float
    run: int
    who: str
    s: float | None
    time: float | None


def min_margins(table: Table, among: NDArray[np.bool_] | None = None) -> tuple[MinMargin, ...]:
    """For every criterion with a limit the run that governs, least margin first.

    among: whether each run counts; None: all do, those that ended early too.
    """
    out = []
    for name, every in table.numbers.items():
        margins = every if among is None else np.where(among, every, np.nan)
        criterion, dot, what = name.rpartition(".")
        if what != MARGIN or not dot or np.all(np.isnan(margins)):
            continue
        k = int(np.nanargmin(margins))
        at = [_at(table, f"{criterion}.{end}", k) for end in ("s", "time")]
        value = table.numbers[criterion][k]
        index = table.texts.get(criterion, ("",) * len(table))[k]
        out.append(MinMargin(criterion, float(margins[k]), float(value), int(table.run[k]), index, *at))
    return tuple(sorted(out, key=lambda one: one.margin))


def _at(table: Table, name: str, k: int) -> float | None:
    values = table.numbers.get(name)
    return None if values is None or np.isnan(values[k]) else float(values[k])


@dataclass(frozen=True)
class Effect:
    """The mean of a response over the runs at each level of a parameter, or in each of equal parts of its range: at,
    labels of the levels or middles of the parts; place, their values in the parameter's unit (numbers of the levels);
    mean and standard error of the mean (None for a single run); size, the largest mean less the smallest."""

    parameter: str
    at: tuple[str, ...]
    place: tuple[float, ...]
    mean: tuple[float, ...]
    error: tuple[float | None, ...]
    runs: tuple[int, ...]

    @property
    def size(self) -> float:
        return max(self.mean) - min(self.mean)


def main_effects(table: Table, response: str) -> tuple[Effect, ...]:
    """The main effect of every parameter on a kept number.

    Parameters
    ----------
    table
        Of a study's runs.
    response
        The number.

    Returns
    -------
    The effects, largest first.

    Raises
    ------
    InputError
        Without runs of it.
    """
    y = table.named(response)
    there = ~np.isnan(y)
    if there.sum() < 2:
        raise InputError(f"{table.study.name}: fewer than two runs have '{response}'; an effect needs more.")
    found = [
        _effect(parameter, table.values[there, k], y[there])
        for k, parameter in enumerate(table.study.parameters)
    ]
    return tuple(sorted(found, key=lambda effect: -effect.size))


def _effect(parameter: Parameter, x: Array, y: Array) -> Effect:
    distinct = np.unique(x)
    if parameter.levels or len(distinct) <= 2 * BINS:
        groups = [(parameter.shown(value), float(value), y[x == value]) for value in distinct]
    else:
        edges = np.linspace(x.min(), x.max(), BINS + 1)
        bin_of = np.clip(np.searchsorted(edges, x, side="right") - 1, 0, BINS - 1)
        middles = 0.5 * (edges[1:] + edges[:-1])
        groups = [
            (f"{middles[b]:.4g}", float(middles[b]), y[bin_of == b])
            for b in range(BINS)
            if np.any(bin_of == b)
        ]
    return Effect(
        parameter.name,
        tuple(label for label, _, _ in groups),
        tuple(position for _, position, _ in groups),
        tuple(float(part.mean()) for _, _, part in groups),
        tuple(
            float(part.std(ddof=1) / np.sqrt(len(part))) if len(part) > 1 else None for _, _, part in groups
        ),
        tuple(len(part) for _, _, part in groups),
    )


@dataclass(frozen=True)
class SobolIndex:
    """First-order and total index of a parameter, each with the half width of its 95 % interval."""

    parameter: str
    first: float
    first_half: float
    total: float
    total_half: float


@dataclass(frozen=True)
class SobolIndices:
    """Indices of all parameters in their order; blocks: sets of runs that were used, of how many."""

    response: str
    indices: tuple[SobolIndex, ...]
    blocks: int
    of: int


def sobol_indices(table: Table, response: str) -> SobolIndices:
    """Sobol indices of a kept number from the runs of Saltelli's plan, with intervals by bootstrap.

    Sets of runs of which one has no such number are left out whole. Estimators: Saltelli et al. 2010, Comput. Phys.
    Commun. 181:259, as in SALib. Raises InputError for runs of another plan, and where too few sets are whole.
    """
    study = table.study
    if study.plan.kind != "saltelli":
        raise InputError(
            f'{study.name}: Sobol indices need runs of Saltelli\'s plan; set plan.kind = "saltelli" and run it again.'
        )
    needed("SALib")
    from SALib.analyze.sobol import analyze

    count = len(study.parameters)
    y = np.full(study.plan.runs * (count + 2), np.nan)
    y[table.run] = table.named(response)
    blocks = y.reshape(-1, count + 2)
    whole = blocks[~np.isnan(blocks).any(axis=1)]
    if len(whole) < 8:
        raise InputError(
            f"{study.name}: only {len(whole)} of {len(blocks)} sets of runs have '{response}' in all their runs; Sobol"
            " indices need eight at least."
        )
    if np.ptp(whole) == 0.0:
        raise InputError(
            f"{study.name}: '{response}' is the same in all runs; nothing has a share in its variance."
        )
    found = analyze(
        unit_problem([p.name for p in study.parameters]),
        whole.ravel(),
        calc_second_order=False,
        num_resamples=RESAMPLES,
        conf_level=LEVEL,
        seed=study.plan.seed % 2**32,
    )
    indices = tuple(
        SobolIndex(
            parameter.name,
            *(float(found[key][k]) for key in ("S1", "S1_conf", "ST", "ST_conf")),
        )
        for k, parameter in enumerate(study.parameters)
    )
    return SobolIndices(response, indices, len(whole), len(blocks))


@dataclass(frozen=True)
class Chance:
    """The probability that a kept number lies above (or below) a level: count of judged runs, the interval at 95 %,
    what was left out, and what it assumes."""

    response: str
    level: float
    above: bool
    count: int
    judged: int
    low: float
    high: float
    left_out: int
    assumptions: tuple[str, ...]

    @property
    def probability(self) -> float:
        return self.count / self.judged


def chance(table: Table, response: str = MARGIN, level: float = 0.0, *, above: bool = False) -> Chance:
    """Probability that a kept number lies below (or above) a level; by default that some limit is exceeded.

    Interval of Clopper and Pearson for independent draws; samples with better balance than these give the same
    probability with less scatter, so that it is then on the safe side. Raises InputError for grids and lists, which are
    drawn from nothing, and without a run that has the number.
    """
    plan = table.study.plan
    if plan.kind in ("grid", "list"):
        raise InputError(
            f"{table.study.name}: the runs of a {plan.kind} are drawn from no distribution, so that they have no"
            ' probability; use plan.kind = "monte_carlo".'
        )
    if plan.kind == "saltelli":
        raise InputError(
            f'{table.study.name}: the runs of Saltelli\'s plan depend on one another; use plan.kind = "monte_carlo".'
        )
    values = table.named(response)
    there = ~np.isnan(values) & table.is_state("done")
    judged = int(there.sum())
    if judged == 0:
        raise InputError(f"{table.study.name}: no run that was finished has '{response}'.")
    beyond = values[there] > level if above else values[there] < level
    count, left_out = int(beyond.sum()), len(table) - judged
    low, high = interval_of(count, judged)
    assumptions = ["the parameters vary independently and as the study says"]
    if plan.kind in BALANCED:
        assumptions.append(f"the interval is that of independent draws; those of a {plan.kind} scatter less")
    if left_out:
        assumptions.append(f"{left_out} of {len(table)} runs failed or ended early and are not counted")
    return Chance(response, level, above, count, judged, low, high, left_out, tuple(assumptions))
