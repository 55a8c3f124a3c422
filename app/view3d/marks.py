"""What is marked in the scene: the selected element, a place, a section, control points, frame sweep and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.track.build import BuiltTrack
from ...core.track.description import FrameKind
from ..widgets import units
from ..widgets.theme import Colours
from .actors import add, make_actor, put, remove
from .element_marks import arrow, between
from .mesh import bent_tube, mixed, overwrite, polyline, rewritten, segments, solid
from .track_mesh import Course

if TYPE_CHECKING:
    import pyvista as pv
    from vtkmodules.vtkRenderingCore import vtkProp


POINT_SIZE, PICKED_SIZE = 11.0, 16.0  # px
FAR_ABOVE, FAR_SIZE = 1.0, 16.0  # m over the middle of the car; px
IN_FRONT = -100_000.0  # in the depths the screen tells apart
NOT_IN_FRONT = 8.0  # the same, which takes back what VTK brings all dots forward by
DOTS = "points"  # the group of the control points


class Marks:
    """Named groups of actors that come and go."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._groups: dict[str, list[vtkProp]] = {}
        self._sampled = False

    def sample(self, on: bool) -> None:
        """Whether pixels have several samples. Where they have one, VTK gives round dots that come forward a depth
        behind the ground: they stay where they are then."""
        self._sampled = on
        self._bring_forward()

    def _bring_forward(self) -> None:
        for actor in self._groups.get(DOTS, ()):
            mapper: Any = actor.GetMapper()  # type: ignore[attr-defined]
            mapper.SetRelativeCoincidentTopologyPointOffsetParameter(0.0 if self._sampled else NOT_IN_FRONT)

    def clear(self, group: str) -> None:
        """Take a group of marks away."""
        remove(self._plotter, *self._groups.pop(group, []))

    def set(self, group: str, actors: Sequence[vtkProp]) -> None:
        """Replace a group of marks."""
        self.clear(group)
        self._groups[group] = list(actors)
        self._bring_forward()
        add(self._plotter, *actors)

    def has(self, group: str) -> bool:
        """Whether a group is shown."""
        return bool(self._groups.get(group))


def place_ring(built: BuiltTrack, s: float, colour: str) -> pv.Actor:
    """A ring around the track at arc length s (m)."""
    at = Course.of(built, np.array([float(built.centreline.wrap(s)[0])]))
    angle = np.linspace(0.0, 2.0 * np.pi, 33)
    circle = 1.35 * (np.cos(angle)[:, None] * at.left + np.sin(angle)[:, None] * at.up) + at.position
    return make_actor(solid(bent_tube(circle, 0.06, colour, sides=6)), lit=False)


def line_actor(mesh: pv.PolyData, colour: str, width: float = 1.0) -> pv.Actor:
    """Lines of one colour and width (px)."""
    return make_actor(mesh, colour=colour, lit=False, cull=False, width=width)


def two_lines(built: BuiltTrack, s0: float, s1: float, beside: float, above: float) -> pv.PolyData:
    """Two lines along the track from s0 to s1 (m) at offsets (m) from the centreline."""
    count = max(2, int((s1 - s0) / 0.7))
    course = Course.of(built, np.linspace(s0, s1, count))
    points = np.concatenate([course.beside(beside, above), course.beside(-beside, above)])
    return polyline(points, np.arange(2 * count).reshape(2, -1))


def ridden_line(built: BuiltTrack, colour: str) -> pv.Actor:
    """The rails of a track as thin lines."""
    return line_actor(two_lines(built, 0.0, built.length, 0.5 * built.track.gauge, 0.0), colour, 2.0)


def section_lines(built: BuiltTrack, s0: float, s1: float, colour: str) -> pv.Actor:
    """Two lines beside the track from s0 to s1 (m)."""
    return line_actor(two_lines(built, s0, s1, 0.5 * built.track.gauge + 0.22, 0.05), colour, 4.0)


