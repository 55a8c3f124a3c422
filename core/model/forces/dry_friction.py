"""Dry friction by the rate, in a joint."""

from __future__ import annotations

from typing import Literal

from ...base.fields import NonNegative, Positive, described
from ..laws import COULOMB
from .base import ANGLE, TRAVEL, ElementType, ForceElement, Geometry, Mark, Use


class DryFriction(ForceElement):
    """Coulomb friction of a joint, smoothed: load * tanh(rate / transition_rate) against the motion.

    load N m (N where the joint slides), transition_rate rad/s (m/s). It creeps under load: below the transition rate it
    is a damper. Where it has to hold, use a friction damper, which sticks.
    """

    kind: Literal["dry_friction"] = "dry_friction"
    joint: str = described(..., "Acts in joint", "A joint that turns or slides.", refers_to="joint")
    load: NonNegative = described(
        0.0,
        "Friction load",
        "Moment or force against the motion.",
        unit="N m",
        unit_by=("joint", {"slide": "N"}),
    )
    transition_rate: Positive = described(
        0.01,
        "Transition rate",
        "Rate at which three quarters of it are reached.",
        unit="rad/s",
        unit_by=("joint", {"slide": "m/s"}),
    )


def law(friction: DryFriction, geometry: Geometry) -> Use:
    """Coulomb's law by the rate."""
    return Use(COULOMB, (friction.load, friction.transition_rate))


TYPE = ElementType(
    DryFriction, "dry friction", "joint", law, "force-friction", Mark("turn"), ANGLE, sliding=TRAVEL,
    acts_in=("angle", "slide"),
)  # fmt: skip
