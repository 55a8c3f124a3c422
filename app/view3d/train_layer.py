"""The train and its riders in the scene: one actor for each body, moved by its matrix alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from app.view3d.actors import make_actor, pose_list, tint
from app.view3d.human import rider_meshes
from app.view3d.mesh import Mesh, across, bent_tube, merged, mixed, rod
from app.view3d.poses import Poses
from app.view3d.vehicle import car_meshes
from app.widgets.theme import Colours
from core.model.assembly import Assembly
from core.model.bodies import Body
from core.model.forces import TYPES
from core.model.forces.ends import TwoPoints
from core.model.placement import Drawn, joined
from core.project.project import Project

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Member:
    """A body of the scene: full name, path for the selection, description, half extents of its mesh (m)."""

    name: str
    path: tuple[str, ...]
    body: Body
    low: Array
    high: Array
    rider: str | None


@dataclass(frozen=True)
class Spring:
    """Two points on bodies (index, point in body axes m); body -1 is the world."""

    path: tuple[str, ...]
    body_i: int
    point_i: Array
    body_j: int
    point_j: Array
    of_rider: bool
    coil: bool  # drawn as a coil, else as a damper


def body_names(project: Project) -> list[str]:
    """Full names of all bodies of a project in their order."""
    return [] if project.assembly is None else [*project.assembly.every("body")]


def same_bodies(a: Project, b: Project) -> bool:
    """Whether two projects have bodies of the same names in the same places of the tree."""
    return body_names(a) == body_names(b)


class TrainLayer:
    """Actors of all bodies with their poses."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self.members: list[Member] = []
        self.springs: list[Spring] = []
        self._actors: list[vtkActor] = []
        self._matrices: list[vtkMatrix4x4] = []
        self.columns: list[int] = []
        self.poses: Poses | None = None
        self.position = np.zeros((0, 3))
        self.rotation = np.zeros((0, 3, 3))
        self._shown_springs: list[Spring] = []
        self._spring_actors: list[vtkActor] = []
        self._spring_radius = SPRING_RADIUS
        self._spring_matrices: list[vtkMatrix4x4] = []
        self._hidden: frozenset[str] = frozenset()
        self._drawn: tuple[tuple[str, ...], Assembly | None, str] | None = None  # bodies, all of them, theme

    def rebuild(self, project: Project, poses: Poses | None, colours: Colours) -> None:
        """Draw another train from scratch; the same train in another run only takes other poses."""
        top = project.assembly
        if poses is not None and self.poses is not None and self._drawn is not None:
            names, before, theme = self._drawn
            if top is before and names == poses.names and theme == colours.name:
                self.poses = poses
                return
        self._drawn = None if poses is None else (poses.names, top, colours.name)
        for actor in self._actors + self._spring_actors:
            self._renderer.RemoveActor(actor)
        self.members, self.springs = [], []
        self._actors, self._matrices, self.columns = [], [], []
        self._shown_springs, self._spring_actors, self._spring_matrices = [], [], []
        self.poses = poses
        if poses is None or top is None:
            self.position, self.rotation = np.zeros((0, 3)), np.zeros((0, 3, 3))
            return
        drawn = Drawn(top)
        for path, assembly in drawn.assemblies.items():
            self._add_assembly(drawn, path, assembly, poses, colours)
        self.show_time(0.0)
        found = self.bounds()
        self._spring_radius = SPRING_RADIUS if found is None else min(SPRING_RADIUS, SPRING_SHARE * found[1])
        self._add_springs(colours)

    def show_time(self, time: float) -> None:
        """Move every body to where it is at a time (s)."""
        if self.poses is None:
            return
        self.position, self.rotation = self.poses.at(time)
        count = len(self.position)
        pose = np.zeros((count, 4, 4))
        pose[:, :3, :3] = self.rotation
        pose[:, :3, 3] = self.position
        pose[:, 3, 3] = 1.0
        rows = pose.reshape(count, 16).tolist()
        for matrix, column in zip(self._matrices, self.columns, strict=True):
            matrix.DeepCopy(rows[column])
        self._move_springs()

    def body_pose(self, name: str) -> tuple[Array, Array] | None:
        """Position (3,) m and rotation (3, 3) of a body by its full name now; None when there is none."""
        k = None if self.poses is None else self.poses.index.get(name)
        return None if k is None or k >= len(self.position) else (self.position[k], self.rotation[k])

    def matrix_of(self, name: str) -> vtkMatrix4x4 | None:
        """The matrix that carries a body by its full name; what shares it moves with the body."""
        for member, matrix in zip(self.members, self._matrices, strict=True):
            if member.name == name:
                return matrix
        return None

    def hide(self, names: frozenset[str]) -> None:
        """Hide bodies by full name (the head the camera sits in); all others are shown."""
        if names != self._hidden:
            self._hidden = names
            for member, actor in zip(self.members, self._actors, strict=True):
                actor.SetVisibility(member.name not in names)

    def highlight(self, names: set[str], colour: str, *, ghost: bool = False) -> None:
        """Tint bodies by full name; ghost: see through all others, so that what is inside shows."""
        for member, actor in zip(self.members, self._actors, strict=True):
            chosen = member.name in names
            tint(actor, colour if chosen else None)
            actor.GetProperty().SetOpacity((0.55 if chosen else GHOST) if ghost else 1.0)
        for actor in self._spring_actors:
            actor.GetProperty().SetOpacity(GHOST if ghost else 1.0)

    def bounds(self, names: set[str] | None = None) -> tuple[Array, float] | None:
        """Centre (3,) m and radius (m) around bodies by full name (None: all)."""
        corners = []
        for member, column in zip(self.members, self.columns, strict=True):
            if names is None or member.name in names:
                for pick in ((member.low, member.high), (member.high, member.low)):
                    corners += [self.position[column] + self.rotation[column] @ c for c in pick]
        if not corners:
            return None
        points = np.array(corners)
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return centre, max(0.01, float(np.linalg.norm(points - centre, axis=1).max()))

    def pick(self, origin: Array, direction: Array) -> tuple[Member, float] | None:
        """The first body a ray meets (boxes around the meshes) and how far away it is (m)."""
        best: tuple[Member, float] | None = None
        for member, actor, column in zip(self.members, self._actors, self.columns, strict=True):
            if not actor.GetVisibility():
                continue
            turn = self.rotation[column]
            start = turn.T @ (origin - self.position[column])
            along = turn.T @ direction
            safe = np.where(np.abs(along) < 1e-12, 1e-12, along)
            first, second = (member.low - start) / safe, (member.high - start) / safe
            near = float(np.minimum(first, second).max())
            far = float(np.maximum(first, second).min())
            # small parts win over the large box that surrounds them
            depth = near + 0.35 * float(np.linalg.norm(member.high - member.low))
            if near <= far and far > 0.0 and (best is None or depth < best[1]):
                best = (member, depth)
        return best

    def _world(self, body: int, point: Array) -> Array:
        return point if body < 0 else self.position[body] + self.rotation[body] @ point

    def _add_assembly(
        self, drawn: Drawn, path: str, assembly: Assembly, poses: Poses, colours: Colours
    ) -> None:
        rider = path if assembly.role == "rider" else None
        if rider is None:
            meshes = car_meshes(assembly, colours)
        else:
            siblings = [r.name for r in drawn.assemblies[path.rpartition("/")[0]].riders]
            shirts = (colours.cloth, *colours.series[1:])
            shirt = shirts[siblings.index(assembly.name) % len(colours.series)]
            meshes = rider_meshes(assembly, colours, mixed(shirt, "#808890", 0.15))
        for body in assembly.bodies:
            self._add_body(joined(path, body.name), body, meshes[body.name], poses, colours, rider)
        for force in assembly.forces:
            if isinstance(force, TwoPoints):
                (i, a), (j, b) = (
                    (poses.index.get(body, -1), on.point(point))
                    for name, point in ((force.body_i, force.point_i), (force.body_j, force.point_j))
                    for body, on in [drawn.anchor(path, name)]
                )
                full = tuple(joined(path, force.name).split("/"))
                coil = TYPES[force.kind].mark.kind == "coil"
                self.springs.append(Spring(full, i, a, j, b, rider is not None, coil))

    def _add_body(
        self,
        name: str,
        body: Body,
        mesh: Mesh,
        poses: Poses,
        colours: Colours,
        rider: str | None,
    ) -> None:
        column = poses.index.get(name)
        if column is None:
            return
        actor = make_actor(mesh.shape(), pickable=True)
        matrix = vtkMatrix4x4()
        actor.SetUserMatrix(matrix)
        actor.SetVisibility(name not in self._hidden)
        self._renderer.AddActor(actor)
        self.members.append(
            Member(
                name, tuple(name.split("/")), body, mesh.points.min(axis=0), mesh.points.max(axis=0), rider
            )
        )
        self._actors.append(actor)
        self._matrices.append(matrix)
        self.columns.append(column)

    def _add_springs(self, colours: Colours) -> None:
        self._shown_springs = [s for s in self.springs if not s.of_rider]
        if not self._shown_springs:
            return
        shapes = {True: _coil_mesh("#d6a93a").shape(), False: _damper_mesh(colours.steel).shape()}
        for spring in self._shown_springs:
            actor, matrix = make_actor(shapes[spring.coil]), vtkMatrix4x4()
            actor.SetUserMatrix(matrix)
            self._renderer.AddActor(actor)
            self._spring_actors.append(actor)
            self._spring_matrices.append(matrix)

    def _move_springs(self) -> None:
        for spring, matrix in zip(self._shown_springs, self._spring_matrices, strict=True):
            a = self._world(spring.body_i, spring.point_i)
            along = self._world(spring.body_j, spring.point_j) - a
            u, v = across(along)
            wide = min(self._spring_radius, SLENDER * float(np.linalg.norm(along)))
            matrix.DeepCopy(pose_list(a, np.stack([along, wide * u, wide * v], axis=1)))

    def spring_ends(self, path: tuple[str, ...]) -> tuple[Array, Array] | None:
        """The ends (3,) m of the spring with a path now; None when there is none."""
        for spring in self.springs:
            if spring.path == path:
                return self._world(spring.body_i, spring.point_i), self._world(spring.body_j, spring.point_j)
        return None


