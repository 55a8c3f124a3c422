"""Station: transport tyres of a platform."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from ...base.fields import described
from ...jit.decorators import inner
from .base import Device, DeviceKind, DriveLimit, Row, Speed
from .law import OWN, SPEED, driven


class Station(Device):
    """Transport tyres of a platform: they bring the train to `speed` and keep it there."""

    kind: Literal["station"] = "station"
    speed: Speed = described(
        1.5, "Transport speed", "Speed the tyres of the platform bring the train to.", unit="m/s"
    )
    acceleration: DriveLimit = 1.5


PULL = OWN


@inner
def law(p, opened, keep, v, inertia, near):
    """Tyres with a bounded force."""
    return driven(p[SPEED], p[PULL], keep, v, near)


def row(station: Station, mass: float) -> Row:
    """The numbers of the law."""
    return Row(station.speed, (station.acceleration,))


KIND = DeviceKind(
    Station,
    law,
    row,
    "Station",
    "Transport tyres of a platform.",
    "station",
    7,
    lambda d: d.speed,
    waits=True,
    rank=1,
)
