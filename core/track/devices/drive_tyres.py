"""Drive tyres."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Literal

from ...base.fields import described
from ...jit.decorators import inner
from .base import Device, DeviceKind, DriveLimit, Row, Speed
from .law import GAIN, OWN, SPEED, driven, lag, within


class DriveTyres(Device):
    """Tyres that bring a train to `speed`, faster or slower.

    mode "force": with at most `acceleration` times the mass; "acceleration": the controller lets the speed change by
    `acceleration`, whatever the slope, as a drive that follows a profile of speed does.
    """

    kind: Literal["drive_tyres"] = "drive_tyres"
    speed: Speed = described(
        3.0, "Speed", "Speed the tyres bring the train to, faster or slower.", unit="m/s"
    )
    mode: Literal["force", "acceleration"] = described(
        "force",
        "Controlled quantity",
        "The force has a bound; or the speed changes by the acceleration, whatever the slope.",
        words={"force": "Force", "acceleration": "Acceleration"},
    )
    acceleration: DriveLimit = 2.0


PULL, BY_ACCELERATION = OWN, OWN + 1


@inner
def law(p, opened, keep, v, inertia, near):
    """Tyres with a bounded force, or that change the speed evenly whatever the slope."""
    if p[BY_ACCELERATION] == 0.0:
        return driven(p[SPEED], p[PULL], keep, v, near)
    pull = p[PULL] * inertia
    a, da = within(lag(p[SPEED], v, near), -pull, pull)
    return keep + a, da * GAIN


def row(tyres: DriveTyres, mass: float) -> Row:
    """The numbers of the law."""
    return Row(tyres.speed, (tyres.acceleration, float(tyres.mode == "acceleration")))


KIND = DeviceKind(
    DriveTyres, law, row, "Drive tyres", "Bring the train to a speed.", "tyres", 2, lambda d: d.speed, rank=6
)