SPRING_RADIUS = 0.04  # m, but not more than
SPRING_SHARE = 0.06  # of the radius of a small rig, and
SLENDER = 0.4  # of the length of a spring
GHOST = 0.22  # opacity of what is in front of a marked element
WIRE = 0.22  # of the radius of the spring


def _damper_mesh(colour: str) -> Mesh:
    """Cylinder and rod of length 1 along x, for whatever else acts between two points."""
    return merged([rod([0, 0, 0], [1, 0, 0], 0.25, colour), rod([0.2, 0, 0], [0.6, 0, 0], 0.8, colour)])


def _helix() -> Array:
    """A helix of length and radius 1 along x, running in and out of its axis at the ends."""
    turns, points = 7.0, 71
    share = np.linspace(0.0, 1.0, points)
    angle = 2.0 * np.pi * turns * share
    wide = np.clip(np.minimum(share, 1.0 - share) / 0.06, 0.0, 1.0)
    return np.stack([share, wide * np.cos(angle), wide * np.sin(angle)], axis=1)


def _coil_mesh(colour: str) -> Mesh:
    """The wire of a spring of length and radius 1, thin along its axis, for a spring about five times as long."""
    path = _helix()
    stretch = np.array([5.0, 1.0, 1.0])
    wire = bent_tube(path * stretch, WIRE, colour, sides=5)
    return Mesh(wire.points / stretch, wire.normals, wire.faces, wire.colours)
