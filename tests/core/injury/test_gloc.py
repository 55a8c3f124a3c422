"""Loss of consciousness, red-out and the onset of impacts: the published points, and 1 % inside and outside."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.criteria.gloc import GlocTable, exposures, onset_time, stoll_curve, stoll_time
from ridewright.core.injury.history import History
from ridewright.core.injury.limits import load_limits
from tests.core.injury.limit_records import judged, load, options, plateau

TABLE = load_limits("gloc", GlocTable)
VERDICTS = ((0.85, "inside"), (0.99, "within 10 %"), (1.01, "outside"))


def ramp_and_hold(rate, top, lasts, step=0.01):
    """From 1 g at a rate to the top, so that 4.7 g is crossed and left `lasts` (s) after the onset; then 0 g."""
    rise = (top - 1.0) / rate
    t = np.arange(0.0, 5.0 + lasts + 3.0, step)
    up = np.clip((t - 5.0) / rise, 0.0, 1.0)
    return t, np.where(t < 5.0 + lasts, 1.0 + (top - 1.0) * up, 0.0)


def test_that_the_fit_goes_through_the_points_it_was_made_from():
    assert stoll_time(TABLE, [7.0, 9.4]) == pytest.approx([9.65, 5.0], rel=1e-4)
    assert np.isinf(stoll_time(TABLE, [1.0, 4.7])).all()
    assert stoll_time(TABLE, [30.0]) == 5.0
    duration, level = stoll_curve(TABLE)
    assert stoll_time(TABLE, level[1:]) == pytest.approx(duration[1:], rel=1e-9)


def test_that_the_times_by_onset_are_those_published():
    assert onset_time(TABLE.onset, 1.0) == onset_time(TABLE.onset, 6.0) == pytest.approx(9.1)
    assert onset_time(TABLE.onset, 0.2) == onset_time(TABLE.onset, 0.01) == pytest.approx(74.41)
    # Half way in the logarithm of the rate lies the geometric mean of the times.
    assert onset_time(TABLE.onset, np.sqrt(0.2)) == pytest.approx(np.sqrt(9.1 * 74.41))


@pytest.mark.parametrize("duration", [5.0, 9.65, 40.0, 700.0])
def test_that_one_percent_decides_about_consciousness_by_level(duration):
    limit = 4.7 + (20.7652 / min(duration, 600.0)) ** (1.0 / 0.92005)
    for part, verdict in VERDICTS:
        t, values = plateau(part * limit, duration)
        found = judged(t, load("+Gz", values), "gloc_stoll", options())
        assert found.verdict == verdict
        assert found.margin == pytest.approx(1.0 - part, abs=5e-4)
        assert bool(found.exceeded) == (part > 1.0)


@pytest.mark.parametrize(("rate", "time"), [(3.0, 9.1), (0.45, None), (0.1, 74.41)])
def test_that_one_percent_decides_about_consciousness_by_onset(rate, time):
    allowed = onset_time(TABLE.onset, rate) if time is None else time
    for part, verdict in VERDICTS:
        t, values = ramp_and_hold(rate, 5.5, part * allowed)
        found = judged(t, load("+Gz", values), "gloc_onset", options())
        assert found.verdict == verdict
        assert found.value == pytest.approx(part * allowed, rel=3e-3)
        assert found.limit == pytest.approx(allowed, rel=2e-3)
        if part > 1.0:
            ((start, end),) = found.exceeded
            assert start == pytest.approx(5.0 + allowed, rel=2e-3)
            assert end == pytest.approx(5.0 + part * allowed, rel=2e-3)
            assert "11.9 s" in found.note


def test_that_no_load_below_the_threshold_takes_consciousness():
    t, values = ramp_and_hold(2.0, 4.69, 60.0)
    found = judged(t, load("+Gz", values), "gloc_onset", options())
    assert (found.value, found.verdict, found.exceeded) == (0.0, "inside", ())
    assert exposures(TABLE, t, values) == ()


def test_that_every_load_above_the_threshold_has_its_own_onset():
    t = np.arange(0.0, 60.0, 0.01)
    fast = np.interp(t, [0, 10, 12, 14, 16, 30, 60], [1, 1, 6, 6, 1, 1, 1])
    both = fast + np.interp(t, [0, 30, 50, 55, 56], [0, 0, 5, 5, 0])
    first, second = exposures(TABLE, t, both)
    assert first.rate == pytest.approx(2.5, rel=5e-3)
    assert second.rate == pytest.approx(0.25, rel=5e-3)
    assert first.start == pytest.approx(10.0, abs=0.02)
    assert second.end == pytest.approx(55.0 + (6.0 - 4.7) / 5.0, abs=0.02)
    # A record that begins under load has no onset to look at: the load counts from its start, as a fast one.
    (early,) = exposures(TABLE, t, np.where(t < 20.0, 5.0, 1.0))
    assert (early.start, early.allowed) == (0.0, pytest.approx(9.1))


def test_that_one_percent_decides_about_red_out():
    for part, verdict in VERDICTS:
        t, values = plateau(part * 2.0, 1.0)
        found = judged(t, load("-Gz", values), "red_out_-Gz", options())
        assert (found.verdict, bool(found.exceeded)) == (verdict, part > 1.0)
    t, values = plateau(4.0, 0.9)
    assert judged(t, load("-Gz", values), "red_out_-Gz", options()).verdict == "inside"


def test_that_one_percent_decides_about_the_onset_of_an_impact():
    t = np.arange(4001) / 4000.0
    for part, verdict in VERDICTS:
        values = np.interp(t, [0.4, 0.45], [0.0, part * 25.0])
        found = judged(t, load("+Gz", values), "eiband_onset_+Gz", options())
        assert found.verdict == verdict
        assert found.value == pytest.approx(part * 500.0, rel=1e-9)
        assert "above the preferable" in found.note
    gentle = judged(t, load("+Gz", np.interp(t, [0.4, 0.45], [0.0, 8.0])), "eiband_onset_+Gz", options())
    assert "within the preferable" in gentle.note


def test_that_a_short_record_is_told_that_consciousness_is_not_lost_so_soon():
    t = np.arange(0.0, 4.0, 0.01)
    found = judged(t, np.full((t.size, 3), 9.0), "gloc_stoll", options())
    assert found.value is None
    assert "not lost before 5 s" in found.note
    assert History(t, np.zeros((t.size, 3))).duration < 5.0
