"""The bodies in the scene: one actor each, moved by one matrix each, and the marks of what acts between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
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
from .actors import add, make_actor, put, remove, see_through, tint
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
    """A body of the scene: full name, path for the selection, description, number, mesh, the matrix of its actor,
    whether it is a rider's, and what makes its actor."""

    name: str
    path: tuple[str, ...]
    body: Body
    column: int
    mesh: pv.PolyData
    matrix: vtkMatrix4x4
    of_rider: bool
    make: Callable[[Member], pv.Actor]

    @cached_property
    def actor(self) -> pv.Actor:
        """What shows it, made when it is first asked for."""
        return self.make(self)

    @property
    def made(self) -> pv.Actor | None:
        """Its actor, where there is one by now."""
        actor: pv.Actor | None = self.__dict__.get("actor")
        return actor

    @property
    def box(self) -> tuple[Array, Array]:
        """Lowest and highest corner of its mesh (m), in its own frame."""
        low, high = np.array(self.mesh.GetBounds()).reshape(3, 2).T
        return low, high


@dataclass(frozen=True)
class Tint:
    """Bodies by full name that are shown in a colour; ghost: see through all others."""

    names: frozenset[str] = frozenset()
    colour: str = ""
    ghost: bool = False

    def put_on(self, member: Member) -> None:
        """Show a body so."""
        chosen = member.name in self.names
        tint(member.actor, self.colour if chosen else None)
        see_through(member.actor, (0.55 if chosen else GHOST) if self.ghost else 1.0)


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
        self._replaced: dict[str, pv.Actor] = {}  # what shows a body until the actor it has now is made
        self._tint = Tint()
        self._drawn: tuple[tuple[str, ...], Assembly | None, str] | None = None  # bodies, all of them, theme
        self.at_once: int | None = (
            None  # bodies a picture may show for the first time; `show_more` before each
        )
        self._unseen: list[str] = []  # bodies that wait for one
        self._bare = False  # the springs wait for one, after all bodies

    def rebuild(self, project: Project, flat: Flat | None, poses: Poses | None, colours: Colours) -> None:
        """Draw another train from scratch; the same train in another run only takes other poses."""
        top = project.assembly
        self.flat, self.poses, self._held, self.held = flat, poses, None, None
        drawn = None if poses is None or flat is None else (poses.names, top, colours.name)
        same = drawn is not None and self._drawn is not None and drawn[::2] == self._drawn[::2]
        if same and self._drawn is not None and top is self._drawn[1]:
            return
        self._drawn, self._unseen, self._bare = drawn, [], False
        before, self.members, self._springs, springs = self.members, {}, [], self._springs
        self.position, self.rotation = np.zeros((0, 3)), np.zeros((0, 3, 3))
        meshes = {} if flat is None or poses is None or top is None else train_meshes(top, flat, colours)
        there = meshes.keys() & (set() if poses is None else poses.index.keys())
        gone = [member.made for name, member in before.items() if name not in there]
        gone += [self._replaced.pop(name) for name in self._replaced.keys() - there]
        remove(self._plotter, *filter(None, gone), *(actor for actor, *_ in springs))
        if flat is None or poses is None or top is None:
            return
        for name, body in zip(flat.names, flat.bodies, strict=True):
            if name in there:
                self._add_body(name, body, meshes[name], before.get(name))
        self._unseen = [name for name, member in self.members.items() if member.made is None]
        self._bare = True
        self.show_time(0.0)
        if self.at_once is None or len(self._unseen) <= self.at_once:
            self.show_more(whole=True)

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
        drawn = [(member.made, name) for name, member in self.members.items()]
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
        """Draw some more of the bodies that wait for a picture, after them the springs; or all of it."""
        count = None if whole else self.at_once
        if self._bare and (whole or not self._unseen):
            self._bare = False
            self._add_springs()
        shown, self._unseen = self._unseen[:count], [] if count is None else self._unseen[count:]
        for name in shown:
            member = self.members[name]
            if member.actor is not None and self._tint != Tint():
                self._tint.put_on(member)

    @property
    def waits(self) -> bool:
        """Whether bodies or springs wait for a picture."""
        return self._bare or bool(self._unseen)

    def _show_those(self, names: Iterable[str]) -> None:
        for name in names:
            actor = self.members[name].made if name in self.members else None
            if actor is not None:
                actor.SetVisibility(name not in self._hidden)

    def highlight(self, names: set[str], colour: str, *, ghost: bool = False) -> None:
        """Tint bodies by full name; ghost: see through all others, so that what is inside shows."""
        wanted = Tint(frozenset(names), colour if names else "", ghost)
        if wanted == self._tint:
            return
        self._tint = wanted
        for member in self.members.values():
            if member.made is not None:
                wanted.put_on(member)
        for actor, *_ in self._springs:
            see_through(actor, GHOST if ghost else 1.0)

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
        shared = {id(member.mesh): member.box for member in {id(m.mesh): m for m in members}.values()}
        boxes = np.array([shared[id(member.mesh)] for member in members])  # lowest, highest
        corners = np.stack([boxes[:, ends, range(3)] for ends in product((0, 1), repeat=3)], axis=1)
        found = [
            place[columns, None] + np.einsum("nij,nkj->nki", turn[columns], corners) for place, turn in poses
        ]
        return np.concatenate(found).reshape(-1, 3)

    def _add_body(self, name: str, body: Body, mesh: pv.PolyData, before: Member | None) -> None:
        """Take a body in. The actor it had before shows it on: for good where it is drawn as it was, else until its
        new one is made."""
        assert self.poses is not None
        assert self.flat is not None
        of_rider = name.rpartition("/")[0] in self.flat.riders
        matrix = vtkMatrix4x4() if before is None else before.matrix
        path, column = tuple(name.split("/")), self.poses.index[name]
        member = Member(name, path, body, column, mesh, matrix, of_rider, self._make)
        if before is not None and before.made is not None:
            if before.mesh is mesh:
                member.__dict__["actor"] = before.made
            else:
                self._replaced[name] = before.made
        self.members[name] = member

    def _make(self, member: Member) -> pv.Actor:
        """The actor of a body, in the scene."""
        actor = make_actor(member.mesh, pickable=True, rigid=True)
        actor.SetUserMatrix(member.matrix)
        actor.SetVisibility(member.name not in self._hidden)
        add(self._plotter, actor)
        before = self._replaced.pop(member.name, None)
        if before is not None:
            remove(self._plotter, before)
        return actor

    def _add_springs(self) -> None:
        """A shape for every force between two points."""
        found = self.bounds()
        self._spring_radius = SPRING_RADIUS if found is None else min(SPRING_RADIUS, SPRING_SHARE * found[1])
        meshes: dict[str, pv.PolyData] = {}
        for spring in self._shown_springs():
            kind = spring.element.kind
            if kind not in meshes:
                meshes[kind] = shape_of(spring.element)
            for (i, a), (j, b) in stretches(spring.element):
                actor, matrix = make_actor(meshes[kind], rigid=True), vtkMatrix4x4()
                actor.SetUserMatrix(matrix)
                see_through(actor, GHOST if self._tint.ghost else 1.0)
                add(self._plotter, actor)
                ends = spring.bodies[i], spring.bodies[j]
                self._springs.append((actor, matrix, ends, np.array([a, b]), spring.name))

        self._move_springs()

    def _shown_springs(self) -> Iterator[Placed[Any]]:
        """What acts between two points, but what is inside of a rider, and what couplings are made of, which has a
        layer of its own."""
        assert self.flat is not None
        assert self._drawn is not None
        assert self._drawn[1] is not None
        couplings = [f"{coupling.name} " for coupling in self._drawn[1].couplings]
        for spring in self.flat.forces:
            inside = spring.scope[:-1] in self.flat.riders
            of_coupling = not spring.scope and any(f"{spring.name} ".startswith(name) for name in couplings)
            if place_of(spring.element) in BETWEEN and not inside and not of_coupling:
                yield spring

    def _move_springs(self) -> None:
        for _, matrix, (i, j), points, _ in self._springs:
            a, b = self.world(i, points[0]), self.world(j, points[1])
            wide = min(self._spring_radius, SLENDER * float(np.linalg.norm(b - a)))
            put(matrix, a, between(a, b, wide))
