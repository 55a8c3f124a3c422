"""Filters against published coefficients, closed-form frequency responses and scipy's own designs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import butter, lfilter, sosfreqz

from ridewright.core.base.errors import InputError
from ridewright.core.injury.criteria.base import Signals
from ridewright.core.injury.evaluate import evaluate_history
from ridewright.core.injury.filters import (
    apply_filter,
    cfc_coefficients,
    cfc_filter,
    recursion,
    ride_filter,
    ride_sections,
)
from ridewright.core.injury.grid import is_uniform, resample_uniform, uniform_rate
from ridewright.core.injury.history import History
from ridewright.core.injury.measured import conditioned

RATE = 10_000.0


def gain_at(filtered, t, frequency, keep):
    """Amplitude of a frequency in the middle of a record, by least squares."""
    basis = np.column_stack([np.cos(2 * np.pi * frequency * t), np.sin(2 * np.pi * frequency * t)])[keep]
    return np.linalg.norm(np.linalg.lstsq(basis, filtered[keep], rcond=None)[0])


@pytest.mark.parametrize(
    ("cfc", "a0", "b1", "b2"),
    [
        (180, 0.011796271099778452, 1.670117463267827, -0.7173025476669411),
        (1000, 0.2192314172190018, 0.31189654499598496, -0.18882221387199213),
    ],
)
def test_that_the_coefficients_are_those_of_j211(cfc, a0, b1, b2):
    assert cfc_coefficients(cfc, RATE) == pytest.approx((a0, 2.0 * a0, a0, b1, b2), abs=1e-12)


@pytest.mark.parametrize("cfc", [60, 180, 600, 1000])
def test_that_one_pass_is_a_butterworth_filter_at_the_design_frequency(cfc):
    a0, a1, a2, b1, b2 = cfc_coefficients(cfc, 20_000.0)
    b, a = butter(2, 2.0775 * cfc, fs=20_000.0)
    assert (a0, a1, a2) == pytest.approx(b, rel=1e-11)
    assert (1.0, -b1, -b2) == pytest.approx(a, rel=1e-11)


@pytest.mark.parametrize("cfc", [60, 180, 600, 1000])
def test_that_the_channel_class_is_three_decibels_down_at_its_corner_and_has_no_phase(cfc):
    rate = 150_000.0  # fast enough that the warping of the bilinear transform does not move the corner
    t = np.arange(int(0.3 * rate)) / rate
    keep = (t > 0.1) & (t < 0.2)
    for frequency, decibel in ((cfc / 0.6, -3.01), (2.0775 * cfc, -6.02), (cfc / 10.0, 0.0)):
        x = np.sin(2 * np.pi * frequency * t + 0.3)
        y = cfc_filter(t, x, cfc)
        gain = gain_at(y, t, frequency, keep)
        assert 20.0 * np.log10(gain) == pytest.approx(decibel, abs=0.03)
        assert y[keep] == pytest.approx(gain * x[keep], abs=1e-6)


def test_that_the_ride_filter_is_four_poles_at_five_hertz():
    assert np.allclose(
        sosfreqz(ride_sections(500.0), worN=np.linspace(0.01, 3.0, 50))[1],
        sosfreqz(butter(4, 5.0, fs=500.0, output="sos"), worN=np.linspace(0.01, 3.0, 50))[1],
        rtol=1e-9,
        atol=1e-15,
    )
    t = np.arange(4000) / 500.0
    y = ride_filter(t, np.sin(2 * np.pi * 5.0 * t))
    assert gain_at(y, t, 5.0, t > 4.0) == pytest.approx(np.sqrt(0.5), rel=1e-6)


def test_that_the_ride_filter_delays_a_slow_ramp_by_its_published_delay():
    t = np.arange(50_000) / 5000.0
    y = ride_filter(t, 0.7 * t)
    assert (t - y / 0.7)[-1] == pytest.approx(0.08318, abs=1e-5)


def test_that_the_ride_filter_looks_back_only():
    t = np.arange(1000) / 500.0
    x = np.where(t < 1.0, 1.0, 3.0)
    assert ride_filter(t, x)[t < 1.0] == pytest.approx(np.ones(500), rel=1e-12)
    assert ride_filter(t, x)[-1] == pytest.approx(3.0, rel=1e-6)


@pytest.mark.parametrize("name", ["none", "5 Hz", "CFC60", "CFC180", "CFC600", "CFC1000"])
def test_that_a_constant_stays_and_columns_do_not_mix(name):
    t = np.arange(700) / RATE + 5.0
    rng = np.random.default_rng(3)
    x = np.column_stack([np.full(t.size, -1.7), rng.standard_normal(t.size), np.cos(30.0 * t)])
    y = apply_filter(t, x, name)
    assert y[:, 0] == pytest.approx(x[:, 0], rel=1e-9)
    assert y[:, 1] == pytest.approx(apply_filter(t, x[:, 1], name), abs=1e-13)


def test_that_point_reflection_keeps_a_straight_line_straight_at_the_ends():
    t = np.arange(900) / RATE
    assert cfc_filter(t, 3.0 + 40.0 * t, 180) == pytest.approx(3.0 + 40.0 * t, abs=1e-5)


def test_that_a_record_shorter_than_the_padding_is_filtered():
    t = np.arange(5) / RATE
    assert cfc_filter(t, np.full(5, 2.5), 60) == pytest.approx(np.full(5, 2.5))


def test_that_too_slow_or_uneven_records_are_refused_with_the_rule():
    t = np.arange(100) / 9_900.0
    with pytest.raises(InputError, match="10000 samples per second"):
        cfc_filter(t, t, 1000)
    with pytest.raises(InputError, match="50 samples per second"):
        ride_filter(np.arange(50) / 40.0, np.ones(50))
    with pytest.raises(InputError, match="resample_uniform"):
        cfc_filter(np.delete(t, 50), np.delete(t, 50), 60)
    with pytest.raises(InputError, match="CFC100"):
        cfc_coefficients(100, RATE)
    with pytest.raises(InputError, match="Unknown filter"):
        apply_filter(t, t, "CFC 60")


def test_that_rounded_times_count_as_uniform_and_missing_samples_do_not():
    t = np.round(np.arange(3000) / 3000.0, 6)
    assert is_uniform(t)
    assert uniform_rate(t) == pytest.approx(3000.0, rel=1e-6)
    assert not is_uniform(np.delete(t, 700))


def test_that_resampling_keeps_ends_and_straight_lines():
    t = np.sort(np.random.default_rng(5).uniform(2.0, 9.0, 400))
    even, x = resample_uniform(t, np.column_stack([3.0 * t - 1.0, -t]), 250.0)
    assert is_uniform(even)
    assert (even[0], even[-1]) == (t[0], t[-1])
    assert uniform_rate(even) == pytest.approx(250.0, rel=1e-3)
    assert x == pytest.approx(np.column_stack([3.0 * even - 1.0, -even]), abs=1e-12)
    with pytest.raises(InputError, match="samples"):
        resample_uniform([0.0, 1e-9, 1.0], [0.0, 0.0, 0.0], 1e9)


@pytest.mark.parametrize("name", ["5 Hz", "CFC60"])
@pytest.mark.parametrize("uneven", [False, True])
def test_that_a_finer_grid_does_not_make_a_slow_record_fast_enough(name, uneven):
    """Values laid between the samples say nothing new: filters go by the rate that was recorded."""
    least = {"5 Hz": 50.0, "CFC60": 600.0}[name]
    slow = np.arange(0.0, 12.0, 1.0 / (0.21 * least))
    t = slow
    if uneven:  # more than half of the samples are fast, and most of the time is not
        t = np.unique(np.concatenate([slow, np.arange(0.0, 2.0, 0.5 / least)]))
    a = np.column_stack([np.sin(t), np.cos(t), 1.0 + 0.1 * t])
    rates = np.column_stack([t, t, t])
    history = History.resampled(t, a, rate=4.0 * least if uneven else None, rotation_rate=rates)
    assert history.own_rate == pytest.approx(0.21 * least, rel=0.01)
    fine = conditioned(history, rate=4.0 * least)
    again = conditioned(conditioned(fine, rate=2.0 * least), rate=8.0 * least)
    for one in (fine, again):
        with pytest.raises(InputError, match=f"the record has {0.21 * least:.3g}"):
            Signals(one).acceleration(name)
        judged = evaluate_history(one)
        through = [r for r in judged if r.signal.filter == name]
        assert through
        assert all(r.value is None for r in through)
    # A few gaps in a fast record do not make it slow.
    fast = np.arange(0.0, 12.0, 0.2 / least)
    holed = fast[(fast < 3.0) | (fast > 4.0)]
    whole = History.resampled(holed, np.ones((holed.size, 3)))
    assert whole.own_rate == pytest.approx(5.0 * least, rel=0.01)
    assert Signals(whole).acceleration(name).shape == whole.acceleration.shape


@pytest.mark.parametrize("samples", [1, 2, 3, 400])
def test_that_a_recursion_gives_what_a_library_of_signals_finds(samples: int) -> None:
    rng = np.random.default_rng(5)
    numerator, denominator = np.array([0.2, 0.5, 0.1]), np.array([1.0, -1.6, 0.7])
    x, state = rng.normal(size=(samples, 3)), rng.normal(size=(2, 3))
    expected = lfilter(numerator, denominator, x, axis=0, zi=state)[0]
    np.testing.assert_allclose(recursion(numerator, denominator, x, state), expected, atol=1e-12)
