"""Rails, spine and ties of a built track as meshes that are moved in place while a person edits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.viewer.mesh import grid_faces
from app.viewer.shape import Shape
from core.track.build import BuiltTrack

Array = NDArray[np.float64]

RAIL_RADIUS = 0.07  # m
SPINE_RADIUS = 0.19  # m
SPINE_DEPTH = 0.72  # m below the rail plane
TIE_RADIUS = 0.055  # m
TIE_SPACING = 1.6  # m
LONGEST_STEP = 2.5  # m between two stations on a straight
CHORD_TURN = 0.07  # rad, turn of the tangent between two stations
ROLL_TURN = 0.11  # rad, roll of the track between two stations


@dataclass(frozen=True)
class Look:
    """How finely the track is drawn: sides of rails and spine, and whether ties are solid."""

    rail_sides: int = 6
    spine_sides: int = 7
    tie_sides: int = 3


LOOKS = {"low": Look(5, 5, 3), "medium": Look(6, 8, 3), "high": Look(10, 14, 5)}


def stations(built: BuiltTrack) -> Array:
    """Arc lengths (k,) m of the centreline at which it is drawn: closer where it bends or rolls."""
    line = built.centreline
    grid = np.linspace(0.0, line.length, max(16, int(line.length / 0.5)) + 1)
    state = line.state(grid)
    bend = np.linalg.norm(state.curve[:, 2], axis=1) / CHORD_TURN
    roll = np.abs(state.twist[:, 0]) / ROLL_TURN
    density = np.maximum(np.maximum(bend, roll), 1.0 / LONGEST_STEP)
    passed = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(grid))])
    count = int(np.ceil(passed[-1])) + 1
    places: Array = np.interp(np.linspace(0.0, passed[-1], count), passed, grid)
    return places


@dataclass(frozen=True)
class Course:
    """The canted frame of the centreline at stations s (k,) m: position, t, left, up (k, 3)."""

    s: Array
    position: Array
    t: Array
    left: Array
    up: Array

    @staticmethod
    def of(built: BuiltTrack, s: Array) -> Course:
        """The frame of a built track at arc lengths s (k,) m."""
        inside = np.minimum(s, built.length)
        state = built.centreline.state(inside)
        return Course(s, state.curve[:, 0], state.tangent, state.left, state.up)

    def beside(self, left: float, up: float) -> Array:
        """Points (k, 3) m at an offset from the centreline."""
        place: Array = self.position + left * self.left + up * self.up
        return place


def _ring(course: Course, sides: int) -> Array:
    """Unit vectors (k, sides, 3) around the track in the plane of left and up."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False) + 0.5 * np.pi
    ring: Array = (
        np.cos(angle)[None, :, None] * course.left[:, None]
        + np.sin(angle)[None, :, None] * course.up[:, None]
    )
    return ring


