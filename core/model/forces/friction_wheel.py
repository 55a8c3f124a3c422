"""Wheel that drives a swinging boat by friction from below."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator, model_validator

from ...base.fields import NonNegative, Positive, described
from . import drive_law as d
from .base import ANGLE, ElementType, Geometry, Mark, Use
from .drive import Drive, Pairs, use_of


class FrictionWheel(Drive):
    """A driven wheel pressed against the keel of a boat, by a programme; see `core.model.forces.drive_law`.

    It touches while the angle of the joint, whole turns left out, lies between lower and upper (rad). radius m: from
    the hinge to where it touches; friction_curve: pairs (slip m/s, coefficient). In a swing its rim follows the
    direction of the swing with rim_speed m/s and its normal force is the command of the controller; braking, it stands.
    """

    kind: Literal["friction_wheel"] = "friction_wheel"
    radius: Positive = described(
        10.0, "Radius of the keel", "From the hinge to where the wheel touches.", unit="m", group="Wheel"
    )
    normal_force: NonNegative = described(
        10000.0, "Normal force", "With which the wheel is pressed on.", unit="N", group="Wheel"
    )
    rim_speed: NonNegative = described(
        8.0, "Rim speed", "Of the driven wheel in a swing.", unit="m/s", group="Wheel"
    )
    friction_curve: Pairs = described(
        ((0.0, 0.0), (0.1, 0.6), (5.0, 0.5)), "Friction over slip", "Coefficient over slip speed, from none at rest.",
        columns=(("Slip", "m/s"), ("Coefficient", "1")), group="Wheel",
    )  # fmt: skip
    lower: float = described(
        -0.35, "Touches from", "Lower limit of the angle at which it touches.", unit="rad", group="Wheel"
    )
    upper: float = described(
        0.35, "Touches to", "Upper limit of the angle at which it touches.", unit="rad", group="Wheel"
    )

    @field_validator("friction_curve")
    @classmethod
    def _usable_friction(cls, value: Pairs) -> Pairs:
        d.check_rising(value, "the friction curve")
        if value[0] != (0.0, 0.0) or len(value) < 2:
            raise ValueError("the friction curve needs two or more pairs, the first of them (0, 0)")
        return value

    @model_validator(mode="after")
    def _ordered(self) -> FrictionWheel:
        if not -3.15 <= self.lower < self.upper <= 3.15:
            raise ValueError(
                f"upper ({self.upper}) must be larger than lower ({self.lower}), both within half a turn"
            )
        return self


def law(wheel: FrictionWheel, geometry: Geometry) -> Use:
    """The drive's law, with the curve of friction."""
    return use_of(
        wheel, d.curve(wheel.friction_curve, smooth=True), WHEEL=1.0, RADIUS=wheel.radius, NORMAL=wheel.normal_force,
        RIM=wheel.rim_speed, LOWER=wheel.lower, UPPER=wheel.upper,
    )  # fmt: skip


TYPE = ElementType(
    FrictionWheel, "friction wheel", "joint", law, "force-friction", Mark("turn"), ANGLE,
    acts_in=("angle",),
)  # fmt: skip
