"""Surfaces: what touches, and the skin that is drawn. They belong to a body, or to the ground.

A surface lies in the axes of its body, from the centre of mass (those of the ground are world axes); xi, eta, zeta are
its own axes, by its orientation. Solids are closed, convex and touched from outside; a plane from the side that its
zeta axis points to.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal, Union

from pydantic import Field, ValidationInfo, field_validator

from ..base.fields import AXES, described
from ..base.frozen import Frozen, Name, Quat, Vec3, unit_quaternion
from ..base.sentence import say

MIN_SIZE = 1e-6  # m; less is a slip of the keyboard, and a surface without curvature or without extent


def _extent(value: float | Vec3 | None, info: ValidationInfo) -> float | Vec3 | None:
    sizes = () if value is None else (value,) if isinstance(value, float) else value
    if any(size < MIN_SIZE for size in sizes):
        name = info.data.get("name", "")
        raise ValueError(
            say(
                "{value} of surface '{name}' must be at least {min_size:g m}, found {sizes:g m}",
                value=str(info.field_name).replace("_", " "),
                name=name,
                min_size=MIN_SIZE,
                sizes=min(sizes),
            )
        )
    return value


class SurfaceBase(Frozen):
    """What all surfaces have; `kind` is a literal of each."""

    name: Name = described(..., "Name", "What the surface is called.")
    position: Vec3 = described(
        (0.0, 0.0, 0.0), "Position", "Of its centre, in the axes of the body, from its centre of mass.",
        unit="m", axes=AXES,
    )  # fmt: skip
    orientation: Quat = described(
        (1.0, 0.0, 0.0, 0.0),
        "Orientation",
        "Yaw, then pitch, then roll from the axes of the body to those of the surface.",
        unit="1",
    )

    _unit = field_validator("orientation")(unit_quaternion)


class Ellipsoid(SurfaceBase):
    """An ellipsoid about its position; semi_axes m along xi, eta, zeta."""

    kind: Literal["ellipsoid"] = "ellipsoid"
    semi_axes: Vec3 = described(..., "Semi-axes", "Half of its extent along each axis.", unit="m", axes=AXES)

    _some = field_validator("semi_axes")(_extent)


class Sphere(SurfaceBase):
    """A sphere about its position; radius m."""

    kind: Literal["sphere"] = "sphere"
    radius: float = described(..., "Radius", "Of the sphere.", unit="m")

    _some = field_validator("radius")(_extent)


class Capsule(SurfaceBase):
    """All points within `radius` m of a line of `length` m along zeta, its middle at the position.

    From end to end it is length + 2 radius long; with length 0 it is a sphere.
    """

    kind: Literal["capsule"] = "capsule"
    radius: float = described(..., "Radius", "Of its round and of its ends.", unit="m")
    length: Annotated[float, Field(ge=0.0)] = described(
        ..., "Length", "Between the centres of its ends, along ζ.", unit="m"
    )

    _some = field_validator("radius")(_extent)


class Cylinder(SurfaceBase):
    """A cylinder with flat ends along zeta, its middle at the position; radius and length m."""

    kind: Literal["cylinder"] = "cylinder"
    radius: float = described(..., "Radius", "Of its round.", unit="m")
    length: float = described(..., "Length", "From one flat end to the other, along ζ.", unit="m")

    _some = field_validator("radius", "length")(_extent)


class Box(SurfaceBase):
    """A box about its position; half_sizes m along xi, eta, zeta."""

    kind: Literal["box"] = "box"
    half_sizes: Vec3 = described(
        ..., "Half sizes", "Half of its extent along each axis.", unit="m", axes=AXES
    )

    _some = field_validator("half_sizes")(_extent)


class Plane(SurfaceBase):
    """A plane through its position, touched from the side of +zeta, solid on the other.

    half_length, half_width m along xi and eta, None for without end; depth m: how far below the plane it is solid, None
    for without end. What is pressed deeper than that ends a run: the contact was crushed through.
    """

    kind: Literal["plane"] = "plane"
    half_length: float | None = described(
        None, "Half length", "Half of its extent along ξ.", unit="m", empty="without end"
    )
    half_width: float | None = described(
        None, "Half width", "Half of its extent along η.", unit="m", empty="without end"
    )
    depth: float | None = described(
        None,
        "Depth",
        "How far below the plane it is solid; what is pressed deeper ends the run.",
        unit="m",
        empty="without end",
    )

    _some = field_validator("half_length", "half_width", "depth")(_extent)

    @property
    def normal(self) -> Vec3:
        """Its zeta axis (3,), unit length, in the axes of the body."""
        a, b, c, d = self.orientation
        return (2.0 * (b * d + a * c), 2.0 * (c * d - a * b), a * a - b * b - c * c + d * d)


Surface = Annotated[
    Union[Ellipsoid, Sphere, Capsule, Cylinder, Box, Plane],  # noqa: UP007
    Field(discriminator="kind"),
]
Solid = Ellipsoid | Sphere | Capsule | Cylinder | Box


def bounding_radius(surface: SurfaceBase) -> float:
    """Radius (m) of the smallest sphere about its position that holds a surface; infinite for a plane without end."""
    match surface:
        case Ellipsoid():
            return max(surface.semi_axes)
        case Sphere():
            return surface.radius
        case Capsule():
            return surface.radius + 0.5 * surface.length
        case Cylinder():
            return math.hypot(surface.radius, 0.5 * surface.length)
        case Box():
            return math.hypot(*surface.half_sizes)
        case Plane():
            return math.hypot(*(math.inf if x is None else x for x in (
                surface.half_length, surface.half_width, surface.depth
            )))  # fmt: skip
    return math.inf


def check_names(surfaces: tuple[Surface, ...]) -> tuple[Surface, ...]:
    """The surfaces of one body; raises ValueError when two have the same name."""
    names = [surface.name for surface in surfaces]
    twice = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if twice is not None:
        raise ValueError(f"two surfaces are named '{twice}'; give each its own name")
    return surfaces