class TrackMesh:
    """Tubes (rails and spine) and ties of a track, each one mesh whose arrays are rewritten in place."""

    def __init__(self, built: BuiltTrack, look: Look) -> None:
        self.look = look
        self.fractions = stations(built) / built.length
        self.tie_count = max(2, int(built.length / TIE_SPACING))
        self.closed = built.track.closed
        self.course = Course.of(built, self.fractions * built.length)
        points, normals, faces = self._tubes(built)
        plain = np.full((len(points), 3), 200, dtype=np.uint8)
        self.tubes = Shape(points, faces=faces, normals=normals, colours=plain)
        tie_points, tie_normals, tie_faces = self._ties(built)
        self.ties = Shape(tie_points, faces=tie_faces, normals=tie_normals)

    def update(self, built: BuiltTrack) -> None:
        """Move everything to another shape of the track, keeping the topology."""
        self.course = Course.of(built, self.fractions * built.length)
        points, normals, _ = self._tubes(built)
        _rewrite(self.tubes, points, normals)
        tie_points, tie_normals, _ = self._ties(built)
        _rewrite(self.ties, tie_points, tie_normals)

    def colour(self, station_colours: NDArray[np.uint8], spine: NDArray[np.uint8]) -> None:
        """Colour the rails (k, 3) and the spine (k, 3) at the stations, in place."""
        rails = np.repeat(station_colours, self.look.rail_sides, axis=0)
        if self.tubes.colours is not None:
            self.tubes.colours[:] = np.concatenate(
                [rails, rails, np.repeat(spine, self.look.spine_sides, axis=0)]
            )
            self.tubes.recoloured()

    def _tubes(self, built: BuiltTrack) -> tuple[Array, Array, NDArray[np.int32]]:
        half = 0.5 * built.track.gauge
        rows = len(self.fractions)
        points, normals, faces, start = [], [], [], 0
        for left, up, radius, sides in (
            (half, 0.0, RAIL_RADIUS, self.look.rail_sides),
            (-half, 0.0, RAIL_RADIUS, self.look.rail_sides),
            (0.0, -SPINE_DEPTH, SPINE_RADIUS, self.look.spine_sides),
        ):
            ring = _ring(self.course, sides)
            points.append((self.course.beside(left, up)[:, None] + radius * ring).reshape(-1, 3))
            normals.append(ring.reshape(-1, 3))
            faces.append(grid_faces(rows, sides) + start)
            start += rows * sides
        return np.concatenate(points), np.concatenate(normals), np.concatenate(faces)

    def _ties(self, built: BuiltTrack) -> tuple[Array, Array, NDArray[np.int32]]:
        half = 0.5 * built.track.gauge
        s = (np.arange(self.tie_count) + 0.5) * built.length / self.tie_count
        at = Course.of(built, s)
        low = at.beside(0.0, -SPINE_DEPTH + 0.4 * SPINE_RADIUS)
        ends = [
            (low, at.beside(half, -0.3 * RAIL_RADIUS), at.t),
            (low, at.beside(-half, -0.3 * RAIL_RADIUS), at.t),
            (at.beside(half, -0.4 * RAIL_RADIUS), at.beside(-half, -0.4 * RAIL_RADIUS), at.t),
        ]
        points, normals, faces, start = [], [], [], 0
        for a, b, t in ends:
            p, n, f = _struts(a, b, t, TIE_RADIUS, self.look.tie_sides)
            points.append(p)
            normals.append(n)
            faces.append(f + start)
            start += len(p)
        return np.concatenate(points), np.concatenate(normals), np.concatenate(faces)


def _struts(
    a: Array, b: Array, side: Array, radius: float | Array, sides: int
) -> tuple[Array, Array, NDArray[np.int32]]:
    """Open prisms from a to b (k, 3) m; side (k, 3): a unit vector across them. Points, normals, triangles."""
    along = b - a
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    other = np.cross(along, side)
    other /= np.maximum(np.linalg.norm(other, axis=1, keepdims=True), 1e-9)
    side = np.cross(other, along)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False) + 0.5 * np.pi
    ring = np.cos(angle)[None, :, None] * side[:, None] + np.sin(angle)[None, :, None] * other[:, None]
    wide = np.broadcast_to(np.asarray(radius, dtype=float), (len(a),))[:, None, None]
    points = np.concatenate([a[:, None] + wide * ring, b[:, None] + wide * ring], axis=1).reshape(-1, 3)
    normals = np.concatenate([ring, ring], axis=1).reshape(-1, 3)
    faces = grid_faces(2, sides)[None] + (np.arange(len(a)) * 2 * sides)[:, None, None]
    return points, normals, faces.reshape(-1, 3).astype(np.int32)


def struts(a: Array, b: Array, radius: float | Array, sides: int = 8) -> Shape:
    """Open prisms from a to b (k, 3) m of a radius (m, one or (k,)) as one mesh."""
    along = b - a
    seed = np.where(
        np.abs(along[:, 2:3]) > 0.7 * np.linalg.norm(along, axis=1, keepdims=True), [1.0, 0, 0], [0, 0, 1.0]
    )
    side = np.cross(along, seed)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    points, normals, faces = _struts(a, b, side, radius, sides)
    return Shape(points, faces=faces, normals=normals)


def _rewrite(shape: Shape, points: Array, normals: Array) -> None:
    """Overwrite the arrays of a shape without new memory and tell VTK."""
    shape.points[:] = points
    if shape.normals is not None:
        shape.normals[:] = normals
    shape.changed()
