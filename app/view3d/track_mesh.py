"""Rails, spine and ties of a built track as meshes that are moved in place while a person edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...core.base.arrays import Array
from ...core.track.build import BuiltTrack
from .mesh import COLOUR, grid_faces, rewritten, surface

if TYPE_CHECKING:
    import pyvista as pv


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


@dataclass(frozen=True)
class Outline:
    """What is laid along the track, in the frame of a place on it (t, left, up): points (n, 3) m, normals (n, 3)."""

    points: Array
    normals: Array

    def along(self, course: Course) -> tuple[Array, Array]:
        """Points (k, n, 3) m and normals (k, n, 3) at all places of a course (k,)."""
        places, count = len(course.s), len(self.points)
        axes = np.stack([course.t, course.left, course.up], axis=2).reshape(3 * places, 3)
        # one product of two flat matrices: three times faster than one small product a place
        both = (axes @ np.concatenate([self.points, self.normals]).T).reshape(places, 3, 2 * count)
        points = both[:, :, :count] + course.position[:, :, None]
        return points.transpose(0, 2, 1), both[:, :, count:].transpose(0, 2, 1)


def _tubes(look: Look, gauge: float) -> Outline:
    """Cross sections of both rails and of the spine."""
    points, normals = [], []
    for left, up, radius, sides in (
        (0.5 * gauge, 0.0, RAIL_RADIUS, look.rail_sides),
        (-0.5 * gauge, 0.0, RAIL_RADIUS, look.rail_sides),
        (0.0, -SPINE_DEPTH, SPINE_RADIUS, look.spine_sides),
    ):
        angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False) + 0.5 * np.pi
        ring = np.stack([np.zeros(sides), np.cos(angle), np.sin(angle)], axis=1)
        points.append(radius * ring + [0.0, left, up])
        normals.append(ring)
    return Outline(np.concatenate(points), np.concatenate(normals))


def _tube_faces(look: Look, rows: int) -> NDArray[np.int32]:
    """Triangles (m, 3) between the cross sections of `_tubes` at so many places."""
    each = 2 * look.rail_sides + look.spine_sides
    faces, start = [], 0
    for sides in (look.rail_sides, look.rail_sides, look.spine_sides):
        row, side = np.divmod(grid_faces(rows, sides), sides)
        faces.append(row * each + side + start)
        start += sides
    return np.concatenate(faces).astype(np.int32)


def _tie(look: Look, gauge: float) -> tuple[Outline, NDArray[np.int32]]:
    """One tie, spine to rails and rail to rail, with its triangles (m, 3)."""
    half = 0.5 * gauge
    low = [0.0, 0.0, -SPINE_DEPTH + 0.4 * SPINE_RADIUS]
    a = np.array([low, low, [0.0, half, -0.4 * RAIL_RADIUS]])
    b = np.array(
        [[0.0, side * half, -depth * RAIL_RADIUS] for side, depth in ((1, 0.3), (-1, 0.3), (-1, 0.4))]
    )
    across = np.tile([1.0, 0.0, 0.0], (3, 1))
    points, normals, faces = _struts(a, b, across, TIE_RADIUS, look.tie_sides)
    return Outline(points, normals), faces


class TrackMesh:
    """Tubes (rails and spine) and ties of a track, each one mesh whose arrays are rewritten in place."""

    def __init__(self, built: BuiltTrack, look: Look) -> None:
        self.look = look
        self.fractions = stations(built) / built.length
        self.tie_count = max(2, int(built.length / TIE_SPACING))
        self._gauge = built.track.gauge
        self.course = Course.of(built, self.fractions * built.length)
        points, normals = _tubes(look, built.track.gauge).along(self.course)
        plain = np.full((points.shape[0] * points.shape[1], 3), 200, dtype=np.uint8)
        faces = _tube_faces(look, len(self.fractions))
        self.tubes = surface(points, faces, normals=normals, colours=plain)
        tie, of_one = _tie(look, built.track.gauge)
        points, normals = tie.along(self._tie_course(built))
        firsts = len(tie.points) * np.arange(self.tie_count, dtype=np.int32)
        faces = (of_one[None] + firsts[:, None, None]).reshape(-1, 3)
        self.ties = surface(points, faces, normals=normals)

    def update(self, built: BuiltTrack) -> None:
        """Move rails and spine to another shape of the track, keeping the topology; `move_ties` moves the ties."""
        self.course = Course.of(built, self.fractions * built.length)
        _rewrite(self.tubes, *_tubes(self.look, built.track.gauge).along(self.course))

    def move_ties(self, built: BuiltTrack) -> None:
        """Move the ties to another shape of the track."""
        _rewrite(self.ties, *_tie(self.look, built.track.gauge)[0].along(self._tie_course(built)))

    def colour(self, station_colours: NDArray[np.uint8], spine: NDArray[np.uint8]) -> None:
        """Colour the rails (k, 3) and the spine (k, 3) at the stations, in place."""
        colours: Any = self.tubes.point_data[COLOUR]
        at = np.asarray(colours).reshape(len(self.fractions), -1, 3)
        at[:, : 2 * self.look.rail_sides] = station_colours[:, None]
        at[:, 2 * self.look.rail_sides :] = spine[:, None]
        colours.VTKObject.Modified()

    def threads(self) -> Array:
        """Points (3 k, 3) m along the middles of left rail, right rail and spine."""
        half, beside = 0.5 * self._gauge, self.course.beside
        return np.concatenate([beside(half, 0.0), beside(-half, 0.0), beside(0.0, -SPINE_DEPTH)])

    def _tie_course(self, built: BuiltTrack) -> Course:
        return Course.of(built, (np.arange(self.tie_count) + 0.5) * built.length / self.tie_count)


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


def struts(a: Array, b: Array, radius: float | Array, sides: int = 8) -> pv.PolyData:
    """Open prisms from a to b (k, 3) m of a radius (m, one or (k,)) as one mesh."""
    along = b - a
    seed = np.where(
        np.abs(along[:, 2:3]) > 0.7 * np.linalg.norm(along, axis=1, keepdims=True), [1.0, 0, 0], [0, 0, 1.0]
    )
    side = np.cross(along, seed)
    side /= np.maximum(np.linalg.norm(side, axis=1, keepdims=True), 1e-9)
    points, normals, faces = _struts(a, b, side, radius, sides)
    return surface(points, faces, normals=normals)


def _rewrite(mesh: pv.PolyData, points: Array, normals: Array) -> None:
    """Overwrite the arrays of a mesh without new memory and tell VTK."""
    np.asarray(mesh.points).reshape(points.shape)[:] = points
    np.asarray(mesh.point_data.active_normals).reshape(normals.shape)[:] = normals
    rewritten(mesh)
