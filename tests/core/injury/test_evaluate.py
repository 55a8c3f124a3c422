"""The one entry: every criterion on one history, refusals, results as data and as text."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pydantic import ValidationError

from ridewright.core.base.errors import InputError
from ridewright.core.injury.criteria.hic import hic
from ridewright.core.injury.criteria.peaks import peak_id
from ridewright.core.injury.evaluate import criterion_ids, evaluate_history
from ridewright.core.injury.filters import FILTER_NAMES, apply_filter
from ridewright.core.injury.history import History
from ridewright.core.injury.limits import ScalarLimits, SymptomTables, load_limits
from ridewright.core.injury.report_text import criteria_dict, criteria_table
from ridewright.core.injury.result import CriterionResult, margin_and_verdict
from ridewright.core.injury.rider_axes import DIRECTIONS

RATE = 10_000.0


def ride(seconds=3.0, rate=RATE, **fields):
    rng = np.random.default_rng(6)
    t = np.arange(round(seconds * rate) + 1) / rate + 12.0
    a = np.column_stack([0.8 * np.sin(2.0 * t), 0.6 * np.cos(3.0 * t), 1.2 + 2.5 * np.sin(1.5 * t)])
    return History(t, a + 0.1 * rng.standard_normal(a.shape), **fields)


def by_id(history, ids=None):
    return {r.criterion: r for r in evaluate_history(history, ids)}


def test_that_every_criterion_gives_one_result_in_order():
    history = ride(
        seconds=6.0,
        rotation_rate=np.ones((60_001, 3)),
        arc_length=np.linspace(100.0, 220.0, 60_001),
        neck_force=np.ones((60_001, 3)),
        neck_moment=np.ones((60_001, 3)),
        nca=np.ones(60_001),
        rail_nca=np.ones(60_001),
    )
    results = evaluate_history(history)
    assert tuple(r.criterion for r in results) == criterion_ids()
    assert all(r.value is not None for r in results)
    assert all(r.time is not None and 12.0 <= r.time[0] <= r.time[1] <= 18.0 for r in results)
    for r in results:
        assert r.arc_length == pytest.approx(100.0 + 20.0 * (0.5 * sum(r.time) - 12.0), abs=1e-6)
        assert (r.limit is None) == (r.margin is None) == (r.verdict == "not applicable")
        assert r.limit is None or (r.limit_source and r.confidence)


def test_that_values_are_those_of_the_functions():
    history = ride()
    found = by_id(history)
    direct = hic(history.time, history.resultant, 0.036)
    assert found["hic36"].value == direct.value
    assert found["hic36"].time == (direct.t1, direct.t2)
    assert found["hic36"].margin == pytest.approx(1.0 - direct.value / 1000.0)
    for name in FILTER_NAMES:
        filtered = apply_filter(history.time, history.acceleration, name)
        assert found[peak_id("resultant", name)].value == pytest.approx(
            np.linalg.norm(filtered, axis=1).max()
        )
        for direction in DIRECTIONS:
            sign = 1.0 if direction[0] == "+" else -1.0
            peak = found[peak_id(direction, name)]
            assert peak.value == pytest.approx((sign * filtered[:, "xyz".index(direction[2])]).max())
            assert peak.signal.filter == name


def test_that_a_pulse_above_the_limits_is_outside_and_one_below_is_inside():
    t = np.arange(3000) / RATE
    pulse = np.where((t > 0.1) & (t < 0.12), np.sin(np.pi * (t - 0.1) / 0.02), 0.0)
    for height, verdict in ((40.0, "inside"), (200.0, "outside")):
        found = by_id(
            History(t, np.column_stack([0 * t, height * pulse, 0 * t])), ["hic15", "hic36", "clip_3ms"]
        )
        assert {r.verdict for r in found.values()} == {verdict}
        # 3 ms of a 20 ms half-sine: the level at 8.5 ms.
        assert found["clip_3ms"].value == pytest.approx(height * np.sin(np.pi * 8.5 / 20.0), rel=1e-4)


def test_that_the_verdict_turns_at_ninety_percent_and_at_the_limit():
    assert margin_and_verdict(899.0, 1000.0)[1] == "inside"
    assert margin_and_verdict(901.0, 1000.0)[1] == "within 10 %"
    assert margin_and_verdict(1000.0, 1000.0) == (0.0, "within 10 %")
    assert margin_and_verdict(1001.0, 1000.0)[1] == "outside"
    assert margin_and_verdict(-5.0, 1000.0) == (1.0, "inside")


def test_that_what_the_history_lacks_is_named():
    found = by_id(ride(rate=2000.0, contains_gravity=False))
    assert "rotation rates" in found["peak_rotation_rate_cfc60"].note
    assert "gravity" in found["sustained_+Gz"].note
    assert "10000 samples per second" in found["hic15_cfc1000"].note
    assert found["hic15"].value is not None
    assert found["hic15"].signal.gravity == "out"
    refused = [r for r in found.values() if r.value is None]
    assert all(r.verdict == "not applicable" and r.note.startswith("not applicable: ") for r in refused)


def test_that_a_record_of_a_millisecond_is_refused_criterion_by_criterion():
    found = by_id(ride(seconds=0.001))
    assert "shorter" in found["clip_3ms"].note
    assert "0.01 s" in found["sustained_+Gz"].note
    assert found["hic15"].value is not None


def test_that_criteria_of_the_head_say_when_the_record_is_not_of_the_head():
    ids = ["hic15", "hic36", "clip_3ms", "clip_3ms_cumulative"]
    for body, said in (("Head of rider 2", False), ("pelvis", True)):
        results = evaluate_history(ride(body=body), ids)
        assert [f"applied to '{body}'" in r.note for r in results] == [said] * 4


def test_that_rotation_is_judged_through_its_filter():
    t = np.arange(2000) / RATE
    rate = np.column_stack([2.0 + 0 * t, 3.0 + 0 * t, -6.0 + 0 * t])
    found = by_id(History(t, np.ones((2000, 3)), rotation_rate=rate), ["peak_rotation_rate_cfc60"])
    assert found["peak_rotation_rate_cfc60"].value == pytest.approx(7.0)


def test_that_symptoms_name_the_band_that_is_held():
    t = np.linspace(0.0, 8.0, 801)
    gz = np.where((t > 2.0) & (t < 4.0), 3.6, 1.0)
    found = by_id(History(t, np.column_stack([0 * t, 0 * t, gz])), [f"symptoms_{d}" for d in DIRECTIONS])
    assert "3 to 4 g" in found["symptoms_+Gz"].note
    assert "table 4.7" in found["symptoms_+Gz"].note
    assert "below the first band" in found["symptoms_-Gz"].note


def test_that_symptom_tables_are_those_of_the_thesis():
    tables = {t.direction: t for t in load_limits("symptom_bands", SymptomTables).tables}
    assert set(tables) == set(DIRECTIONS)
    starts = {d: [b.from_g for b in tables[d].bands] for d in ("+Gz", "-Gz", "+Gx", "-Gx")}
    assert starts == {"+Gz": [1, 2, 3, 4.5], "-Gz": [1, 2, 4], "+Gx": [1, 2, 3, 6, 9, 12], "-Gx": [6, 8]}
    assert tables["+Gz"].band(4.2).from_g == 3.0
    assert tables["+Gz"].band(0.9) is None


def test_that_results_survive_json():
    results = evaluate_history(ride(rate=1000.0))
    text = json.dumps(criteria_dict(results), allow_nan=False)
    again = tuple(CriterionResult.model_validate(item) for item in json.loads(text)["criteria"])
    assert again == results


def test_that_the_table_shows_values_limits_peaks_and_what_is_missing():
    results = evaluate_history(ride(rate=2000.0, arc_length=np.linspace(0.0, 50.0, 6001), body="head"))
    table = criteria_table(results)
    hic36 = next(r for r in results if r.criterion == "hic36")
    line = next(line for line in table.splitlines() if line.startswith("HIC36 "))
    assert f"{hic36.value:.3g}" in line
    assert "1000" in line
    assert "inside" in line
    assert f"{hic36.arc_length:.1f}" in line
    peak = next(r for r in results if r.criterion == "peak_-Gz_5hz")
    assert f"{peak.value:.2f} ({peak.time[0]:.3f})" in table
    flat = " ".join(table.split())
    assert "needs rotation rates in the record" in flat
    assert "needs neck loads in the record" in flat
    assert "confidence low" in table
    assert max(map(len, table.splitlines())) < 400
    assert criteria_table(()) == "No criteria."


def test_that_unknown_criteria_and_limits_are_refused():
    with pytest.raises(InputError, match="hic36"):
        evaluate_history(ride(), ["hic99"])
    with pytest.raises(InputError, match="hic_3ms"):
        load_limits("hic", ScalarLimits)
    with pytest.raises(InputError, match=r"hic_3ms\.json"):
        load_limits("hic_3ms", SymptomTables)
    with pytest.raises(InputError, match="head_3ms"):
        load_limits("hic_3ms", ScalarLimits).get("hic")


@pytest.mark.parametrize(
    "fields",
    [
        {"acceleration": np.ones((9, 3))},
        {"acceleration": np.ones(10)},
        {"acceleration": np.full((10, 3), np.inf)},
        {"acceleration": np.full((10, 3), 1e200)},
        {"time": np.arange(10.0) ** 2},
        {"time": np.zeros(10)},
        {"rotation_rate": np.ones((10, 2))},
        {"arc_length": np.ones((10, 1))},
    ],
)
def test_that_histories_that_are_none_are_refused(fields):
    with pytest.raises(InputError):
        History(**{"time": np.arange(10.0), "acceleration": np.ones((10, 3)), **fields})


def test_that_a_history_keeps_its_own_data():
    a = np.ones((10, 3))
    history = History(np.arange(10.0), a)
    a[:] = 7.0
    assert history.acceleration.max() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        history.acceleration[0] = 2.0
    result = evaluate_history(history, ["peak_resultant"])[0]
    with pytest.raises(ValidationError):
        result.value = 3.0


def test_that_an_uneven_history_is_resampled_with_a_note():
    t = np.sort(np.random.default_rng(1).uniform(0.0, 5.0, 600))
    a = np.column_stack([t, -t, 2.0 * t])
    history = History.resampled(t, a, rate=200.0, rotation_rate=-a, arc_length=3.0 * t, body="chest")
    assert history.acceleration == pytest.approx(history.time[:, None] * [1.0, -1.0, 2.0], abs=1e-12)
    assert history.rotation_rate == pytest.approx(-history.acceleration)
    assert history.arc_length == pytest.approx(3.0 * history.time)
    assert "longest gap" in history.notes[-1]
    assert history.sample_rate == pytest.approx(200.0, rel=1e-2)


@pytest.mark.parametrize(
    ("name", "least"), [("hic15", 1 / 0.015), ("hic36", 1 / 0.036), ("clip_3ms", 1 / 0.003)]
)
def test_that_what_is_shorter_than_a_sample_is_not_judged_however_it_is_drawn_out(name, least):
    """A record that was sampled slower than the time a criterion looks at, resampled to 1000 Hz."""
    for rate, judged in ((0.9 * least, False), (1.1 * least, True)):
        t = np.arange(0.0, 3.0, 1.0 / rate)
        slow = History(t, np.column_stack([0.2 * np.sin(t), 0.0 * t, np.ones_like(t)]), "head")
        fast = History(
            (fine := np.arange(0.0, t[-1], 1e-3)),
            np.column_stack([np.interp(fine, t, column) for column in slow.acceleration.T]),
            "head", recorded_rate=rate,
        )  # fmt: skip
        for history in (slow, fast):
            (found,) = evaluate_history(history, criteria=(name,))
            assert (found.value is not None) == judged
            assert judged or f"the record has {rate:.6g}; record faster" in found.note
