"""Completing the circuit: exact joins, limits kept or named."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.close import close_circuit
from ridewright.core.design.closing_fit import CloseLimits
from ridewright.core.design.findings import finding_change, track_findings
from ridewright.core.design.loads import heartline_loads
from ridewright.core.edits.changes import set_track
from ridewright.core.project.project import Project
from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.clearance import self_approaches
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track

Array = np.ndarray


def half_turn(x: float, start: float) -> list[tuple[float, float]]:
    angles = start + np.pi * np.arange(8) / 7.0
    return [(x + 25.0 * np.cos(a), 25.0 * np.sin(a)) for a in angles.tolist()]


def open_oval(miss: tuple[float, float, float]) -> Project:
    """An oval of 25 m half turns whose end misses its start by `miss` (m), spread over its last six points."""
    flat = [(-20.0 + 20.0 * i, -25.0) for i in range(5)] + half_turn(80.0, -0.5 * np.pi)[1:]
    flat += [(60.0 - 20.0 * i, 25.0) for i in range(4)] + half_turn(-20.0, 0.5 * np.pi)[:-1]
    places = np.array([(x, y, 3.0) for x, y in flat])
    places += np.clip((np.arange(len(places)) - len(places) + 6) / 5.0, 0.0, 1.0)[:, None] * np.array(miss)
    points = [ControlPoint(x=x, y=y, z=z, cant=None) for x, y, z in places.tolist()]
    sections = (
        SplineSection(name="first", points=tuple(points[:12])),
        SplineSection(name="second", points=tuple(points[12:])),
    )
    return Project(name="p", track=Track(name="oval", sections=sections))


def falling(built: BuiltTrack, s: Array) -> tuple[Array, Array]:
    curve = built.centreline.state(s).curve
    return np.sqrt(14.0**2 - 2.0 * 9.81 * (curve[:, 0, 2] - 3.0)), -9.81 * curve[:, 1, 2]


def built_of(project: Project) -> BuiltTrack:
    assert project.track is not None
    return build_track(project.track, ride=False)


def test_that_a_gap_of_twenty_metres_closes_exactly_and_within_limits() -> None:
    project = open_oval((6.0, 17.0, 4.0))
    limits = CloseLimits(gz_max=3.5, gz_min=0.0, gy_max=1.1, jerk_max=10.0, reach=15.0)
    closed, report = close_circuit(project, ["second"], falling, limits=limits)
    assert report.gap > 20.0
    assert report.kept, report.notes
    assert report.moved <= limits.reach
    built = built_of(closed)
    line = built.centreline
    end, start = line.state([line.length], from_left=True).curve[0], line.state([0.0]).curve[0]
    assert end[0] == pytest.approx(start[0], abs=1e-6)  # position
    assert end[1] == pytest.approx(start[1], abs=1e-6)  # direction
    assert end[2] == pytest.approx(start[2], abs=1e-6)  # curvature
    # the limits, looked at anew on a finer grid
    span = next(s for s in built.sections if s.name == "second")
    s = np.linspace(span.s0, span.s1, 2000)
    felt = heartline_loads(built, s, *falling(built, s), 1.1, np.array([0.0, 0.0, -9.81]))
    assert np.abs(felt[:, 1]).max() < limits.gy_max * 1.03
    assert limits.gz_min < felt[:, 2].min() < felt[:, 2].max() < limits.gz_max
    # merely closing it would not have kept them
    plain = built_of(set_track(project, {"closed": True}))
    span = next(s for s in plain.sections if s.name == "second")
    s = np.linspace(span.s0, span.s1, 2000)
    rough = heartline_loads(plain, s, *falling(plain, s), 1.1, np.array([0.0, 0.0, -9.81]))
    assert np.abs(rough[:, 1]).max() > 1.5 * limits.gy_max
    assert closed.track is not None
    assert project.track is not None
    assert closed.track.sections[0] == project.track.sections[0]


def test_that_limits_out_of_reach_are_named_with_their_place() -> None:
    """A curve of 25 m at up to 14 m/s asks for 0.8 g, and points that move by a metre make it no wider."""
    limits = CloseLimits(gy_max=0.4, jerk_max=10.0, reach=1.0)
    closed, report = close_circuit(open_oval((6.0, 17.0, 4.0)), ["second"], falling, limits=limits)
    assert not report.kept
    (named,) = (
        found
        for note in report.notes
        if (
            found := re.match(
                r"The lateral load is (.*) g, above 0.40 g, at (.*) m in section 'second'", note
            )
        )
    )
    built, (load, s) = built_of(closed), (float(number) for number in named.groups())
    assert built.section_at(s) == "second"
    felt = heartline_loads(
        built, np.array([s]), *falling(built, np.array([s])), None, np.array([0.0, 0.0, -9.81])
    )
    assert abs(felt[0, 1]) == pytest.approx(load, abs=0.02)  # the place is told to a metre
    assert load > 0.4
    assert report.moved <= 1.0 + 1e-6
    assert closed.track is not None
    assert closed.track.closed


def open_eight(pass_height: float) -> Project:
    """A figure of eight, open by some 20 m at its right end, whose second pass over the middle is `pass_height` (m)
    above the first."""
    t = np.linspace(0.25 * np.pi, 2.18 * np.pi, 36)
    z = 3.0 + pass_height * np.clip((t - 1.2 * np.pi) / (0.4 * np.pi), 0.0, 1.0)
    places = np.column_stack([70.0 * np.sin(t), 35.0 * np.sin(2.0 * t), z]).tolist()
    points = [ControlPoint(x=x, y=y, z=z, cant=None) for x, y, z in places]
    sections = (
        SplineSection(name="first", points=tuple(points[:16])),
        SplineSection(name="second", points=tuple(points[16:])),
    )
    return Project(name="p", track=Track(name="eight", sections=sections))


def test_that_the_free_points_go_clear_of_the_rest_of_the_track() -> None:
    project = open_eight(1.2)
    plain = built_of(set_track(project, {"closed": True}))
    crossing = self_approaches(plain)
    assert len(crossing) == 1
    closed, report = close_circuit(project, ["second"], falling, limits=CloseLimits(gy_max=2.0))
    assert report.approaches == 0
    assert not self_approaches(built_of(closed))
    assert report.kept, report.notes


def test_that_what_cannot_be_closed_is_refused() -> None:
    project = open_oval((5.0, 5.0, 0.0))
    with pytest.raises(InputError, match="closed circuit already"):
        close_circuit(set_track(project, {"closed": True}), ["second"], falling)
    with pytest.raises(InputError, match="no section 'x'"):
        close_circuit(project, ["x"], falling)
    with pytest.raises(InputError, match="no track"):
        close_circuit(Project(name="p"), ["x"], falling)


def test_that_closing_stops_when_asked_and_still_gives_a_circuit() -> None:
    closed, report = close_circuit(open_oval((6.0, 17.0, 4.0)), ["second"], falling, should_stop=lambda: True)
    assert report.moved == 0.0
    assert closed.track is not None
    assert closed.track.closed


def open_round(gap: tuple[float, float, float]) -> Project:
    """A round trip between two straights whose end lies `gap` (m: along, aside, up) before its start."""
    x, y, z = -gap[0], -gap[1], 3.0 - gap[2]
    bends = [
        (60.0, 30.0, 30.0, -0.5 * np.pi, 0.5 * np.pi),
        (x - 40.0, 0.5 * (60.0 + y), 0.5 * (60.0 - y), 0.5 * np.pi, 1.5 * np.pi),
    ]
    places: list[tuple[float, float, float]] = []
    for k, (cx, cy, r, a, b) in enumerate(bends):
        for share in np.linspace(0.0, 1.0, 9).tolist():
            angle = a + (b - a) * share
            height = 3.0 - k * gap[2] * share * share * (3.0 - 2.0 * share)
            places.append((cx + r * np.cos(angle), cy + r * np.sin(angle), height))
        if k == 0:
            places += [(along, 60.0, 3.0) for along in (40.0, 20.0, 0.0, -20.0)]
    points = tuple(ControlPoint(x=px, y=py, z=pz, cant=None) for px, py, pz in places[1:])
    sections = (
        StraightSection(name="station", start=(0.0, 0.0, 3.0), end=(60.0, 0.0, 3.0), cant=0.0),
        SplineSection(name="round", points=points),
        StraightSection(name="home", end=(x, y, z), cant=0.0),
    )
    return Project(name="p", track=Track(name="t", sections=sections))


def steady(_built: BuiltTrack, s: Array) -> tuple[Array, Array]:
    return np.full(len(s), 14.0), np.zeros(len(s))


@pytest.mark.parametrize("gap", [(30.0, 4.0, 2.4), (60.0, 8.0, 5.0)])
def test_that_an_easy_gap_closes_about_as_gently_as_is_possible(gap: tuple[float, float, float]) -> None:
    # between two straights: the least integral of the squared change of curvature has the quintic of Hermite, bend at
    # most 5.77 d/l^2, change at most 60 d/l^3; no curve stays below a change of 32 d/l^3 (three even changes)
    project = open_round(gap)
    closed, report = close_circuit(project, [], steady)
    along, aside = gap[0], float(np.hypot(gap[1], gap[2]))
    assert report.kept, report.notes
    assert report.moved == 0.0
    assert not finding_change(track_findings(built_of(project)), track_findings(built_of(closed))).new
    assert 32.0 * aside / along**3 < report.sharpest < 1.3 * 60.0 * aside / along**3
    assert report.min_radius > 0.9 * along**2 / (5.77 * aside)
    assert report.length < 1.05 * np.hypot(along, aside)
    # what was there stays where it was
    here, there = built_of(project), built_of(closed)
    s = np.linspace(0.0, here.length, 300)
    assert there.centreline.position(s) == pytest.approx(here.centreline.position(s), abs=1e-6)


def test_that_a_closing_piece_that_fails_names_what_is_left_and_a_way_out() -> None:
    # 12 m higher than 10 m/s carry: whatever the curve, the train does not come up
    def slow(_built: BuiltTrack, s: Array) -> tuple[Array, Array]:
        return np.full(len(s), 10.0), np.zeros(len(s))

    _, report = close_circuit(open_round((80.0, 0.0, 12.0)), [], slow)
    assert not report.kept
    assert any("enough to climb 5.1 m" in note and "12.0 m higher" in note for note in report.notes)

    def none(_built: BuiltTrack, s: Array) -> tuple[Array, Array]:
        return np.zeros(len(s)), np.zeros(len(s))

    _, report = close_circuit(open_round((30.0, 4.0, 2.4)), [], none)
    assert not report.kept
    assert any("does not reach the end" in note for note in report.notes)

    # 6 m on and 5 m up at 25 m/s
    def fast(_built: BuiltTrack, s: Array) -> tuple[Array, Array]:
        return np.full(len(s), 25.0), np.zeros(len(s))

    _, report = close_circuit(open_round((12.0, 0.0, 6.0)), [], fast)
    if not report.kept:
        assert any("Ways out" in note for note in report.notes)
