"""A start out of balance: its first moments are left out of judgement, and said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.outcome.rider_view import judge_riders, rider_history
from ridewright.core.outcome.run_check import check_run
from ridewright.core.outcome.start import SETTLING, judged_from, out_of_balance, start_note
from ridewright.core.project.examples import load_example
from ridewright.core.project.scenario import SolverSettings
from ridewright.core.results.results import Results
from ridewright.core.run.simulate import simulate


@pytest.fixture(scope="module")
def drawn() -> Results:
    """A vehicle with a rider that starts as drawn."""
    project = load_example("straight")
    scenario = project.scenario.model_copy(update={"duration": 1.5})
    return simulate(project.model_copy(update={"scenario": scenario}))


def _begun(results: Results, *, settled: bool, unsettled: bool = False) -> Results:
    project = results.provenance["project"]
    project = {**project, "scenario": {**project["scenario"], "settled": settled}}
    assembly = {**results.provenance["assembly"], **({"unsettled": True} if unsettled else {})}
    return replace(results, provenance={**results.provenance, "project": project, "assembly": assembly})


def test_that_a_peak_of_the_settling_is_no_verdict_on_the_ride(drawn: Results) -> None:
    rider = next(iter(drawn.names.riders))
    name = f"rider/{rider}/upper_torso/acceleration"
    jolt = drawn.channels[name].values.copy()
    jolt[(drawn.sample_time > 0.1) & (drawn.sample_time < 0.3)] += 20.0  # g, each axis
    jolted = replace(drawn, channels={**drawn.channels, name: replace(drawn.channels[name], values=jolt)})

    def worst(results: Results) -> float:
        rows = judge_riders(results).of_rider(rider)
        return min(row.result.margin for row in rows if row.result.margin is not None)

    assert worst(_begun(jolted, settled=True)) < -1.0
    assert worst(jolted) == worst(drawn) > 0.0
    assert rider_history(drawn, rider, "pelvis").time[0] == pytest.approx(SETTLING, abs=2e-3)
    assert all(row.result.time is None or row.result.time[0] >= SETTLING for row in judge_riders(jolted).rows)


def test_that_it_is_said_once_and_only_where_it_is_so(drawn: Results) -> None:
    said = start_note(drawn)
    assert said is not None
    assert f"first {SETTLING:g} s are not judged" in said
    assert judge_riders(drawn).notes.count(said) == 1
    settled = _begun(drawn, settled=True)
    assert out_of_balance(settled) is None
    assert judged_from(settled) == 0
    assert start_note(settled) is None


def test_that_a_start_that_found_no_rest_is_a_finding(drawn: Results) -> None:
    lost = _begun(drawn, settled=True, unsettled=True)
    assert judged_from(lost) == judged_from(drawn) > 0
    kinds = [one.message for one in check_run(lost, SolverSettings()) if one.kind == "start"]
    assert start_note(lost) in kinds
    assert start_note(drawn) not in [one.message for one in check_run(drawn, SolverSettings())]


def test_that_a_run_too_short_is_judged_whole_and_says_so(drawn: Results) -> None:
    keep = drawn.sample_time <= drawn.sample_time[0] + 1.5 * SETTLING
    short = replace(
        drawn,
        sample_time=drawn.sample_time[keep],
        channels={n: replace(c, values=c.values[keep]) for n, c in drawn.channels.items()},
    )
    assert judged_from(short) == 0
    assert "too short" in str(start_note(short))
    assert np.isclose(rider_history(short, next(iter(short.names.riders)), "head").time[0], 0.0)
