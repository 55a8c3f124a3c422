"""HIC search against brute force over all windows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from ridewright.core.base.errors import InputError
from ridewright.core.injury.criteria.hic import hic

RATE = 10_000.0


def brute_force(t, a, window):
    """All windows between samples, one by one in numpy: (value, t1, t2)."""
    V = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (a[1:] + a[:-1]))])
    length = t[None, :] - t[:, None]
    allowed = (length > 0.0) & (length <= window * (1.0 + 1e-9))
    value = np.where(allowed, (V[None, :] - V[:, None]).clip(0.0) ** 2.5, 0.0)
    value = np.divide(value, np.abs(length) ** 1.5, out=np.zeros_like(value), where=allowed)
    i, j = np.unravel_index(np.argmax(value), value.shape)
    return value[i, j], t[i], t[j]


def value_of(t, a, t1, t2):
    inside = t[(t > t1) & (t < t2)]
    nodes = np.concatenate([[t1], inside, [t2]])
    return np.trapezoid(np.interp(nodes, t, a), nodes) ** 2.5 / (t2 - t1) ** 1.5


def random_signal(seed, n=400):
    rng = np.random.default_rng(seed)
    kind = seed % 4
    noise = np.abs(rng.standard_normal(n)) * 20.0
    if kind == 1:
        noise = np.convolve(noise, np.ones(9) / 9.0, "same")
    elif kind == 2:
        noise = np.abs(np.cumsum(rng.standard_normal(n)))
    elif kind == 3:
        noise = noise * (rng.random(n) < 0.03) + 1.0
    return np.arange(n) / RATE + 3.7, noise


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("window", [0.003, 0.015, 0.036])
def test_that_windows_between_samples_match_brute_force(seed, window):
    t, a = random_signal(seed)
    found = hic(t, a, window, "samples")
    value, t1, t2 = brute_force(t, a, window)
    assert found.value == pytest.approx(value, rel=1e-10)
    assert (found.t1, found.t2) == pytest.approx((t1, t2), abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("window", [0.00437, 0.0151234, 0.05])
def test_that_no_window_anywhere_beats_the_exact_one(seed, window):
    t, a = random_signal(seed, 120)
    found = hic(t, a, window)
    assert value_of(t, a, found.t1, found.t2) == pytest.approx(found.value, rel=1e-9)
    assert found.t2 - found.t1 <= window * (1.0 + 1e-9)
    # The same record with nine points between samples: a dense net of windows.
    fine = np.linspace(t[0], t[-1], 10 * (t.size - 1) + 1)
    net, t1, t2 = brute_force(fine, np.interp(fine, t, a), window)
    assert found.value >= net * (1.0 - 1e-12)
    assert found.value <= net * 1.02

    def loss(ends):
        start, length = ends
        if length <= 1e-5 or length > window or start < t[0] or start + length > t[-1]:
            return 0.0
        return -value_of(t, a, start, start + length)

    polished = minimize(loss, [t1, t2 - t1], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12})
    assert found.value >= -polished.fun * (1.0 - 1e-10)


def test_that_a_spike_at_either_end_of_the_record_is_found():
    t = np.arange(100) / RATE
    a = np.exp(-np.arange(100.0) / 7.0) * 50.0
    first, last = hic(t, a, 0.015), hic(t, a[::-1], 0.015)
    assert first.value == pytest.approx(last.value, rel=1e-12)
    assert first.t1 == 0.0
    assert last.t2 == pytest.approx(t[-1], rel=1e-12)
    # One end is the end of the record, at the other a = 0.6 mean.
    mean = (first.value / (first.t2 - first.t1)) ** 0.4
    assert np.interp(first.t2, t, a) == pytest.approx(0.6 * mean, rel=1e-9)
    assert first.value > brute_force(t, a, 0.015)[0]


def test_that_hic_scales_with_the_power_and_does_not_move_in_time():
    t, a = random_signal(5)
    base = hic(t, a, 0.015)
    assert hic(t - 100.0, 2.0 * a, 0.015).value == pytest.approx(2.0**2.5 * base.value, rel=1e-7)
    assert hic(t, a, 0.036).value >= base.value


def test_that_a_record_shorter_than_the_window_is_judged_as_it_is():
    t, a = random_signal(2, 40)
    assert hic(t, a, 0.036, "samples").value == pytest.approx(brute_force(t, a, 0.036)[0], rel=1e-10)


@pytest.mark.parametrize(
    ("time", "a", "window", "words"),
    [
        (np.array([0.0, 1.0, 3.0]), np.ones(3), 2.0, "resample_uniform"),
        (np.arange(3.0), np.array([1.0, -1.0, 1.0]), 2.0, "negative"),
        (np.arange(3.0), np.ones(3), 0.5, "window"),
        (np.arange(3.0), np.ones((3, 3)), 2.0, "resultant"),
        (np.arange(3.0), np.array([1.0, np.nan, 1.0]), 2.0, "sample 2"),
        (np.array([0.0, 2.0, 1.0]), np.ones(3), 2.0, "sample 3"),
    ],
)
def test_that_unusable_records_are_refused(time, a, window, words):
    with pytest.raises(InputError, match=words):
        hic(time, a, window)
