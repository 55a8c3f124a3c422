"""Held levels, clips and sustained g against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.injury.criteria.clip_3ms import cumulative_clip
from ridewright.core.injury.criteria.sustained import sustained_g
from ridewright.core.injury.held_level import duration_grid, exceedance, held_levels
from ridewright.core.injury.limits import CurveSet, load_limits


def minimum_over(t, x, start, duration):
    """Least value of the record, linear between samples, over [start, start + duration]."""
    inside = x[(t > start) & (t < start + duration)]
    ends = np.interp([start, start + duration], t, x)
    return min(ends.min(), inside.min(initial=np.inf))


def brute_force(t, x, duration):
    """Held level: starts on breakpoints of the sliding minimum, and on a dense net between them."""
    starts = np.unique(np.concatenate([t, t - duration, np.linspace(t[0], t[-1] - duration, 4000)]))
    starts = starts[(starts >= t[0]) & (starts + duration <= t[-1] + 1e-15)]
    return max(minimum_over(t, x, s, duration) for s in starts)


def record(seed, n=60, uneven=False):
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.2, 1.8, n)) if uneven else 0.3 + np.arange(n) * 0.7
    x = rng.integers(-3, 4, n).astype(float) if seed % 3 == 0 else np.cumsum(rng.standard_normal(n))
    return t, x


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("uneven", [False, True])
def test_that_held_levels_match_brute_force(seed, uneven):
    t, x = record(seed, uneven=uneven)
    durations = np.array([0.05, 0.35, 0.7, 1.0, 1.4, 2.9, 7.7, 20.0])
    level, start, end = held_levels(t, x, durations)
    for k, duration in enumerate(durations):
        rough = brute_force(t, x, duration)
        # The net may miss the optimum by slope times half its pitch; the held level may never lie below it.
        slope = np.abs(np.diff(x) / np.diff(t)).max()
        pitch = (t[-1] - t[0]) / 4000
        assert rough - 1e-12 <= level[k] <= rough + slope * pitch
        assert end[k] - start[k] >= duration - 1e-9
        assert minimum_over(t, x, start[k], end[k] - start[k]) == pytest.approx(level[k], abs=1e-9)


def test_that_levels_fall_with_duration_and_end_at_the_minimum():
    t, x = record(4, 300)
    length = t[-1] - t[0]
    level, _, _ = held_levels(t, x, [0.1, 1.0, 10.0, length, 2.0 * length])
    assert (np.diff(level[:4]) <= 0.0).all()
    assert level[3] == x.min()
    assert np.isnan(level[4])


def test_that_one_pass_for_many_durations_equals_one_pass_each():
    t, x = record(7, 200, uneven=True)
    durations = np.geomspace(0.1, 80.0, 37)
    together = held_levels(t, x, durations)[0]
    assert together == pytest.approx([exceedance(t, x, d).level for d in durations], abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_that_the_cumulative_clip_is_exceeded_for_just_that_time(seed):
    t, x = record(seed, 80, uneven=True)
    for duration in (0.01, 1.3, 17.0):
        clip = cumulative_clip(t, x, duration)
        fine = np.linspace(t[0], t[-1], 400_001)
        values = np.interp(fine, t, x)
        step = fine[1] - fine[0]
        assert (values >= clip.level - 1e-9).sum() * step >= duration - 100.0 * step
        assert (values > clip.level + 1e-9).sum() * step <= duration + 100.0 * step
        assert clip.level >= exceedance(t, x, duration).level - 1e-12
        if seed % 3:
            assert sum(b - a for a, b in clip.intervals) == pytest.approx(duration, rel=1e-9)


def test_that_a_plateau_is_held_for_its_whole_length():
    t = np.arange(11.0)
    x = np.array([0.0, 0.0, 1.0, 5.0, 5.0, 5.0, 5.0, 1.0, 0.0, 0.0, 0.0])
    assert exceedance(t, x, 3.0).level == 5.0
    assert cumulative_clip(t, x, 3.0).level == 5.0
    # One second more than the plateau: both flanks have slope 4 per second, so the level falls by 2.
    assert exceedance(t, x, 4.0).level == pytest.approx(3.0)
    assert cumulative_clip(t, x, 4.0).level == pytest.approx(3.0)


def test_that_a_sine_is_held_at_its_closed_form():
    t = np.linspace(0.0, 10.0, 100_001)
    gz = 1.0 + 2.0 * np.sin(0.8 * t)
    acceleration = np.column_stack([0.1 * t, -0.2 * t, gz])
    durations = np.array([0.1, 0.5, 1.7, 3.0])
    up = sustained_g(t, acceleration, "+Gz", durations=durations)
    assert up.level == pytest.approx(1.0 + 2.0 * np.cos(0.4 * durations), abs=1e-7)
    assert 0.5 * (up.start + up.end) == pytest.approx(np.full(4, np.arcsin(1.0) / 0.8), abs=1e-6)
    down = sustained_g(t, acceleration, "-Gz", durations=durations)
    assert down.level == pytest.approx(-1.0 + 2.0 * np.cos(0.4 * durations), abs=1e-7)
    right = sustained_g(t, acceleration, "-Gy", durations=durations)
    assert right.level == pytest.approx(0.2 * (10.0 - durations), rel=1e-12)


def test_that_the_worst_duration_is_where_the_margin_is_least():
    # 10 g for 30 s after 20 g for 0.1 s: harmless when short, above the recalled 6 to 9 g when long.
    t = np.arange(0.0, 60.0, 0.01)
    gz = np.where(t < 0.1, 20.0, np.where(t < 30.1, 10.0, 1.0))
    limits = load_limits("sustained_g_brulle", CurveSet)
    curve = sustained_g(t, np.column_stack([0.0 * t, 0.0 * t, gz]), "+Gz", limits)
    assert curve.limit is not None
    assert curve.margin is not None
    assert curve.margin[curve.worst] == curve.margin.min() < 0.0
    assert 25.0 < curve.duration[curve.worst] < 30.2  # the grid has 20 durations per decade
    assert curve.margin == pytest.approx(1.0 - curve.level / curve.limit)
    assert sustained_g(t, np.zeros((t.size, 3)), "+Gy", limits).limit is None


def test_that_the_limit_curve_is_straight_over_the_logarithm_and_flat_outside():
    limits = load_limits("sustained_g_brulle", CurveSet)
    assert limits.confidence == "low"
    assert limits.limit("+Gz", [0.01, 0.6, 1800.0, 5000.0]) == pytest.approx([18.0, 18.0, 2.5, 2.5])
    assert limits.limit("-Gx", np.sqrt(0.6 * 1.8)) == pytest.approx(25.0)
    with pytest.raises(InputError, match=r"\+Gy"):
        limits.limit("+Gy", 1.0)


def test_that_the_grid_of_durations_has_the_corners_of_the_curve():
    grid = duration_grid(np.linspace(0.0, 100.0, 11), [0.6, 1.8, 180.0])
    assert grid[0] == pytest.approx(0.01)
    assert grid[-1] == 100.0
    assert {0.6, 1.8} <= set(grid)
    with pytest.raises(InputError, match=r"0\.01 s"):
        duration_grid([0.0, 0.001])


@pytest.mark.parametrize("durations", [[0.0], [-1.0], [2.0, 1.0], [np.nan], []])
def test_that_durations_must_be_positive_and_increasing(durations):
    with pytest.raises(InputError, match="Durations"):
        held_levels(np.arange(5.0), np.ones(5), durations)


def test_that_a_record_shorter_than_the_clip_is_refused():
    for clip in (exceedance, cumulative_clip):
        with pytest.raises(InputError, match="shorter"):
            clip(np.array([0.0, 0.002]), np.ones(2))
        with pytest.raises(InputError, match="positive"):
            clip(np.array([0.0, 0.002]), np.ones(2), 0.0)
