"""Rows of riders and criteria: sorted by margin, the same as the criteria themselves, and compared between runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.evaluation import EvaluationOptions
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.outcome.rider_view import count_text, judge_riders, rider_history
from ridewright.core.results.results import Channel, Names

RIDER = "car 1/rider"


def with_channels(results, **channels):
    more = {name: Channel(values, "-", "-", "-") for name, values in channels.items()}
    return replace(results, channels={**results.channels, **more})


def scaled(results, factor):
    channels = {
        name: replace(c, values=factor * c.values) if name.endswith("/acceleration") else c
        for name, c in results.channels.items()
    }
    return replace(results, channels=channels)


def test_that_rows_come_with_the_least_margin_first_and_those_without_a_limit_last(make_results) -> None:
    judgement = judge_riders(make_results())
    assert [row.result.judged for row in judgement.rows] == sorted(
        (row.result.judged for row in judgement.rows), reverse=True
    )
    margins = [None if row.result.apart else row.result.margin for row in judgement.rows]
    known = [m for m in margins if m is not None]
    assert known == sorted(known)
    assert margins[len(known) :] == [None] * (len(margins) - len(known))
    assert judgement.governing is judgement.rows[0]
    assert len({row.key for row in judgement.rows}) == len(judgement.rows)
    assert judgement.of_rider(RIDER) == judgement.rows
    assert judgement.notes == ()


def test_that_a_history_carries_the_channels_of_its_part(make_results) -> None:
    results = make_results()
    grid = results.sample_time
    loads = np.column_stack([grid, 2.0 * grid, 3.0 * grid])
    results = with_channels(
        results,
        **{
            f"rider/{RIDER}/neck/force": loads,
            f"rider/{RIDER}/neck/moment": -loads,
            f"rider/{RIDER}/head/angular_acceleration": 5.0 * loads,
            "car/car 1/nca_rails": 7.0 * grid,
        },
    )
    head, pelvis = rider_history(results, RIDER, "head"), rider_history(results, RIDER, "pelvis")
    assert head.neck_force is not None
    assert np.array_equal(head.neck_force, loads)
    assert np.array_equal(head.neck_moment, -loads)
    assert np.array_equal(head.rotation_acceleration, 5.0 * loads)
    assert np.array_equal(pelvis.rail_nca, 7.0 * grid)
    assert np.array_equal(pelvis.nca, results.channels["car/car 1/nca"].values)
    assert (head.nca, pelvis.neck_force, pelvis.rotation_rate) == (None, None, None)


def test_that_the_options_reach_the_criteria(make_results) -> None:
    results = make_results()
    loads = np.tile([0.0, 0.0, 1000.0], (len(results.sample_time), 1))
    results = with_channels(
        results, **{f"rider/{RIDER}/neck/force": loads, f"rider/{RIDER}/neck/moment": np.zeros_like(loads)}
    )
    options = EvaluationOptions(neck="H3_5F_in")
    rows = {row.key: row.result for row in judge_riders(results, options).rows}
    assert rows[RIDER, "head", "nij"].value == pytest.approx(1000.0 / 4287.0)
    whole = evaluate_history(rider_history(results, RIDER, "head"), ["nij"])
    assert whole[0].value == pytest.approx(1000.0 / 6806.0)


def test_that_a_harder_run_is_worse_and_a_run_against_itself_the_same(make_results) -> None:
    gentle, hard = judge_riders(make_results()), judge_riders(scaled(make_results(), 1.5))
    compared = hard.against(gentle)
    hic = next(row for row in compared.rows if row.key == (RIDER, "head", "hic36"))
    assert hic.comparison == "worse"
    assert hic.result.value == pytest.approx(1.5**2.5 * hic.other.value)
    assert hic.change == pytest.approx((1.5**2.5 - 1.0) * hic.other.value)
    assert hic.gain == pytest.approx(-hic.change / 1000.0)
    assert hic.same_limit
    assert next(r for r in gentle.against(hard).rows if r.key == hic.key).comparison == "better"
    itself = gentle.against(gentle)
    assert {row.comparison for row in itself.rows} == {"same", None}
    assert "0 better, 0 worse" in count_text(itself.rows)
    numbers = [int(word) for word in count_text(itself.rows).replace("%", "").split() if word.isdigit()]
    outside, near, _ten, inside, better, worse, same = numbers
    assert outside + near + inside == better + worse + same  # the same criteria are counted
    assert "better" not in count_text(gentle.rows)


def test_that_a_part_without_a_signal_is_one_sentence(make_results) -> None:
    results = make_results()
    ghost = {"car 1/ghost": {"head": "h", "upper_torso": "t", "pelvis": "p"}}
    judgement = judge_riders(replace(results, names=Names(**{**vars(results.names), "riders": ghost})))
    assert judgement.rows == ()
    assert judgement.governing is None
    assert judgement.notes[0].startswith("Head of car 1/ghost is not judged: the run has no acceleration")
    assert len(judgement.notes) == 3
