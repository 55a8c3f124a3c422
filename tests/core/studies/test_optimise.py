"""The search: the front that pymoo finds by itself, found through the engine, resumed, and with constraints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("distributed")
pytest.importorskip("pymoo")

from ridewright.core.base.errors import InputError
from ridewright.core.cli.study_text import front_text
from ridewright.core.studies.cluster import workers_of
from ridewright.core.studies.front import Front, front_of, not_dominated
from ridewright.core.studies.one_run import Outcome
from ridewright.core.studies.store import Row, Store, table_of
from tests.core.studies.conftest import search_allowed, study_of_function

VARIABLES = tuple(f"x{k}" for k in range(6))
GOALS = [{"name": "f1"}, {"name": "f2"}]


def zdt1(population: int, generations: int) -> Any:
    return study_of_function(
        "zdt1",
        VARIABLES,
        optimise={"goals": GOALS, "population": population, "generations": generations, "seed": 1},
    )


def goals_of(front: Front) -> Any:
    return np.array([design.goals for design in front.designs])


def test_that_zdt1_is_searched_as_pymoo_does_by_itself(tmp_path: Path, two_workers: Any) -> None:
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.optimize import minimize
    from pymoo.problems.multi.zdt import ZDT1

    found = search_allowed(Store.create(tmp_path / "s", zdt1(20, 12), None), two_workers)
    own = minimize(ZDT1(n_var=6), NSGA2(pop_size=20), ("n_gen", 12), seed=1, verbose=False)
    np.testing.assert_allclose(np.sort(own.F[:, 0]), np.sort(goals_of(found)[:, 0]), rtol=0, atol=1e-12)
    assert found.made <= 240


@pytest.mark.nightly
def test_that_the_front_of_zdt1_is_reached(tmp_path: Path, two_workers: Any) -> None:
    found = search_allowed(Store.create(tmp_path / "s", zdt1(60, 120), None), two_workers)
    f1, f2 = goals_of(found).T
    # Zitzler, Deb and Thiele 2000: f2 = 1 - sqrt(f1)
    assert np.abs(f2 - (1.0 - np.sqrt(f1))).max() < 0.02
    assert f1.min() < 0.02
    assert f1.max() > 0.9


@pytest.mark.nightly
def test_that_a_stopped_search_goes_on_to_the_same_front(tmp_path: Path, two_workers: Any) -> None:
    whole = search_allowed(Store.create(tmp_path / "whole", zdt1(12, 5), None), two_workers)
    polls = iter([False] * 5 + [True] * 10_000)
    part = search_allowed(
        Store.create(tmp_path / "s", zdt1(12, 5), None), two_workers, should_stop=polls.__next__
    )
    assert 0 < part.made < whole.made
    again = search_allowed(Store.create(tmp_path / "s", zdt1(12, 5), None, resume=True), two_workers)
    assert again.designs == whole.designs


@pytest.mark.nightly
def test_that_one_goal_is_found_within_its_constraint(tmp_path: Path, two_workers: Any) -> None:
    how = {
        "method": "differential_evolution",
        "goals": [{"name": "distance"}],
        "constraints": [{"name": "sum", "low": 1.2}],
        "population": 16,
        "generations": 25,
    }
    found = search_allowed(
        Store.create(tmp_path / "s", study_of_function("bowl", optimise=how), None), two_workers
    )
    # nearest to (0.3, 0.5) on a + b = 1.2
    (best,) = found.designs
    assert best.values == pytest.approx([0.5, 0.7], abs=0.02)
    assert best.goals == pytest.approx((0.08,), abs=0.005)


def test_that_of_many_designs_those_are_best_that_none_beats() -> None:
    goals = np.random.default_rng(3).integers(0, 12, (400, 3)).astype(float)
    no_worse = (goals[:, None, :] <= goals[None, :, :]).all(axis=2)
    better = (goals[:, None, :] < goals[None, :, :]).any(axis=2)
    beaten = (no_worse & better).any(axis=0)
    same_before = [(goals[:k] == goals[k]).all(axis=1).any() for k in range(len(goals))]
    np.testing.assert_array_equal(not_dominated(goals), np.flatnonzero(~beaten & ~np.array(same_before)))


def test_that_designs_that_cannot_be_ridden_are_never_best() -> None:
    study = zdt1(4, 1)

    def row(k: int, state: Any, f1: float, f2: float) -> Row:
        return Row(k, (0.0,) * 6, Outcome(state, "", {"f1": f1, "f2": f2}))

    rows = [
        row(0, "done", 1.0, 3.0),
        row(1, "failed", 0.0, 0.0),
        row(2, "done", 2.0, 2.0),
        row(3, "done", 2.0, 3.5),
    ]
    rows += [row(4, "early", 0.0, 0.0), row(5, "screened", 0.0, 0.0), row(6, "done", 1.0, 3.0)]
    assert front_of(table_of(study, rows)).runs == (0, 2)


@pytest.mark.parametrize("method", ["nsga2", "nsga3", "differential_evolution"])
def test_that_a_search_begins_where_the_study_says(tmp_path: Path, two_workers: Any, method: str) -> None:
    parts = [{"name": n, "low": -1.0, "high": 2.0, "start": s} for n, s in (("a", 0.7), ("b", -0.1))]
    how = {"goals": [{"name": "distance"}], "method": method, "population": 4, "generations": 2}
    study = study_of_function("bowl", parts, optimise=how)
    found = search_allowed(Store.create(tmp_path / "s", study, None), two_workers)
    assert found.start is not None
    assert found.start.run == 0
    assert found.start.values == pytest.approx((0.7, -0.1), rel=1e-12)
    assert found.start.goals == pytest.approx((0.52,))
    assert "0, the start" in front_text(study, found)


def test_that_nothing_feasible_is_told_with_the_nearest(tmp_path: Path) -> None:
    how = {"goals": [{"name": "f1"}], "constraints": [{"name": "f2", "high": 1.0}]}
    study = study_of_function("zdt1", VARIABLES, optimise=how)
    rows = [Row(k, (0.0,) * 6, Outcome("done", "", {"f1": 0.1, "f2": 1.0 + 0.5 * k})) for k in (3, 1, 2)]
    found = front_of(table_of(study, rows))
    assert found.runs == ()
    assert found.nearest == "the nearest is run 1: f2 = 1.5, above 1."
    assert "nothing feasible among 3 designs; the nearest is run 1" in front_text(study, found)


def test_that_a_search_without_goals_or_with_too_many_is_refused(tmp_path: Path, two_workers: Any) -> None:
    with pytest.raises(InputError, match="says nothing about optimisation"):
        search_allowed(Store.create(tmp_path / "a", study_of_function("bowl"), None), two_workers)
    both = {"method": "differential_evolution", "goals": GOALS}
    with pytest.raises(InputError, match="differential evolution has one goal, found 2; use nsga2"):
        search_allowed(
            Store.create(tmp_path / "b", study_of_function("zdt1", VARIABLES, optimise=both), None),
            two_workers,
        )


@pytest.mark.nightly
def test_that_a_screen_of_points_spares_the_multibody_run(tmp_path: Path) -> None:
    from ridewright.core.project.examples import load_example
    from ridewright.core.studies.one_run import Runner
    from ridewright.core.studies.study import parse_study

    data = {
        "format": "ridewright-study", "name": "s", "project": "example:straight", "ride": "multibody",
        "parameters": [{"name": "v", "field": "scenario.speed", "low": 5.0, "high": 12.0}],
        "screen": [{"name": "end_speed", "low": 8.0}],
    }  # fmt: skip
    runner = Runner(parse_study(data, "s"), load_example("straight"))
    slow, fast = runner.run([6.0]), runner.run([11.0])
    assert slow.state == "screened"
    assert slow.message.startswith("The ride as points has end_speed = ")
    assert fast.state == "done"
    assert fast.numbers["points.end_speed"] == pytest.approx(fast.numbers["end_speed"], rel=0.01)


@pytest.mark.nightly
def test_that_workers_of_this_machine_go_when_they_are_done_with() -> None:
    with workers_of(workers=1) as client:
        (pid,) = client.run(__import__("os").getpid).values()
    import psutil

    assert not psutil.pid_exists(pid)


def test_that_failed_designs_of_all_generations_are_counted(tmp_path: Path, two_workers: Any) -> None:
    how = {"goals": [{"name": "y", "sense": "maximise"}], "population": 16, "generations": 5}
    store = Store.create(tmp_path / "s", study_of_function("margins", optimise=how), None)
    told: list[int] = []
    search_allowed(store, two_workers, on_progress=lambda p: told.append(p.failed))
    failed = store.table().is_state("failed")
    assert failed[:16].sum() < failed.sum()  # not of the first generation alone
    assert told == sorted(told)
    assert told[-1] == failed.sum()
