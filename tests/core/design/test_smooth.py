"""Smoothing: less jerk, inside the tube, straight pieces untouched."""

from __future__ import annotations

import numpy as np
import pytest

from ridewright.core.base.errors import InputError
from ridewright.core.design.smooth import _jerk, smooth
from ridewright.core.project.project import Project
from ridewright.core.track.build import build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track


def rough_ring(radius: float, noise: float, points: int = 20, seed: int = 3) -> Project:
    random = np.random.default_rng(seed)
    angles = 2.0 * np.pi * np.arange(points) / points
    places = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(points, 5.0)])
    places += random.uniform(-noise, noise, places.shape)
    ring = tuple(ControlPoint(x=x, y=y, z=z, cant=0.0) for x, y, z in places.tolist())
    return Project(
        name="p", track=Track(name="ring", closed=True, sections=(SplineSection(name="ring", points=ring),))
    )


def test_that_the_measure_of_jerk_is_that_of_a_helix_and_nothing_for_a_circle() -> None:
    # a helix of curvature k and torsion t has a curvature vector that turns with t: |dk/ds| = k t everywhere
    radius, rise = 12.0, 4.0
    angles = np.linspace(0.0, 6.0 * np.pi, 90)
    points = tuple(
        ControlPoint(x=radius * np.cos(a), y=radius * np.sin(a), z=rise * a, cant=None)
        for a in angles.tolist()
    )
    built = build_track(Track(name="t", sections=(SplineSection(name="helix", points=points),)), ride=False)
    both = radius**2 + rise**2
    expected = (radius * rise / both**2) ** 2 * built.length
    assert np.sum(_jerk(built) ** 2) == pytest.approx(expected, rel=1e-3)
    ring = rough_ring(20.0, 0.0)
    assert ring.track is not None
    assert np.sum(_jerk(build_track(ring.track, ride=False)) ** 2) < 1e-8


def test_that_a_rough_ring_becomes_round_within_its_tube() -> None:
    noise, tube = 0.03, 0.08
    rough = rough_ring(20.0, noise)
    smoothed, report = smooth(rough, ["ring"], tube)
    assert report.after < 0.02 * report.before
    assert report.sharpest_after < 0.2 * report.sharpest_before
    assert report.moved <= tube
    assert report.strayed <= tube
    assert report.points == 20
    assert smoothed.track is not None
    line = build_track(smoothed.track, ride=False).centreline
    assert np.std(line.curvature(np.linspace(0.0, line.length, 300))) < 1e-3


def test_that_a_narrow_tube_is_kept() -> None:
    rough = rough_ring(20.0, 0.05)
    _, wide = smooth(rough, ["ring"], 0.2)
    _, narrow = smooth(rough, ["ring"], 0.01)
    assert narrow.strayed <= 0.01
    assert wide.after < narrow.after < narrow.before


def test_that_straight_pieces_and_sections_not_chosen_stay() -> None:
    bend = [(40.0, 0.0, 2.0), (52.0, 1.5, 2.3), (63.0, 7.0, 2.1), (70.0, 16.0, 2.4), (72.0, 27.0, 2.0)]
    points = tuple(ControlPoint(x=x, y=y, z=z, cant=0.0) for x, y, z in bend)
    more = tuple(ControlPoint(x=72.0, y=27.0 + 12.0 * k, z=2.0, cant=0.0) for k in range(1, 4))
    track = Track(
        name="t",
        sections=(
            StraightSection(name="run", start=(0.0, 0.0, 2.0), end=(40.0, 0.0, 2.0), cant=0.0),
            SplineSection(name="bend", points=points),
            SplineSection(name="rest", points=more),
        ),
    )
    smoothed, report = smooth(Project(name="p", track=track), ["bend"], 0.5)
    assert smoothed.track is not None
    new = smoothed.track.sections
    assert new[0] == track.sections[0]
    assert new[2] == track.sections[2]
    assert isinstance(new[1], SplineSection)
    assert new[1].points[0] == points[0]
    assert report.points == 4
    assert report.after < report.before


def test_that_a_straight_piece_inside_a_spline_stays() -> None:
    rough = rough_ring(20.0, 0.05)
    assert rough.track is not None
    (ring,) = rough.track.sections
    assert isinstance(ring, SplineSection)
    points = tuple(p.model_copy(update={"straight": i == 6}) for i, p in enumerate(ring.points))
    track = rough.track.model_copy(update={"sections": (ring.model_copy(update={"points": points}),)})
    smoothed, report = smooth(Project(name="p", track=track), ["ring"], 0.2)
    assert smoothed.track is not None
    (new,) = smoothed.track.sections
    assert isinstance(new, SplineSection)
    assert new.points[6:8] == points[6:8]
    assert report.points == 18


def test_that_smoothing_stops_when_asked_and_keeps_what_it_has() -> None:
    seen: list[float] = []
    rough = rough_ring(20.0, 0.03)
    _, full = smooth(rough, ["ring"], 0.08)
    _, stopped = smooth(rough, ["ring"], 0.08, on_progress=seen.append, should_stop=lambda: True)
    assert seen == [0.0]
    assert full.after <= stopped.after < stopped.before


def test_that_what_cannot_be_smoothed_is_refused() -> None:
    ring = rough_ring(20.0, 0.02)
    with pytest.raises(InputError, match=r"choose 0\.001 to 5 m"):
        smooth(ring, ["ring"], 0.0)
    straight = Track(name="t", sections=(StraightSection(name="run", start=(0, 0, 0), end=(30, 0, 0)),))
    with pytest.raises(InputError, match="no control points"):
        smooth(Project(name="p", track=straight), ["run"], 0.1)
    with pytest.raises(InputError, match="no section 'x'"):
        smooth(ring, ["x"], 0.1)
