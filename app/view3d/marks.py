"""What is marked in the scene: the selected element, a place, a section, control points, frame sweep and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from app.view3d.actors import make_actor, polyline, pose_list, segments
from app.view3d.mesh import Mesh, across, bent_tube, ellipsoid, merged, mixed, rod
from app.view3d.shape import Shape
from app.view3d.track_mesh import Course
from app.widgets import units
from app.widgets.theme import Colours
from core.track.build import BuiltTrack
from core.track.description import FrameKind

Array = NDArray[np.float64]

POINT_SIZE, PICKED_SIZE = 11.0, 16.0  # px


class Marks:
    """Named groups of actors that come and go."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._groups: dict[str, list[vtkActor]] = {}

    def clear(self, group: str) -> None:
        """Take a group of marks away."""
        for actor in self._groups.pop(group, []):
            self._renderer.RemoveActor(actor)

    def set(self, group: str, actors: Sequence[vtkActor]) -> None:
        """Replace a group of marks."""
        self.clear(group)
        self._groups[group] = list(actors)
        for actor in actors:
            self._renderer.AddActor(actor)

    def has(self, group: str) -> bool:
        """Whether a group is shown."""
        return bool(self._groups.get(group))


def place_ring(built: BuiltTrack, s: float, colour: str) -> vtkActor:
    """A ring around the track at arc length s (m)."""
    at = Course.of(built, np.array([float(built.centreline.wrap(s)[0])]))
    angle = np.linspace(0.0, 2.0 * np.pi, 33)
    circle = 1.35 * (np.cos(angle)[:, None] * at.left + np.sin(angle)[:, None] * at.up) + at.position
    return make_actor(bent_tube(circle, 0.06, colour, sides=6).shape(), lit=False)


def ridden_line(built: BuiltTrack, colour: str) -> vtkActor:
    """The rails of a track as thin lines."""
    course = Course.of(built, np.linspace(0.0, built.length, max(8, int(built.length / 0.7))))
    half, count = 0.5 * built.track.gauge, len(course.s)
    points = np.concatenate([course.beside(half, 0.0), course.beside(-half, 0.0)])
    lines = [np.arange(count), count + np.arange(count)]
    return make_actor(polyline(points, lines), colour=colour, lit=False, cull=False, width=2.0)


def section_lines(built: BuiltTrack, s0: float, s1: float, colour: str) -> vtkActor:
    """Two lines beside the track from s0 to s1 (m)."""
    s = np.linspace(s0, s1, max(2, int((s1 - s0) / 0.7)))
    course = Course.of(built, s)
    side = 0.5 * built.track.gauge + 0.22
    points = np.concatenate([course.beside(side, 0.05), course.beside(-side, 0.05)])
    lines = [np.arange(len(s)), len(s) + np.arange(len(s))]
    return make_actor(polyline(points, lines), colour=colour, lit=False, cull=False, width=4.0)


class Dots:
    """Control points as round dots, a group of marks: the selected larger in the colour of the selection."""

    def __init__(self, marks: Marks, group: str = "points") -> None:
        self._marks, self._group = marks, group
        self._key: tuple[object, ...] = ()
        self._drawn: list[tuple[Shape, list[int]]] = []

    def show(self, points: Array, selected: Sequence[int], hovered: int | None, colours: Colours) -> None:
        """Draw points (n, 3) m. While only their places change, the dots there are are moved."""
        known: NDArray[np.bool_] = np.isfinite(points).all(axis=1)
        key = (known.tobytes(), tuple(selected), hovered, colours.name)
        if key != self._key:
            self._key = key
            self._make(points, known, selected, hovered, colours)
            return
        for shape, numbers in self._drawn:
            shape.points[:] = points[numbers]
            shape.changed()

    def _make(
        self,
        points: Array,
        known: NDArray[np.bool_],
        selected: Sequence[int],
        hovered: int | None,
        c: Colours,
    ) -> None:
        picked = set(selected)
        pointed = set() if hovered is None else {hovered} - picked
        groups = (
            (set(range(len(points))) - picked - pointed, c.text, POINT_SIZE),
            (picked, c.highlight, PICKED_SIZE),
            (pointed, c.accent, PICKED_SIZE),
        )
        self._drawn, actors = [], []
        for group, colour, size in groups:
            numbers = [k for k in sorted(group) if known[k]]
            if numbers:
                shape = Shape(points[numbers])
                actor = make_actor(shape, colour=colour, cull=False, width=size)
                actor.GetProperty().SetRenderPointsAsSpheres(True)
                self._drawn.append((shape, numbers))
                actors.append(actor)
        self._marks.set(self._group, actors)


@dataclass(frozen=True)
class Sweep:
    """Options of the frame sweep: combs along the centreline and the rails.

    spacing, length (m) of the combs; frame None takes that of the track; curvature: comb of the curvature,
    away from the centre, `curvature_scale` m per 1/m.
    """

    centreline: bool = True
    rails: bool = False
    curvature: bool = False
    spacing: float = 1.0
    length: float = 1.5
    frame: FrameKind | None = None
    curvature_scale: float = 40.0


