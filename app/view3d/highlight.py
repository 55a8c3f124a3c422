"""From the selection of the document to what is tinted and marked in the scene, and how large it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from app.document.selection import Selection, exists
from app.view3d.actors import make_actor, pose_list
from app.view3d.human import inertia_half_axes
from app.view3d.marks import axis_marks, inertia_marks, place_ring, section_lines
from app.view3d.mesh import across, ellipsoid, merged, rod
from app.view3d.scene import Scene
from app.view3d.train_layer import Member
from core.edits.elements import elements_of
from core.model.assembly import Assembly, Seat
from core.model.bodies import Body
from core.model.forces.ends import OnBody, TwoPoints
from core.model.guides import Guide
from core.model.joints import Joint
from core.model.placement import Drawn, Frame, joined
from core.model.references import LISTS, references
from core.project.project import Project
from core.track.description import SplineSection

Array = NDArray[np.float64]

GROUP = "selection"


class Highlight:
    """Marks the selection in a scene and keeps moving marks where they belong."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._spring: tuple[tuple[str, ...], vtkMatrix4x4] | None = None
        self._names: set[str] = set()
        self._rider = False
        self._centre: tuple[Array, float] | None = None
        self.keys: list[tuple[str, str]] = []  # colours of the marks and what they mean

    def show(self, project: Project, selection: Selection) -> None:
        """Mark what is selected and nothing else."""
        scene = self._scene
        self._spring, self._names, self._centre, self._rider = None, set(), None, False
        self.keys = []
        scene.marks.clear(GROUP)
        actors: list[vtkActor] = []
        if selection.kind in ("section", "place", "points"):
            actors = self._track(selection)
        elif selection.kind in LISTS and project.assembly is not None and exists(selection, project):
            actors = self._model(project.assembly, selection)
        inside = selection.kind in ("joint", "force", "guide", "driver") and bool(actors)
        tinted = self._names if selection.kind == "body" or self._rider else set()
        ghost = inside or (selection.kind == "body" and bool(actors))
        scene.train.highlight(tinted, scene.colours.highlight, ghost=ghost)
        scene.marks.set(GROUP, actors)
        self.move()

    def move(self) -> None:
        """Follow the bodies after the time has changed."""
        if self._spring is None:
            return
        path, matrix = self._spring
        ends = self._scene.train.spring_ends(path)
        if ends is not None:
            a, b = ends
            u, v = across(b - a)
            wide = min(0.02, 0.13 * self._least())
            matrix.DeepCopy(pose_list(a, np.stack([b - a, wide * u, wide * v], axis=1)))

    def bounds(self) -> tuple[Array, float] | None:
        """Centre (m) and radius (m) of what is selected; None when nothing in the scene is."""
        if self._centre is not None:
            return self._centre
        if self._spring is not None:
            ends = self._scene.train.spring_ends(self._spring[0])
            if ends is not None:
                return 0.5 * (ends[0] + ends[1]), max(
                    min(0.4, self._scene.bounds()[1]), float(np.linalg.norm(ends[1] - ends[0]))
                )
        return self._scene.train.bounds(self._names) if self._names else None

    def _track(self, selection: Selection) -> list[vtkActor]:
        built, colour = self._scene.built, self._scene.colours.highlight
        if built is None:
            return []
        if selection.kind == "place" and selection.s is not None:
            self._centre = (built.centreline.position([selection.s])[0], 6.0)
            return [place_ring(built, selection.s, colour)]
        span = next((x for x in built.sections if selection.path and x.name == selection.path[0]), None)
        if span is None:
            return []
        if selection.kind == "points":
            section = next(x for x in built.track.sections if x.name == span.name)
            if isinstance(section, SplineSection):
                picked = [section.points[k].position for k in selection.indices if k < len(section.points)]
                points = np.array(picked).reshape(-1, 3)
                if len(points):
                    centre = points.mean(axis=0)
                    self._centre = (centre, 5.0 + float(np.linalg.norm(points - centre, axis=1).max()))
            return []
        points = built.centreline.position(np.linspace(span.s0, span.s1, 40))
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        self._centre = (centre, 2.0 + float(np.linalg.norm(points - centre, axis=1).max()))
        return [section_lines(built, span.s0, max(span.s1, span.s0 + 0.5), colour)]

    def _model(self, top: Assembly, selection: Selection) -> list[vtkActor]:
        kind, path = selection.kind, selection.path
        if kind == "assembly":
            chosen = top.at(path)
            self._rider = chosen is not None and chosen.role == "rider"
            self._names = {m.name for m in self._scene.train.members if m.path[: len(path)] == path}
            return []
        holder, name = "/".join(path[:-1]), path[-1]
        drawn = Drawn(top)
        element = next(e for e in elements_of(drawn.assemblies[holder], kind) if e.name == name)
        return self._element(drawn, holder, path, element)

    def _element(self, drawn: Drawn, holder: str, path: tuple[str, ...], element: Any) -> list[vtkActor]:
        match element:
            case Body():
                self._names = {joined(holder, element.name)}
                return self._body(joined(holder, element.name))
            case Seat():
                return self._ball(*drawn.anchor(holder, element.body), np.array(element.position), 0.3)
            case Joint():
                return self._joint(drawn, holder, element)
            case Guide():
                return self._ball(*drawn.anchor(holder, element.body), np.array(element.point), 0.6)
            case TwoPoints():
                return self._spring_marks(path)
            case OnBody():
                point = np.array(getattr(element, "point", (0.0, 0.0, 0.0)))
                return self._ball(*drawn.anchor(holder, element.body), point, 0.5)
        for _, kind, ref in references(element):  # what acts in a joint or at a guide is shown there
            there = tuple(joined(holder, ref).split("/"))
            inside = "/".join(there[:-1])
            at = next(e for e in elements_of(drawn.assemblies[inside], kind) if e.name == there[-1])
            return self._element(drawn, inside, there, at)
        return []

    def _member(self, name: str) -> Member | None:
        return next((m for m in self._scene.train.members if m.name == name), None)

    def _size(self, name: str) -> float:
        member = self._member(name)
        return 0.3 if member is None else min(0.8, 0.5 * float(np.linalg.norm(member.high - member.low)))

    def _least(self) -> float:
        """Least size (m) of marks: 15 cm, less in a small rig."""
        return min(0.15, 0.2 * self._scene.bounds()[1])

    def _fixed(self, name: str, actors: list[vtkActor]) -> list[vtkActor]:
        matrix = self._scene.train.matrix_of(name)
        for actor in actors:
            if matrix is not None:
                actor.SetUserMatrix(matrix)
        return actors

    def _body(self, name: str) -> list[vtkActor]:
        member = self._member(name)
        if member is None:
            return []
        half = inertia_half_axes(member.body)
        self.keys = [
            (self._scene.colours.highlight, f"{member.path[-1]}: ellipsoid of inertia, centre of mass, axes")
        ]
        return self._fixed(
            name, inertia_marks(half, max(self._least(), 1.25 * float(half.max())), self._scene.colours)
        )

    def _ball(self, name: str, on: Frame, point: Array, size: float) -> list[vtkActor]:
        self._names = {name} if self._member(name) is not None else set()
        mesh = ellipsoid(on.point(point), [0.2 * size] * 3, self._scene.colours.highlight)
        return self._fixed(name, [make_actor(mesh.shape())])

    def _joint(self, drawn: Drawn, holder: str, joint: Joint) -> list[vtkActor]:
        actors: list[vtkActor] = []
        colours = self._scene.colours
        for body, point, axis, colour, thick in (
            (joint.body_i, joint.point_i, joint.axis_i, colours.highlight, 1.0),
            (joint.body_j, joint.point_j, joint.axis_j, colours.series[0], 0.6),
        ):
            full, on = drawn.anchor(holder, body)
            size = 0.6 * self._size(full)
            self.keys.append((colour, f"{joint.name} in {body}"))
            direction = None if axis is None or not _has_axis(joint) else on.direction(axis)
            if self._member(full) is not None:
                self._names.add(full)
            shape = axis_marks(on.point(point), direction, max(self._least(), size), thick, colour).shape()
            actors += self._fixed(full, [make_actor(shape)])
        full, on = drawn.anchor(holder, joint.body_i)
        pose, place = self._scene.train.body_pose(full), on.point(joint.point_i)
        centre = place if pose is None else pose[0] + pose[1] @ place
        self._centre = (centre, min(0.9, self._scene.bounds()[1]))
        return actors

    def _spring_marks(self, path: tuple[str, ...]) -> list[vtkActor]:
        if self._scene.train.spring_ends(path) is None:
            return []
        matrix = vtkMatrix4x4()
        self._spring = (path, matrix)
        colour = self._scene.colours.highlight
        ends = [rod([x, 0, 0], [x + 0.03, 0, 0], 1.8, colour, sides=12) for x in (-0.015, 0.985)]
        actor = make_actor(merged([rod([0, 0, 0], [1, 0, 0], 1.0, colour, sides=12), *ends]).shape())
        actor.SetUserMatrix(matrix)
        return [actor]


def _has_axis(joint: Joint) -> bool:
    return joint.kind in ("revolute", "prismatic", "cylindrical", "universal")
