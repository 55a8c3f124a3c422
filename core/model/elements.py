"""Force elements.

Points and axes are given in the frame of the body they belong to.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.base.frozen import Frozen, Name, Vec3
from core.model.functions import TimeFunction, constant

Positive = Annotated[float, Field(gt=0.0)]
NonNegative = Annotated[float, Field(ge=0.0)]


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
