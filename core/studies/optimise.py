"""The search for the best designs of a study, by pymoo and scipy over the engine of studies.

A search is a sequence of runs like any other: generation after generation goes to the workers and into the store. It
is resumed by doing it again: the same seed asks for the same designs, and those in the store are taken from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from .engine import OnProgress, Pool, Progress, ShouldStop, make_runs
from .front import BAD, Front, excess_of, front_of, goals_of
from .one_run import UNFINISHED
from .plan import bounds
from .requirements import needed
from .store import Row, Store, Table, table_of
from .study import Optimisation, Parameter, Study


class _StoppedError(Exception):
    """The search was asked to stop."""


def optimise(
    store: Store,
    client: Any,
    *,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
    allow_function: str = "",
) -> Front:
    """Search for the best designs of a study, or go on with a search.

    Goals and constraints are kept numbers; a design that failed, ended early or was screened out is infeasible.
    NSGA-II: Deb et al. 2002, IEEE Trans. Evol. Comput. 6:182; NSGA-III: Deb and Jain 2014, ibid. 18:577 (pymoo).
    Differential evolution: Storn and Price 1997, J. Global Optim. 11:341 (scipy).

    Parameters
    ----------
    store
        Of the study.
    client
        Of Dask (`workers_of`).
    on_progress, should_stop
        Called at least once a second.
    allow_function
        The function from outside, module:name, that the person allows at this start.

    Returns
    -------
    The best of all designs that were made.

    Raises
    ------
    InputError
        For a study without an optimisation or bounds, and for a store of which the designs are not those of
        this search.
    """
    study = store.study
    how = study.optimise
    if how is None:
        raise InputError(f"{study.name}: says nothing about optimisation; give it goals under [optimise].")
    if not study.parameters:
        raise InputError(f"{study.name}: there is nothing to optimise; give it parameters with bounds.")
    with store.writing(), Pool(client, store, allow_function) as pool:
        search = _Search(pool, how, on_progress or (lambda _: None), should_stop or (lambda: False))
        try:
            if how.method == "differential_evolution":
                _evolve(search, how)
            else:
                _sort(search, how)
        except _StoppedError:
            pass
    return front_of(store.table())


class _Search:
    """Hands out designs in the order in which they are asked for, each once."""

    def __init__(
        self, pool: Pool, how: Optimisation, on_progress: OnProgress, should_stop: ShouldStop
    ) -> None:
        self.pool, self.how, self.on_progress, self.should_stop = pool, how, on_progress, should_stop
        self.study = pool.store.study
        self.next = self.failed = 0
        self.there = pool.store.done()  # of earlier sittings
        self.known: dict[tuple[float, ...], Row] = {}
        self.of = how.population * how.generations
        self.box = np.array([_box(parameter) for parameter in self.study.parameters])

    def made(self, points: Array) -> Table:
        """The runs of points (n, p) of the box, in their order, made where they have not been."""
        values = [_decoded(self.study, point) for point in points]
        new = [v for k, v in enumerate(values) if v not in self.known and v not in values[:k]]
        if new:
            self._make(new)
        return table_of(self.study, [self.known[v] for v in values])

    def start(self) -> Array | None:
        """The point (p,) of the box that the study begins with, if any."""
        values = self.study.start
        if values is None:
            return None
        pairs = zip(self.study.parameters, values, strict=True)
        return np.array([float(p.values.index(v)) if p.values else v for p, v in pairs])

    def _make(self, values: list[tuple[float, ...]]) -> None:
        first, self.next = self.next, self.next + len(values)

        def told(p: Progress) -> None:
            done = first + p.done
            left = None if p.left is None else p.elapsed * (self.of - done) / max(p.done, 1)
            failed = self.failed + p.failed
            self.on_progress(Progress(done, max(self.of, done), failed, p.elapsed, left))

        done = make_runs(
            self.pool,
            np.array(values),
            first=first,
            there=self.there,
            on_progress=told,
            should_stop=self.should_stop,
        )
        if len(done) < len(values):
            raise _StoppedError
        self.failed += sum(row.outcome.state in UNFINISHED for row in done.values())
        for k, wanted in enumerate(values):
            row = done[first + k]
            if row.values != wanted:
                raise InputError(
                    f"{self.pool.store.folder}: run {row.run} is not the design this search asks for (another version"
                    " of its library?); choose another folder."
                )
            self.known[wanted] = row


def _box(parameter: Parameter) -> tuple[float, float]:
    """Bounds of the unknown of a parameter; what has levels or values is searched by their number."""
    count = len(parameter.levels) or len(parameter.values)
    return (-0.5, count - 0.5) if count else bounds(parameter)


def _decoded(study: Study, point: Array) -> tuple[float, ...]:
    out = []
    for parameter, x in zip(study.parameters, point, strict=True):
        count = len(parameter.levels) or len(parameter.values)
        k = int(np.clip(round(float(x)), 0, count - 1)) if count else 0
        out.append(float(k) if parameter.levels else parameter.values[k] if parameter.values else float(x))
    return tuple(out)


def _sort(search: _Search, how: Optimisation) -> None:
    """NSGA-II or NSGA-III."""
    needed("pymoo")
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.algorithms.moo.nsga3 import NSGA3
    from pymoo.core.evaluator import Evaluator
    from pymoo.core.problem import Problem
    from pymoo.problems.static import StaticProblem
    from pymoo.util.ref_dirs import get_reference_directions

    count = 1 + sum((c.low is not None) + (c.high is not None) for c in how.constraints)
    problem = Problem(
        n_var=len(search.box),
        n_obj=len(how.goals),
        n_ieq_constr=count,
        xl=search.box[:, 0],
        xu=search.box[:, 1],
    )
    if how.method == "nsga2":
        algorithm = NSGA2(pop_size=how.population, **_sampling(search, how))
    else:
        directions = get_reference_directions("energy", len(how.goals), how.population, seed=how.seed)
        algorithm = NSGA3(directions, pop_size=how.population, **_sampling(search, how))
    algorithm.setup(problem, termination=("n_gen", how.generations), seed=how.seed, verbose=False)
    while algorithm.has_next():
        population = algorithm.ask()
        made = search.made(population.get("X"))
        static = StaticProblem(
            problem,
            F=goals_of(how, made),
            G=excess_of(how, made),
        )
        Evaluator().eval(static, population)
        algorithm.tell(infills=population)


def _sampling(search: _Search, how: Optimisation) -> dict[str, Array]:
    """The first generation where the study says what to begin with: that design, and random ones around it."""
    start = search.start()
    if start is None:
        return {}
    low, high = search.box.T
    others = np.random.default_rng(how.seed).uniform(low, high, (how.population - 1, len(low)))
    return {"sampling": np.vstack([start, others])}


def _evolve(search: _Search, how: Optimisation) -> None:
    """Differential evolution for one goal."""
    from scipy.optimize import Bounds, differential_evolution

    if len(how.goals) != 1:
        raise InputError(
            f"{search.study.name}: differential evolution has one goal, found {len(how.goals)}; use nsga2."
        )
    width = len(search.box)

    def worth(x: Array) -> Any:
        """One number a design: any feasible one is better than any that is not, and of those the nearer one (the rules
        of Deb 2000, Comput. Methods Appl. Mech. Eng. 186:311)."""
        made = search.made(np.asarray(x).reshape(width, -1).T)
        over = np.maximum(excess_of(how, made), 0.0).sum(axis=1)
        return np.where(over == 0.0, goals_of(how, made)[:, 0], BAD * (1.0 + over))

    differential_evolution(
        worth,
        Bounds(search.box[:, 0], search.box[:, 1]),
        maxiter=how.generations - 1,
        popsize=max(1, -(-how.population // width)),
        rng=how.seed,
        x0=search.start(),
        polish=False,
        updating="deferred",
        vectorized=True,
    )
