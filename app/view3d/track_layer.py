"""The track in the scene: rails, ties, supports, shadow, station, and the world around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from app.view3d import ground
from app.view3d.actors import make_actor, polyline
from app.view3d.mesh import grid_faces, mixed, rgb
from app.view3d.shape import Shape
from app.view3d.track_mesh import LOOKS, TrackMesh, struts
from app.widgets.theme import Colours
from core.track.build import BuiltTrack
from core.track.supports import place_supports

Array = NDArray[np.float64]

SHADOW_HALF = 0.55  # m
FAR = 60.0  # m to the camera, beyond which the track is also drawn as a line of constant width


class TrackLayer:
    """Actors of the track and of the world. `shape` is the drawn course, None without a track."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._actors: dict[str, vtkActor] = {}
        self._hidden: set[str] = set()
        self.mesh: TrackMesh | None = None
        self.built: BuiltTrack | None = None
        self.ground = 0.0
        self.centre = np.zeros(3)
        self.reach = 20.0
        self._sky_matrix = vtkMatrix4x4()
        self._shadow: Shape | None = None
        self._far_line: Shape | None = None
        self.far = 1000.0
        self._colours: Colours | None = None

    def rebuild(self, built: BuiltTrack | None, colours: Colours, quality: str, start: float) -> None:
        """Draw another track from scratch. start (m): where the train stands, for the station."""
        for actor in self._actors.values():
            self._renderer.RemoveActor(actor)
        self._actors = {}
        self.built, self._colours = built, colours
        self.mesh = None if built is None else TrackMesh(built, LOOKS[quality])
        self.ground = ground.ground_height(built)
        self._measure()
        self._world(colours)
        if built is None or self.mesh is None:
            return
        top, foot, radius = place_supports(built).legs()
        if len(top):
            self._add("supports", make_actor(struts(top, foot, radius, 6), colour=colours.steel))
        self._add("ties", make_actor(self.mesh.ties, colour=mixed(colours.steel, colours.ground, 0.25)))
        self._add("tubes", make_actor(self.mesh.tubes, pickable=True))
        strip = ground.shadow(self.mesh.course, SHADOW_HALF, self.ground)
        rows = len(strip) // 2
        self._shadow = Shape(strip, faces=grid_faces(rows, 2, around=False))
        shade = mixed(colours.ground, "#000000", 0.28 if colours.name == "dark" else 0.16)
        self._add("shadow", make_actor(self._shadow, colour=shade, lit=False, cull=False))
        self._far_line = polyline(self.mesh.course.beside(0.0, -0.2))
        self._far_line.set_colours(np.zeros((len(self._far_line.points), 3), dtype=np.uint8))
        self._add("far line", make_actor(self._far_line, lit=False, cull=False, width=3.0))
        place = ground.station(built, self.ground, start, colours)
        if place is not None:
            self._add("station", make_actor(place.shape()))
        self.plain()

    def update(self, built: BuiltTrack) -> None:
        """Move rails, ties and shadow to another shape in place; supports and station stay as they are."""
        if self.mesh is None or self._shadow is None:
            return
        self.built = built
        self.mesh.update(built)
        self._shadow.points[:] = ground.shadow(self.mesh.course, SHADOW_HALF, self.ground)
        self._shadow.changed()
        if self._far_line is not None:
            self._far_line.points[:] = self.mesh.course.beside(0.0, -0.2)
            self._far_line.changed()
        self._show("supports", False)

    def colour(self, stations: NDArray[np.uint8]) -> None:
        """Colour rails and spine at the stations (k, 3)."""
        if self.mesh is not None:
            spine = (0.78 * stations.astype(float)).astype(np.uint8)
            self._paint(stations, spine)

    def plain(self) -> None:
        """The one colour of the track."""
        if self.mesh is None or self._colours is None:
            return
        c = self._colours
        count = len(self.mesh.fractions)
        rails = np.tile(np.array(rgb(c.rail), dtype=np.uint8), (count, 1))
        spine = np.tile(np.array(rgb(mixed(c.rail, c.steel, 0.55)), dtype=np.uint8), (count, 1))
        self._paint(rails, spine)

    def _paint(self, rails: NDArray[np.uint8], spine: NDArray[np.uint8]) -> None:
        if self.mesh is None or self._far_line is None or self._far_line.colours is None:
            return
        self.mesh.colour(rails, spine)
        self._far_line.colours[:] = rails
        self._far_line.recoloured()

    def seen_from(self, distance: float) -> None:
        """Keep the track visible from far away (m) by a line that does not get thinner."""
        self._show("far line", distance > FAR)

    def show(self, part: str, on: bool) -> None:
        """Show or hide "ties", "supports", "station", "grid", "shadow"."""
        (self._hidden.discard if on else self._hidden.add)(part)
        self._show(part, on)

    def centre_sky(self, camera: Array) -> None:
        """Keep the sky dome around the camera (m)."""
        for axis in range(3):
            self._sky_matrix.SetElement(axis, 3, float(camera[axis]))

    def _show(self, part: str, on: bool) -> None:
        actor = self._actors.get(part)
        if actor is not None:
            actor.SetVisibility(on and part not in self._hidden)

    def _add(self, name: str, actor: vtkActor) -> None:
        self._actors[name] = actor
        actor.SetVisibility(name not in self._hidden)
        self._renderer.AddActor(actor)

    def _measure(self) -> None:
        if self.mesh is None:
            self.centre, self.reach = np.array([0.0, 0.0, self.ground]), 6.0
            return
        p = self.mesh.course.position
        self.centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
        self.reach = max(15.0, 0.5 * float(np.linalg.norm(np.ptp(p[:, :2], axis=0))))

    def set_bounds(self, centre: Array, reach: float, low: float) -> None:
        """Say how large the scene is when there is no track (m), and draw the ground under it."""
        self.centre, self.reach, self.ground = centre, reach, low
        if self._colours is not None:
            for name in ("sky", "ground", "grid"):
                self._renderer.RemoveActor(self._actors.pop(name))
            self._world(self._colours)

    def _world(self, colours: Colours) -> None:
        near, far = 0.9 * self.reach + 10.0 * min(1.0, self.reach / 20.0), 6.0 * self.reach + 150.0
        far = far if self.reach > 14.0 else 14.0 * self.reach
        spacing = 10.0 if self.reach > 40.0 else ground.round_number(0.25 * self.reach)
        middle = np.array([self.centre[0], self.centre[1], self.ground])
        dome = make_actor(ground.sky(colours, 1.4 * far), lit=False, cull=False)
        dome.SetUserMatrix(self._sky_matrix)
        self._add("sky", dome)
        self._add("ground", make_actor(ground.ground_disc(colours, middle, near, far), lit=False, cull=False))
        self._add(
            "grid", make_actor(ground.grid_lines(colours, middle, near, far, spacing), lit=False, cull=False)
        )
        self.far = 3.0 * far
