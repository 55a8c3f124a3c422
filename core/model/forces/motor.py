"""Motor that turns a joint by a programme, with gear, rotor, brake and emergency stop."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import field_validator

from ...base.fields import NonNegative, Positive, described
from . import drive_law as d
from .base import ANGLE, ElementType, Geometry, Mark, Use
from .drive import Drive, Pairs, use_of


class Motor(Drive):
    """A motor about the axis of a joint, by a programme; see `core.model.forces.drive_law`.

    torque_curve: pairs (speed of the motor rad/s, torque N m at its shaft); power W bounds it too; ratio: turns of the
    motor in one of the joint. rotor_inertia kg m^2 at the shaft counts as ratio^2 times as much about the axis on the
    second body: exact where the first body does not turn about that axis.
    """

    kind: Literal["motor"] = "motor"
    torque_curve: Pairs = described(
        ((0.0, 1000.0),), "Torque over speed", "At the motor's shaft; the last torque holds beyond.",
        columns=(("Motor speed", "rad/s"), ("Torque", "N m")), group="Motor",
    )  # fmt: skip
    power: Positive | None = described(
        None, "Power", "Most that it gives.", unit="W", empty="not limited", group="Motor"
    )
    ratio: Positive = described(
        1.0, "Gear ratio", "Turns of the motor for one of the joint.", unit="1", group="Motor"
    )
    rotor_inertia: NonNegative = described(
        0.0, "Rotor inertia", "At the motor's shaft; with the square of the ratio on the second body.",
        unit="kg m^2", group="Motor",
    )  # fmt: skip
    droop: Positive = described(
        0.02,
        "Droop",
        "Missing speed of the joint at which it gives its full torque.",
        unit="rad/s",
        group="Controller",
    )

    @property
    def axial_inertia(self) -> float:
        return self.rotor_inertia * self.ratio**2

    @field_validator("torque_curve")
    @classmethod
    def _usable_torque(cls, value: Pairs) -> Pairs:
        d.check_rising(value, "the torque curve")
        return value


def law(motor: Motor, geometry: Geometry) -> Use:
    """The drive's law, with the motor's curve."""
    gain = motor.ratio * max(torque for _, torque in motor.torque_curve) / motor.droop
    power = math.inf if motor.power is None else motor.power
    return use_of(
        motor,
        d.curve(motor.torque_curve, smooth=False),
        RATIO=motor.ratio,
        POWER=power,
        GAIN=gain,
        RADIUS=1.0,
    )


TYPE = ElementType(Motor, "motor", "joint", law, "force-torque", Mark("turn"), ANGLE, acts_in=("angle",))
