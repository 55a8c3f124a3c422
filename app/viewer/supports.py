"""Where the supports of a track stand: columns and leaning legs that keep clear of the track itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from app.viewer.track_mesh import SPINE_DEPTH, Course
from core.track.build import BuiltTrack

Array = NDArray[np.float64]

SPACING = 11.0  # m along the track
CLEAR = 2.0  # m from the middle of a column to the middle of the envelope of the train
ENVELOPE_MIDDLE = 0.8  # m above the rails
OWN = 5.0  # m along the track on both sides that do not count as in the way of a column
SHIFTS = (0.0, 2.0, -2.0, 4.0, -4.0)  # m along the track, tried in this order
LEANS = (0.0, 0.35, -0.35, 0.7, -0.7)  # sideways run of a leg for each metre of height
AWAY = 0.25  # least part of a leg's direction that leads away from the side on which the train runs
LOWEST = 0.5  # m of height below which no support is drawn


@dataclass(frozen=True)
class Supports:
    """Legs from top to foot (k, 3) m with radius (k,) m."""

    top: Array
    foot: Array
    radius: Array


def place_supports(built: BuiltTrack, ground: float) -> Supports:
    """Legs under the spine about every 11 m, down to the ground (m); left out where the track is in the way."""
    line_s = np.linspace(0.0, built.length, max(8, int(built.length)))
    course = Course.of(built, line_s)
    tree = cKDTree(course.beside(0.0, ENVELOPE_MIDDLE))
    spots = np.arange(0.5 * SPACING, built.length, SPACING)
    tops: list[Array] = []
    feet: list[Array] = []
    for s in spots.tolist():
        leg = _leg(built, tree, line_s, s, ground)
        if leg is not None:
            tops.append(leg[0])
            feet.append(leg[1])
    top, foot = np.array(tops).reshape(-1, 3), np.array(feet).reshape(-1, 3)
    height = top[:, 2] - foot[:, 2]
    return Supports(top, foot, 0.13 + 0.006 * np.clip(height, 0.0, 30.0))


def _leg(
    built: BuiltTrack, tree: cKDTree, line_s: Array, s: float, ground: float
) -> tuple[Array, Array] | None:
    """The first leg near s that is free of the track: top and foot, or None."""
    places = np.clip(np.array([s + shift for shift in SHIFTS]), 0.0, built.length)
    at = Course.of(built, places)
    spine = at.beside(0.0, -SPINE_DEPTH)
    flat = np.cross(at.t, [0.0, 0.0, 1.0])
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 0.3)
    for lean in LEANS:
        for k in range(len(places)):
            height = float(spine[k, 2]) - ground
            if height < LOWEST:
                return None
            foot = spine[k] + lean * height * flat[k]
            foot[2] = ground
            leg = (foot - spine[k]) / np.linalg.norm(foot - spine[k])
            if float(leg @ at.up[k]) > -AWAY:
                continue  # it would stand where the train is
            if _free(built, tree, line_s, float(places[k]), spine[k], foot):
                return spine[k], foot
    return None


def _free(built: BuiltTrack, tree: cKDTree, line_s: Array, s: float, top: Array, foot: Array) -> bool:
    count = max(3, int(np.linalg.norm(foot - top) / 1.2))
    along = np.linspace(0.0, 1.0, count)[:, None]
    near = tree.query_ball_point(top + along * (foot - top), CLEAR)
    for k, hits in enumerate(near):
        if not hits:
            continue
        apart = np.abs(line_s[hits] - s)
        if built.track.closed:
            apart = np.minimum(apart, built.length - apart)
        own = OWN if k < 3 else 1.0
        if np.any(apart > own):
            return False
    return True
