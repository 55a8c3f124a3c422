"""The roll of the track: prescribed cants, loops, in-line rolls, closing, and the rotation-minimising reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import StraightSection, Track
from ridewright.core.track.roll import septic


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Difference of angles brought into (-pi, pi]."""
    return np.angle(np.exp(1j * (a - b)))


def test_that_the_reference_follows_the_equation_of_the_rotation_minimising_frame(
    general: BuiltTrack,
) -> None:
    """Against r' = -(t'.r) t integrated as an ordinary differential equation."""
    line = general.centreline

    def rate(s: float, r: np.ndarray) -> np.ndarray:
        d = line.derivatives([s])[0]
        return -(d[2] @ r) * d[1]

    places = np.linspace(0.0, line.length, 40)
    start = line.state([0.0]).reference[0]
    run = solve_ivp(rate, (0.0, line.length), start, method="DOP853", rtol=1e-11, atol=1e-12, max_step=0.5,
                    t_eval=places)  # fmt: skip
    state = line.state(places)
    assert np.abs(run.y.T - state.reference).max() < 1e-8
    assert np.abs(np.sum(state.reference * state.tangent, axis=1)).max() < 1e-13


def test_that_the_frame_is_orthonormal_and_right_handed_everywhere(general: BuiltTrack) -> None:
    t, left, up = general.frame_at(np.linspace(0.0, general.length, 1777))
    A = np.stack([t, left, up], axis=-1)
    assert np.abs(np.einsum("nji,njk->nik", A, A) - np.eye(3)).max() < 1e-13
    assert np.abs(np.cross(t, left) - up).max() < 1e-13


def test_that_the_turn_rate_about_the_tangent_is_the_rate_of_the_roll(general: BuiltTrack) -> None:
    line = general.centreline
    s = np.array([2.7, 31.4, 77.7, 120.3, 155.1])
    h = 1e-4
    state = line.state(s)
    slope = (line.roll(s + h) - line.roll(s - h)) / (2.0 * h)
    by_vectors = np.sum((line.state(s + h).left - line.state(s - h).left) / (2.0 * h) * state.up, axis=1)
    assert np.abs(slope - line.roll_rate(s)).max() < 1e-8
    assert np.abs(by_vectors - line.roll_rate(s)).max() < 1e-8
    assert np.abs(line.roll_rate(s)).max() > 0.01


def test_that_prescribed_cants_are_met_exactly_and_with_the_stated_sign(general: BuiltTrack) -> None:
    for station in general.stations:
        t, left, _ = (v[0] for v in general.frame_at([station.s]))
        level = np.cross([0.0, 0.0, 1.0], t)
        level /= np.linalg.norm(level)
        expected = np.cos(station.cant) * level + np.sin(station.cant) * np.cross(t, level)
        assert np.abs(left - expected).max() < 1e-12
        assert general.centreline.cant([station.s])[0] == pytest.approx(station.cant, abs=1e-12)


def test_that_a_positive_cant_lifts_the_left_rail() -> None:
    track = Track(
        name="t", sections=(StraightSection(name="a", start=(1.0, 2.0, 3.0), end=(9.0, 12.0, 4.0), cant=0.3),)
    )
    built = build_track(track)
    left = built.paths["left_rail"].sample([4.0])[0, 0, :3]
    right = built.paths["right_rail"].sample([4.0])[0, 0, :3]
    level_sine = np.sin(0.3) * np.hypot(8.0, 10.0) / np.sqrt(165.0)
    assert left[2] - right[2] == pytest.approx(level_sine, abs=1e-12)
    assert np.cross([8.0, 10.0, 0.0], left - right)[2] > 0.0


def test_that_a_constant_cant_stays_constant_on_a_climbing_curve(spline_track: Callable[..., Track]) -> None:
    a = np.linspace(0.0, 7.0, 31)
    helix = np.stack([20.0 * np.cos(a), 17.0 * np.sin(a), 4.0 * a], axis=-1)
    line = build_track(spline_track(helix, -0.35)).centreline
    s = np.linspace(0.0, line.length, 2000)
    assert np.abs(line.cant(s) + 0.35).max() < 1e-13
    assert np.abs(line.cant_rate(s)).max() < 1e-12
    assert np.abs(line.roll_rate(s)).max() > 5e-3  # the rotation-minimising frame turns away meanwhile


