"""The base of every description: immutable, strict about unknown fields, no NaN or infinity."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]
Name = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^/\x00-\x1f]+$")]


class Frozen(BaseModel):
    """A value object: hashable by content, edited only by making a new one."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, ser_json_inf_nan="null")


def unit_quaternion(value: Quat) -> Quat:
    """Euler parameters scaled to unit length; raises ValueError when they have none."""
    norm = math.hypot(*value)
    if norm < 1e-6:
        raise ValueError("Euler parameters have no length; [1, 0, 0, 0] means unrotated")
    e0, e1, e2, e3 = (c / norm for c in value)
    return (e0, e1, e2, e3)
