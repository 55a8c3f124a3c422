"""The three moving frames with their derivatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import FrameKind, Track
from ridewright.core.track.frames import canted_derivatives

KINDS: tuple[FrameKind, ...] = ("canted", "frenet", "rotation_minimising")


@pytest.mark.parametrize("kind", KINDS)
def test_that_frame_derivatives_match_finite_differences(general: BuiltTrack, kind: FrameKind) -> None:
    s = np.array([4.1, 23.9, 60.2, 101.7, 149.3])
    h = 2e-3
    for vector in (1, 2):
        values = general.moving_frame(s, kind)[vector]
        for order in (0, 1):
            plus, minus = (general.moving_frame(s + k * h, kind)[vector][:, order] for k in (1, -1))
            further, nearer = (general.moving_frame(s + k * h, kind)[vector][:, order] for k in (2, -2))
            slope = (8.0 * (plus - minus) - (further - nearer)) / (12.0 * h)
            assert np.abs(slope - values[:, order + 1]).max() < 2e-7 * (1.0 + np.abs(values).max())


@pytest.mark.parametrize("kind", KINDS)
def test_that_b_is_t_cross_n_with_two_derivatives(
    general: BuiltTrack, joined: BuiltTrack, kind: FrameKind
) -> None:
    for built in (general, joined):
        t, n, b = built.moving_frame(np.linspace(0.0, built.length, 333), kind)
        assert np.abs(np.cross(t[:, 0], n[:, 0]) - b[:, 0]).max() < 1e-12
        first = np.cross(t[:, 1], n[:, 0]) + np.cross(t[:, 0], n[:, 1])
        assert np.abs(first - b[:, 1]).max() < 1e-9
        assert np.abs(np.sum(n[:, 0] ** 2, axis=1) - 1.0).max() < 1e-12


def test_that_third_derivatives_of_the_canted_frame_match_finite_differences(general: BuiltTrack) -> None:
    line = general.centreline
    s = np.array([4.1, 23.9, 60.2, 101.7])
    h = 1e-3
    mid, plus, minus = (canted_derivatives(line.state(s + k * h)) for k in (0, 1, -1))
    for pick in ("left", "up"):
        slope = (getattr(plus, pick)[:, 2] - getattr(minus, pick)[:, 2]) / (2.0 * h)
        assert np.abs(slope - getattr(mid, pick)[:, 3]).max() < 1e-5


def test_that_the_frenet_frame_of_a_helix_obeys_the_frenet_formulas(
    spline_track: Callable[..., Track],
) -> None:
    radius, pitch = 14.0, 3.0
    a = np.linspace(0.0, 8.0, 70)
    points = np.stack([radius * np.cos(a), radius * np.sin(a), pitch * a], axis=-1)
    built = build_track(spline_track(points, 0.2, frame="frenet"))
    size = radius**2 + pitch**2
    angle = np.array([2.2, 3.6, 5.3])
    s = angle * np.sqrt(size)
    t, n, b = built.moving_frame(s)
    inward = -np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)
    assert np.abs(n[:, 0] - inward).max() < 1e-5
    assert np.abs(b[:, 1] + pitch / size * inward).max() < 1e-5
    assert np.abs(n[:, 1] + radius / size * t[:, 0] - pitch / size * b[:, 0]).max() < 1e-5


def test_that_the_frenet_frame_is_carried_over_straights(joined: BuiltTrack) -> None:
    s = np.linspace(0.0, joined.length, 4001)
    _, n, b = joined.moving_frame(s, "frenet")
    assert np.all(np.isfinite(n))
    assert np.all(np.isfinite(b))
    step = np.linalg.norm(np.diff(n[:, 0], axis=0), axis=1).max()
    assert step < 4.0 * (s[1] - s[0])  # no jump anywhere
    start = joined.stations[1].s
    on_first = n[s < start - 0.5]
    assert np.abs(on_first[:, 0] - on_first[0, 0]).max() < 0.2
    strong = (s > 15.0) & (s < 35.0)  # the middle of the first turn
    bend = joined.centreline.derivatives(s[strong])[:, 2]
    principal = bend / np.linalg.norm(bend, axis=1, keepdims=True)
    assert np.abs(n[strong, 0] - principal).max() < 1e-9


def test_that_a_straight_track_has_a_frenet_frame() -> None:
    track = Track.model_validate({
        "name": "s", "frame": "frenet",
        "sections": [{"kind": "straight", "name": "a", "start": [0, 0, 1], "end": [30, 40, 1], "cant": 0.25}],
    })  # fmt: skip
    built = build_track(track)
    _, n, b = built.moving_frame([0.0, 21.0, 50.0])
    _, left, up = built.frame_at([0.0, 21.0, 50.0])
    assert np.array_equal(n[:, 0], left)
    assert np.allclose(b[:, 0], up, atol=1e-15)


def test_that_the_rotation_minimising_frame_does_not_turn_about_the_tangent(
    general: BuiltTrack, joined: BuiltTrack
) -> None:
    s = np.linspace(0.0, joined.length, 200)
    _, n, b = joined.moving_frame(s, "rotation_minimising")
    assert np.abs(np.sum(n[:, 1] * b[:, 0], axis=1)).max() < 1e-12
    line = general.centreline
    _, n, b = general.moving_frame(np.linspace(0.0, line.length, 200), "rotation_minimising")
    rate = np.sum(n[:, 1] * b[:, 0], axis=1)
    assert np.abs(rate + line.holonomy / line.length).max() < 1e-12  # evenly spread so that the frame closes
    assert np.abs(n[-1, 0] - n[0, 0]).max() < 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_that_every_frame_is_t_perpendicular_on_the_rails(
    joined_track: Callable[..., Track], kind: FrameKind
) -> None:
    built = build_track(joined_track(frame=kind))
    for path in built.paths.values():
        v = path.evaluate(np.linspace(0.0, path.length, 3001))
        assert np.abs(np.sum(v.position_d1 * v.n, axis=1)).max() < 1e-7
        assert np.abs(np.cross(v.position_d1, v.n) - v.b).max() < 1e-7
        assert np.abs(np.linalg.norm(v.n, axis=1) - 1.0).max() < 5e-8
