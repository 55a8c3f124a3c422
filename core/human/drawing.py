"""A rider as it is drawn flat: silhouettes of its skin, and the fans of its joints' limits.

Any rider whose bodies have surfaces and whose joints have ranges of motion can be drawn, generated or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ridewright.core.base.frames import from_matrix, from_rotation_vector, rotation_matrix, rotation_vector
from ridewright.core.base.frozen import Vec3
from ridewright.core.model.assembly import Assembly
from ridewright.core.model.bodies import GROUND, Body
from ridewright.core.model.forces import type_of
from ridewright.core.model.joints import Joint
from ridewright.core.model.surfaces import Ellipsoid

Array = NDArray[np.float64]
Placed = tuple[Array, Array]  # position (3,) m and orientation (4,) of a body
STILL: Placed = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
#: The flat views by name: the axes across and up, and the axis about which limits show as fans.
VIEWS: dict[str, tuple[int, int, int]] = {"Side": (0, 2, 1), "Front": (1, 2, 0), "Top": (0, 1, 2)}


@dataclass(frozen=True)
class Fan:
    """The limits of a joint about one axis of its first body.

    point (3,) m; zero, drawn (3,): unit directions to the second body's centre where this component is zero, and as
    drawn; turn (3, 3): axes of the first body; lower, upper, angle (rad): limits and the drawn angle.
    """

    joint: str
    element: str
    axis: int
    point: Array
    zero: Array
    drawn: Array
    turn: Array
    lower: float
    upper: float
    angle: float

    def direction(self, angle: float) -> Array:
        """Direction (3,) to the second body where the component has an angle (rad), the two others zero."""
        about = np.eye(3)[self.axis] * angle
        return np.asarray(self.turn @ rotation_matrix(from_rotation_vector(about)) @ self.turn.T @ self.zero)

    def edge(self, count: int = 24) -> Array:
        """Directions (count, 3) from the lower limit to the upper one."""
        return np.array([self.direction(a) for a in np.linspace(self.lower, self.upper, count)])

    @property
    def outside(self) -> bool:
        """Whether the drawn angle lies beyond a limit."""
        return not self.lower - 1e-9 <= self.angle <= self.upper + 1e-9


def silhouette(body: Body, across: int, up: int) -> list[tuple[Array, Array]]:
    """Centre (2,) m and half axes (2, 2), rows, of the outline of each ellipsoid of a body along the third axis."""
    A, found = rotation_matrix(body.orientation), []
    for surface in body.surfaces:
        if isinstance(surface, Ellipsoid):
            turned = A @ rotation_matrix(surface.orientation)
            shape = turned @ np.diag(np.square(surface.semi_axes)) @ turned.T
            flat = shape[np.ix_((across, up), (across, up))]
            squares, directions = np.linalg.eigh(flat)
            centre = np.array(body.position) + A @ surface.position
            found.append((centre[[across, up]], (directions * np.sqrt(squares)).T))
    return found


@dataclass(frozen=True)
class LimitedJoint:
    """A joint with a range of motion: the element that ends it, the orientation (3, 3) of the second body in the first
    at which the angles are zero, limits (rad) of their components, and which of these count."""

    joint: Joint
    element: str
    start: Array
    lower: Vec3
    upper: Vec3
    axes: tuple[int, ...]


def limited_joints(holder: Assembly) -> tuple[LimitedJoint, ...]:
    """The joints of a rider, or of a rig, that have a range of motion, between bodies of its own or the ground."""
    turned = {b.name: rotation_matrix(np.array(b.orientation)) for b in holder.bodies} | {GROUND: np.eye(3)}
    joints = {j.name: j for j in holder.joints}
    found = []
    for force in holder.forces:
        made = type_of(force)
        joint = joints.get(getattr(force, "joint", ""))
        if made is None or made.mark.kind != "fan" or not force.enabled or joint is None:
            continue
        if joint.body_i not in turned or joint.body_j not in turned:
            continue
        zero = getattr(force, "zero", None)
        start = turned[joint.body_i].T @ turned[joint.body_j] if zero is None else rotation_matrix(zero)
        axes = (1,) if joint.kind == "revolute" else (0, 1, 2)
        found.append(LimitedJoint(joint, force.name, start, force.lower, force.upper, axes))  # type: ignore[attr-defined]
    return tuple(found)


def fans(rider: Assembly, poses: dict[str, tuple[Array, Array]] | None = None) -> tuple[Fan, ...]:
    """The limits of all joints of a rider, three a ball joint and one a hinge.

    poses: position (3,) and orientation (4,) of bodies by name at another instant, in place of the drawn ones.
    """
    drawn = {b.name: (np.array(b.position), np.array(b.orientation)) for b in rider.bodies} | {GROUND: STILL}
    bodies = drawn | (poses or {})
    found = []
    for one in limited_joints(rider):
        found += _of_joint(one, bodies[one.joint.body_i], bodies[one.joint.body_j])
    return tuple(found)


def _of_joint(one: LimitedJoint, first: Placed, second: Placed) -> list[Fan]:
    point_i, point_j = np.array(one.joint.point_i), np.array(one.joint.point_j)
    A, B = rotation_matrix(first[1]), rotation_matrix(second[1])
    q = rotation_vector(from_matrix(A.T @ B @ one.start.T))
    reach = float(np.linalg.norm(point_j))
    if reach < 1e-6:
        return []
    return [
        Fan(
            one.joint.name, one.element, axis, first[0] + A @ point_i, A @ one.start @ (-point_j / reach),
            B @ (-point_j / reach), A, one.lower[axis], one.upper[axis], float(q[axis]),
        )
        for axis in one.axes
    ]  # fmt: skip
