"""A rider as it is drawn flat: silhouettes of its skin, and the fans of its joints' limits.

Any rider whose bodies have surfaces and whose joints have ranges of motion can be drawn, generated or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.arrays import Array
from ..base.frames import from_rotation_vector, rotation_matrix
from ..base.frozen import Vec3
from ..model.assembly import Assembly
from ..model.bodies import GROUND, Body
from ..model.forces import type_of
from ..model.joints import Joint
from ..model.surfaces import Ellipsoid

Placed = tuple[Array, Array]  # position (3,) m and orientation (4,) of a body
STILL: Placed = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])
CENTRED = 1e-6  # m from the second body's centre, within which a joint has no direction to it
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

    def direction(self, angle: float | Array) -> Array:
        """Direction (..., 3) to the second body where the component has an angle (...) rad, the two others zero."""
        about = np.eye(3)[self.axis] * np.asarray(angle, dtype=np.float64)[..., None]
        return np.asarray(
            rotation_matrix(from_rotation_vector(about)) @ (self.turn.T @ self.zero) @ self.turn.T
        )

    def edge(self, count: int = 24) -> Array:
        """Directions (count, 3) from the lower limit to the upper one."""
        return self.direction(np.linspace(self.lower, self.upper, count))

    @property
    def outside(self) -> bool:
        """Whether the drawn angle lies beyond a limit."""
        return not self.lower - 1e-9 <= self.angle <= self.upper + 1e-9


def inertia_half_axes(body: Body) -> Array:
    """Half axes (3,) m of the solid ellipsoid with the mass and moments of inertia of a body."""
    i = np.array(body.inertia)
    squares = 2.5 * (i.sum() - 2.0 * i) / body.mass
    half: Array = np.sqrt(np.maximum(squares, 1e-6))
    return half


def _skin_of(body: Body) -> list[Ellipsoid]:
    """The ellipsoids of a body; of one that has none that of its moments of inertia."""
    own = [s for s in body.surfaces if isinstance(s, Ellipsoid)]
    axes = tuple(inertia_half_axes(body).tolist())
    return own or [Ellipsoid(name=body.name, position=(0.0, 0.0, 0.0), semi_axes=axes)]


def silhouettes(bodies: Sequence[Body], across: int, up: int) -> list[list[tuple[Array, Array]]]:
    """Outlines of bodies as seen along an axis.

    Parameters
    ----------
    bodies
        A body without ellipsoids is drawn as the solid one with its moments of inertia.
    across, up
        Numbers of the axes that are drawn.

    Returns
    -------
    Of each body the centre (2,) m and half axes (2, 2), rows, of the outline of each of its ellipsoids along the
    third axis.
    """
    skin = [(k, s) for k, body in enumerate(bodies) for s in _skin_of(body)]
    found: list[list[tuple[Array, Array]]] = [[] for _ in bodies]
    if not skin:
        return found
    A = rotation_matrix([bodies[k].orientation for k, _ in skin])
    turned = A @ rotation_matrix([s.orientation for _, s in skin])
    half = turned * np.array([s.semi_axes for _, s in skin])[:, None, :]
    flat = half[:, (across, up), :]
    squares, directions = np.linalg.eigh(flat @ np.swapaxes(flat, 1, 2))
    axes = np.swapaxes(directions * np.sqrt(squares)[:, None, :], 1, 2)
    positions = np.array([s.position for _, s in skin])[:, :, None]
    centres = np.array([bodies[k].position for k, _ in skin]) + (A @ positions)[:, :, 0]
    for (k, _), centre, rows in zip(skin, centres[:, (across, up)], axes, strict=True):
        found[k].append((centre, rows))
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
    every = rotation_matrix(np.array([b.orientation for b in holder.bodies] or [(1.0, 0.0, 0.0, 0.0)]))
    turned = {b.name: turn for b, turn in zip(holder.bodies, every, strict=False)} | {GROUND: np.eye(3)}
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
        axes = (1,) if joint.type.acts_in == "angle" else (0, 1, 2)
        found.append(LimitedJoint(joint, force.name, start, force.lower, force.upper, axes))  # type: ignore[attr-defined]
    return tuple(found)


def fans(rider: Assembly, poses: dict[str, tuple[Array, Array]] | None = None) -> tuple[Fan, ...]:
    """The limits of all joints of a rider, three a ball joint and one a hinge.

    Parameters
    ----------
    rider
        As drawn.
    poses
        Position (3,) m and orientation (4,) of bodies by name at another instant, in place of the drawn ones.

    Returns
    -------
    The fans.
    """
    drawn = {b.name: (np.array(b.position), np.array(b.orientation)) for b in rider.bodies} | {GROUND: STILL}
    bodies = drawn | (poses or {})
    limited = [one for one in limited_joints(rider) if np.linalg.norm(one.joint.point_j) > CENTRED]
    if not limited:
        return ()
    from scipy.spatial.transform import Rotation  # by those who have such joints

    first, second = (
        [bodies[name] for name in names]
        for names in zip(*((one.joint.body_i, one.joint.body_j) for one in limited), strict=True)
    )
    A, B = (rotation_matrix([turn for _, turn in side]) for side in (first, second))
    start = np.array([one.start for one in limited])
    q = Rotation.from_matrix(np.swapaxes(A, 1, 2) @ B @ np.swapaxes(start, 1, 2)).as_rotvec()
    point = np.array([at for at, _ in first]) + _each(A, [one.joint.point_i for one in limited])
    towards = -np.array([one.joint.point_j for one in limited])
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    zero, now = _each(A @ start, towards), _each(B, towards)
    return tuple(
        Fan(
            one.joint.name, one.element, axis, point[k], zero[k], now[k], A[k], one.lower[axis], one.upper[axis],
            float(q[k, axis]),
        )
        for k, one in enumerate(limited)
        for axis in one.axes
    )  # fmt: skip


def _each(matrices: Array, vectors: ArrayLike) -> Array:
    """Each of the matrices (n, 3, 3) by its vector (n, 3)."""
    return np.asarray((matrices @ np.asarray(vectors, dtype=np.float64)[:, :, None])[:, :, 0])
