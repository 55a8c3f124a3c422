"""The part of the limits used over time, against the criteria and against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.used_limit import used_over_time
from ridewright.core.outcome.rider_view import judge_part
from ridewright.core.results.results import Results


def _pulse(level: float, start: float, length: float, axis: int = 2) -> History:
    """Level (g) on an axis for a while, else still at 1 g."""
    time = np.arange(20_001) / 1000.0
    acceleration = np.tile([0.0, 0.0, 1.0], (time.size, 1))
    acceleration[(time >= start) & (time <= start + length), axis] = level
    return History(time, acceleration, "pelvis")


BY_THEMSELVES = EvaluationOptions(standards=("astm_f2291",), standard_filter="none")


def test_that_the_largest_part_is_that_of_the_criteria() -> None:
    random = np.random.default_rng(3)
    time = np.arange(30_001) / 1000.0
    waves = [
        sum(
            random.uniform(0.2, 1.4) * np.sin(random.uniform(0.3, 5.0) * time + random.uniform(0.0, 6.0))
            for _ in range(5)
        )
        for _ in range(3)
    ]
    history = History(time, np.column_stack(waves) + np.array([0.0, 0.0, 1.0]), "pelvis")
    options = EvaluationOptions(standards=("astm_f2291", "en13814_gb8408"))
    results = evaluate_history(history, options=options)
    names = ("_+G", "_-G", "_egg_")
    margins = [
        r.margin
        for r in results
        if r.margin is not None
        and r.criterion.startswith(("f2291", "en13814"))
        and any(n in r.criterion for n in names)
        and "after" not in r.criterion
    ]
    assert 1.0 - used_over_time(history, options).max() == pytest.approx(min(margins), abs=0.01)


def test_that_a_level_is_used_over_the_stretch_it_is_held_and_not_beside_it() -> None:
    history = _pulse(3.0, 5.0, 6.0)
    used = used_over_time(history, BY_THEMSELVES)
    inside = (history.time > 5.01) & (history.time < 10.99)
    beside = (history.time > 12.0) | (history.time < 4.0)
    # +Gz held for 6 s: the limit is 3 g there, so all of it is used.
    assert used[inside] == pytest.approx(1.0, abs=1e-9)
    # 1 g is never left, so it is held for the whole ride: half of the 2 g that may be held from 12 s on.
    assert used[beside] == pytest.approx(0.5, abs=1e-9)


def test_that_a_restraint_changes_what_is_used() -> None:
    history = _pulse(-1.5, 5.0, 3.0, axis=0)
    base = used_over_time(history, BY_THEMSELVES).max()
    held = used_over_time(history, BY_THEMSELVES.model_copy(update={"restraint": "over_the_shoulder"})).max()
    assert base == pytest.approx(1.0, abs=1e-9)
    assert held == pytest.approx(np.hypot(1.5 / 2.0, 1.0 / 6.0), abs=1e-6)  # combined with 1 Gz of 6


def test_that_a_record_without_gravity_is_refused() -> None:
    history = _pulse(3.0, 5.0, 6.0)
    without = History(history.time, history.acceleration, "pelvis", contains_gravity=False)
    with pytest.raises(InputError, match="gravity"):
        used_over_time(without)


def test_that_a_part_is_judged_by_the_tables_asked_for(make_results: object) -> None:
    results: Results = make_results()  # type: ignore[operator]
    options = EvaluationOptions(standards=("en13814_2019",))
    found = {r.criterion for r in judge_part(results, "car 1/rider", "pelvis", options)}
    assert any(name.startswith("en13814_2019") for name in found)
    assert not any(name.startswith("f2291") for name in found)