class Dots:
    """Control points as round dots, a group of marks: the selected larger in the colour of the selection."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._key: tuple[object, ...] = ()
        self._drawn: list[tuple[pv.PolyData, list[int]]] = []

    def show(self, points: Array, selected: Sequence[int], hovered: int | None, colours: Colours) -> None:
        """Draw points (n, 3) m. While only their places change, the dots there are are moved."""
        known: NDArray[np.bool_] = np.asarray(np.isfinite(points).all(axis=1))
        key = (known.tobytes(), tuple(selected), hovered, colours.name)
        if key == self._key:
            for mesh, numbers in self._drawn:
                overwrite(mesh.points, points[numbers])
                rewritten(mesh)
            return
        self._key = key
        picked = set(selected)
        pointed = set() if hovered is None else {hovered} - picked
        groups = (
            (set(range(len(points))) - picked - pointed, colours.text, POINT_SIZE),
            (picked, colours.highlight, PICKED_SIZE),
            (pointed, colours.accent, PICKED_SIZE),
        )
        self._drawn, actors = [], []
        for group, colour, size in groups:
            numbers = [k for k in sorted(group) if known[k]]
            if numbers:
                import pyvista as pv

                mesh = pv.PolyData(points[numbers].astype(np.float32))
                actor = make_actor(mesh, colour=colour, cull=False, width=size)
                actor.prop.render_points_as_spheres = True
                self._drawn.append((mesh, numbers))
                actors.append(actor)
        self._marks.set(DOTS, actors)


class PointDots:
    """The control points over a view: their places, which are selected, which is under the mouse."""

    def __init__(self) -> None:
        self.places: Array = np.zeros((0, 3))
        self._picked: tuple[Sequence[int], int | None] = ((), None)
        self._dots: Dots | None = None

    def put(self, places: Array | None, selected: Sequence[int], hovered: int | None) -> None:
        """Take places (n, 3) m, None for none; `draw` shows them."""
        self.places = np.zeros((0, 3)) if places is None else places
        self._picked = selected, hovered

    @property
    def selected(self) -> Array:
        """Places (n, 3) m of those that are selected."""
        return self.places[[k for k in self._picked[0] if k < len(self.places)]]

    def draw(self, marks: Marks, colours: Colours) -> None:
        """Show the points as they are now."""
        if self._dots is None:
            self._dots = Dots(marks)
        self._dots.show(self.places, *self._picked, colours)

    def forget(self) -> None:
        """The scene they were drawn in is gone."""
        self._dots = None


class FarMark:
    """A dot above the train, of one size on the screen, while the train is too far off to be seen."""

    GROUP = "train"

    def __init__(self, marks: Marks) -> None:
        self._marks = marks
        self._mesh: pv.PolyData | None = None
        self._colour = ""

    def show(self, place: Array | None, colour: str) -> None:
        """Show it above a place (3,) m, or not."""
        if place is None:
            self._mesh = None
            self._marks.clear(self.GROUP)
            return
        above = np.array([place[0], place[1], place[2] + FAR_ABOVE], dtype=np.float32)
        if self._mesh is not None and colour == self._colour:
            overwrite(self._mesh.points, above)
            rewritten(self._mesh)
            return
        import pyvista as pv

        self._mesh, self._colour = pv.PolyData(above[None]), colour
        actor = make_actor(self._mesh, colour=colour, cull=False, width=FAR_SIZE)
        actor.mapper.SetResolveCoincidentTopologyToPolygonOffset()
        actor.mapper.SetRelativeCoincidentTopologyPointOffsetParameter(IN_FRONT)  # of roofs and rails
        actor.prop.render_points_as_spheres = True
        self._marks.set(self.GROUP, [actor])


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


def sweep_actors(built: BuiltTrack, sweep: Sweep, colours: Colours) -> list[pv.Actor]:
    """Combs of n and b (axis colours) and of the curvature along the track."""
    s = np.arange(0.0, built.length, max(0.05, sweep.spacing))
    _, n, b = (values[:, 0] for values in built.moving_frame(s, sweep.frame))
    position = built.centreline.position(s)
    side = 0.5 * built.track.gauge * built.frame_at(s)[1]
    starts = [position] if sweep.centreline else []
    starts += [position + side, position - side] if sweep.rails else []
    actors: list[pv.Actor] = []
    for axis, colour in ((n, colours.axis_y), (b, colours.axis_z)):
        if starts:
            base = np.concatenate(starts)
            tips = base + sweep.length * np.tile(axis, (len(starts), 1))
            lines = np.arange(len(tips)).reshape(len(starts), -1)
            actors += [
                line_actor(segments(base, tips), colour),
                line_actor(polyline(tips, lines), colour, 2.0),
            ]
    if sweep.curvature:
        tips = position - sweep.curvature_scale * built.centreline.derivatives(s)[:, 2]
        actors.append(line_actor(segments(position, tips), mixed(colours.series[3], colours.ground, 0.35)))
        actors.append(line_actor(polyline(tips), colours.series[3], 2.0))
    return actors


def sweep_keys(sweep: Sweep, colours: Colours) -> list[tuple[str, str]]:
    """What the colours of the frame sweep mean: colour and sentence."""
    found = []
    if sweep.centreline or sweep.rails:
        found += [(colours.axis_y, "n of the moving frame"), (colours.axis_z, "b of the moving frame")]
    if sweep.curvature:
        bend = units.text(1.0 / sweep.curvature_scale, "1/m")
        sentence = f"Curvature, outwards: {units.text(1.0, 'm', decimals=1)} for {bend}"
        found.append((colours.series[3], sentence))
    return found


class Arrow:
    """An arrow whose foot and vector change with time."""

    def __init__(self, colour: str, width: float) -> None:
        self.actor = make_actor(solid(arrow([0, 0, 0], [1, 0, 0], 1.0, colour)))
        self.matrix = vtkMatrix4x4()
        self._width = width
        self.actor.SetUserMatrix(self.matrix)

    def point(self, foot: Array, vector: Array) -> None:
        """Put the arrow from foot along vector (3,) m; one of no length disappears."""
        length = float(np.linalg.norm(vector))
        self.actor.visibility = length > 1e-3
        if length > 1e-3:
            put(self.matrix, foot, between(foot, foot + vector, min(self._width, 0.3 * length)))
