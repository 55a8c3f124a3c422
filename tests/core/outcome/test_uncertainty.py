"""How many digits of a value the tolerance of its run carries."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.text_table import significant
from ridewright.core.outcome.rider_view import judge_riders
from ridewright.core.outcome.uncertainty import coarser, uncertainty
from ridewright.core.project.examples import load_example
from ridewright.core.report.parts.words import uncertainty_cell, value_cell
from ridewright.core.run.simulate import simulate


def ridden(tolerance: float):
    project = load_example("looping_star")
    project = project.model_copy(
        update={
            "scenario": project.scenario.model_copy(update={"duration": 3.0}),
            "settings": project.settings.model_copy(update={"tolerance": tolerance}),
        }
    )
    results = simulate(project)
    return project, results, judge_riders(results, project.evaluation)


def test_that_the_uncertainty_covers_what_a_tight_run_says():
    project, results, judgement = ridden(1e-4)
    doubts = uncertainty(project, results, judgement)
    tight = {row.key: row.result.value for row in ridden(1e-7)[2].rows}
    values = {row.key: row.result.value for row in judgement.rows}
    assert set(doubts) == {key for key, value in values.items() if value is not None}
    off = np.array([abs(values[key] - tight[key]) for key in doubts])
    size = np.array([abs(tight[key]) for key in doubts])
    told = np.array([doubts[key] for key in doubts])
    # Twice the change and a part in ten thousand, which no table shows.
    assert np.mean(off <= 2.0 * told + 1e-4 * size) > 0.93
    assert np.median(told[size > 0.0] / size[size > 0.0]) < 0.05


def test_that_no_digit_is_shown_behind_the_first_doubtful_one():
    for value, doubt, shown in (
        (5.12345, 0.19, "5.1"),
        (5.12345, 0.004, "5.123"),
        (5.12345, 1e-9, "5.123"),
        (1234.5, 40.0, "1234"),
        (0.012345, 0.0007, "0.0123"),
        (2.0, 7.0, "2"),
        (5.12345, None, "5.12"),
    ):
        assert value_cell(value, "g", doubt).text == shown
        assert value_cell(value, "g", doubt).value == value
    assert uncertainty_cell(0.0372).text == "0.04"
    assert [significant(v) for v in (5.12345, 12345.6, 0.0, 1.2e-7, -0.03456)] == [
        "5.12",
        "12300",
        "0",
        "1.20e-7",
        "-0.0346",
    ]


def test_that_the_second_run_is_coarser_by_its_own_kind_of_control():
    settings = load_example("looping_star").settings
    assert coarser(settings).tolerance == pytest.approx(10.0 * settings.tolerance)
    fixed = settings.model_copy(update={"method": "rk4", "fixed_step": 2e-4})
    assert coarser(fixed).fixed_step == pytest.approx(1e-4)
    assert coarser(settings.model_copy(update={"tolerance": 0.1})).tolerance == 0.1
