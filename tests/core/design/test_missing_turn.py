"""The turn that closes a track whose ends do not face each other."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from ridewright.core.design.close import CloseLimits, close_circuit
from ridewright.core.design.missing_turn import along, face_each_other, missing_turn, shortest
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, Track


def _end(way, here, heading):
    length = sum(part for _, part in way)
    place = along(way, here, heading, np.array([length]))[0]
    return place, heading + sum(bend * part for bend, part in way)


def test_that_the_way_arrives_where_it_should_and_is_the_shortest_known() -> None:
    rng = np.random.default_rng(7)
    for _ in range(200):
        here, there = rng.uniform(-80.0, 80.0, (2, 2))
        heading, to = rng.uniform(-math.pi, math.pi, 2)
        way = shortest(here, heading, there, to, 9.0)
        place, arrived = _end(way, here, heading)
        assert place == pytest.approx(there, abs=1e-9)
        assert math.remainder(arrived - to, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    # closed forms: straight on, half a turn across the diameter, half a turn with straights
    ahead = shortest(np.zeros(2), 0.0, np.array([50.0, 0.0]), 0.0, 9.0)
    assert sum(part for _, part in ahead) == pytest.approx(50.0)
    half = shortest(np.zeros(2), 0.0, np.array([0.0, 18.0]), math.pi, 9.0)
    assert sum(part for _, part in half) == pytest.approx(9.0 * math.pi)
    wide = shortest(np.zeros(2), 0.0, np.array([0.0, 40.0]), math.pi, 9.0)
    assert sum(part for _, part in wide) == pytest.approx(9.0 * math.pi + 22.0)


def test_that_ends_face_each_other_only_when_the_gap_lies_ahead_of_both() -> None:
    ends = np.array([[30.0, 4.0, 2.0], [0.0, 0.0, 5.0]])
    east, west = [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]
    assert face_each_other(ends, np.array([east, east]))
    assert not face_each_other(ends, np.array([east, west]))
    assert not face_each_other(ends, np.array([west, east]))


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

    limits = CloseLimits(gz_most=3.0, gz_least=0.3)
    closed, report = close_circuit(_half_an_oval(), [], even, limits=limits)
    assert "to the left" in report.turn
    assert "right" not in report.turn
    assert closed.track.closed
    assert [section.name for section in closed.track.sections] == ["all", "Closing turn"]
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
    ends = np.array([[0.0, 0.0, 2.0], [0.0, 60.0, 8.0]])
    tangents = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    fast = missing_turn(ends, tangents, 16.0, 9.81)
    assert fast.radius == pytest.approx(16.0**2 / 9.81)
    # to the left, without lateral load where it turns all around a place
    assert min(p.cant for p in fast.points) == pytest.approx(-math.atan(1.0), abs=1e-6)
    heights = [p.z for p in fast.points]
    assert all(a > b for a, b in pairwise(heights))
    assert missing_turn(ends, tangents, 1.0, 9.81).radius == 8.0
