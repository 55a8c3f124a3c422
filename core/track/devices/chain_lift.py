"""Chain lift."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Literal

from ...base.fields import described
from ...jit.decorators import inner
from .base import Device, DeviceKind, Pull, Row, Speed
from .law import CATCHES, OWN, SPEED, accelerated, caught


class ChainLift(Device):
    """A chain that takes a slower train along; a faster one runs ahead of it freely."""

    kind: Literal["chain_lift"] = "chain_lift"
    speed: Speed = described(
        2.5, "Chain speed", "A slower train is taken along; a faster one runs ahead freely.", unit="m/s"
    )
    acceleration: Pull = described(
        3.0,
        "Pick-up acceleration",
        "How fast the chain brings a slower train to its own speed.",
        unit="m/s^2",
    )
    grip: Pull | None = described(
        None,
        "Maximum pull",
        "The most the chain pulls, over the mass of the train.",
        unit="m/s^2",
        empty="as much as it takes",
    )
    anti_rollback: bool = described(
        True,
        "Anti-rollback",
        "A train that comes rolling backwards, or that the chain cannot pull, is caught and held.",
    )


PULL, GRIP = OWN, OWN + 1  # m/s^2; a grip of 0: as much as it takes


@inner
def law(p, opened, keep, v, inertia, near):
    """An acceleration up to its speed, and an anti-rollback."""
    grip = p[GRIP] if p[GRIP] > 0.0 else math.inf
    a, da = accelerated(p[SPEED], p[PULL] * inertia, keep, v, near, grip)
    if p[CATCHES] != 0.0:
        return caught(a, da, keep, v, near)
    return a, da


def row(lift: ChainLift, mass: float) -> Row:
    """The numbers of the law."""
    return Row(lift.speed, (lift.acceleration, lift.grip or 0.0), catches=lift.anti_rollback)


KIND = DeviceKind(
    ChainLift,
    law,
    row,
    "Chain lift",
    "A chain that takes the train up.",
    "lift",
    5,
    lambda d: d.speed,
    rank=2,
    stuck="Give the lift a larger pull, make it longer, or come to it faster.",
)
