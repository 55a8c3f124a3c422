"""The part of a limit curve that a record uses, and stretches of time, against brute force and closed forms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.injury.grid import as_time
from ridewright.core.injury.held_level import held_levels
from ridewright.core.injury.held_limit import worst_held
from ridewright.core.injury.history import History
from ridewright.core.injury.intervals import above, around, merged


def record(seed, uneven):
    rng = np.random.default_rng(seed)
    t = np.cumsum(rng.uniform(0.2, 1.8, 70)) if uneven else 0.3 + np.arange(70) * 0.7
    # Every third record has plateaus and ties, the others wander.
    x = rng.integers(-3, 5, 70).astype(float) if seed % 3 == 0 else 0.8 * np.cumsum(rng.standard_normal(70))
    return t, x


def curve(seed):
    rng = np.random.default_rng(100 + seed)
    d = np.sort(np.append(rng.uniform(0.5, 15.0, 4), [0.4, 7.0, 7.0]))
    g = np.sort(rng.uniform(0.5, 4.0, 7))[::-1]
    return d, g


def slices(t, x, level):
    """Stretches of {x >= level} of the record, linear between samples, by walking along it."""
    found, start = [], t[0] if x[0] >= level else None
    for k in range(len(t) - 1):
        if (x[k] >= level) != (x[k + 1] >= level):
            at = t[k] + (level - x[k]) / (x[k + 1] - x[k]) * (t[k + 1] - t[k])
            if start is None:
                start = at
            else:
                found.append((start, at))
                start = None
    return found + ([(start, t[-1])] if start is not None else [])


def limit_of(d, g, width):
    """Lower limit at a step, flat beyond the end; infinite below the first duration."""
    if width < d[0]:
        return np.inf
    k = np.searchsorted(d, width, side="right")
    if k == len(d):
        return g[-1]
    return g[k - 1] + (width - d[k - 1]) / (d[k] - d[k - 1]) * (g[k] - g[k - 1])


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("uneven", [False, True])
def test_that_the_part_used_matches_brute_force_over_levels(seed, uneven):
    t, x = record(seed, uneven)
    d, g = curve(seed)
    found = worst_held(t, x, d, g)
    rough, outside = 0.0, np.zeros(4000, dtype=bool)
    fine = np.linspace(t[0], t[-1], 4000)
    for level in np.linspace(1e-6, max(x.max(), 0.1), 1500):
        for a, b in slices(t, x, level):
            limit = limit_of(d, g, b - a)
            rough = max(rough, level / limit)
            if level > limit:
                outside |= (fine >= a) & (fine <= b)
    assert rough <= found.used * (1.0 + 1e-9)
    assert found.used <= rough * 1.05 + 0.01  # the net of levels is coarse, above all where widths jump
    mine = np.zeros(4000, dtype=bool)
    for a, b in found.exceeded:
        mine |= (fine >= a) & (fine <= b)
    assert (outside & ~mine).sum() == 0
    assert (mine & ~outside).sum() <= 25
    assert bool(found.exceeded) == (found.used > 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_that_the_worst_place_holds_what_it_says(seed):
    t, x = record(seed, uneven=seed % 2 == 0)
    d, g = curve(seed)
    found = worst_held(t, x, d, g)
    level, _, _ = held_levels(t, x, [found.duration])
    assert level[0] == pytest.approx(found.level, rel=1e-9)
    assert found.end - found.start == pytest.approx(found.duration, rel=1e-9)
    assert found.used == pytest.approx(found.level / found.limit, rel=1e-12)
    inside = (t > found.start) & (t < found.end)
    assert (np.interp([found.start, found.end], t, x) >= found.level - 1e-9).all()
    assert (x[inside] >= found.level - 1e-9).all()


def test_that_a_triangle_uses_what_the_closed_form_says():
    # Height h, base w: held(D) = h (1 - D / w); against the line c - m D the quotient rises or falls all the way.
    t = np.linspace(0.0, 10.0, 2001)
    h, w = 5.0, 4.0
    x = np.maximum(h * (1.0 - np.abs(t - 5.0) / (0.5 * w)), 0.0)
    found = worst_held(t, x, [1.0, 3.0], [6.0, 1.2])
    quotients = {1.0: h * 0.75 / 6.0, 3.0: h * 0.25 / 1.2}
    assert found.used == pytest.approx(max(quotients.values()), rel=1e-9)
    assert found.duration == pytest.approx(3.0, rel=1e-9)
    # Lowering the curve by half: exceeded for as long as h (1 - D / w) > limit, down to its widest stretch.
    low = worst_held(t, x, [1.0, 3.0], [3.0, 0.6])
    widest = w * (1.0 - 0.6 / h)
    assert low.exceeded == (pytest.approx((5.0 - 0.5 * widest, 5.0 + 0.5 * widest)),)


def test_that_a_record_never_positive_uses_nothing():
    t = np.linspace(0.0, 5.0, 501)
    found = worst_held(t, -1.0 - 0.1 * t, [0.2, 1.0], [2.0, 1.0])
    assert (found.used, found.exceeded, found.limit) == (0.0, (), 2.0)
    assert found.level == pytest.approx(-1.02)


def test_that_the_whole_record_counts_even_where_rounding_makes_it_shorter():
    t = 0.1 * np.arange(11)
    found = worst_held(t, np.full(11, 3.0), [float(t[-1]) * (1.0 + 1e-13)], [2.0])
    assert found.used == 1.5


@pytest.mark.parametrize(
    ("d", "g", "words"),
    [
        ([2.0, 1.0], [3.0, 2.0], "must not decrease"),
        ([1.0, 2.0], [2.0, 3.0], "must not increase"),
        ([1.0], [0.0], "positive"),
        ([], [], "at least one"),
        ([20.0], [1.0], "shorter than"),
    ],
)
def test_that_curves_that_are_none_are_refused(d, g, words):
    with pytest.raises(InputError, match=words):
        worst_held(np.arange(5.0), np.ones(5), d, g)


def test_that_stretches_above_a_level_end_at_the_crossings():
    t = np.linspace(0.0, 4.0 * np.pi, 20_001)
    found = above(t, np.sin(t), 0.5)
    expected = [(np.pi / 6, 5 * np.pi / 6), (2 * np.pi + np.pi / 6, 2 * np.pi + 5 * np.pi / 6)]
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-7)
    assert above(t, np.cos(t), -2.0) == ((t[0], t[-1]),)
    assert above(t, np.sin(t), 1.0) == ()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("uneven", [False, True])
def test_that_the_stretch_around_a_moment_is_the_one_of_all_that_holds_it(seed, uneven):
    t, x = record(seed, uneven)
    for level in (-1.3, 0.0, 0.7, 2.0):
        for moment in (*t, *(0.5 * (t[1:] + t[:-1]))):
            held = [span for span in above(t, x, level) if span[0] <= moment <= span[1]]
            assert around(t, x, level, moment) == (held[0] if held else (moment, moment))


def test_that_stretches_are_merged_to_their_union():
    rng = np.random.default_rng(3)
    starts = rng.uniform(0.0, 100.0, 40)
    pairs = np.column_stack([starts, starts + rng.exponential(1.5, 40)])
    fine = np.linspace(-1.0, 120.0, 200_001)
    inside = np.zeros(fine.size, dtype=bool)
    for a, b in pairs:
        inside |= (fine >= a) & (fine <= b)
    union = merged(pairs)
    assert sum(b - a for a, b in union) == pytest.approx(inside.mean() * 121.0, abs=0.01)
    assert all(b < c for (_, b), (c, _) in pairwise(union))
    assert merged(np.empty((0, 2))) == ()


def test_that_a_time_grid_that_nobody_can_write_to_is_checked_once_and_others_every_time() -> None:
    """What was found in order is known by itself, not by its place in memory."""
    free = np.array([0.0, 1.0, 2.0])
    assert as_time(free) is free
    free[2] = 0.5
    with pytest.raises(InputError, match="Time must increase"):
        as_time(free)
    for _ in range(200):  # places in memory come again
        kept = np.linspace(0.0, 1.0, 7)
        kept.setflags(write=False)
        assert as_time(kept) is kept
        del kept
        wrong = np.linspace(1.0, 0.0, 7)
        wrong.setflags(write=False)
        with pytest.raises(InputError, match="Time must increase"):
            as_time(wrong)
        del wrong


def test_that_records_with_one_grid_share_it_and_others_do_not() -> None:
    time = np.linspace(0.0, 1.0, 101)
    still = np.zeros((101, 3))
    first, second = History(time, still), History(time.copy(), still)
    assert second.time is first.time
    time[:] = 2.0 * time  # its owner goes on with it
    other = History(time, still)
    assert other.time is not first.time
    assert (first.time[-1], other.time[-1]) == (1.0, 2.0)
    assert (first.sample_rate, other.sample_rate) == (100.0, 50.0)
    with pytest.raises(InputError, match="increase"):
        History(np.append(time[:-1], 0.0), still)
