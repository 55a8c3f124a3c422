"""What a mechanism is made of: bodies, joints, path guides, drivers and force elements.

Points and axes are given in the frame of the body they belong to. The reserved body name "ground" is the
world; inside an occupant the reserved name "seat" is the body the seat is fixed to, in the seat's frame.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.base.frozen import Frozen, Name, Quat, Vec3
from core.model.forces import Force
from core.model.forces.air_drag import AirDrag
from core.model.forces.force import AppliedForce
from core.model.forces.joint_stop import JointStop
from core.model.forces.rolling_resistance import RollingResistance
from core.model.forces.rotational_spring import RotationalSpring
from core.model.forces.spring import SpringDamper
from core.model.forces.torque import AppliedTorque
from core.model.functions import TimeFunction

# for those who still look for the force elements here
__all__ = [
    "GROUND", "NEEDS_AXES", "RESERVED_NAMES", "SEAT", "AirDrag", "AppliedForce", "AppliedTorque", "Body", "Driver",
    "Force", "Guide", "Joint", "JointKind", "JointStop", "RollingResistance", "RotationalSpring", "SpringDamper",
    "unit_quaternion",
]  # fmt: skip
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
