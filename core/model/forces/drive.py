"""Fields that drives with feedback share: joint, programme, controller, brake, emergency stop."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from ...base.fields import NonNegative, Positive, described
from ..functions import AnalyticFunction
from ..programme import Phase
from . import drive_law as d
from .base import ForceElement, Use
from .drive_law import DRIVE

Pairs = tuple[tuple[float, float], ...]
CLOCK = AnalyticFunction(rate=1.0)  # the law sees the time
UNPOWERED = "Emergency stop"
CONTROL = "Controller"
BRAKE = "Brake"


class Drive(ForceElement):
    """What drives share. Angles count from the hanging position, along the axis of the joint."""

    joint: str = described(..., "Acts in joint", "A joint that turns.", refers_to="joint")
    programme: Annotated[tuple[Phase, ...], Field(min_length=1, max_length=200)] = described(
        (Phase(),), "Ride programme", "What the drive does, phase after phase.", entry="programme"
    )
    hanging: float = described(
        0.0, "Hanging position", "Angle of rest, counted from the drawn pose.", unit="rad", group=CONTROL
    )
    first_push: Literal["forward", "backward"] = described(
        "forward", "First push", "Which way it pushes first: to growing or to falling angles.",
        words={"forward": "Forward", "backward": "Backward"}, group=CONTROL,
    )  # fmt: skip
    dead_band: NonNegative = described(
        0.0,
        "Dead band",
        "Speed beyond a turning point at which the torque turns about.",
        unit="rad/s",
        group=CONTROL,
    )
    amplitude_band: Positive = described(
        0.2, "Amplitude band", "Missing amplitude at which it uses all it has; below, in proportion.", unit="rad",
        group=CONTROL,
    )  # fmt: skip
    brake_moment: NonNegative = described(
        0.0, "Brake moment", "Largest moment of the brake.", unit="N m", group=BRAKE
    )
    brake_curve: Pairs = described(
        ((0.0, 1.0),), "Brake curve", "Share of the moment over the speed of the joint.",
        columns=(("Speed", "rad/s"), ("Share", "1")), group=BRAKE,
    )  # fmt: skip
    brake_rise: NonNegative = described(
        0.5, "Rise time of the brake", "In which its moment grows from nothing.", unit="s", group=BRAKE
    )
    emergency_stop: NonNegative | None = described(
        None,
        "Emergency stop at",
        "Drive off and brake on, at any instant.",
        unit="s",
        empty="none",
        group=UNPOWERED,
    )
    power_failure: NonNegative | None = described(
        None,
        "Power failure at",
        "From then on the drive gives nothing.",
        unit="s",
        empty="none",
        group=UNPOWERED,
    )
    brakes_without_power: bool = described(
        True,
        "Brakes without power",
        "A power failure applies the brake; otherwise the ride runs free.",
        group=UNPOWERED,
    )

    @field_validator("brake_curve")
    @classmethod
    def _usable(cls, value: Pairs) -> Pairs:
        d.check_rising(value, "the brake curve")
        return value


def running_free(drive: Drive) -> Drive:
    """The same, running free: off, and never braked. What it weighs stays."""
    free = {"programme": (Phase(mode="off"),), "emergency_stop": None, "power_failure": None}
    return drive.model_copy(update=free)


def use_of(drive: Drive, main: tuple[float, ...], **own: float) -> Use:
    """The law of a drive; main: pieces of its own curve; own: its own parameters by their names in `drive_law`."""
    head = [0.0] * d.HEAD
    phases, brake = d.rows(drive.programme), d.curve(drive.brake_curve, smooth=False)
    first = d.HEAD + len(phases)
    given: dict[str, Any] = {
        "DEAD": drive.dead_band,
        "EMERGENCY": d.NEVER if drive.emergency_stop is None else drive.emergency_stop,
        "FAILURE": d.NEVER if drive.power_failure is None else drive.power_failure,
        "HOLDS": float(drive.brakes_without_power),
        "BRAKE": drive.brake_moment,
        "RISE": drive.brake_rise,
        "BAND": drive.amplitude_band,
        "PHASES": float(len(drive.programme)),
        "CURVE0": first,
        "CURVE1": first + len(main),
        "CURVE2": first + len(main) + len(brake),
        **own,
    }
    for name, value in given.items():
        head[getattr(d, name)] = float(value)
    memory = [0.0] * d.KEPT
    memory[d.WAY] = 1.0 if drive.first_push == "forward" else -1.0
    memory[d.COMMAND], memory[d.TIME] = 1.0, -d.NEVER
    return Use(
        DRIVE, (*head, *phases, *main, *brake), origin=drive.hanging, function=CLOCK, memory=tuple(memory),
        levels=6 if head[d.WHEEL] else 4,
    )  # fmt: skip
