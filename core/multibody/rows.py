"""Joints, guides and drivers lowered to constraint rows of a few elementary kinds.

Each joint becomes coincident points, perpendicular directions and distances along a direction (Nikravesh 1988,
ch. 7; Haug 1989, ch. 9), written so that body i and body j may be the ground. What is "as drawn" is measured in
the pose in which the assembly is described, before any assembly correction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..base.arrays import Array
from ..base.errors import InputError
from ..base.frames import perpendicular, rotation_matrix
from ..model.drivers import Driver
from ..model.functions import AnalyticFunction, TimeFunction, constant
from ..model.guides import Guide
from ..model.joints import Joint
from .flatten import Flat, Local, Placed
from .layout import ROWS, Layout

STEEPEST = 1.5  # rad, of a driven pitch


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


@dataclass(frozen=True)
class JointGeometry:
    """A joint in body axes: bodies, points, and a triad (f, g, a) on i with f_j on j as drawn."""

    name: str
    kind: str
    i: int
    j: int
    point_i: Array
    point_j: Array
    f: Array
    g: Array
    a: Array
    f_j: Array
    a_j: Array
    relative: Array  # drawn A_i^T A_j
    axes_i: Array  # of what the joint's first body names, in the axes of body i; a seat may be turned
    axes_j: Array


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
    if joint.kind in ("revolute", "cylindrical", "prismatic"):
        f_j = f_j - (f_j @ a_j) * a_j
        size = float(np.linalg.norm(f_j))
        if size < 1e-3:
            raise InputError(
                f"Joint '{placed.name}': its axes stand at right angles as drawn; align axis_i and axis_j."
            )
        f_j = f_j / size
    return JointGeometry(
        placed.name,
        joint.kind,
        i,
        j,
        li.point(joint.point_i),
        lj.point(joint.point_j),
        f,
        g,
        a,
        f_j,
        a_j,
        relative,
        li.rotation,
        lj.rotation,
    )


def add_joint(rows: Rows, placed: Placed[Joint], geo: JointGeometry, pose: Pose) -> None:
    """Append the rows of a joint."""
    joint = placed.element
    kind = "rigid" if joint.locked and joint.kind != "distance" else joint.kind
    i, j, name = geo.i, geo.j, geo.name

    def point(s_i: Array, s_j: Array) -> None:
        rows.owners.append(("points", len(rows.points), name))
        rows.points.append((i, j, s_i, s_j))

    def dot(a: Array, b: Array) -> None:
        rows.owners.append(("dots", len(rows.dots), name))
        rows.dots.append((i, j, a, np.zeros(3), b, -1, 0))

    def slide(a: Array) -> None:
        rows.owners.append(("slides", len(rows.slides), name))
        rows.slides.append((i, j, a, geo.point_i, geo.point_j, -1))

    match kind:
        case "rigid":
            # the drawn relative pose: body j's joint point, wherever it is drawn, stays put in body i
            drawn = pose.A[i].T @ (pose.world(j, geo.point_j) - pose.r[i])
            point(drawn, geo.point_j)
            turn = geo.relative.T
            for u, v in ((0, 1), (1, 2), (2, 0)):
                dot(np.eye(3)[u], turn @ np.eye(3)[v])
        case "spherical":
            point(geo.point_i, geo.point_j)
        case "revolute":
            point(geo.point_i, geo.point_j)
            dot(geo.f, geo.a_j)
            dot(geo.g, geo.a_j)
        case "universal":
            point(geo.point_i, geo.point_j)
            dot(geo.a, geo.a_j)
        case "cylindrical" | "prismatic":
            dot(geo.f, geo.a_j)
            dot(geo.g, geo.a_j)
            if kind == "prismatic":
                dot(geo.f, np.cross(geo.a_j, geo.f_j))
            slide(geo.f)
            slide(geo.g)
        case "distance":
            drawn_length = float(np.linalg.norm(pose.world(j, geo.point_j) - pose.world(i, geo.point_i)))
            length = joint.length if joint.length is not None else drawn_length
            if length < 1e-9:
                raise InputError(
                    f"Joint '{name}': the points of a distance joint coincide; use a spherical joint or set a length."
                )
            rows.owners.append(("distances", len(rows.distances), name))
            rows.distances.append((i, j, geo.point_i, geo.point_j, rows.function(constant(length))))


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


def _shifted(f: TimeFunction, by: float) -> TimeFunction:
    """f + by."""
    if isinstance(f, AnalyticFunction):
        return f.model_copy(update={"offset": f.offset + by})
    return f.model_copy(update={"values": tuple(v + by for v in f.values)})


def add_driver(
    rows: Rows,
    placed: Placed[Driver],
    joints: dict[str, JointGeometry],
    guide_arc: dict[str, float],
    pose: Pose,
) -> None:
    """Append the row of a driving constraint. guide_arc: arc length (m) of each guide as drawn."""
    d = placed.element
    name = placed.name
    target = placed.scope + d.target
    match d.coordinate:
        case "angle" | "angle_j":
            geo = joints[target]
            if d.coordinate == "angle_j" or geo.kind == "universal":
                _universal_driver(rows, name, geo, d)
                return
            rows.owners.append(("dots", len(rows.dots), name))
            rows.dots.append((geo.i, geo.j, geo.g, geo.f, geo.f_j, rows.function(d.function), 0))
        case "slide":
            geo = joints[target]
            drawn = pose.A[geo.i].T @ (pose.world(geo.j, geo.point_j) - pose.world(geo.i, geo.point_i))
            fn = rows.function(_shifted(d.function, float(geo.a @ drawn) if d.relative else 0.0))
            rows.owners.append(("slides", len(rows.slides), name))
            rows.slides.append((geo.i, geo.j, geo.a, geo.point_i, geo.point_j, fn))
        case "length":
            at = next(k for kind, k, owner in rows.owners if kind == "distances" and owner == target)
            rows.functions[rows.distances[at][4]] = d.function
        case "arc_length":
            index = [owner for kind, _, owner in rows.owners if kind == "guides"].index(target)
            fn = rows.function(_shifted(d.function, guide_arc[target] if d.relative else 0.0))
            rows.owners.append(("arcs", len(rows.arcs), name))
            rows.arcs.append((index, fn))
        case "x" | "y" | "z":
            axis = np.eye(3)["xyz".index(d.coordinate)]
            body = placed.bodies[d.target].body
            fn = rows.function(_shifted(d.function, float(axis @ pose.r[body]) if d.relative else 0.0))
            rows.owners.append(("slides", len(rows.slides), name))
            rows.slides.append((pose.nb, body, axis, np.zeros(3), np.zeros(3), fn))
        case "roll" | "pitch" | "yaw":
            _attitude_driver(rows, name, placed.bodies[d.target].body, d, pose)


def _attitude_driver(rows: Rows, name: str, body: int, d: Driver, pose: Pose) -> None:
    """Drive one of the angles that turn the world's axes into the body's: yaw about z, pitch about y, roll about x.

    With the body's axes xi, eta, zeta in the world: tan yaw = xi_y / xi_x, sin pitch = -xi_z,
    tan roll = eta_z / zeta_z.
    """
    x, y, z = np.eye(3)
    A = pose.A[body]
    drawn = {
        "yaw": float(np.arctan2(A[1, 0], A[0, 0])),
        "pitch": float(np.arcsin(np.clip(-A[2, 0], -1.0, 1.0))),
        "roll": float(np.arctan2(A[2, 1], A[2, 2])),
    }[d.coordinate]
    function = _shifted(d.function, drawn if d.relative else 0.0)
    if d.coordinate == "pitch" and _reach(function) > STEEPEST:
        raise InputError(
            f"Driver '{name}' pitches a body by more than {STEEPEST} rad, where roll and yaw are one; give smaller"
            " values, or turn the body about another axis."
        )
    fn = rows.function(function)
    rows.owners.append(("dots", len(rows.dots), name))
    if d.coordinate == "yaw":
        rows.dots.append((pose.nb, body, y, x, x, fn, 0))
    elif d.coordinate == "roll":
        rows.dots.append((body, pose.nb, y, z, z, fn, 0))
    else:
        rows.dots.append((pose.nb, body, -z, np.zeros(3), x, fn, 1))


def _reach(f: TimeFunction) -> float:
    """What the size of f stays below at all times."""
    if not isinstance(f, AnalyticFunction):
        return max(abs(value) for value in f.values)
    endless = f.rate != 0.0 or f.half_acceleration != 0.0
    return np.inf if endless else abs(f.offset) + sum(abs(h.amplitude) for h in f.harmonics)


def _universal_driver(rows: Rows, name: str, geo: JointGeometry, d: Driver) -> None:
    """Drive the turn of the cross about the arm on i (`angle`) or of the arm on i about the arm on j."""
    if d.coordinate == "angle":
        # the arm on j is always perpendicular to the arm on i: it turns about it
        drawn = geo.relative @ geo.a_j
        f = drawn - (drawn @ geo.a) * geo.a
        f /= np.linalg.norm(f)
        entry = (geo.i, geo.j, np.cross(geo.a, f), f, geo.a_j)
    else:
        drawn = geo.relative.T @ geo.a
        f = drawn - (drawn @ geo.a_j) * geo.a_j
        f /= np.linalg.norm(f)
        entry = (geo.j, geo.i, np.cross(geo.a_j, f), f, geo.a)
    rows.owners.append(("dots", len(rows.dots), name))
    rows.dots.append((*entry, rows.function(d.function), 0))
