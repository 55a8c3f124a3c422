"""The track in the scene: rails, ties, supports, shadow, station, and the world around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.base.frozen import Vec3
from ...core.track.build import BuiltTrack
from ...core.track.supports import SPACING, SupportPlan, place_supports
from ..widgets.theme import Colours
from . import ground
from .actors import add, make_actor, remove
from .mesh import (
    COLOUR,
    grid_faces,
    mixed,
    overwrite,
    polyline,
    rewritten,
    rgb,
    segments,
    solid,
    surface,
)
from .track_mesh import LOOKS, TrackMesh, struts

if TYPE_CHECKING:
    import pyvista as pv


SHADOW_HALF = 0.55  # m
FAR = 120.0  # m to what is looked at, beyond which ties are thinner than a pixel and would only sparkle
THREAD = 2.0  # px, width of the lines inside rails, spine and legs: they show where those are thinner and would shimmer
SOLID = ("tubes", "ties", "supports", "station")  # what can be clicked, or hides what is behind it


class TrackLayer:
    """Actors of the track and of the world. `mesh` is the drawn course, None without a track."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._actors: dict[str, pv.Actor] = {}
        self._hidden: set[str] = set()
        self.mesh: TrackMesh | None = None
        self.built: BuiltTrack | None = None
        self.ground = 0.0
        self.centre = np.zeros(3)
        self.reach = 20.0
        self._sky_matrix = vtkMatrix4x4()
        self._shadow: pv.PolyData | None = None
        self._threads: pv.PolyData | None = None
        self.far = 1000.0
        self._distance = 0.0  # m, from the eye to what it looks at
        self._ties_late = False  # they stand where the track was before
        self._colours: Colours | None = None
        self.plan: SupportPlan | None = None

    def rebuild(
        self, built: BuiltTrack | None, colours: Colours, quality: str, start: float, spacing: float = SPACING
    ) -> None:
        """Draw another track from scratch. start (m): where the train stands, for the station; spacing (m): of its
        supports."""
        remove(self._plotter, *self._actors.values())
        self._actors = {}
        self.plan = None
        self.built, self._colours = built, colours
        self.mesh = None if built is None else TrackMesh(built, LOOKS[quality])
        self._ties_late = False
        self.ground = ground.ground_height(built)
        self._measure()
        self._world(colours)
        if built is None or self.mesh is None:
            return
        self.plan = place_supports(built, spacing)
        top, foot, radius = self.plan.legs()
        if len(top):
            self._add("supports", struts(top, foot, radius, 6), colour=colours.steel)
            self._add(
                "legs",
                segments(top, foot),
                colour=mixed(colours.steel, "#000000", 0.2),
                lit=False,
                width=THREAD,
            )
        self._add("ties", self.mesh.ties, colour=mixed(colours.steel, colours.ground, 0.25))
        self._add("tubes", self.mesh.tubes)
        strip = ground.shadow(self.mesh.course, SHADOW_HALF, self.ground)
        self._shadow = surface(strip, grid_faces(len(strip) // 2, 2, around=False))
        shade = mixed(colours.ground, "#000000", 0.28 if colours.name == "dark" else 0.16)
        self._add("shadow", self._shadow, colour=shade, lit=False, cull=False)
        threads = self.mesh.threads()
        lines = np.arange(len(threads)).reshape(3, -1)
        self._threads = polyline(threads, lines, colours=np.zeros((len(threads), 3)))
        self._add("threads", self._threads, lit=False, cull=False, width=THREAD)
        place = ground.station(built, self.ground, start, colours)
        if place is not None:
            self._add("station", solid(place))
        self.plain()

    def update(self, built: BuiltTrack) -> None:
        """Move rails, ties and shadow to another shape in place; supports and station stay as they are."""
        if self.mesh is None or self._shadow is None or self._threads is None:
            return
        self.built = built
        self.mesh.update(built)
        self._ties_late = True
        self.seen_from(self._distance)
        overwrite(self._shadow.points, ground.shadow(self.mesh.course, SHADOW_HALF, self.ground))
        overwrite(self._threads.points, self.mesh.threads())
        for mesh in (self._shadow, self._threads):
            rewritten(mesh)
        for part in ("supports", "legs"):
            self._show(part, False)

    def colour(self, rails: NDArray[np.uint8], spine: NDArray[np.uint8] | None = None) -> None:
        """Colour rails and spine at the stations (k, 3); the spine is a darker shade when not given."""
        if self.mesh is not None and self._threads is not None:
            under = np.rint(0.78 * rails).astype(np.uint8) if spine is None else spine
            self.mesh.colour(rails, under)
            overwrite(self._threads.point_data[COLOUR], np.concatenate([rails, rails, under]))

    def plain(self, *, foreign: bool = False) -> None:
        """The one colour of the track; foreign: that of a shape that is not the design."""
        if self.mesh is not None and self._colours is not None:
            c, count = self._colours, len(self.mesh.fractions)
            rail = mixed(c.muted, c.ground, 0.35) if foreign else c.rail
            shades = (rail, mixed(rail, c.steel, 0.55))
            self.colour(*(np.tile(np.array(rgb(shade), dtype=np.uint8), (count, 1)) for shade in shades))

    def seen_from(self, distance: float) -> None:
        """Leave out what is too small to be seen from a distance (m)."""
        self._distance = distance
        seen = distance < FAR
        if seen and self._ties_late and self.mesh is not None and self.built is not None:
            self.mesh.move_ties(self.built)  # those that nobody sees are not moved while a point is dragged
            self._ties_late = False
        self._show("ties", seen)

    def name_of(self, actor: object) -> str:
        """What an actor of the track is: "ties", "supports", ...; "" for one that is none."""
        return next((name for name, own in self._actors.items() if own is actor), "")

    def columns(self) -> tuple[tuple[str, float, Vec3, Vec3], ...]:
        """The legs that are seen: name, place of the support (m), top and foot (m)."""
        actor = self._actors.get("supports")
        if self.plan is None or actor is None or not actor.visibility:
            return ()
        return tuple(
            (name, one.s, *leg)
            for one in self.plan.supports
            for name, leg in zip(self.plan.names_of(one), one.legs, strict=True)
        )

    def show(self, part: str, on: bool) -> None:
        """Show or hide "ties", "supports", "station", "grid", "shadow"."""
        for name in (part, "legs") if part == "supports" else (part,):
            (self._hidden.discard if on else self._hidden.add)(name)
            self._show(name, on)

    def centre_sky(self, camera: Array) -> None:
        """Keep the sky dome around the camera (m)."""
        for axis in range(3):
            self._sky_matrix.SetElement(axis, 3, float(camera[axis]))

    def _show(self, part: str, on: bool) -> None:
        if part in self._actors:
            self._actors[part].visibility = on and part not in self._hidden

    def _add(self, name: str, mesh: pv.PolyData, **looks: object) -> None:
        self._actors[name] = make_actor(mesh, pickable=name in SOLID, **looks)  # type: ignore[arg-type]
        self._actors[name].visibility = name not in self._hidden
        add(self._plotter, self._actors[name])

    def _measure(self) -> None:
        if self.mesh is None:
            self.centre, self.reach = np.array([0.0, 0.0, self.ground]), 6.0
            return
        p = self.mesh.course.position
        self.centre = 0.5 * (p.min(axis=0) + p.max(axis=0))
        self.reach = max(15.0, 0.5 * float(np.linalg.norm(np.ptp(p[:, :2], axis=0))))

    def set_bounds(self, centre: Array, reach: float, low: float) -> None:
        """Say how large the scene is when there is no track (m), and draw the ground under it."""
        if (reach, low) == (self.reach, self.ground) and np.array_equal(centre, self.centre):
            return
        self.centre, self.reach, self.ground = centre, reach, low
        if self._colours is not None:
            remove(self._plotter, *(self._actors.pop(name) for name in ("sky", "ground", "grid")))
            self._world(self._colours)

    def _world(self, colours: Colours) -> None:
        near, far = 0.9 * self.reach + 10.0 * min(1.0, self.reach / 20.0), 6.0 * self.reach + 150.0
        far = far if self.reach > 14.0 else 14.0 * self.reach
        spacing = 10.0 if self.reach > 40.0 else ground.round_number(0.25 * self.reach)
        middle = np.array([self.centre[0], self.centre[1], self.ground])
        self._add("sky", ground.sky(colours, 1.4 * far), lit=False, cull=False)
        self._actors["sky"].SetUserMatrix(self._sky_matrix)
        self._add("ground", ground.ground_disc(colours, middle, near, far), lit=False, cull=False)
        self._add("grid", ground.grid_lines(colours, middle, near, far, spacing), lit=False, cull=False)
        self.far = 3.0 * far
