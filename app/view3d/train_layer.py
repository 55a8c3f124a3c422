"""The bodies in the scene: one actor each, moved by one matrix each, and the marks of what acts between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from ...core.base.arrays import Array
from ...core.base.errors import InputError
from ...core.base.frame import Frame
from ...core.base.frozen import Vec3
from ...core.design.end_points import local_point
from ...core.model.assembly import Assembly
from ...core.model.bodies import Body
from ...core.multibody.flatten import Flat, Local, Placed
from ...core.project.project import Project
from ..widgets.theme import Colours
from .actors import add, make_actor, mesh_of, put, remove, tint
from .element_marks import BETWEEN, between, place_of, shape_of, stretches
from .poses import Poses
from .train_parts import train_meshes

if TYPE_CHECKING:
    import pyvista as pv


SAMPLED = 60  # instants of a motion that is framed
SPRING_RADIUS = 0.04  # m, but not more than
SPRING_SHARE = 0.06  # of the radius of a small rig, and
SLENDER = 0.4  # of the length of a spring
GHOST = 0.22  # opacity of what is in front of a marked element


@dataclass(frozen=True)
class Member:
    """A body of the scene: full name, path for the selection, description, number, actor and its matrix, and whether
    it is a rider's."""

    name: str
    path: tuple[str, ...]
    body: Body
    column: int
    actor: pv.Actor
    matrix: vtkMatrix4x4
    of_rider: bool

    @property
    def box(self) -> tuple[Array, Array]:
        """Lowest and highest corner of its mesh (m), in its own frame."""
        low, high = np.array(mesh_of(self.actor).GetBounds()).reshape(3, 2).T
        return low, high


def same_bodies(a: Project, b: Project) -> bool:
    """Whether two projects have bodies of the same names in the same places of the tree."""
    one, other = ([] if p.assembly is None else [*p.assembly.every("body")] for p in (a, b))
    return one == other


