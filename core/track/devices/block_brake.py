"""Block brake."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Literal

from ...base.fields import described
from ...jit.decorators import inner
from .base import BrakeForce, Device, DeviceKind, Pause, Row, SpeedOrStop
from .law import FOREVER, OWN, PASSES, RELEASE, SPEED, accelerated, braked


class BlockBrake(Device):
    """A brake that slows a train to `speed`, 0 to stop it.

    A train that stops is held for `hold`; then the brake opens and tyres take the train on at `release_speed`, or it
    rolls off by itself when that is 0. hold None: it stays, and the ride ends there.
    """

    kind: Literal["block_brake"] = "block_brake"
    speed: SpeedOrStop = described(0.0, "Target speed", "0 stops the train.", unit="m/s")
    deceleration: BrakeForce = 5.0
    hold: Pause | None = described(
        5.0,
        "Hold time",
        "How long a stopped train is held; empty ends the ride there.",
        unit="s",
        empty="for good",
    )
    release_speed: SpeedOrStop = described(
        2.0,
        "Release speed",
        "Speed of the tyres that drive the released train; 0 lets it roll off by itself.",
        unit="m/s",
    )


PULL = OWN
RELEASE_PULL = 1.0  # m/s^2, of the tyres that take a train out of an opened block brake


@inner
def law(p, opened, keep, v, inertia, near):
    """A brake down to its speed; opened, tyres that take the train on."""
    if not opened:
        return braked(p[SPEED], p[PULL], keep, v, near)
    if p[RELEASE] == 0.0:
        return 0.0, 0.0
    return accelerated(p[RELEASE], RELEASE_PULL * inertia, keep, v, near, math.inf)


def row(brake: BlockBrake, mass: float) -> Row:
    """The numbers of the law."""
    hold = PASSES if brake.speed > 0.0 else FOREVER if brake.hold is None else brake.hold
    return Row(brake.speed, (brake.deceleration,), hold=hold, release=brake.release_speed)


KIND = DeviceKind(
    BlockBrake,
    law,
    row,
    "Block brake",
    "Brings the train to a speed or to rest.",
    "brake",
    3,
    lambda d: None,
    rank=5,
)
