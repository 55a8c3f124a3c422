"""The rules beside the curves: reversals, onsets, +Gz after -Gz, restraints, each 1 % inside and outside."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.history import History
from ridewright.core.injury.onset import onset_rate
from ridewright.core.injury.standards.files import load_table
from ridewright.core.injury.standards.zones import demanded_class
from tests.core.injury.limit_records import judged, load, options, plateau

RATE = 1000.0
VERDICTS = ((0.85, "inside"), (0.99, "within 10 %"), (1.01, "outside"))


def through(corners):
    """Record on straight lines through corners (time s, value g), at 1 kHz."""
    times, values = zip(*corners, strict=True)
    t = np.arange(round(times[-1] * RATE) + 1) / RATE
    return t, np.interp(t, times, values)


def reversal(size, gap):
    """Up to `size` in 0.3 s, to -size within the gap, back to zero in 0.3 s."""
    return through([(0, 0), (1, 0), (1.3, size), (1.3 + gap, -size), (1.6 + gap, 0), (3, 0)])


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("first", ["+", "-"])
@pytest.mark.parametrize("restraint", ["base", "over_the_shoulder"])
def test_that_quick_reversals_halve_the_limits(axis, first, restraint):
    # Each load is a triangle with the base 0.3 s + gap / 2; held for D is 1 - D / base of its peak. The base under
    # the floor of 0.1 g does not matter: no level so low comes near the limits.
    gap = 0.12
    base = 0.3 + 0.5 * gap
    corners = {"base": [(0.2, 2.0), (0.5, 1.5)], "over_the_shoulder": [(0.2, 2.0)]}[restraint]
    lowest = corners if axis == "x" else [(0.2, 3.0)]
    held = np.linspace(0.2, base, 2001)
    d, g = np.array(lowest).T
    per_g = ((1.0 - held / base) / (0.5 * np.interp(held, d, g))).max()
    for part, verdict in VERDICTS:
        t, values = reversal(part / per_g, gap)
        found = judged(
            t, load(f"{first}G{axis}", values), f"f2291_reversal_{axis}", options(restraint=restraint)
        )
        assert found.verdict == verdict
        assert found.value == pytest.approx(part, rel=1e-5)
        assert bool(found.exceeded) == (part > 1.0)


def test_that_slow_reversals_and_other_pauses_are_none():
    opts = options()
    slow = reversal(2.9, 0.21)
    apart = through([(0, 0), (1.0, 0), (1.3, 2.9), (1.35, 0), (1.42, 0.0), (1.45, -2.9), (1.8, 0), (3, 0)])
    short = through([(0, 0), (1.0, 0), (1.08, 2.9), (1.2, -2.9), (1.5, 0), (3, 0)])  # first under 0.2 s
    weak = through([(0, 0), (1.0, 0), (1.3, 0.09), (1.4, -2.9), (1.8, 0), (3, 0)])  # first under 0.1 g
    for t, values in (slow, short, weak):
        found = judged(t, load("+Gy", values), "f2291_reversal_y", opts)
        assert (found.value, found.note) == (0.0, "no reversal that quick")
    # The same peaks 0.15 s apart with a pause between them, but no change of sign in it, are a reversal.
    t, values = apart
    assert judged(t, load("+Gy", values), "f2291_reversal_y", opts).value > 0.5


@pytest.mark.parametrize(
    ("duration", "limit"), [(0.2, 5.0), (1.0, 5.0), (1.75, 4.5), (2.25, 3.0), (3.0, 2.0)]
)
def test_that_a_long_negative_load_lowers_the_limit_of_the_positive(duration, limit):
    for part, verdict in VERDICTS:
        times, values = plateau(part * limit, duration)
        step, values = times[1], np.trim_zeros(values)
        t = np.arange(0.0, 12.0, step)
        record = np.where((t > 1.0) & (t < 4.1), -0.5, 0.0)
        start = np.searchsorted(t, 5.0)
        record[start : start + len(values)] = values
        found = judged(t, load("+Gz", record), "f2291_+Gz_after_-Gz", options())
        assert found.verdict == verdict
        assert found.value == pytest.approx(part, abs=2e-3)
        assert bool(found.exceeded) == (part > 1.0)


def test_that_the_lower_limit_needs_three_seconds_and_ends_after_six():
    def value(negative, later):
        t = np.arange(0.0, 20.0, 0.005)
        record = np.where((t > 1.0) & (t < 1.0 + negative), -0.5, 0.0)
        record += np.where((t > 1.0 + negative + later) & (t < 3.0 + negative + later), 3.5, 0.0)
        return judged(t, load("+Gz", record), "f2291_+Gz_after_-Gz", options()).value

    assert value(2.9, 1.0) == 0.0
    assert value(3.1, 1.0) == pytest.approx(3.5 / 4.0, rel=0.01)
    assert value(3.1, 6.1) == pytest.approx(0.0, abs=1e-9)


def test_that_the_rise_from_zero_to_two_gz_has_an_onset_limit():
    for part, verdict in VERDICTS:
        top = 1.5 + 3.0 / (part * 15.0)
        t, values = through([(0, 0), (1.5, 0), (top, 3.0), (4, 3.0)])
        found = judged(t, load("+Gz", values), "f2291_onset_Gz", options())
        assert found.verdict == verdict
        assert found.value == pytest.approx(part * 15.0, rel=5e-3)
        assert found.exceeded == (
            () if part < 1.0 else (pytest.approx((1.5, 1.5 + 2.0 / (part * 15.0)), abs=2e-3),)
        )


def test_that_only_direct_rises_from_a_held_unload_are_transitions():
    opts = options()
    brief = [(0, 1), (1.0, 1), (1.1, -0.5), (1.15, -0.5), (1.3, 3.0), (4, 3.0)]
    low = [(0, 0), (1.5, 0), (1.55, 1.9), (4, 1.9)]
    for corners in (brief, low):
        found = judged(*_record(corners), "f2291_onset_Gz", opts)
        assert (found.value, found.note) == (0.0, "no such transition")
    # Up to 1 g, back to 0.9 g for two seconds, then a second steep rise: the transition took 2.2 s.
    stepped = [(0, 0), (1.5, 0), (1.55, 1.0), (2.0, 0.9), (3.6, 0.9), (3.7, 3.0), (5, 3.0)]
    found = judged(*_record(stepped), "f2291_onset_Gz", opts)
    assert found.value == pytest.approx(2.0 / (3.6 + 0.1 * 1.1 / 2.1 - 1.5), rel=1e-3)


def _record(corners):
    t, values = through(corners)
    return t, load("+Gz", values)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("sign", ["+", "-"])
def test_that_the_onset_of_every_axis_is_compared_with_the_design_value(axis, sign):
    for part, verdict in VERDICTS:
        t, values = through([(0, 0), (1, 0), (1.2, part * 3.0), (2, part * 3.0)])
        found = judged(t, load(f"{sign}G{axis}", values), f"f2291_jerk_{axis}", options())
        assert found.verdict == verdict
        assert found.value == pytest.approx(part * 15.0, rel=1e-9)
        assert found.confidence == "medium"
        assert "not confirmed" in found.title
        assert "not confirmed" in found.verdict_text


def test_that_an_onset_is_the_least_squares_slope():
    rng = np.random.default_rng(5)
    t = 7.0 + np.arange(3000) / 500.0
    x = 3.0 + 0.4 * np.cumsum(rng.standard_normal(3000)) + 2.0 * t
    slope = onset_rate(t, x)
    for k in (25, 400, 1777, 2974):
        fit = np.polyfit(t[k - 25 : k + 26] - t[k], x[k - 25 : k + 26], 1)[0]
        assert slope[k] == pytest.approx(fit, rel=1e-7)
    assert (slope[:25] == slope[25]).all()
    with pytest.raises(InputError, match="shorter"):
        onset_rate(t[:20], x[:20])


def test_that_a_steep_onset_takes_the_kinder_curve_away():
    for ramp, curve, limit in ((0.3, "-Gx_prone", 3.5), (0.15, "-Gx_OTS", 2.0)):
        t, values = through([(0, 0), (1, 0), (1 + ramp, 3.0), (2 + ramp, 3.0), (3 + ramp, 0), (6, 0)])
        found = judged(t, load("-Gx", values), "f2291_-Gx", options(restraint="prone"))
        assert found.rule.startswith(f"F2291 {curve}")
        assert found.limit == pytest.approx(limit)
    for ramp, limit in ((0.5, 2.0), (0.3, 1.5)):
        t, values = through([(0, 0), (1, 0), (1 + ramp, 1.8), (2 + ramp, 1.8), (3 + ramp, 0), (6, 0)])
        found = judged(t, load("+Gx", values), "f2291_+Gx", options(headrest=False))
        assert found.limit == pytest.approx(limit)
        assert "onset" in found.note
        assert found.confidence == "medium"


#: One load (Gx, Gz) for each class by the transcribed areas, and on both sides of borders.
AREAS = {
    1: [(0.0, 1.0), (-0.2, 0.8), (0.3, 0.5), (0.2, 0.7)],
    2: [(-0.21, 1.0), (-0.7, 2.0), (0.19, 0.5), (-0.7, 0.3)],
    3: [(-0.71, 1.0), (-1.2, 0.3), (0.0, 0.1), (-0.3, 0.1)],
    4: [(-1.21, 1.0), (-0.5, 0.1), (0.5, -0.1), (0.0, 0.0)],
    5: [(0.0, -0.2), (2.0, -1.0), (0.3, -0.1), (-1.0, -0.1)],
}


def test_that_every_load_demands_one_class_of_restraint():
    rule = load_table("astm_f2291").zones
    for wanted, loads in AREAS.items():
        gx, gz = np.array(loads).T
        if wanted == 4:
            gz = np.where(gz == 0.0, 0.0, gz)
        assert demanded_class(rule, gx, gz).tolist() == [wanted] * len(loads)
    gx, gz = np.meshgrid(np.linspace(-3.0, 3.0, 241), np.linspace(-3.0, 6.0, 361))
    everywhere = demanded_class(rule, gx.ravel(), gz.ravel()).reshape(gx.shape)
    assert everywhere.min() == 1
    # More lift and more forward throw never ask for less.
    assert (np.diff(everywhere, axis=0) <= 0).all()
    assert (np.diff(everywhere, axis=1) <= 0).all()


@pytest.mark.parametrize("wanted", [2, 3, 4, 5])
def test_that_the_class_demanded_is_the_highest_one_held(wanted):
    t = np.arange(0.0, 5.0, 0.002)
    a = np.tile([0.1, 0.0, 1.0], (t.size, 1))
    gx, gz = AREAS[wanted][0]
    for held, demanded in ((0.21, wanted), (0.18, 1)):
        b = a.copy()
        inside = (t > 2.0) & (t < 2.0 + held)
        b[inside, 0], b[inside, 2] = gx, gz
        for built_in, verdict in ((wanted, "inside"), (wanted - 1, "outside" if held > 0.2 else "inside")):
            found = judged(t, b, "f2291_restraint_class", options(restraint_class=built_in))
            assert (found.value, found.limit, found.verdict) == (demanded, built_in, verdict)
            assert bool(found.exceeded) == (verdict == "outside")
    unnamed = judged(t, b, "f2291_restraint_class", options())
    assert (unnamed.value, unnamed.limit, unnamed.verdict) == (1.0, None, "not applicable")


def test_that_a_small_patron_is_named_where_the_limits_are_not_stated_for_him():
    t, values = plateau(1.0, 2.0)
    for height, said in ((1.1, True), (1.3, False)):
        found = judged(t, load("+Gz", values), "f2291_+Gz", options(patron_height=height))
        assert ("1.22 m" in found.note) == said


def test_that_a_record_without_gravity_or_too_short_is_refused_politely():
    ids = [f"f2291_{x}" for x in ("+Gz", "egg_GyGz", "reversal_y", "onset_Gz", "jerk_x", "restraint_class")]
    t = np.arange(0.0, 3.0, 0.002)
    for found in evaluate_history(History(t, np.ones((t.size, 3)), contains_gravity=False), ids, options()):
        assert (found.value, found.verdict) == (None, "not applicable")
        assert "gravity" in found.note
    short = History(t[:40], np.ones((40, 3)))
    refused = {r.criterion: r.note for r in evaluate_history(short, ids, options()) if r.value is None}
    assert set(refused) == {"f2291_+Gz", "f2291_egg_GyGz", "f2291_onset_Gz", "f2291_jerk_x"}
    assert "begins at 0.2 s" in refused["f2291_+Gz"]
    assert "shorter than" in refused["f2291_jerk_x"]
