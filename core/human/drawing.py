"""A rider as it is drawn flat: silhouettes of its skin, and the fans of its joints' limits.

Any rider whose bodies have surfaces and whose joints have ranges of motion can be drawn, generated or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.base.frames import from_matrix, from_rotation_vector, rotation_matrix, rotation_vector
from core.model.assembly import Assembly
from core.model.bodies import GROUND, Body
from core.model.forces import ForceElement, type_of
from core.model.joints import Joint
from core.model.surfaces import Ellipsoid

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


def fans(rider: Assembly, poses: dict[str, tuple[Array, Array]] | None = None) -> tuple[Fan, ...]:
    """The limits of all joints of a rider, three a ball joint and one a hinge.

    poses: position (3,) and orientation (4,) of bodies by name at another instant, in place of the drawn ones.
    """
    drawn = {b.name: (np.array(b.position), np.array(b.orientation)) for b in rider.bodies} | {GROUND: STILL}
    bodies = drawn | (poses or {})
    joints = {j.name: j for j in rider.joints}
    found = []
    for force in rider.forces:
        made = type_of(force)
        if made is None or made.mark.kind != "fan" or not force.enabled:
            continue
        joint = joints.get(getattr(force, "joint", ""))
        if joint is None or joint.body_i not in bodies or joint.body_j not in bodies:
            continue
        ends = (bodies[joint.body_i], bodies[joint.body_j]), (drawn[joint.body_i], drawn[joint.body_j])
        found += _of_joint(force, joint, *ends)
    return tuple(found)


def _of_joint(
    force: ForceElement,
    joint: Joint,
    now: tuple[Placed, Placed],
    drawn: tuple[Placed, Placed],
) -> list[Fan]:
    first, second = now
    point_i, point_j = np.array(joint.point_i), np.array(joint.point_j)
    A, B = rotation_matrix(first[1]), rotation_matrix(second[1])
    zero = getattr(force, "zero", None)
    if zero is None:
        start: Array = rotation_matrix(drawn[0][1]).T @ rotation_matrix(drawn[1][1])
    else:
        start = rotation_matrix(zero)
    q = rotation_vector(from_matrix(A.T @ B @ start.T))
    reach = float(np.linalg.norm(point_j))
    if reach < 1e-6:
        return []
    axes = (1,) if joint.kind == "revolute" else (0, 1, 2)
    return [
        Fan(
            joint.name, force.name, axis, first[0] + A @ point_i, A @ start @ (-point_j / reach),
            B @ (-point_j / reach), A, force.lower[axis], force.upper[axis], float(q[axis]),  # type: ignore[attr-defined]
        )
        for axis in axes
    ]  # fmt: skip
