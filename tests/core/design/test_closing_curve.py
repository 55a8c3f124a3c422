"""The curve that closes a track: against closed forms, and as the turn where the ends do not face each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ridewright.core.design.close import close_circuit
from ridewright.core.design.closing_curve import (
    End,
    along,
    closing_curves,
    design_radius,
    length_of,
    point_spacing,
    ways,
)
from ridewright.core.design.closing_fit import CloseLimits
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track


def _end(way, here, heading):
    length = length_of(way)
    place = along(way, here, heading, np.array([length]))[0]
    return place, heading + sum(bend * part for bend, part in way)


def test_that_the_way_arrives_where_it_should_and_is_the_shortest_known() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        here, there = rng.uniform(-80.0, 80.0, (2, 2))
        heading, to = rng.uniform(-math.pi, math.pi, 2)
        way = ways(here, heading, there, to, 9.0)[0]
        place, arrived = _end(way, here, heading)
        assert place == pytest.approx(there, abs=1e-9)
        assert math.remainder(arrived - to, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    # closed forms: straight on, half a turn across the diameter, half a turn with straights
    ahead = ways(np.zeros(2), 0.0, np.array([50.0, 0.0]), 0.0, 9.0)[0]
    assert length_of(ahead) == pytest.approx(50.0)
    half = ways(np.zeros(2), 0.0, np.array([0.0, 18.0]), math.pi, 9.0)[0]
    assert length_of(half) == pytest.approx(9.0 * math.pi)
    wide = ways(np.zeros(2), 0.0, np.array([0.0, 40.0]), math.pi, 9.0)[0]
    assert length_of(wide) == pytest.approx(9.0 * math.pi + 22.0)


def _end_at(place, heading, bend=(0.0, 0.0, 0.0)):
    return End(np.array(place), np.array([math.cos(heading), math.sin(heading), 0.0]), np.array(bend))


def test_that_a_gap_straight_ahead_is_closed_by_the_gentlest_curve_there_is() -> None:
    # 30 m on, 3 m aside: without curvature at its ends the least integral of the squared change of curvature has the
    # quintic of Hermite (small slopes): bend 5.77 d/l^2, change 60 d/l^3, and no curve stays below a change of 32 d/l^3
    d, l = 3.0, 30.0
    (curve, *_) = closing_curves(_end_at((-l, -d, 3.0), 0.0), _end_at((0.0, 0.0, 3.0), 0.0), 20.0)
    change = np.abs(np.diff(curve.bends)).max() * (len(curve.bends) - 1) / curve.length
    assert 32.0 * d / l**3 < change < 1.05 * 60.0 * d / l**3
    assert np.abs(curve.bends).max() < 1.02 * 5.77 * d / l**2
    assert curve.length == pytest.approx(np.hypot(d, l) + 0.6 * d**2 / l - 0.5 * d**2 / l, rel=0.01)


def test_that_a_curve_joins_place_heading_curvature_slope_and_its_change() -> None:
    # a general pose: climbing out of a bend to the right, into a descending bend to the left
    end = End(
        np.array([0.0, 0.0, 9.0]),
        np.array([math.cos(0.3) * 0.96, math.sin(0.3) * 0.96, 0.28]),
        np.array([0.01, -0.03, 0.005]),
    )
    end.bend[:] -= (end.bend @ end.tangent) * end.tangent
    start = End(
        np.array([70.0, -90.0, 4.0]),
        np.array([math.cos(2.0) * 0.98, math.sin(2.0) * 0.98, -0.199]),
        np.array([0.0, 0.02, 0.01]),
    )
    start.bend[:] -= (start.bend @ start.tangent) * start.tangent
    for curve in closing_curves(end, start, 25.0):
        p = np.array([0.0, curve.length])
        place, heading = curve.plan(p)
        assert place == pytest.approx(np.array([end.place, start.place]), abs=0.03)
        assert heading[0] == pytest.approx(0.3)
        assert math.remainder(heading[1] - 2.0, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-3)
        # curvature and change of slope from differences of the places, an independent way
        for at, one in ((0.0, end), (curve.length, start)):
            fine = at + 0.05 * np.arange(-1, 2) + (0.05 if at == 0.0 else -0.05)
            xyz, angle = curve.plan(fine)
            turning = (angle[2] - angle[0]) / 0.1
            slope = (xyz[2, 2] - xyz[0, 2]) / 0.1
            assert turning == pytest.approx(one.turning, abs=2e-3)
            assert slope == pytest.approx(one.slope[0], abs=5e-3)
            assert (xyz[2, 2] - 2.0 * xyz[1, 2] + xyz[0, 2]) / 0.05**2 == pytest.approx(
                one.slope[1], abs=5e-3
            )


def _half_an_oval() -> Project:
    """Out, a half turn of 20 m to the left, and back: the other half turn is missing."""
    out = [(x, 0.0) for x in (0.0, 20.0, 40.0, 60.0)]
    turn = [
        (60.0 + 20.0 * math.sin(a), 20.0 - 20.0 * math.cos(a))
        for a in (np.arange(1, 7) * math.pi / 7).tolist()
    ]
    back = [(x, 40.0) for x in (60.0, 40.0, 20.0, 0.0)]
    points = tuple(ControlPoint(x=x, y=y, z=2.0, cant=None) for x, y in (*out, *turn, *back))
    return Project(name="p", track=Track(name="t", sections=(SplineSection(name="all", points=points),)))


def test_that_a_missing_half_turn_is_proposed_banked_and_joins_smoothly() -> None:
    def even(_built, s):
        return np.full(len(s), 14.0), np.zeros(len(s))

    limits = CloseLimits(gz_max=3.0, gz_min=0.3)
    closed, report = close_circuit(_half_an_oval(), [], even, limits=limits)
    assert "178 degrees to the left" in report.curve  # and two in the neighbours, which are splines
    assert "right" not in report.curve
    assert closed.track.closed
    assert [section.name for section in closed.track.sections] == ["all", "Closing"]
    assert report.kept, report.notes
    assert report.approaches == 0
    built = build_track(closed.track, ride=False)
    # neither a fold nor a detour: half a circle and what leads into it
    assert built.sections[-1].s1 - built.sections[-1].s0 < 1.6 * 20.0 * math.pi
    line = built.centreline
    end, start = line.state([line.length], from_left=True).curve[0], line.state([0.0]).curve[0]
    for order in range(3):
        assert end[order] == pytest.approx(start[order], abs=1e-6)


def test_that_radius_and_cant_follow_the_speed() -> None:
    end, start = _end_at((0.0, 0.0, 2.0), 0.0), _end_at((0.0, 60.0, 8.0), math.pi)
    assert design_radius(16.0, 9.81) == pytest.approx(16.0**2 / 9.81)
    assert design_radius(1.0, 9.81) == 15.0
    curve = closing_curves(end, start, design_radius(16.0, 9.81))[0]
    points = curve.points(16.0, 9.81, point_spacing(design_radius(16.0, 9.81)))
    place, _ = curve.plan(np.linspace(0.0, curve.length, 200))
    assert (np.diff(place[:, 2]) > -1e-9).all()
    # to the left, banked as a free body in the mean over 24 m: v^2 / (g R)
    k = len(points) // 2
    height = points[k].z - 2.0
    at = np.interp(points[k].z, place[:, 2], np.linspace(0.0, curve.length, 200))
    _, heading = curve.plan(np.array([at - 12.0, at + 12.0]))
    bend = (heading[1] - heading[0]) / 24.0
    assert points[k].cant == pytest.approx(-math.atan((16.0**2 - 2 * 9.81 * height) * bend / 9.81), abs=0.01)
