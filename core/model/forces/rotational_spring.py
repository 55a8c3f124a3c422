"""Rotational spring-damper in a joint."""

from __future__ import annotations

from typing import Literal

from ...base.fields import NonNegative, described
from ..laws import ISOTROPIC, LINEAR
from .base import ANGLE, ElementType, ForceElement, Geometry, Mark, Use


class RotationalSpring(ForceElement):
    """Rotational spring-damper in a joint: about its axis, or in all directions of a spherical joint.

    stiffness N m/rad, damping N m s/rad, free_angle rad from the drawn pose (about the axis only).
    """

    kind: Literal["rotational_spring"] = "rotational_spring"
    joint: str = described(
        ..., "Acts in joint", "About its axis, or in all directions of a ball.", refers_to="joint"
    )
    stiffness: NonNegative = described(0.0, "Stiffness", "Moment for each unit of rotation.", unit="N m/rad")
    damping: NonNegative = described(
        0.0, "Damping", "Moment for each unit of rate of rotation.", unit="N m s/rad"
    )
    free_angle: float = described(
        0.0, "Free angle", "Counted from the drawn pose, about the axis.", unit="rad"
    )


def law(spring: RotationalSpring, geometry: Geometry) -> Use:
    """Linear about an axis, isotropic in a ball."""
    parameters = (spring.stiffness, spring.damping)
    return (
        Use(ISOTROPIC, parameters)
        if geometry == "turn"
        else Use(LINEAR, parameters, origin=spring.free_angle)
    )


TYPE = ElementType(
    RotationalSpring, "rotational spring", "joint", law, "force-rotation", Mark("turn"), ANGLE,
    acts_in=("angle", "turn"),
    sized=lambda by: {"stiffness": by.stiffness(), "damping": by.damping()},
    leaves=lambda _: (0.0, 0.0),
)  # fmt: skip
