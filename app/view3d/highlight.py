"""From the selection of the document to what is tinted and marked in the scene, and how large it is."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.fields import references
from ...core.base.frozen import Frozen, Vec3
from ...core.edits.elements import element_at
from ...core.human.drawing import inertia_half_axes
from ...core.model.flexible import FlexibleBody
from ...core.multibody.flatten import Local, Placed
from ...core.project.project import Project
from ...core.track.description import SplineSection
from ..document.selection import Selection
from .actors import make_actor, put
from .element_marks import BETWEEN, axis_mark, bar, between, inertia_marks, place_of, stretches
from .marks import place_ring, section_lines
from .mesh import ellipsoid, solid
from .scene import Scene

if TYPE_CHECKING:
    import pyvista as pv


Ends = tuple[tuple[Local, Vec3], tuple[Local, Vec3]]  # two points of bodies
GROUP = "selection"
LARGE = 8.0  # m: what reaches further has no one place


class Highlight:
    """Marks the selection in a scene and keeps moving marks where they belong."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._between: list[
            tuple[Ends, vtkMatrix4x4]
        ] = []  # stretches of elements, and what stretches their marks
        self._nodes: list[
            tuple[str, Array, vtkMatrix4x4]
        ] = []  # flexible body, node as drawn, where its mark is
        self._names: set[str] = set()
        self._tinted = False  # whether whole bodies are selected: a rider, what a contact is between
        self._places: list[tuple[Array, float]] = []  # centres (m) and radii (m) of what is selected
        self.keys: list[tuple[str, str]] = []  # colours of the marks and what they mean

    def show(self, project: Project, selection: Selection) -> None:
        """Mark what is selected and nothing else."""
        scene, kind = self._scene, selection.kind
        self._between, self._names, self._places, self._tinted = [], set(), [], False
        self._nodes, self.keys = [], []
        if selection.kind != "flexible":
            scene.flexible.choose("", (), scene.colours.highlight)
        actors: list[pv.Actor] = []
        for one in selection.each:
            if kind in ("section", "place", "points"):
                actors += self._track(one)
            elif one.path:
                actors += self._model(project, one)
        tinted = self._names if kind == "body" or self._tinted else set()
        ghost = kind in ("joint", "force", "guide", "driver", "body", "flexible") and bool(actors)
        scene.train.highlight(tinted, scene.colours.highlight, ghost=ghost)
        marked = tuple(one.path[-1] for one in selection.each) if kind == "coupling" else ()
        scene.couplings.mark(marked, scene.time)
        scene.marks.set(GROUP, actors)
        self.move()

    def move(self) -> None:
        """Follow the bodies after the time has changed."""
        for ends, matrix in self._between:
            a, b = self._ends(ends)
            put(matrix, a, between(a, b, min(0.02, 0.13 * self._least())))
        for name, node, matrix in self._nodes:
            place = self._scene.flexible.place_of(name, node)
            if place is not None:
                put(matrix, place, np.eye(3))

    def centres(self) -> Array:
        """Middles (n, 3) m of what is selected, but for what is as large as a track."""
        return np.array([place for place, radius in self._places if radius < LARGE]).reshape(-1, 3)

    def bounds(self) -> tuple[Array, float] | None:
        """Centre (m) and radius (m) of what is selected; None when nothing in the scene is."""
        places = list(self._places)
        for ends, _ in self._between:
            a, b = self._ends(ends)
            least = min(0.4, self._scene.bounds()[1])
            places.append((0.5 * (a + b), max(least, float(np.linalg.norm(b - a)))))
        if not places:
            return self._scene.train.bounds(self._names) if self._names else None
        centre = np.mean([place for place, _ in places], axis=0)
        return centre, max(float(np.linalg.norm(place - centre)) + radius for place, radius in places)

    def _track(self, selection: Selection) -> list[pv.Actor]:
        built, colour = self._scene.built, self._scene.colours.highlight
        if built is None:
            return []
        if selection.kind == "place" and selection.s is not None:
            self._places.append((built.centreline.position([selection.s])[0], 6.0))
            return [place_ring(built, selection.s, colour)]
        span = next((x for x in built.sections if selection.path and x.name == selection.path[0]), None)
        if span is None:
            return []
        if selection.kind == "points":
            section = next(x for x in built.track.sections if x.name == span.name)
            if isinstance(section, SplineSection):
                picked = [section.points[k].position for k in selection.indices if k < len(section.points)]
                self._surround(np.array(picked).reshape(-1, 3), 5.0)
            return []
        self._surround(built.centreline.position(np.linspace(span.s0, span.s1, 40)), 2.0)
        return [section_lines(built, span.s0, max(span.s1, span.s0 + 0.5), colour)]

    def _surround(self, points: Array, more: float) -> None:
        """What is selected: points (n, 3) m and `more` metres around them."""
        if len(points):
            centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
            self._places.append((centre, more + float(np.linalg.norm(points - centre, axis=1).max())))

    def _model(self, project: Project, selection: Selection) -> list[pv.Actor]:
        kind, path, train = selection.kind, selection.path, self._scene.train
        if kind == "assembly":
            chosen = None if project.assembly is None else project.assembly.at(path)
            self._tinted = chosen is not None and chosen.role == "rider"
            self._names = {m.name for m in train.members.values() if m.path[: len(path)] == path}
        elif kind == "body":
            self._names.add("/".join(path))
            return self._body("/".join(path))
        elif kind == "flexible":
            return self._rows(project, selection)
        elif kind == "coupling":
            place = self._scene.couplings.bounds(path[-1])
            self._places += [] if place is None else [place]
        elif kind == "seat":
            holder = None if project.assembly is None else project.assembly.at(path[:-1])
            seat = next((s for s in holder.seats if s.name == path[-1]), None) if holder is not None else None
            if seat is not None:
                return self._ball("/".join((*path[:-1], seat.body)), np.array(seat.position), 0.3)
        elif train.flat is not None and kind in ("joint", "guide", "force", "driver"):
            placed = self._find(kind, "/".join(path))
            return [] if placed is None else self._element(kind, placed)
        return []

    def _rows(self, project: Project, selection: Selection) -> list[pv.Actor]:
        """Of a flexible body the selected beams, in colour or, where colours tell stress, by balls at their ends; balls
        at selected nodes and those that rows name."""
        body, name, chosen = (
            element_at(project, "flexible", selection.path),
            selection.rows,
            selection.indices,
        )
        layer, path, colour = self._scene.flexible, "/".join(selection.path), self._scene.colours.highlight
        layer.choose(path, chosen if name == "beams" else (), colour)
        places = {node.name: np.array(node.position) for node in body.nodes}
        rows = [getattr(body, name)[k] for k in chosen] if name else []
        ends = [place for row in rows for place in row.ends(places)] if name == "beams" else []
        nodes = [np.array(place) for place in (ends if layer.coloured else ())]
        if name != "beams":
            nodes = [places[node] for row in rows for node in _nodes_of(row)]
        around = [layer.place_of(path, np.array(place)) for place in (*ends, *nodes)]
        size = float(np.linalg.norm(np.ptp(np.array([*places.values()]), axis=0)))
        self._surround(np.array([p for p in around if p is not None]).reshape(-1, 3), 0.2 * max(size, 1.0))
        self._nodes = [(path, node, vtkMatrix4x4()) for node in nodes]
        actors = []
        for _, _, matrix in self._nodes:
            ball = ellipsoid(np.zeros(3), [ball_of(body, size)] * 3, colour)
            actors.append(make_actor(solid(ball)))
            actors[-1].SetUserMatrix(matrix)
            if layer.coloured:  # what is most stressed may be inside
                actors[-1].prop.SetRepresentationToWireframe()
        return actors

    def _find(self, kind: str, name: str) -> Placed[Any] | None:
        found = getattr(self._scene.train.flat, kind + "s")
        return next((placed for placed in found if placed.name == name), None)

    def _element(self, kind: str, placed: Placed[Any]) -> list[pv.Actor]:
        """The marks of an element, by where it acts."""
        element = placed.element
        mark = kind if kind in ("joint", "guide") else place_of(element)
        if mark in BETWEEN:
            actors = []
            for (i, a), (j, b) in stretches(element):
                self._between.append((((placed.bodies[i], a), (placed.bodies[j], b)), vtkMatrix4x4()))
                actors.append(make_actor(bar(self._scene.colours.highlight)))
                actors[-1].SetUserMatrix(self._between[-1][1])
            return actors
        if kind == "driver":  # of a joint, a guide or a body
            for what in ("joint", "guide"):
                other = self._find(what, placed.scope + element.target)
                if other is not None:
                    return self._element(what, other)
            return self._ball(placed.scope + element.target, np.zeros(3), 0.5)
        if mark in ("joint", "guide") and kind != mark:  # of the joint or guide it acts in
            other = self._find(mark, placed.scope + getattr(element, mark))
            return [] if other is None else self._element(mark, other)
        if mark == "joint":
            return self._joint(placed)
        if mark == "surfaces":
            self._tinted = True
            self._names |= self._sides(placed)
            return []
        point = getattr(element, "point", (0.0, 0.0, 0.0))
        return self._ball(
            self._name(placed.bodies[element.body]), np.array(point), 0.6 if mark == "guide" else 0.5
        )

    def _name(self, local: Local) -> str:
        flat = self._scene.train.flat
        return "" if local.body < 0 or flat is None else flat.names[local.body]

    def _sides(self, placed: Placed[Any]) -> set[str]:
        """The bodies drawn whose surfaces an element is between: those it names, all of the assemblies it names."""
        element, members = placed.element, self._scene.train.members
        found = {
            self._name(placed.bodies[getattr(element, field)])
            for field in references(type(element), "body")
            if getattr(element, field) in placed.bodies
        }
        groups = [getattr(element, field) for field in references(type(element), "assembly")]
        for group in (placed.scope + group for group in groups if group):
            found |= {name for name in members if name.startswith(f"{group}/")}
        return found & set(members)

    def _ends(self, ends: Ends) -> tuple[Array, Array]:
        """Where two points of bodies are now (m)."""
        (i, a), (j, b) = ends
        world = self._scene.train.world
        return world(i, np.array(a)), world(j, np.array(b))

    def _size(self, name: str) -> float:
        member = self._scene.train.members.get(name)
        if member is None:
            return 0.3
        low, high = member.box
        return min(0.8, 0.5 * float(np.linalg.norm(high - low)))

    def _least(self) -> float:
        """Least size (m) of marks: 15 cm, less in a small rig."""
        return min(0.15, 0.2 * self._scene.bounds()[1])

    def _fixed(self, name: str, actors: list[pv.Actor]) -> list[pv.Actor]:
        matrix = self._scene.train.matrix_of(name)
        for actor in actors:
            if matrix is not None:
                actor.SetUserMatrix(matrix)
        return actors

    def _body(self, name: str) -> list[pv.Actor]:
        member = self._scene.train.members.get(name)
        if member is None:
            return []
        half, colours = inertia_half_axes(member.body), self._scene.colours
        self.keys.append(
            (colours.highlight, f"{member.path[-1]}: ellipsoid of inertia, centre of mass, axes")
        )
        return self._fixed(name, inertia_marks(half, max(self._least(), 1.25 * float(half.max())), colours))

    def _ball(self, name: str, point: Array, size: float) -> list[pv.Actor]:
        self._names |= {name} & set(self._scene.train.members)
        ball = ellipsoid(point, [0.2 * size] * 3, self._scene.colours.highlight)
        return self._fixed(name, [make_actor(solid(ball))])

    def _joint(self, placed: Placed[Any]) -> list[pv.Actor]:
        joint, colours, actors = placed.element, self._scene.colours, []
        for body, point, axis, colour, thick in (
            (joint.body_i, joint.point_i, joint.axis_i, colours.highlight, 1.0),
            (joint.body_j, joint.point_j, joint.axis_j, colours.series[0], 0.6),
        ):
            local = placed.bodies[body]
            name = self._name(local)
            self._names |= {name} & set(self._scene.train.members)
            self.keys.append((colour, f"{joint.name} in {body}"))
            direction = local.direction(axis) if axis is not None and joint.type.axes != "none" else None
            size = max(self._least(), 0.6 * self._size(name))
            actors += self._fixed(name, [axis_mark(local.point(point), direction, size, thick, colour)])
        centre = self._scene.train.world(placed.bodies[joint.body_i], joint.point_i)
        self._places.append((centre, min(0.9, self._scene.bounds()[1])))
        return actors


def _nodes_of(row: Frozen) -> list[str]:
    """The node that a row of a structure is, or those that it names."""
    own = getattr(row, "name", None)
    return [own] if own else [getattr(row, field) for field in references(type(row), "node")]


def ball_of(body: FlexibleBody, size: float) -> float:
    """Radius (m) of the ball at a node: it is seen around the beams there, and from where the whole body is."""
    reach = [0.02 * size, 0.02]
    for beam in body.beams:
        with suppress(InputError):  # of a section that cannot be made
            reach.append(1.3 * math.hypot(*beam.section.made().reach))
    return max(reach)