def test_that_the_cant_never_leaves_the_range_of_its_neighbours(spline_track: Callable[..., Track]) -> None:
    rng = np.random.default_rng(3)
    x = np.cumsum(rng.uniform(1.0, 9.0, 40))
    points = np.stack([x, 6.0 * np.sin(x / 25.0), 3.0 * np.cos(x / 30.0)], axis=-1)
    cants = np.repeat(rng.uniform(-1.2, 1.2, 20), 2)
    cants[10:20] = np.linspace(-1.0, 1.0, 10) ** 3
    built = build_track(spline_track(points, cants))
    places = [station.s for station in built.stations]
    for k in range(len(places) - 1):
        inside = built.centreline.cant(np.linspace(places[k], places[k + 1], 60))
        low, high = sorted(cants[k : k + 2])
        assert inside.min() > low - 1e-10
        assert inside.max() < high + 1e-10
        if low == high:
            assert np.ptp(inside) < 1e-12


def test_that_the_cant_is_monotone_between_extreme_neighbours(spline_track: Callable[..., Track]) -> None:
    """Rising cants over spans and steps that differ by orders of magnitude."""
    rng = np.random.default_rng(11)
    x = np.cumsum(np.exp(rng.uniform(-1.0, 3.5, 80)))
    cants = np.cumsum(np.exp(rng.uniform(-7.0, -1.5, 80)))
    built = build_track(spline_track(np.stack([x, 0 * x, 0 * x], axis=-1), cants))
    s = np.linspace(0.0, built.length, 40_001)
    assert built.centreline.roll_rate(s).min() > -1e-9


def test_that_densely_prescribed_cants_reproduce_a_smooth_bank(spline_track: Callable[..., Track]) -> None:
    x = np.arange(0.0, 101.0, 4.0)
    wanted = 0.8 / (1.0 + np.exp(-(x - 50.0) / 8.0))
    line = build_track(spline_track(np.stack([x, 0 * x, 0 * x], axis=-1), wanted)).centreline
    s = np.linspace(20.0, 80.0, 300)
    exact = 0.8 / (1.0 + np.exp(-(s - 50.0) / 8.0))
    assert np.abs(line.cant(s) - exact).max() < 2e-3
    assert np.abs(line.cant_rate(s) - exact * (1.0 - exact / 0.8) / 8.0).max() < 2e-3


def test_that_the_roll_has_two_continuous_derivatives(general: BuiltTrack) -> None:
    line = general.centreline
    places = np.concatenate([line.roll_law.s[1:-1], line.piece_s[1:-1]])
    before, after = line.state(places, from_left=True), line.state(places)
    assert np.abs(before.left - after.left).max() < 1e-11
    assert np.abs(before.twist[:, :2] - after.twist[:, :2]).max() < 1e-9
    assert np.abs(before.twist[:, 2] - after.twist[:, 2]).max() < 1e-8
    assert np.abs(after.twist[:, 1]).max() > 1e-3


def test_that_a_vertical_loop_goes_upside_down_without_rolling(
    spline_track: Callable[..., Track], loop_points: tuple[np.ndarray, list[float | None]]
) -> None:
    points, cants = loop_points
    points = points * [1.0, 0.0, 1.0]
    built = build_track(spline_track(points, cants))
    s = np.linspace(0.0, built.length, 1500)
    t, left, up = built.frame_at(s)
    assert np.abs(left - [0.0, 1.0, 0.0]).max() < 1e-12
    assert np.abs(built.centreline.roll_rate(s)).max() < 1e-12
    top = int(np.argmax(built.centreline.position(s)[:, 2]))
    assert up[top, 2] < -0.999
    assert abs(abs(built.centreline.cant([s[top]])[0]) - np.pi) < 1e-9
    assert t[top, 0] < -0.99


def test_that_a_loop_with_lateral_offset_rolls_only_slowly(
    spline_track: Callable[..., Track], loop_points: tuple[np.ndarray, list[float | None]]
) -> None:
    points, cants = loop_points
    built = build_track(spline_track(points, cants))
    s = np.linspace(0.0, built.length, 3000)
    _, left, up = built.frame_at(s)
    assert left[:, 1].min() > 0.97
    assert np.abs(built.centreline.roll_rate(s)).max() < 0.05
    assert up[:, 2].min() < -0.999
    for station in built.stations:
        if station.cant is not None:
            assert abs(apart(built.centreline.cant([station.s])[0], station.cant)) < 1e-9


def test_that_an_in_line_roll_turns_all_the_way_round() -> None:
    quarter = 0.5 * np.pi
    points = [
        {"x": 3.0 * k, "y": 4.0 * k, "z": 0.5 * k, "cant": quarter * min(max(k - 1, 0), 4), "straight": k < 7}
        for k in range(8)
    ]
    built = build_track(Track.model_validate(
        {"name": "roll", "sections": [{"kind": "spline", "name": "a", "points": points}]}
    ))  # fmt: skip
    s = np.linspace(0.0, built.length, 900)
    roll = built.centreline.roll(s)
    assert roll[-1] - roll[0] == pytest.approx(2.0 * np.pi, abs=1e-12)
    assert np.diff(roll).min() > -1e-12
    assert built.centreline.roll([built.stations[3].s])[0] - roll[0] == pytest.approx(np.pi, abs=1e-12)


