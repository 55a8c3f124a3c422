"""What a mechanism is made of: bodies, joints, path guides, drivers and force elements.

Points and axes are given in the frame of the body they belong to. The reserved body name "ground" is the
world; inside an occupant the reserved name "seat" is the body the seat is fixed to, in the seat's frame.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.base.frozen import Frozen, Name, Quat, Vec3
from core.model.functions import TimeFunction, constant

GROUND = "ground"
SEAT = "seat"
RESERVED_NAMES = (GROUND, SEAT)

Positive = Annotated[float, Field(gt=0.0)]
# Below these a body is a slip of the keyboard, and its accelerations drown in rounding.
Mass = Annotated[float, Field(ge=1e-9)]
Moment = Annotated[float, Field(ge=1e-15)]
NonNegative = Annotated[float, Field(ge=0.0)]


def _direction(value: Vec3 | None) -> Vec3 | None:
    if value is not None and math.hypot(*value) < 1e-9:
        raise ValueError("the axis has no length; give a direction such as [0, 1, 0]")
    return value


def unit_quaternion(value: Quat) -> Quat:
    """Euler parameters scaled to unit length; raises ValueError when they have none."""
    norm = math.hypot(*value)
    if norm < 1e-6:
        raise ValueError("Euler parameters have no length; [1, 0, 0, 0] means unrotated")
    e0, e1, e2, e3 = (c / norm for c in value)
    return (e0, e1, e2, e3)


class Body(Frozen):
    """A rigid body: its frame (xi forward, eta left, zeta up) sits at the centre of mass on principal axes.

    mass in kg, inertia = principal moments (xi, eta, zeta) in kg m^2; position (m) and orientation (Euler
    parameters e0..e3, normalised on reading) in the frame of the assembly; velocity (m/s, assembly frame)
    and angular_velocity (rad/s, body frame) are initial values used by rigs.
    """

    name: Name
    mass: Mass
    inertia: tuple[Moment, Moment, Moment]
    position: Vec3
    orientation: Quat = (1.0, 0.0, 0.0, 0.0)
    velocity: Vec3 = (0.0, 0.0, 0.0)
    angular_velocity: Vec3 = (0.0, 0.0, 0.0)
    part: str = ""

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, value: str) -> str:
        if value in RESERVED_NAMES:
            raise ValueError(f"'{value}' is reserved; choose another body name")
        return value

    _unit = field_validator("orientation")(unit_quaternion)

    def triangle_defect(self) -> float:
        """How far the moments miss the triangle rule I1 + I2 >= I3 (kg m^2, 0 when they keep it)."""
        a, b, c = sorted(self.inertia)
        return max(0.0, c - a - b)


JointKind = Literal["rigid", "revolute", "prismatic", "cylindrical", "universal", "spherical", "distance"]
NEEDS_AXES = ("revolute", "prismatic", "cylindrical", "universal")


class Joint(Frozen):
    """A kinematic joint between body_i and body_j.

    point_i, point_j: the joint's point in each body (m). axis_i, axis_j: its direction in each body, for the
    kinds that have one; for a universal joint the two arms of the cross. A rigid joint, and the locked
    rotation of a prismatic joint, hold the relative pose in which the assembly is drawn. `length` (m) of a
    distance joint defaults to the drawn distance. `locked` holds the joint rigid in the drawn pose.
    """

    name: Name
    kind: JointKind
    body_i: str
    body_j: str
    point_i: Vec3 = (0.0, 0.0, 0.0)
    point_j: Vec3 = (0.0, 0.0, 0.0)
    axis_i: Vec3 | None = None
    axis_j: Vec3 | None = None
    length: Positive | None = None
    locked: bool = False

    _axes = field_validator("axis_i", "axis_j")(_direction)

    @model_validator(mode="after")
    def _complete(self) -> Joint:
        if self.body_i == self.body_j:
            raise ValueError(f"joins '{self.body_i}' to itself; name two different bodies")
        if self.kind in NEEDS_AXES and (self.axis_i is None or self.axis_j is None):
            raise ValueError(f"is {self.kind} and needs axis_i and axis_j")
        if self.length is not None and self.kind != "distance":
            raise ValueError(f"is {self.kind} and has no length; only a distance joint has one")
        return self


class Guide(Frozen):
    """A path constraint: a point of a body follows a curve of the track with its own arc length.

    kind "point" prescribes the translation only, "cylindrical" also pitch and yaw (the body's xi axis keeps
    its place in the moving frame), "full" all rotations (Viegas 2016, 2.2.2-2.2.4).
    """

    name: Name
    kind: Literal["point", "cylindrical", "full"] = "point"
    body: str
    point: Vec3 = (0.0, 0.0, 0.0)
    path: Literal["left_rail", "right_rail", "centreline"] = "centreline"


class Driver(Frozen):
    """A driving constraint: one coordinate follows a function of time (or starts at its drawn value).

    target is the name of a joint (coordinate "angle" about its axis, "angle_j" about the second arm of a
    universal joint, "slide" along it, "length" of a distance joint), of a guide ("arc_length"), or of a body
    ("x", "y", "z" of its centre of mass). Angles, slides, arc lengths and body coordinates are counted from
    the drawn pose when `relative`, else from zero; lengths are absolute.
    """

    name: Name
    target: str
    coordinate: Literal["angle", "angle_j", "slide", "length", "arc_length", "x", "y", "z"]
    function: TimeFunction
    relative: bool = True


class SpringDamper(Frozen):
    """Translational spring-damper: pulls with k (l - l0) + c dl/dt along the line of its two points.

    stiffness N/m, damping N s/m, free_length m. `curve` replaces k (l - l0) by a smooth curve through pairs
    (extension m, force N) in rising order; outside, it goes on with the end slopes.
    """

    kind: Literal["spring"] = "spring"
    name: Name
    body_i: str
    body_j: str
    point_i: Vec3 = (0.0, 0.0, 0.0)
    point_j: Vec3 = (0.0, 0.0, 0.0)
    stiffness: NonNegative = 0.0
    damping: NonNegative = 0.0
    free_length: NonNegative = 0.0
    curve: tuple[tuple[float, float], ...] = ()
    enabled: bool = True

    @field_validator("curve")
    @classmethod
    def _rising(cls, value: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if len(value) == 1 or any(b[0] <= a[0] for a, b in pairwise(value)):
            raise ValueError("needs two or more pairs (extension, force) with rising extension")
        return value


class RotationalSpring(Frozen):
    """Rotational spring-damper in a joint: about its axis, or in all directions of a spherical joint.

    stiffness N m/rad, damping N m s/rad, free_angle rad from the drawn pose (about the axis only).
    """

    kind: Literal["rotational_spring"] = "rotational_spring"
    name: Name
    joint: str
    stiffness: NonNegative = 0.0
    damping: NonNegative = 0.0
    free_angle: float = 0.0
    enabled: bool = True


class JointStop(Frozen):
    """Progressive end stop of a revolute, cylindrical or prismatic joint.

    lower and upper (rad or m) are counted from the drawn pose. Beyond them acts
    stiffness * depth^exponent * (1 + damping * rate of depth), never pulling; damping in s/rad or s/m.
    """

    kind: Literal["joint_stop"] = "joint_stop"
    name: Name
    joint: str
    lower: float
    upper: float
    stiffness: Positive
    exponent: Annotated[float, Field(ge=1.0, le=4.0)] = 1.5
    damping: NonNegative = 0.0
    enabled: bool = True

    @model_validator(mode="after")
    def _ordered(self) -> JointStop:
        if self.upper <= self.lower:
            raise ValueError(f"upper ({self.upper}) must be larger than lower ({self.lower})")
        return self


class AppliedForce(Frozen):
    """A force (N) on a point of a body, each component a function of time, in world or body axes."""

    kind: Literal["force"] = "force"
    name: Name
    body: str
    point: Vec3 = (0.0, 0.0, 0.0)
    components: tuple[TimeFunction, TimeFunction, TimeFunction] = (constant(0), constant(0), constant(0))
    axes: Literal["world", "body"] = "world"
    enabled: bool = True


class AppliedTorque(Frozen):
    """A torque (N m) on a body, each component a function of time, in world or body axes."""

    kind: Literal["torque"] = "torque"
    name: Name
    body: str
    components: tuple[TimeFunction, TimeFunction, TimeFunction] = (constant(0), constant(0), constant(0))
    axes: Literal["world", "body"] = "world"
    enabled: bool = True


class AirDrag(Frozen):
    """Air drag -1/2 rho Cd A |v| v at the centre of mass of a body; density kg/m^3, drag_area Cd A in m^2."""

    kind: Literal["air_drag"] = "air_drag"
    name: Name
    body: str
    drag_area: NonNegative = 0.0
    density: NonNegative = 1.225
    enabled: bool = True


class RollingResistance(Frozen):
    """Rolling resistance of a guide: coefficient times the force between body and path, against the motion.

    Between standstill and `transition_speed` (m/s) the force grows smoothly, so that a stop is no kink.
    """

    kind: Literal["rolling_resistance"] = "rolling_resistance"
    name: Name
    guide: str
    coefficient: NonNegative = 0.0
    transition_speed: Positive = 0.05
    enabled: bool = True


Force = Annotated[
    SpringDamper | RotationalSpring | JointStop | AppliedForce | AppliedTorque | AirDrag | RollingResistance,
    Field(discriminator="kind"),
]
