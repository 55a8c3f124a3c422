"""The best designs of a search: goals and constraints of its runs as numbers, and the runs that no other one beats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Array, Integers
from .number_titles import number_title
from .one_run import beyond
from .store import Table
from .study import Bound, Goal, Optimisation

BAD = 1e12  # goal of a design that could not be ridden
MISSING = 1e6  # how far a number that there is not lies beyond its bound


@dataclass(frozen=True)
class Design:
    """A run by its number, its values in the parameters' units and its goals as kept, not turned round."""

    run: int
    values: tuple[float, ...]
    goals: tuple[float, ...]


@dataclass(frozen=True)
class Front:
    """The best designs, in the order of their runs: none of them is better than another in every goal; a single goal
    leaves one.

    made: designs that were made; nearest: a sentence on the design nearest to feasible, where none is; start: the
    design the search began with, None where the study gives none or it was not made yet.
    """

    designs: tuple[Design, ...]
    made: int
    nearest: str = ""
    start: Design | None = None

    @property
    def runs(self) -> tuple[int, ...]:
        """Numbers of the best runs."""
        return tuple(design.run for design in self.designs)


def front_of(table: Table) -> Front:
    """The best of all designs that were made, by the goals and constraints of the table's study."""
    how = table.study.optimise
    assert how is not None
    goals = goals_of(how, table)
    feasible = (excess_of(how, table).max(axis=1) <= 0.0) & (goals < BAD).all(axis=1)
    designs = _designs(how, table)
    start = _first_like(table, table.study.start)
    begun = None if start is None else designs[start]
    if not feasible.any():
        return Front((), len(table), _nearest(how, table), begun)
    rows = np.flatnonzero(feasible)
    best = rows[not_dominated(goals[rows])]
    return Front(tuple(designs[k] for k in best), len(table), start=begun)


def _first_like(table: Table, values: Sequence[float] | None) -> int | None:
    """The first row of some values, but for the rounding of a search that works in shares of the bounds."""
    if values is None:
        return None
    rows = np.flatnonzero(np.isclose(table.values, values, rtol=1e-12, atol=0.0).all(axis=1))
    return int(rows[0]) if len(rows) else None


def goals_of(how: Optimisation, table: Table) -> Array:
    """Goals (n, k) of runs as numbers to be minimised; `BAD` for a run that was not finished or lacks one."""

    def one(goal: Goal) -> Array:
        value = _number(table, goal.name)
        known = ~np.isnan(value) & table.is_state("done")
        return np.where(known, value if goal.sense == "minimise" else -value, BAD)

    return np.column_stack([one(goal) for goal in how.goals])


def excess_of(how: Optimisation, table: Table) -> Array:
    """How far runs lie beyond each constraint, at most 0 for what holds, (n, m); first, whether they were finished."""
    columns = [np.where(table.is_state("done"), 0.0, 1.0)]
    for bound in how.constraints:
        columns += [np.where(np.isnan(gap), MISSING, gap) for gap in _gaps(bound, _number(table, bound.name))]
    return np.column_stack(columns)


def _gaps(bound: Bound, value: Array) -> list[Array]:
    low = [] if bound.low is None else [bound.low - value]
    return low + ([] if bound.high is None else [value - bound.high])


def _number(table: Table, name: str) -> Array:
    return table.numbers.get(name, np.full(len(table), np.nan))


def _designs(how: Optimisation, table: Table) -> list[Design]:
    goals = np.column_stack([_number(table, goal.name) for goal in how.goals])
    rows = zip(table.run.tolist(), table.values.tolist(), goals.tolist(), strict=True)
    return [Design(run, tuple(values), tuple(kept)) for run, values, kept in rows]


def not_dominated(goals: Array) -> Integers:
    """Rows of goals (n, k), to be minimised, that no other row is at least as good as in everything and better in
    something, in their order; of equal ones the first."""
    # In the order of words nothing is beaten by what comes behind it: the first of what is left is one of the best.
    left = np.lexsort((np.arange(len(goals)), *goals.T[::-1]))
    best = []
    while len(left):
        first, left = left[0], left[1:]
        best.append(first)
        left = left[(goals[left] < goals[first]).any(axis=1)]
    return np.sort(np.array(best, dtype=np.int64))


def _nearest(how: Optimisation, table: Table) -> str:
    """What the design nearest to feasible breaks."""
    if not len(table):
        return "none was made."
    k = int(np.maximum(excess_of(how, table), 0.0).sum(axis=1).argmin())
    numbers = {name: float(column[k]) for name, column in table.numbers.items()}
    broken = beyond(how.constraints, numbers)
    if broken or not table.is_state("done")[k]:
        why = "; ".join(broken) or table.message[k].rstrip(".") or "it was not finished"
    else:
        lacks = [number_title(goal.name) for goal in how.goals if np.isnan(numbers.get(goal.name, np.nan))]
        why = f"no run has the number {' nor '.join(lacks)}" if lacks else "it lacks a goal"
    return f"the nearest is run {table.run[k]}: {why}."
