"""What a device does as numbers: one row of a table a device, for the ride of points and for the multibody run alike.

Forces are over the mass of the train (m/s^2).
"""
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from typing import Final

import numpy as np

from ..base.arrays import Array
from ..jit.decorators import inner
from .devices import (
    BlockBrake,
    ChainLift,
    Device,
    DriveTyres,
    Launch,
    Station,
    TrimBrake,
)

# columns of a row: what kind, its speed (m/s), what it keeps constant, pull, largest push (0: any), pause (s, -1: for
# ever), release speed (m/s), 1 for an anti-rollback
KIND, SPEED, MODE, PULL, GRIP, PAUSE, RELEASE, RATCHET = range(8)
NO_DEVICE, PUSH, TYRES, BRAKE = range(4)
ACCELERATION, THRUST, POWER = range(3)
MODES: Final = {"acceleration": ACCELERATION, "force": THRUST, "power": POWER}
RELEASE_PULL = 1.0  # m/s^2, of the tyres that take a train out of an opened block brake
CRAWL = 0.05  # m/s, a launch by power pushes no harder below this; at 0 its push would have no bound


def device_row(device: Device, mass: float) -> list[float]:
    """The row (8,) of a device for a train of so much mass (kg)."""
    match device:
        case ChainLift():
            ratchet, grip = float(device.anti_rollback), device.grip or 0.0
            return [PUSH, device.speed, ACCELERATION, device.acceleration, grip, 0.0, 0.0, ratchet]
        case Launch():
            if device.mode == "acceleration":
                return [PUSH, device.top_speed, ACCELERATION, device.value, 0.0, 0.0, 0.0, 0.0]
            pull = device.value / mass
            return [PUSH, device.top_speed, MODES[device.mode], pull, device.grip, 0.0, 0.0, 0.0]
        case Station():
            return [TYRES, device.speed, THRUST, device.acceleration, 0.0, 0.0, 0.0, 0.0]
        case DriveTyres():
            return [TYRES, device.speed, MODES[device.mode], device.acceleration, 0.0, 0.0, 0.0, 0.0]
        case TrimBrake():
            return [BRAKE, device.speed, THRUST, device.deceleration, 0.0, 0.0, 0.0, 0.0]
        case BlockBrake():
            pause = -1.0 if device.hold is None else device.hold
            return [BRAKE, device.speed, THRUST, device.deceleration, 0.0, pause, device.release_speed, 0.0]


@inner
def most(dev: Array, v: float) -> float:
    """The largest force over mass a device can give at speed v; without bound where it controls acceleration."""
    if dev[KIND] == PUSH:
        if dev[MODE] == ACCELERATION:
            return float(dev[GRIP]) if dev[GRIP] > 0.0 else np.inf
        if dev[MODE] == POWER:
            return float(min(dev[PULL] / max(abs(v), CRAWL), dev[GRIP]))
    if dev[KIND] == TYRES and dev[MODE] == ACCELERATION:
        return np.inf
    return float(dev[PULL])
