"""Joints, guides and drivers lowered to constraint rows of a few elementary kinds.

Which rows a kind of joint or driver makes, its own file says (`core.model.joints`, `core.model.drivers`). Each joint
becomes coincident points, perpendicular directions and distances along a direction (Nikravesh 1988, ch. 7; Haug 1989,
ch. 9), written so that body i and body j may be the ground. What is "as drawn" is measured in
the pose in which the assembly is described, before any assembly correction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError, located
from ..base.frame import Frame
from ..base.frames import perpendicular, rotation_matrix
from ..model.drivers import COORDINATES, Driver
from ..model.functions import AnalyticFunction, TimeFunction
from ..model.guides import Guide
from ..model.joints import Joint
from ..model.joints.base import JointGeometry
from .course import Course
from .flatten import Flat, Local, Placed
from .layout import ROWS, Layout

IN_TIME = "{} in time"  # the row by which a body goes along its course


class Tied(NamedTuple):
    """An interface frame: which flexible body, its body, the body on the frame, and its numbers in the table TIE."""

    flexible: int
    body: int
    other: int
    numbers: Array


@dataclass
class Rows:
    """Constraint rows in the making: parallel lists per kind, in the order the kernels take them."""

    points: list[tuple[int, int, Array, Array]] = field(default_factory=list)
    dots: list[tuple[int, int, Array, Array, Array, int, int]] = field(default_factory=list)
    slides: list[tuple[int, int, Array, Array, Array, int]] = field(default_factory=list)
    distances: list[tuple[int, int, Array, Array, int]] = field(default_factory=list)
    guides: list[tuple[int, Array, str]] = field(default_factory=list)
    alignments: list[tuple[int, int, Array]] = field(default_factory=list)
    arcs: list[tuple[int, int]] = field(default_factory=list)
    ties: list[Tied] = field(default_factory=list)
    functions: list[TimeFunction] = field(default_factory=list)
    # courses of bodies, by the numbers of the guides that hold these there
    courses: dict[int, Course] = field(default_factory=dict)
    # owner of each row: kind of list, index in it, name of the joint, guide or driver
    owners: list[tuple[str, int, str]] = field(default_factory=list)

    def layout(self, modes: tuple[int, ...], internals: tuple[int, ...] = ()) -> Layout:
        """Where the unknowns of bodies with so many modal coordinates, of these rows and of elements with internal ones
        lie."""
        counts = {kind: len(getattr(self, kind)) for kind in ROWS}
        return Layout(modes, len(self.guides), counts, internals)

    def function(self, f: TimeFunction) -> int:
        self.functions.append(f)
        return len(self.functions) - 1


class Between:
    """Appends rows between two bodies, or of a guide, to `Rows`: the `PairRows` of kinds of joints and drivers."""

    def __init__(
        self,
        rows: Rows,
        name: str,
        bodies: tuple[int, int],
        points: tuple[Array, Array] = (np.zeros(3), np.zeros(3)),
        of: str = "",
    ) -> None:
        """points: on the two bodies (m); of: the joint or guide that a driver drives."""
        self.name = name
        self._rows, self._bodies, self._points, self._of = rows, bodies, points, of

    def _add(self, kind: str, row: tuple[Any, ...]) -> None:
        made = getattr(self._rows, kind)
        self._rows.owners.append((kind, len(made), self.name))
        made.append(row)

    def point(self, on_i: Array, on_j: Array) -> None:
        self._add("points", (*self._bodies, on_i, on_j))

    def perpendicular(self, on_i: Array, on_j: Array) -> None:
        self._add("dots", (*self._bodies, on_i, np.zeros(3), on_j, -1, 0))

    def component(self, on_i: Array, on_j: Array, angle: TimeFunction) -> None:
        self._add("dots", (*self._bodies, on_i, np.zeros(3), on_j, self._rows.function(angle), 1))

    def turned(
        self, sine: Array, cosine: Array, on_j: Array, angle: TimeFunction, *, back: bool = False
    ) -> None:
        bodies = self._bodies[::-1] if back else self._bodies
        self._add("dots", (*bodies, sine, cosine, on_j, self._rows.function(angle), 0))

    def slide(self, along_i: Array, travel: TimeFunction | None = None) -> None:
        function = -1 if travel is None else self._rows.function(travel)
        self._add("slides", (*self._bodies, along_i, *self._points, function))

    def distance(self, length: TimeFunction) -> None:
        self._add("distances", (*self._bodies, *self._points, self._rows.function(length)))

    def follow(self, length: TimeFunction) -> None:
        self._rows.functions[self._rows.distances[self._of_kind("distances")][4]] = length

    def arc(self, travel: TimeFunction) -> None:
        guides = [owner for kind, _, owner in self._rows.owners if kind == "guides"]
        self._add("arcs", (guides.index(self._of), self._rows.function(travel)))

    def _of_kind(self, wanted: str) -> int:
        return next(k for kind, k, owner in self._rows.owners if kind == wanted and owner == self._of)


class Pose:
    """Drawn positions and rotation matrices, the ground included (index nb)."""

    def __init__(self, flat: Flat) -> None:
        self.nb = len(flat.bodies)
        self.r = np.vstack([*flat.position, np.zeros(3)])
        self.A = np.concatenate([rotation_matrix(np.array(flat.orientation)), np.eye(3)[None]])

    def index(self, local: Local) -> int:
        return self.nb if local.body < 0 else local.body

    def world(self, body: int, s: Array) -> Array:
        out: Array = self.r[body] + self.A[body] @ s
        return out


def joint_geometries(joints: Iterable[Placed[Joint]], pose: Pose) -> dict[str, JointGeometry]:
    """The geometry of joints by their names. Raises InputError that says which joint."""
    found = {}
    for placed in joints:
        with located(placed.where):
            found[placed.name] = joint_geometry(placed, pose)
    return found


def joint_geometry(placed: Placed[Joint], pose: Pose) -> JointGeometry:
    """Indices, points and axes of a joint in the axes of its bodies."""
    joint = placed.element
    li, lj = placed.bodies[joint.body_i], placed.bodies[joint.body_j]
    i, j = pose.index(li), pose.index(lj)
    if i == j:
        raise InputError(f"Joint '{placed.name}' joins a body to itself; name two different bodies.")
    axis_i = li.direction(joint.axis_i) if joint.axis_i is not None else np.array([0.0, 0.0, 1.0])
    f, g, a = perpendicular(axis_i)
    relative = pose.A[i].T @ pose.A[j]
    a_j = lj.direction(joint.axis_j) if joint.axis_j is not None else relative.T @ a
    a_j = a_j / np.linalg.norm(a_j)
    f_j = relative.T @ f
    if joint.type.axes == "parallel":
        f_j = f_j - (f_j @ a_j) * a_j
        size = float(np.linalg.norm(f_j))
        if size < 1e-3:
            raise InputError(
                f"Joint '{placed.name}': its axes stand at right angles as drawn; align axis_i and axis_j."
            )
        f_j = f_j / size
    point_i, point_j = li.point(joint.point_i), lj.point(joint.point_j)
    there = pose.world(j, point_j)
    return JointGeometry(
        placed.name, joint.kind, i, j, point_i, point_j, f, g, a, f_j, a_j, relative, li.rotation, lj.rotation,
        drawn=pose.A[i].T @ (there - pose.r[i]), gap=there - pose.world(i, point_i), turn=pose.A[i],
    )  # fmt: skip


def add_joint(rows: Rows, placed: Placed[Joint], geo: JointGeometry) -> None:
    """Append the rows of a joint."""
    joint = placed.element
    joint.held.rows(joint, geo, Between(rows, geo.name, (geo.i, geo.j), (geo.point_i, geo.point_j)))


def add_guide(rows: Rows, placed: Placed[Guide]) -> None:
    """Append the rows of a path constraint (Viegas 2016, eqs. 2.20, 2.26, 2.37)."""
    guide = placed.element
    local = placed.bodies[guide.body]
    index = len(rows.guides)
    rows.owners.append(("guides", index, placed.name))
    rows.guides.append((local.body, local.point(guide.point), guide.path))
    xi, zeta = local.direction((1.0, 0.0, 0.0)), local.direction((0.0, 0.0, 1.0))
    frame: list[tuple[int, Array]] = []
    if guide.kind in ("cylindrical", "full"):
        frame += [(0, xi), (1, xi)]
    if guide.kind == "full":
        frame.append((0, zeta))
    for vec, u in frame:
        rows.owners.append(("alignments", len(rows.alignments), placed.name))
        rows.alignments.append((index, vec, u))


def add_course(rows: Rows, body: int, course: Course) -> None:
    """Append the rows that hold a body on a course: a full guide along it, driven by the time."""
    index, name = len(rows.guides), course.path.name
    rows.courses[index] = course
    rows.owners.append(("guides", index, name))
    rows.guides.append((body, np.zeros(3), name))
    xi, _, zeta = np.eye(3)
    for vec, u in ((0, xi), (1, xi), (0, zeta)):
        rows.owners.append(("alignments", len(rows.alignments), name))
        rows.alignments.append((index, vec, u))
    rows.owners.append(("arcs", len(rows.arcs), IN_TIME.format(name)))
    rows.arcs.append((index, rows.function(AnalyticFunction(offset=-course.begin, rate=1.0))))


def add_driver(
    rows: Rows,
    placed: Placed[Driver],
    joints: dict[str, JointGeometry],
    guide_arc: dict[str, float],
    pose: Pose,
) -> None:
    """Append the row of a driving constraint. guide_arc: arc length (m) of each guide as drawn."""
    driver = placed.element
    target = placed.scope + driver.target
    drive = COORDINATES[driver.coordinate].drive
    if driver.drives == "joint":
        geo = joints[target]
        made = Between(rows, placed.name, (geo.i, geo.j), (geo.point_i, geo.point_j), target)
        drive(driver, geo, made)
    elif driver.drives == "guide":
        drive(driver, guide_arc[target], Between(rows, placed.name, (-1, -1), of=target))
    else:
        body = placed.bodies[driver.target].body
        drive(driver, Frame(pose.r[body], pose.A[body]), Between(rows, placed.name, (pose.nb, body)))
