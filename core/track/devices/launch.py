"""Launch."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math
from typing import Annotated, Final, Literal

from pydantic import Field

from ...base.fields import described
from ...jit.decorators import inner
from .base import Device, DeviceKind, Pull, Row, Speed
from .law import OWN, SPEED, accelerated, pushed


class Launch(Device):
    """A launch up to `top_speed`.

    mode "acceleration": the controller holds the acceleration along the track, whatever the slope; "force": the
    thrust; "power": the power, with a thrust of at most `grip` over the mass of the train and no more than it has at
    0.05 m/s.
    """

    kind: Literal["launch"] = "launch"
    mode: Literal["acceleration", "force", "power"] = described(
        "acceleration",
        "Controlled quantity",
        "What the launch keeps constant.",
        words={"acceleration": "Acceleration", "force": "Force", "power": "Power"},
    )
    value: Annotated[float, Field(gt=0.0, le=1e9)] = described(
        6.0,
        "Value",
        "Acceleration along the track, thrust or power, as chosen.",
        unit="m/s^2",
        unit_by=("mode", {"force": "N", "power": "W"}),
    )
    top_speed: Speed = described(30.0, "Top speed", "No faster train is pushed.", unit="m/s")
    grip: Pull = described(
        12.0,
        "Maximum thrust",
        "With constant power: the most it pushes at low speed, over the mass of the train.",
        unit="m/s^2",
        when={"mode": ("power",)},
    )


MODE, PULL, GRIP = OWN, OWN + 1, OWN + 2
ACCELERATION, THRUST, POWER = 0.0, 1.0, 2.0
MODES: Final = {"acceleration": ACCELERATION, "force": THRUST, "power": POWER}
CRAWL = 0.05  # m/s, a launch by power pushes no harder below this; at 0 its push would have no bound


@inner
def law(p, opened, keep, v, inertia, near):
    """An acceleration, a thrust or a power up to the top speed."""
    if p[MODE] == ACCELERATION:
        return accelerated(p[SPEED], p[PULL] * inertia, keep, v, near, math.inf)
    maximum = min(p[PULL] / max(abs(v), CRAWL), p[GRIP]) if p[MODE] == POWER else p[PULL]
    return pushed(p[SPEED], keep, v, near, maximum)


def row(launch: Launch, mass: float) -> Row:
    """The numbers of the law."""
    pull = launch.value if launch.mode == "acceleration" else launch.value / mass
    return Row(launch.top_speed, (MODES[launch.mode], pull, launch.grip))


KIND = DeviceKind(
    Launch, law, row, "Launch", "Pushes the train to a speed.", "launch", 0, lambda d: 0.0, rank=3
)