def sweep_actors(built: BuiltTrack, sweep: Sweep, colours: Colours) -> list[vtkActor]:
    """Combs of n and b (axis colours) and of the curvature along the track."""
    s = np.arange(0.0, built.length, max(0.05, sweep.spacing))
    _, n, b = (values[:, 0] for values in built.moving_frame(s, sweep.frame))
    position = built.centreline.position(s)
    half = 0.5 * built.track.gauge
    left = built.frame_at(s)[1]
    starts = [position] if sweep.centreline else []
    starts += [position + half * left, position - half * left] if sweep.rails else []
    actors: list[vtkActor] = []
    for axis, colour in ((n, colours.axis_y), (b, colours.axis_z)):
        if starts:
            base = np.concatenate(starts)
            tips = base + sweep.length * np.tile(axis, (len(starts), 1))
            actors.append(make_actor(segments(base, tips), colour=colour, lit=False, cull=False))
            rows = len(s)
            lines = [k * rows + np.arange(rows) for k in range(len(starts))]
            actors.append(make_actor(polyline(tips, lines), colour=colour, lit=False, cull=False, width=2.0))
    if sweep.curvature:
        bend = built.centreline.derivatives(s)[:, 2]
        tips = position - sweep.curvature_scale * bend
        comb = mixed(colours.series[3], colours.ground, 0.35)
        actors.append(make_actor(segments(position, tips), colour=comb, lit=False, cull=False))
        actors.append(make_actor(polyline(tips), colour=colours.series[3], lit=False, cull=False, width=2.0))
    return actors


def sweep_keys(sweep: Sweep, colours: Colours) -> list[tuple[str, str]]:
    """What the colours of the frame sweep mean: colour and sentence."""
    found = []
    if sweep.centreline or sweep.rails:
        found += [(colours.axis_y, "n of the moving frame"), (colours.axis_z, "b of the moving frame")]
    if sweep.curvature:
        bend = units.text(1.0 / sweep.curvature_scale, "1/m")
        found.append(
            (colours.series[3], f"Curvature, outwards: {units.text(1.0, 'm', decimals=1)} for {bend}")
        )
    return found


def arrow_mesh(colour: str) -> Mesh:
    """An arrow of length and half width 1 along x."""
    return merged([
        rod([0, 0, 0], [0.8, 0, 0], 0.45, colour, sides=10),
        rod([0.8, 0, 0], [1.0, 0, 0], (1.0, 0.02), colour, sides=12),
    ])  # fmt: skip


class Arrow:
    """An arrow whose foot and vector change with time."""

    def __init__(self, colour: str, width: float) -> None:
        self.actor = make_actor(arrow_mesh(colour).shape())
        self._matrix = vtkMatrix4x4()
        self._width = width
        self.actor.SetUserMatrix(self._matrix)

    def point(self, foot: Array, vector: Array) -> None:
        """Put the arrow from foot along vector (3,) m; one of no length disappears."""
        length = float(np.linalg.norm(vector))
        self.actor.SetVisibility(length > 1e-3)
        if length > 1e-3:
            u, v = across(vector)
            wide = min(self._width, 0.3 * length)
            self._matrix.DeepCopy(pose_list(foot, np.stack([vector, wide * u, wide * v], axis=1)))


def axis_marks(point: Array, axis: Array | None, size: float, thick: float, colour: str) -> Mesh:
    """A joint in one of its bodies: a ball at its point and an arrow along its axis, in the frame of the body (m).

    thick: share of the full width; the thinner one of a pair is longer, so that both are seen.
    """
    parts = [ellipsoid(point, [0.18 * size * thick] * 3, colour)]
    if axis is not None:
        d = np.asarray(axis, dtype=float)
        d = d / np.linalg.norm(d)
        reach = size * (1.9 - 0.9 * thick)
        tip, neck = point + reach * d, point + (reach - 0.25 * size) * d
        parts.append(rod(point - reach * d, neck, 0.06 * size * thick, colour))
        parts.append(rod(neck, tip, (0.15 * size * thick, 0.003), colour))
    return merged(parts)


def inertia_marks(half: Array, size: float, colours: Colours) -> list[vtkActor]:
    """Centre of mass with the body's axes and, see-through, the ellipsoid of its moments of inertia (half axes m)."""
    ball = make_actor(ellipsoid([0, 0, 0], half, colours.highlight, rings=13, sides=24).shape(), opacity=0.3)
    axes = []
    for axis, colour in zip(np.eye(3), (colours.axis_x, colours.axis_y, colours.axis_z), strict=True):
        axes.append(rod([0, 0, 0], 0.8 * size * axis, 0.022 * size, colour, sides=8))
        axes.append(rod(0.8 * size * axis, size * axis, (0.06 * size, 0.002), colour, sides=10))
    axes.append(ellipsoid([0, 0, 0], [0.07 * size] * 3, colours.text))
    return [make_actor(merged(axes).shape()), ball]