def test_that_the_shorter_way_is_taken_between_cants_more_than_half_a_turn_apart(
    spline_track: Callable[..., Track],
) -> None:
    x = np.arange(0.0, 50.0, 10.0)
    line = build_track(spline_track(np.stack([x, 0 * x, 0 * x], -1), [2.9, 2.9, -2.9, -2.9, -2.9])).centreline
    roll = line.roll([0.0, 40.0])
    assert roll[1] - roll[0] == pytest.approx(2.0 * np.pi - 5.8, abs=1e-12)


def test_that_the_frame_of_a_closed_track_closes_with_its_derivatives(general: BuiltTrack) -> None:
    line = general.centreline
    assert abs(line.holonomy) > 0.05  # otherwise there is nothing to close
    end, start = line.state([line.length], from_left=True), line.state([0.0])
    assert np.abs(end.left - start.left).max() < 1e-11
    assert np.abs(end.twist - start.twist).max() < 1e-8


def test_that_a_closed_track_closes_whatever_is_prescribed(
    spline_track: Callable[..., Track], general_points: np.ndarray
) -> None:
    count = len(general_points)
    for cants in (None, [None] * 9 + [0.2] + [None] * (count - 10), [0.1, *[None] * (count - 2), -0.2]):
        line = build_track(spline_track(general_points, cants, closed=True)).centreline
        end, start = line.state([line.length], from_left=True), line.state([0.0])
        assert np.abs(end.left - start.left).max() < 1e-10
        assert np.abs(end.twist[:, 0] - start.twist[:, 0]).max() < 1e-9


@pytest.mark.parametrize("start", [0.15, 1.0, 3.3])
def test_that_a_twisted_wheel_closes_wherever_it_starts(
    spline_track: Callable[..., Track], start: float
) -> None:
    """Upright at the bottom, upside down at the top, free where steep; some starts lie in a steep stretch."""
    a = start + 2.0 * np.pi * np.arange(40) / 40
    points = np.stack(
        [14.0 * np.cos(a), 3.0 * np.sin(2 * a) + 2.0 * np.cos(3 * a + 0.5), 20.0 * np.sin(a)], axis=-1
    )
    cants = [0.1 if np.sin(x) < -0.7 else np.pi - 0.1 if np.sin(x) > 0.7 else None for x in a]
    built = build_track(spline_track(points, cants, closed=True))
    line = built.centreline
    assert abs(line.holonomy) > 0.02
    end, begin = line.state([line.length], from_left=True), line.state([0.0])
    assert np.abs(end.left - begin.left).max() < 1e-11
    assert np.abs(end.twist - begin.twist).max() < 1e-7
    places = line.roll_law.s[1:-1]
    before, after = line.state(places, from_left=True), line.state(places)
    assert np.abs(before.left - after.left).max() < 1e-11
    assert np.abs(before.twist[:, :2] - after.twist[:, :2]).max() < 1e-9
    assert np.abs(line.roll_rate(np.linspace(0.0, line.length, 2000))).max() < 0.15
    for station in built.stations:
        if station.cant is not None:
            assert abs(apart(line.cant([station.s])[0], np.array(station.cant))) < 1e-9


def test_that_a_cant_is_not_used_where_the_track_is_vertical() -> None:
    points = [
        {"x": 0.0, "y": 0.0, "z": 0.0, "cant": 0.0},
        {"x": 8.0, "y": 0.0, "z": 3.0, "cant": None},
        {"x": 12.0, "y": 0.0, "z": 10.0, "cant": 1.3, "straight": True},
        {"x": 12.0, "y": 0.0, "z": 20.0, "cant": -0.7},
    ]
    built = build_track(Track.model_validate(
        {"name": "spike", "sections": [{"kind": "spline", "name": "a", "points": points}]}
    ))  # fmt: skip
    _, left, _ = built.frame_at(np.linspace(0.0, built.length, 300))
    assert np.abs(left - [0.0, 1.0, 0.0]).max() < 1e-10


def test_that_the_septic_meets_three_derivatives_at_both_ends() -> None:
    start, end, h = np.array([0.3, -0.2, 0.7, 1.1]), np.array([1.9, 0.4, -0.6, 0.2]), 2.7
    poly = np.polynomial.Polynomial(septic(h, start, end))
    for k in range(4):
        derivative = poly.deriv(k) if k else poly
        assert derivative(0.0) == pytest.approx(start[k], abs=1e-12)
        assert derivative(h) == pytest.approx(end[k], abs=1e-10)
