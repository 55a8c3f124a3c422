"""Rigid bodies, and the names that are reserved among theirs.

Points and axes are given in the frame of the body they belong to. The reserved body name "ground" is the world; inside
a rider the reserved name "seat" is the body the seat is fixed to, in the seat's frame.
"""

from __future__ import annotations

import operator
from typing import Annotated, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from ..base.arrays import Array
from ..base.fields import AXES, described
from ..base.frozen import Frozen, Name, Quat, Vec3, unit_quaternion
from .surfaces import Surface, check_names

GROUND = "ground"
SEAT = "seat"
RESERVED_NAMES = (GROUND, SEAT)

# Below these a body is a slip of the keyboard, and its accelerations drown in rounding.
MIN_MASS, MIN_MOMENT = 1e-9, 1e-15  # kg, kg m^2
Mass = Annotated[float, Field(ge=MIN_MASS)]
Moment = Annotated[float, Field(ge=MIN_MOMENT)]


class Body(Frozen):
    """A rigid body: its frame (xi forward, eta left, zeta up) sits at the centre of mass, on principal axes unless it
    has products of inertia.

    position and orientation (Euler parameters e0..e3, normalised on reading) are in the frame of the assembly, as is
    the velocity; angular_velocity is in the body frame.
    """

    name: Name = described(..., "Name", "What the body is called; references to it follow.")
    mass: Mass = described(..., "Mass", "Mass of the rigid body.", unit="kg")
    inertia: tuple[Moment, Moment, Moment] = described(
        ...,
        "Moments of inertia",
        "About the body's own axes: forward, left, up. No principal one may exceed the sum of the others.",
        unit="kg m^2",
        axes=AXES,
    )
    products: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Products of inertia",
        "Mass integrals of forward times left, forward times up, left times up: the tensor has them with minus.",
        unit="kg m^2",
        axes=("ξη", "ξζ", "ηζ"),
    )
    position: Vec3 = described(
        ...,
        "Centre of mass",
        "As drawn: x forward, y left, z up from the rail plane (a rider's: from the seat).",
        unit="m",
    )
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0),
        "Orientation",
        "Yaw, then pitch, then roll from the axes of the car to those of the body.",
        unit="1",
    )
    velocity: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Initial velocity",
        "Used by rigs; on a track everything starts with the train.",
        unit="m/s",
    )
    angular_velocity: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Initial angular velocity",
        "About the body's own axes; used by rigs.",
        unit="rad/s",
        axes=AXES,
    )
    part: str = described("", "Part", "What the body stands for, or where its numbers come from.")
    surfaces: tuple[Surface, ...] = described(
        (), "Surfaces", "What touches, and the skin that is drawn.", exclude_if=operator.not_
    )

    @field_validator("name")
    @classmethod
    def _not_reserved(cls, value: str) -> str:
        if value in RESERVED_NAMES:
            raise ValueError(f"'{value}' is reserved; choose another body name")
        return value

    _unit = field_validator("orientation")(unit_quaternion)
    _named = field_validator("surfaces")(check_names)

    @model_validator(mode="after")
    def _has_mass_everywhere(self) -> Body:
        if any(self.products) and self.principal_moments()[0] <= 0.0:
            raise ValueError(
                f"the products of inertia of '{self.name}' are larger than its moments allow: the smallest principal"
                f" moment would be {self.principal_moments()[0]:.3g} kg m^2"
            )
        return self

    def denser(self, by: float) -> Self:
        """The same body, so many times as heavy all over."""
        update = {
            "mass": self.mass * by,
            "inertia": tuple(m * by for m in self.inertia),
            "products": tuple(m * by for m in self.products),
        }
        return self.model_copy(update=update)

    def inertia_tensor(self) -> Array:
        """Inertia tensor (3, 3), kg m^2, about the centre of mass in the body's axes."""
        xy, xz, yz = self.products
        out: Array = np.diag(np.array(self.inertia))
        out -= np.array([[0.0, xy, xz], [xy, 0.0, yz], [xz, yz, 0.0]])
        return out

    def principal_moments(self) -> tuple[float, float, float]:
        """Principal moments of inertia (kg m^2), rising."""
        if not any(self.products):
            a, b, c = sorted(self.inertia)
        else:
            a, b, c = np.linalg.eigvalsh(self.inertia_tensor()).tolist()
        return a, b, c

    def triangle_defect(self) -> float:
        """How far the moments miss the triangle rule I1 + I2 >= I3 (kg m^2, 0 when they keep it)."""
        a, b, c = self.principal_moments()
        return max(0.0, c - a - b)