class TrainLayer:
    """Actors of all bodies with their poses. `flat`: what there is, by full names; None when nothing can be placed."""

    def __init__(self, plotter: pv.BasePlotter) -> None:
        self._plotter = plotter
        self.flat: Flat | None = None
        self.poses: Poses | None = None
        self._held: tuple[Array, Array] | None = None  # instead of what the poses say
        self.held: tuple[Poses, float] | None = None  # the poses that are, and their time
        self.members: dict[str, Member] = {}
        self.position, self.rotation = np.zeros((0, 3)), np.zeros((0, 3, 3))
        self._springs: list[tuple[pv.Actor, vtkMatrix4x4, tuple[Local, Local], Array, str]] = []
        self._spring_radius = SPRING_RADIUS
        self._hidden: frozenset[str] = frozenset()
        self._drawn: tuple[tuple[str, ...], Assembly | None, str] | None = None  # bodies, all of them, theme
        self.at_once: int | None = (
            None  # bodies a picture may show for the first time; `show_more` before each
        )
        self._unseen: list[str] = []  # bodies that wait for one

    def rebuild(self, project: Project, flat: Flat | None, poses: Poses | None, colours: Colours) -> None:
        """Draw another train from scratch; the same train in another run only takes other poses."""
        top = project.assembly
        self.flat, self.poses, self._held, self.held = flat, poses, None, None
        drawn = None if poses is None or flat is None else (poses.names, top, colours.name)
        same = drawn is not None and self._drawn is not None and drawn[::2] == self._drawn[::2]
        if same and self._drawn is not None and top is self._drawn[1]:
            return
        self._drawn = drawn
        before, self.members, self._springs, springs = self.members, {}, [], self._springs
        self.position, self.rotation = np.zeros((0, 3)), np.zeros((0, 3, 3))
        meshes = {} if flat is None or poses is None or top is None else train_meshes(top, flat, colours)
        kept = {name for name, member in before.items() if mesh_of(member.actor) is meshes.get(name)}
        gone = [member.actor for name, member in before.items() if name not in kept]
        remove(self._plotter, *gone, *(actor for actor, *_ in springs))
        if flat is None or poses is None or top is None:
            return
        for name, body in zip(flat.names, flat.bodies, strict=True):
            if name in poses.index and name in meshes:
                self._add_body(name, body, meshes[name], before[name] if name in kept else None)
        slowly = not kept and self.at_once is not None and len(self.members) > self.at_once
        self._unseen = [*self.members] if slowly else []
        self._show_those(self._unseen)
        self.show_time(0.0)
        found = self.bounds()
        self._spring_radius = SPRING_RADIUS if found is None else min(SPRING_RADIUS, SPRING_SHARE * found[1])
        self._add_springs(flat, tuple(coupling.name for coupling in top.couplings))
        self._move_springs()

    def hold(self, poses: Poses | None, time: float) -> None:
        """Show all bodies where other poses have them at a time, until None is held or another train is drawn."""
        self._held = self.held = None
        if poses is not None and self.poses is not None and set(self.poses.names) <= set(poses.names):
            order = [poses.index[name] for name in self.poses.names]
            position, rotation = poses.at(time)
            self._held, self.held = (position[order], rotation[order]), (poses, time)

    def show_time(self, time: float) -> None:
        """Move every body to where it is at a time (s)."""
        if self.poses is None:
            return
        self.position, self.rotation = self.poses.at(time) if self._held is None else self._held
        pose = np.zeros((len(self.position), 4, 4))
        pose[:, :3, :3] = self.rotation
        pose[:, :3, 3] = self.position
        pose[:, 3, 3] = 1.0
        rows = pose.reshape(-1, 16).tolist()
        for member in self.members.values():
            member.matrix.DeepCopy(rows[member.column])
        self._move_springs()

    def frame_of(self, name: str) -> Frame | None:
        """The frame of a body by its full name now; None when there is none."""
        k = None if self.poses is None else self.poses.index.get(name)
        return None if k is None or k >= len(self.position) else Frame(self.position[k], self.rotation[k])

    def of_actor(self, actor: object) -> str | None:
        """Full name of the body or force element that an actor shows; None where it shows another thing."""
        drawn = [(member.actor, name) for name, member in self.members.items()]
        drawn += [(spring, name) for spring, *_, name in self._springs]
        return next((name for one, name in drawn if one is actor), None)

    def matrix_of(self, name: str) -> vtkMatrix4x4 | None:
        """The matrix that carries a body by its full name; what shares it moves with the body."""
        member = self.members.get(name)
        return None if member is None else member.matrix

    def world(self, local: Local, point: Array) -> Array:
        """Where a point of an element (m, in the frame its element names) is now."""
        name = "" if local.body < 0 or self.flat is None else self.flat.names[local.body]
        body, place = self.frame_of(name), local.point(point)
        return place if body is None else body.point(place)

    def local(self, name: str, body: str, place: Array) -> Vec3:
        """A place (3,) m that is seen now, as a point on a body of a joint or force element: by the element's full
        name, and the name it has for the body. Raises InputError where the scene does not have the element."""
        flat = self.flat
        every: tuple[Placed[Any], ...] = () if flat is None else (*flat.joints, *flat.forces)
        placed = next((one for one in every if one.name == name), None)
        if placed is None or flat is None:
            raise InputError(f"'{name}' is not shown; go back to this design first.")
        there = placed.bodies[body]
        return local_point(there, self.frame_of("" if there.body < 0 else flat.names[there.body]), place)

    def hide(self, names: frozenset[str]) -> None:
        """Hide bodies by full name (the head the camera sits in); all others are shown."""
        if names != self._hidden:
            changed, self._hidden = self._hidden ^ names, names
            self._show_those(changed)

    def show_more(self, *, whole: bool = False) -> None:
        """Show some more of the bodies that wait for a picture, or all of them."""
        count = None if whole else self.at_once
        shown, self._unseen = self._unseen[:count], [] if count is None else self._unseen[count:]
        self._show_those(shown)

    @property
    def waits(self) -> bool:
        """Whether bodies wait for a picture."""
        return bool(self._unseen)

    def _show_those(self, names: Iterable[str]) -> None:
        waiting = set(self._unseen)
        for name in names:
            if name in self.members:
                self.members[name].actor.SetVisibility(name not in self._hidden and name not in waiting)

    def highlight(self, names: set[str], colour: str, *, ghost: bool = False) -> None:
        """Tint bodies by full name; ghost: see through all others, so that what is inside shows."""
        for name, member in self.members.items():
            tint(member.actor, colour if name in names else None)
            member.actor.prop.opacity = (0.55 if name in names else GHOST) if ghost else 1.0
        for actor, *_ in self._springs:
            actor.prop.opacity = GHOST if ghost else 1.0

    def bounds(self, names: set[str] | None = None) -> tuple[Array, float] | None:
        """Centre (3,) m and radius (m) around bodies by full name (None: all)."""
        points = self.corners(names)
        if not len(points):
            return None
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return centre, max(0.01, float(np.linalg.norm(points - centre, axis=1).max()))

    def corners(self, names: set[str] | None = None, *, moving: bool = False) -> Array:
        """Corners (n, 3) m of the boxes around bodies by full names (None: all); moving: over the whole motion."""
        if self.poses is None or not len(self.position):
            return np.zeros((0, 3))
        poses = self.poses.sampled(SAMPLED) if moving else [(self.position, self.rotation)]
        members = [member for name, member in self.members.items() if names is None or name in names]
        if not members:
            return np.zeros((0, 3))
        columns = [member.column for member in members]
        boxes = np.array([member.box for member in members])  # lowest, highest
        corners = np.stack([boxes[:, ends, range(3)] for ends in product((0, 1), repeat=3)], axis=1)
        found = [
            place[columns, None] + np.einsum("nij,nkj->nki", turn[columns], corners) for place, turn in poses
        ]
        return np.concatenate(found).reshape(-1, 3)

    def _add_body(self, name: str, body: Body, mesh: pv.PolyData, before: Member | None) -> None:
        """Put a body into the scene, or leave it there as it was."""
        assert self.poses is not None
        assert self.flat is not None
        if before is None:
            actor, matrix = make_actor(mesh, pickable=True), vtkMatrix4x4()
            actor.SetUserMatrix(matrix)
            actor.SetVisibility(name not in self._hidden)
            add(self._plotter, actor)
        else:
            actor, matrix = before.actor, before.matrix
            tint(actor, None)
            actor.prop.opacity = 1.0
        of_rider = name.rpartition("/")[0] in self.flat.riders
        path = tuple(name.split("/"))
        self.members[name] = Member(name, path, body, self.poses.index[name], actor, matrix, of_rider)

    def _add_springs(self, flat: Flat, couplings: tuple[str, ...]) -> None:
        """A shape for every force between two points; a rider's own are inside of the body, what couplings are made of
        has a layer of its own."""
        meshes: dict[str, pv.PolyData] = {}
        for spring in flat.forces:
            if place_of(spring.element) not in BETWEEN or spring.scope[:-1] in flat.riders:
                continue
            if not spring.scope and any(f"{spring.name} ".startswith(f"{name} ") for name in couplings):
                continue
            kind = spring.element.kind
            if kind not in meshes:
                meshes[kind] = shape_of(spring.element)
            for (i, a), (j, b) in stretches(spring.element):
                actor, matrix = make_actor(meshes[kind]), vtkMatrix4x4()
                actor.SetUserMatrix(matrix)
                add(self._plotter, actor)
                ends = spring.bodies[i], spring.bodies[j]
                self._springs.append((actor, matrix, ends, np.array([a, b]), spring.name))

    def _move_springs(self) -> None:
        for _, matrix, (i, j), points, _ in self._springs:
            a, b = self.world(i, points[0]), self.world(j, points[1])
            wide = min(self._spring_radius, SLENDER * float(np.linalg.norm(b - a)))
            put(matrix, a, between(a, b, wide))
