"""Kinematic joints."""

from __future__ import annotations

import math
from typing import Annotated, Final, Literal, get_args

from pydantic import Field, field_validator, model_validator

from ..base.fields import AXES, described
from ..base.frozen import Frozen, Name, Vec3

Coordinate = Literal["angle", "angle_j", "slide", "length"]
JointKind = Literal["rigid", "revolute", "prismatic", "cylindrical", "universal", "spherical", "distance"]
#: The coordinates of each kind that a driver can prescribe.
COORDINATES: Final[dict[str, tuple[Coordinate, ...]]] = {
    "revolute": ("angle",),
    "prismatic": ("slide",),
    "cylindrical": ("angle", "slide"),
    "universal": ("angle", "angle_j"),
    "distance": ("length",),
}
NEEDS_AXES = ("revolute", "prismatic", "cylindrical", "universal")


def _direction(value: Vec3 | None) -> Vec3 | None:
    if value is not None and math.hypot(*value) < 1e-9:
        raise ValueError("the axis has no length; give a direction such as [0, 1, 0]")
    return value


class Joint(Frozen):
    """A kinematic joint between body_i and body_j.

    A rigid joint, and the locked rotation of a prismatic joint, hold the relative pose in which the assembly is drawn.
    """

    name: Name = described(..., "Name", "What the joint is called; references to it follow.")
    kind: JointKind = described(
        ...,
        "Kind",
        "What the joint lets free.",
        words={
            "rigid": "Rigid",
            "revolute": "Revolute (turns about an axis)",
            "prismatic": "Prismatic (slides along an axis)",
            "cylindrical": "Cylindrical (turns and slides)",
            "universal": "Universal (cross of two arms)",
            "spherical": "Spherical (ball)",
            "distance": "Distance (rod)",
        },
    )
    body_i: str = described(..., "First body", "The joint's first body.", refers_to="body")
    point_i: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Point on the first body",
        "In the axes of the first body, from its centre of mass.",
        unit="m",
        axes=AXES,
    )
    axis_i: Vec3 | None = described(
        None,
        "Axis in the first body",
        "Direction of the joint's axis (of one arm of a universal joint).",
        unit="1",
        axes=AXES,
        when={"kind": NEEDS_AXES},
    )
    body_j: str = described(..., "Second body", "The joint's second body.", refers_to="body")
    point_j: Vec3 = described(
        (0.0, 0.0, 0.0),
        "Point on the second body",
        "In the axes of the second body, from its centre of mass.",
        unit="m",
        axes=AXES,
    )
    axis_j: Vec3 | None = described(
        None,
        "Axis in the second body",
        "Direction of the joint's axis (of the other arm of a universal joint).",
        unit="1",
        axes=AXES,
        when={"kind": NEEDS_AXES},
    )
    length: Annotated[float, Field(gt=0.0)] | None = described(
        None,
        "Length",
        "Length of the rod; empty takes the drawn distance.",
        unit="m",
        empty="as drawn",
        when={"kind": ("distance",)},
    )
    locked: bool = described(
        False,
        "Locked as drawn",
        "Holds the joint rigid in the drawn pose.",
        when={"kind": tuple(kind for kind in get_args(JointKind) if kind != "rigid")},
    )

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
