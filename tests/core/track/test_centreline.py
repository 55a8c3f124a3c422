"""The centreline against closed forms, its own spline and quadrature by scipy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import Track


def ring(count: int, radius: float) -> np.ndarray:
    a = 2.0 * np.pi * np.arange(count) / count
    normal = np.array([0.2, -0.3, 1.0]) / np.linalg.norm([0.2, -0.3, 1.0])
    one = np.cross(normal, [1.0, 0.0, 0.0])
    one /= np.linalg.norm(one)
    return radius * (np.cos(a)[:, None] * one + np.sin(a)[:, None] * np.cross(normal, one)) + [
        3.0,
        -2.0,
        11.0,
    ]


def helix(count: int, radius: float, pitch: float, turns: float) -> np.ndarray:
    a = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return np.stack([radius * np.cos(a), radius * np.sin(a), pitch * a], axis=-1)


def test_that_a_circle_is_approached_with_sixth_order_in_length_and_fourth_in_curvature(
    spline_track: Callable[..., Track],
) -> None:
    radius, lengths, bends = 17.0, [], []
    for count in (12, 24):
        line = build_track(spline_track(ring(count, radius), closed=True)).centreline
        s = np.linspace(0.0, line.length, 501)
        lengths.append(abs(line.length - 2.0 * np.pi * radius))
        bends.append(np.abs(line.curvature(s) * radius - 1.0).max())
    assert np.log2(lengths[0] / lengths[1]) > 5.7
    assert 3.7 < np.log2(bends[0] / bends[1]) < 5.0
    assert bends[1] < 1e-3


def test_that_curvature_torsion_and_length_of_a_helix_are_those_of_the_closed_form(
    spline_track: Callable[..., Track],
) -> None:
    radius, pitch, turns = 15.0, 2.5, 1.5
    line = build_track(spline_track(helix(80, radius, pitch, turns))).centreline
    size = radius**2 + pitch**2
    s = np.linspace(0.0, line.length, 401)
    assert line.length == pytest.approx(2.0 * np.pi * turns * np.sqrt(size), rel=1e-9)
    assert np.allclose(line.curvature(s), radius / size, rtol=2e-4)
    inner = s[(s > 10.0) & (s < line.length - 10.0)]
    assert np.allclose(line.curvature(inner), radius / size, rtol=2e-7)
    assert np.allclose(line.torsion(inner), pitch / size, rtol=2e-4)


def test_that_arc_length_agrees_with_adaptive_quadrature_of_the_spline(general: BuiltTrack) -> None:
    line = general.centreline
    for k in (0, 7, 21):
        poly = [np.polynomial.Polynomial(line.coef[k, :, c]).deriv() for c in range(3)]
        width = line.u[k + 1] - line.u[k]
        run, _ = quad(
            lambda x, poly=poly: float(np.sqrt(sum(p(x) ** 2 for p in poly))),
            0.0,
            width,
            epsabs=1e-13,
            epsrel=1e-13,
        )
        assert abs(line.piece_s[k + 1] - line.piece_s[k] - run) < 1e-11
        x = 0.37 * width
        part, _ = quad(
            lambda x, poly=poly: float(np.sqrt(sum(p(x) ** 2 for p in poly))), 0.0, x, epsabs=1e-13
        )
        there = np.sum(line.coef[k] * x ** np.arange(6)[:, None], axis=0)
        assert np.linalg.norm(line.position(line.piece_s[k] + part)[0] - there) < 1e-9


def test_that_wildly_uneven_points_keep_the_arc_length_exact(spline_track: Callable[..., Track]) -> None:
    x = np.cumsum([0.0, 9.0, 0.6, 11.0, 0.4, 0.5, 13.0, 2.0, 0.7, 8.0])
    points = np.stack([x, 5.0 * np.sin(x / 9.0), 2.0 * np.cos(x / 7.0)], axis=-1)
    line = build_track(spline_track(points)).centreline
    fine = np.linspace(0.0, line.length, 200_001)
    steps = np.linalg.norm(np.diff(line.position(fine), axis=0), axis=1)
    assert abs(steps.sum() - line.length) < 1e-7  # chord sum, short by O(step^2)
    assert np.abs(np.linalg.norm(line.derivatives(fine[::50])[:, 1], axis=1) - 1.0).max() < 1e-13


def test_that_every_control_point_is_passed_exactly(general: BuiltTrack, general_points: np.ndarray) -> None:
    stations = np.array([station.s for station in general.stations])
    assert np.abs(general.centreline.position(stations) - general_points).max() < 1e-11


def test_that_derivatives_by_arc_length_match_finite_differences(general: BuiltTrack) -> None:
    line = general.centreline
    borders = line.piece_s
    s = np.array([3.3, 17.1, 41.9, 88.2, 133.4])
    s = s[np.abs(s[:, None] - borders).min(axis=1) > 0.05]
    assert len(s) >= 4
    h = 1e-3
    d = line.derivatives(s)
    for order in range(4):
        slope = (
            8.0 * (line.derivatives(s + h)[:, order] - line.derivatives(s - h)[:, order])
            - (line.derivatives(s + 2 * h)[:, order] - line.derivatives(s - 2 * h)[:, order])
        ) / (12.0 * h)
        scale = np.abs(d[:, order + 1]).max()
        assert np.abs(slope - d[:, order + 1]).max() < 1e-7 * scale + 1e-10


def test_that_the_curve_is_c4_at_its_points_and_at_the_seam(general: BuiltTrack) -> None:
    line = general.centreline
    places = line.piece_s[1:-1]
    before, after = line.state(places, from_left=True).curve, line.state(places).curve
    scale = np.abs(after).max(axis=(0, 2))
    assert np.all(np.abs(before - after).max(axis=(0, 2)) < 1e-9 * scale)
    end, start = line.state([line.length], from_left=True).curve, line.state([0.0]).curve
    assert np.all(np.abs(end - start).max(axis=(0, 2)) < 1e-9 * scale)


def test_that_straight_pieces_are_straight_to_rounding(joined: BuiltTrack) -> None:
    line = joined.centreline
    ends = [(0, 1), (5, 6), (8, 9)]
    for a, b in ends:
        s0, s1 = joined.stations[a].s, joined.stations[b].s
        p, q = line.position([s0, s1])
        direction = (q - p) / np.linalg.norm(q - p)
        s = np.linspace(s0, s1, 23)[1:-1]
        state = line.state(s)
        across = state.curve[:, 0] - p - np.outer((state.curve[:, 0] - p) @ direction, direction)
        assert np.abs(across).max() < 1e-12
        assert np.abs(state.curve[:, 1] - direction).max() < 1e-14
        assert np.abs(state.curve[:, 2:]).max() == 0.0
        assert np.linalg.norm(q - p) == pytest.approx(s1 - s0, abs=1e-12)


def test_that_curves_join_straights_with_three_matching_derivatives(joined: BuiltTrack) -> None:
    line = joined.centreline
    joins = np.array([joined.stations[k].s for k in (1, 5, 6, 8)])
    before, after = line.state(joins, from_left=True).curve, line.state(joins).curve
    assert np.abs(before[:, :4] - after[:, :4]).max() < 1e-10
    bent = line.curvature([0.5 * (joined.stations[2].s + joined.stations[3].s)])[0]
    assert bent > 0.01


def test_that_two_points_make_a_straight_and_three_a_closed_curve(spline_track: Callable[..., Track]) -> None:
    ends = np.array([[1.0, 2.0, 3.0], [4.0, -2.0, 15.0]])
    line = build_track(spline_track(ends)).centreline
    assert line.length == pytest.approx(13.0, abs=1e-13)
    assert line.curvature([3.1, 9.2]).max() == 0.0
    corners = ring(3, 10.0)
    loop = build_track(spline_track(corners, closed=True)).centreline
    assert 1.03 * 30.0 * np.sqrt(3.0) < loop.length < 2.0 * np.pi * 10.0 * 1.05
    seam = loop.state([loop.length], from_left=True).curve - loop.state([0.0]).curve
    assert np.abs(seam).max() < 1e-11


def test_that_an_open_track_is_held_at_its_ends_and_a_closed_one_wraps(
    joined: BuiltTrack, general: BuiltTrack
) -> None:
    line = joined.centreline
    assert np.array_equal(line.position([-3.0, line.length + 9.0]), line.position([0.0, line.length]))
    ring_line = general.centreline
    assert np.allclose(
        ring_line.position([12.3]), ring_line.position([12.3 - 2.0 * ring_line.length]), atol=1e-11
    )
