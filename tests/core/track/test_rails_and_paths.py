"""Rails, path tables, their kernels and the linear lookup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.track import path_kernels as kernels
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track
from ridewright.core.track.path import PathTable, path_table


def flat_ring(count: int, radius: float) -> np.ndarray:
    a = 2.0 * np.pi * np.arange(count) / count
    return np.stack([radius * np.cos(a), radius * np.sin(a), 0.0 * a], axis=-1)


def test_that_the_rails_of_a_banked_circle_are_circles_of_the_expected_radius(
    spline_track: Callable[..., Track],
) -> None:
    radius, gauge, cant = 20.0, 1.2, -0.4
    built = build_track(spline_track(flat_ring(60, radius), cant, closed=True, gauge=gauge))
    for name, side in (("left_rail", 1.0), ("right_rail", -1.0)):
        path = built.paths[name]
        expected = radius - side * 0.5 * gauge * np.cos(cant)  # left is inward on a turn to the left
        assert path.length == pytest.approx(2.0 * np.pi * expected, rel=2e-8)
        v = path.evaluate(np.linspace(0.0, path.length, 500))
        assert np.allclose(np.hypot(v.position[:, 0], v.position[:, 1]), expected, rtol=1e-7)
        assert np.allclose(v.position[:, 2], side * 0.5 * gauge * np.sin(cant), atol=1e-9)
        assert np.allclose(np.linalg.norm(v.position_d2, axis=1), 1.0 / expected, rtol=1e-4)


def test_that_rails_keep_the_gauge_everywhere(general: BuiltTrack) -> None:
    s = np.linspace(0.0, general.length, 2777)
    left, right = general.rail_of_centreline(s)
    gap = (
        general.paths["left_rail"].sample(left)[:, 0, :3]
        - general.paths["right_rail"].sample(right)[:, 0, :3]
    )
    assert np.abs(np.linalg.norm(gap, axis=1) - general.track.gauge).max() < 1e-8
    middle = general.paths["left_rail"].sample(left)[:, 0, :3] - 0.5 * gap
    assert np.abs(middle - general.centreline.position(s)).max() < 1e-8


def test_that_places_on_rails_and_centreline_map_back(general: BuiltTrack, joined: BuiltTrack) -> None:
    for built in (general, joined):
        s = np.linspace(0.0, built.length, 1234)
        if built.track.closed:
            s = np.concatenate([s, s[1:-1] + built.length, s[1:-1] - 2.0 * built.length])
        else:
            s = np.concatenate([s, [-3.0, built.length + 4.0]])
        for rail in built.rails.values():
            assert np.abs(rail.to_centreline(rail.to_rail(s)) - s).max() < 1e-9
            assert np.all(np.diff(rail.to_rail(np.sort(s))) > 0.0)


def test_that_rail_lengths_are_those_of_their_polygons(general: BuiltTrack) -> None:
    for path in general.paths.values():
        fine = path.sample(np.linspace(0.0, path.length, 100_001))[:, 0, :3]
        assert np.linalg.norm(np.diff(fine, axis=0), axis=1).sum() == pytest.approx(path.length, abs=1e-6)


def test_that_path_tables_match_the_exact_curve_and_run_at_unit_speed(
    general: BuiltTrack, joined: BuiltTrack
) -> None:
    for built in (general, joined):
        s = np.linspace(0.0, built.length, 5003)
        state = built.centreline.state(s)
        values = built.paths["centreline"].sample(s)
        assert np.abs(values[:, 0, :3] - state.curve[:, 0]).max() < 1e-9
        assert np.abs(values[:, 0, 3:6] - state.left).max() < 1e-7
        for name, side in (("left_rail", 0.5), ("right_rail", -0.5)):
            L = built.rails[name].to_rail(s)
            exact = state.curve[:, 0] + side * built.track.gauge * state.left
            assert np.abs(built.paths[name].sample(L)[:, 0, :3] - exact).max() < 1e-9
        for path in built.paths.values():
            speed = np.linalg.norm(path.sample(np.linspace(0.0, path.length, 20_011))[:, 1, :3], axis=1)
            assert np.abs(speed - 1.0).max() < 1e-9


def test_that_path_derivatives_match_finite_differences(general: BuiltTrack) -> None:
    h = 1e-4
    for path in general.paths.values():
        L = np.linspace(1.0, path.length - 1.0, 211) + 0.0123
        v, plus, minus = path.sample(L), path.sample(L + h), path.sample(L - h)
        for order in (0, 1):
            slope = (plus[:, order] - minus[:, order]) / (2.0 * h)
            assert np.abs(slope - v[:, order + 1]).max() < 1e-6
        bend = (path.sample(L + h)[:, 2, :3] - path.sample(L - h)[:, 2, :3]) / (2.0 * h)
        assert np.median(np.abs(bend - path.third_derivative(L))) < 1e-6


def test_that_the_nine_functions_are_c2_at_the_knots(general: BuiltTrack) -> None:
    for path in general.paths.values():
        h = np.diff(path.knots)[:, None]
        c = np.moveaxis(path.coef, -1, 0)
        ends = [
            sum(c[k] * h**k for k in range(6)),
            sum(k * c[k] * h ** (k - 1) for k in range(1, 6)),
            sum(k * (k - 1) * c[k] * h ** (k - 2) for k in range(2, 6)),
        ]
        for order, factor in ((0, 1.0), (1, 1.0), (2, 2.0)):
            following = np.roll(factor * c[order], -1, axis=0)  # closed: the last meets the first
            assert np.abs(ends[order] - following).max() < 1e-7


def test_that_interpolation_between_exact_values_is_of_sixth_order() -> None:
    """Path tables of a helix with its Frenet frame, every spacing twice as fine as the one before."""
    radius, pitch = 3.0, 1.1
    w = np.sqrt(radius**2 + pitch**2)

    def exact(L: np.ndarray) -> np.ndarray:
        a = L / w
        c, s, one = np.cos(a), np.sin(a), np.ones_like(a)
        rows = []
        for order in range(3):
            turn = [(c, s), (-s, c), (-c, -s)][order]
            scale = w**-order
            z = [pitch * a, pitch / w * one, 0.0 * one][order]
            position = [radius * turn[0] * scale, radius * turn[1] * scale, z]
            n = [-turn[0] * scale, -turn[1] * scale, 0.0 * one]
            level = radius / w * one if order == 0 else 0.0 * one
            cosine, sine = [(c, s), (-s, c), (-c, -s)][order]
            b = [pitch / w * sine * scale, -pitch / w * cosine * scale, level]
            rows.append(np.stack([*position, *n, *b], axis=-1))
        return np.stack(rows, axis=1)

    errors = []
    places = np.linspace(0.0, 20.0, 3001)
    for count in (20, 40, 80):
        knots = np.linspace(0.0, 20.0, count + 1)
        v = exact(knots)
        path = path_table("helix", False, knots, v[:-1], v[1:])
        errors.append(np.abs(path.sample(places) - exact(places)).max(axis=(0, 2)))
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.all(np.abs(orders[:, 0] - 6.0) < 0.3)
    assert np.all(np.abs(orders[:, 1] - 5.0) < 0.3)
    assert np.all(np.abs(orders[:, 2] - 4.0) < 0.3)


def test_that_closed_paths_wrap_and_open_ones_go_on_straight(general: BuiltTrack, joined: BuiltTrack) -> None:
    closed = general.paths["left_rail"]
    L = np.array([0.0, 3.7, 99.9])
    for laps in (-2, 1, 3):
        assert np.allclose(closed.sample(L + laps * closed.length), closed.sample(L), atol=1e-9)
    path = joined.paths["right_rail"]
    for end, beyond in ((0.0, -2.5), (path.length, 7.0)):
        inside = path.sample([end])[0]
        out = path.sample([end + beyond])[0]
        assert np.allclose(out[0, :3], inside[0, :3] + beyond * inside[1, :3], atol=1e-12)
        assert np.array_equal(out[0, 3:], inside[0, 3:])
        assert np.array_equal(out[1, :3], inside[1, :3])
        assert not out[1, 3:].any()
        assert not out[2].any()


def test_that_the_hint_finds_the_interval_of_every_place(general: BuiltTrack) -> None:
    path = general.paths["left_rail"]
    places = np.concatenate(
        [path.knots, path.knots[:-1] + 1e-12, np.random.default_rng(1).uniform(0, path.length, 500)]
    )
    found = [kernels.path_locate(path.knots, path.hint, path.bin, float(L)) for L in places]
    expected = np.clip(np.searchsorted(path.knots, places, side="right") - 1, 0, len(path.coef) - 1)
    assert np.array_equal(found, expected)
    bins = (places / path.bin).astype(int).clip(0, len(path.hint) - 1)
    assert (expected - path.hint[bins]).max() <= 3  # the forward search is short


def test_that_a_ride_that_has_blown_up_reads_no_memory_of_others(
    general: BuiltTrack, joined: BuiltTrack
) -> None:
    """An explicit method with too long a step asks for places that are no numbers; it crashed the process."""
    for built in (general, joined):
        for path in (built.paths["left_rail"], built.paths["left_rail"].as_linear()):
            for place in (np.nan, np.inf, -np.inf):
                assert path.sample([place]).shape == (1, 3, 9)
            assert np.isnan(path.sample([np.nan])).any()


def test_that_the_nearest_place_is_found_with_and_without_a_guess(
    general: BuiltTrack, joined: BuiltTrack
) -> None:
    rng = np.random.default_rng(5)
    for built in (general, joined):
        path = built.paths["centreline"]
        fine = np.linspace(0.0, path.length, 60_001)
        points = path.sample(fine)[:, 0, :3]
        for _ in range(12):
            s = rng.uniform(0.0, path.length)
            point = path.sample([s])[0, 0, :3] + rng.normal(size=3) * 1.5
            away = np.linalg.norm(points - point, axis=1)
            found = path.nearest(point)
            assert 0.0 <= found <= path.length
            assert np.linalg.norm(path.sample([found])[0, 0, :3] - point) <= away.min() + 1e-9
            guided = path.nearest(point, guess=float(fine[away.argmin()]) + 0.8)
            assert np.linalg.norm(path.sample([guided])[0, 0, :3] - point) == pytest.approx(
                away.min(), abs=1e-6
            )


def test_that_the_linear_lookup_is_exact_at_its_rows_and_of_second_order_between(general: BuiltTrack) -> None:
    smooth = general.paths["left_rail"]
    L = np.linspace(0.0, smooth.length * 0.999, 4001)
    errors = []
    for step in (0.4, 0.2, 0.1):
        linear = smooth.as_linear(step)
        assert linear.step == pytest.approx(step)
        rows = linear.table[:-1, 0]
        assert np.abs(linear.sample(rows) - smooth.sample(rows)).max() < 1e-12
        errors.append(np.abs(linear.sample(L)[:, 0, :3] - smooth.sample(L)[:, 0, :3]).max())
    assert np.all(np.abs(np.log2(np.array(errors[:-1]) / errors[1:]) - 2.0) < 0.3)
    assert smooth.as_linear(0.2).as_smooth().sample(L).tobytes() == smooth.sample(L).tobytes()


def test_that_the_linear_lookup_interpolates_every_column_on_its_own(general: BuiltTrack) -> None:
    linear = general.paths["right_rail"].as_linear(0.3)
    L = 47.31
    expected = np.array([np.interp(L, linear.table[:, 0], linear.table[:, k]) for k in range(37)])
    out = linear.sample([L])[0]
    for order in range(3):
        assert np.allclose(out[order, :3], expected[1 + 3 * order : 4 + 3 * order], atol=1e-12)
        assert np.allclose(out[order, 3:6], expected[19 + 3 * order : 22 + 3 * order], atol=1e-12)
        assert np.allclose(out[order, 6:9], expected[28 + 3 * order : 31 + 3 * order], atol=1e-12)
    last = linear.table[-1]
    assert np.allclose(replace(linear, closed=False).sample([linear.length])[0, 0, :3], last[1:4], atol=1e-12)


def test_that_a_curve_too_tight_for_the_gauge_is_refused(spline_track: Callable[..., Track]) -> None:
    with pytest.raises(
        InputError, match=r"^Section '.*': At s = .* radius of 1\.\d+ m, too tight for a gauge of 2\.50 m"
    ):
        build_track(spline_track(flat_ring(16, 1.2), 0.0, closed=True, gauge=2.5))


def test_that_a_step_of_the_table_beyond_the_path_is_refused(joined: BuiltTrack) -> None:
    path: PathTable = joined.paths["centreline"]
    for step in (0.0, -1.0, float("nan"), 1e9):
        with pytest.raises(InputError, match="table step"):
            path.as_linear(step)
