"""The check of a track: figures against closed forms, and every finding on a track made to show it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.check import TrackReport, check_track
from ridewright.core.track.clearance import self_approaches
from ridewright.core.track.description import Track
from ridewright.core.track.raw_checks import row_kinks


def kinds(report: TrackReport) -> list[str]:
    return [finding.kind for finding in report.findings]


def only(report: TrackReport, kind: str) -> list:
    return [finding for finding in report.findings if finding.kind == kind]


def test_that_the_figures_of_an_inclined_banked_ring_are_those_of_the_circle(
    spline_track: Callable[..., Track],
) -> None:
    radius, cant, count = 25.0, -0.5, 48
    a = 2.0 * np.pi * np.arange(count) / count
    points = np.stack([radius * np.cos(a), radius * np.sin(a), 0 * a + 4.0], axis=-1)
    report = check_track(spline_track(points, cant, closed=True))
    assert report.findings == ()
    assert report.length == pytest.approx(2.0 * np.pi * radius, rel=1e-7)
    assert report.smallest_radius.value == pytest.approx(radius, rel=1e-3)
    assert report.smallest_lateral_radius.value == pytest.approx(radius / np.cos(cant), rel=1e-3)
    assert report.smallest_vertical_radius.value == pytest.approx(radius / abs(np.sin(cant)), rel=1e-3)
    assert report.largest_cant.value == pytest.approx(0.5, abs=1e-9)
    assert report.largest_cant_rate.value < 1e-9
    assert report.largest_curvature_jump.value < 1e-6  # the circle bends evenly
    assert report.left_rail_length == pytest.approx(2.0 * np.pi * (radius - 0.5 * np.cos(cant)), rel=1e-7)
    assert (report.lowest.value, report.highest.value) == (pytest.approx(4.0), pytest.approx(4.0))
    assert report.inversions == 0
    assert report.gauge_error < 1e-8


def test_that_extremes_carry_their_place_and_section(joined: BuiltTrack) -> None:
    report = check_track(joined.track, joined)
    assert report.highest.value == pytest.approx(5.0, abs=1e-9)
    assert report.highest.s == 0.0
    assert report.highest.section == "turn"
    s = np.linspace(0.0, joined.length, 5000)
    bend = joined.centreline.curvature(s)
    assert report.smallest_radius.value == pytest.approx(1.0 / bend.max(), rel=1e-3)
    assert report.smallest_radius.s == pytest.approx(s[bend.argmax()], abs=0.2)
    at = joined.centreline.position([report.smallest_radius.s])[0]
    assert np.allclose(report.smallest_radius.position, at, atol=1e-9)
    straight = Track.model_validate(
        {"name": "s", "sections": [{"kind": "straight", "name": "a", "start": [0, 0, 0], "end": [0, 9, 1]}]}
    )
    assert check_track(straight).smallest_radius is None


def test_that_a_loop_is_one_inversion(
    spline_track: Callable[..., Track], loop_points: tuple[np.ndarray, list[float | None]]
) -> None:
    points, cants = loop_points
    assert check_track(spline_track(points, cants)).inversions == 1
    shifted = points + np.array([points[-1, 0] - points[0, 0] + 4.0, points[-1, 1], 0.0])
    twice = spline_track(np.vstack([points, shifted]), cants + cants)
    assert check_track(twice).inversions == 2


def crossing(height: float) -> list[list[float]]:
    """A figure that runs out, turns and crosses itself at a right angle `height` above."""
    a = np.linspace(0.0, 1.5 * np.pi, 19)
    turn = np.stack([20.0 * np.sin(a), 20.0 - 20.0 * np.cos(a), height * a / a[-1]], axis=-1)
    run = [[-40.0 + 5.0 * k, 0.0, 0.0] for k in range(8)]
    out = [[-20.0 + 0.0 * k, 20.0 - 5.0 * k, height] for k in range(1, 9)]
    return [*run, *turn.tolist(), *out]


@pytest.mark.parametrize(("height", "hits"), [(1.5, True), (2.6, False), (-0.4, True), (-2.6, False)])
def test_that_a_crossing_inside_the_clearance_envelope_is_found(
    spline_track: Callable[..., Track], height: float, hits: bool
) -> None:
    """Envelope 2.2 m above and 0.6 m below the rails: a crossing 1.5 m over hits it, one 2.6 m over does not."""
    built = build_track(spline_track(np.array(crossing(height)), 0.0))
    found = self_approaches(built)
    assert bool(found) == hits
    if hits:
        assert len(found) == 1
        low, high = sorted((found[0].s, found[0].other_s))
        assert low == pytest.approx(20.0, abs=1.5)
        assert np.linalg.norm(np.diff(built.centreline.position([low, high])[:, :2], axis=0)) < 1.2
        assert found[0].distance == pytest.approx(abs(height), abs=0.3)
        finding = only(check_track(built.track, built), "self_approach")[0]
        assert finding.severity == "error"
        assert f"s = {found[0].other_s:.1f} m" in finding.message


def test_that_the_envelope_is_a_box_and_not_a_sphere(spline_track: Callable[..., Track]) -> None:
    """Two parallel straights: what counts beside the track is the half width, not the height above it."""

    def there_and_back(gap: float) -> BuiltTrack:
        bow = [[60.0 + 12.0 * np.sin(a), 12.0 - 12.0 * np.cos(a), 0.0] for a in np.linspace(0.2, 4.2, 13)]
        way = [[4.0 * k, 0.0, 0.0] for k in range(15)]
        back = [[30.0 - 4.0 * k, gap, 0.0] for k in range(8)]
        return build_track(spline_track(np.array([*way, *bow, *back]), 0.0, gauge=1.0))

    assert self_approaches(there_and_back(1.4))  # the rail 0.9 m away is inside the half width of 1.1 m
    assert not self_approaches(there_and_back(1.9))  # the rail 1.4 m away is outside it


@pytest.mark.parametrize(("depth", "hits"), [(1.5, True), (0.6, False)])
def test_that_the_envelope_reaches_below_the_rails_as_deep_as_stated(
    spline_track: Callable[..., Track], depth: float, hits: bool
) -> None:
    clearance = {"half_width": 1.1, "height_above": 0.5, "depth_below": depth}
    built = build_track(spline_track(np.array(crossing(1.2)), 0.0, clearance=clearance))
    assert bool(self_approaches(built)) == hits


def test_that_rolling_the_track_leaves_its_curvature_jumps(
    spline_track: Callable[..., Track], general_points: np.ndarray
) -> None:
    """Wherever the closed track starts, so also over its seam."""
    jumps = []
    for cants in (0.0, 0.9 * np.sin(np.arange(len(general_points)))):
        report = check_track(spline_track(general_points, cants, closed=True))
        jumps.append(report.largest_curvature_jump.value)
    for start in range(0, len(general_points), 3):
        track = spline_track(np.roll(general_points, start, axis=0), 0.0, closed=True)
        jumps.append(check_track(track).largest_curvature_jump.value)
    assert report.largest_cant_rate.value > 0.1
    assert jumps == pytest.approx([jumps[0]] * len(jumps), rel=0.01)
    assert jumps[1] == pytest.approx(jumps[0], rel=1e-9)


def test_that_kinks_of_table_rows_are_named_with_row_and_angle() -> None:
    heading = 0.01 * np.arange(160) + np.where(np.arange(160) >= 80, np.radians(1.2), 0.0)
    steps = 0.5 * np.stack([np.cos(heading), np.sin(heading), 0.02 + 0 * heading], axis=-1)
    rows = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    track = Track.model_validate(
        {"name": "t", "sections": [{"kind": "table", "name": "rows", "positions": rows.tolist()}]}
    )
    found = only(check_track(track), "kink")
    assert len(found) == 1
    assert "Row 81 of 'rows' has a kink of 1.2" in found[0].message
    assert found[0].s == pytest.approx(40.0, abs=0.1)
    assert found[0].severity == "warning"
    assert np.allclose(found[0].position, rows[80], atol=0.02)


def test_that_curvature_jumps_of_table_rows_are_told_from_kinks() -> None:
    """A straight that meets an arc of 20 m radius has a curvature jump of 0.05 1/m and no kink."""
    bend = np.concatenate([np.zeros(60), np.full(60, 0.05)])
    heading = np.cumsum(0.5 * bend)
    rows = np.vstack(
        [np.zeros(3), np.cumsum(0.5 * np.stack([np.cos(heading), np.sin(heading), 0 * heading], -1), 0)]
    )
    found = row_kinks(rows, False, np.radians(1.0), 0.02)
    assert len(found) == 1
    assert abs(found[0].row - 60) <= 2
    assert found[0].curvature_jump == pytest.approx(0.05, rel=0.05)
    smooth_bend = 0.05 * np.clip((np.arange(120) - 40.0) / 40.0, 0.0, 1.0)
    heading = np.cumsum(0.5 * smooth_bend)
    eased = np.cumsum(0.5 * np.stack([np.cos(heading), np.sin(heading), 0 * heading], -1), 0)
    assert row_kinks(eased, False, np.radians(0.1), 0.02) == []


def test_that_a_kink_over_the_seam_of_a_closed_table_is_found() -> None:
    a = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    drop = np.stack([18.0 * np.cos(a) * (1 + 0.02 * a), 18.0 * np.sin(a), 0 * a], axis=-1)[:-6]
    found = row_kinks(drop, True, np.radians(2.0), 10.0)
    assert {kink.row for kink in found} <= {0, 1, len(drop) - 1}
    assert found


def test_that_dropped_rows_are_findings() -> None:
    x = np.arange(0.0, 30.0, 0.5)
    rows = np.stack([x, 0.01 * x**2, 0 * x], axis=-1)
    rows = np.insert(rows, 20, rows[19], axis=0)
    track = Track.model_validate(
        {"name": "t", "sections": [{"kind": "table", "name": "rows", "positions": rows.tolist()}]}
    )
    assert "Row 21" in only(check_track(track), "dropped_row")[0].message


def test_that_a_small_kink_between_straights_is_built_and_reported() -> None:
    bend = np.radians(0.4)
    track = Track.model_validate({"name": "t", "sections": [
        {"kind": "straight", "name": "a", "start": [0, 0, 0], "end": [20, 0, 0], "cant": 0.0},
        {"kind": "straight", "name": "b", "end": [20 + 20 * np.cos(bend), 20 * np.sin(bend), 0], "cant": 0.0},
    ]})  # fmt: skip
    found = only(check_track(track), "kink")
    assert len(found) == 1
    assert "0.400 deg" in found[0].message
    assert found[0].severity == "error"
    assert found[0].s == pytest.approx(20.0)


def test_that_points_that_double_back_are_reported(spline_track: Callable[..., Track]) -> None:
    points = np.array([[0, 0, 0], [10, 0, 0], [20, 0, 0], [16, 11, 0], [2, 15, 0], [-10, 18, 0.0]])
    found = only(check_track(spline_track(points, 0.0)), "reversed")
    assert [finding.message.split(" the track")[0] for finding in found] == ["At section 'a', point 3"]


def test_that_a_cant_on_a_vertical_point_is_reported() -> None:
    points = [[0, 0, 0], [8, 0, 3], [12, 0, 10], [12, 0, 20.0]]
    nodes = [{"x": x, "y": y, "z": z, "cant": 0.0 if i != 1 else None, "straight": i == 2}
             for i, (x, y, z) in enumerate(points)]  # fmt: skip
    track = Track.model_validate(
        {"name": "t", "sections": [{"kind": "spline", "name": "up", "points": nodes}]}
    )
    found = only(check_track(track), "vertical_cant")
    assert [("point 3" in f.message, "point 4" in f.message) for f in found] == [(True, False), (False, True)]


def test_that_a_fast_roll_is_reported_where_it_is_fastest(spline_track: Callable[..., Track]) -> None:
    x = np.arange(0.0, 61.0, 4.0)
    cants = np.where(x > 30.0, 1.4, 0.0)
    report = check_track(spline_track(np.stack([x, 0 * x, 0 * x], -1), cants))
    found = only(report, "cant_rate")
    assert len(found) == 1
    assert found[0].s == pytest.approx(30.0, abs=0.2)
    assert report.largest_cant_rate.value == pytest.approx(35.0 / 16.0 * 1.4 / 4.0, rel=3e-3)  # degree-7 step


def test_that_overshoot_between_uneven_points_is_reported(spline_track: Callable[..., Track]) -> None:
    x = np.array([0.0, 10.0, 20.0, 30.0, 31.0, 40.0, 50.0, 60.0])
    y = np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5])
    report = check_track(spline_track(np.stack([x, y, 0 * x], -1), 0.0))
    assert {"curvature_spike", "curvature_jump"} <= set(kinds(report))
    even = np.arange(0.0, 61.0, 6.0)
    calm = check_track(spline_track(np.stack([even, 3.0 * np.sin(even / 15.0), 0 * even], -1), 0.0))
    assert calm.findings == ()


def test_that_findings_are_sorted_and_the_report_survives_json(joined: BuiltTrack) -> None:
    report = check_track(joined.track, joined)
    assert [f.s for f in report.findings] == sorted(f.s for f in report.findings)
    assert TrackReport.model_validate_json(report.model_dump_json()) == report
