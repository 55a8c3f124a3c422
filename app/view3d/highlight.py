"""From the selection of the document to what is tinted and marked in the scene, and how large it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from app.document.selection import RIG, Selection, assembly_of
from app.view3d.actors import make_actor, pose_list
from app.view3d.human import inertia_half_axes
from app.view3d.marks import axis_marks, inertia_marks, place_ring, section_lines
from app.view3d.mesh import across, ellipsoid, merged, rod
from app.view3d.scene import Scene
from app.view3d.train_layer import Member
from core.base.frames import rotation_matrix
from core.model.assembly import Assembly, Occupant
from core.model.bodies import GROUND, SEAT
from core.model.elements import (
    AirDrag,
    AppliedForce,
    AppliedTorque,
    JointStop,
    RollingResistance,
    RotationalSpring,
    SpringDamper,
)
from core.model.guides import Guide
from core.model.joints import Joint
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
        self._centre: tuple[Array, float] | None = None
        self.keys: list[tuple[str, str]] = []  # colours of the marks and what they mean

    def show(self, project: Project, selection: Selection) -> None:
        """Mark what is selected and nothing else."""
        scene = self._scene
        self._spring, self._names, self._centre = None, set(), None
        self.keys = []
        scene.marks.clear(GROUP)
        actors: list[vtkActor] = []
        if selection.kind in ("section", "place", "points"):
            actors = self._track(selection)
        elif selection.path:
            assembly = assembly_of(project, selection.path[0])
            if assembly is not None:
                actors = self._model(assembly, selection)
        inside = selection.kind in ("joint", "force", "guide", "driver") and bool(actors)
        tinted = self._names if selection.kind in ("body", "occupant") else set()
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

    def _model(self, assembly: Assembly, selection: Selection) -> list[vtkActor]:
        group = selection.path[0]
        prefix = "" if group == RIG else group + "/"
        kind, path = selection.kind, selection.path
        rider = next((o for o in assembly.occupants if len(path) == 3 and o.name == path[1]), None)
        holder: Assembly | Occupant = assembly if rider is None else rider
        inner = prefix if rider is None else f"{prefix}{rider.name}/"
        if kind == "car":
            self._names = {m.name for m in self._scene.train.members if m.path[0] == group}
            return []
        if kind == "occupant":
            self._names = {m.name for m in self._scene.train.members if m.path[:2] == path[:2] and m.rider}
            return []
        if kind == "body":
            self._names = {inner + path[-1]}
            return self._body(inner + path[-1])
        if kind == "seat":
            seat = next((s for s in assembly.seats if s.name == path[-1]), None)
            return [] if seat is None else self._ball(prefix + seat.body, np.array(seat.position), 0.3)
        if kind == "joint":
            return self._joint(holder, assembly, inner, prefix, path[-1])
        if kind == "guide":
            guide = next((g for g in assembly.guides if g.name == path[-1]), None)
            return [] if guide is None else self._guide(prefix, guide)
        if kind == "force":
            return self._force(holder, assembly, inner, prefix, path)
        if kind == "driver":
            driver = next((d for d in assembly.drivers if d.name == path[-1]), None)
            return [] if driver is None else self._joint(holder, assembly, inner, prefix, driver.target)
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
            (self._scene.colours.highlight, f"{member.path[-1]}: ellipsoid of inertia, mass centre, axes")
        ]
        return self._fixed(
            name, inertia_marks(half, max(self._least(), 1.25 * float(half.max())), self._scene.colours)
        )

    def _ball(self, name: str, point: Array, size: float) -> list[vtkActor]:
        self._names = {name} if self._member(name) is not None else set()
        mesh = ellipsoid(point, [0.2 * size] * 3, self._scene.colours.highlight)
        return self._fixed(name, [make_actor(mesh.shape())])

    def _joint(
        self, holder: Assembly | Occupant, assembly: Assembly, inner: str, prefix: str, name: str
    ) -> list[vtkActor]:
        joint = next((j for j in holder.joints if j.name == name), None)
        if joint is None:
            return []
        actors: list[vtkActor] = []
        colours = self._scene.colours
        for body, point, axis, colour, thick in (
            (joint.body_i, joint.point_i, joint.axis_i, colours.highlight, 1.0),
            (joint.body_j, joint.point_j, joint.axis_j, colours.series[0], 0.6),
        ):
            full, place, turn = self._resolve(holder, assembly, inner, prefix, body, np.array(point))
            size = 0.6 * self._size(full)
            self.keys.append((colour, f"{joint.name} in {body}"))
            direction = None if axis is None or not _has_axis(joint) else turn @ np.array(axis)
            shown = self._member(full)
            if shown is not None:
                self._names.add(full)
            marks = make_actor(axis_marks(place, direction, max(self._least(), size), thick, colour).shape())
            actors += self._fixed(full, [marks])
        self._centre_on(holder, assembly, inner, prefix, joint)
        return actors

    def _centre_on(
        self, holder: Assembly | Occupant, assembly: Assembly, inner: str, prefix: str, joint: Joint
    ) -> None:
        full, place, _ = self._resolve(holder, assembly, inner, prefix, joint.body_i, np.array(joint.point_i))
        pose = self._scene.train.body_pose(full)
        centre = place if pose is None else pose[0] + pose[1] @ place
        self._centre = (centre, min(0.9, self._scene.bounds()[1]))

    def _resolve(
        self,
        holder: Assembly | Occupant,
        assembly: Assembly,
        inner: str,
        prefix: str,
        body: str,
        point: Array,
    ) -> tuple[str, Array, Array]:
        """Full name of a body an element names, the point and the axes in the frame of that body."""
        if body == SEAT and isinstance(holder, Occupant):
            seat = next(s for s in assembly.seats if s.name == holder.seat)
            turn = rotation_matrix(seat.orientation)
            return prefix + seat.body, np.array(seat.position) + turn @ point, turn
        return (GROUND if body == GROUND else inner + body), point, np.eye(3)

    def _guide(self, prefix: str, guide: Guide) -> list[vtkActor]:
        return self._ball(prefix + guide.body, np.array(guide.point), 0.6)

    def _force(
        self, holder: Assembly | Occupant, assembly: Assembly, inner: str, prefix: str, path: tuple[str, ...]
    ) -> list[vtkActor]:
        force = next((f for f in holder.forces if f.name == path[-1]), None)
        match force:
            case SpringDamper():
                return self._spring_marks(path)
            case RotationalSpring() | JointStop():
                return self._joint(holder, assembly, inner, prefix, force.joint)
            case RollingResistance():
                guide = next((g for g in assembly.guides if g.name == force.guide), None)
                return [] if guide is None else self._guide(prefix, guide)
            case AppliedForce():
                return self._ball(inner + force.body, np.array(force.point), 0.5)
            case AppliedTorque() | AirDrag():
                return self._ball(inner + force.body, np.zeros(3), 0.5)
        return []

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
