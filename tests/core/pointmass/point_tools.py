"""Curves with closed forms, built as tracks through points dense enough for eight digits."""

from __future__ import annotations

import numpy as np

from ridewright.core.track.build import BuiltTrack, build_track
from ridewright.core.track.description import ControlPoint, SplineSection, StraightSection, Track

G = 9.81


def track_through(points: np.ndarray, **fields: object) -> BuiltTrack:
    """A spline section 'all' through points (n, 3)."""
    nodes = tuple(ControlPoint(x=float(p[0]), y=float(p[1]), z=float(p[2])) for p in points)
    track = Track.model_validate(
        {"name": "t", "sections": (SplineSection(name="all", points=nodes),), **fields}
    )
    return build_track(track, ride=False)


def straight(length: float, fall: float = 0.0, **fields: object) -> BuiltTrack:
    """A straight of a length (m) that falls by an angle (rad), heading somewhere."""
    heading = 0.7
    way = np.array([np.cos(fall) * np.cos(heading), np.cos(fall) * np.sin(heading), -np.sin(fall)])
    start = np.array([3.0, -2.0, 50.0])
    section = StraightSection(name="all", start=tuple(start), end=tuple(start + length * way), cant=0.0)
    return build_track(Track.model_validate({"name": "t", "sections": (section,), **fields}), ride=False)


def helix(radius: float, rise: float, turns: float, count: int) -> BuiltTrack:
    """A helix about a vertical axis; rise (m) a turn, negative falls."""
    a = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return track_through(
        np.stack([radius * np.cos(a), radius * np.sin(a), rise * a / (2.0 * np.pi)], axis=-1)
    )


def cycloid(radius: float, from_angle: float, count: int) -> BuiltTrack:
    """The bowl x = r (a - sin a), z = r (cos a - 1) for a from `from_angle` to 2 pi minus it, evenly along its arc."""
    end = np.cos(from_angle / 2.0)
    a = 2.0 * np.arccos(np.linspace(end, -end, count))
    x, z = radius * (a - np.sin(a)), radius * (np.cos(a) - 1.0)
    way = np.array([np.cos(0.4), np.sin(0.4)])
    return track_through(np.stack([x * way[0], x * way[1], z], axis=-1))


def loop(radius: float, count: int) -> BuiltTrack:
    """A vertical circle from its lowest place, once round and a little more, in a plane with a heading."""
    a = np.linspace(-0.4, 2.0 * np.pi + 0.4, count)
    x, z = radius * np.sin(a), radius * (1.0 - np.cos(a))
    way = np.array([np.cos(-1.1), np.sin(-1.1)])
    return track_through(np.stack([x * way[0], x * way[1], z], axis=-1))
