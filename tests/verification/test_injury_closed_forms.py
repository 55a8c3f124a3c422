"""Head injury criterion and 3 ms clip against closed forms (pulses of known shape) and published limits."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.injury.criteria.clip_3ms import cumulative_clip
from ridewright.core.injury.criteria.hic import hic
from ridewright.core.injury.held_level import exceedance
from ridewright.core.injury.limits import ScalarLimits, load_limits

RATE = 10_000.0
A = 87.3  # g
# Half-sine: the optimum solves tan x = 5x/3 for half the phase; haversine: u sin u terms, optimum from u0.
HALF_SINE_X0 = 1.0527943
HAVERSINE = 0.3029389


def pulse(shape, duration, before=0.0137, after=0.0211):
    """A pulse of unit height between two quiet stretches, 10 kHz, its start not on a sample of the window search."""
    n = round((before + duration + after) * RATE) + 1
    t = np.arange(n) / RATE
    u = (t - before) / duration
    return t, np.where((u >= 0.0) & (u <= 1.0), A * shape(np.clip(u, 0.0, 1.0)), 0.0)


def half_sine(u):
    return np.sin(np.pi * u)


def haversine(u):
    return 0.5 * (1.0 - np.cos(2.0 * np.pi * u))


def triangle(peak):
    return lambda u: np.where(u < peak, u / peak, (1.0 - u) / (1.0 - peak))


def scaled(t, a, window, duration, method="exact"):
    found = hic(t, np.maximum(a, 0.0), window, method)
    return found, found.value / (A**2.5 * duration)


@pytest.mark.parametrize("window", [0.015, 0.036, 0.0123456])
def test_that_a_rectangle_gives_its_height_and_the_shorter_of_pulse_and_window(window):
    t = np.arange(501) / RATE  # 50 ms, longer than every window
    assert hic(t, np.full(t.size, A), window).value == pytest.approx(A**2.5 * window, rel=1e-12)
    short = np.arange(121) / RATE
    expected = A**2.5 * min(0.012, window)
    assert hic(short, np.full(short.size, A), window).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("peak", [0.5, 0.2, 0.81])
def test_that_a_triangle_of_any_skew_reaches_its_closed_form(peak):
    t, a = pulse(triangle(peak), 0.02)
    found, value = scaled(t, a, 0.036, 0.02)
    r = 4.0 / 7.0
    assert value == pytest.approx(r * (1.0 - r / 2.0) ** 2.5, rel=1e-10)
    assert value == pytest.approx(0.2464007, rel=3e-7)
    assert found.t2 - found.t1 == pytest.approx(r * 0.02, rel=1e-9)


def test_that_a_binding_window_on_a_triangle_reaches_its_closed_form():
    t, a = pulse(triangle(0.3), 0.06)
    r = 0.015 / 0.06
    assert scaled(t, a, 0.015, 0.06)[1] == pytest.approx(r * (1.0 - r / 2.0) ** 2.5, rel=1e-10)


@pytest.mark.parametrize("duration", [0.010, 0.0213, 0.05])
def test_that_smooth_pulses_reach_their_closed_form_with_cubic_interpolation(duration):
    t, a = pulse(half_sine, duration)
    coefficient = 2.0 / np.pi * np.sin(HALF_SINE_X0) ** 2.5 / HALF_SINE_X0**1.5
    found, value = scaled(t, a, 0.036, duration, "smooth")
    assert coefficient == pytest.approx(0.4146456, rel=2e-7)  # published with seven digits
    assert value == pytest.approx(coefficient, rel=1e-6)
    assert found.t2 - found.t1 == pytest.approx(0.670229 * duration, abs=2.0 / RATE / 32)
    t, a = pulse(haversine, duration)
    assert scaled(t, a, 0.036, duration, "smooth")[1] == pytest.approx(HAVERSINE, rel=1e-6)


@pytest.mark.parametrize("window", [0.015, 0.036])
def test_that_a_binding_window_on_a_half_sine_reaches_its_closed_form(window):
    duration = 0.1
    x = np.pi * window / (2.0 * duration)
    expected = 2.0 / np.pi * np.sin(x) ** 2.5 / x**1.5
    t, a = pulse(half_sine, duration)
    assert scaled(t, a, window, duration, "smooth")[1] == pytest.approx(expected, rel=1e-6)


def test_that_a_binding_window_on_a_haversine_reaches_its_closed_form():
    u = np.pi * 0.015 / 0.1
    expected = (u + np.sin(u)) ** 2.5 * u**-1.5 / (2.0**2.5 * np.pi)
    t, a = pulse(haversine, 0.1)
    assert scaled(t, a, 0.015, 0.1, "smooth")[1] == pytest.approx(expected, rel=1e-6)


def test_that_long_smooth_pulses_reach_their_closed_form_without_interpolation():
    coefficient = 2.0 / np.pi * np.sin(HALF_SINE_X0) ** 2.5 / HALF_SINE_X0**1.5
    t, a = pulse(half_sine, 0.5)
    assert scaled(t, a, 0.5, 0.5)[1] == pytest.approx(coefficient, rel=1e-6)
    t, a = pulse(haversine, 0.5)
    assert scaled(t, a, 0.5, 0.5)[1] == pytest.approx(HAVERSINE, rel=1e-6)


def test_that_the_trapezoid_error_on_a_smooth_pulse_is_of_second_order():
    coefficient = 2.0 / np.pi * np.sin(HALF_SINE_X0) ** 2.5 / HALF_SINE_X0**1.5
    errors = []
    for samples in (50, 100, 200):
        t = np.arange(samples + 1) * 0.02 / samples
        a = A * np.sin(np.pi * t / 0.02).clip(0.0)
        errors.append(1.0 - hic(t, a, 0.036).value / (A**2.5 * 0.02 * coefficient))
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    assert orders == pytest.approx([2.0, 2.0], abs=0.05)


@pytest.mark.parametrize("shape", [half_sine, haversine, triangle(0.35)])
def test_that_at_the_optimum_both_ends_are_six_tenths_of_the_mean(shape):
    t, a = pulse(shape, 0.0173)
    found = hic(t, np.maximum(a, 0.0), 0.036)
    mean = (found.value / (found.t2 - found.t1)) ** 0.4
    assert np.interp([found.t1, found.t2], t, a) == pytest.approx([0.6 * mean] * 2, rel=1e-8)


def test_that_two_half_sines_give_the_published_clips():
    t = np.arange(401) / RATE
    a = np.zeros(t.size)
    for start in (0.005, 0.025):
        u = (t - start) / 0.004
        a += np.where((u > 0.0) & (u < 1.0), 100.0 * np.sin(np.pi * u), 0.0)
    held, total = exceedance(t, a), cumulative_clip(t, a)
    assert held.level == pytest.approx(38.268, abs=5e-4)
    assert held.level == pytest.approx(100.0 * np.sin(np.pi / 8.0), rel=1e-9)  # ends on samples
    # The crossings at 1.25 ms lie between samples: linear interpolation of a sine is low by up to (pi h / T)^2 / 8.
    assert total.level == pytest.approx(100.0 * np.sin(np.pi * 1.25 / 4.0), rel=(np.pi / 40.0) ** 2 / 8.0)
    assert len(total.intervals) == 2
    assert sum(end - start for start, end in total.intervals) == pytest.approx(0.003, rel=1e-9)
    fine = np.linspace(0.0, 0.04, 40_001)
    both = sum(100.0 * np.sin(np.pi * np.clip((fine - s) / 0.004, 0.0, 1.0)) for s in (0.005, 0.025))
    assert cumulative_clip(fine, both).level == pytest.approx(83.147, abs=5e-4)


def test_that_the_limits_are_those_of_the_thesis():
    limits = load_limits("hic_3ms", ScalarLimits)
    assert (limits.get("hic36").value, limits.get("head_3ms").value) == (1000.0, 80.0)


def test_that_the_values_of_the_thesis_respect_the_bound_by_the_peak():
    # GateKeeper: 3 ms level 7.4 g, HIC 4.9; HIC36 cannot exceed 0.036 a^2.5 (Viegas 2016, section 5.3).
    t = np.arange(0.0, 0.2, 1e-3)
    bound = hic(t, np.full(t.size, 7.4), 0.036).value
    assert bound == pytest.approx(0.036 * 7.4**2.5, rel=1e-9)
    assert bound > 4.9
