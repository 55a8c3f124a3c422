"""Trim brake."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from ...base.fields import described
from ...jit.decorators import inner
from .base import BrakeForce, Device, DeviceKind, Row, Speed
from .law import OWN, SPEED, braked


class TrimBrake(Device):
    """A brake that slows a train faster than `speed`."""

    kind: Literal["trim_brake"] = "trim_brake"
    speed: Speed = described(15.0, "Target speed", "A train that is not faster is not braked.", unit="m/s")
    deceleration: BrakeForce = 3.0


PULL = OWN


@inner
def law(p, opened, keep, v, inertia, near):
    """A brake down to its speed."""
    return braked(p[SPEED], p[PULL], keep, v, near)


def row(brake: TrimBrake, mass: float) -> Row:
    """The numbers of the law."""
    return Row(brake.speed, (brake.deceleration,))


KIND = DeviceKind(
    TrimBrake,
    law,
    row,
    "Trim brake",
    "Slows a train that is too fast.",
    "trim brake",
    1,
    lambda d: None,
    drives=False,
    rank=4,
)
