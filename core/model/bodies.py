"""Rigid bodies, and the names that are reserved among theirs.

Points and axes are given in the frame of the body they belong to. The reserved body name "ground" is the world; inside
a rider the reserved name "seat" is the body the seat is fixed to, in the seat's frame.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field, field_validator

from core.base.frozen import Frozen, Name, Quat, Vec3

GROUND = "ground"
SEAT = "seat"
RESERVED_NAMES = (GROUND, SEAT)

# Below these a body is a slip of the keyboard, and its accelerations drown in rounding.
Mass = Annotated[float, Field(ge=1e-9)]
Moment = Annotated[float, Field(ge=1e-15)]


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
