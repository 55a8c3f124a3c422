"""A limit that was found in tests of impacts is no verdict on the slow loads of a ride."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.report_text import criteria_table
from ridewright.core.outcome.rider_view import RiderJudgement, by_margin, count_text

T = np.arange(0.0, 12.0, 0.001)


def felt(peak: float, lasts: float, axis: int = 2) -> History:
    """Rest with one half sine (g, s) at 5 s."""
    a = np.tile([0.0, 0.0, 1.0], (T.size, 1))
    inside = np.abs(T - 5.0 - 0.5 * lasts) <= 0.5 * lasts
    a[inside, axis] += peak * np.sin(np.pi * (T[inside] - 5.0) / lasts)
    return History(T, a, "pelvis")


@pytest.mark.parametrize("criterion", ["eiband_+Gz_voluntary", "eiband_onset_+Gz"])
@pytest.mark.parametrize(
    ("peak", "lasts", "impact"), [(4.4, 2.0, False), (20.0, 0.1, True), (9.0, 0.25, True), (4.4, 0.6, False)]
)
def test_that_a_slow_load_stands_apart_from_the_tests_of_impacts(criterion, peak, lasts, impact):
    (found,) = evaluate_history(felt(peak, lasts), [criterion])
    assert bool(found.apart) is not impact
    assert found.judged is impact
    assert (("made for impacts" in found.verdict_text) or found.limit_status == "") is not impact


def test_that_a_rest_or_a_valley_tops_no_list_by_a_curve_of_impacts():
    """5.1 g for a second is outside Eiband's 5 g and inside the 6 g of F2291: the latter leads."""
    results = evaluate_history(felt(4.12, 1.5))
    eiband = next(r for r in results if r.criterion == "eiband_+Gz_voluntary")
    assert eiband.verdict == "outside"
    rows = by_margin([RiderJudgement("Car/Rider", "pelvis", r) for r in results])
    assert not rows[0].result.apart
    order = [row.result.apart != "" for row in rows if row.result.margin is not None]
    assert order == sorted(order)
    assert count_text([row for row in rows if row.result.apart]).startswith("0 outside")
    text = criteria_table(results)
    assert text.index("F2291") < text.index("Outside what the limit is meant for") < text.index("Notes")


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_that_a_lateral_load_of_a_curve_is_no_test_of_volunteers(side):
    slow = evaluate_history(felt(side * 1.5, 3.0, axis=1))
    fast = evaluate_history(felt(side * 9.0, 0.15, axis=1))
    for results, apart in ((slow, True), (fast, False)):
        lateral = [r for r in results if r.criterion.startswith("lateral_") and r.value and r.value > 0.5]
        assert lateral
        assert all(bool(r.apart) is apart for r in lateral)
