"""Cameras: free orbit, following the car, in the rider's head, from the side, from above; all from one small state."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ...core.base.arrays import Array
from ...core.track.build import BuiltTrack

Mode = Literal["orbit", "follow", "ride", "side", "top"]
MODES: Final[tuple[Mode, ...]] = ("orbit", "follow", "ride", "side", "top")
CLOSEST = 0.03  # m
FILLED = np.array(
    [0.88, 0.74]
)  # of width and height of the picture that framed points may fill: buttons lie above
NARROW, WIDE = 40.0, 90.0  # degrees, opening from below to above; wide in the rider's head
STEEPEST = math.radians(89.0)
FOLLOW = (math.radians(180.0), math.radians(17.0), 8.5)  # azimuth from ahead, elevation, distance (m)
BEHIND = 5.0  # m from the last car of a train to what follows it
EYE = np.array(
    [-0.03, 0.0, 0.07]
)  # m, in the axes of the head: a little behind the face, to see hands and restraint
DOWN = 0.38  # rad below straight ahead, for the same reason
SIDE = (0.0, math.radians(6.0), 9.0)


@dataclass(frozen=True)
class Eye:
    """A camera: position, point looked at (m), up, opening (degrees) and near clipping distance (m)."""

    position: Array
    focus: Array
    up: Array
    angle: float
    near: float


@dataclass(frozen=True)
class Target:
    """What a moving camera needs: place of the car (m) and its smoothed frame (columns t, left, up); the rider's
    head: position and rotation, None without a rider; along(d): place and frame of the track d m further on; reach (m):
    how far the rest of the train is from the car."""

    place: Array
    frame: Array
    head: tuple[Array, Array] | None
    along: Callable[[float], tuple[Array, Array]] | None = None
    reach: float = 0.0


def unit(v: Array) -> Array:
    """A vector of length one along v."""
    return np.asarray(v / max(float(np.linalg.norm(v)), 1e-12))


def track_frame(built: BuiltTrack, s: float, reach: float = 5.0) -> Array:
    """The frame (columns t, left, up) of the track at s (m), averaged over `reach` m to both sides."""
    state = built.centreline.state(s + np.linspace(-reach, reach, 7))
    t = unit(state.tangent.mean(axis=0))
    up = state.up.mean(axis=0)
    left = unit(np.cross(up, t))
    return np.stack([t, left, np.cross(t, left)], axis=1)


def track_place(built: BuiltTrack, s: float) -> tuple[Array, Array]:
    """Place (m) and smoothed frame of the track at s (m); straight on beyond the ends of an open track."""
    inside = float(built.centreline.wrap(s)[0])
    frame = track_frame(built, s)
    beyond = 0.0 if built.track.closed else s - inside
    return built.centreline.position([inside])[0] + beyond * frame[:, 0], frame


def _ball(azimuth: float, elevation: float) -> Array:
    c = math.cos(elevation)
    return np.array([c * math.cos(azimuth), c * math.sin(azimuth), math.sin(elevation)])


class CameraRig:
    """The state of all cameras. Drags and the wheel change the one in use."""

    def __init__(self) -> None:
        self.mode: Mode = "orbit"
        self.focus = np.zeros(3)
        self.azimuth, self.elevation, self.distance = math.radians(-120.0), math.radians(25.0), 100.0
        self._offset: dict[str, tuple[float, float, float]] = {}
        self.reset_offsets()
        self.top_focus, self.top_distance = np.zeros(3), 100.0

    def reset_offsets(self) -> None:
        """Put the moving cameras back behind, beside and in front."""
        self._offset = {"follow": FOLLOW, "side": SIDE, "ride": (0.0, 0.0, 0.0)}

    def frame(self, centre: Array, radius: float, aspect: float = 1.6) -> None:
        """Bring a ball (m) into the orbit camera, keeping its direction."""
        self.focus = np.array(centre, dtype=float)
        half = math.radians(NARROW / 2)
        half = min(half, math.atan(math.tan(half) * aspect))
        self.distance = max(CLOSEST, radius / math.sin(half))

    def frame_points(self, points: Array, aspect: float) -> None:
        """Bring points (n, 3) m into the orbit camera, as large as they fit; aspect: width over height."""
        view = -_ball(self.azimuth, self.elevation)
        right = unit(np.cross(view, [0.0, 0.0, 1.0]))
        axes = np.stack([right, np.cross(right, view), -view], axis=1)
        tan = np.array([aspect, 1.0]) * math.tan(math.radians(NARROW / 2)) * FILLED
        middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
        for _ in range(
            3
        ):  # what is nearer looks larger, so the middle of the picture moves with the distance
            seen = (points - middle) @ axes
            away = float(np.max(np.abs(seen[:, :2]) / tan + seen[:, 2:]))
            flat = seen[:, :2] / (away - seen[:, 2:])
            middle = middle + axes[:, :2] @ (0.5 * away * (flat.min(axis=0) + flat.max(axis=0)))
        seen = (points - middle) @ axes
        self.focus = middle
        self.distance = max(CLOSEST, float(np.max(np.abs(seen[:, :2]) / tan + seen[:, 2:])))

    def frame_top(self, centre: Array, radius: float) -> None:
        """Bring a ball (m) into the camera from above."""
        self.top_focus = np.array(centre, dtype=float)
        self.top_distance = max(1.0, radius / math.sin(math.radians(NARROW / 2)))

    def look_from(self, direction: Array) -> None:
        """Turn the orbit camera to a side (3,): the direction from what is looked at to the eye."""
        if abs(direction[2]) < 0.99:  # from above and below the picture keeps its turn
            self.azimuth = math.atan2(direction[1], direction[0])
        self.elevation = float(np.clip(math.asin(direction[2]), -STEEPEST, STEEPEST))

    def rotate(self, right: float, up: float) -> None:
        """Turn by a drag (rad): the picture follows the mouse."""
        if self.mode == "orbit":
            self.azimuth -= right
            self.elevation = float(np.clip(self.elevation + up, -STEEPEST, STEEPEST))
        elif self.mode in self._offset:
            a, e, d = self._offset[self.mode]
            low, high = (-1.3, 1.3) if self.mode == "ride" else (-0.6, STEEPEST)
            sign = 1.0 if self.mode == "ride" else -1.0
            self._offset[self.mode] = (a + sign * right, float(np.clip(e + up, low, high)), d)
        else:
            self.pan(-right, up)

    def pan(self, right: float, up: float) -> None:
        """Shift the picture by shares of its distance."""
        if self.mode == "orbit":
            view = -_ball(self.azimuth, self.elevation)
            side = unit(np.cross(view, [0.0, 0.0, 1.0]))
            self.focus = self.focus - self.distance * (right * side + up * np.cross(side, view))
        elif self.mode == "top":
            self.top_focus = self.top_focus - self.top_distance * np.array([right, up, 0.0])

    def zoom(self, factor: float, towards: Array | None = None) -> None:
        """Come closer by a factor (< 1); the point `towards` (m) stays where it is in the picture."""
        if self.mode == "orbit":
            factor = float(np.clip(self.distance * factor, CLOSEST, 5e4)) / self.distance
            if towards is not None:
                self.focus = towards + factor * (self.focus - towards)
            self.distance *= factor
        elif self.mode == "top":
            if towards is not None:
                self.top_focus = towards + factor * (self.top_focus - towards)
            self.top_distance = float(np.clip(self.top_distance * factor, 1.0, 5e4))
        elif self.mode in ("follow", "side"):
            a, e, d = self._offset[self.mode]
            self._offset[self.mode] = (a, e, float(np.clip(d * factor, 1.5, 300.0)))

    def eye(self, target: Target | None) -> Eye:
        """The camera now; the moving ones fall back to orbit without a target."""
        if self.mode == "top":
            up = np.array([0.0, 1.0, 0.0])
            place = self.top_focus + np.array([0.0, 0.0, self.top_distance])
            return Eye(place, self.top_focus, up, NARROW, 0.02 * self.top_distance)
        if target is not None:
            if self.mode == "ride" and target.head is not None:
                return self._ride(target)
            if self.mode in ("follow", "ride"):
                return self._follow(target)
            if self.mode == "side":
                return self._side(target)
        place = self.focus + self.distance * _ball(self.azimuth, self.elevation)
        return Eye(place, self.focus, np.array([0.0, 0.0, 1.0]), NARROW, 0.01 * self.distance)

    def _follow(self, target: Target) -> Eye:
        a, e, d = self._offset["follow"]
        d *= max(1.0, (target.reach + BEHIND) / FOLLOW[2])  # behind the last car, not in it
        focus = target.place + 1.0 * target.frame[:, 2]
        ahead, left, up = d * _ball(a, e)
        if target.along is None:
            return Eye(
                focus + target.frame @ np.array([ahead, left, up]), focus, target.frame[:, 2], 50.0, 0.15
            )
        # along the track, so that the camera comes through loops behind the train instead of across them
        base, frame = target.along(ahead)
        place = base + left * frame[:, 1] + (up + 1.0) * frame[:, 2]
        return Eye(place, focus, unit(frame[:, 2] + target.frame[:, 2]), 50.0, 0.15)

    def _side(self, target: Target) -> Eye:
        a, e, d = self._offset["side"]
        right = -target.frame[:, 1]
        flat = np.array([right[0], right[1], 0.0])
        right = unit(flat) if np.linalg.norm(flat) > 0.3 else right
        level = np.stack([right, np.cross([0.0, 0.0, 1.0], right), [0.0, 0.0, 1.0]], axis=1)
        focus = target.place + 0.9 * target.frame[:, 2]
        return Eye(focus + d * (level @ _ball(a, e)), focus, np.array([0.0, 0.0, 1.0]), NARROW, 0.1)

    def _ride(self, target: Target) -> Eye:
        assert target.head is not None
        place, turn = target.head
        a, e, _ = self._offset["ride"]
        # eyes steady themselves: half the head's own turning is taken out of what is seen
        view = unit(turn[:, 0] + target.frame[:, 0])
        up = unit(turn[:, 2] + target.frame[:, 2])
        left = unit(np.cross(up, view))
        up = np.cross(view, left)
        look = np.stack([view, left, up], axis=1) @ _ball(a, e - DOWN)
        eye = place + turn @ EYE
        return Eye(eye, eye + 10.0 * look, up, WIDE, 0.06)
