"""The programme of a drive: what it does, phase after phase."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from ..base.fields import NonNegative, Positive, described
from ..base.frozen import Frozen

Mode = Literal["swing", "speed", "brake", "off"]
MODES: Final[tuple[Mode, ...]] = ("off", "swing", "speed", "brake")
WORDS: Final[dict[str, str]] = {
    "swing": "Swing (torque follows the direction)",
    "speed": "Turn at a speed",
    "brake": "Brake",
    "off": "Off (runs free)",
}


class Phase(Frozen):
    """One phase: swing up to an amplitude and hold it, turn at a speed, brake, or run free.

    It ends after `duration` (s) or after a number of swings, from one turning point to the next, whichever comes first;
    the last phase lasts to the end of the run. An amplitude of zero winds a swing down.
    """

    mode: Mode = described("swing", "Does", "What the drive does in this phase.", words=WORDS)
    amplitude: Annotated[float, Field(ge=0.0, le=6.3)] | None = described(
        None, "Amplitude", "Held from swing to swing; 0 winds down, empty drives with all it has.", unit="rad",
        empty="as far as it goes", when={"mode": ("swing",)},
    )  # fmt: skip
    speed: float = described(
        0.0, "Speed", "Of the joint, at the end of the ramp.", unit="rad/s", when={"mode": ("speed",)}
    )
    acceleration: Positive = described(
        0.1, "Ramp", "Change of the wanted speed in a second.", unit="rad/s^2", when={"mode": ("speed",)}
    )
    share: Annotated[float, Field(ge=0.0, le=1.0)] = described(
        1.0, "Share", "Part of the torque, normal force or brake moment that is used.", unit="1"
    )
    duration: NonNegative | None = described(
        None, "Duration", "After which the next phase begins.", unit="s", empty="not by time"
    )
    swings: Annotated[int, Field(ge=1, le=100000)] | None = described(
        None,
        "Number of swings",
        "Turning points after which the next phase begins.",
        unit="1",
        empty="not counted",
    )
