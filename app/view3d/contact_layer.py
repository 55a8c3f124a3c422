"""Contacts in the scene: surfaces of the ground, where surfaces meet, forces to scale, patches and the marked pair."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.model.outputs import SLIPS
from ...core.model.surfaces import Plane
from ...core.multibody.contact_places import Spot, Touching, spots_of, touching_of
from ...core.project.project import Project
from ...core.results.results import Results
from ...core.track.build import BuiltTrack
from ..widgets import units
from ..widgets.theme import Colours
from .actors import add, make_actor, put, remove, tint
from .marks import Arrow
from .mesh import across, ellipsoid, mixed, rod, solid
from .skin import surface_part
from .train_layer import TrainLayer

if TYPE_CHECKING:
    import pyvista as pv

LONGEST: Final = 1.0  # m, the arrow of the largest force of a run
WIDE, DOT = 0.05, 0.015  # m: arrows, and places where surfaces meet
PATCH: Final = 0.004  # m, how thick a patch is drawn
AROUND: Final = 2.5  # times the size of the scene: how far planes without end are drawn
ROUND_PAIRS: Final = 24  # pairs whose arrows are drawn at once, those with the largest forces


class _Mark:
    """What is drawn of one place where surfaces meet: a dot, an arrow, and the patch."""

    def __init__(self, colours: Colours) -> None:
        self.arrow = Arrow(colours.good, WIDE)  # forces between bodies, as those of rails
        self.dot = make_actor(solid(ellipsoid([0, 0, 0], [1, 1, 1], colours.highlight, rings=7, sides=10)))
        disc = solid(rod([-0.5, 0, 0], [0.5, 0, 0], 1.0, colours.highlight, sides=24))
        self.patch = make_actor(disc, opacity=0.6)
        self.places = vtkMatrix4x4(), vtkMatrix4x4()
        for actor, matrix in zip((self.dot, self.patch), self.places, strict=True):
            actor.SetUserMatrix(matrix)
        self.actors = (self.arrow.actor, self.dot, self.patch)

    def show(self, spot: Spot | None, length: float, radius: float, dot: float) -> None:
        """Put it at a place; length (m) of the arrow, radius (m) of the patch and of the dot. None hides it."""
        if spot is None:
            for actor in self.actors:
                actor.visibility = False
            return
        self.arrow.point(spot.point, length * spot.normal)
        self.dot.visibility, self.patch.visibility = True, radius > 0.0
        put(self.places[0], spot.point, dot * np.eye(3))
        u, v = across(spot.normal)
        put(self.places[1], spot.point, np.stack([PATCH * spot.normal, radius * u, radius * v], axis=1))


class ContactLayer:
    """Draws the contacts of the shown run; `names` of the pairs it knows, `said` what it says of the marked one."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self._ground: list[pv.Actor] = []
        self._marks: list[_Mark] = []
        self._gap: pv.Actor | None = None
        self._gap_place = vtkMatrix4x4()
        self._touching: Touching | None = None
        self._rows: dict[str, int] = {}
        self._results: Results | None = None
        self._order: list[int] = []
        self._train: TrainLayer | None = None
        self._most = 0.0
        self._on, self._marked, self._time = True, "", 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the pairs of the shown run."""
        return tuple(self._rows)

    @property
    def most(self) -> float:
        """The largest normal force (N) of the shown run."""
        return self._most

    def rebuild(
        self,
        project: Project,
        results: Results | None,
        train: TrainLayer,
        built: BuiltTrack | None,
        colours: Colours,
    ) -> None:
        """Draw the ground of a project, and the contacts of a run of it, or of none."""
        remove(self._plotter, *self._ground, *(actor for mark in self._marks for actor in mark.actors))
        remove(self._plotter, *([] if self._gap is None else [self._gap]))
        self._ground, self._marks, self._gap = [], [], None
        self._touching, self._rows, self._results, self._most = None, {}, None, 0.0
        self._train = train
        self._draw_ground(project, colours)
        if results is None or train.poses is None or train.flat is None:
            return
        if not any(name.endswith(SLIPS) for name in results.names.springs):
            return
        try:
            self._touching = touching_of(project, built)
        except InputError:
            return
        index = {name: row for row, name in enumerate(results.names.springs)}
        self._rows = {name: index[name] for name in self._touching.pairs if name in index}
        if not self._rows or any(name not in train.poses.index for name in train.flat.names):
            self._rows = {}
            return
        self._order = [train.poses.index[name] for name in train.flat.names]
        self._results = results
        self._most = float(np.abs(results.states.spring_force[:, list(self._rows.values())]).max(initial=0.0))
        self._marks = [_Mark(colours) for _ in range(min(ROUND_PAIRS, len(self._rows)))]
        gap = solid(rod([0, 0, 0], [1, 0, 0], 1.0, colours.highlight))
        self._gap = make_actor(gap, lit=False)
        self._gap.SetUserMatrix(self._gap_place)
        add(self._plotter, *(actor for mark in self._marks for actor in mark.actors), self._gap)
        self.show_time(self._time)

    def show(self, on: bool) -> None:
        """Show or hide places and forces; the ground stays."""
        self._on = on
        self.show_time(self._time)

    def mark(self, name: str) -> None:
        """Mark one pair by its name ("": none): its gap is drawn while it does not touch."""
        self._marked = name if name in self._rows else ""
        self.show_time(self._time)

    def bounds(self, name: str) -> tuple[Array, float] | None:
        """Centre (m) and radius (m) around where a pair meets now; None when it is not known."""
        spots = self._spots(name)
        return None if not spots else (spots[0].point, 0.6)

    def show_time(self, time: float) -> None:
        """Move everything to where it is at a time (s)."""
        self._time = time
        if self._gap is not None:
            self._gap.visibility = False
        forces = self._forces(time) if self._on else {}
        shown = 0
        for name, force in sorted(forces.items(), key=lambda pair: -pair[1]):
            spots = self._spots(name)
            inside = [spot for spot in spots if spot.depth > 0.0] or spots[:1]
            total = sum(max(spot.depth, 0.0) for spot in inside) or 1.0
            for spot in inside[: len(self._marks) - shown]:
                share = max(spot.depth, 0.0) / total if len(inside) > 1 else 1.0
                self._marks[shown].show(spot, self._length(share * force), self._patch(name, spot), DOT)
                colour = self._marked == name
                tint(self._marks[shown].dot, "#ffffff" if colour else None)
                shown += 1
        for mark in self._marks[shown:]:
            mark.show(None, 0.0, 0.0, 0.0)
        if self._on and self._marked and self._marked not in forces:
            self._draw_gap()

    def keys(self, colours: Colours) -> list[tuple[str, str]]:
        """What the arrows mean; nothing where there are none."""
        if not self._on or self._most == 0.0:
            return []
        most = units.text(self._most, "kN", decimals=2 if self._most < 1e4 else 1)
        return [(colours.good, f"Force of a contact: the longest is {most}")]

    def _draw_ground(self, project: Project, colours: Colours) -> None:
        top = project.assembly
        if top is None or not top.surfaces:
            return
        found = None if self._train is None else self._train.bounds()
        reach = AROUND * max(1.0, 1.0 if found is None else found[1])
        colour = mixed(colours.steel, colours.base, 0.55)
        for surface in top.surfaces:
            actor = make_actor(solid(surface_part(surface, colour, reach)), opacity=self._sheer(surface))
            add(self._plotter, actor)
            self._ground.append(actor)

    @staticmethod
    def _sheer(surface: object) -> float:
        """Opacity: walls are seen through, floors are not."""
        return 0.35 if isinstance(surface, Plane) and abs(surface.normal[2]) < 0.5 else 1.0

    def _forces(self, time: float) -> dict[str, float]:
        """Normal force (N) of the pairs that touch at a time (s), between the stored instants straight."""
        if self._results is None:
            return {}
        states = self._results.states
        k = int(np.clip(np.searchsorted(states.time, time) - 1, 0, max(len(states.time) - 2, 0)))
        j = min(k + 1, len(states.time) - 1)
        span = float(states.time[j] - states.time[k])
        share = float(np.clip((time - states.time[k]) / span, 0.0, 1.0)) if span > 0.0 else 0.0
        rows = list(self._rows.values())
        values = (1.0 - share) * states.spring_force[k, rows] + share * states.spring_force[j, rows]
        return {name: abs(float(f)) for name, f in zip(self._rows, values, strict=True) if abs(f) > 0.0}

    def _spots(self, name: str) -> list[Spot]:
        if self._touching is None or self._train is None or name not in self._rows:
            return []
        position, rotation = self._train.position[self._order], self._train.rotation[self._order]
        return spots_of(self._touching.pairs[name][0], position, rotation)

    def _length(self, force: float) -> float:
        """Length (m) of the arrow of a force (N): in proportion, the largest of the run `LONGEST`."""
        return LONGEST * force / self._most if self._most > 0.0 else 0.0

    def _patch(self, name: str, spot: Spot) -> float:
        """Radius (m) of the patch of two rounds that are pressed into one another: a^2 = R depth (Hertz)."""
        assert self._touching is not None
        a, b = self._touching.pairs[name][0].a, self._touching.pairs[name][0].b
        inverse = 1.0 / a.radius + 1.0 / b.radius if min(a.radius, b.radius) > 0.0 else math.inf
        return math.sqrt(max(spot.depth, 0.0) / inverse) if 0.0 < inverse < math.inf else 0.0

    def _draw_gap(self) -> None:
        """A line across the gap of the marked pair."""
        spots = self._spots(self._marked)
        if self._gap is None or not spots or not math.isfinite(spots[0].depth) or spots[0].depth >= 0.0:
            return
        spot = spots[0]
        foot = spot.point + 0.5 * spot.depth * spot.normal
        u, v = across(spot.normal)
        thin = 0.4 * DOT
        put(self._gap_place, foot, np.stack([-spot.depth * spot.normal, thin * u, thin * v], axis=1))
        self._gap.visibility = True
