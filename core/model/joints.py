"""Kinematic joints."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from core.base.frozen import Frozen, Name, Vec3

JointKind = Literal["rigid", "revolute", "prismatic", "cylindrical", "universal", "spherical", "distance"]
NEEDS_AXES = ("revolute", "prismatic", "cylindrical", "universal")


def _direction(value: Vec3 | None) -> Vec3 | None:
    if value is not None and math.hypot(*value) < 1e-9:
        raise ValueError("the axis has no length; give a direction such as [0, 1, 0]")
    return value


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
    length: Annotated[float, Field(gt=0.0)] | None = None
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
